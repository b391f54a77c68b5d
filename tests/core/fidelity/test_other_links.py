"""Links that are guesses are drawn otherwise; those that are none stay."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from core.fidelity.open_application import open_application
from core.fidelity.other_links import relinked
from core.fidelity.prediction import predict
from core.model.job import Link
from tests.written_application import SparkJob, SparkStage, write_application

if TYPE_CHECKING:
    from pathlib import Path

    from core.fidelity.prediction import LoggedApplication

RUNS = ((0.0, 10.0), (0.0, 9.0), (10.2, 12.0))
"""The third job follows the first by 0.2 s or the second by 1.2 s."""


@pytest.fixture
def threads(tmp_path: Path) -> LoggedApplication:
    """An application of three jobs of one task each."""
    jobs = [
        SparkJob(begin, end, (SparkStage(number, (), ((begin, end),)),))
        for number, (begin, end) in enumerate(RUNS)
    ]
    return open_application([write_application(tmp_path / "app", jobs)])


def links(application: LoggedApplication, draws: int = 100) -> set[tuple[Link, ...]]:
    run = application.workload.recorded
    assert run is not None
    draw = np.random.default_rng(1)
    return {relinked(application.workload.jobs, run, draw)[2].after for _ in range(draws)}


def test_either_job_may_have_been_waited_for(threads: LoggedApplication) -> None:
    assert threads.workload.jobs[2].after == (Link("job 0 (app)", 0.2, inferred=True),)
    assert links(threads) == {
        (Link("job 0 (app)", 0.2, inferred=True),),
        (Link("job 1 (app)", 1.2, inferred=True),),
    }


def test_a_link_that_is_no_guess_stays(threads: LoggedApplication) -> None:
    given = Link("job 1 (app)", 1.2)
    jobs = threads.workload.jobs
    sure = replace(threads.workload, jobs=(*jobs[:2], replace(jobs[2], after=(given,))))
    assert links(replace(threads, workload=sure)) == {(given,)}


def test_jobs_that_the_log_has_not_are_left_as_they_are(threads: LoggedApplication) -> None:
    jobs = tuple(replace(job, after=()) for job in threads.workload.jobs)
    renamed = (replace(jobs[0], name="mine"), *jobs[1:])
    run = threads.workload.recorded
    assert run is not None
    assert relinked(renamed, run, np.random.default_rng(1)) == renamed


def test_the_range_has_other_links(tmp_path: Path) -> None:
    """On 3 slots the first job ends at 5 s and the second at 10.1 s: the third at 7 s or at 12 s."""
    first = SparkStage(0, (), ((0.0, 5.0), (5.0, 10.0)))
    jobs = [
        SparkJob(0.0, 10.0, (first,)),
        SparkJob(0.0, 10.1, (SparkStage(1, (), ((0.0, 10.1),)),)),
        SparkJob(10.2, 12.0, (SparkStage(2, (), ((10.2, 12.0),)),)),
    ]
    found = predict(open_application([write_application(tmp_path / "app", jobs)]), 3)
    assert found.predicted_seconds == pytest.approx(12.0)
    assert found.low_seconds == pytest.approx(0.95 * 10.1)
    assert found.high_seconds == pytest.approx(1.05 * 12.0)
