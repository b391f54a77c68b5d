"""Contention: maps that run beside one another on a node slow each other. Compiled with the loop.

All maps on a node run at the speed that the cluster's curve says for their number. A reduce counts there
as so many maps as the cluster says, 0 unless asked for, from its start to its end; where the sum is no whole
number, the speed lies in proportion between two of the curve. Reduces are never slowed. When a node's speed
changes, what is left of each map is the time to its end at the old speed, and takes so much longer or shorter
at the new one. A map that always runs at full speed has the very times of a cluster without contention. The
definition is ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.engine.slot_trees import set_finish
from core.model.task_types import MAP, REDUCE

if TYPE_CHECKING:
    from core.engine.state import State

NONE = -1


def task_joins(s: State, row: int, task: int, kind: int) -> None:
    """Let a task that has started on a row run beside the maps on its node; the ends of all are noted."""
    n = s.node_of[row]
    load_changes(s, n, kind, 1)
    if kind == MAP:
        s.map_on[row] = task
        s.end[task] = s.cluster.now + s.duration[task] / map_speed(s, n)
    maps_end_anew(s, n)


def task_leaves(s: State, row: int, kind: int) -> None:
    """Let the maps on a node go on without the task that has ended on a row."""
    if kind == MAP:
        s.map_on[row] = NONE
    load_changes(s, s.node_of[row], kind, -1)
    maps_end_anew(s, s.node_of[row])


def load_changes(s: State, n: int, kind: int, change: int) -> None:
    """Count a task more or fewer on a node, and let the maps on it go on at the speed of the new number."""
    before = map_speed(s, n)
    s.node[n].running[kind] += change
    after = map_speed(s, n)
    if after == before:
        return
    for row in range(s.node[n].first, s.node[n].first + s.node[n].rows):
        task = s.map_on[row]
        if task != NONE:
            s.end[task] = s.cluster.now + (s.end[task] - s.cluster.now) * before / after


def maps_end_anew(s: State, n: int) -> None:
    """Take over when the maps on a node end: contention has changed that."""
    for row in range(s.node[n].first, s.node[n].first + s.node[n].rows):
        if s.map_on[row] != NONE:
            set_finish(s.tree, s.finish, row, s.end[s.map_on[row]])


def map_speed(s: State, n: int) -> float:
    """Return how fast each map on a node runs now; the last speed of the curve is that of more maps, too."""
    load = max(s.node[n].running[MAP], 1) + s.cluster.reduce_load * s.node[n].running[REDUCE]
    at = int(load)
    if at >= len(s.speeds):
        return s.speeds[len(s.speeds) - 1]
    return s.speeds[at - 1] + (load - at) * (s.speeds[at] - s.speeds[at - 1])
