"""Plans run by the ordinary engine, without their schedules, where two passes are not the same.

That is on untyped slots, with overheads or contention, where maps take no time, where jobs are graphs of
stages and where they follow others.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine.loop import PAUSED
from core.engine.state import INF, as_rows, job_column
from core.engine.variants import RunKind
from core.model.errors import Cancelled
from core.model.progress import never_stop, no_progress
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.optimize.annealing import all_anew, is_over, next_limit, propose, settle
from core.optimize.chains import PlanChain
from core.optimize.levers import GIVEN, PLAN_FIELDS, PlanColumns, copied_row, plan_of, take_back
from core.optimize.plan_costs import guidance, value_of, value_of_copies
from core.optimize.search_columns import COST, EVALUATIONS, KEPT, NOW, RANDOM, STEP, TEMPERATURE, TRIED, VALUE
from core.policies.composing.kernel import kernels
from core.policies.critical import figures_of, task_keys
from core.policies.policy import SearchControl
from core.policies.resolved_policy import ResolvedPolicy, check_slots, follow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.plan import Plan
    from core.model.workload import Workload
    from core.optimize.plan_costs import Goal
    from core.optimize.search_columns import Chain, Passes, Tasks

    Floats = NDArray[np.float64]

INSTANTS = {True: 5000, False: 50}
"""That pass between two looks at whether to stop, compiled and interpreted: about 2 ms."""
CRITICAL, FIFO = PolicyChoice("critical"), PolicyChoice("fifo")


class EngineRuns:
    """Runs of plans on a workload and a cluster."""

    def __init__(self, workload: Workload, cluster: Cluster, compiled: bool) -> None:
        check_slots(workload, cluster)
        self._workload, self._cluster = workload, cluster
        self._compiled = compiled

    def follow(self, plan: Plan | None) -> ResolvedPolicy:
        """Return what a run of a plan follows; without one, of FIFO."""
        effort = SearchControl(self._compiled, no_progress, never_stop, lambda *_: ())
        choice = FIFO if plan is None else CRITICAL
        return follow(choice, self._workload, self._cluster, None, None, effort, plan)

    def finish(
        self,
        followed: ResolvedPolicy,
        workload: Workload | None = None,
        should_stop: Callable[[], bool] = never_stop,
    ) -> Floats:
        """Return when each job departs, seconds, (jobs,); infinity where a run does not end.

        Parameters
        ----------
        workload : the same jobs with other durations than the plan was made for

        Raises
        ------
        Cancelled
            `should_stop` said so
        """
        has_pools, located = followed.partition is not None, self._workload.inputs is not None
        kind = RunKind.of(self._cluster, has_pools=has_pools, located=located)
        choose, advance = kernels(followed.policy, self._compiled, kind)
        state = followed.first_state(workload or self._workload, self._cluster)
        if not self._compiled:
            state = as_rows(state)
        while not should_stop() and advance(choose, INF, INSTANTS[self._compiled], state) == PAUSED:
            pass
        if should_stop():
            raise Cancelled("a run of a plan was stopped")
        return np.array(job_column(state, "finish"), np.float64)


class EngineChain(PlanChain):
    """An annealing of plans that the engine runs; moves are drawn as everywhere.

    Parameters
    ----------
    finishes : simulates a plan in another way, until told to stop; None for from the beginning on
    """

    def __init__(
        self,
        workload: Workload,
        cluster: Cluster,
        *given: Any,
        finishes: Callable[[Plan, Callable[[], bool]], Floats] | None = None,
    ) -> None:
        super().__init__(*given)
        self._finishes = finishes
        tasks, *_, compiled, _ = given
        self._runs = EngineRuns(workload, cluster, compiled)
        self._workload, self._usual = workload, given[2]
        self._copies = [with_times(workload, tasks, copy) for copy in range(len(tasks.duration))]
        of_all = workload.columns
        lengths = of_all.duration + of_all.typical_shuffle
        self._longest = np.lexsort((-lengths, of_all.stage))  # first in each stage, whatever is due
        self._followed: dict[bytes, ResolvedPolicy] = {}
        self._run, self._slice = self._search, 1

    def _search(
        self,
        t: Tasks,
        plans: PlanColumns,
        p: Passes,
        g: Goal,
        c: Chain,
        worth: Floats,
        finish: Floats,
        rows: int,
        steps: int,
    ) -> int:
        """Do what `core.optimize.annealing.search_plans` does."""
        done, random, temperature = 0, c.count[RANDOM], c.level[TEMPERATURE]
        try:
            while done < rows:
                self._try(t, plans, done, p, g, c, INF)
                worth[done], finish[done] = c.level[VALUE], p.finish[TRIED]
                done += 1
            while rows == 0 and done < steps and not is_over(c):
                random, temperature = c.count[RANDOM], c.level[TEMPERATURE]
                limit, tries = INF, True
                if c.count[STEP] == 0:
                    all_anew(c)
                else:
                    limit = next_limit(c)
                    tries = propose(t, plans, p, c)
                kept = tries and self._try(t, plans, NOW, p, g, c, limit)
                if kept:
                    p.finish[KEPT] = p.finish[TRIED]
                settle(plans, c, kept)
                done += 1
        except Cancelled:
            if rows == 0:
                c.count[RANDOM], c.level[TEMPERATURE] = random, temperature
                take_back(plans, c)
        return done

    def _try(
        self, t: Tasks, plans: PlanColumns, row: int, p: Passes, g: Goal, c: Chain, limit: float
    ) -> bool:
        """Run a plan; whether it costs no more than the limit: its cost and value are noted then."""
        c.level[VALUE] = INF
        for copy, finish in enumerate(self._finish(t, plans, row, lambda: bool(p.stop[0]))):
            p.finish[TRIED] = finish
            ends = np.isfinite(p.finish[TRIED]).all()
            c.values[copy] = value_of(t.arrival, p.finish[TRIED], g) if ends else INF
        c.count[EVALUATIONS] += 1
        value = value_of_copies(g, c.values, len(self._copies))
        cost = value + guidance(t, plans, row, p, g)
        if not np.isfinite(value) or cost > limit:
            return False
        c.level[VALUE], c.level[COST] = value, cost
        return True

    def _finish(
        self, t: Tasks, plans: PlanColumns, row: int, should_stop: Callable[[], bool]
    ) -> Iterator[Floats]:
        """Run a plan; yield when each job ends, on every copy of the durations."""
        if self._finishes is not None:
            yield self._finishes(plan_of(copied_row(plans, row), self._workload, self._usual), should_stop)
            return
        followed = self._follow(t, plans, row)
        for workload in self._copies:
            yield self._runs.finish(followed, workload, should_stop)

    def _follow(self, t: Tasks, plans: PlanColumns, row: int) -> ResolvedPolicy:
        """Return what a run of a plan follows; what is the same for all plans is worked out once."""
        pools = plans.pool[row].tobytes() + plans.slots[row].tobytes()
        if pools not in self._followed:
            plan = plan_of(copied_row(plans, row), self._workload, self._usual)
            self._followed = {pools: self._runs.follow(plan)}
        known = self._followed[pools]
        place = np.argsort(plans.served[row])
        figures = known.figures | figures_of({name: getattr(plans, name)[row] for name in PLAN_FIELDS})
        figures["place_in_plan"] = place
        columns = known.assumed.columns
        stage = columns.job, columns.kind
        length = columns.duration + columns.typical_shuffle
        tasks = figures["tasks_of"][stage]
        key, _ = task_keys(length, figures["due_of"][stage], tasks)
        order = np.where(tasks == GIVEN, np.arange(len(tasks)), self._longest)
        return replace(
            known,
            rank=place.astype(np.int32),
            figures=figures,
            task_order=order.astype(np.int32),
            task_key=key,
        )


def with_times(workload: Workload, t: Tasks, copy: int) -> Workload:
    """Return the workload with a copy of the durations; jobs that scan datasets then only have maps."""
    if len(t.duration) == 1:
        return workload

    columns = workload.columns
    by_type = np.lexsort((columns.kind, columns.job))  # as `t` has them
    place = np.empty(t.tasks, np.int64)
    place[by_type] = np.arange(t.tasks)

    def stage(j: int, k: int) -> Stage:
        g = columns.stages.begin[j] + k
        first, count = columns.stages.first[g], int(columns.stages.count[g])
        tasks = place[first : first + count]
        times = (column[copy, tasks] for column in (t.duration, t.first_shuffle, t.typical_shuffle))
        return Stage.of(count, *times) if count else Stage.of(0)

    scans_nothing: dict[str, Any] = {"dataset": None, "blocks": (), "min_slots": 0, "max_slots": None}
    return workload.with_jobs(
        replace(job, stages=tuple(stage(j, k) for k in range(len(job.stages))), **scans_nothing)
        for j, job in enumerate(workload.jobs)
    )
