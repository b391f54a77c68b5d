"""Sorting jobs into few classes, as charts colour them: by job, user, pool, dataset or size.

Charts have some ten colours, and a workload may have a thousand jobs. So the jobs that hold most slot time
are classes of their own and the others are one class together; or the classes are users, pools, datasets or
sizes. What a class looks like is not known here.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from core.model.schedule import Schedule
    from core.model.workload import Workload

MAX_NAMED = 9
"""Jobs, users or pools that are classes of their own; where there are more, the others are one class."""
MAX_LARGE = 12
"""With more large jobs than that, jobs are not told apart by themselves unless somebody asks for it."""
LARGE_SHARE = 0.005
"""A job is large if it holds more than this share of all slot time."""
MIN_LARGE_TOTAL = 0.5
"""Jobs are told apart by themselves if the large ones hold at least so much of all slot time together."""
MAX_VALUES, MAX_ONE_SHARE = 12, 0.7
"""Users or pools are worth telling apart if they are no more, and none holds more of all slot time."""
MAX_SIZES = 5
MAX_STEPS = 160
"""So many different sizes are looked at where there are more."""


class ClassedBy(StrEnum):
    """What decides of which class a job or a task is."""

    BEST = "best"
    JOB = "job"
    USER = "user"
    POOL = "pool"
    DATASET = "dataset"
    SIZE = "size"
    STAGE = "stage"
    OUTCOME = "outcome"
    WAIT = "wait"
    DEVIATION = "deviation"


OF_JOBS = (ClassedBy.JOB, ClassedBy.USER, ClassedBy.POOL, ClassedBy.DATASET, ClassedBy.SIZE)
"""What decides of a job and so of all its tasks; the others decide of each task by itself."""


@dataclass(frozen=True, slots=True)
class JobClass:
    """One class.

    Attributes
    ----------
    name : "alice", "10 to 50 tasks", or the name of the only job; of those left over "9 small" or "3 others"
    jobs : how many jobs it has
    job : index of the only job, -1 if it has several or is not about one
    is_rest : whether it is what was left over
    dataset : the number of its dataset among those of the workload, -1 if it is not about a listed one
    """

    name: str
    jobs: int
    job: int = -1
    is_rest: bool = False
    dataset: int = -1


@dataclass(frozen=True, eq=False)
class JobClasses:
    """The classes of a workload's jobs, or of their tasks.

    Attributes
    ----------
    by : what decides, never BEST
    classes : in the order in which their first jobs come; sizes from small to large, datasets as listed
    of_job : the class of each job; -1 where its tasks are of several classes, int64 (jobs,)
    turn : how many jobs of its class come before each job, int64 (jobs,)
    of_tasks : returns the class of each task of a schedule, int64 (tasks,); None where all tasks of a job are
        of its class
    """

    by: ClassedBy
    classes: tuple[JobClass, ...]
    of_job: NDArray[np.int64]
    turn: NDArray[np.int64]
    of_tasks: Callable[[Schedule], NDArray[np.int64]] | None = None


def job_classes(
    workload: Workload, by: ClassedBy = ClassedBy.BEST, places: NDArray[np.int64] | None = None
) -> JobClasses:
    """Sort the jobs of a workload into classes.

    Parameters
    ----------
    by : one of `OF_JOBS`, or BEST: the first of job, user and pool that tells much apart, else the size
    places : the place of each job in the order in which they come, (jobs,); the workload's order if None

    Examples
    --------
    With jobs A, B and C, of which A and C are alice's, `by` user: the classes alice, with two jobs, and bob;
    `of_job` is 0, 1, 0 and `turn` 0, 0, 1.
    """
    jobs = len(workload.jobs)
    places = np.arange(jobs) if places is None or len(places) != jobs else places
    if by is ClassedBy.BEST:
        by = best_classes(workload)
    if by is ClassedBy.SIZE:
        classes, of_job = _sizes(workload)
    elif by is ClassedBy.JOB:
        classes, of_job = _largest(workload, places)
    else:
        classes, of_job = _owners(workload, by, places)
    return JobClasses(by, classes, of_job, _turns(of_job, places))


def best_classes(workload: Workload) -> ClassedBy:
    """Return the classes that divide a workload's slot time best: jobs, users, pools or sizes.

    That is the job while few jobs hold most of the slot time, else the user or the pool if none of them holds
    nearly all of it, else the size; the job again where all are of one size.
    """
    shares = _shares(workload)
    large = shares > LARGE_SHARE
    few = len(shares) <= MAX_NAMED
    if few or (large.sum() <= MAX_LARGE and shares[large].sum() >= MIN_LARGE_TOTAL):
        return ClassedBy.JOB
    for by in (ClassedBy.USER, ClassedBy.POOL):
        held: Counter[str] = Counter()
        for value, share in zip(_values(workload, by), shares.tolist(), strict=True):
            held[value] += share
        if 2 <= len(held) <= MAX_VALUES and max(held.values()) <= MAX_ONE_SHARE:
            return by
    return ClassedBy.SIZE if len(_sizes(workload)[0]) > 1 else ClassedBy.JOB


def _shares(workload: Workload) -> NDArray[np.float64]:
    """Return the share of all slot time that each job holds, (jobs,); equal shares if none holds any."""
    held, jobs = workload.slot_time, len(workload.jobs)
    total = held.sum()
    return held / total if total > 0 else np.full(jobs, 1.0 / max(jobs, 1))


def _values(workload: Workload, by: ClassedBy) -> list[str]:
    if by is ClassedBy.USER:
        return [job.user or "no user" for job in workload.jobs]
    if by is ClassedBy.DATASET:
        return [job.dataset or "no dataset" for job in workload.jobs]
    return [job.pool for job in workload.jobs]


def _turns(of_job: NDArray[np.int64], places: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how many jobs of its class come before each job, (jobs,)."""
    order = np.lexsort((places, of_job))
    sorted_classes = of_job[order]
    begins = np.flatnonzero(np.diff(sorted_classes, prepend=-1))
    turn = np.empty(len(order), np.int64)
    turn[order] = np.arange(len(order)) - np.repeat(begins, np.diff([*begins.tolist(), len(order)]))
    return turn


def _largest(workload: Workload, places: NDArray[np.int64]) -> tuple[tuple[JobClass, ...], NDArray[np.int64]]:
    """Return a class for each of the largest jobs, in the order in which they come, and one of the rest."""
    shares = _shares(workload)
    largest = np.lexsort((places, -shares))
    named = [job for job in largest[:MAX_NAMED].tolist() if shares[job] > LARGE_SHARE]
    if len(shares) <= MAX_NAMED:
        named = largest.tolist()
    named.sort(key=lambda job: int(places[job]))
    of_job = np.full(len(shares), len(named), np.int64)
    of_job[named] = np.arange(len(named))
    classes = [JobClass(workload.jobs[job].name, 1, job) for job in named]
    rest = np.flatnonzero(of_job == len(named))
    if len(rest) == 1:
        classes.append(JobClass(workload.jobs[int(rest[0])].name, 1, int(rest[0]), is_rest=True))
    elif len(rest):
        what = "small" if shares[rest].max() <= LARGE_SHARE else "others"
        classes.append(JobClass(f"{len(rest)} {what}", len(rest), is_rest=True))
    return tuple(classes), of_job


def _owners(
    workload: Workload, by: ClassedBy, places: NDArray[np.int64]
) -> tuple[tuple[JobClass, ...], NDArray[np.int64]]:
    """Return a class for each of the users, pools or datasets with most slot time, and one of the rest."""
    values, value = np.unique(np.array(_values(workload, by)), return_inverse=True)
    held, first = np.bincount(value, _shares(workload)), np.full(len(values), len(value))
    np.minimum.at(first, value, places)
    listed: dict[str, int] = {}
    if by is ClassedBy.DATASET:
        listed = {dataset.name: number for number, dataset in enumerate(workload.datasets)}
        first = np.array([listed.get(str(name), len(listed)) for name in values])
    most = np.lexsort((first, -held))[:MAX_NAMED]
    kept = most[np.argsort(first[most], kind="stable")]
    number = np.full(len(values), len(kept))
    number[kept] = np.arange(len(kept))
    counts = np.bincount(number[value], minlength=len(kept) + 1).tolist()
    names = [str(values[each]) for each in kept.tolist()]
    classes = [JobClass(name, counts[at], dataset=listed.get(name, -1)) for at, name in enumerate(names)]
    rest = np.flatnonzero(number == len(kept))
    if len(rest):
        name = f"{len(rest)} others" if len(rest) > 1 else str(values[rest[0]])
        classes.append(JobClass(name, counts[-1], is_rest=True))
    return tuple(classes), number[value]


def _sizes(workload: Workload) -> tuple[tuple[JobClass, ...], NDArray[np.int64]]:
    """Return classes of jobs by how many tasks they have, called maps where there is nothing else."""
    size = workload.columns.counts.sum(axis=1)
    different = np.unique(size)
    edges = size_edges(different.tolist())
    of_job = np.searchsorted(edges, size, side="right").astype(np.int64)
    what = "map" if workload.is_map_reduce and workload.map_count == size.sum() else "task"
    classes = []
    for number, jobs in enumerate(np.bincount(of_job, minlength=len(edges) + 1).tolist()):
        members = size[of_job == number]
        classes.append(JobClass(_range_text(int(members.min()), int(members.max()), what), jobs))
    return tuple(classes), of_job


def _range_text(least: int, most: int, what: str) -> str:
    numbers = f"{least}" if least == most else f"{least} to {most}"
    return f"{numbers} {what}" if most == 1 else f"{numbers} {what}s"


def size_edges(sizes: Sequence[int], classes: int = MAX_SIZES) -> list[int]:
    """Return the smallest size of every class but the first, so that sizes of a class are near each other.

    Near means by ratio: of all ways to cut the ascending `sizes`, the one with the least sum of squared
    differences of logarithms from the mean of their class.

    Examples
    --------
    1, 2, 10, 100 and 120 in three classes: 10 and 100 begin new ones.
    """
    steps = sorted(set(sizes))
    if len(steps) > MAX_STEPS:
        picked = np.linspace(0, len(steps) - 1, MAX_STEPS).round().astype(int)
        steps = [steps[place] for place in picked.tolist()]
    if len(steps) <= classes:
        return steps[1:]
    logs = np.log(np.maximum(steps, 0.5))
    ones, sums, squares = (
        np.concatenate([[0.0], np.cumsum(each)]) for each in (np.ones_like(logs), logs, logs**2)
    )

    def spread(begin: int, end: int) -> float:
        total = sums[end] - sums[begin]
        return float(squares[end] - squares[begin] - total * total / (ones[end] - ones[begin]))

    best = [spread(0, end) if end else 0.0 for end in range(len(steps) + 1)]
    cuts: list[list[int]] = []
    for number in range(1, classes):
        before, best, cut = best, [np.inf] * len(best), [0] * len(best)
        for end in range(number + 1, len(steps) + 1):
            found = [(before[middle] + spread(middle, end), middle) for middle in range(number, end)]
            best[end], cut[end] = min(found)
        cuts.append(cut)
    edges, end = [], len(steps)
    for cut in reversed(cuts):
        end = cut[end]
        edges.append(steps[end])
    return edges[::-1]
