"""What levers are worth: no row contradicts another, nor the answer."""

from __future__ import annotations

from core.files.samples import load_sample
from core.model.schedule import PolicyChoice
from core.optimize.lever_worths import best_of, lever_worths
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
