"""Which slots a job may use and which pool it is in: pools may have slots of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from core.model.job import MAP, REDUCE
from core.model.partition import Partition, pool_of_jobs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload


class Placed(Protocol):
    """A schedule or a run."""

    @property
    def workload(self) -> Workload:
        """The jobs."""

    @property
    def cluster(self) -> Cluster:
        """The slots."""

    @property
    def partition(self) -> Partition | None:
        """Pools with slots of their own, or None."""


def own_slots(placed: Placed, job: int, kind: int) -> range:
    """Return the slots that are there for a job's tasks of a kind; slots that may be lent are not counted."""
    cluster = placed.cluster
    if cluster.has_containers:
        return range(cluster.slots)
    first = 0 if kind == MAP else cluster.map_slots
    if placed.partition is None:
        return range(first, cluster.map_slots if kind == MAP else cluster.slots)
    pool = placed.partition.place_of(placed.workload.jobs[job].name)
    begin = first + placed.partition.first_slots()[pool][kind]
    return range(begin, begin + placed.partition.pools[pool].slots[kind])


def slots_beside(placed: Placed, slot: int) -> range:
    """Return the slots of a slot's own type, and pool if pools have slots of their own: it is among them."""
    cluster = placed.cluster
    if cluster.has_containers:
        return range(cluster.slots)
    kind = MAP if slot < cluster.map_slots else REDUCE
    first = 0 if kind == MAP else cluster.map_slots
    if placed.partition is None:
        return range(first, cluster.map_slots if kind == MAP else cluster.slots)
    begins = [first + before[kind] for before in placed.partition.first_slots()]
    pools = zip(begins, placed.partition.pools, strict=True)
    ranges = (range(begin, begin + pool.slots[kind]) for begin, pool in pools)
    return next(slots for slots in ranges if slot in slots)


def pools_in_use(placed: Placed) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """Return the names of the pools that the run has, and the index of each job's pool, int32 (jobs,)."""
    if placed.partition is None:
        return placed.workload.pools, placed.workload.columns.pool
    return placed.partition.names, pool_of_jobs(placed.partition, placed.workload)
