"""Runs under FIFO for other modules: each job alone, and some jobs on slots of their own.

A trial costs the event loop and little else: the workload's columns are shared, and the state is put back to
its beginning instead of made anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine.fresh_state import free_slots, fresh_state
from core.engine.loop import DONE
from core.engine.state import END, INF, as_rows, idle_tree, job_column, leaves_for, records_of
from core.engine.variants import TYPED, RunKind
from core.model.errors import Cancelled
from core.model.kept_answers import kept
from core.model.kept_read_only import read_only
from core.model.slots_that_stay import with_slots_that_stay
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
    """Return the trials of a search for balanced pools, one for each thread that it may use."""
    return [PoolTrials(workload, cluster, compiled) for _ in range(THREADS if compiled else 1)]


class PoolTrials:
    """Makespans on parts of one cluster; for one thread at a time."""

    def __init__(self, workload: Workload, cluster: Cluster, compiled: bool) -> None:
        self._choose, self._advance = kernels(Policy, compiled, TYPED)
        self._compiled = compiled
        ranks = np.zeros(len(workload.jobs), np.int32)
        self._state = fresh_state(workload.columns, cluster, ranks, pools=len(workload.pools), lends=False)
        self._fresh = {name: getattr(self._state, name).copy() for name in ("job", "stage", "edge")}
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
        for name, fresh in self._fresh.items():
            getattr(state, name).view(np.uint8)[:] = fresh.view(np.uint8)  # at once, not field by field
        job_column(state, "rank")[jobs] = np.arange(len(jobs))
        state.pool["active"] = state.pool["running"] = state.pool["waiting"] = 0
        self._empty(state.cluster, slots)
        state.free[:] = free_slots(slots, state.free.shape[1])
        tree = self._idle_tree(sum(slots))
        leaves = len(tree) // 2
        ends: Any = state.finish
        all_trees: Any = state.tree
        ends[:leaves], all_trees[: len(tree)] = np.inf, tree
        return state._replace(
            arrivals=jobs[np.argsort(self._arrival[jobs], kind="stable")].astype(np.int32),
            tree=all_trees[: len(tree)],
            finish=ends[:leaves],
        )

    def _empty(self, cluster: Any, slots: tuple[int, int]) -> None:
        for name in (
            "now",
            "running",
            "waiting",
            "arrived",
            "active",
            "started",
            "released",
            "fillers",
            "backlog",
        ):
            cluster[name] = 0
        cluster["head"] = cluster["pending"] = 0
        cluster["changed"] = END
        cluster["slots"] = cluster["free"] = cluster["room"] = slots
        cluster["first_reduce"] = slots[0]
        cluster["offered"] = 0

    def _idle_tree(self, slots: int) -> NDArray[np.int32]:
        leaves = leaves_for(slots)
        if leaves not in self._trees:
            self._trees[leaves] = idle_tree(leaves)
        return self._trees[leaves]


ALL_INSTANTS = 1 << 60


@kept(16)
def isolated_runtimes(workload: Workload, cluster: Cluster) -> NDArray[np.float64]:
    """Return each job's time from arrival to departure when nothing else runs, T_J of 001 section V, (jobs,).

    On slots that come and go, as if they were there all the time. Kept for the workloads last asked for:
    another order or policy does not compute it again. A job none of whose tasks waits for a slot needs no
    run; all such are computed together, to the same bits.
    """
    cluster = with_slots_that_stay(cluster)
    state = fresh_state(
        workload.columns,
        cluster,
        np.arange(len(workload.jobs), dtype=np.int32),
        pools=len(workload.pools),
        lends=False,
    )
    alone = _without_waiting(state)
    waits = ~_finds_slots_at_once(state)
    if waits.any():
        alone[waits] = _run_alone(workload, cluster, state, np.flatnonzero(waits).astype(np.int32))
    return read_only(alone)


def _finds_slots_at_once(state: State) -> NDArray[np.bool_]:
    """Return which jobs have a slot for each of their tasks, and so never wait alone, (jobs,)."""
    tasks, cluster = job_column(state, "tasks"), state.cluster
    if cluster["nodes"]:
        return np.zeros(len(tasks), np.bool_)  # maps on one node may slow one another
    has_tasks: NDArray[np.bool_] = tasks.sum(axis=1) > 0
    if cluster["containers"]:
        fits: NDArray[np.bool_] = tasks.sum(axis=1) <= cluster["slots"].sum()
    else:
        fits = (tasks <= cluster["slots"]).all(axis=1)
    return has_tasks & fits


def _without_waiting(state: State) -> NDArray[np.float64]:
    """Return when each job would depart if it began at 0 with a slot for each task, (jobs,).

    The sums are those of the event loop, so they have the same bits.
    """
    job: Any = state.job
    overlap = bool(state.cluster["overlap"])
    first_map, first_reduce = job["first"].astype(np.int64).T
    maps, reduces = job["tasks"].astype(np.int64).T
    map_end = state.typical_shuffle + state.duration
    stage_end = _greatest(map_end, first_map, maps)
    after = job["reduce_after"]
    begins = np.where(after >= maps, stage_end, 0.0)
    early = np.flatnonzero((after > 0) & (after < maps) & (reduces > 0))
    begins[early] = [
        np.partition(map_end[low : low + count], nth - 1)[nth - 1]
        for low, count, nth in zip(*(each[early].tolist() for each in (first_map, maps, after)), strict=True)
    ]
    of_reduce = np.repeat(np.arange(len(job)), reduces)
    tasks = np.repeat(first_reduce - _before(reduces), reduces) + np.arange(len(of_reduce))
    own = begins[of_reduce] + state.typical_shuffle[tasks]
    filler = stage_end[of_reduce] + state.first_shuffle[tasks]
    filler = np.maximum(filler, own) if overlap else filler
    shuffled = np.where(begins[of_reduce] < stage_end[of_reduce], filler, own)
    last = _greatest(shuffled + state.duration[tasks], _before(reduces), reduces)
    return np.where(reduces > 0, last, stage_end)


def _before(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how many tasks all jobs before each one have, (jobs,)."""
    return np.cumsum(counts) - counts


def _greatest(
    values: NDArray[np.float64], first: NDArray[np.int64], count: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the greatest of so many values from `first` on, 0 of none, (jobs,)."""
    greatest = np.zeros(len(first))
    some = np.flatnonzero(count)
    edges = np.stack([first[some], first[some] + count[some]], axis=1).ravel()
    if len(some):
        greatest[some] = np.maximum.reduceat(np.append(values, 0.0), edges)[::2]
    return greatest


def _run_alone(
    workload: Workload, cluster: Cluster, state: State, jobs: NDArray[np.int32]
) -> NDArray[np.float64]:
    """Return when each of these jobs departs that begins at 0 and alone, (these,).

    They run one by one through the same state: after each, all slots are free again.
    """
    kind = RunKind(typed=not cluster.has_containers)
    compiled = use_compiled(workload, kind=kind)
    choose, advance = kernels(Policy, compiled, kind)
    state.job["arrival"] = 0
    if not compiled:
        state = as_rows(state)
    cluster_record = records_of(state).cluster
    for job in jobs:
        # the clock goes back; everything else is as at the start, since the last job has departed
        cluster_record.now, cluster_record.arrived, cluster_record.started = 0.0, 0, 0
        only = np.array([job], np.int32)
        advance(choose, INF, ALL_INSTANTS, state._replace(arrivals=only if compiled else only.tolist()))
    alone: NDArray[np.float64] = job_column(state, "finish")[jobs]
    return alone
