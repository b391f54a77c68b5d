"""Rows of a chart that belong to pools instead of slots: what each pool holds stands together.

Under a policy that shares slots no slot belongs to a pool, so the tasks of a pool lie all over the cluster.
Here every task gets the lowest row of its pool that is free when it starts: the number of rows in use is the
number of slots that the pool holds. Rows are numbered pool by pool, in each the rows on map slots before
those on reduce slots; what runs on a slot of the other type stays there, borrowed.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

from core.model.kept_with_schedule import kept_with_schedule
from core.model.partition import pools_in_use
from core.model.slot_order import SlotOrder, comings_and_goings
from core.model.task_types import TASK_TYPES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.schedule import Schedule


EITHER = 2
"""The type of slots that serve both kinds of task."""


@dataclass(frozen=True, slots=True)
class PoolRows:
    """The rows of one pool on slots of one type.

    Attributes
    ----------
    pool : index of the pool
    slot_kind : one of `core.model.stages.TASK_TYPES`, or EITHER on containers and nodes
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
    """Whether rows by pool show anything: else pools have slots of their own, or a log names the hosts."""
    return schedule.partition is None and schedule.record is None


@kept_with_schedule
def rows_by_pool(schedule: Schedule) -> RowsByPool:
    """Return a schedule's tasks arranged by pool; kept with the schedule for the next call."""
    names, pool_of = pools_in_use(schedule.workload, schedule.partition)
    kinds = (EITHER,) if schedule.cluster.has_containers else TASK_TYPES
    group = pool_of[schedule.workload.columns.job].astype(np.int32) * len(kinds)
    if len(kinds) > 1:
        group += schedule.cluster.slot_types(schedule.slot).astype(np.int32)
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
    order = SlotOrder.of(schedule.sequence, row[schedule.sequence], int(firsts[-1]))
    for column in (row, finish):
        column.flags.writeable = False
    jobs = np.bincount(pool_of, minlength=len(names))
    return RowsByPool(names, jobs, finish, bands, row, order)


def _packed(
    schedule: Schedule, group: NDArray[np.int32], groups: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the row of each task in its group, -1 of none, (tasks,), and how many rows each group has."""
    row, opened = [-1] * schedule.tasks, [0] * groups
    free: list[list[int]] = [[] for _ in range(groups)]
    group_of = group.tolist()
    for task in comings_and_goings(schedule.sequence, schedule.start, schedule.end).tolist():
        if task < 0:
            heappush(free[group_of[~task]], row[~task])
            continue
        g = group_of[task]
        if free[g]:
            row[task] = heappop(free[g])
        else:
            row[task] = opened[g]
            opened[g] += 1
    return np.array(row, np.int32), np.array(opened, np.int32)
