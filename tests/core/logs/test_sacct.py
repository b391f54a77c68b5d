"""What Slurm's sacct prints: steps, arrays, jobs that were requeued, listings without a header."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from core.fidelity.history_schedule import history_schedule
from core.logs.open_log import Imported, open_trace
from core.model.cluster import Cluster
from core.model.errors import TraceError, UnknownFormat
from core.model.task_types import MAP

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def log(data: Path) -> Imported:
    return open_trace([data / "slurm.txt"])


def opened(path: Path, *lines: str, **parameters: object) -> Imported:
    path.write_text("\n".join([*lines, ""]))
    return open_trace([path], parameters=parameters)


def test_jobs_tasks_of_arrays_and_components_are_jobs_and_steps_are_none(log):
    jobs = {job.name: job for job in log.workload.jobs}
    assert {name: job.maps.count for name, job in jobs.items()} == {
        "101": 8, "102_1": 2, "102_2": 2, "103": 4, "105": 4, "107+0": 16, "107+1": 2,
    }  # fmt: skip
    lengths = [float(job.maps.durations[0]) for job in jobs.values()]
    assert lengths == [1200, 600, 0, 90, 300, 90_000, 90_000]
    assert [job.arrival for job in jobs.values()] == [0, 60, 60, 120, 180, 300, 300]
    assert (jobs["103"].user, jobs["103"].pool) == ("mia", "cpu")


def test_a_name_may_hold_the_separator(log):
    recorded = log.workload.recorded
    assert recorded.titles[recorded.jobs.index("103")] == "odd | name"


def test_what_never_ran_is_left_out_and_what_did_not_go_well_is_noted(log):
    assert dict(log.report.jobs_left_out) == {
        "102_[3-9%2]": "no run (still waiting)",
        "104": "no run (cancelled before it began)",
        "106": "no known end (still running)",
    }
    assert {(note.job, note.what) for note in log.report.notes} == {
        ("102_2", "ended as FAILED"),
        ("103", "ended as CANCELLED"),
        ("107+0", "ended as TIMEOUT"),
        ("107+1", "ended as TIMEOUT"),
    }
    assert log.report.damage == ()
    assert log.report.assumptions[0].startswith("1 rows tell a run once more")


def test_the_run_before_a_requeue_failed(log):
    assert log.report.tasks[MAP].attempts == {"succeeded": 38, "failed": 4}
    schedule = history_schedule(log.workload, log.workload.recorded)
    run, before = schedule.record.run, schedule.record.extra
    assert {run.jobs[job] for job in run.job[before]} == {"105"}
    assert set(zip(run.start[before], run.end[before], strict=True)) == {(300, 480)}


def test_columns_may_be_in_any_order_and_end_with_a_separator(tmp_path):
    imported = opened(
        tmp_path / "log",
        "State|ElapsedRaw|AllocTRES|Start|Account|JobIDRaw|",
        "COMPLETED|61|billing=9,cpu=6,mem=4G,node=1|2024-05-01T00:00:00|ml|7|",
        "COMPLETED|61|cpu=6|2024-05-01T00:00:00||7.batch|",
    )
    (job,) = imported.workload.jobs
    assert (job.name, job.maps.count, job.maps.durations.tolist(), job.pool) == ("7", 6, [61], "ml")
    assert imported.report.missing == {"submit times (launch or first start taken)": 1}


def test_nodes_are_slots_where_no_column_has_processors(tmp_path):
    header = "JobID|Start|End|NNodes"
    imported = opened(tmp_path / "log", header, "7|2024-05-01T00:00:00|2024-05-01T00:00:02.500|1.50K")
    assert imported.workload.cluster == Cluster(1536, 0)
    assert imported.workload.jobs[0].maps.durations.tolist() == [2.5]
    assert imported.report.assumptions[0].endswith("a slot stands for a node.")
    bare = opened(tmp_path / "log", "JobID|Start|End", "7|2024-05-01T00:00:00|2024-05-01T00:00:02")
    assert bare.report.notes[0].what == "with unknown processors (1 taken)"


def test_a_damaged_number_of_processors_is_told(tmp_path):
    good = "7|2024-05-01T00:00:00|00:01:00|4"
    damage = opened(tmp_path / "log", "JobID|Start|Elapsed|AllocCPUS", good, good + "x").report.damage
    assert [problem.where for problem in damage] == ["log, line 3"]
    assert "is '4x', which is no whole number" in damage[0].rule


def test_clocks_that_are_put_forward_do_not_lengthen_a_run(tmp_path):
    header = "JobID|Start|End|Elapsed|NCPUS"
    imported = opened(tmp_path / "log", header, "7|2024-03-31T01:30:00|2024-03-31T03:30:00|01:00:00|1")
    assert imported.workload.jobs[0].maps.durations.tolist() == [3600]
    assert imported.report.recorded_makespan == 3600


def test_times_may_be_seconds_of_1970_or_have_a_zone(tmp_path):
    header = "JobID|Submit|Start|End|NCPUS"
    lines = (header, "7|1714521600|2024-05-01T02:00:10+02:00|1714521615|1")
    imported = opened(tmp_path / "log", *lines)
    assert imported.report.started == 1_714_521_600_000
    assert imported.workload.recorded.start.tolist() == [10]
    assert imported.workload.recorded.end.tolist() == [15]


def test_listings_that_overlap_are_joined(tmp_path):
    """A job that runs over midnight is in the listings of both days, first without an end."""
    header = "JobID|State|Start|End|AllocCPUS"
    first = "7|RUNNING|2024-05-01T23:00:00|Unknown|3"
    (tmp_path / "monday").write_text(f"{header}\n6|PENDING|Unknown|Unknown|0\n{first}\n")
    second = "7|COMPLETED|2024-05-01T23:00:00|2024-05-02T01:00:00|3"
    six = "6|COMPLETED|2024-05-02T02:00:00|2024-05-02T02:00:01|1"
    (tmp_path / "tuesday").write_text(f"{header}\n{second}\n{header}\n{six}\n")
    imported = open_trace([tmp_path])
    jobs = {job.name: job.maps.task_durations.tolist() for job in imported.workload.jobs}
    assert jobs == {"6": [1], "7": [7200] * 3}
    assert imported.report.jobs_left_out == ()


def test_clusters_have_jobs_of_the_same_number(tmp_path):
    header = "Cluster|JobID|Start|Elapsed"
    rows = [f"{cluster}|7|2024-05-01T00:00:00|00:00:0{cluster[-1]}" for cluster in ("c1", "c2")]
    jobs = opened(tmp_path / "log", header, *rows).workload.jobs
    assert [job.name for job in jobs] == ["c1 7", "c2 7"]


def test_bad_rows_are_named_and_left_out(tmp_path):
    good = "8|2024-05-01T00:00:00|2024-05-01T00:00:09|00:00:09"
    bad = {
        "8|2024-05-01T00:00:00|2024-05-01T00:00:09": "it has 3 cells and the header 4; it is left out",
        good + "|": "it has 5 cells and the header 4",
        "eight" + good[1:]: "JobID is 'eight', which is none",
        good.replace("T", " at "): "Start is '2024-05-01 at 00:00:00', which is no time",
        good.replace("|00:00:09", "|9 s"): "Elapsed is '9 s', which is no run time",
        good[:-8] + "\N{SUPERSCRIPT NINE}": "Elapsed is '\N{SUPERSCRIPT NINE}', which is no run time",
        good.replace("|00:00:09", "|99999999999"): "Elapsed is '99999999999', which is no run time",
        "8|2024-05-01T00:00:09|2024-05-01T00:00:00|": "it ends before it starts",
    }
    report = opened(tmp_path / "log", "JobID|Start|End|Elapsed", *bad, good).report
    assert [problem.where for problem in report.damage] == [f"log, line {n}" for n in range(2, 10)]
    for problem, rule in zip(report.damage, bad.values(), strict=True):
        assert problem.rule.startswith(rule)
    assert report.jobs_kept == 1


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "JobID|State|Elapsed\n7|COMPLETED|00:01:00\n",
            "without a column Start no run is known; write the log",
        ),
        ("JobID|Start|NCPUS\n7|2024-05-01T00:00:00|2\n", "without a column End or Elapsed no run is known"),
        ("7|train|COMPLETED|2024-05-01T00:00:00|2024-05-01T00:01:00\n", "without their header, which names"),
        ("JobID      Elapsed\n---------- -------\n7   00:00:01\n", "for people; write it with --parsable2"),
    ],
)
def test_what_cannot_be_understood_says_what_to_do(tmp_path, text, sentence):
    with pytest.raises((TraceError, UnknownFormat), match=sentence):
        opened(tmp_path / "log", text)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_generated_log_against_an_independent_count(tmp_path, seed):
    """Rows and columns in any order, steps of every job; the jobs are counted as they are drawn."""
    drawn = random.Random(seed)
    began = datetime(2024, 5, 1, tzinfo=UTC)
    columns = ["JobID", "User", "Partition", "State", "Submit", "Start", "End", "Elapsed", "AllocCPUS"]
    drawn.shuffle(columns)
    rows, kept, noted = [], {}, 0

    def row(name: str, state: str, submit: int, start: int | None, run: int, processors: int) -> None:
        ends = "Unknown" if start is None else _iso(began, start + run)
        cells = {"JobID": name, "State": state, "AllocCPUS": str(processors), "User": "u", "Partition": "p"}
        cells |= {"Submit": _iso(began, submit), "Start": "None" if start is None else _iso(began, start)}
        days, hours = divmod(run, 86_400)
        clock = f"{hours // 3600:02}:{hours // 60 % 60:02}:{hours % 60:02}"
        cells |= {"End": ends, "Elapsed": f"{days}-{clock}" if days else clock}
        rows.append("|".join(cells[column] for column in columns))

    for number in range(80):
        name = drawn.choice([f"{number}", f"{number}_{number}", f"{number}+0"])
        submit, wait, run = (
            drawn.randint(0, 9999),
            drawn.randint(0, 999),
            drawn.choice([1, 60, 5000, 200_000]),
        )
        state = drawn.choice(["COMPLETED", "COMPLETED", "FAILED", "CANCELLED by 7", "never"])
        if state == "never":
            row(name, "CANCELLED by 7", submit, None, 0, 0)
            continue
        processors = drawn.randint(1, 40)
        row(name, state, submit, submit + wait, run, processors)
        for step in ("batch", "extern", "0"):
            row(f"{name}.{step}", "COMPLETED", submit, submit + wait, run, processors)
        kept[name] = (submit, submit + wait, submit + wait + run, processors)
        noted += state != "COMPLETED"
    drawn.shuffle(rows)
    imported = opened(tmp_path / "log", "|".join(columns), *rows)
    first = min(submit for submit, *_ in kept.values())
    assert imported.report.jobs_kept == len(kept)
    assert len(imported.report.jobs_left_out) == 80 - len(kept)
    assert len(imported.report.notes) == noted
    moments = {start for _, start, _, _ in kept.values()}
    busy = [sum(width for _, start, end, width in kept.values() if start <= t < end) for t in moments]
    assert imported.report.peaks == (max(busy), 0)
    assert imported.workload.cluster == Cluster(max(busy), 0)
    schedule = history_schedule(imported.workload, imported.workload.recorded)  # type: ignore[arg-type]
    for index, job in enumerate(imported.workload.jobs):
        submit, start, end, processors = kept[job.name]
        mine = schedule.workload.columns.job == index
        assert (job.arrival, job.maps.count) == (submit - first, processors)
        spans = set(zip(schedule.start[mine], schedule.end[mine], strict=True))
        assert spans == {(start - first, end - first)}


def _iso(began: datetime, seconds: int) -> str:
    return (began + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S")


# ---- texts of users, with bars and line breaks

WRAPPED = (
    "sbatch run.sh",
    "sbatch --wrap=cat a | sort | uniq",
    "sbatch --wrap=for i in 1 2\ndo\n echo $i | wc\ndone",
    "sbatch --wrap=a\n\nb | c\n|d|",
)
ALL = [
    *("Account", "AdminComment", "AllocCPUS", "AllocTRES", "Cluster", "Comment", "CPUTimeRAW", "Elapsed"),
    *("Eligible", "End", "ExitCode", "JobID", "JobIDRaw", "JobName", "NNodes", "Partition", "Start", "State"),
    *("Submit", "SubmitLine", "User", "WorkDir"),
]
"""Nearly what --format=ALL prints."""


def listed(number: int, draw: random.Random) -> tuple[list[str], tuple[str, int, float]]:
    """Return the rows of a job with all columns, a step behind it, and what is to be read."""
    submit = datetime(2024, 5, 1) + timedelta(minutes=number)
    start, seconds = submit + timedelta(seconds=draw.randint(0, 300)), draw.randint(1, 5000)
    processors = draw.choice([1, 2, 8])
    name = str(100 + number)
    known = {
        "Account": "ml",
        "AllocCPUS": processors,
        "AllocTRES": f"cpu={processors},mem=4G",
        "Cluster": "c1",
        "Comment": draw.choice(["", "ok", "a|b"]),
        "CPUTimeRAW": seconds * processors,
        "Elapsed": str(timedelta(seconds=seconds)).zfill(8),
        "Eligible": submit.isoformat(),
        "End": (start + timedelta(seconds=seconds)).isoformat(),
        "ExitCode": "0:0",
        "JobName": draw.choice(["job", "odd | name"]),
        "NNodes": 1,
        "Partition": "cpu",
        "Start": start.isoformat(),
        "State": "COMPLETED",
        "Submit": submit.isoformat(),
        "SubmitLine": draw.choice(WRAPPED),
        "User": "ann",
        "WorkDir": "/home/ann",
    }
    rows = [
        "|".join(
            str((known | {"JobID": f"{name}{step}", "JobIDRaw": f"{name}{step}"}).get(each, ""))
            for each in ALL
        )
        for step in ("", ".batch")
    ]
    return rows, (name, processors, float(seconds))


@pytest.mark.parametrize("seed", range(8))
def test_all_columns_are_read_whatever_users_typed(tmp_path, seed):
    draw = random.Random(seed)
    made = [listed(number, draw) for number in range(30)]
    imported = opened(tmp_path / "log", "|".join(ALL), *(row for rows, _ in made for row in rows))
    assert imported.report.damage == ()
    jobs = [
        (job.name.split()[-1], job.maps.count, float(job.maps.durations[0])) for job in imported.workload.jobs
    ]
    assert jobs == [wanted for _, wanted in made]


def test_a_row_that_is_cut_short_costs_no_other(tmp_path):
    header = "JobID|JobName|Start|Elapsed|State|AllocCPUS"
    rows = [f"{number}|odd | name|2024-05-01T00:00:00|00:01:00|COMPLETED|2" for number in (7, 8, 9)]
    imported = opened(tmp_path / "log", header, rows[0], rows[1][:30], rows[2])
    assert [job.name for job in imported.workload.jobs] == ["7", "9"]
    (problem,) = imported.report.damage
    assert problem.where.endswith("line 3")
    assert problem.rule == "it has 4 cells and the header 6; it is left out"


# ---- sacct --json


def of_json(number: int, **other: object) -> dict[str, object]:
    return {
        "job_id": number,
        "name": "train",
        "association": {"user": "ann"},
        "partition": "gpu",
        "state": {"current": ["COMPLETED"], "reason": "None"},
        "time": {"submission": 1714500000, "start": 1714500060, "end": 1714500160, "elapsed": 100},
        "tres": {"allocated": [{"type": "mem", "count": 4}, {"type": "cpu", "count": 6}]},
        "required": {"CPUs": 9},
        "steps": [{"step": {"id": f"{number}.batch"}}],
        **other,
    }


def json_log(path: Path, *jobs: object) -> Imported:
    path.write_text(json.dumps({"jobs": list(jobs), "meta": {"Slurm": {"release": "23.11"}}}, indent=1))
    return open_trace([path])


def test_json_is_read_as_its_rows_are(tmp_path):
    times = {"submission": 1714500000, "start": 1714500060, "end": 1714500160}
    imported = json_log(
        tmp_path / "log.json",
        of_json(7),
        of_json(8, array={"job_id": 8, "task_id": {"set": True, "infinite": False, "number": 3}}),
        of_json(9, het={"job_id": 9, "job_offset": {"set": True, "number": 1}}),
        of_json(10, array={"job_id": 0, "task_id": {"set": False, "number": 0}}, state="FAILED"),
        of_json(11, time=times, tres={}, required={"CPUs": {"set": True, "number": 2}}),
        of_json(12, time={"submission": 1714500000, "start": 0, "end": 0}, state={"current": ["PENDING"]}),
    )
    assert imported.report.format == "Slurm's sacct --json"
    jobs = {job.name: (job.maps.count, float(job.maps.durations[0])) for job in imported.workload.jobs}
    assert jobs == {"7": (6, 100), "8_3": (6, 100), "9+1": (6, 100), "10": (6, 100), "11": (2, 100)}
    assert dict(imported.report.jobs_left_out) == {"12": "no run (still waiting)"}
    (first, *_) = imported.workload.jobs
    assert (first.user, first.pool) == ("ann", "gpu")


def test_a_job_in_json_that_is_none_is_named(tmp_path):
    imported = json_log(tmp_path / "log.json", of_json(7), of_json(8, job_id=None))
    assert [job.name for job in imported.workload.jobs] == ["7"]
    (problem,) = imported.report.damage
    assert problem.where == "log.json, job 2 of the list"
    assert problem.rule == "JobID is '', which is none; it is left out"


def test_steps_without_the_row_of_their_job_are_said(tmp_path):
    head = "Cluster|JobID|JobName|Submit|Start|End|Elapsed|State|AllocCPUS"
    when = "2024-05-01T00:00:00|2024-05-01T00:00:10|2024-05-01T00:01:10|00:01:00|COMPLETED|2"
    rows = [f"a|{name}|x|{when}" for name in ("7.batch", "7", "7.0", "10.0", "10.1", "9_3.0", "11.0", "12.0")]
    found = opened(tmp_path / "dump", head, *rows, f"b|7.0|x|{when}", f"a|12|x|{when}", f"a|8.0|x|y {when}")
    assert [job.name for job in found.workload.jobs] == ["a 7", "a 12"]
    (problem,) = found.report.damage
    assert problem.where == "dump, jobs a 8, a 9_3, a 10 and 2 more"
    assert "only their steps are listed (6), not when they came" in problem.rule
    assert problem.rule in found.workload.cut
