"""Plain tables of task attempts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.fidelity.history_schedule import history_schedule
from core.files.samples import load_sample
from core.files.schedule_file import job_table, task_table, write_csv
from core.logs import byte_source
from core.logs.assemble import ImportedJobs, assemble
from core.logs.byte_source import ByteSource
from core.logs.job_batch import JobBatch
from core.logs.job_profile import profile
from core.logs.logged_job import Attempt, LoggedJob, LoggedTask
from core.logs.open_log import Imported, open_trace
from core.logs.table_cells import date_of
from core.logs.task_table import READER
from core.model.cluster import Cluster
from core.model.errors import InputError, Problem, UnknownFormat, UnknownTable
from core.model.job import Job
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.task_types import MAP, REDUCE
from core.model.workload import Workload
from core.simulation.simulate import simulate
from tests.random_tests import examples

if TYPE_CHECKING:
    from pathlib import Path

    from core.model.parameters import ParameterValue
    from core.model.task_types import Result


@pytest.fixture
def log(data: Path) -> Imported:
    return open_trace([data / "tasks.csv"])


def opened(path: Path, text: str, **parameters: object) -> Imported:
    path.write_text(text)
    return open_trace([path], parameters=parameters)


def test_rows_of_one_task_are_attempts_at_it(log):
    first, second = log.workload.jobs
    assert first.maps.durations == pytest.approx([4, 4])
    assert second.maps.durations == pytest.approx([3])  # rounded to the millisecond
    assert log.report.tasks[MAP].attempts == {"succeeded": 3, "failed": 1, "killed": 1}
    assert log.report.tasks[MAP].left_out == {"killed": 1}
    assert log.report.other_tasks == {"SETUP": 1}


def test_a_shuffle_ends_with_its_sort_where_nothing_is_said_of_one(log):
    reduces = log.workload.jobs[0].reduces
    assert reduces.first_shuffle == pytest.approx([1.5])
    assert reduces.typical_shuffle == pytest.approx([2.25])
    assert reduces.durations == pytest.approx([2.5, 1.75])
    assert log.report.missing == {"ends of attempts": 1}


def test_jobs_keep_what_the_table_says_of_them(log):
    assert [(job.name, job.user, job.pool, job.arrival) for job in log.workload.jobs] == [
        ("first", "mia", "default", 0),
        ("second, larger", "noa", "research", 3),
    ]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_only_four_columns_are_needed(tmp_path, delimiter):
    rows = [("Kind", "JOB", "end", "start"), ("map", "a", 3, 1), ("map", "a", 4, 2), ("reduce", "a", 9, 4)]
    text = "\n".join(delimiter.join(map(str, row)) for row in rows)
    (job,) = opened(tmp_path / "log", "\ufeff" + text).workload.jobs
    assert job.maps.durations == pytest.approx([2, 2])
    assert job.reduces.durations == pytest.approx([5])


def test_without_a_column_of_hosts_they_are_not_known(tmp_path):
    recorded = opened(tmp_path / "log", "job,kind,start,end\na,map,1,2\n").workload.recorded
    assert (recorded.hosts, recorded.host.tolist()) == ((), [-1])


def test_times_may_be_milliseconds(tmp_path):
    text = "job,kind,start,end\na,map,1700000000000,1700000002500\n"
    (job,) = opened(tmp_path / "log", text, columns="unit=ms").workload.jobs
    assert job.maps.durations == pytest.approx([2.5])
    with pytest.raises(InputError, match="unit is 'h'; choose one of s, ms, us, ns, date"):
        opened(tmp_path / "log", text, columns="unit=h")
    with pytest.raises(UnknownTable, match="unit=ms"):  # as seconds they would be of the year 53 000 000
        opened(tmp_path / "log", text)


@pytest.mark.parametrize(
    ("header", "example"),
    [
        ("job,type,begin,end", "job=job,start=begin,end=end,kind=type,unit=s"),
        ("job,kind,starts,end", "job=job,start=starts,end=end,kind=kind,unit=s"),
        (
            "Job ID,Task Type,Start Time,Finish Time",
            "'job=Job ID,start=Start Time,end=Finish Time,",
        ),
    ],
)
def test_a_table_without_the_documented_names_is_refused_with_what_to_type(tmp_path, header, example):
    with pytest.raises(UnknownTable) as caught:
        opened(tmp_path / "log", header + "\na,map,1,2\n")
    assert f"with the columns {', '.join(header.split(','))}. If each row is a task" in str(caught.value)
    assert f"--columns {example}" in str(caught.value)


def test_where_a_needed_column_cannot_be_guessed_no_example_is_printed(tmp_path):
    with pytest.raises(UnknownTable) as caught:  # no time stands below start
        opened(tmp_path / "log", "job,start,end,duration\na,map,1,2\n")
    assert "nothing looks like start (when the task began to run), beside job=job, end=end" in str(
        caught.value
    )


def test_slips_in_columns_that_are_not_needed_are_told(tmp_path):
    report = opened(tmp_path / "log", "job,kind,start,end,hots,note\na,map,1,2,h,x\n").report
    assert "call 'hots' 'host'" in report.damage[0].rule
    assert (report.jobs_kept, report.damage_count) == (1, 1)


def test_bad_rows_are_named_and_left_out(tmp_path):
    rows = [
        "a,map,1,2,succeeded",
        "a,map,1",
        "a,map,x,2,",
        "a,map,-2,2,",
        "a,map,1,1e300,",
        "a,map,1,2,perhaps",
        ",map,1,2,",
        '"a,map,1,2,',
        "",
        "a,map,2,3,",
    ]
    report = opened(tmp_path / "log", "job,kind,start,end,outcome\n" + "\n".join(rows)).report
    assert report.tasks[MAP].kept == 2
    assert [problem.where for problem in report.damage] == [f"log, line {n}" for n in range(3, 10)]


def test_what_slotscope_writes_can_be_read_again(tmp_path):
    workload = load_sample("five-jobs")
    schedule = simulate(workload, Cluster(7, 5, 1.0), PolicyChoice("fifo"))
    write_csv(task_table(schedule), tmp_path / "tasks.csv")
    again = open_trace([tmp_path / "tasks.csv"])
    assert again.report.damage == ()
    for job in workload.jobs:
        read = again.workload.jobs[again.workload.job_index[job.name]]
        assert (read.maps.count, read.reduces.count) == (job.maps.count, job.reduces.count)
        assert np.allclose(read.maps.durations, job.maps.task_durations, atol=0.001)
        assert np.allclose(read.reduces.durations, job.reduces.task_durations, atol=0.001)
    assert again.report.peaks == (7, 5)
    packed = history_schedule(again.workload, again.workload.recorded)  # type: ignore[arg-type]
    mine, theirs = workload.columns, again.workload.columns
    for place, name in enumerate(each.name for each in workload.jobs):
        other = again.workload.job_index[name]
        assert packed.slot[theirs.job == other].tolist() == schedule.slot[mine.job == place].tolist()
        assert np.allclose(packed.end[theirs.job == other], schedule.end[mine.job == place], atol=0.001)


def test_names_that_a_spreadsheet_would_take_for_formulas_come_back(tmp_path):
    names = ("=HYPERLINK(1)", "-2+3", "@all", "+1", "-5", "'=quoted", "'plain", "\U0001f9ea")
    jobs = [Job(name, Stage.of(1, 2.0), user=name, pool=name) for name in names]
    workload = Workload("formulas", tuple(jobs), Cluster(8, 1))
    schedule = simulate(workload, workload.cluster, PolicyChoice("fifo"))
    table = task_table(schedule)
    write_csv(table, tmp_path / "tasks.csv")
    text = (tmp_path / "tasks.csv").read_text(encoding="utf-8")
    assert [line.split(",", 1)[0] for line in text.splitlines()[1:]] == [
        "'=HYPERLINK(1)",
        "'-2+3",
        "'@all",
        "+1",
        "-5",
        "''=quoted",
        "'plain",
        "\U0001f9ea",
    ]
    assert list(table["job"]) == list(names), "the table itself is as it was"
    assert [job.name for job in open_trace([tmp_path / "tasks.csv"]).workload.jobs] == list(names)


def test_other_tables_are_not_taken_for_tasks(tmp_path):
    write_csv(
        job_table(simulate(load_sample("five-jobs"), Cluster(), PolicyChoice("fifo"))), tmp_path / "jobs"
    )
    with pytest.raises(UnknownTable, match="with the columns job, pool, user"):
        open_trace([tmp_path / "jobs"])
    with pytest.raises(UnknownFormat, match="a table separated by commas"):
        opened(tmp_path / "log", "name,size,start\na,1,2\n")


def test_jobs_that_went_well_share_what_is_said_of_them(tmp_path):
    """A table may have hundreds of thousands of them: what is alike, or empty, is kept once."""
    path = tmp_path / "tasks.csv"
    rows = [f"J{i},map,0,{i},{i + 5},{i}" for i in range(4)] + ["J3,reduce,0,9,12,3"]
    path.write_text("\n".join(["job,kind,task,start,end,submit", *rows]), encoding="utf-8")
    (batch,) = READER.read([ByteSource(path)], {"columns": "unit=s"})
    assert isinstance(batch, JobBatch)
    first, *others, last = batch.accounts
    assert all(account is first for account in others)
    assert len({id(job.reduces) for job in batch.jobs[:3] if job}) == 1
    assert last.tasks[REDUCE].kept == 1


def test_stages_of_a_table_are_read_only(log, tmp_path):
    rows = [f"J{i},{kind},{9 * i},{9 * i + 5}" for i in range(3) for kind in ("map", "reduce")[: i + 1]]
    for imported in (log, opened(tmp_path / "log", "\n".join(["job,kind,start,end", *rows, rows[-1]]))):
        for job in imported.workload.jobs:
            for stage in (job.maps, job.reduces):
                for samples in (stage.durations, stage.first_shuffle, stage.typical_shuffle):
                    assert not samples.flags.writeable


def test_a_table_of_which_some_rows_are_bad_is_read_to_its_end(tmp_path):
    rows = ["a,map,1,2" if i % 3 else "a,map,x,2" for i in range(4000)]
    report = opened(tmp_path / "log", "\n".join(["job,kind,start,end", *rows, "b,map,1,2"])).report
    assert (report.damage_count, report.tasks[MAP].kept) == (1334, 2667)
    report = opened(tmp_path / "log", "\n".join(["job,kind,start,end", "b,map,1,2", *rows[:1] * 4000])).report
    assert report.damage_count == 1001


def test_a_time_that_is_too_large_for_a_number_is_told(tmp_path):
    damage = opened(tmp_path / "log", "job,kind,start,end\na,map,1,2\na,map,1,1e308\n").report.damage
    assert [problem.where for problem in damage] == ["log, line 3"]
    assert "end is '1e308', which in s is thousands of years" in damage[0].rule


TIMES = st.integers(0, 40)
ROWS = st.lists(
    st.tuples(
        st.sampled_from("ABC"),
        st.sampled_from(["map"] * 6 + ["reduce"] * 3 + ["SETUP"]),
        st.integers(0, 30),  # few tasks have two attempts, so that most jobs go well
        st.none() | TIMES,
        st.none() | TIMES,
        st.sampled_from(["succeeded"] * 12 + ["failed", "killed"]),
        st.sampled_from(["", "node1", "node2"]),
        st.none() | TIMES,
        st.none() | TIMES,
        st.none() | TIMES,
    ),
    min_size=1,
    max_size=12,
)


@settings(examples(30), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(ROWS, st.booleans())
def test_columns_give_what_tasks_one_by_one_give(tmp_path, rows, have_times):
    """Jobs of which all tasks went well are computed without their tasks: they come out the same."""
    if have_times:
        rows = [(*row[:3], row[3] or 0, row[4] or 50, *row[5:]) for row in rows]
    rows.append(("D", "map", 0, 1, 2, "succeeded", "", None, None, None))  # a workload needs a job
    names = ("job", "kind", "task", "start", "end", "outcome", "host", "shuffle_end", "sort_end", "submit")
    text = "\n".join(",".join("" if cell is None else str(cell) for cell in row) for row in (names, *rows))
    path = tmp_path / "log"
    path.write_text(text, encoding="utf-8")
    values: dict[str, ParameterValue] = {"columns": "unit=ms", "tasks_per_slot": 0}
    slow = ImportedJobs(
        "log", (READER,), values, ("log",), profiles=[profile(job) for job in logged_jobs(rows)]
    )
    workload, report = assemble(slow)
    imported = open_trace([path], parameters=values)
    assert imported.workload == workload
    assert imported.report == report


def logged_jobs(rows):
    """Yield the jobs of a table, built object by object."""
    for name in dict.fromkeys(row[0] for row in rows):
        tasks: dict[tuple[str, int], list[Attempt]] = {}
        submits = [row[9] for row in rows if row[0] == name and row[9] is not None]
        for job, kind, task, start, end, outcome, host, shuffle_end, sort_end, _ in rows:
            if job == name:
                result: Result = "unfinished" if end is None and outcome == "succeeded" else outcome
                attempt = Attempt(result, start, end, shuffle_end, sort_end, host)
                tasks.setdefault((kind, task), []).append(attempt)
        logged = [LoggedTask(str(number), tuple(tasks[kind, number]), kind) for kind, number in sorted(tasks)]
        maps, reduces, others = (
            tuple(task for task in logged if task.type == kind) for kind in ("map", "reduce", "SETUP")
        )
        yield LoggedJob(name, submit=next(iter(submits), None), tasks=(maps, reduces), others=others)


SOUND_ROWS = ("a,map,1,2", "b,map,2,4", '"b",map,3,4', "")
BAD_ROWS = ("a,map,x,2", ",map,1,2", "a,map", '"b,map,3,4')


@settings(examples(30), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(st.sampled_from([*SOUND_ROWS, *BAD_ROWS]), max_size=15))
def test_rows_taken_together_and_one_by_one_are_alike(tmp_path, rows):
    path = tmp_path / "log"
    path.write_text("\n".join(["job,kind,start,end", *rows]), encoding="utf-8")
    together = list(READER.read([ByteSource(path)], {"columns": "unit=s"}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.logs.byte_source.LINES_AT_ONCE", 1)
        one_by_one = list(READER.read([ByteSource(path)], {"columns": "unit=s"}))
    found = [
        [item if isinstance(item, Problem) else (item.names, item.jobs) for item in items]
        for items in (together, one_by_one)
    ]
    assert found[0] == found[1]
    bad = [number for number, row in enumerate(rows, 2) if row in BAD_ROWS]
    assert [item.where for item in together if isinstance(item, Problem)] == [
        f"line {number}" for number in bad
    ]


@pytest.mark.parametrize("columns", ["job=#1,start=b,end=e", "job=job name,start=B,end=E"])
def test_columns_of_json_lines_have_numbers_and_other_spellings(tmp_path, columns):
    lines = [f'{{" Job_Name": "J{i}", "b": {i}, "e": {i + 5}}}' for i in range(3)]
    jobs = opened(tmp_path / "log", "\n".join([*lines, ""]), columns=columns).workload.jobs
    assert [(job.name, float(job.maps.durations[0])) for job in jobs] == [("J0", 5), ("J1", 5), ("J2", 5)]


def test_a_job_submitted_after_its_end_ran_for_no_time(tmp_path):
    report = opened(tmp_path / "log", "job,kind,start,end,submit\nA,map,5,9,20\n").report
    assert report.recorded_makespan == 0


def test_a_row_that_is_too_long_is_left_out(tmp_path, monkeypatch):
    monkeypatch.setattr("core.logs.table_lines.MAX_ROW", 60)
    imported = opened(
        tmp_path / "t.csv", "job,kind,start,end\na,map,0,1\na,map,0,1" + "," * 60 + "\nb,map,0,2\n"
    )
    assert [problem.rule for problem in imported.report.damage] == [
        "it is longer than 60 characters; the row is left out"
    ]
    assert len(imported.workload.jobs) == 2


@pytest.mark.parametrize(
    ("cell", "iso"),
    [
        ("5/31/2024 11:59 PM", "2024-05-31T23:59:00"),
        ("05/31/2024 12:05:09 AM", "2024-05-31T00:05:09"),
        ("12/1/2024, 12:00 p.m.", "2024-12-01T12:00:00"),
    ],
)
def test_a_date_with_am_or_pm_begins_with_the_month(cell: str, iso: str) -> None:
    assert date_of(cell) == date_of(iso)


@pytest.mark.parametrize(
    "cell", ["31/5/2024 11:59 PM", "5/31/2024 13:00 PM", "5/31/2024 0:10 AM", "5/6/2024 11:59"]
)
def test_a_date_that_no_calendar_has_or_that_may_be_two_is_refused(cell: str) -> None:
    with pytest.raises(ValueError, match=r"\d"):
        date_of(cell)


@pytest.mark.parametrize(
    ("others", "says"), [(["2;3"], ""), (["2,5;3"], "'2,5'"), (["1.000.000;3"], "'1.000.000'")]
)
def test_a_point_that_may_stand_between_thousands_is_said(tmp_path, monkeypatch, others, says):
    """Also where where the row with the point is far from the one that makes it doubtful."""
    for size in ("BLOCK_BYTES", "PACKED_BYTES"):
        monkeypatch.setattr(byte_source, size, 1 << 8)
    plain = [f"J{i};map;{i}.5;{i + 1}.5" for i in range(40)]
    rows = [*plain, "K;map;1.000;2.000", *(row.replace("J", "L") for row in plain), f"M;map;{others[0]}"]
    path = tmp_path / "a.csv"
    path.write_text("\n".join(["job;kind;start;end", *rows, ""]))
    imported = open_trace([path])
    (job,) = (each for each in imported.workload.jobs if each.name == "K")
    assert job.maps.durations.tolist() == [1.0]
    said = [each for each in imported.report.assumptions if "between thousands" in each]
    assert len(said) == bool(says)
    assert all(says in each and "the point in 1.000 may" in each for each in said)
