"""A search for tests of what asks searches: it tries every order of a few jobs, some at each step."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

from core.model.plan import Plan
from core.model.progress import never_stop
from core.model.schedule import PolicyChoice
from core.optimize.bounds import lower_bound
from core.optimize.short_searches import ShortSearches
from core.simulation.simulate import simulate


@dataclass(frozen=True)
class Tried:
    best: float
    bound: float
    plan: Plan
    proved: bool = False


class AllOrders:
    """Simulates one order in each step, Searching's way."""

    def __init__(self, workload, cluster, start=None):
        self._workload, self._cluster = workload, cluster
        names = list(workload.job_index)
        self._left = itertools.permutations(names)
        self._found = Tried(math.inf, lower_bound(workload, cluster), start or Plan.of_order(names))

    def advance(self, steps, should_stop=never_stop):
        for order in itertools.islice(self._left, min(steps, 24)):
            run = simulate(self._workload, self._cluster, PolicyChoice("order"), order=order)
            if run.makespan < self._found.best:
                self._found = Tried(run.makespan, self._found.bound, Plan.of_order(order))
        return self._found


def searches(steps=24, **options):
    return ShortSearches(AllOrders, steps=steps, **options)


def best_of_all(workload, cluster):
    """Return the makespan of the best of all orders."""
    return AllOrders(workload, cluster).advance(24).best
