"""Ends of jobs that are to have room together: by hand, by definition, and what plans they make."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.generate.families import generate
from core.model.cluster import Cluster
from core.model.levers import LEVERS
from core.optimize.bounds import lower_bound
from core.optimize.evaluate import alone_seconds, finishes
from core.optimize.job_costs import JobCosts
from core.optimize.levers import plan_of
from core.optimize.objectives import Objective
from core.optimize.price_ascent import price_slots
from core.optimize.search_columns import tasks_of, usual_after
from core.optimize.starts import row_of, starts_of_prices
from tests.builders import make_job, make_workload

if TYPE_CHECKING:
    from core.model.workload import Workload

TARDINESS = Objective.of("tardiness")


def due(jobs: int, seed: int = 3) -> tuple[Workload, Cluster]:
    """Jobs with deadlines that not all can keep."""
    workload = generate("synthetic2", seed=seed, parameters={"jobs": jobs})
    cluster = Cluster(16, 16)
    part = np.random.default_rng(seed).uniform(0, 0.5, jobs)
    when = alone_seconds(workload, cluster) + part * lower_bound(workload, cluster)
    jobs_due = zip(workload.jobs, when.tolist(), strict=True)
    return workload.with_jobs(replace(job, deadline=each) for job, each in jobs_due), cluster


def test_one_of_two_jobs_is_in_time_by_hand() -> None:
    """Two maps of 4 s on a slot, both due at 4.5 s: one ends near then, the other near 8 s."""
    workload = make_workload(*(make_job(f"J{i}", (1, 4.0), deadline=4.5) for i in range(2)))
    one = np.ones(2)
    costs = JobCosts(0 * one, one, 0 * one, 4.5 * one)
    ends = price_slots(workload, Cluster(1, 0), costs).ends
    for case in ends[:6]:
        soon, late = np.sort(case)
        assert soon <= 6
        assert 7 <= late <= 9.5


def plan_values(workload: Workload, cluster: Cluster, cases: np.ndarray) -> list[float]:
    t = tasks_of(workload, cluster)
    usual = usual_after(t, cluster)
    values = []
    for ends in cases:
        starts = starts_of_prices(ends, t, usual, LEVERS, lower_bound(workload, cluster))
        plans = [plan_of(row_of(start, t, 1), workload, usual) for start in starts]
        values.append(min(TARDINESS.value(workload, finish) for finish in finishes(workload, cluster, plans)))
    return values


def test_plans_for_deadlines_are_better_than_by_means_of_ends() -> None:
    workload, cluster = due(40)
    costs = TARDINESS.job_costs(workload)
    assert costs is not None
    prices = price_slots(workload, cluster, costs)
    values = plan_values(workload, cluster, prices.ends)
    assert len(values) == 12
    assert min(values[:6]) < 0.9 * min(values[6:])
    again = price_slots(workload, cluster, costs)
    assert again.ends.tolist() == prices.ends.tolist()
