from __future__ import annotations

from dataclasses import replace

import pytest

from core.logs.open_log import open_trace
from core.logs.report import Clamped
from core.logs.report_line import line_of, short_line_of
from tests.paths import DATA, TRACES, real_logs


@pytest.fixture(scope="module")
def clean():
    report = open_trace([DATA / "jhist-2.7.jhist"]).report
    maps, reduces = (replace(each, left_out={}) for each in report.tasks)
    report = replace(report, tasks=(maps, reduces), jobs_left_out=(), clamped={}, missing={})
    return replace(report, damage_count=0, repeated_names=0)


def test_what_is_whole_is_said_to_be_so(clean):
    tasks = sum(each.kept for each in clean.tasks)
    assert tasks > 1
    assert line_of(clean, 0.42) == f"Read 1 job, {tasks} tasks in 0.42 s, nothing left out."
    assert line_of(replace(clean, jobs_kept=3), 75.0).startswith("Read 3 jobs, ")
    assert short_line_of(clean) == "1 job read"
    assert short_line_of(replace(clean, jobs_kept=3)) == "3 jobs read"


def test_one_problem_is_said_with_its_reason(clean):
    some = replace(clean, jobs_kept=18, jobs_left_out=(("a", "no task of it succeeded"),))
    assert line_of(some, 1.0).endswith("in 1 s; 1 job left out: no task of it succeeded.")
    assert line_of(some, 1.0).startswith("Read 18 of 19 jobs, ")
    assert short_line_of(some) == "18 of 19 jobs read"


def test_several_are_counted_one_or_many(clean):
    left_out = (("a", "no task of it succeeded"), ("b", "killed"))
    some = replace(
        clean,
        jobs_left_out=left_out,
        clamped={"of maps": Clamped(100, 3.0, 1.0), "of shuffles": Clamped(8, 1.0, 1.0)},
        missing={"ends": 1},
        damage_count=2,
        tasks=(replace(clean.tasks[0], left_out={"killed": 4}), clean.tasks[1]),
        repeated_names=1,
    )
    assert line_of(some, 1.0).split("; ", 1)[1] == (
        "2 jobs left out: 1 no task of it succeeded, 1 killed; 4 tasks left out: killed; "
        "2 places could not be read; 108 times below 0; 1 time missing; 1 name made unique."
    )


def test_maps_and_reduces_left_out_for_one_reason_are_counted_together(clean):
    maps, reduces = clean.tasks
    tasks = (
        replace(maps, left_out={"failed": 5, "never ran": 1, "killed": 2}),
        replace(reduces, left_out={"killed": 6, "lost": 1, "unreadable": 1}),
    )
    assert line_of(replace(clean, tasks=tasks), 1.0).split("; ", 1)[1] == (
        "16 tasks left out: 8 killed, 5 failed, 1 never ran, 2 for other reasons."
    )


@pytest.mark.parametrize("name", real_logs("hadoop-mapreduce/19-jobs.trace.json.gz"))
def test_a_real_log_says_what_it_lacks_and_why(name):
    report = open_trace([TRACES / name]).report
    assert line_of(report, 1.0) == (
        "Read 18 of 19 jobs, 8404 tasks in 1 s; 1 job left out: no usable task (465 killed, 35 failed); "
        "3425 tasks left out: 2384 failed, 886 killed, 155 never ran; 108 times below 0; 6 times missing."
    )
