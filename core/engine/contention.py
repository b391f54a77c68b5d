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

if TYPE_CHECKING:
    from core.engine.state import State

NONE = -1


def map_joins(s: State, row: int, task: int) -> None:
    """Let a map that has started on a row run beside the maps on its node; the ends of all are noted."""
    n = s.node_of[row]
    load_changes(s, n, 1, 0)
    s.map_on[row] = task
    s.end[task] = s.cluster.now + s.duration[task] / map_speed(s, n)


def map_leaves(s: State, row: int) -> None:
    """Let the other maps on a node go on without the one that has ended on a row."""
    s.map_on[row] = NONE
    load_changes(s, s.node_of[row], -1, 0)


def load_changes(s: State, n: int, maps: int, reduces: int) -> None:
    """Count tasks more or fewer on a node, and let the maps on it go on at the speed of the new number."""
    before = map_speed(s, n)
    s.node[n].maps += maps
    s.node[n].reduces += reduces
    after = map_speed(s, n)
    if after == before:
        return
    for row in range(s.node[n].first, s.node[n].first + s.node[n].rows):
        task = s.map_on[row]
        if task != NONE:
            s.end[task] = s.cluster.now + (s.end[task] - s.cluster.now) * before / after


def map_speed(s: State, n: int) -> float:
    """Return how fast each map on a node runs now; the last speed of the curve is that of more maps, too."""
    load = max(s.node[n].maps, 1) + s.cluster.reduce_load * s.node[n].reduces
    at = int(load)
    if at >= len(s.speeds):
        return s.speeds[len(s.speeds) - 1]
    return s.speeds[at - 1] + (load - at) * (s.speeds[at] - s.speeds[at - 1])
