"""`slotscope forecast` and `submit`: sentences, tables, JSON, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.files.workload_writing import write_workload
from core.model.cluster import Cluster
from explorer.cli.run import run
from tests.builders import make_job, make_workload
from tests.core.forecast.test_copies import NIGHT
from tests.paths import DATA

ALWAYS = """
from core.policies.policy import Policy


class Always(Policy):
    id = "always"

    def speculate(elapsed):
        return elapsed
"""


def words(capsys):
    """Return what was printed, with single spaces."""
    return " ".join(capsys.readouterr().out.split())


def test_exact_estimates_say_what_the_schedule_does(capsys):
    assert run(["forecast", "five-jobs", "--at", "30", "--error", "0", "--runs", "19"]) == 0
    out = words(capsys)
    assert "At 0:30, 3 of 5 jobs have not ended, and 30 tasks run. The last one ends at about 1:14" in out
    assert "J5 1:14 1:14 1:14 1:14 1:14" in out
    assert "J1" not in out


def test_json_has_bands_that_contain_each_other(capsys):
    assert run(["forecast", "five-jobs", "--at", "50%", "--error", "0.3", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["time"], found["draws"], found["seed"], found["policy"]) == (37.0, 200, 1, "fifo")
    for job in found["jobs"]:
        (low, high), (low_half, high_half) = job["end_90"], job["end_50"]
        assert 37.0 <= low <= low_half <= job["end"] <= high_half <= high


def test_durations_are_estimates_but_of_a_log(capsys):
    """Of what a log recorded nothing is known before it has ended, unless that is asked for."""
    log = ["forecast", str(DATA / "jobtracker-0.20.log"), "--at", "50%", "--runs", "19"]
    sample = ["forecast", "five-jobs", "--at", "30", "--runs", "19"]
    estimates = "The durations of the workload are taken as estimates, wrong by 30 %."
    nothing = "Of tasks that have not ended nothing is known but what the {} that have ended show{}"
    few = "; of {} none has, which are taken to be like the others. Estimates, or an earlier run, say more."
    for given, error, sentence in (
        (sample, 0.3, estimates),
        ([*sample, "--error", "none"], None, nothing.format(120, few.format("3 jobs"))),
        (log, None, nothing.format(3, ".")),
        ([*log, "--error", "0.3"], 0.3, estimates),
        ([*sample, "--error", "0"], 0.0, "Tasks take as long as the workload says."),
    ):
        assert run(given) == 0
        assert sentence in words(capsys)
        assert run([*given, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["error"] == error


def test_it_says_how_likely_all_is_over_by_a_time(capsys):
    given = ["forecast", "five-jobs", "--at", "30", "--error", "0", "--runs", "19"]
    for by, part in (("1:13", 0.0), ("1:14", 1.0)):
        assert run([*given, "--by", by]) == 0
        assert f"All is over by {by} in {part:.0%}".replace("%", " %") in words(capsys)
        assert run([*given, "--by", by, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["over_by"] == part


def test_at_the_end_nothing_is_left(capsys):
    assert run(["forecast", "five-jobs", "--at", "100%", "--runs", "19"]) == 0
    assert words(capsys) == "At 1:14 all jobs have ended."


def test_deadlines_have_chances(capsys, tmp_path):
    jobs = (make_job("J1", (4, 10.0), deadline=1e5), make_job("J2", (4, 10.0), deadline=2.0))
    write_workload(make_workload(*jobs), tmp_path / "w.workload.json")
    path = str(tmp_path / "w.workload.json")
    assert run(["forecast", path, "--at", "3", "--error", "0.1", "--runs", "19", "--json"]) == 0
    assert [job["in_time"] for job in json.loads(capsys.readouterr().out)["jobs"]] == [1.0, 0.0]


def test_service_levels_have_chances(capsys, tmp_path):
    job = replace(make_job("J1", (4, 10.0)), service_levels=((2.0, 5.0), (1e5, 20.0)))
    write_workload(make_workload(job), tmp_path / "w.workload.json")
    path = str(tmp_path / "w.workload.json")
    assert run(["forecast", path, "--at", "3", "--error", "0.1", "--runs", "19", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["jobs"][0]["service_levels"] == [
        {"by": 2.0, "cost": 5.0, "in_time": 0.0},
        {"by": 1e5, "cost": 20.0, "in_time": 1.0},
    ]
    assert run(["forecast", path, "--at", "3", "--error", "0.1", "--runs", "19"]) == 0
    assert "J1 0:02 5 0 % J1 1 d 03:46:40 20 100 %" in " ".join(words(capsys).split())


def test_a_submitted_job_has_its_end_and_its_delays(capsys, tmp_path):
    """By hand in tests/core/forecast/test_submitted.py: SJF lets it go first, and J1 ends 4 s later."""
    write_workload(make_workload(make_job("J1", (6, 10.0))), tmp_path / "w.workload.json")
    write_workload(make_workload(make_job("late", (2, 4.0))), tmp_path / "late.workload.json")
    given = ["submit", str(tmp_path / "w.workload.json"), "--job", str(tmp_path / "late.workload.json")]
    given += ["--at", "15", "--policy", "sjf", "--error", "0", "--runs", "19", "--map-slots", "2"]
    assert run(given) == 0
    out = words(capsys)
    assert "late, submitted at 0:15, ends at about 0:24" in out
    assert "It delays J1 by about 4 s." in out
    assert run([*given, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["delays"] == [
        {"job": "J1", "delay": 4.0, "delay_90": [4.0, 4.0]}
    ]
    assert run([*given, "--place", "2", "--places", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["delays"][0]["delay"] == 0.0
    assert [(p["place"], p["of"], p["policy"], p["end"], p["delays"]) for p in found["places"]] == [
        (1, 2, True, 24.0, {"J1": 4.0}),
        (2, 2, False, 34.0, {}),
    ]
    assert found["no_order"] is None
    assert run([*given, "--places"]) == 0
    out = words(capsys)
    assert "First of 2 in the order, as the policy has it: ends at about 0:24, delays J1 by about 4 s." in out
    assert "Second of 2 in the order: ends at about 0:34, delays no other job." in out
    fair = [each if each != "sjf" else "fair" for each in given]
    assert run([*fair, "--places"]) == 0
    assert "Fair (HFS) serves jobs by no order in which a job could have another place" in words(capsys)
    assert run([*given, "--comes", "16"]) == 0  # the same slot, at 20 s
    assert "late, submitted at 0:16, ends at about 0:24" in words(capsys)


def test_a_job_of_the_library_is_submitted(capsys, tmp_path):
    write_workload(make_workload(make_job("J1", (6, 10.0))), tmp_path / "w.workload.json")
    write_workload(make_workload(make_job("late", (2, 4.0))), tmp_path / "late.workload.json")
    assert run(["library", "import", str(tmp_path / "late.workload.json")]) == 0
    given = ["submit", str(tmp_path / "w.workload.json"), "--job", "library:late", "--at", "15"]
    given += ["--policy", "sjf", "--error", "0", "--runs", "19", "--map-slots", "2"]
    capsys.readouterr()
    assert run(given) == 0
    assert "late, submitted at 0:15, ends at about 0:24" in words(capsys)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (["--at", "130%"], "a part of the whole lies between 0% and 100%"),
        (["--at", "soon"], "soon"),
        (["--at", "1", "--error", "none"], "no task has ended by then"),
        (["--at", "50%", "--error", "-1"], "--error -1: give a number from 0 to 3, as 0.3 for ±30 %, or"),
        (["--at", "50%", "--error", "nan"], "--error nan: give a number from 0 to 3"),
        (["--at", "50%", "--error", "1e9"], "--error 1e9: give a number from 0 to 3"),
        (["--at", "-1"], "--at: '-1' is no time; type one such as 5:33:20"),
        (["--at", "50%", "--runs", "18"], "19 to 10000 draws"),
        (["--at", "50%", "--seed", "-1"], "the seed of the draws is -1; give a whole number from 0"),
    ],
)
def test_what_is_wrong_is_said(given, sentence, capsys):
    assert run(["forecast", "five-jobs", *given]) == 2
    assert sentence in capsys.readouterr().err


def test_a_record_goes_on_under_a_policy(capsys):
    log = str(DATA / "jobtracker-0.20.log")
    assert (
        run(["forecast", log, "--at", "60%", "--record", "--policy", "fair", "--runs", "20", "--json"]) == 0
    )
    found = json.loads(capsys.readouterr().out)
    assert (found["record"], found["policy"]) == (True, "fair")
    given = ["forecast", log, "--at", "60%", "--record", "--runs", "19"]
    job = found["jobs"][0]["job"]
    assert run([*given, "--killed-copies", f"map 1 of {job} at 1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["jobs"][0]["job"] == job
    assert run([*given, "--killed-copies", "map 1 of nobody at 1"]) == 2
    assert "of nobody at 1: there is no such task" in capsys.readouterr().err
    assert run(["forecast", log, "--at", "60%", "--record", "--map-slots", "9"]) == 2
    assert "on its own cluster" in capsys.readouterr().err


def test_what_can_be_done_is_said_and_in_json(capsys, tmp_path):
    """By hand in tests/core/forecast/test_advice.py."""
    jobs = (make_job("long", (8, 10.0)), make_job("short", (2, 10.0), arrival=1.0))
    workload = replace(make_workload(*jobs), cluster=Cluster(2, 0))
    write_workload(workload, tmp_path / "w.workload.json")
    given = ["forecast", str(tmp_path / "w.workload.json"), "--at", "15", "--error", "0", "--advise"]
    given += ["--runs", "19"]
    assert run(given) == 0
    assert "Move short to the front: jobs end earlier by 20 s together, others end 10 s later" in words(
        capsys
    )
    assert run([*given, "--json"]) == 0
    (front,) = [each for each in json.loads(capsys.readouterr().out)["advice"] if each["kind"] == "front"]
    assert (front["saves"], front["disturbs"], front["earlier"]) == (
        20.0,
        10.0,
        {"long": -10.0, "short": 20.0},
    )


def test_a_second_copy_to_kill_is_said_and_killed(capsys, tmp_path):
    """What the answer says of the copy is what `--killed-copies` takes; B then ends at 25 s instead of 30."""
    (tmp_path / "always.py").write_text(ALWAYS)
    write_workload(replace(NIGHT, cluster=Cluster(4, 0)), tmp_path / "w.workload.json")
    common = [str(tmp_path / "w.workload.json"), "--policy", f"file:{tmp_path / 'always.py'}", "--json"]
    common += ["--runs", "19"]
    assert run(["forecast", *common, "--at", "15", "--error", "0", "--advise"]) == 0
    (kill,) = [each for each in json.loads(capsys.readouterr().out)["advice"] if each["kind"] == "kill"]
    assert kill["killed_copies"] == "task 1 of stage 1 of A at 15"
    assert (kill["saves"], kill["disturbs"]) == (5.0, 25.0)
    assert (
        run(["forecast", *common, "--at", "20", "--error", "0", "--killed-copies", kill["killed_copies"]])
        == 0
    )
    ends = {each["job"]: each["end"] for each in json.loads(capsys.readouterr().out)["jobs"]}
    assert ends == {"A": 40.0, "B": 25.0}


def test_the_trace_library_says_how_long_jobs_took_before(capsys, tmp_path):
    """J2 took 50 s a map when it ran before; the workload, whose durations are not known, says 10."""
    write_workload(make_workload(make_job("J2", (4, 50.0))), tmp_path / "before.workload.json")
    assert run(["library", "import", str(tmp_path / "before.workload.json")]) == 0
    capsys.readouterr()
    jobs = make_job("J1", (2, 10.0)), make_job("J2", (4, 10.0))
    night = replace(make_workload(*jobs), cluster=Cluster(2, 0))
    write_workload(night, tmp_path / "w.workload.json")
    given = ["forecast", str(tmp_path / "w.workload.json"), "--at", "12", "--runs", "19", "--json"]
    ends = []
    for history in (["--history", "none"], ["--history", "library"], []):
        assert run([*given, *history]) == 0
        (job,) = json.loads(capsys.readouterr().out)["jobs"]
        ends.append(job["end"])
    assert ends[1] > 2 * ends[0]
    assert ends[2] == ends[1], "nobody has to ask for it"


def test_an_unfinished_log_ends_now(capsys):
    """By hand in tests/core/logs/test_log_end.py: its second job has a map that runs since 0:09."""
    assert run(["forecast", str(DATA / "jobtracker-0.20.log"), "--runs", "19"]) == 0
    assert "At 0:20, 1 of 2 jobs have not ended, and 1 task runs." in words(capsys)
    assert run(["forecast", "five-jobs"]) == 2
    assert "slotscope: error: give the time from which on nothing is known" in capsys.readouterr().err
    assert run(["forecast", str(DATA / "jhist-2.7.jhist")]) == 2
    over = "no job of the log is under way where it ends; give the time from which on nothing is known"
    assert over in capsys.readouterr().err


def test_the_library_knows_earlier_runs_by_itself(capsys, tmp_path, monkeypatch):
    """Nothing has ended by 0:01, so that without an earlier run nothing is known."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name, seconds in (("before", 20.0), ("now", 10.0)):
        write_workload(make_workload(make_job("J1", (4, seconds))), tmp_path / f"{name}.workload.json")
    given = ["forecast", str(tmp_path / "now.workload.json"), "--at", "1", "--runs", "19", "--error", "none"]
    assert run(given) == 2
    assert run(["library", "import", str(tmp_path / "before.workload.json")]) == 0
    capsys.readouterr()
    assert run(given) == 0
    assert "took before is known of 1 of 1 jobs, from the trace library." in words(capsys)
    assert run([*given, "--json"]) == 0
    history = json.loads(capsys.readouterr().out)["history"]
    assert history == {"source": "the trace library", "jobs": {"J1": "test"}}
    assert run([*given, "--history", "none"]) == 2
    assert run([*given, "--error", "0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["history"] is None
