"""One MapReduce job, its two stages and the dataset that it may scan, as immutable values.

Jobs over the same dataset can share the scan of its blocks (003 section 2); a job that scans a dataset has
one map per block.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np

from core.model.kept_read_only import KeptReadOnly

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

MAP, REDUCE = 0, 1
"""The types of task, as indices of pairs."""
KIND_WORDS = ("map", "reduce")
"""The same in words, by these indices."""
DEFAULT_BLOCKS = 100
"""Blocks of a dataset in a document that gives its work alone."""
Blocks = tuple[tuple[int, int], ...]
"""Half-open ranges of a dataset's blocks, ascending; empty for the whole dataset."""
ServiceLevels = tuple[tuple[float, float], ...]
"""(seconds, cost) of each step of an agreement: done after that a job costs so much in all; both ascend."""


def _frozen(values: ArrayLike) -> NDArray[np.float64]:
    if type(values) in (int, float) and repr(values) in ("0", "0.0"):
        return _ZERO  # most stages have one, and a large workload has many stages
    array = np.array(values, np.float64, ndmin=1)
    array.flags.writeable = False
    return array


_ZERO = np.zeros(1)
_ZERO.flags.writeable = False


@dataclass(frozen=True, slots=True, eq=False)
class Stage(KeptReadOnly):
    """All maps, or all reduces, of a job.

    Durations are samples in seconds: task i takes item ``i mod length``.

    Attributes
    ----------
    count : number of tasks
    durations : map durations, or durations of the reduce phase (after the shuffle), (k,)
    first_shuffle : for reduces that start before the map stage ends: the part of their shuffle that
        comes after it, (k,)
    typical_shuffle : for reduces that start later: their whole shuffle, (k,)
    """

    count: int = 0
    durations: NDArray[np.float64] = field(default_factory=lambda: _ZERO)
    first_shuffle: NDArray[np.float64] = field(default_factory=lambda: _ZERO)
    typical_shuffle: NDArray[np.float64] = field(default_factory=lambda: _ZERO)

    @classmethod
    def of(
        cls,
        count: int,
        durations: ArrayLike = 0.0,
        first_shuffle: ArrayLike = 0.0,
        typical_shuffle: ArrayLike = 0.0,
    ) -> Stage:
        """Build a stage from numbers or sequences."""
        first = _frozen(first_shuffle)
        typical = first if typical_shuffle is first_shuffle else _frozen(typical_shuffle)
        return cls(int(count), _frozen(durations), first, typical)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Stage) and self._key() == other._key())

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[int, bytes, bytes, bytes]:
        return (
            self.count,
            self.durations.tobytes(),
            self.first_shuffle.tobytes(),
            self.typical_shuffle.tobytes(),
        )

    @property
    def task_durations(self) -> NDArray[np.float64]:
        """Duration of every task, (count,)."""
        return np.resize(self.durations, self.count)

    @property
    def task_first_shuffle(self) -> NDArray[np.float64]:
        """First shuffle of every task, (count,)."""
        return np.resize(self.first_shuffle, self.count)

    @property
    def task_typical_shuffle(self) -> NDArray[np.float64]:
        """Typical shuffle of every task, (count,)."""
        return np.resize(self.typical_shuffle, self.count)


@dataclass(frozen=True, slots=True)
class Job:
    """One MapReduce job.

    Attributes
    ----------
    name : unique in its workload
    maps, reduces : its stages; one of them may be empty
    arrival : seconds from the workload's start
    deadline : seconds from the workload's start, or None
    service_levels : what it costs to be done later than some times, seconds from the workload's start (003
        A.2: D_jk and p_jk); read by the metrics of shared scans
    pool, user : whom it belongs to
    weight : its share relative to others, above 0
    dataset : the dataset it scans, or None
    blocks : the ranges of the dataset's blocks that it scans; empty for all of them
    min_slots, max_slots : map slots that it should hold at least while it scans, and may hold at most (None
        for no limit); policies for shared scans keep to them
    shuffle_bytes : what all its maps together hand to its reduces, or None where that is not known
    """

    name: str
    maps: Stage = field(default_factory=Stage)
    reduces: Stage = field(default_factory=Stage)
    arrival: float = 0.0
    deadline: float | None = None
    pool: str = "default"
    user: str = ""
    weight: float = 1.0
    dataset: str | None = None
    blocks: Blocks = ()
    min_slots: int = 0
    max_slots: int | None = None
    shuffle_bytes: float | None = None
    service_levels: ServiceLevels = ()

    def placed(self, name: str, arrival: float) -> Job:
        """Return the job under this name, arriving at this time; five times as fast as `replace`."""
        if (name, arrival) == (self.name, self.arrival):
            return self
        return Job(
            name,
            self.maps,
            self.reduces,
            arrival,
            self.deadline,
            self.pool,
            self.user,
            self.weight,
            self.dataset,
            self.blocks,
            self.min_slots,
            self.max_slots,
            self.shuffle_bytes,
            self.service_levels,
        )

    @property
    def task_count(self) -> int:
        """Maps and reduces together."""
        return self.maps.count + self.reduces.count


def tasks_of(jobs: Sequence[Job]) -> int:
    """Return how many maps and reduces all jobs have together; there may be a million jobs."""
    maps, reduces = (sum(map(attrgetter(f"{kind}.count"), jobs)) for kind in ("maps", "reduces"))
    tasks: int = maps + reduces
    return tasks


def named_apart(jobs: Iterable[Job], taken: Iterable[str] = ()) -> tuple[Job, ...]:
    """Return the jobs with names that differ from each other and from those taken: J1, J1 (2), J1 (3)."""
    names = set(taken)
    numbers: dict[str, int] = {}
    apart = []
    for job in jobs:
        name, number = job.name, numbers.get(job.name, 1)
        while name in names:
            number += 1
            name = f"{job.name} ({number})"
        numbers[job.name] = number
        names.add(name)
        apart.append(job if name == job.name else replace(job, name=name))
    return tuple(apart)


@dataclass(frozen=True, slots=True)
class Dataset:
    """Blocks of equal size.

    Attributes
    ----------
    name : unique in its workload; jobs name the dataset that they scan
    blocks : how many, at least 1
    block_seconds : how long one slot takes to scan one block for one job, above 0
    scan_fraction : part of that time which jobs share that scan the block together; the rest is each
        job's own, 0 to 1
    """

    name: str
    blocks: int = 1
    block_seconds: float = 1.0
    scan_fraction: float = 1.0

    @property
    def work(self) -> float:
        """Slot-seconds of a scan of the whole dataset for one job."""
        return self.blocks * self.block_seconds

    def count(self, blocks: Blocks) -> int:
        """Return how many blocks a job scans."""
        return sum(end - begin for begin, end in blocks) if blocks else self.blocks


def scan_stage(dataset: Dataset, blocks: Blocks = ()) -> Stage:
    """Return the maps of a job that scans a dataset, or some of its blocks, by itself: one per block."""
    return Stage.of(dataset.count(blocks), dataset.block_seconds)
