"""Plans run by the ordinary engine, without their schedules, where two passes are not the same.

That is on untyped slots, with overheads, caps or contention, and where maps take no time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine.heartbeats import Heartbeats
from core.engine.loop import PAUSED
from core.engine.state import INF, as_rows, job_column
from core.model.progress import never_stop, tell_nobody
from core.model.schedule import PolicyChoice
from core.optimize.annealing import COST as KEPT_COST
from core.optimize.annealing import EVALUATIONS, NOW, STEP, VALUE, is_over, next_limit, propose, settle
from core.optimize.chains import PlanChain
from core.optimize.plan_columns import PlanColumns, copied_row, plan_of
from core.optimize.plan_costs import guidance, value_of
from core.optimize.released_tasks import KEPT, TRIED
from core.policies.composing.kernel import kernels
from core.policies.policy import SearchControl
from core.policies.resolved_policy import check_slots, follow

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.plan import Plan
    from core.model.workload import Workload
    from core.optimize.annealing import Chain
    from core.optimize.plan_columns import Tasks
    from core.optimize.plan_costs import Goal
    from core.optimize.released_tasks import Passes

INSTANTS = 1 << 60
CRITICAL = PolicyChoice("critical")


class EngineRuns:
    """Runs of plans on a workload and a cluster."""

    def __init__(self, workload: Workload, cluster: Cluster, compiled: bool) -> None:
        check_slots(workload, cluster)
        self._workload, self._cluster = workload, cluster
        self._compiled = compiled and cluster.overheads is None

    def finish(self, plan: Plan) -> NDArray[np.float64]:
        """Return when each job departs, seconds, (jobs,); infinity where a run does not end."""
        effort = SearchControl(self._compiled, tell_nobody, never_stop, lambda *_: ())
        followed = follow(CRITICAL, self._workload, self._cluster, None, None, effort, plan)
        typed = followed.partition is None and not self._cluster.has_containers
        choose, advance = kernels(followed.policy, self._compiled, typed=typed)
        state = followed.first_state(self._workload, self._cluster)
        if not self._compiled:
            state = as_rows(state)
        if self._cluster.overheads is not None:
            advance = Heartbeats(self._cluster.overheads, state)
        while advance(choose, INF, INSTANTS, state) == PAUSED:
            pass
        return np.array(job_column(state, "finish"), np.float64)


class EngineChain(PlanChain):
    """An annealing of plans that the engine runs; moves are drawn as everywhere."""

    def __init__(self, workload: Workload, cluster: Cluster, *given: Any) -> None:
        super().__init__(*given)
        *_, compiled = given
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
        for row in range(rows):
            self._try(t, plans, row, p, g, c, INF)
            worth[row], finish[row] = c.level[VALUE], p.finish[TRIED]
        done = 0
        while rows == 0 and done < steps and not is_over(c):
            is_first = c.count[STEP] == 0
            limit = INF if is_first else next_limit(c)
            kept = (is_first or propose(t, plans, p, c)) and self._try(t, plans, NOW, p, g, c, limit)
            if kept:
                p.finish[KEPT] = p.finish[TRIED]
            settle(plans, c, kept)
            done += 1
        return rows + done

    def _try(
        self, t: Tasks, plans: PlanColumns, row: int, p: Passes, g: Goal, c: Chain, limit: float
    ) -> bool:
        """Run a plan; whether it costs no more than the limit: its cost and value are noted then."""
        c.count[EVALUATIONS] += 1
        c.level[VALUE] = INF
        p.finish[TRIED] = self._runs.finish(plan_of(copied_row(plans, row), self._workload, self._usual))
        if not np.isfinite(p.finish[TRIED]).all():
            return False
        value = value_of(t, p.finish[TRIED], g)
        cost = value + guidance(t, plans, row, p, g)
        if cost > limit:
            return False
        c.values[0] = c.level[VALUE] = value
        c.level[KEPT_COST] = cost
        return True
