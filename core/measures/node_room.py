"""How many tasks of each kind would fit on the nodes of a cluster, over the time of a schedule."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.model.job import MAP

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.nodes import Request
    from core.model.schedule import Schedule


def room_at(schedule: Schedule, times: NDArray[np.float64], kind: int) -> NDArray[np.int64]:
    """Return how many tasks of a kind would fit right after each time, (times,).

    The sum over all nodes of the least, over their resources, of available divided by requested (004 section
    IV.A), when what starts and ends at that time has started and ended.

    Parameters
    ----------
    schedule : complete, on a cluster of nodes
    times : seconds, ascending
    """
    cluster = schedule.cluster
    requests = (cluster.map_request, cluster.reduce_request)
    groups = [group for group in cluster.nodes for _ in range(group.count)]
    node = np.searchsorted(np.array(cluster.node_rows), schedule.slot, "right") - 1
    by_node = np.argsort(node, kind="stable")
    begins = np.searchsorted(node[by_node], np.arange(len(groups) + 1))
    room = np.zeros(len(times), np.int64)
    for place, group in enumerate(groups):
        tasks = by_node[begins[place] : begins[place + 1]]
        free = [
            total - _used(schedule, tasks, times, [getattr(request, name) for request in requests])
            for name, total in (("memory_mb", group.memory_mb), ("cores", group.cores))
        ]
        room += _fitting(free[0], free[1], requests[kind])
    return room


def _used(
    schedule: Schedule, tasks: NDArray[np.int64], times: NDArray[np.float64], asked: list[int]
) -> NDArray[np.int64]:
    """Sum what the tasks that run after each time have asked for."""
    amount = np.where(schedule.workload.columns.kind[tasks] == MAP, *asked)
    used = np.zeros(len(times), np.int64)
    for edge, sign in ((schedule.start[tasks], 1), (schedule.end[tasks], -1)):
        order = np.argsort(edge, kind="stable")
        total = np.concatenate([[0], np.cumsum(amount[order])])
        used += sign * total[np.searchsorted(edge[order], times, "right")]
    return used


def _fitting(memory: NDArray[np.int64], cores: NDArray[np.int64], request: Request) -> NDArray[np.int64]:
    """Return how many tasks fit beside one another, for each pair of free resources."""
    available = ((memory, request.memory_mb), (cores, request.cores))
    fits: NDArray[np.int64] = np.minimum.reduce([have // asked for have, asked in available if asked])
    return fits
