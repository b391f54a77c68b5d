"""Rows of a chart of nodes: a task takes as many rows of its node, side by side, as it takes memory.

Where maps and reduces ask for different memory, a row is the largest piece that both are made of: beside
reduces of 1 GB a map of 4 GB has four rows. The kind that asks for more takes the first free rows of its
node and the other one the last, so that free rows stay together. Where memory is free in pieces only, the
node gets more rows than its tasks can fill at once, and no task is torn.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from core.model.kept_with_schedule import kept_with_schedule
from core.model.slot_order import SlotOrder, comings_and_goings
from core.model.task_types import TASK_TYPES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.nodes import NodeGroup
    from core.model.schedule import Schedule


MAX_ROWS_OF_TASK = 12
"""Of requests that have no larger piece in common, such as 1000 and 1536 MB, heights are rounded: 8 to 12."""

Heights = tuple[int, int]
"""Rows of a map and of a reduce."""


@dataclass(frozen=True)
class RowsByMemory:
    """Every task of a schedule in rows of its node.

    Attributes
    ----------
    heights : rows of a map and of a reduce
    unit_mb : memory of a row in megabytes, rounded where heights are
    first_row : of every node in turn, and at the end the number of rows, int64 (nodes + 1,)
    added : rows that nodes have beyond what their tasks can fill at once
    first, last : the rows of each task, -1 for one that has not started, int32 (tasks,)
    order : the tasks row by row, each in all of its rows
    """

    heights: Heights
    unit_mb: int
    first_row: NDArray[np.int64]
    added: int
    first: NDArray[np.int32]
    last: NDArray[np.int32]
    order: SlotOrder

    def node_of(self, row: int) -> int:
        """Return the node that a row belongs to, from 0."""
        return int(np.searchsorted(self.first_row, row, side="right")) - 1


def task_heights(cluster: Cluster) -> Heights:
    """Return how many rows a map and a reduce take; 1 each where both need the same memory, or have slots."""
    maps, reduces = (request.memory_mb for request in cluster.requests)
    if not cluster.has_nodes or not maps or not reduces:
        return 1, 1
    part = Fraction(min(maps, reduces), max(maps, reduces)).limit_denominator(MAX_ROWS_OF_TASK)
    small, large = max(part.numerator, 1), part.denominator if part else MAX_ROWS_OF_TASK
    return (small, large) if maps < reduces else (large, small)


def has_memory_rows(schedule: Schedule) -> bool:
    """Whether rows by memory show anything: tasks differ in it, and no log says where they ran."""
    return schedule.record is None and task_heights(schedule.cluster) != (1, 1)


def most_rows(group: NodeGroup, cluster: Cluster, heights: Heights) -> int:
    """Return the most rows that tasks on one node of a group fill at once; its cores count, too."""
    maps, reduces = cluster.requests
    of_map, of_reduce = heights
    return max(
        count * of_map
        + of_reduce
        * reduces.fitting(group.memory_mb - count * maps.memory_mb, group.cores - count * maps.cores)
        for count in range(maps.fitting(group.memory_mb, group.cores) + 1)
    )


@kept_with_schedule
def rows_by_memory(schedule: Schedule) -> RowsByMemory:
    """Return a schedule's tasks in rows of memory; kept with the schedule for the next call."""
    cluster = schedule.cluster
    heights = task_heights(cluster)
    of_group = [most_rows(group, cluster, heights) for group in cluster.nodes]
    expected = [most for group, most in zip(cluster.nodes, of_group, strict=True) for _ in range(group.count)]
    inside, opened = _packed(schedule, heights, expected)
    first_row = np.concatenate([[0], np.cumsum(opened)])
    node = _nodes_of(schedule)
    started = inside >= 0
    first = np.where(started, first_row[node] + inside, -1).astype(np.int32)
    high = np.array(heights)[schedule.workload.columns.kind]
    last = np.where(started, first + high - 1, -1).astype(np.int32)
    order = _row_order(schedule, first, high, int(first_row[-1]))
    for column in (first_row, first, last):
        column.flags.writeable = False
    larger = max(reversed(TASK_TYPES), key=heights.__getitem__)
    unit = round(cluster.requests[larger].memory_mb / heights[larger])
    return RowsByMemory(heights, unit, first_row, sum(opened) - sum(expected), first, last, order)


def _nodes_of(schedule: Schedule) -> NDArray[np.int64]:
    """Return the node of each task; any for one that has not started."""
    borders = np.array(schedule.cluster.node_rows)
    return np.clip(np.searchsorted(borders, schedule.slot, side="right") - 1, 0, len(borders) - 2)


def _packed(schedule: Schedule, heights: Heights, expected: list[int]) -> tuple[NDArray[np.int32], list[int]]:
    """Return the first row of each task on its node, -1 of none, and how many rows each node has.

    They are packed from the first start on and from the last end back, and each node takes what needs fewer
    rows: after many small tasks free rows lie scattered when large ones start, and before them when they end.
    """
    turns = comings_and_goings(schedule.sequence, schedule.start, schedule.end).tolist()
    node_of, kind_of = _nodes_of(schedule).tolist(), schedule.workload.columns.kind.tolist()
    found = []
    for order in (turns, [~turn for turn in reversed(turns)]):
        nodes, row = [_FreeRows(rows) for rows in expected], [-1] * schedule.tasks
        for turn in order:
            task = turn if turn >= 0 else ~turn
            height, node = heights[kind_of[task]], nodes[node_of[task]]
            if turn < 0:
                node.give_back(row[task], height)
            else:
                row[task] = node.take(height, from_first=height == max(heights))
        found.append((np.array(row, np.int32), np.array([node.rows for node in nodes])))
    (ahead, opened_ahead), (back, opened_back) = found
    is_back = opened_back < opened_ahead
    rows = np.where(is_back[_nodes_of(schedule)], back, ahead).astype(np.int32)
    return rows, np.where(is_back, opened_back, opened_ahead).tolist()


class _FreeRows:
    """The free rows of one node, as the bits of a number.

    Attributes
    ----------
    rows : how many the node has; more than it began with once free ones were not side by side
    """

    def __init__(self, rows: int) -> None:
        self._expected = self.rows = rows
        self._free = (1 << rows) - 1

    def take(self, count: int, *, from_first: bool) -> int:
        """Take so many rows side by side, the first or the last ones that are free; return the first."""
        begins = self._begins(count)
        if not begins:
            self._add(count)
            begins = self._begins(count)
        # rows that were added stay the last resort, so that they fall idle again
        inside = begins & ((1 << max(self._expected - count + 1, 0)) - 1)
        lowest = (begins & -begins).bit_length() - 1
        first = lowest if from_first or not inside else inside.bit_length() - 1
        self._free &= ~(((1 << count) - 1) << first)
        return first

    def give_back(self, first: int, count: int) -> None:
        """Free rows again."""
        self._free |= ((1 << count) - 1) << first

    def _begins(self, count: int) -> int:
        """Return the rows at which so many free ones begin, as bits."""
        begins = self._free
        for step in range(1, count):
            begins &= self._free >> step
        return begins

    def _add(self, count: int) -> None:
        """Add rows until so many are free at the end."""
        held = (~self._free & ((1 << self.rows) - 1)).bit_length()
        more = count - (self.rows - held)
        self._free |= ((1 << more) - 1) << self.rows
        self.rows += more


def _row_order(schedule: Schedule, first: NDArray[np.int32], high: NDArray[np.int64], rows: int) -> SlotOrder:
    """Return the tasks row by row, in each by start, a task of several rows in all of them."""
    count = high[schedule.sequence]
    task = np.repeat(schedule.sequence, count)
    inside = np.arange(len(task)) - np.repeat(np.cumsum(count) - count, count)
    row = first[task] + inside
    return SlotOrder.of(task, row, rows)


def free_slot(schedule: Schedule, node: int, seconds: float) -> int:
    """Return the lowest slot of a node that runs nothing at a time; -1 where all do."""
    order = schedule.by_slot
    first, last = list(pairwise(schedule.cluster.node_rows))[node]
    for slot in range(first, last):
        tasks = order.tasks[order.offsets[slot] : order.offsets[slot + 1]]
        if not ((schedule.start[tasks] <= seconds) & (seconds < schedule.end[tasks])).any():
            return slot
    return -1
