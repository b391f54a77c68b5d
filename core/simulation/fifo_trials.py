"""Runs under FIFO that others ask for: each job alone, and some jobs on slots of their own.

A trial costs the event loop and little else: the workload's columns are shared, and the state is put back to
its beginning instead of made anew.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine.fresh_state import fresh_state
from core.engine.loop import DONE
from core.engine.state import END, INF, as_rows, idle_tree, job_column, records_of
from core.model.errors import Cancelled
from core.model.job import MAP, REDUCE
from core.policies.composing.kernel import kernels
from core.policies.policy import Policy
from core.simulation.engine_selection import use_compiled

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.engine.state import State
    from core.model.cluster import Cluster
    from core.model.workload import Workload


INSTANTS_PER_SLICE = {True: 200_000, False: 2_000}
"""Between two looks at whether to stop, compiled and interpreted: 50 ms."""


THREADS = 2
"""Of one compiled search; interpreted code runs one thread at a time anyway."""


def pool_trials(workload: Workload, cluster: Cluster, compiled: bool) -> list[PoolTrials]:
    """Return what a search for balanced pools asks, one for each thread that it may use."""
    return [PoolTrials(workload, cluster, compiled) for _ in range(THREADS if compiled else 1)]


class PoolTrials:
    """Makespans on parts of one cluster; for one thread at a time."""

    def __init__(self, workload: Workload, cluster: Cluster, compiled: bool) -> None:
        self._choose, self._advance = kernels(Policy, compiled, typed=True)
        self._compiled = compiled
        ranks = np.zeros(len(workload.jobs), np.int32)
        self._state = fresh_state(workload.columns, cluster, ranks, pools=len(workload.pools), lends=False)
        self._job = self._state.job.copy()
        self._arrival = workload.columns.arrival
        self._trees: dict[int, NDArray[np.int32]] = {}

    def __call__(
        self, jobs: NDArray[np.int64], slots: tuple[int, int], should_stop: Callable[[], bool]
    ) -> float:
        """Return when the last of these jobs departs, in seconds; they are served in this order.

        Raises Cancelled if `should_stop` says so.
        """
        state = self._beginning(jobs, slots)
        if not self._compiled:
            state = as_rows(state)
        while self._advance(self._choose, INF, INSTANTS_PER_SLICE[self._compiled], state) != DONE:
            if should_stop():
                raise Cancelled("the simulation of a pool was cancelled")
        return float(job_column(state, "finish")[jobs].max())

    def _beginning(self, jobs: NDArray[np.int64], slots: tuple[int, int]) -> State:
        """Return the state before anything has happened; the columns of tasks may hold an older trial."""
        state = self._state
        state.job.view(np.uint8)[:] = self._job.view(np.uint8)  # at once, not field by field
        state.job["rank"][jobs] = np.arange(len(jobs))
        state.pool["active"] = state.pool["running"] = state.pool["waiting"] = 0
        self._empty(state.cluster, slots)
        state.free[MAP, : slots[MAP]] = np.arange(slots[MAP])
        state.free[REDUCE, : slots[REDUCE]] = np.arange(slots[MAP], sum(slots))
        tree = self._idle_tree(sum(slots))
        leaves = len(tree) // 2
        state.finish[:leaves] = np.inf
        state.tree[: len(tree)] = tree
        return state._replace(
            arrivals=jobs[np.argsort(self._arrival[jobs], kind="stable")].astype(np.int32),
            tree=state.tree[: len(tree)],
            finish=state.finish[:leaves],
        )

    def _empty(self, cluster: Any, slots: tuple[int, int]) -> None:
        for name in ("now", "running", "waiting", "arrived", "active", "started", "released", "fillers"):
            cluster[name] = 0
        cluster["head"] = cluster["pending"] = 0
        cluster["changed"] = END
        cluster["slots"] = cluster["free"] = cluster["room"] = slots
        cluster["offered"] = 0

    def _idle_tree(self, slots: int) -> NDArray[np.int32]:
        leaves = 1 << max(1, (slots - 1).bit_length())
        if leaves not in self._trees:
            self._trees[leaves] = idle_tree(leaves)
        return self._trees[leaves]


ALL_INSTANTS = 1 << 60


@lru_cache(maxsize=16)
def isolated_runtimes(workload: Workload, cluster: Cluster) -> NDArray[np.float64]:
    """Return each job's time from arrival to departure when nothing else runs, T_J of 001 section V, (jobs,).

    Kept for the workloads last asked for: another order or policy does not compute it again. The jobs run one
    by one through the same state: after each, all slots are free again.
    """
    jobs = len(workload.jobs)
    typed = not cluster.has_containers
    compiled = use_compiled(workload, typed=typed)
    choose, advance = kernels(Policy, compiled, typed=typed)
    ranks = np.arange(jobs, dtype=np.int32)
    state = fresh_state(workload.columns, cluster, ranks, pools=len(workload.pools), lends=False)
    state.job["arrival"] = 0
    if not compiled:
        state = as_rows(state)
    cluster_record = records_of(state).cluster
    for job in range(jobs):
        # the clock goes back; everything else is as at the start, since the last job has departed
        cluster_record.now, cluster_record.arrived, cluster_record.started = 0.0, 0, 0
        only = np.array([job], np.int32)
        advance(choose, INF, ALL_INSTANTS, state._replace(arrivals=only if compiled else only.tolist()))
    alone = np.array(job_column(state, "finish"))
    alone.flags.writeable = False
    return alone
