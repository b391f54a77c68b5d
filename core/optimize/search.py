"""The search for the best schedule: starts, due dates, then annealing on runs, until it is proved.

A step is a start that is run, a thousand moves of due dates in every chain, or a move of every chain's
annealing. There is a fixed number of chains, whatever the number of processors; at fixed steps they exchange
their plans. So the same seed and steps find the same plan, in one call or in many.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.model.job import MAP
from core.model.progress import never_stop, tell_nobody
from core.optimize import due_dates
from core.optimize.bounds import lower_bound
from core.optimize.chains import PlanChain, compiled_due_dates, in_threads
from core.optimize.cycles import FIRST_LENGTH, cycle_length, nth_cycle
from core.optimize.due_dates import DueDates, demand_of, fresh_due_dates
from core.optimize.objectives import LEVERS, Constraints, Found, Objective, goal_of
from core.optimize.plan_columns import noisy_tasks, plan_of, tasks_of, usual_after
from core.optimize.plan_costs import MAKESPAN
from core.optimize.starts import (
    PlanStart,
    constructive_starts,
    rows_of,
    starts_of_dues,
    starts_of_order,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.plan import Plan
    from core.model.workload import Workload
    from core.optimize.due_dates import Demand
    from core.optimize.objectives import Robust
    from core.optimize.plan_columns import PlanColumns
    from core.optimize.plan_costs import Goal

    Floats = NDArray[np.float64]
    Worths = dict[int, tuple[float, PlanColumns]]

__all__ = ["Found", "Search", "optimize"]
CHAINS = 4
FEW_JOBS = 20
"""Up to so many jobs, many short annealings find more than few long ones."""
PROVED = 1 + 1e-9
DUE_MOVES = 1000
"""Moves of due dates in a step."""
DUE_STEPS = {True: 30, False: 100}
"""Steps of due dates, for few jobs and for more."""
SHORT_SLICE, LONG_SLICE = 0.05, 0.15
"""Seconds between two looks at what was found."""


class _Best(NamedTuple):
    value: float
    row: PlanColumns
    how: str


class Search:
    """A search that goes on as long as it is asked to.

    Parameters
    ----------
    workload, cluster : what is to be scheduled, and on what
    objective : what is to be small
    levers : what may be changed, of `LEVERS`
    constraints : what must be kept
    start : a plan or an order of names to start from, beside those made by the search
    seed : of all that is drawn
    robust : whether plans are judged on several copies of the durations
    horizon : steps that are to come, as far as known: annealing cools down over them
    compiled : whether to use compiled code
    """

    def __init__(
        self,
        workload: Workload,
        cluster: Cluster,
        *,
        objective: Objective | None = None,
        levers: Collection[str] = LEVERS,
        constraints: Constraints | None = None,
        start: Plan | Sequence[str] | None = None,
        seed: int = 1,
        robust: Robust | None = None,
        horizon: int | None = None,
        compiled: bool = True,
    ) -> None:
        self.objective = objective or Objective()
        self._constraints = constraints or Constraints()
        self._levers = frozenset(levers)
        self._workload, self._cluster = workload, cluster
        self._seed, self._compiled = seed, compiled
        self.horizon = horizon
        self.bound = self.objective.bound(workload, cluster)
        self._makespan = max(lower_bound(workload, cluster), 1e-9)
        self._tasks = tasks_of(workload, cluster)
        if robust is not None:
            self._tasks = noisy_tasks(self._tasks, robust.copies, robust.sigma, seed)
        self._robust = robust
        self._goal = goal_of(
            self.objective, self._constraints, robust, (workload, self._tasks, self._makespan)
        )
        self._pools = 1
        self._chains = [self._chain(place) for place in range(CHAINS)]
        self._good: list[_Best] = []
        self._best: _Best | None = None
        self._start_value: float | None = None
        self._left, self._steps, self._cycle = 0, 0, 0
        self._should_stop: Callable[[], bool] = never_stop
        self._work = self._searching()
        self._has_ended = self._is_at_first_cycle = False

    # ---- from outside

    @property
    def found(self) -> Found:
        """What has been found so far; before the first step, by the first start."""
        if self._best is None:
            self.advance(1)
        best = self._best
        assert best is not None
        gap = best.value / self.bound - 1 if self.bound > 0 else float(best.value > 0)
        return Found(
            best=best.value,
            bound=self.bound,
            gap=gap,
            proved=self._robust is None and best.value <= self.bound * PROVED,
            evaluations=sum(chain.evaluations for chain in self._chains),
            steps=self._steps,
            plan=plan_of(best.row, self._workload, self._usual),
            start=best.value if self._start_value is None else self._start_value,
            how=best.how,
        )

    @property
    def is_over(self) -> bool:
        """Whether going on is of no use: the best plan is proved, or nothing may be changed."""
        return self._has_ended

    @property
    def is_measuring(self) -> bool:
        """Whether the first cycle comes next, and how many steps are to come is not known."""
        return self._is_at_first_cycle and self.horizon is None

    def advance(self, steps: int, should_stop: Callable[[], bool] = never_stop) -> Found:
        """Go on by at most so many steps; returns soon after `should_stop` says so."""
        self._left, self._should_stop = steps, should_stop
        if not self._has_ended and steps > 0:
            self._has_ended = next(self._work, "over") == "over"
        return self.found

    # ---- the search itself, which waits at every `yield` until it may go on

    def _searching(self) -> Iterator[str]:
        yield from self._run_starts(
            constructive_starts(self._workload, self._cluster, self._tasks, self._levers, self._makespan)
        )
        self._start_value = self._best.value if self._best else None
        if not self._is_proved:
            yield from self._anneal_due_dates()
        self._is_at_first_cycle = True
        if not self._may_go_on():
            yield "waits"
        while not self._is_proved and len(self._movable):
            yield from self._anneal()
            self._is_at_first_cycle = False

    def _may_go_on(self) -> bool:
        return self._left > 0 and not self._should_stop()

    @property
    def _is_proved(self) -> bool:
        return self._robust is None and self._best is not None and self._best.value <= self.bound * PROVED

    def _run_starts(self, starts: Sequence[PlanStart]) -> Iterator[str]:
        """Run starts, some at once in threads, until one is proved; a step each."""
        first = 0
        while first < len(starts):
            if not self._may_go_on():
                yield "waits"
                continue
            some = starts[first : first + min(CHAINS, self._left)]
            worths: Worths = {}

            def run(place: int, some: Sequence[PlanStart] = some, worths: Worths = worths) -> None:
                row = rows_of([some[place]], self._tasks, self._pools)
                worths[place] = float(self._chains[place].worths(row)[0][0]), row

            in_threads(run, range(len(some)), self._compiled)
            for place, start in enumerate(some):
                self._count(1)
                self._note(_Best(*worths[place], start.how), keeps=True)
                if self._is_proved:
                    return
            first += len(some)

    def _anneal_due_dates(self) -> Iterator[str]:
        """Find due dates in every chain, then run what they say."""
        demands = self._demands()
        few = len(self._workload.jobs) <= FEW_JOBS
        moves = DUE_STEPS[few] * DUE_MOVES
        dates = [fresh_due_dates(d, self._seed * CHAINS + i, moves) for i, d in enumerate(demands)]
        anneal = compiled_due_dates() if self._compiled else due_dates.anneal_due_dates
        for _ in range(DUE_STEPS[few]):
            while not self._may_go_on():
                yield "waits"
            in_threads(lambda i: anneal(demands[i], dates[i], DUE_MOVES), range(CHAINS), self._compiled)
            self._count(1)
        yield from self._run_starts([start for each in dates for start in self._starts_of(each)])

    def _demands(self) -> list[Demand]:
        """Return what each chain looks at: with and without fillers, and the worst excess weighted or not."""
        return [
            demand_of(self._tasks, self._makespan, fills=chain % 2 == 1, worst=0.5 if chain < 2 else 0.1)
            for chain in range(CHAINS)
        ]

    def _starts_of(self, dates: DueDates) -> list[PlanStart]:
        due = dates.due[due_dates.BEST]
        after = self._usual, self._tasks.count[:, MAP]
        starts = starts_of_order(
            "the order of due dates", np.argsort(due, kind="stable"), after, self._levers, self._makespan
        )
        if "across" in self._levers:
            starts = starts_of_dues("due dates that fit both stages", due, after) + starts
        return starts

    def _anneal(self) -> Iterator[str]:
        """Anneal every chain for a cycle, then note the best."""
        best = self._best
        assert best is not None
        of_many = len(self._workload.jobs) > FEW_JOBS
        length = cycle_length(self._cycle, self.horizon, of_many=of_many)
        for place, chain in enumerate(self._chains):
            k = self._cycle * CHAINS + place
            cycle = nth_cycle(k, self._cycle, length, self._levers, of_many=of_many)
            row, goal = self._begins(k, of_many).row, self._guided(cycle.is_guided)
            chain.begin(row, cycle, self.bound * PROVED, self._scale, goal)
        target = 0
        while target < length and not self._is_proved:
            if not self._may_go_on():
                yield "waits"
                continue
            step = min(self._left, length - target)
            target += step
            done = self._to_step(target)
            while done < target and not self._is_proved:  # stopped: what is missing comes first
                self._left = 0
                yield "waits"
                done = self._to_step(target)
            self._count(step)
        self._cycle += 1

    def _to_step(self, target: int) -> int:
        """Let every chain go to a step of its cycle; return the least that one has reached."""
        limit, lock = [target], threading.Lock()

        def go(chain: PlanChain) -> None:
            chain.advance(lambda: limit[0], self._should_stop)
            if chain.least <= self.bound * PROVED and self._robust is None:
                with lock:
                    limit[0] = min(limit[0], chain.found_at)

        in_threads(go, self._chains, self._compiled)
        bests = [(chain.least, chain.found_at, i) for i, chain in enumerate(self._chains)]
        proved = [each for each in bests if each[0] <= self.bound * PROVED and self._robust is None]
        value, _, place = min(proved, key=lambda each: each[1:]) if proved else min(bests)
        chain = self._chains[place]
        self._note(_Best(value, chain.best, f"annealing, cycle {self._cycle + 1}"))
        return min(chain.steps for chain in self._chains)

    def _begins(self, k: int, of_many: bool) -> _Best:
        """Return where the k-th annealing begins: at the best plan, or at another good start."""
        assert self._best is not None
        good = sorted(self._good, key=lambda each: each.value)
        if self._cycle == 0 or k % 4 in ((0, 1, 2) if of_many else (1, 3)):
            return self._best
        if of_many:
            return good[min(1, len(good) - 1)] if self._cycle == 1 else self._best
        return good[min(k // 4 % 8, len(good) - 1)]

    # ---- what it is made of

    @property
    def _usual(self) -> NDArray[np.int64]:
        return usual_after(self._tasks, self._cluster)

    @property
    def _movable(self) -> NDArray[np.int64]:
        pinned = self._constraints.pinned
        return np.array([j for j, job in enumerate(self._workload.jobs) if job.name not in pinned], np.int64)

    @property
    def _scale(self) -> float:
        """Return the value that temperatures are measured by."""
        mix = self.objective.mix()
        if mix[MAKESPAN] > 0:
            return float(mix[MAKESPAN]) * self._makespan
        assert self._best is not None
        return max(self._best.value, 1e-9) if self.objective.unit != "jobs" else 100.0

    def _count(self, steps: int) -> None:
        self._left -= steps
        self._steps += steps

    def _note(self, found: _Best, *, keeps: bool = False) -> None:
        if keeps:
            self._good.append(found)
        if self._best is None or found.value < self._best.value:
            self._best = found

    def _chain(self, place: int) -> PlanChain:
        index = self._workload.job_index
        before = np.array([(index[a], index[b]) for a, b in self._constraints.before], np.int64)
        return PlanChain(
            self._tasks,
            self._goal,
            self._usual,
            self._movable,
            before.reshape(-1, 2),
            self._pools,
            self._makespan,
            self._seed * CHAINS + place,
            self._compiled,
        )

    def _guided(self, is_guided: bool) -> Goal:
        pull = np.array([0.5, 0.02]) if is_guided and self.objective.name == "makespan" else np.zeros(2)
        return self._goal._replace(pull=pull)


def optimize(
    workload: Workload,
    cluster: Cluster,
    *,
    seconds: float | None = None,
    steps: int | None = None,
    on_found: Callable[[Found], None] = tell_nobody,
    should_stop: Callable[[], bool] = never_stop,
    **wishes: object,
) -> Found:
    """Search for so many seconds, 3 if nothing is said, or for so many steps.

    Parameters
    ----------
    seconds, steps : one of them; what so many steps find does not depend on the machine
    on_found : called whenever something better was found, and at the end
    should_stop : asked every 10 ms or so
    wishes : as of `Search`
    """
    search = Search(workload, cluster, horizon=steps, **wishes)  # type: ignore[arg-type]
    if steps is not None:
        found = search.advance(steps, should_stop)
        on_found(found)
        return found
    ends = time.monotonic() + (3.0 if seconds is None else seconds)
    told = np.inf

    def is_late() -> bool:
        return time.monotonic() >= ends or should_stop()

    found, slice_ = search.found, 4
    while not (search.is_over or is_late()):
        begun, before, measures = time.monotonic(), found.steps, search.is_measuring
        found = search.advance(slice_ if not measures else FIRST_LENGTH, is_late)
        took = time.monotonic() - begun
        if measures:
            search.horizon = int((ends - time.monotonic()) / max(took, 1e-6) * (found.steps - before))
        slice_ = max(1, slice_ // 2 if took > LONG_SLICE else 2 * slice_ if took < SHORT_SLICE else slice_)
        if found.best < told:
            told = found.best
            on_found(found)
    return found
