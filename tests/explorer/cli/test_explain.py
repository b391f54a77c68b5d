"""`slotscope explain` says why, for people and as JSON."""

from __future__ import annotations

import pytest

from core.files.plan_document import write_plan
from core.model.levers import JobPlan, StagePlan
from core.model.plan import Plan
from core.model.time_text import duration_text
from tests.explorer.cli.test_command_line import error_of, json_of, output_of, words_of


def test_why_this_makespan(capsys):
    answer = json_of(capsys, "explain", "five-jobs", "--policy", "fifo")
    assert answer["makespan"] == 74
    assert [(link["begin"], link["end"], link["cause"]) for link in answer["chain"]] == [
        (0, 4, "waiting for a slot"),
        (4, 5, "waiting for a slot"),
        (5, 35, "waiting for a slot"),
        (35, 41, "map work"),
        (41, 43, "reduce work"),
        (43, 71, "waiting for a slot"),
        (71, 74, "reduce work"),
    ]
    first, work = answer["chain"][0], answer["chain"][3]
    assert first["task"] == first["holder"] == {"job": "J1", "kind": "map", "index": 0, "slot": 0}
    assert first["waiter"]["job"] == "J2"
    assert (work["waiter"], work["holder"]) == (None, None)
    assert sum(answer["causes"].values()) == 74
    assert answer["causes"]["waiting for a slot"] == 63
    assert answer["held_by"][0] == {"job": "J3", "seconds": 30}
    assert {finding["rule"] for finding in answer["findings"]} == {"nothing to run"}
    assert answer["idle"] == [
        {"kind": "map", "seconds": 31, "causes": {"no task is left": 31}},
        {"kind": "reduce", "seconds": 28, "causes": {"no task is ready": 28}},
    ]


def test_the_same_for_people(capsys):
    text = words_of(capsys, "explain", "five-jobs", "--policy", "fifo")
    assert "Five jobs · fifo · why 1 min 14 s" in text
    assert "85.1 %" in text
    assert "The slots waited for were held by J3 (30 s), J4 (28 s), J1 (4 s) and J2 (1 s)." in text
    assert "a reduce slot idles 28 s (no task is ready), on average." in text
    assert "nothing to run" in text


def test_no_holder_is_dropped(capsys):
    """Five jobs are named, the others are told together."""
    held = json_of(capsys, "explain", "facebook", "--policy", "fifo")["held_by"]
    rest = sum(each["seconds"] for each in held[5:])
    text = output_of(capsys, "explain", "facebook", "--policy", "fifo")
    assert f" and {len(held) - 5} more jobs ({duration_text(rest)})." in text


def test_sums_of_hours_are_told_to_the_minute(capsys):
    """The longest holder of facebook holds for 36 min 45.861 s; averages need no milliseconds either."""
    text = output_of(capsys, "explain", "facebook", "--policy", "fifo")
    assert "were held by J035 (36 min 46 s)," in text
    assert "Of 6 h 49 min a map slot idles 5 h 42 min (no task is left)" in text


def test_findings(capsys):
    answer = json_of(capsys, "explain", "facebook", "--policy", "fifo")
    finding = answer["findings"][0]
    assert finding["rule"] == "unproductive hold"
    assert finding["kind"] == "reduce"
    assert finding["cost"] > 100_000
    assert finding["sentence"].startswith(f"245 reduces of {finding['job']} held reduce slots")
    assert "Worth a look" in output_of(capsys, "explain", "facebook", "--policy", "fifo")


def test_why_this_task(capsys):
    answer = json_of(capsys, "explain", "five-jobs", "--policy", "fifo", "--task", "J5.reduce.1")
    reason = answer["reason"]
    assert (reason["start"], reason["ready"], reason["cause"]) == (71, 43, "slot freed")
    assert (
        reason["trigger"] == reason["slot_held_by"] == {"job": "J4", "kind": "reduce", "index": 0, "slot": 30}
    )
    assert answer["decision"]["winner"]["job"] == "J5"
    assert answer["decision"]["runner_up"] is None
    text = output_of(capsys, "explain", "five-jobs", "--policy", "fifo", "--task", "J5.reduce.1")
    assert "It started at 1:11: reduce 1 of J4 ended and freed its slot." in text
    assert "Candidates for R1 at 1:11" in text
    assert "FIFO: The job that arrived first goes first;" in text


def test_headings_of_hours_are_whole_on_80_columns(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    text = output_of(capsys, "explain", "facebook", "--policy", "critical", "--task", "J086.map.30")
    headings = next(line for line in text.splitlines() if line.startswith("job"))
    assert " ".join(headings.split()) == "job kind waiting reduce stage due length start by queue"
    (first,) = (line for line in text.splitlines() if line.startswith("J086  map"))
    assert first.endswith("3 h 04 min  1:28:27.811         14 s   1:28:13.66      1")


def test_dates_before_time_0_are_told_as_turns(capsys, tmp_path):
    file = tmp_path / "order.plan.json"
    stages = {name: StagePlan(place - 40.0) for place, name in enumerate(("J2", "J5", "J1", "J4", "J3"))}
    write_plan(Plan(tuple(JobPlan(name, at, at) for name, at in stages.items())), file, "Five jobs")
    text = output_of(capsys, "explain", "five-jobs", "--plan", str(file), "--task", "J5.map.3")
    assert "J5: the 2nd of 5 jobs by the plan." in text
    assert "J1 would have been next: the 3rd of 5 jobs by the plan." in text
    assert "\N{MINUS SIGN}" not in text


def test_why_this_task_got_the_slot_of_a_host_that_asked(capsys):
    run = ("explain", "five-jobs", "--policy", "fifo", "--overheads", "heartbeat=1,hosts=5")
    for task, slot, winner in (("J3.reduce.7", "R8", "J3"), ("J1.map.1", "M7", "J1")):
        text = output_of(capsys, *run, "--task", task)
        assert f"{slot} was the free slot with the lowest number of the host that asked." in text
        assert f"FIFO gave it to {winner} for its next" in text
        assert f"Candidates for {slot} at" in text


def test_a_free_slot_whose_host_has_not_asked(capsys):
    run = ("explain", "five-jobs", "--policy", "fifo", "--overheads", "heartbeat=1,hosts=5")
    text = words_of(capsys, *run, "--job", "J4", "--at", "0.3")
    assert (
        "beside 29 free map slots: their hosts have not asked for work yet, or the policy declines." in text
    )
    assert "M1 is free at 0:00.3; when its host asks, FIFO gives it to J1 for its next map." in text


def test_a_job_that_is_launched_and_set_up_waits_for_no_host(capsys):
    overheads = "launch_delay=5,launched_ahead=2,setup=2,fetch=1,heartbeat=1,hosts=5"
    run = ("explain", "five-jobs", "--policy", "fifo", "--overheads", overheads, "--job", "J1", "--at")
    assert "free map slots: the job is not launched yet." in words_of(capsys, *run, "3")
    said = words_of(capsys, *run, "6")
    assert (
        "the job is not launched yet, or the job is not set up yet, or its files have not come yet, or "
        "their hosts have not asked for work yet, or the policy declines." in said
    )


def test_what_a_job_waits_for(capsys):
    answer = json_of(capsys, "explain", "five-jobs", "--policy", "fifo", "--job", "J4", "--at", "10")
    maps, reduces = answer["waiting"]
    assert (maps["cause"], maps["pending"], maps["next_start"]) == ("no free slot", 30, 35)
    assert maps["held_by"] == [{"job": "J3", "slots": 30, "idle_fillers": 0}]
    assert reduces["sentences"][0] == "30 reduces of J4 wait for its map stage: 0 of 30 maps complete."
    assert answer["declined"] == []
    text = output_of(capsys, "explain", "five-jobs", "--policy", "fifo", "--job", "J4", "--at", "10")
    assert "30 maps of J4 wait: no map slot is free." in text


def test_a_slot_that_a_policy_of_ones_own_declines(capsys, tmp_path):
    file = tmp_path / "one_each.py"
    file.write_text(
        "from core.policies.policy import Explains, Number, Policy\n"
        "def has(job, kind): return job.running[kind]\n"
        "class OneEach(Policy):\n"
        '    """One slot for each job."""\n'
        "    explains = Explains('One slot for each job.', (Number('has', 'slot', value=has),),\n"
        "                        admits='{name} has {has} already')\n"
        "    def admits(job, kind): return job.running[kind] < 1\n"
    )
    arguments = ("explain", "five-jobs", "--policy-file", str(file), "--job", "J1", "--at", "1")
    (declined,) = json_of(capsys, *arguments)["declined"]
    assert declined["winner"] is None
    assert [candidate["admits"] for candidate in declined["candidates"]] == [False] * 5
    text = output_of(capsys, *arguments)
    assert "M6 stays free at 0:01: One each declines it, although 5 jobs wait for one." in text
    assert "Not admitted: J1; J1 has 1 map slot already." in text
    assert "One each: One slot for each job." in text
    assert "Ahead of" not in text


def test_the_longest_hold_on_the_chain(capsys):
    """AKO lets jobs of a dataset wait for the end of its window."""
    text = output_of(capsys, "explain", "facebook", "--policy", "ako")
    assert "policy hold" in text
    assert "stays free at" in text
    assert "AKO declines it, although" in text


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        (["--task", "J1"], "--task J1: name it as JOB.map.NUMBER or JOB.reduce.NUMBER, counted from 1"),
        (["--task", "J1.maps.1"], "name it as JOB.map.NUMBER"),
        (["--task", "J1.map.-1"], "name it as JOB.map.NUMBER"),
        (["--task", "J1.map.31"], "--task J1.map.31: J1 has maps 1 to 30"),
        (["--task", "J1.map.0"], "--task J1.map.0: J1 has maps 1 to 30"),
        (["--task", "J9.map.1"], "unknown job 'J9'; did you mean 'J"),
        (["--job", "J1"], "--job and --at go together"),
        (["--at", "5"], "--job and --at go together"),
        (["--job", "Jx", "--at", "5"], "unknown job 'Jx'"),
        (["--job", "J1", "--at", "-5"], "--at is -5.0; give a time of 0 s or later"),
        (["--job", "J1", "--at", "nan"], "--at is nan; give a time of 0 s or later"),
        (["--job", "J1", "--at", "5", "--task", "J1.map.1"], "give one of them"),
    ],
)
def test_questions_that_cannot_be_answered(capsys, question, sentence):
    assert sentence in error_of(capsys, "explain", "five-jobs", *question)


def test_against_another_policy(capsys):
    answer = json_of(capsys, "explain", "two-jobs-order", "--policy", "fifo", "--against", "fair")
    asked, found = answer["asked"], answer["differences"]
    assert answer["against"] == asked["policy"] == "fair"
    assert found["differ"] == len(found["list"]) > 0
    assert asked["otherwise"] == len(asked["list"]) > 0
    first = asked["list"][0]
    assert first["would_take"]["job"] == "J2"
    assert first["task"]["job"] == "J1"
    assert first["sentence"] == "Fair (HFS) would have taken J2: 0 < 1"
    text = output_of(capsys, "explain", "two-jobs-order", "--against", "fair")
    assert "Fair (HFS), asked in every state of this run: Fair (HFS) would have decided" in text
    assert "would have taken J2: 0 < 1." in text
    assert "A decision differs when its slot goes to a task" in text


def test_differences_where_nodes_fail_and_why_a_policy_is_not_asked_there(capsys):
    answer = json_of(capsys, "explain", "failed-rack", "--policy", "fifo", "--against", "fair")
    assert answer["differences"]["differ"] == 18
    assert answer["asked"] is None
    text = " ".join(output_of(capsys, "explain", "failed-rack", "--against", "fair").split())
    assert "18 of 39 decisions differ, first at 0:20." in text
    assert "a policy cannot be asked along a run on whose nodes something happens" in text


def test_a_makespan_is_explained_where_nodes_fail(capsys):
    answer = json_of(capsys, "explain", "failed-rack", "--policy", "fair")
    assert answer["causes"]["waiting for a node"] == 5
    assert sum(answer["causes"].values()) == 175
    assert [each["kind"] for each in answer["idle"]] == ["map", "reduce"]


def test_against_goes_with_no_other_question(capsys):
    assert "leave out --task" in error_of(
        capsys, "explain", "five-jobs", "--against", "fair", "--task", "J1.map.1"
    )
