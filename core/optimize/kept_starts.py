"""Starts as a search may use them: with pins, precedences and pools that must be kept."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np

from core.model.errors import InputError, UnknownName, shorten
from core.model.partition import check_partition
from core.model.plan import Plan, check_plan
from core.optimize.levers import LATEST_START, LONGEST, PLAN_FIELDS, PlanColumns, columns_of, copied_row
from core.optimize.search_columns import usual_after
from core.optimize.starts import row_of
from core.policies.orders import order_of_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.optimize.constraints import Constraints
    from core.optimize.search_columns import Tasks
    from core.optimize.starts import PlanStart

    Ints = NDArray[np.int64]


class KeptStarts:
    """What a search begins with, and what it has to keep.

    Attributes
    ----------
    plan : the plan or order that was given, None for none
    own : the same as a row
    pinned : indices of the jobs that stay as they are
    before : pairs of jobs, of which one goes before the other, (pairs, 2)
    pools : number of pools that rows have room for
    """

    def __init__(
        self,
        workload: Workload,
        cluster: Cluster,
        t: Tasks,
        constraints: Constraints,
        start: Plan | Sequence[str] | None,
        pools: int,
    ) -> None:
        self._workload, self._tasks = workload, t
        self._usual = usual_after(t, cluster)
        self._has_nodes = cluster.has_nodes
        self._partition = constraints.partition
        if self._partition is not None:
            check_partition(self._partition, workload, cluster)
            pools = len(self._partition.pools)
        if start is None or isinstance(start, Plan):
            plan = start
        else:
            plan = Plan.of_order(workload.jobs[j].name for j in order_of_names(workload, list(start)))
        names = set(constraints.pinned) | set(plan.pinned if plan else ())
        if names and plan is None:
            plan = Plan.of_order(workload.input_order)
        if plan is not None:
            check_plan(plan, workload, cluster)
            if plan.wakes and (names or len(constraints.before) or self._partition is not None):
                raise InputError(
                    "the plan says when each task starts, so no job of it can be kept where it is; "
                    "leave its starts out, or search without pins, precedences and pools"
                )
            plan = plan.completed(workload)
            pools = max(pools, len(plan.partition.pools) if plan.partition and not self._partition else 1)
        self.pools = pools
        self.pinned = {self._index(name) for name in names}
        pairs = [(self._index(a), self._index(b)) for a, b in constraints.before]
        self.before: Ints = np.array(pairs, np.int64).reshape(-1, 2)
        self._ordered(np.arange(len(workload.jobs)))
        self.plan = plan
        self._base = None if plan is None else self._widened(columns_of([plan], workload, self._usual, t))
        self.own = None
        if self._base is not None and start is not None:
            self.own = self.kept(copied_row(self._base, 0))

    @property
    def is_free(self) -> bool:
        """Whether nothing must be kept."""
        return not self.pinned and len(self.before) == 0 and self._partition is None

    @property
    def movable(self) -> Ints:
        """The jobs that may be changed."""
        return np.array([j for j in range(len(self._workload.jobs)) if j not in self.pinned], np.int64)

    def row_of(self, start: PlanStart) -> PlanColumns:
        """Return a start as a row that keeps what must be kept."""
        return self.kept(row_of(start, self._tasks, self.pools))

    def row_of_plan(self, plan: Plan) -> PlanColumns:
        """Return a plan of the same jobs as a row that keeps what must be kept."""
        return self.kept(self._widened(columns_of([plan], self._workload, self._usual, self._tasks)))

    def kept(self, row: PlanColumns) -> PlanColumns:
        """Change a plan, a row of its own, such that it keeps what must be kept; return it."""
        row.room[:] *= self._has_nodes
        if self._partition is not None:
            plan = Plan(Plan.of_order(self._partition.jobs).jobs, self._partition)
            pools = columns_of([plan], self._workload, self._usual, self._tasks)
            row.pool[:], row.slots[:] = pools.pool, pools.slots
        if len(self.before):
            due = row.due[0, row.served[0], self._tasks.root]
            order = self._ordered(row.served[0][np.argsort(due, kind="stable")])
            values = np.arange(len(order)) + 1.0 - len(order)
            row.served[0] = order
            row.due[0, order] = values[:, None]
            row.tasks[row.tasks == LATEST_START] = LONGEST
        if self.pinned and self._base is not None:
            self._pin(row, self._base)
        return row

    def _pin(self, row: PlanColumns, base: PlanColumns) -> None:
        """Give the other jobs the due dates of those that stand at their places in the plan with the pins."""
        for stage in range(row.due.shape[2]):
            order = np.argsort(row.due[0, :, stage], kind="stable")
            row.due[0, order, stage] = np.sort(base.due[0, :, stage])
        pinned = sorted(self.pinned)
        for column in PLAN_FIELDS:
            getattr(row, column)[0, pinned] = getattr(base, column)[0, pinned]
        row.served[0] = base.served[0]
        if self._partition is None:
            row.pool[:], row.slots[:] = base.pool, base.slots

    def _widened(self, row: PlanColumns) -> PlanColumns:
        """Return a row with room for all pools."""
        slots = np.zeros((1, self.pools, row.slots.shape[2]), np.int64)
        if self._partition is None:
            slots[:, : row.slots.shape[1]] = row.slots
            return row._replace(slots=slots)
        return row._replace(slots=slots, pool=np.zeros_like(row.pool))

    def _index(self, name: str) -> int:
        if name not in self._workload.job_index:
            raise UnknownName("job", name, self._workload.job_index)
        return self._workload.job_index[name]

    def _circle(self, left: Sequence[int]) -> str:
        """Return which jobs go round in a circle, among those of which each waits for another one."""
        first = {int(b): int(a) for a, b in self.before if int(a) in left}
        round_, job = [], left[0]
        while job not in round_:
            round_.append(job)
            job = first[job]
        names = [shorten(self._workload.jobs[j].name) for j in (job, *reversed(round_[round_.index(job) :]))]
        return ", and ".join(f"{a} is to go before {b}" for a, b in itertools.pairwise(names))

    def _ordered(self, order: Ints) -> Ints:
        """Return the jobs as near to an order as precedences let them be; InputError for a circle."""
        if len(self.before) == 0:
            return order
        left, served = order.tolist(), []
        while left:
            waiting = {int(b) for a, b in self.before if int(a) in left}
            free = [j for j in left if j not in waiting]
            if not free:
                raise InputError(f"{self._circle(left)}; no order can be so, give up one of these rules")
            served.append(free[0])
            left.remove(free[0])
        return np.array(served, np.int64)
