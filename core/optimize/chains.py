"""One annealing with all its columns, and several of them side by side in threads."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine import jit
from core.engine.compile_cache import is_cached
from core.model.cluster import Cluster
from core.model.errors import Cancelled
from core.model.job import Job
from core.model.progress import never_stop, no_progress
from core.model.stages import Stage
from core.model.workload import Workload
from core.optimize import (
    annealing,
    due_dates,
    gentle_moves,
    heaps_loop,
    levers,
    numbers_loop,
    plan_costs,
    reduces_loop,
    released_tasks,
    search_columns,
    stage_passes,
)
from core.optimize.annealing import search_plans
from core.optimize.instant_prices import load_payments, named_payments
from core.optimize.levers import MOVES, PlanColumns, blank_plans, copied_row, holds_maps_back
from core.optimize.plan_costs import Goal
from core.optimize.search_columns import (
    BEST,
    COOLING,
    COST,
    EVALUATIONS,
    FOUND,
    HIGH,
    HORIZON,
    LENGTH,
    LOW,
    MIN,
    NOW,
    RANDOM,
    SCALE,
    STEP,
    STOP,
    STRIDE,
    TEMPERATURE,
    TIED,
    Chain,
    fresh_passes,
    heavy_jobs,
    tasks_of,
)
from core.policies.composing.kernel import kernels
from core.policies.critical import Critical, CriticalInPools
from core.policies.critical_by_starts import CriticalByStarts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FunctionType

    from numpy.typing import NDArray

    from core.optimize.cycles import Cycle
    from core.optimize.search_columns import Tasks

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

SOURCES = (
    annealing,
    plan_costs,
    stage_passes,
    released_tasks,
    reduces_loop,
    heaps_loop,
    gentle_moves,
    levers,
    search_columns,
    numbers_loop,
)
NO_JOBS: NDArray[np.int64] = np.zeros(0, np.int64)
TASKS_PER_SLICE = {True: 100_000, False: 1_000}
"""Tasks that are run between two looks at how far to go, compiled and interpreted: about 5 ms."""
LOOK_EVERY = 0.004
"""Seconds between two looks at whether to stop."""


@cache
def compiled_search_plans() -> Any:
    """Return the compiled twin of `core.optimize.annealing.search_plans`; about ten seconds once."""
    return jit.compiled(_named_search_plans())


@cache
def compiled_due_dates() -> Any:
    """Return the compiled twin of `core.optimize.due_dates.anneal_due_dates`; some seconds once."""
    return jit.compiled(_named_due_dates())


def _named_search_plans() -> FunctionType:
    return jit.named_by_sources(search_plans, *SOURCES)


def _named_due_dates() -> FunctionType:
    return jit.named_by_sources(due_dates.anneal_due_dates, due_dates, numbers_loop)


class PlanChain:
    """An annealing of plans on typed slots, run pass by pass; for one thread at a time.

    Attributes
    ----------
    goal : what a plan costs
    least, best, found_at : value of the best plan of this cycle, the plan, a row of its own, and its step
    """

    def __init__(
        self,
        tasks: Tasks,
        goal: Goal,
        usual: Ints,
        movable: Ints,
        before: Ints,
        pools: int,
        horizon: float,
        seed: int,
        compiled: bool,
        stop: Ints | None = None,
    ) -> None:
        self._tasks, self.goal = tasks, goal
        self._run: Callable[..., int] = compiled_search_plans() if compiled else search_plans
        self._slice = max(1, TASKS_PER_SLICE[compiled] // (tasks.tasks * len(tasks.duration)))
        self._passes = fresh_passes(tasks, pools, stop)
        self._plans = blank_plans(3, tasks, pools)
        self._chain = Chain(
            count=np.zeros(8, np.int64),
            level=np.full(9, np.inf),
            chance=np.zeros(len(MOVES) + 2),
            moved=np.full(3, -1, np.int64),
            floor=np.zeros(1),
            movable=movable,
            heavy=heavy_jobs(tasks, movable),
            before=before[:, 0].copy(),
            behind=before[:, 1].copy(),
            usual=usual,
            values=np.zeros(len(tasks.duration)),
        )
        self._chain.count[RANDOM] = 1 + seed * 7919 % 2147483646
        self._chain.level[HORIZON] = horizon
        self._nothing = np.zeros(0), np.zeros((0, len(tasks.count)))
        self.found_at = 0
        self.least = np.inf
        self.best = copied_row(self._plans, BEST)

    @property
    def evaluations(self) -> int:
        """Plans that it has run."""
        return int(self._chain.count[EVALUATIONS])

    @property
    def is_over(self) -> bool:
        """Whether the cycle is over, or nothing better is needed."""
        return bool(annealing.is_over(self._chain))

    @property
    def steps(self) -> int:
        """Steps done in this cycle."""
        return int(self._chain.count[STEP])

    def worths(self, rows: PlanColumns) -> tuple[Floats, Floats]:
        """Return the value of every row of plans, and when its jobs end, seconds, (rows, jobs).

        NaN for those that are not run because it is stopped.
        """
        count = len(rows.served)
        worth, finish = np.full(count, np.nan), np.zeros((count, len(self._tasks.count)))
        given = (self._tasks, rows, self._passes, self.goal, self._chain, worth, finish, count, 0)
        cost, held = self._chain.level[COST], self._passes.held[0]
        self._passes.held[0] = holds_maps_back(rows, self._tasks)
        self._run(*given)
        self._chain.level[COST], self._passes.held[0] = cost, held  # an annealing goes on where it was
        return worth, finish

    def begin(self, plan: PlanColumns, cycle: Cycle, stop: float, scale: float, goal: Goal) -> None:
        """Begin a cycle.

        Parameters
        ----------
        plan : where it begins, a row of its own
        stop : value that need not be improved
        scale : value that temperatures are measured by
        goal : what a plan costs in this cycle
        """
        for column, given in zip(self._plans, plan, strict=True):
            column[NOW] = given[0]
        count, level = self._chain.count, self._chain.level
        self.goal = goal
        self._passes.held[0] = cycle.holds_back or holds_maps_back(plan, self._tasks)
        count[STEP], count[LENGTH], count[TIED] = 0, cycle.length, cycle.tied
        count[LOW], count[HIGH] = cycle.task_orders
        self._chain.chance[:] = cycle.chances()
        level[TEMPERATURE] = cycle.temperature
        level[COOLING] = 0.01 ** (1 / max(1, cycle.length))
        level[MIN], level[STOP], level[SCALE] = np.inf, stop, scale
        level[STRIDE] = cycle.stride * level[HORIZON]

    def advance(self, to: Callable[[], int]) -> None:
        """Go on until so many steps of the cycle are done, or it is over; `to` is called after each slice."""
        while not self.is_over and (left := to() - self.steps) > 0 and self._passes.stop[0] == 0:
            given = (self._tasks, self._plans, self._passes, self.goal, self._chain, *self._nothing, 0)
            self._run(*given, min(left, self._slice))
        level = self._chain.level
        self.least, self.best = float(level[MIN]), copied_row(self._plans, BEST)
        self.found_at = int(self._chain.count[FOUND])


def advance_all(
    chains: Sequence[PlanChain],
    target: int,
    enough: float,
    in_threads: Callable[[Callable[[PlanChain], None], Sequence[PlanChain]], None],
) -> PlanChain:
    """Let every chain go to a step of its cycle, and return the one with the best plan.

    Parameters
    ----------
    enough : if a chain reaches this value, the others go no further than to its step, and of those that do
        the first one counts
    in_threads : calls a function with each chain
    """
    limit, lock = [target], threading.Lock()

    def go(chain: PlanChain) -> None:
        chain.advance(lambda: limit[0])
        if chain.least <= enough:
            with lock:
                limit[0] = min(limit[0], chain.found_at)

    in_threads(go, chains)
    reached = [chain for chain in chains if chain.least <= enough]
    if reached:
        return min(reached, key=lambda chain: chain.found_at)
    return min(chains, key=lambda chain: (chain.least, chain.found_at))


def plain_chain(tasks: Tasks, pools: int, compiled: bool, movable: Ints = NO_JOBS) -> PlanChain:
    """Return a chain for the makespan, that only runs plans unless jobs are movable."""
    jobs = len(tasks.count)
    zeros, never = np.zeros(jobs), np.full(jobs, np.inf)
    mix = np.array([1.0, 0.0, 0.0, 0.0, 0.0])
    goal = Goal(mix, zeros, never, zeros, zeros, np.zeros(2), 0.0, 0.0, 0)
    usual = tasks.count[:, tasks.root].copy()
    return PlanChain(tasks, goal, usual, movable, NO_JOBS.reshape(0, 2), pools, 500.0, 1, compiled)


def is_compiled() -> bool:
    """Whether all compiled code of searches is in the cache, so that using it takes a moment.

    A policy that searches for its plans leaves a part of it there.
    """
    parts = _named_search_plans(), _named_due_dates(), named_payments()
    return all(is_cached(part.__qualname__) for part in parts)


def load_compiled(report: Callable[[str], None] = no_progress) -> None:
    """Bring all compiled code of searches into this process, compiling what is not in the cache.

    The engine and the policies that replay plans are among it.

    Parameters
    ----------
    report : called after each part with how many are there, and of how many, in a few words
    """
    loads: tuple[Callable[[], object], ...] = (
        *(partial(kernels, policy, True) for policy in (Critical, CriticalInPools, CriticalByStarts)),
        _load_passes,
        _load_due_dates,
        load_payments,
    )
    for done, load in enumerate(loads, 1):
        load()
        report(f"compiled {done} of {len(loads)} parts")


def _one_job() -> Tasks:
    workload = Workload("one", (Job("J1", Stage.of(1, 1.0), Stage.of(1, 1.0)),))
    return tasks_of(workload, Cluster(1, 1))


def _load_passes() -> None:
    t = _one_job()
    plain_chain(t, 1, compiled=True).worths(blank_plans(1, t))


def _load_due_dates() -> None:
    demand = due_dates.demand_of(_one_job(), 1.0, fills=True, worst=0.5)
    compiled_due_dates()(demand, due_dates.fresh_due_dates(demand, 1, 1), 0)


class QuickTrials:
    """Makespans of some jobs in an order, on slots of their own: what a search for balanced pools tries."""

    def __init__(self, tasks: Tasks, usual: Ints, compiled: bool) -> None:
        self._chain = plain_chain(tasks, 1, compiled)
        self._row = blank_plans(1, tasks)
        self._row.reduces_after[:] = usual

    def __call__(self, jobs: Ints, slots: tuple[int, int], should_stop: Callable[[], bool]) -> float:
        """Return when the last of these jobs departs, in seconds."""
        if should_stop():
            raise Cancelled("the search for balanced pools was cancelled")
        self._row.pool[:] = -1  # in no pool: they do not run
        self._row.pool[0, jobs] = 0
        self._row.due[0, jobs] = np.arange(len(jobs))[:, None]
        self._row.slots[:] = slots
        return float(self._chain.worths(self._row)[1][0, jobs].max())


def in_threads(
    work: Callable[[Any], object],
    items: Sequence[Any],
    compiled: bool,
    should_stop: Callable[[], bool] = never_stop,
    stop: Ints | None = None,
) -> None:
    """Call `work` with every item, on as many threads as there are processors; exceptions are raised.

    Parameters
    ----------
    should_stop : asked every few milliseconds, by the thread that calls this
    stop : set to 1 as soon as it says so, for the work to see, and to 0 in the end
    """
    threads = (os.cpu_count() or 1) if compiled else 1
    with ThreadPoolExecutor(max(1, min(len(items), threads)), "search") as pool:
        calls = [pool.submit(work, item) for item in items]
        while wait(calls, LOOK_EVERY).not_done:
            if stop is not None and should_stop():
                stop[0] = 1
    if stop is not None:
        stop[0] = 0
    for call in calls:
        call.result()
