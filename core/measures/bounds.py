"""How short any schedule could be: a lower bound on the makespan.

Own reasoning on 000 section 3; it holds with filler reduces and any slowstart, for every policy that runs
tasks on slots of their own type and, without regard to types, for those that lend slots (002).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.model.job import MAP, REDUCE
from core.planning.johnson import johnson_order, two_stage_makespan
from core.shared_scans.scan_jobs import least_scan_work

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload


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


def shared_lower_bound(workload: Workload, cluster: Cluster) -> float:
    """Return a time in seconds before which no policy can finish the workload, even if jobs share scans.

    Every block that somebody needs is scanned once at least (003 section 2). The largest of (a) all work
    that then remains spread over all slots (of typed slots: the maps, and behind them the reduces of the job
    that has least; or the shortest scan of a job, and behind it all reduces), (b) the longest of one job
    alone from its arrival.
    """
    shuffle = shortest_shuffle(workload, cluster)
    scans = least_scan_work(workload)
    work = _work(workload, shuffle)
    alone = _alone_bound(workload, cluster, work)
    if cluster.has_nodes:
        least = np.array([scans, work[:, REDUCE].sum()])
        return max(alone, _chain_bound(workload, shuffle), _nodes_bound(least, cluster))
    if cluster.has_containers:
        spread = (scans + float(work[:, REDUCE].sum())) / cluster.slots
    else:
        maps, reduces = (np.array(max(slots, 1)) for slots in cluster.stage_slots)
        behind = float((work[:, REDUCE] / reduces)[work[:, MAP] > 0].min(initial=np.inf))
        before = float((work[:, MAP] / maps)[work[:, REDUCE] > 0].min(initial=np.inf))
        spread = max(
            scans / float(maps) + behind if scans > 0 else 0.0,
            before + float(work[:, REDUCE].sum() / reduces) if np.isfinite(before) else 0.0,
        )
    return max(alone, _chain_bound(workload, shuffle), spread)


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
    work = _work(workload, shuffle)
    if cluster.has_nodes:
        return _nodes_bound(work.sum(axis=0), cluster)
    if not typed:
        return float(work.sum() / cluster.slots)
    maps = work[:, MAP] / max(cluster.map_slots, 1)
    reduces = work[:, REDUCE] / max(cluster.reduce_slots, 1)
    return two_stage_makespan(johnson_order(maps, reduces), maps, reduces)


def _work(workload: Workload, shuffle: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the slot-seconds of each job's maps and of its reduces, (jobs, 2)."""
    columns = workload.columns
    group = 2 * columns.job.astype(np.int64) + columns.kind
    work = np.bincount(group, columns.duration + shuffle, 2 * len(workload.jobs))
    return np.asarray(work, np.float64).reshape(-1, 2)


def _alone_bound(workload: Workload, cluster: Cluster, work: NDArray[np.float64]) -> float:
    """Return when the last job would end if each had all slots for itself from its arrival on."""
    if cluster.has_nodes or cluster.has_containers:
        alone = work.sum(axis=1) / cluster.slots
    else:
        alone = (work / np.maximum(cluster.stage_slots, 1)).sum(axis=1)
    return float((workload.columns.arrival + alone).max())


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
