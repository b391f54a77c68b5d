"""Gentle moves: what they change, how far, and that a search for responses makes them."""

from __future__ import annotations

import numpy as np
import pytest

from core.model.cluster import Cluster
from core.model.job import Job
from core.model.levers import LEVERS
from core.model.stages import Stage
from core.model.workload import Workload
from core.optimize.chains import PlanChain, plain_chain
from core.optimize.cycles import STRIDE, nth_gentle_cycle
from core.optimize.gentle_moves import BESIDE, move_gently
from core.optimize.levers import PlanColumns, blank_plans, copied_row
from core.optimize.objectives import Objective
from core.optimize.search import optimize
from core.optimize.search_columns import NOW, Tasks, heavy_jobs, tasks_of
from tests.core.optimize.test_search_wishes import jobs_of

HORIZON = 500.0  # of `plain_chain`
ACROSS = ("order", "slowstart", "tasks", "across")


def chain_of(levers: tuple[str, ...], heavy: list[int]) -> tuple[PlanChain, Tasks]:
    """Return an annealing of jobs that are due 1000 s after one another, and their tasks."""
    t = tasks_of(jobs_of(3), Cluster(4, 4, 0.05))
    chain = plain_chain(t, 1, compiled=False, movable=np.arange(6))
    row = blank_plans(1, t)
    row.due[:] = np.arange(6)[None, :, None] * 1000.0
    chain.begin(row, nth_gentle_cycle(0, 100, levers), 0.0, 1.0, chain.goal)
    chain._chain.usual[:] = 1
    chain._chain = chain._chain._replace(heavy=np.array(heavy, np.int64))
    return chain, t


def moved(levers: tuple[str, ...]) -> list[tuple[PlanColumns, PlanColumns]]:
    """Return plans before and after 300 moves of job 2, one after the other, a row each; no job is heavy."""
    chain, t = chain_of(levers, [])
    found = []
    for _ in range(300):
        before = copied_row(chain._plans, NOW)
        move_gently(t, chain._plans, chain._chain, 2)
        found.append((before, copied_row(chain._plans, NOW)))
    return found


@pytest.mark.parametrize("levers", [("order",), ACROSS])
def test_most_shift_due_dates_a_little(levers: tuple[str, ...]) -> None:
    shifts = [(after.due - before.due)[0] for before, after in moved(levers)]
    assert {j for shift in shifts for j in np.flatnonzero(shift.any(axis=1))} == set(range(6))
    mine = np.array([shift[2] for shift in shifts if shift.any() and not shift[[0, 1, 3, 4, 5]].any()])
    assert 160 < len(mine) < 240  # seven of ten
    far = np.abs(mine).max(axis=1)
    assert far.max() <= STRIDE * HORIZON
    assert np.median(far) < STRIDE * HORIZON / 8
    kinds = {tuple(shift != 0) for shift in mine}
    apart = {(True, False), (False, True)} if "across" in levers else set()
    assert kinds == {(True, True)} | apart


def test_heavy_jobs_go_right_before_or_behind_one_another() -> None:
    """Where two jobs are most of the work, most exchanges put one of them beside the other."""
    chain, t = chain_of(ACROSS, heavy=[1, 4])
    plans, beside = chain._plans, 0
    for _ in range(300):
        before = copied_row(plans, NOW).due[0]
        move_gently(t, plans, chain._chain, 2)
        moved_jobs = np.flatnonzero((copied_row(plans, NOW).due[0] != before).any(axis=1)).tolist()
        if moved_jobs in ([1], [4]):
            mine, other = moved_jobs[0], 5 - moved_jobs[0]
            gap = np.abs(plans.due[NOW, mine] - before[other])
            assert gap.min() <= BESIDE * HORIZON
            beside += 1
            plans.due[NOW] = np.arange(6)[:, None] * 1000.0
    assert 12 < beside < 32  # a tenth of 300 exchange, and seven tenths of these


def test_a_job_is_heavy_that_is_five_times_the_mean() -> None:
    counts = (60, 58, *[1] * 9)  # 127 tasks of 11 jobs: five times the mean is 57.7
    jobs = tuple(Job(f"J{j}", Stage.of(count, 2.0), Stage.of(0)) for j, count in enumerate(counts))
    t = tasks_of(Workload("eleven", jobs), Cluster(4, 4))
    assert heavy_jobs(t, np.arange(11)).tolist() == [0, 1]
    assert heavy_jobs(t, np.arange(1, 11)).tolist() == [1]


def test_they_change_the_order_of_tasks_and_slowstarts_where_levers_allow_it() -> None:
    for levers, allowed in ((("order",), False), (ACROSS, True)):
        pairs = moved(levers)
        assert any((before.tasks != after.tasks).any() for before, after in pairs) == allowed
        assert any((before.reduces_after != after.reduces_after).any() for before, after in pairs) == allowed
        assert not any((before.cap != after.cap).any() for before, after in pairs)


def test_a_search_for_responses_begins_where_slots_are_cheap() -> None:
    workload, cluster = jobs_of(8, 24), Cluster(8, 8, 0.05)
    few, more = (
        optimize(workload, cluster, steps=steps, objective=Objective.of("weighted-response"), levers=LEVERS)
        for steps in (60, 400)
    )
    assert few.how.startswith("ends by what slots are worth when")
    assert more.best < few.best < few.start
    assert more.gap < 0.11
