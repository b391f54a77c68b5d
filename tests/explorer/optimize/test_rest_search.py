"""The search from the time cursor on, as the window asks for it."""

from __future__ import annotations

import numpy as np
import pytest

from core.model.cluster import Cluster
from core.model.document_state import Scenario
from core.model.errors import InputError
from core.model.estimates import DurationEstimates
from core.model.schedule import PolicyChoice
from core.simulation.best_rest import BY_PLAN
from core.simulation.fork import fork_of, simulate_fork
from core.simulation.simulate import simulate
from explorer.optimize.rest_search import AS_BEFORE, FOR_THE_WHOLE, GUESSES, rest_search_for
from explorer.optimize.wishes import Rules, Wish
from tests.core.simulation.test_best_rest import some_jobs

CLUSTER, TIME = Cluster(3, 2), 20.0
SCENARIO = Scenario(1, PolicyChoice("fifo"))
WISH = Wish(seconds=0.3, from_cursor=True)


@pytest.mark.parametrize("goal", ["makespan", "mean-response", "stretch"])
def test_what_is_found_is_that_of_the_whole(goal):
    workload = some_jobs(3, 6)
    now = simulate(workload, CLUSTER, SCENARIO.choice)
    wish = Wish(goal, seconds=0.3, from_cursor=True)
    prepared = rest_search_for(wish, workload, CLUSTER, SCENARIO, TIME, now, compiled=True)
    seen: list[float] = []
    found = prepared.search(lambda each: seen.append(each.bound), lambda: False)
    plan = simulate_fork(workload, CLUSTER, BY_PLAN, fork_of(SCENARIO, TIME), plan=found.plan)
    assert prepared.value_of is not None
    assert prepared.start is not None
    assert found.best == prepared.value_of(plan) < prepared.start == found.start
    assert 0 < found.bound <= found.best
    assert set(seen) == {0.0}  # no bound is shown that nobody has checked
    fixed = now.start < TIME
    assert np.array_equal(plan.start[fixed], now.start[fixed])


def test_going_on_as_before_is_said_where_nothing_is_better():
    workload = some_jobs(3, 1)
    prepared = rest_search_for(WISH, workload, CLUSTER, SCENARIO, TIME, None, compiled=True)
    with pytest.raises(InputError, match=AS_BEFORE):
        prepared.search(lambda _found: None, lambda: False)


@pytest.mark.parametrize(
    ("wish", "scenario", "said"),
    [
        (Wish(sigma=0.3), SCENARIO, FOR_THE_WHOLE),
        (Wish(rules=Rules(pinned=frozenset({"J1"}))), SCENARIO, FOR_THE_WHOLE),
        (WISH, Scenario(1, PolicyChoice("sjf", estimates=DurationEstimates(0.3))), GUESSES),
    ],
)
def test_what_cannot_be_searched_is_refused(wish, scenario, said):
    with pytest.raises(InputError, match=said):
        rest_search_for(wish, some_jobs(3), CLUSTER, scenario, TIME, None, compiled=True)
