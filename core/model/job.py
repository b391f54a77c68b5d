"""One MapReduce job, its two stages and the dataset that it may scan, as immutable values.

Jobs over the same dataset can share the scan of its blocks (003 section 2); a job that scans a dataset has
one map per block.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from core.model.errors import InputError, Problem, name_problems, repeated_name, shorten
from core.model.limits import MOST_SECONDS, MOST_SLOTS, MOST_TASKS
from core.model.time_text import exact_duration

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

MAP, REDUCE = 0, 1
"""The types of task, as indices of pairs."""
MOST_BYTES = 1e18
"""Data of one job: an exabyte."""
MOST_DATASETS = 10_000
MOST_BLOCKS = 1_000_000
USUAL_BLOCKS = 100
"""Blocks of a dataset in a document that gives its work alone."""
Blocks = tuple[tuple[int, int], ...]
"""Half-open ranges of a dataset's blocks, ascending; empty for the whole dataset."""
ServiceLevels = tuple[tuple[float, float], ...]
"""(seconds, cost) of each step of an agreement: done after that a job costs so much in all; both ascend."""
MOST_LEVELS = 100
NUMBER = r"\d+(?:\.\d*)?(?:e[+-]?\d+)?"


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


def job_problems(job: Job, where: str, stages_are_sound: bool = False) -> list[Problem]:
    """Return every rule that one job breaks, except those that concern other jobs.

    Its stages are not looked at where they are known to be sound.
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
    problems += _level_problems(job, f"{where}.service_levels")
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
    if not stages_are_sound:
        problems += _stage_problems(job.maps, f"{where}.maps")
        problems += _stage_problems(job.reduces, f"{where}.reduces")
    return problems


def _level_problems(job: Job, where: str) -> list[Problem]:
    if len(job.service_levels) > MOST_LEVELS:
        return [Problem(where, f"{len(job.service_levels)} levels", f"give at most {MOST_LEVELS}")]
    time, cost = job.arrival, 0.0
    for i, level in enumerate(job.service_levels):
        if not (time < level[0] <= MOST_SECONDS and cost < level[1] <= MOST_SECONDS):
            rule = "give [seconds, cost]: times after the job's arrival, costs above 0, both ascending, up to"
            return [Problem(f"{where}[{i}]", shorten(list(level)), f"{rule} {MOST_SECONDS:g}")]
        time, cost = level
    return []


def read_service_levels(text: str) -> ServiceLevels:
    """Read service levels, "60:1, 300:5"; InputError says what they should look like."""
    pairs = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        match = re.fullmatch(rf"({NUMBER})\s*s?\s*:\s*({NUMBER})", part)
        if match is None:
            raise InputError(f"service levels: '{part}' is not 'seconds:cost'; write for example 60:1, 300:5")
        pairs.append((float(match[1]), float(match[2])))
    return tuple(pairs)


def service_levels_text(levels: ServiceLevels) -> str:
    """Write service levels as `read_service_levels` reads them."""
    return ", ".join(f"{_shortest(time)}:{_shortest(cost)}" for time, cost in levels)


def _shortest(number: float) -> str:
    return f"{number:.0f}" if number == int(number) else repr(number)


def _name_problems(job: Job, where: str) -> list[Problem]:
    if not name_problems(where, f"{job.name}{job.pool}{job.user}{job.dataset or ''}"):
        return []  # as good as always
    problems = []
    for name in ("name", "pool", "user", "dataset"):
        if (value := getattr(job, name)) and name_problems(name, value):
            problems += name_problems(f"{where}.{name}", value)
    return problems


def are_sound(stages: Iterable[Stage]) -> bool:
    """Return whether no stage breaks a rule; there may be very many, and jobs may share them."""
    different = {id(stage): stage for stage in stages}.values()
    samples = [stage.durations for stage in different]
    samples += [stage.first_shuffle for stage in different]
    samples += [stage.typical_shuffle for stage in different]
    times = np.concatenate(samples)
    within = all(map(len, samples)) and times.min() >= 0 and times.max() <= MOST_SECONDS
    return bool(within) and all(0 <= stage.count <= MOST_TASKS for stage in different)


def _stage_problems(stage: Stage, where: str) -> list[Problem]:
    if not 0 <= stage.count <= MOST_TASKS:
        return [Problem(f"{where}.count", str(stage.count), f"a stage has from 0 to {MOST_TASKS} tasks")]
    problems = []
    for name in ("durations", "first_shuffle", "typical_shuffle"):
        samples = getattr(stage, name)
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


def datasets_problems(datasets: Sequence[Dataset]) -> list[Problem]:
    """Return every rule that datasets break (none for valid ones), with the path of each value."""
    if len(datasets) > MOST_DATASETS:
        rule = f"a workload has at most {MOST_DATASETS} datasets"
        return [Problem("datasets", f"{len(datasets)} datasets", rule)]
    problems: list[Problem] = []
    seen: dict[str, int] = {}
    for i, dataset in enumerate(datasets):
        if (first := seen.setdefault(dataset.name, i)) != i:
            problems.append(repeated_name("dataset", dataset.name, i, first))
        problems += dataset_problems(dataset, f"datasets[{i}]")
    return problems


def dataset_problems(dataset: Dataset, where: str) -> list[Problem]:
    """Return every rule that one dataset breaks, except those that concern other datasets."""
    problems = name_problems(f"{where}.name", dataset.name)
    if not isinstance(dataset.blocks, int) or not 1 <= dataset.blocks <= MOST_BLOCKS:
        rule = f"a dataset has from 1 to {MOST_BLOCKS} blocks"
        problems.append(Problem(f"{where}.blocks", shorten(dataset.blocks), rule))
    if not 0 < dataset.block_seconds <= MOST_SECONDS:
        rule = f"give the seconds that one block takes, above 0 and at most {MOST_SECONDS:g}"
        problems.append(Problem(f"{where}.block_seconds", shorten(dataset.block_seconds), rule))
    if not 0 <= dataset.scan_fraction <= 1:
        rule = "the part of a scan that jobs share is a fraction from 0 to 1"
        problems.append(Problem(f"{where}.scan_fraction", shorten(dataset.scan_fraction), rule))
    return problems


def scan_stage(dataset: Dataset, blocks: Blocks = ()) -> Stage:
    """Return the maps of a job that scans a dataset, or some of its blocks, by itself: one per block."""
    return Stage.of(dataset.count(blocks), dataset.block_seconds)


def scans_problems(jobs: Sequence[Job], datasets: Sequence[Dataset]) -> list[Problem]:
    """Return every rule that jobs and the datasets they scan break together.

    A job may name a dataset that is not listed; then it is no more than a remark.
    """
    known = {dataset.name: dataset for dataset in datasets}
    problems: list[Problem] = []
    for i, job in enumerate(jobs):
        dataset = known.get(job.dataset or "")
        if job.blocks or dataset is not None:
            problems += _scan_problems(job, dataset, f"jobs[{i}]")
    return problems


def _scan_problems(job: Job, dataset: Dataset | None, where: str) -> list[Problem]:
    if dataset is None:
        rule = "blocks belong to a dataset; name one that is listed"
        return [Problem(f"{where}.blocks", shorten(list(job.blocks)), rule)]
    behind = 0
    for begin, end in job.blocks:
        if not behind <= begin < end <= dataset.blocks:
            rule = (
                f"give ascending ranges [first, behind the last] inside the {dataset.blocks} blocks "
                f"of dataset '{dataset.name}'"
            )
            return [Problem(f"{where}.blocks", shorten([begin, end]), rule)]
        behind = end
    scan = scan_stage(dataset, job.blocks)
    if job.maps.count == scan.count and bool((job.maps.durations == dataset.block_seconds).all()):
        return []
    rule = (
        f"a job that scans dataset '{dataset.name}' has one map of "
        f"{exact_duration(dataset.block_seconds)} per block, {scan.count} in all; leave its maps out"
    )
    return [Problem(f"{where}.maps.count", str(job.maps.count), rule)]
