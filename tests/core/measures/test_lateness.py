"""How late jobs are: by hand, and as the metrics count them."""

from __future__ import annotations

import numpy as np
import pytest

from core.measures.lateness import late_jobs, late_jobs_with, lateness
from core.measures.metrics import measure
from core.model.cluster import Cluster
from tests.builders import make_job, make_workload, run

WORKLOAD = make_workload(
    make_job("late", (1, 4.0), deadline=3.0),
    make_job("in time", (1, 2.0), deadline=6.0),
    make_job("early", (1, 1.0), deadline=9.0),
    make_job("without", (1, 1.0)),
)


def test_after_before_and_at_the_deadline() -> None:
    schedule = run(WORKLOAD, Cluster(1, 0))
    assert lateness(schedule).tolist() == [1, 0, -2, -np.inf]


def test_the_metrics_count_the_same() -> None:
    schedule = run(WORKLOAD, Cluster(1, 0))
    late = lateness(schedule)
    assert measure(schedule).late_jobs == np.count_nonzero(late > 0)
    assert measure(schedule).deadline_utility == pytest.approx(1 / 3)


def test_late_jobs_by_name() -> None:
    schedule = run(WORKLOAD, Cluster(1, 0))
    assert late_jobs(schedule) == {"late": 1.0}


def test_late_with_other_deadlines() -> None:
    schedule = run(WORKLOAD, Cluster(1, 0))
    assert schedule.finish.tolist() == [4, 6, 7, 8]
    assert late_jobs_with(schedule, np.array([4.0, 5.0, np.inf, 7.5])) == 2
