"""How jobs and slots are cut into pools: jobs by number of maps, both kinds of slots in proportion."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

import numpy as np

from core.model.partition import Partition, SlotPool
from core.planning.aria import StageProfiles
from core.planning.johnson import johnson_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload

    Jobs = NDArray[np.int64]
    Slots = tuple[int, int]

NAMES = (
    ("All jobs",),
    ("Small jobs", "Large jobs"),
    ("Small jobs", "Medium jobs", "Large jobs"),
    ("Smallest jobs", "Smaller jobs", "Larger jobs", "Largest jobs"),
)


@dataclass(frozen=True, slots=True, order=True)
class Trial:
    """One way to cut the cluster into pools, simulated.

    Attributes
    ----------
    splits : how many jobs, by number of maps, stand before each cut; none for a single pool
    sizes : slots of each pool but the last, counted in the kind that the cluster has more of
    ends : when the last job of each pool departs, in seconds
    """

    splits: tuple[int, ...]
    sizes: tuple[int, ...]
    ends: tuple[float, ...]

    @property
    def makespan(self) -> float:
        """When all pools are done, in seconds."""
        return max(self.ends)

    @property
    def pools(self) -> int:
        """How many there are."""
        return len(self.ends)

    @property
    def split(self) -> int:
        """How many jobs the first pool has; 0 for a single pool."""
        return self.splits[0] if self.splits else 0

    @property
    def size(self) -> int:
        """Slots of the first pool; 0 for a single pool."""
        return self.sizes[0] if self.sizes else 0


class PoolCut:
    """How a workload and its cluster are cut.

    Attributes
    ----------
    jobs : all jobs by number of maps, ties in input order, (jobs,)
    slots : map and reduce slots of the cluster
    whole : slots of the kind that the cluster has more of: the sizes of all pools together
    """

    def __init__(self, workload: Workload, cluster: Cluster) -> None:
        self._names = [job.name for job in workload.jobs]
        self._profiles = StageProfiles.of(workload, cluster)
        self._estimates: dict[tuple[int, int], NDArray[np.float64]] = {}
        self._needed = workload.map_count > 0, workload.reduce_count > 0
        maps = [job.stages[0].count for job in workload.jobs]
        self.jobs: Jobs = np.argsort(maps, kind="stable")
        self.slots: Slots = (cluster.map_slots, cluster.reduce_slots)
        self.whole = max(self.slots)

    def most_pools(self, wanted: int) -> int:
        """Return how many pools there can be: each has a job, and a slot of every kind that is needed."""
        needed = (slots for slots, needs in zip(self.slots, self._needed, strict=True) if needs)
        return min(wanted, len(self.jobs), *needed)

    def pools(self, sizes: Sequence[int]) -> tuple[Slots, ...]:
        """Return the slots of every pool: both kinds are cut in proportion to the sizes."""
        ends = tuple(accumulate(sizes))
        maps, reduces = (shares(slots, ends, self.whole) for slots in self.slots)
        return tuple(zip(maps, reduces, strict=True))

    def parts(self, splits: Sequence[int]) -> list[tuple[int, int]]:
        """Return the first job of every pool by number of maps, and the one behind its last."""
        return list(pairwise((0, *splits, len(self.jobs))))

    def johnson(self, jobs: Jobs, slots: Slots) -> Jobs:
        """Return the jobs in Johnson's order, by stage estimates for these slots."""
        jobs = np.sort(jobs)  # ties keep input order
        maps, reduces = (self._estimate(kind, count) for kind, count in enumerate(slots))
        return jobs[johnson_order(maps[jobs], reduces[jobs])]

    def _estimate(self, kind: int, slots: int) -> NDArray[np.float64]:
        key = (kind, slots)
        if key not in self._estimates:
            self._estimates[key] = self._profiles[kind].bounds(slots).mean
        return self._estimates[key]

    def partition(self, trial: Trial) -> Partition:
        """Return the pools of a trial."""
        cut = zip(NAMES[trial.pools - 1], self.parts(trial.splits), self.pools(trial.sizes), strict=True)
        return Partition(tuple(self._pool(name, self.jobs[a:b], slots) for name, (a, b), slots in cut))

    def _pool(self, name: str, jobs: Jobs, slots: Slots) -> SlotPool:
        return SlotPool(name, *slots, tuple(self._names[j] for j in self.johnson(jobs, slots)))


def shares(slots: int, ends: Sequence[int], whole: int) -> tuple[int, ...]:
    """Cut slots where `ends` cut the whole: whole slots, at least one for every pool if there are so many."""
    pools = len(ends) + 1
    if slots < pools:
        return (0,) * (pools - 1) + (slots,)
    cuts = [0]
    for place, end in enumerate(ends, start=1):
        rounded = (2 * end * slots + whole) // (2 * whole)
        cuts.append(min(max(rounded, cuts[-1] + 1), slots - (pools - place)))
    return tuple(b - a for a, b in pairwise((*cuts, slots)))
