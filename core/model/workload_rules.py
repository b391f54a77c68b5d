"""The rules of all jobs of a workload together: what is wrong with them, found quickly where nothing is."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np

from core.model.circles import circle_in
from core.model.coded_values import CodedValues
from core.model.errors import LONGEST_NAME, Problem, repeated_name, shorten
from core.model.in_parts import slices
from core.model.job import Job, scan_stage
from core.model.job_rules import are_sound, job_problems
from core.model.limits import MAX_SECONDS, MAX_TASKS
from core.model.many_jobs import JobColumns, are_map_reduce, have_links, stages_of, tasks_of, values_of
from core.model.stages import MAP_REDUCE
from core.model.task_types import TASK_TYPES
from core.model.time_text import exact_duration

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from core.model.job import Dataset, Link

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


def have_tasks(jobs: Sequence[Job]) -> bool:
    """Return whether each of some MapReduce jobs has a task."""
    counts = np.fromiter(map(attrgetter("count"), stages_of(jobs)), np.int64, len(TASK_TYPES) * len(jobs))
    return bool(counts.reshape(len(jobs), -1).any(axis=1).all())


# ---- links between jobs


def links_problems(jobs: Sequence[Job]) -> list[Problem]:
    """Return every rule that the links of jobs break, with the path of each value."""
    if not have_links(jobs):
        return []
    index = {job.name: i for i, job in enumerate(jobs)}
    problems: list[Problem] = []
    for i, job in enumerate(jobs):
        seen: set[str] = set()
        for k, link in enumerate(job.after):
            problems += _link_problems(link, index, seen, f"jobs[{i}].after[{k}]")
            seen.add(link.job)
    return problems + _circle_problems(jobs, index)


def _link_problems(link: Link, index: Mapping[str, int], seen: set[str], where: str) -> list[Problem]:
    problems = []
    if link.job not in index:
        rule = "no job has this name; name a job of the workload that ends first"
        problems.append(Problem(f"{where}.job", shorten(link.job), rule))
    elif link.job in seen:
        rule = "the job is named twice; give one link to it, with the longer think time"
        problems.append(Problem(f"{where}.job", shorten(link.job), rule))
    if not 0 <= link.think <= MAX_SECONDS:
        rule = f"a think time is 0 s or longer, and at most {MAX_SECONDS:g} s"
        problems.append(Problem(f"{where}.think", str(link.think), rule))
    return problems


def _circle_problems(jobs: Sequence[Job], index: Mapping[str, int]) -> list[Problem]:
    circle = circle_in([[index[link.job] for link in job.after if link.job in index] for job in jobs])
    if not circle:
        return []
    names = " after ".join(shorten(jobs[i].name) for i in (*circle, circle[0]))
    rule = "jobs follow one another in a circle, so none of them could arrive; take one link away"
    return [Problem(f"jobs[{circle[0]}].after", names, rule)]


# ---- jobs that scan datasets


def scans_problems(jobs: Sequence[Job], datasets: Sequence[Dataset]) -> list[Problem]:
    """Return every rule that jobs and the datasets they scan break together.

    A job may name a dataset that is not listed; then it is no more than a remark.
    """
    known = {dataset.name: dataset for dataset in datasets}
    problems: list[Problem] = []
    if not known and not any(values_of(jobs, "blocks")):
        return problems  # as nearly always
    for i, job in enumerate(jobs):
        dataset = known.get(job.dataset or "")
        if dataset is not None and job.graph != MAP_REDUCE:
            rule = "a job that scans a dataset that is listed has maps and reduces, no stages of its own"
            problems.append(Problem(f"jobs[{i}].dataset", shorten(job.dataset), rule))
        elif job.blocks or dataset is not None:
            problems += _scan_problems(job, dataset, f"jobs[{i}]")
    return problems


def _scan_problems(job: Job, dataset: Dataset | None, where: str) -> list[Problem]:
    if dataset is None:
        rule = "blocks belong to a dataset; name one that is listed"
        return [Problem(f"{where}.blocks", shorten(list(job.blocks)), rule)]
    if job.input_nodes:
        rule = f"where input lies is not modelled of jobs that scan dataset '{dataset.name}'; leave it out"
        return [Problem(f"{where}.input_nodes", "", rule)]
    behind = 0
    for begin, end in job.blocks:
        if not behind <= begin < end <= dataset.blocks:
            rule = (
                f"give ascending ranges [first, behind the last] inside the {dataset.blocks} blocks "
                f"of dataset '{dataset.name}'"
            )
            return [Problem(f"{where}.blocks", shorten([begin, end]), rule)]
        behind = end
    scan, own = scan_stage(dataset, job.blocks), job.stages[0]
    if own.count == scan.count and bool((own.durations == dataset.block_seconds).all()):
        return []
    rule = (
        f"a job that scans dataset '{dataset.name}' has one map of "
        f"{exact_duration(dataset.block_seconds)} per block, {scan.count} in all; leave its maps out"
    )
    return [Problem(f"{where}.maps.count", str(own.count), rule)]
