"""How short any schedule could be: a lower bound on the makespan.

Own reasoning on 000 section 3; it holds with filler reduces and any slowstart, for every policy that runs
tasks on slots of their own type and, without regard to types, for those that lend slots (002).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.planning.johnson import johnson_order, two_stage_makespan
from core.workload import MAP, REDUCE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.cluster import Cluster
    from core.workload import Workload


def lower_bound(workload: Workload, cluster: Cluster, *, lends: bool = False) -> float:
    """Return a time in seconds before which no policy can finish the workload.

    The largest of (a) Johnson's optimum when each job's maps are one block of work spread evenly over all map
    slots and its reduces likewise (preemption and sharing cannot beat it), (b) the longest chain of one job:
    arrival, longest map, and the longest of its reduces with the shortest shuffle it can have. On untyped
    containers, and where a policy lends slots to the other type (`lends`), (a) is the whole work spread
    evenly over all slots; on nodes over their rows, over their memory or over their cores.
    """
    shuffle = shortest_shuffle(workload, cluster)
    typed = not (lends or cluster.has_containers)
    return max(_work_bound(workload, cluster, shuffle, typed=typed), _chain_bound(workload, shuffle))


def shortest_shuffle(workload: Workload, cluster: Cluster) -> NDArray[np.float64]:
    """Return the least time that each task's shuffle takes after its job's map stage, (tasks,).

    The smaller of first and typical shuffle; a job without maps has no first shuffle.
    """
    columns = workload.columns
    if cluster.shuffle_model == "mumak":
        return np.zeros(len(columns.duration))
    either = np.minimum(columns.first_shuffle, columns.typical_shuffle)
    has_maps = columns.count[columns.job, MAP] > 0
    shortest: NDArray[np.float64] = np.where(has_maps, either, columns.typical_shuffle)
    return shortest


def _work_bound(workload: Workload, cluster: Cluster, shuffle: NDArray[np.float64], *, typed: bool) -> float:
    columns = workload.columns
    group = 2 * columns.job.astype(np.int64) + columns.kind
    work = np.bincount(group, columns.duration + shuffle, 2 * len(workload.jobs)).reshape(-1, 2)
    if cluster.has_nodes:
        return _nodes_bound(work.sum(axis=0), cluster)
    if not typed:
        return float(work.sum() / cluster.slots)
    maps = work[:, MAP] / max(cluster.map_slots, 1)
    reduces = work[:, REDUCE] / max(cluster.reduce_slots, 1)
    return two_stage_makespan(johnson_order(maps, reduces), maps, reduces)


def _nodes_bound(work: NDArray[np.float64], cluster: Cluster) -> float:
    """Spread the work of both kinds over all rows, and what it holds of each resource over all of it."""
    bound = float(work.sum() / cluster.slots)
    for name in ("memory_mb", "cores"):
        available = sum(group.count * getattr(group, name) for group in cluster.nodes)
        asked = [getattr(request, name) for request in (cluster.map_request, cluster.reduce_request)]
        bound = max(bound, float(work @ asked) / available)
    return bound


def _chain_bound(workload: Workload, shuffle: NDArray[np.float64]) -> float:
    columns = workload.columns
    longest = np.zeros((len(workload.jobs), 2))
    np.maximum.at(longest, (columns.job, columns.kind), columns.duration + shuffle)
    return float((columns.arrival + longest.sum(axis=1)).max())
