"""Rows of a chart that belong to pools instead of slots: what each pool holds stands together.

Under a policy that shares slots no slot belongs to a pool, so the tasks of a pool lie all over the cluster.
Here every task gets the lowest row of its pool that is free when it starts: the number of rows in use is the
number of slots that the pool holds. Rows are numbered pool by pool, in each the rows on map slots before
those on reduce slots; what runs on a slot of the other type stays there, borrowed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine import loop
from core.engine.jit import Kept, Kernel, compiled, compiled_is_ready, named_by_sources, numba
from core.engine.loop import put_slot, take_slot
from core.model.job import MAP, REDUCE
from core.model.partition import pools_in_use
from core.model.schedule import SlotOrder

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.schedule import Schedule


EITHER = 2
"""The type of slots that serve both kinds of task."""

WORTH_LOADING = 50_000
"""Tasks from which loading the compiled packing beats interpreting it."""


@dataclass(frozen=True, slots=True)
class PoolRows:
    """The rows of one pool on slots of one type.

    Attributes
    ----------
    pool : index of the pool
    slot_kind : MAP, REDUCE, or EITHER on containers and nodes
    first, rows : the first row and how many: the most slots of the type that the pool held at once
    """

    pool: int
    slot_kind: int
    first: int
    rows: int


@dataclass(frozen=True)
class RowsByPool:
    """Every task of a schedule in a row of its pool.

    Attributes
    ----------
    names : of all pools, those without rows too
    jobs : how many jobs each pool has, (pools,)
    finish : when the last job of each pool departs, in seconds, 0 without jobs, (pools,)
    bands : those that have rows, top to bottom
    row : of each task, -1 for one that has not started, int32 (tasks,)
    order : the tasks row by row
    """

    names: tuple[str, ...]
    jobs: NDArray[np.int64]
    finish: NDArray[np.float64]
    bands: tuple[PoolRows, ...]
    row: NDArray[np.int32]
    order: SlotOrder


def shares_slots(schedule: Schedule) -> bool:
    """Whether rows by pool tell anything: else pools have slots of their own, or a log says who ran where."""
    return schedule.partition is None and schedule.record is None


def rows_by_pool(schedule: Schedule) -> RowsByPool:
    """Return a schedule's tasks arranged by pool; kept with the schedule, as a chart may ask again."""
    known: RowsByPool | None = schedule.__dict__.get("_rows_by_pool")
    if known is None:
        known = _arrange(schedule)
        schedule.__dict__["_rows_by_pool"] = known  # as a cached property does: the schedule is frozen
    return known


def has_rows_by_pool(schedule: Schedule) -> bool:
    """Whether they are known already, so that asking costs no time."""
    return "_rows_by_pool" in schedule.__dict__


def _arrange(schedule: Schedule) -> RowsByPool:
    names, pool_of = pools_in_use(schedule.workload, schedule.partition)
    kinds = (EITHER,) if schedule.cluster.has_containers else (MAP, REDUCE)
    group = pool_of[schedule.workload.columns.job].astype(np.int32) * len(kinds)
    if len(kinds) > 1:
        group += schedule.slot >= schedule.cluster.map_slots
    inside, opened = _packed(schedule, group, len(names) * len(kinds))
    firsts = np.concatenate([[0], np.cumsum(opened)])
    row = np.where(inside >= 0, firsts[group].astype(np.int32) + inside, -1).astype(np.int32)
    bands = tuple(
        PoolRows(place // len(kinds), kinds[place % len(kinds)], int(firsts[place]), int(count))
        for place, count in enumerate(opened)
        if count
    )
    finish = np.zeros(len(names))
    np.maximum.at(finish, pool_of, schedule.finish)
    order = _row_order(schedule, row, int(firsts[-1]))
    for column in (row, finish):
        column.flags.writeable = False
    jobs = np.bincount(pool_of, minlength=len(names))
    return RowsByPool(names, jobs, finish, bands, row, order)


def _packed(
    schedule: Schedule, group: NDArray[np.int32], groups: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the row of each task in its group, (tasks,), and how many rows each group has, (groups,)."""
    started = schedule.sequence
    by_end = started[np.argsort(schedule.end[started], kind="stable")].astype(np.int64)
    most = np.minimum(np.bincount(group, minlength=groups), schedule.cluster.slots)
    first = np.concatenate([[0], np.cumsum(most)]).astype(np.int64)
    fixed = (started, by_end, schedule.start, schedule.end, group, first[:-1])
    written = [np.zeros(size, np.int32) for size in (int(first[-1]) + 1, groups, groups)]
    row = np.full(schedule.tasks, -1, np.int32)
    if compiled_pack.is_loaded() or (schedule.tasks > WORTH_LOADING and compiled_is_ready()):
        compiled_pack()(*fixed, *written, row)
        return row, written[2]
    # lists, as single numbers of an array take several times as long
    columns: list[NDArray[Any]] = [*fixed, *written, row]  # Any: of several types
    lists = [column.tolist() for column in columns]
    pack(*lists)
    return np.array(lists[-1], np.int32), np.array(lists[-2], np.int32)


def _row_order(schedule: Schedule, row: NDArray[np.int32], rows: int) -> SlotOrder:
    """Return the tasks row by row, in each by start."""
    of_row = row[schedule.sequence]
    tasks = schedule.sequence[np.argsort(of_row, kind="stable")]
    offsets = np.zeros(rows + 1, np.int64)
    np.cumsum(np.bincount(of_row, minlength=rows), out=offsets[1:])
    tasks.flags.writeable = offsets.flags.writeable = False
    return SlotOrder(tasks, offsets)


def pack(
    by_start: Any,
    by_end: Any,
    start: Any,
    end: Any,
    group: Any,
    first: Any,
    free: Any,
    free_rows: Any,
    opened: Any,
    row: Any,
) -> None:
    """Give every task the lowest row of its group that no other one holds when it starts.

    A row is free again at the very time at which the task on it ends.

    Parameters
    ----------
    by_start, by_end : the tasks in the order of their starts, and of their ends
    start, end : seconds, (tasks,)
    group : of each task, (tasks,)
    first : where the free rows of each group begin in `free`, (groups,)
    free : room for the free rows of all groups
    free_rows : how many rows of each group are free, 0 at first; changed, (groups,)
    opened : how many rows each group has, 0 at first; written, (groups,)
    row : -1 at first; written: the row of each task in its group, (tasks,)
    """
    gone = 0
    for task in by_start:
        while gone < len(by_end) and end[by_end[gone]] <= start[task]:
            leaver = by_end[gone]
            g = group[leaver]
            # of those that take no time, the row is given back at once, below
            if row[leaver] >= 0 and end[leaver] > start[leaver]:
                put_slot(free, first[g], free_rows[g], row[leaver])
                free_rows[g] += 1
            gone += 1
        g = group[task]
        if free_rows[g] > 0:
            row[task] = take_slot(free, first[g], free_rows[g])
            free_rows[g] -= 1
        else:
            row[task] = opened[g]
            opened[g] += 1
        if end[task] <= start[task]:
            put_slot(free, first[g], free_rows[g], row[task])
            free_rows[g] += 1


@Kept
def compiled_pack() -> Kernel:
    """Return the compiled twin of `pack` (a second once, then from the cache)."""
    types = numba().types
    whole, floats, long = (
        types.Array(of, 1, "A", readonly=readonly)
        for of, readonly in ((types.int32, False), (types.float64, True), (types.int64, True))
    )
    orders = types.Array(types.int32, 1, "A", readonly=True)
    signature = types.void(orders, long, floats, floats, orders, long, whole, whole, whole, whole)
    return compiled(named_by_sources(pack, loop), signature)
