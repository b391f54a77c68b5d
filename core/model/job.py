"""One MapReduce job and its two stages, as immutable values."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from core.model.cluster import MOST_SLOTS
from core.model.errors import Problem, shorten
from core.model.plain_text import name_problems

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import ArrayLike, NDArray

MOST_TASKS = 20_000_000
"""Tasks of one workload; more are refused with a sentence."""

MOST_BYTES = 1e18
"""Data of one job: an exabyte."""

MOST_SECONDS = 1e12
"""Every time of a workload, some 30 000 years: sums over all tasks stay exact and finite."""

Blocks = tuple[tuple[int, int], ...]
"""Half-open ranges of a dataset's blocks, ascending; empty for the whole dataset."""


def _frozen(values: ArrayLike) -> NDArray[np.float64]:
    if type(values) in (int, float) and repr(values) in ("0", "0.0"):
        return _ZERO  # most stages have one, and a large workload has many stages
    array = np.array(values, np.float64, ndmin=1)
    array.flags.writeable = False
    return array


_ZERO = np.zeros(1)
_ZERO.flags.writeable = False


@dataclass(frozen=True, slots=True, eq=False)
class Stage:
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
        return cls(int(count), _frozen(durations), _frozen(first_shuffle), _frozen(typical_shuffle))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stage) and self._key() == other._key()

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
        )

    @property
    def task_count(self) -> int:
        """Maps and reduces together."""
        return self.maps.count + self.reduces.count


def job_problems(job: Job, where: str, valid: set[int] | None = None) -> list[Problem]:
    """Return every rule that one job breaks, except those that concern other jobs.

    `valid` are ids of stages that are known to break none, as many jobs may share one; more are added to it.
    """
    problems = _name_problems(job, where)
    if not 0 <= job.arrival <= MOST_SECONDS:
        rule = f"arrival must be 0 s or later, and at most {MOST_SECONDS:g} s"
        problems.append(Problem(f"{where}.arrival", str(job.arrival), rule))
    if job.deadline is not None and not job.arrival < job.deadline <= MOST_SECONDS:
        rule = (
            f"a deadline must be later than the job's arrival, and at most {MOST_SECONDS:g} s (null for none)"
        )
        problems.append(Problem(f"{where}.deadline", str(job.deadline), rule))
    if not 0 < job.weight <= MOST_SECONDS:
        rule = f"weight must be above 0 and at most {MOST_SECONDS:g}"
        problems.append(Problem(f"{where}.weight", str(job.weight), rule))
    most = MOST_SLOTS if job.max_slots is None else job.max_slots
    if not 0 <= job.min_slots <= most <= MOST_SLOTS or most < 1:
        rule = f"give 0 <= min_slots <= max_slots, and max_slots from 1 to {MOST_SLOTS} (null for no limit)"
        problems.append(Problem(f"{where}.max_slots", shorten(job.max_slots), rule))
    if job.shuffle_bytes is not None and not 0 <= job.shuffle_bytes <= MOST_BYTES:
        rule = f"give the bytes of the whole shuffle, from 0 to {MOST_BYTES:g} (null where not known)"
        problems.append(Problem(f"{where}.shuffle_bytes", str(job.shuffle_bytes), rule))
    if job.task_count == 0:
        problems.append(Problem(where, "", "a job needs at least one map or reduce task"))
    for kind, stage in (("maps", job.maps), ("reduces", job.reduces)):
        if valid is None:
            problems += _stage_problems(stage, f"{where}.{kind}")
        elif id(stage) not in valid:
            problems += _new_stage_problems(stage, f"{where}.{kind}", valid)
    return problems


def _name_problems(job: Job, where: str) -> list[Problem]:
    problems = []
    for name in ("name", "pool", "user", "dataset"):
        if (value := getattr(job, name)) and name_problems(name, value):
            problems += name_problems(f"{where}.{name}", value)
    return problems


def _new_stage_problems(stage: Stage, where: str, valid: set[int]) -> list[Problem]:
    """Return what is wrong with a stage, and remember one with which nothing is."""
    problems = _stage_problems(stage, where)
    if not problems:
        valid.add(id(stage))
    return problems


def _stage_problems(stage: Stage, where: str) -> list[Problem]:
    if not 0 <= stage.count <= MOST_TASKS:
        return [Problem(f"{where}.count", str(stage.count), f"a stage has from 0 to {MOST_TASKS} tasks")]
    problems = []
    for name in ("durations", "first_shuffle", "typical_shuffle"):
        samples = getattr(stage, name)
        if len(samples) == 1 and 0 <= samples.item() <= MOST_SECONDS:
            continue  # the common case of large workloads, ten times faster than the general one
        if len(samples) == 0:
            problems.append(Problem(f"{where}.{name}", "[]", "give a number, or a list with at least one"))
            continue
        bad = np.flatnonzero(~((samples >= 0) & (samples <= MOST_SECONDS)))
        problems += [
            Problem(
                f"{where}.{name}[{i}]" if len(samples) > 1 else f"{where}.{name}",
                str(float(samples[i])),
                f"times are seconds from 0 to {MOST_SECONDS:g}",
            )
            for i in bad[:5]
        ]
    return problems


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
