"""What levers are worth: no row contradicts another, nor the answer."""

from __future__ import annotations

import pytest

from core.files.samples import load_sample
from core.model.levers import LEVERS, levers_of
from core.model.schedule import PolicyChoice
from core.optimize.lever_worths import LeverWorth, best_of, lever_worths, order_worth_text
from core.optimize.search import Search
from core.simulation.simulate import simulate

CRITICAL = PolicyChoice("critical")
POOLS = load_sample("five-jobs-pools")


def test_no_lever_makes_it_worse_and_the_answer_is_the_best_of_all():
    found = Search(POOLS, POOLS.cluster, levers=("order", "tasks"), compiled=False).advance(1)
    assert found.best > 41  # what the best order takes
    worths = lever_worths(POOLS, POOLS.cluster, found, levers=("order", "tasks"), steps=1, compiled=False)
    assert [worth.lever for worth in worths] == ["order", "tasks"]
    assert worths[0].best == worths[1].best == 41
    assert worths[0].proved
    assert not worths[1].proved  # of orders alone that is proved
    best = best_of(found, worths)
    assert (best.best, best.gap, best.proved) == (41, worths[1].gap, False)
    assert simulate(POOLS, POOLS.cluster, CRITICAL, plan=best.plan).makespan == 41
    assert best_of(best, worths) is best


def worth(lever: str, best: float, *, gap: float = 0.5, proved: bool = False) -> LeverWorth:
    return LeverWorth(lever, best, gap, proved)


@pytest.mark.parametrize(
    ("worths", "said"),
    [
        ((worth("order", 9.0, proved=True), worth("tasks", 9.0)), "may be"),
        ((worth("order", 9.0, proved=True), worth("tasks", 8.0)), "is"),
        ((worth("order", 9.0, proved=True), worth("tasks", 9.0), worth("across", 8.9)), "is"),
        ((worth("order", 9.0, proved=True),), "may be"),
        ((worth("order", 9.0), worth("tasks", 8.0)), ""),  # not all orders were tried
        ((worth("order", 9.0, gap=0.0, proved=True), worth("tasks", 9.0)), ""),  # nothing can be better
        ((worth("tasks", 9.0, proved=True),), ""),
    ],
)
def test_what_is_said_of_all_orders(worths: tuple[LeverWorth, ...], said: str) -> None:
    sentence = f"All orders were tried, and none is better; another lever {said}."
    assert order_worth_text(worths) == (sentence if said else "")


def test_no_search_begins_after_a_stop_and_the_last_lever_has_what_was_found() -> None:
    found = Search(POOLS, POOLS.cluster, levers=("order", "tasks"), compiled=False).advance(1)
    told: list[LeverWorth] = []
    worths = lever_worths(POOLS, POOLS.cluster, found, should_stop=lambda: True, on_worth=told.append)
    assert told == []
    assert [(each.lever, each.best, each.plan) for each in worths] == [
        (levers_of(LEVERS, POOLS)[-1], found.best, found.plan)
    ]
    assert lever_worths(POOLS, POOLS.cluster, found, levers=()) == ()
    assert best_of(found, ()) is found
