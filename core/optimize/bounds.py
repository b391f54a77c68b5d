"""How short any schedule could be: a lower bound on the makespan.

Own reasoning on 000 section 3; it holds with filler reduces and any slowstart, for every policy that runs
tasks on slots of their own type and, without regard to types, for those that lend slots (002).

The slots of a kind, all containers, or all the memory of nodes are a machine that does one second of work per
second. Work that may start at a time (its head) and leaves its job some seconds to go (its tail) keeps the
machine busy: any set of such work ends no sooner than its earliest head, plus all its seconds, plus its
shortest tail. For eight equal jobs that share containers, the last map of all ends when the work of all maps
is done at best, and then some job still has to shuffle and reduce.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.model.job import MAP, REDUCE
from core.planning.johnson import johnson_order, two_stage_makespan
from core.shared_scans.scan_jobs import least_scan_work

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload

    Floats = NDArray[np.float64]


def lower_bound(workload: Workload, cluster: Cluster, *, lends: bool = False) -> float:
    """Return a time in seconds before which no policy can finish the workload.

    The largest of (a) how long each machine is busy, a job's maps and its reduces being one piece of work
    each, (b) each job alone from its arrival, with all slots for itself, and (c) on typed slots, Johnson's
    optimum when each job's maps are one block of work spread evenly over all map slots and its reduces
    likewise (preemption and sharing cannot beat it).

    Parameters
    ----------
    lends : whether map slots may run reduces and the other way round; they are one machine then
    """
    demands = _Demands.of(workload, cluster, lends=lends)
    bound = max(demands.alone, *(demands.busy(machine) for machine in _machines(cluster, lends=lends)))
    if lends or cluster.has_containers:
        return bound
    blocks = demands.work / np.maximum(cluster.stage_slots, 1)
    order = johnson_order(blocks[:, MAP], blocks[:, REDUCE])
    return max(bound, two_stage_makespan(order, blocks[:, MAP], blocks[:, REDUCE]))


def shared_lower_bound(workload: Workload, cluster: Cluster) -> float:
    """Return a time in seconds before which no policy can finish the workload, even if jobs share scans.

    Every block that somebody needs is scanned once at least (003 section 2): in (a) of `lower_bound`, all
    scans are one piece of work; (c) does not hold.
    """
    demands = _Demands.of(workload, cluster, lends=False).sharing(least_scan_work(workload))
    return max(demands.alone, *(demands.busy(machine) for machine in _machines(cluster, lends=False)))


def shortest_shuffle(workload: Workload, cluster: Cluster) -> Floats:
    """Return the least time that each task's shuffle takes after its job's map stage, (tasks,).

    The smaller of first and typical shuffle; a job without maps has no first shuffle.
    """
    columns = workload.columns
    if cluster.shuffle_model == "mumak":
        return np.zeros(len(columns.duration))
    either = np.minimum(columns.first_shuffle, columns.typical_shuffle)
    has_maps = columns.count[columns.job, MAP] > 0
    shortest: Floats = np.where(has_maps, either, columns.typical_shuffle)
    return shortest


class _Machine(NamedTuple):
    """The part of a machine that a running map holds, and a running reduce."""

    of_map: float
    of_reduce: float


def _machines(cluster: Cluster, *, lends: bool) -> list[_Machine]:
    """Return what limits the work of a cluster: its slots, and of nodes also their memory and cores.

    Where maps slow one another, nodes get no more done than each with its best number of maps. Maps take what
    they take alone on a node: no map is faster.
    """
    maps, reduces = (1 / max(slots, 1) for slots in cluster.stage_slots)
    if not (lends or cluster.has_containers):
        return [_Machine(maps, 0.0), _Machine(0.0, reduces)]
    machines = [_Machine(1 / cluster.slots, 1 / cluster.slots)]
    for name in ("memory_mb", "cores") if cluster.has_nodes else ():
        available = sum(group.count * getattr(group, name) for group in cluster.nodes)
        requests = (cluster.map_request, cluster.reduce_request)
        machines.append(_Machine(*(getattr(request, name) / available for request in requests)))
    if cluster.contention and cluster.most_map_work > 0:
        machines.append(_Machine(cluster.map_speed(1) / cluster.most_map_work, 0.0))
    return machines


class _Demands(NamedTuple):
    """Pieces of work, one per job; of the maps one for all where scans are shared.

    Attributes
    ----------
    work : slot-seconds of each job's maps, and of its reduces from the end of its map stage on, (jobs, 2)
    heads : when each job's map stage can end at the earliest, (jobs,)
    tails : seconds that each job's reduces take from then on at least, (jobs,)
    map_work, map_heads, map_tails : the maps as pieces of work: slot-seconds, earliest start, what remains
        after them at least, (pieces,)
    """

    work: Floats
    heads: Floats
    tails: Floats
    map_work: Floats
    map_heads: Floats
    map_tails: Floats

    @classmethod
    def of(cls, workload: Workload, cluster: Cluster, *, lends: bool) -> _Demands:
        """Gather what the jobs demand; a job by itself has all slots that its stages may use."""
        columns, jobs = workload.columns, len(workload.jobs)
        speed = np.where(columns.kind == MAP, cluster.map_speed(1), 1.0)
        seconds = columns.duration / speed + shortest_shuffle(workload, cluster)
        longest = np.zeros((jobs, 2))
        np.maximum.at(longest, (columns.job, columns.kind), seconds)
        group = 2 * columns.job.astype(np.int64) + columns.kind
        work = np.asarray(np.bincount(group, seconds, 2 * jobs), np.float64).reshape(-1, 2)
        slots = (cluster.slots, cluster.slots) if lends else cluster.stage_slots
        alone = np.maximum(longest, work / np.maximum(slots, 1))
        heads, tails = columns.arrival + alone[:, MAP], alone[:, REDUCE]
        return cls(work, heads, tails, work[:, MAP], columns.arrival, tails)

    def sharing(self, scans: float) -> _Demands:
        """Return the same with so many slot-seconds of scans in the place of all maps."""
        maps = self.map_work > 0
        first, least = self.map_heads[maps].min(initial=np.inf), self.map_tails[maps].min(initial=np.inf)
        return self._replace(
            map_work=np.array([scans if maps.any() else 0.0]),
            map_heads=np.array([first]),
            map_tails=np.array([least]),
        )

    @property
    def alone(self) -> float:
        """When the last job would end if each had all slots for itself from its arrival on."""
        return float((self.heads + self.tails).max())

    def busy(self, machine: _Machine) -> float:
        """Return the largest bound of this machine over the work with the longest tails or latest heads."""
        seconds = np.concatenate([self.map_work * machine.of_map, self.work[:, REDUCE] * machine.of_reduce])
        some = seconds > 0
        heads = np.concatenate([self.map_heads, self.heads])[some]
        tails = np.concatenate([self.map_tails, np.zeros(len(self.heads))])[some]
        return max(
            float(
                (_least(heads[order]) + np.cumsum(seconds[some][order]) + _least(tails[order])).max(initial=0)
            )
            for order in (np.argsort(-tails, kind="stable"), np.argsort(-heads, kind="stable"))
        )


def _least(times: Floats) -> Floats:
    """Return the smallest of each entry and all before it."""
    least: Floats = np.minimum.accumulate(times)
    return least
