"""Gentle moves: what they change, how far, and that a search for responses makes them."""

from __future__ import annotations

import numpy as np
import pytest

from core.model.cluster import Cluster
from core.model.levers import LEVERS
from core.optimize.chains import plain_chain
from core.optimize.cycles import STRIDE, nth_gentle_cycle
from core.optimize.gentle_moves import move_gently
from core.optimize.levers import PlanColumns, blank_plans, copied_row
from core.optimize.objectives import Objective
from core.optimize.search import optimize
from core.optimize.search_columns import NOW, tasks_of
from tests.core.optimize.test_search_wishes import jobs_of

HORIZON = 500.0  # of `plain_chain`
ACROSS = ("order", "slowstart", "tasks", "across")


def moved(levers: tuple[str, ...]) -> list[tuple[PlanColumns, PlanColumns]]:
    """Return plans before and after 300 moves of job 2, one after the other, a row each."""
    t = tasks_of(jobs_of(3), Cluster(4, 4, 0.05))
    chain = plain_chain(t, 1, compiled=False, movable=np.arange(6))
    row = blank_plans(1, t)
    row.due[:] = np.arange(6)[None, :, None] * 1000.0
    chain.begin(row, nth_gentle_cycle(0, 100, levers), 0.0, 1.0, chain.goal)
    chain._chain.usual[:] = 1
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
