"""The search for the best schedule: starts, due dates, then annealing on runs, until it is proved.

A step is a start that is run, a thousand moves of due dates in every chain, or a move of every chain's
annealing. There is a fixed number of chains, whatever the number of processors; at fixed steps they exchange
their plans. So the same seed and steps find the same plan, in one call or in many.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from core.model.errors import Cancelled
from core.model.levers import LEVERS
from core.model.progress import never_stop
from core.model.slots_that_stay import with_slots_that_stay
from core.optimize import cycles, due_dates
from core.optimize.balanced_pools import POOLED_TASKS, balanced_pools
from core.optimize.bounds import lower_bound, refined_bound
from core.optimize.chains import PlanChain, advance_all, compiled_due_dates, in_threads
from core.optimize.checked_plans import CheckedPlans, Checking
from core.optimize.constraints import Constraints
from core.optimize.cycles import GENTLE_LENGTH, Judged
from core.optimize.due_dates import demand_of, fresh_due_dates
from core.optimize.evaluate import alone_seconds
from core.optimize.exact_starts import best_starts, may_search_starts
from core.optimize.kept_starts import KeptStarts
from core.optimize.levers import moves_of
from core.optimize.objectives import Objective, check_responses, goal_of, with_arrivals
from core.optimize.plan_costs import LATE, MAKESPAN, TARDINESS
from core.optimize.priced import Priced
from core.optimize.runs import EngineChain
from core.optimize.search_columns import noisy_tasks, tasks_of, usual_after, why_no_passes
from core.optimize.starts import (
    PlanStart,
    constructive_starts,
    of_the_best,
    promising,
    starts_in_pools,
    starts_of_due_dates,
    starts_of_prices,
    unless_one_map_is_late,
)
from core.optimize.timed_tasks import TimedTasks, may_time_tasks
from core.optimize.wrong_results import PROVED

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Iterator, Sequence

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.plan import Plan
    from core.model.workload import Workload
    from core.optimize.found import Found
    from core.optimize.levers import PlanColumns
    from core.optimize.objectives import Robust
    from core.optimize.priced import PricingTime
    from core.optimize.rest import RestOnSlots

    Floats = NDArray[np.float64]

T = TypeVar("T")
CHAINS = 4
FEW_JOBS = 20
"""Up to so many jobs, many short annealings find more than few long ones."""
NEAR = 0.003
"""Nearer to the bound than by this part, annealing of many jobs is cooler."""
DUE_MOVES = 1000
"""Moves of due dates in a step."""
DUE_STEPS = {True: 30, False: 100}
"""Steps of due dates, for few jobs and for more."""
OWN, PRICING = "the plan that it began with", "finding what slots are worth when"
TRYING, IMPROVING = "trying simple rules", "improving, round {}"
TASK_BY_TASK = "improving it task by task"
ALL_TRIED, BY_ALL = "trying all schedules", "a search of all schedules"


class Search:
    """A search that goes on step by step.

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
    known : what slots are worth of the same jobs on the same cluster, for these goals
    rest : where a schedule goes on from a time: how what is left stands, and what simulates plans from there

    Attributes
    ----------
    bound : value below which no schedule can be
    is_refined : whether all has been done to raise it
    wants_pools : whether the pools of BalancedPools may be a start, and have not been run yet: on map and
        reduce slots, where the lever is allowed
    pricing : by the clock, how long prices of slots are looked for
    wants_cases : whether to look at cases of ends, too: they raise the bound and lead to no plan
    pooled_tasks : so many tasks may be run to find them: of many jobs not all splits in two are tried then
    """

    pricing: PricingTime | None = None
    wants_cases = True
    pooled_tasks = POOLED_TASKS

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
        known: Priced | None = None,
        rest: RestOnSlots | None = None,
    ) -> None:
        self.objective, constraints = objective or Objective(), constraints or Constraints()
        workload = with_arrivals(workload, constraints.arrivals)
        check_responses(self.objective, workload)
        self._finishes = rest and rest.finishes
        self._by_engine = bool(why_no_passes(workload, cluster)) or (rest is not None and rest.tasks is None)
        graphs = not workload.columns.stages.are_map_reduce
        self._levers = moves_of(levers, constraints, by_engine=self._by_engine, has_graphs=graphs)
        self._workload, self._cluster = workload, cluster
        self._seed, self._compiled, self._robust, self.horizon = seed, compiled, robust, horizon
        stays, needs_alone = with_slots_that_stay(cluster), self.objective.needs_alone
        self._alone = alone = alone_seconds(workload, stays, compiled=compiled) if needs_alone else None
        self.bound = self.objective.bound(workload, cluster, alone)
        self._priced = known
        self._is_priced = self.objective.job_costs(workload) is not None
        # whether when the last job ends counts, or only how long some job is stretched
        self._has_makespan = not self._is_priced or bool(self.objective.mix()[MAKESPAN] > 0)
        self.is_refined = self.objective.name != "makespan"
        self._makespan = max(lower_bound(workload, cluster), 1e-9)
        self._tasks = (rest and rest.tasks) or tasks_of(workload, cluster)
        self._kept = KeptStarts(
            workload, cluster, self._tasks, constraints, start, 2 if "pools" in self._levers else 1
        )
        if robust is not None:
            self._tasks = noisy_tasks(self._tasks, robust.copies, robust.sigma, seed, robust.per)
        self._usual = usual_after(self._tasks, cluster)
        goal = goal_of(self.objective, constraints, robust, (workload, self._tasks, self._makespan))
        self._goal = goal if alone is None else goal._replace(alone=alone)
        are_free = self._are_starts_free(constraints) and rest is None
        self._may_try_all = are_free and may_search_starts(workload, cluster)
        self._may_time_tasks = are_free and not self._may_try_all and may_time_tasks(workload, cluster)
        figures = {"objective": self.objective, "levers": sorted(levers), "seed": seed, "robust": robust}
        about = workload, cluster, self._tasks, self._goal, robust is not None, compiled, figures
        self._checked = CheckedPlans(Checking(*about, self._finishes), self._usual, self._kept.pinned)
        self._stop = np.zeros(1, np.int64)
        self._chains = [self._chain(place) for place in range(CHAINS)]
        self._good: list[Judged] = []
        self._best: Judged | None = None
        self._start: Judged | None = None
        self.wants_pools = "pools" in self._levers and self._has_makespan
        self._left, self._steps, self._cycle = 0, 0, 0
        self._should_stop: Callable[[], bool] = never_stop
        self._work, self._doing = self._searching(), TRYING
        self._has_ended = self._is_at_first_cycle = False

    def _are_starts_free(self, constraints: Constraints) -> bool:
        """Whether starts are free, and only the objective says which are best."""
        has_more = (
            self._robust is not None or self.objective.puts_deadlines_first or constraints.keep_deadlines
        )
        return "starts" in self._levers and self._kept.is_free and not has_more

    # ---- from outside

    @property
    def found(self) -> Found:
        """What has been found so far, simulated; before the first step, by the first start.

        WrongResult if simulating its plan gives another value, or one below the bound.
        """
        if self._best is None:
            self.go_on(1)
        best = self._best
        assert best is not None
        evaluations = sum(chain.evaluations for chain in self._chains)
        found = self._checked.found(best, self._start or best, self.bound)
        return replace(
            found, evaluations=evaluations, steps=self._steps, doing=self._doing, priced=self._priced
        )

    @property
    def steps(self) -> int:
        """Steps done."""
        return self._steps

    @property
    def is_over(self) -> bool:
        """Whether going on is of no use: the best plan is proved, or nothing may be changed."""
        return self._has_ended

    @property
    def is_measuring(self) -> bool:
        """Whether the first cycle comes next, and how many steps are to come is not known."""
        return self._is_at_first_cycle and self.horizon is None

    def refine_bound(self, should_stop: Callable[[], bool] = never_stop) -> None:
        """Raise the bound as far as a second allows; in any thread. Raises Cancelled if it has to stop."""
        refined = refined_bound(self._workload, self._cluster, should_stop)
        self.bound = max(self.bound, refined.seconds)
        self.is_refined = True

    def advance(self, steps: int, should_stop: Callable[[], bool] = never_stop) -> Found:
        """Go on, and return what has been found."""
        self.go_on(steps, should_stop)
        return self.found

    def go_on(self, steps: int, should_stop: Callable[[], bool] = never_stop) -> None:
        """Go on by at most so many steps; returns soon after `should_stop` is true."""
        self._left, self._should_stop = steps, should_stop
        if not self._has_ended and steps > 0:
            self._doing = next(self._work, "")
            self._has_ended = not self._doing

    def try_pools(self, should_stop: Callable[[], bool] = never_stop) -> None:
        """Run what BalancedPools finds, unless that has been done or nothing better is needed; no steps."""
        steps = self._steps
        if self.wants_pools and not self._has_ended and not self._is_proved:
            self._left, self._should_stop = 1000, should_stop
            next(self._balance_pools(), None)
        self._steps = steps

    def try_plan(self, plan: Plan, how: str) -> None:
        """Run a plan that was found elsewhere, as a start; no step."""
        row = self._kept.row_of_plan(plan)
        if plan.wakes:
            self._note(self._checked.judged(plan, row, how), keeps=True)
            return
        self._note(Judged(float(self._chains[0].worths(row)[0][0]), row, how), keeps=True)

    def values_of(self, plan: Plan) -> NDArray[np.float64]:
        """Return what a plan is worth on every copy of the durations when it is simulated, (copies,)."""
        return self._checked.values(plan)

    # ---- the search itself, which says what it does at every `yield`, and waits there until it may go on

    def _searching(self) -> Iterator[str]:
        known = len(self._good)
        if self._kept.own is not None:
            if self._kept.plan is not None and self._kept.plan.wakes:
                self.try_plan(self._kept.plan, OWN)
            else:
                yield from self._run_rows([(OWN, self._kept.own)])
            self._start = self._good[-1]
        about = self._workload, self._cluster, self._tasks, self._levers, self._makespan, self._alone
        counts = bool(self._goal.mix[[TARDINESS, LATE]].any() or self._goal.must.any())
        by_deadlines = counts and self._workload.has_deadlines
        yield from self._run_starts(constructive_starts(*about, by_deadlines=by_deadlines))
        self._start = self._start or min(self._good[known:], key=lambda each: each.value)
        if self._may_try_all and not self._is_proved:
            yield from self._try_all_schedules()
        if self._is_priced and not self._is_proved:
            yield from self._price_slots()
        if self._has_makespan and not self._is_proved:
            yield from self._anneal_due_dates()
        self._is_at_first_cycle = True
        if not self._may_go_on():
            yield IMPROVING.format(1)
        while not self._is_proved and len(self._kept.movable):
            yield from self._anneal()
            self._is_at_first_cycle = False
            if self._cycle == 1 and self._may_time_tasks:
                yield from self._time_tasks()
            yield from self._refine_bound()
            if self._cycle == 1 + (len(self._workload.jobs) > FEW_JOBS) and self.wants_pools:
                yield from self._balance_pools()

    def _until_done(self, doing: str, work: Callable[[], T]) -> Generator[str, None, T]:
        """Do what begins anew where it was stopped, a step; return what it returns."""
        while True:
            while not self._may_go_on():
                yield doing
            try:
                done = work()
            except Cancelled:
                yield doing
            else:
                self._count(1)
                return done

    def _try_all_schedules(self) -> Iterator[str]:
        """Search all schedules of few tasks, where tasks may wait for their times; a step."""
        best = self._best
        assert best is not None
        given = self._workload, self._cluster, self._goal, best.value, self.bound
        found = yield from self._until_done(
            ALL_TRIED, lambda: best_starts(*given, should_stop=self._should_stop, compiled=self._compiled)
        )
        if found.plan is not None:
            self._note(best := self._checked.judged(found.plan, best.row, BY_ALL))
        is_best = found.bound > 0 and best.value <= found.bound * PROVED
        self.bound = max(self.bound, best.value if is_best else found.bound)

    def _time_tasks(self) -> Iterator[str]:
        """Improve a schedule of few tasks one by one; a step."""
        best, plan = self._best, None
        assert best is not None
        timed = TimedTasks(self._workload, self._cluster, self._goal)
        for each in timed.improved(self._chains[0].worths(best.row)[1][0], best.plan, self._seed):
            plan = each
            while not self._may_go_on():
                yield TASK_BY_TASK
        assert plan is not None
        self._count(1)
        self._note(self._checked.judged(plan, best.row, TASK_BY_TASK))

    def _price_slots(self) -> Iterator[str]:
        """Find what slots are worth when, and run the plans that follow; a step."""
        jobs = self.objective, self._priced, self._workload, self._cluster, self._alone
        time = self.pricing
        until = (self._should_stop, never_stop) if time is None else (time.must_stop, time.is_enough)
        self._priced = priced = yield from self._until_done(
            PRICING,
            lambda: Priced.of(*jobs, *until, compiled=self._compiled, with_cases=self.wants_cases),
        )
        if time is not None:
            time.is_over()
        self.bound = max(self.bound, priced.bound)
        about = self._tasks, self._usual, self._levers, self._makespan
        starts = [starts_of_prices(ends, *about) for ends in priced.ends]
        if self._by_engine:  # where a run takes long
            begin, after = len(self._good), unless_one_map_is_late(self._tasks, self._usual)
            yield from self._run_starts([s for some in starts for s in promising(some, after, self._cluster)])
            starts = [] if self._is_proved else of_the_best(starts, after, self._good[begin:])
        yield from self._run_starts([start for some in starts for start in some])

    def _refine_bound(self) -> Iterator[str]:
        """Look for a higher bound after the second cycle, which takes up to a second."""
        while self._cycle > 1 and not self.is_refined:
            try:
                self.refine_bound(self._should_stop)
            except Cancelled:
                yield "looking for a higher bound"

    def _balance_pools(self) -> Iterator[str]:
        """Let BalancedPools search its pools, and run them with each lever; its search is a step."""
        given = self._tasks, self._usual, self._compiled, self.pooled_tasks
        while True:
            try:
                pools = balanced_pools(self._workload, self._cluster, *given, self._should_stop)
                break
            except Cancelled:
                yield "looking for pools"
        self._count(1)
        about = self._workload, self._tasks, self._usual, self._levers, self._makespan
        yield from self._run_starts(starts_in_pools(pools, *about))
        self.wants_pools = False

    def _may_go_on(self) -> bool:
        return self._left > 0 and not self._should_stop()

    @property
    def _is_proved(self) -> bool:
        return self._robust is None and self._best is not None and self._best.value <= self.bound * PROVED

    def _run_starts(self, starts: Sequence[PlanStart]) -> Iterator[str]:
        return self._run_rows([(start.how, self._kept.row_of(start)) for start in starts])

    def _run_rows(self, rows: Sequence[tuple[str, PlanColumns]]) -> Iterator[str]:
        """Run plans, some at once in threads, until one is proved; a step each."""
        first = 0
        while first < len(rows):
            if not self._may_go_on():
                yield TRYING
                continue
            some = rows[first : first + min(CHAINS, self._left)]
            worths = np.full(len(some), np.nan)  # of those that have been run, a number

            def run(place: int, some: Sequence[tuple[str, PlanColumns]] = some, to: Floats = worths) -> None:
                if self._stop[0] == 0:
                    to[place] = self._chains[place].worths(some[place][1])[0][0]

            self._in_threads(run, range(len(some)))
            for worth, (how, row) in zip(worths.tolist(), some, strict=True):
                if np.isnan(worth):
                    break
                first += 1
                self._count(1)
                self._note(Judged(worth, row, how), keeps=True)
                if self._is_proved:
                    return

    def _anneal_due_dates(self) -> Iterator[str]:
        """Find due dates in every chain, then run them."""
        demands = []
        for fills in (False, True):
            demands.append(demand_of(self._tasks, self._makespan, fills=fills, worst=0.5))
            while not self._may_go_on():
                yield "giving the jobs due dates"
        demands += [demand._replace(worst=0.1) for demand in demands]
        few = len(self._workload.jobs) <= FEW_JOBS
        moves = DUE_STEPS[few] * DUE_MOVES
        dates = [fresh_due_dates(d, self._seed * CHAINS + i, moves) for i, d in enumerate(demands)]
        anneal = compiled_due_dates() if self._compiled else due_dates.anneal_due_dates
        for _ in range(DUE_STEPS[few]):
            while not self._may_go_on():
                yield "giving the jobs due dates"
            self._in_threads(lambda i: anneal(demands[i], dates[i], DUE_MOVES), range(CHAINS))
            self._count(1)
        found = [each.due[due_dates.BEST] for each in dates]
        given = self._tasks, self._usual, self._levers, self._makespan
        yield from self._run_starts([start for due in found for start in starts_of_due_dates(due, *given)])

    def _anneal(self) -> Iterator[str]:
        """Anneal every chain for a cycle, then note the best."""
        best = self._best
        assert best is not None
        of_many = len(self._workload.jobs) > FEW_JOBS
        is_gentle = self._is_priced
        length = cycles.cycle_length(self._cycle, self.horizon, of_many=of_many)
        length = min(length, GENTLE_LENGTH) if is_gentle else length
        gap = best.value / self.bound - 1 if self.bound > 0 else 1.0
        nearness = min(1.0, max(gap, 1e-7) / NEAR) if of_many and self._cycle > 1 else 1.0
        scale = self.objective.scale(self._makespan, best.value) * nearness
        for place, chain in enumerate(self._chains):
            k = self._cycle * CHAINS + place
            if is_gentle:
                cycle = cycles.nth_gentle_cycle(k, length, self._levers)
                begin = best if of_many else cycles.begins_at(k, self._cycle, best, self._good, of_many=False)
            else:
                cycle = cycles.nth_cycle(k, self._cycle, length, self._levers, of_many=of_many)
                begin = cycles.begins_at(k, self._cycle, best, self._good, of_many=of_many)
            goal = cycles.guided(self._goal, cycle.is_guided and self.objective.name == "makespan")
            chain.begin(begin.row, cycle, self.bound * PROVED, scale, goal)
        target, doing = 0, IMPROVING.format(self._cycle + 1)
        while target < length and not self._is_proved:
            if not self._may_go_on():
                yield doing
                continue
            step = min(self._left, length - target)
            target += step
            while self._to_step(target) < target and not self._is_proved:  # what is missing comes first
                self._left = 0
                yield doing
            self._count(step)
        if is_gentle and of_many and len(self._kept.before) == 0:
            self._join_chains(best)
        self._cycle += 1

    def _join_chains(self, begin: Judged) -> None:
        """Run the best plan with what other chains have improved of other jobs since they began together."""
        for chain in sorted(self._chains, key=lambda each: each.least)[1:]:
            best = self._best
            assert best is not None
            if chain.least >= begin.value or self._is_proved:
                break
            row = cycles.joined(begin.row, best.row, chain.best)
            self._note(Judged(float(chain.worths(row)[0][0]), row, best.how))

    def _to_step(self, target: int) -> int:
        """Let every chain go to a step of its cycle; return the least that one has reached."""
        enough = self.bound * PROVED if self._robust is None else -np.inf
        chain = advance_all(self._chains, target, enough, self._in_threads)
        self._note(Judged(chain.least, chain.best, f"improving the best plans, round {self._cycle + 1}"))
        return min(chain.steps for chain in self._chains)

    # ---- what it is made of

    def _in_threads(self, work: Callable[[Any], object], items: Sequence[Any]) -> None:
        in_threads(work, items, self._compiled, self._should_stop, self._stop)

    def _count(self, steps: int) -> None:
        self._left -= steps
        self._steps += steps

    def _note(self, found: Judged, *, keeps: bool = False) -> None:
        if keeps:
            self._good.append(found)
        if self._best is None or found.value < self._best.value:
            self._best = found

    def _chain(self, place: int) -> PlanChain:
        kept, seed = self._kept, self._seed * CHAINS + place
        jobs = self._usual, kept.movable, kept.before, kept.pools, self._makespan
        given = (self._tasks, self._goal, *jobs, seed, self._compiled, self._stop)
        if not self._by_engine:
            return PlanChain(*given)
        return EngineChain(self._workload, self._cluster, *given, finishes=self._finishes)
