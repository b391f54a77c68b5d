"""Plans run by the ordinary engine, without their schedules, where two passes are not the same.

That is on untyped slots, with overheads, caps or contention, and where maps take no time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine.heartbeats import Heartbeats
from core.engine.loop import PAUSED
from core.engine.state import INF, as_rows, job_column
from core.model.errors import Cancelled
from core.model.progress import never_stop, tell_nobody
from core.model.schedule import PolicyChoice
from core.optimize.annealing import COST as KEPT_COST
from core.optimize.annealing import (
    EVALUATIONS,
    NOW,
    RANDOM,
    STEP,
    TEMPERATURE,
    VALUE,
    all_anew,
    is_over,
    next_limit,
    propose,
    settle,
    take_back,
)
from core.optimize.chains import PlanChain
from core.optimize.plan_columns import PlanColumns, copied_row, plan_of
from core.optimize.plan_costs import guidance, value_of
from core.optimize.released_tasks import KEPT, TRIED
from core.policies.composing.kernel import kernels
from core.policies.policy import SearchControl
from core.policies.resolved_policy import check_slots, follow

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.plan import Plan
    from core.model.workload import Workload
    from core.optimize.annealing import Chain
    from core.optimize.plan_columns import Tasks
    from core.optimize.plan_costs import Goal
    from core.optimize.released_tasks import Passes

INSTANTS = {True: 5000, False: 50}
"""That pass between two looks at whether to stop, compiled and interpreted: about 2 ms."""
CRITICAL = PolicyChoice("critical")


class EngineRuns:
    """Runs of plans on a workload and a cluster."""

    def __init__(self, workload: Workload, cluster: Cluster, compiled: bool) -> None:
        check_slots(workload, cluster)
        self._workload, self._cluster = workload, cluster
        self._compiled = compiled and cluster.overheads is None

    def finish(self, plan: Plan, should_stop: Callable[[], bool] = never_stop) -> NDArray[np.float64]:
        """Return when each job departs, seconds, (jobs,); infinity where a run does not end.

        Raises Cancelled if told to stop.
        """
        effort = SearchControl(self._compiled, tell_nobody, never_stop, lambda *_: ())
        followed = follow(CRITICAL, self._workload, self._cluster, None, None, effort, plan)
        typed = followed.partition is None and not self._cluster.has_containers
        choose, advance = kernels(followed.policy, self._compiled, typed=typed)
        state = followed.first_state(self._workload, self._cluster)
        if not self._compiled:
            state = as_rows(state)
        if self._cluster.overheads is not None:
            advance = Heartbeats(self._cluster.overheads, state)
        while not should_stop() and advance(choose, INF, INSTANTS[self._compiled], state) == PAUSED:
            pass
        if should_stop():
            raise Cancelled("a run of a plan was stopped")
        return np.array(job_column(state, "finish"), np.float64)


class EngineChain(PlanChain):
    """An annealing of plans that the engine runs; moves are drawn as everywhere."""

    def __init__(self, workload: Workload, cluster: Cluster, *given: Any) -> None:
        super().__init__(*given)
        *_, compiled, _ = given
        self._runs = EngineRuns(workload, cluster, compiled)
        self._workload, self._usual = workload, given[2]
        self._run, self._slice = self._search, 1

    def _search(
        self,
        t: Tasks,
        plans: PlanColumns,
        p: Passes,
        g: Goal,
        c: Chain,
        worth: NDArray[np.float64],
        finish: NDArray[np.float64],
        rows: int,
        steps: int,
    ) -> int:
        """Do what `core.optimize.annealing.search_plans` does."""
        done = 0
        while done < rows and self._run_plan(plans, done, p):
            self._judge(t, plans, done, p, g, c, INF)
            worth[done], finish[done] = c.level[VALUE], p.finish[TRIED]
            done += 1
        while rows == 0 and done < steps and not is_over(c):
            limit, tries = INF, True
            random, temperature = c.count[RANDOM], c.level[TEMPERATURE]
            if c.count[STEP] == 0:
                all_anew(c)
            else:
                limit = next_limit(c)
                tries = propose(t, plans, p, c)
            if tries and not self._run_plan(plans, NOW, p):
                c.count[RANDOM], c.level[TEMPERATURE] = random, temperature
                take_back(plans, c)
                break
            kept = tries and self._judge(t, plans, NOW, p, g, c, limit)
            if kept:
                p.finish[KEPT] = p.finish[TRIED]
            settle(plans, c, kept)
            done += 1
        return done

    def _run_plan(self, plans: PlanColumns, row: int, p: Passes) -> bool:
        """Run a plan and write when its jobs end; False if it was stopped."""
        plan = plan_of(copied_row(plans, row), self._workload, self._usual)
        try:
            p.finish[TRIED] = self._runs.finish(plan, lambda: bool(p.stop[0]))
        except Cancelled:
            return False
        return True

    def _judge(
        self, t: Tasks, plans: PlanColumns, row: int, p: Passes, g: Goal, c: Chain, limit: float
    ) -> bool:
        """Whether the plan that was run costs no more than the limit: cost and value are noted then."""
        c.count[EVALUATIONS] += 1
        c.level[VALUE] = INF
        if not np.isfinite(p.finish[TRIED]).all():
            return False
        value = value_of(t, p.finish[TRIED], g)
        cost = value + guidance(t, plans, row, p, g)
        if cost > limit:
            return False
        c.values[0] = c.level[VALUE] = value
        c.level[KEPT_COST] = cost
        return True
