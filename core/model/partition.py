"""A cluster cut into pools: each with slots of its own and its own jobs, served in a given order."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from core.model.errors import DocumentError, Problem, did_you_mean, shorten
from core.model.kept_read_only import KeptReadOnly
from core.model.task_types import KIND_WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload


MAX_POOLS_SEARCHED = 4
"""So many pools a search for balanced ones makes at most."""


@dataclass(frozen=True, slots=True)
class SlotPool:
    """One pool: its jobs run on its slots and on no others.

    Attributes
    ----------
    name : unique in its partition
    map_slots, reduce_slots : slots that belong to it
    jobs : names, first served first
    """

    name: str
    map_slots: int = 0
    reduce_slots: int = 0
    jobs: tuple[str, ...] = ()

    @property
    def slots(self) -> tuple[int, int]:
        """Map slots and reduce slots."""
        return self.map_slots, self.reduce_slots


@dataclass(frozen=True)
class Partition(KeptReadOnly):
    """All slots and all jobs, each in one pool (000 section 3.3; there with two pools).

    Slots are numbered as in the cluster: the first pool has the first map slots and the first reduce slots,
    the second pool those that follow, and so on.
    """

    pools: tuple[SlotPool, ...]

    @property
    def slots(self) -> tuple[int, int]:
        """Map slots and reduce slots of all pools."""
        return sum(pool.map_slots for pool in self.pools), sum(pool.reduce_slots for pool in self.pools)

    @property
    def jobs(self) -> tuple[str, ...]:
        """The jobs of the first pool in their order, then those of the second, and so on."""
        return tuple(name for pool in self.pools for name in pool.jobs)

    @property
    def names(self) -> tuple[str, ...]:
        """The pools' names."""
        return tuple(pool.name for pool in self.pools)

    def first_slots(self) -> tuple[tuple[int, int], ...]:
        """Return for each pool how many map slots and how many reduce slots come before its own."""
        firsts, maps, reduces = [], 0, 0
        for pool in self.pools:
            firsts.append((maps, reduces))
            maps, reduces = maps + pool.map_slots, reduces + pool.reduce_slots
        return tuple(firsts)

    def place_of(self, job: str) -> int:
        """Return the index of the pool that has a job; KeyError if none has."""
        return self._place_of[job]

    @cached_property
    def _place_of(self) -> dict[str, int]:
        return {name: place for place in reversed(range(len(self.pools))) for name in self.pools[place].jobs}


def pool_of_jobs(partition: Partition, workload: Workload) -> NDArray[np.int32]:
    """Return the index of each job's pool, (jobs,)."""
    return np.array([partition.place_of(job.name) for job in workload.jobs], np.int32)


def in_pools(workload: Workload, partition: Partition) -> dict[str, NDArray[np.int64]]:
    """Return of every job its pool's slots, number of jobs and its place from 1, and the number of pools."""
    index = workload.job_index
    table = np.full((len(index), 5), len(partition.pools))
    for pool in partition.pools:
        members = [index[name] for name in pool.jobs]
        table[members, :3] = (*pool.slots, len(members))
        table[members, 3] = range(1, len(members) + 1)
    return dict(zip(("pool_maps", "pool_reduces", "jobs", "place", "pools"), table.T, strict=True))


def pools_in_use(
    workload: Workload, partition: Partition | None
) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """Return the names of the pools of a run, and the index of each job's pool, int32 (jobs,).

    They are the partition's if there is one, else the workload's.
    """
    if partition is None:
        return workload.pools, workload.columns.pool
    return partition.names, pool_of_jobs(partition, workload)


def check_partition(partition: Partition, workload: Workload, cluster: Cluster) -> None:
    """Raise DocumentError with every rule that a partition breaks on this workload and cluster."""
    problems = [*slot_problems(partition, workload, cluster), *job_problems(partition, workload)]
    if problems:
        raise DocumentError("pools", problems)


def slot_problems(partition: Partition, workload: Workload, cluster: Cluster) -> list[Problem]:
    """Return what is wrong with the pools' slots: all of the cluster are shared out, and work finds some."""
    if cluster.has_containers:
        return [Problem("slots", "", "pools divide slots of two types; this cluster has untyped containers")]
    problems = []
    for kind, given, owned in zip(
        KIND_WORDS, partition.slots, (cluster.map_slots, cluster.reduce_slots), strict=True
    ):
        if given != owned:
            rule = f"the cluster has {owned}; let the pools have all of them"
            problems.append(Problem(f"the sum of {kind} slots", str(given), rule))
    index = workload.job_index
    for pool in partition.pools:
        jobs = [workload.jobs[index[name]] for name in pool.jobs if name in index]
        for task_type, (kind, slots) in enumerate(zip(KIND_WORDS, pool.slots, strict=True)):
            needed = sum(job.count_of(task_type) for job in jobs)
            if slots < 0 or (needed and not slots):
                rule = f"its jobs have {needed} {kind} tasks; give it at least one {kind} slot"
                problems.append(Problem(f"{kind} slots of pool {shorten(pool.name)}", str(slots), rule))
    return problems


def job_problems(partition: Partition, workload: Workload) -> list[Problem]:
    """Return what is wrong with the pools' names and jobs: every job is in one pool."""
    problems = [] if partition.pools else [Problem("pools", "[]", "there must be at least one pool")]
    for name in _twice(partition.names):
        problems.append(Problem("pool", shorten(name), "two pools have this name; give each its own"))
    for name in _twice(partition.jobs):
        problems.append(Problem("job", shorten(name), "it stands in the pools twice; name each job once"))
    for name in dict.fromkeys(partition.jobs):
        if name not in workload.job_index:
            rule = f"there is no such job{did_you_mean(name, workload.job_index)}"
            problems.append(Problem("job", shorten(name), rule))
    named = set(partition.jobs)
    for job in workload.jobs:
        if job.name not in named:
            problems.append(Problem("job", shorten(job.name), "it is in no pool; put it into one"))
    return problems


def _twice(names: Sequence[str]) -> list[str]:
    seen: set[str] = set()
    twice = [name for name in names if name in seen or seen.add(name)]  # type: ignore[func-returns-value]
    return list(dict.fromkeys(twice))
