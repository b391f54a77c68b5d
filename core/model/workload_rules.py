"""The rules of all jobs of a workload together: what is wrong with them, found quickly where nothing is."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np

from core.model.coded_values import CodedValues
from core.model.errors import LONGEST_NAME, Problem, repeated_name, shorten
from core.model.in_parts import slices
from core.model.job import Job
from core.model.job_rules import are_sound, have_tasks, job_problems
from core.model.limits import MAX_SECONDS, MAX_TASKS
from core.model.links import links_problems
from core.model.many_jobs import JobColumns, are_map_reduce, stages_of, tasks_of, values_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

_JOBS_AT_ONCE = 1 << 13
_TEXTS = ("name", "pool", "user")
_PLAIN = Job("a plain job")
_SELDOM = (
    *("deadline", "weight", "dataset", "min_slots", "max_slots", "shuffle_bytes", "service_levels"),
    *("input_nodes", "remote_read"),
)
"""What nearly all jobs leave at its default."""


def workload_problems(jobs: Sequence[Job], checked: Sequence[Job] = ()) -> list[Problem]:
    """Return every rule that the jobs break (none for valid ones), with the path of each value.

    Jobs that are known to be valid by themselves are `checked`; whether they fit together is still looked at.
    """
    if not jobs:
        return [Problem("jobs", "[]", "a workload needs at least one job")]
    problems: list[Problem] = []
    if isinstance(jobs, JobColumns):
        valid, names = set[int](), jobs.names
        sound = is_plain = _are_plain_columns(jobs)
    else:
        valid, names = {id(job) for job in checked}, list(values_of(jobs, "name"))
        others = [job for job in jobs if id(job) not in valid] if valid else jobs
        sound = _all_at_once(_have_sound_stages, others)
        is_plain = sound and _all_at_once(_are_plain, others)
    if not (is_plain and have_own_names(names)):
        problems += _problems_one_by_one(jobs, valid, sound)
    problems += links_problems(jobs)
    tasks = tasks_of(jobs)
    if tasks > MAX_TASKS:
        problems.append(Problem("jobs", f"{tasks} tasks", f"at most {MAX_TASKS} tasks fit in one workload"))
    return problems


def _problems_one_by_one(jobs: Sequence[Job], valid: set[int], sound: bool) -> Iterator[Problem]:
    seen: dict[str, int] = {}
    for i, job in enumerate(jobs):
        where = f"jobs[{i}]"
        if not job.name.strip():
            yield Problem(f"{where}.name", shorten(job.name), "a job needs a name")
        elif (first := seen.setdefault(job.name, i)) != i:
            yield repeated_name("job", job.name, i, first)
        if id(job) not in valid:
            yield from job_problems(job, where, sound)


def _all_at_once(holds: Callable[[Sequence[Job]], bool], jobs: Sequence[Job]) -> bool:
    """Return whether something holds for all jobs; they are tested in parts, for the sake of memory."""
    return all(holds(jobs[begin : begin + _JOBS_AT_ONCE]) for begin in range(0, len(jobs), _JOBS_AT_ONCE))


def _have_sound_stages(jobs: Sequence[Job]) -> bool:
    """Return whether no stage of these jobs breaks a rule."""
    return are_sound(list(stages_of(jobs)))


def _are_plain(jobs: Sequence[Job]) -> bool:
    """Return whether it is plain to see that jobs with sound stages break no rule by themselves."""
    seldom = attrgetter(*_SELDOM)
    texts = {text for name in _TEXTS for text in map(attrgetter(name), jobs)}
    arrivals = np.fromiter(map(attrgetter("arrival"), jobs), np.float64, len(jobs))
    return (
        all(map(seldom(_PLAIN).__eq__, map(seldom, jobs)))
        and _are_plain_texts(texts)
        and 0 <= arrivals.min() <= arrivals.max() <= MAX_SECONDS
        and are_map_reduce(jobs)
        and have_tasks(jobs)
    )


def _are_plain_texts(texts: Collection[str]) -> bool:
    return "".join(texts).isprintable() and max(map(len, texts)) <= LONGEST_NAME // len(_TEXTS)


def _are_plain_columns(jobs: JobColumns) -> bool:
    """Return whether it is plain to see that jobs which are columns break no rule by themselves."""
    columns = (each for each in (jobs.names, jobs.pools, jobs.users) if not _are_numbers(each))
    texts = (part for each in columns for part in slices(each))
    arrivals, counts = jobs.arrivals, jobs.stages.counts
    times = [each for each in jobs.stages.seconds if len(each)]
    return (
        all(map(_are_plain_texts, texts))
        and bool(0 <= arrivals.min() <= arrivals.max() <= MAX_SECONDS)
        and all(0 <= each.min() <= each.max() <= MAX_SECONDS for each in times)
        and bool(0 <= counts.min() <= counts.max() <= MAX_TASKS and counts.any(axis=1).all())
    )


def _are_numbers(texts: Sequence[str]) -> bool:
    return isinstance(texts, CodedValues) and texts.are_numbers


def have_own_names(names: Sequence[str]) -> bool:
    """Return whether each is a name, and none of them twice; a set of a million takes much memory."""
    if isinstance(names, CodedValues) and names.are_numbers:
        hashes = names.numbers.astype(np.int64)
    elif not all(map(str.strip, names)):
        return False
    else:
        hashes = np.fromiter(map(hash, names), np.int64, len(names))
    hashes.sort()
    return bool((hashes[1:] != hashes[:-1]).all()) or len(set(names)) == len(names)
