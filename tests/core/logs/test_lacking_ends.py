"""Attempts and jobs that have no end in their log: counted, named, and kept as far as they went."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from core.fidelity.fidelity import check_fidelity
from core.fidelity.fidelity_report import sentences
from core.logs.open_log import Imported, open_trace
from core.model.recorded_run import lacking_ends

if TYPE_CHECKING:
    from pathlib import Path

    from core.model.recorded_run import RecordedRun

TABLE = """job,kind,task,start,end,submit
half,map,m1,0,10,0
half,map,m2,0,,0
half,reduce,r1,10,20,0
no reduce,map,m1,5,15,5
no reduce,reduce,r1,15,,5
nothing,map,m1,5,,5
whole,map,m1,7,9,7
"""


@pytest.fixture
def log(tmp_path: Path) -> Imported:
    (tmp_path / "table.csv").write_text(TABLE)
    return open_trace([tmp_path / "table.csv"])


def recorded(log: Path) -> RecordedRun:
    run = open_trace([log]).workload.recorded
    assert run is not None
    return run


def test_jobs_are_over_with_their_last_task_where_the_log_has_no_end(log):
    run = log.workload.recorded
    finish = dict(zip(run.jobs, run.finish.tolist(), strict=True))
    assert finish == {
        "half": 20,
        "no reduce": 15,
        "nothing": pytest.approx(float("nan"), nan_ok=True),
        "whole": 9,
    }
    assert log.report.recorded_makespan == 20
    assert "The log has no end of 3 jobs: a job is over with its last task." in log.report.assumptions


def test_the_report_counts_the_ends_that_are_lacking(log):
    assert log.report.missing["ends of attempts"] == 3
    assert "starts of attempts" not in log.report.missing
    assert "3 missing: ends of attempts: half, no reduce, nothing" in log.report.to_text()


def test_a_job_with_an_attempt_without_end_is_compared_all_the_same(log):
    checked = check_fidelity(log.workload)
    assert checked.plain.jobs == ("half", "no reduce", "whole")
    assert set(lacking_ends(log.workload.recorded)) < set(sentences(checked))
    assert checked.plain.recorded == pytest.approx([20, 10, 2])


def test_what_has_no_end_is_named(log):
    assert lacking_ends(log.workload.recorded) == (
        "2 attempts have no end in the log, of 2 jobs (half, no reduce): only tasks that ended are compared.",
        "Left out, as no task of them succeeded: 1 job (nothing).",
    )


def test_only_the_first_jobs_are_named(tmp_path):
    rows = [f"job {i},map,m1,{i},,{i}\n" for i in range(5)]
    (tmp_path / "table.csv").write_text(TABLE + "".join(rows))
    *_, left_out = lacking_ends(recorded(tmp_path / "table.csv"))
    assert left_out == "Left out, as no task of them succeeded: 6 jobs (job 0, job 1, job 2 and 3 more)."


def test_a_document_that_does_not_know_when_a_job_was_done_says_so(log):
    """Documents that were imported before the last task counted as the end."""
    run = log.workload.recorded
    finish = np.where(np.array(run.jobs) == "whole", np.nan, run.finish)
    workload = replace(log.workload, recorded=replace(run, finish=finish))
    checked = check_fidelity(workload)
    assert checked.plain.jobs == ("half", "no reduce")
    assert "Left out, as it is not recorded when they were done: 1 job (whole)." in "".join(
        sentences(checked)
    )


def test_nothing_is_said_of_a_log_that_has_all_ends(data):
    assert lacking_ends(recorded(data / "rumen-2011.json")) == ()
