"""Let another policy go on with a run: what has happened stays, what the policy decides begins afresh."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine.fields import field, job_column, set_field, waiting_jobs
from core.engine.free_slot_heaps import free_slots, put_free_slots
from core.engine.state import INF, UNCHANGED, State, snapshot
from core.model.job import MAP, REDUCE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from core.model.workload import TaskColumns

JOB_PROGRESS = ("running", "started", "done", "stage_end", "finish", "slot_time")
POOL_PAIRS = ("running", "waiting", "pending")
CLUSTER_PROGRESS = (
    *("now", "running", "lent", "waiting", "pending", "room", "free"),
    *("arrived", "active", "started", "released", "fillers"),
)


def hand_over(run: State, fresh: State) -> State:
    """Return the state in which `run` goes on under the policy that `fresh` was made for.

    Both are of one kind, columns or rows, of one workload and one cluster, with the tasks in one order.
    Tasks, slots and counts come from `run`; ranks, parameters and whatever a plan writes from `fresh`. The
    free slots of this instant are offered again.
    """
    times = ("duration", "first_shuffle", "typical_shuffle")
    theirs = ("arrivals", "queue", "trees", "keys", "job", "pool", "cluster", *times)
    new = snapshot(run)._replace(**{name: getattr(fresh, name) for name in theirs})
    _carry(run.job, new.job, JOB_PROGRESS)
    _carry([run.cluster], [new.cluster], CLUSTER_PROGRESS)
    waiting = [waiting_jobs(new, kind) for kind in (MAP, REDUCE)]
    for queue, jobs in zip(new.queue, waiting, strict=True):
        queue[: len(jobs)] = jobs
        _link(new, jobs)
    _count_pools(new, waiting)
    put_free_slots(new, free_slots(run))
    return new


def switched_task_order(
    columns: TaskColumns,
    before: NDArray[np.int32] | None,
    after: NDArray[np.int32] | None,
    started: NDArray[np.int32],
) -> NDArray[np.int32] | None:
    """Return the tasks of every stage: first those that have started, as they did, then the others.

    Parameters
    ----------
    before, after : the orders of the old policy, and of the new one, (tasks,); None for by number
    started : how many tasks of each stage have started, (jobs, 2)
    """
    if before is None and after is None:
        return None
    by_number = np.arange(len(columns.job), dtype=np.int32)
    before, after = by_number if before is None else before, by_number if after is None else after
    number = by_number - columns.first[columns.job, columns.kind]
    begun = before[number < started[columns.job, columns.kind]]
    place = np.empty(len(after), np.int64)
    place[after] = by_number
    place[begun] = np.arange(-len(begun), 0)  # before all others
    return np.lexsort((place, columns.kind, columns.job)).astype(np.int32)


def _count_pools(state: State, waiting: list[list[int]]) -> None:
    """Count anew what each pool has: the pools need not be those of the old policy."""
    counts: list[dict[str, Any]] = [
        {"active": 0, "slot_time": 0.0, **{name: [0, 0] for name in POOL_PAIRS}} for _ in state.pool
    ]
    names = ("pool", "running", "tasks", "started", "finish", "slot_time")
    pool, running, tasks, started, finish, slot_time = (job_column(state, name).tolist() for name in names)
    for j in state.arrivals[: field(state.cluster, "arrived")]:
        counts[pool[j]]["active"] += finish[j] == INF
        counts[pool[j]]["slot_time"] += slot_time[j]
        for kind in (MAP, REDUCE):
            counts[pool[j]]["running"][kind] += running[j][kind]
    for kind, jobs in enumerate(waiting):
        for j in jobs:
            counts[pool[j]]["waiting"][kind] += 1
            counts[pool[j]]["pending"][kind] += tasks[j][kind] - started[j][kind]
    for record, count in zip(state.pool, counts, strict=True):
        for name, value in count.items():
            set_field(record, name, value)


def _carry(source: Iterable[Any], target: Iterable[Any], names: tuple[str, ...]) -> None:
    """Copy fields of records."""
    for old, new in zip(source, target, strict=True):
        for name in names:
            set_field(new, name, deepcopy(field(old, name)))


def _link(state: State, jobs: list[int]) -> None:
    """Let a policy that keeps the jobs' answers ask these jobs, as `core.engine.loop.note_change` does."""
    for j in jobs:
        if field(state.job[j], "changed") == UNCHANGED:
            set_field(state.job[j], "changed", field(state.cluster, "changed"))
            set_field(state.cluster, "changed", j)
