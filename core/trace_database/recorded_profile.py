"""What the jobs of a workload took when they ran before: from the trace library, or from another workload."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from core.files.json_text import read_head
from core.files.open_workload import open_workload
from core.model.errors import InputError
from core.model.estimates import estimate_texts, estimates_of
from core.model.job import Job
from core.model.links import links_among, named_apart
from core.model.progress import never_stop, no_progress
from core.model.task_types import MAP, REDUCE
from core.model.workload import Workload
from core.trace_database.connection import MAGIC, default_library
from core.trace_database.entries import titles_of
from core.trace_database.named_job import LIBRARY, NewestRuns
from core.trace_database.trace_database import Library

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from core.model.estimates import DurationEstimates
    from core.policies.registry import PolicyDescription
    from core.trace_database.template import Template

NAME = "the trace library"


def with_coming(night: Workload, jobs: Sequence[Job]) -> Workload:
    """Return the jobs of a night and those that come, under the names that these then have."""
    new = named_apart(links_among(jobs), night.job_index)
    return replace(night, jobs=(*night.jobs, *new)) if new else night


class EarlierRuns(NamedTuple):
    """Jobs of a night as they ran before.

    Attributes
    ----------
    jobs : as `recorded_profile` returns them
    logs : of each of them, by name, the log that it stood in
    """

    jobs: Workload
    logs: Mapping[str, str]


def earlier_runs(workload: Workload) -> EarlierRuns | None:
    """Return what the user's own library knows of the jobs of a workload; None without any.

    The night itself counts for nothing, as it would know how it ends: neither a log of the library that holds
    a job of the workload, nor a job with the same tasks.
    """
    path = default_library()
    with suppress(InputError):  # nobody asked for it, so that nobody is told what is wrong with it
        found = _from_library(workload, path, has_night=False) if path.is_file() else {}
        if found:
            return EarlierRuns(_bare(NAME, workload, found), {name: ran.log for name, ran in found.items()})
    return None


def estimates_for(
    workload: Workload,
    policies: Iterable[PolicyDescription],
    text: str,
    progress: Callable[[float], None] = no_progress,
    dashes: str = "",
) -> DurationEstimates:
    """Return the estimates that policies have of durations in place of the true ones.

    Parameters
    ----------
    workload, policies : what is simulated
    text : "error=0.3,per=job,seed=7", or "profile=W" as jobs ran before (see `recorded_profile`)
    progress : called with the fraction of a log that is read, from 0 to 1
    dashes : what stands before the name of the option in messages

    Raises
    ------
    InputError
        the text is wrong, or no policy plans on durations
    """
    policies = list(policies)
    if not any(policy.plans for policy in policies):
        named = ", ".join(policy.id for policy in policies)
        raise InputError(f"{dashes}estimates: {named} plans on no durations, so leave the estimates out")
    given = estimate_texts(text)
    source = given.pop("profile", None)
    profile = None if source is None else recorded_profile(workload, source, progress)
    return estimates_of(given, profile)


def recorded_profile(
    workload: Workload,
    source: str,
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
) -> Workload:
    """Return the jobs of a workload as they ran before, as far as the source has them: nothing but tasks.

    Parameters
    ----------
    workload : whose jobs are looked for
    source : "library" for the user's own library, the file of another one, or what `open_workload` opens.
        A job is found by its name; in a library also by its title, or by the application that it is a run
        of. Of several templates the one that was imported last counts
    progress : called with the fraction of a log that is read, from 0 to 1
    should_stop : asked now and then whether to give up the import of a log

    Raises
    ------
    InputError
        the source cannot be read, or has none of the jobs
    """
    cut = ""
    if source == LIBRARY or _is_library(source):
        path = default_library() if source == LIBRARY else Path(source)
        name, found = NAME, _from_library(workload, path)
    else:
        opened = open_workload(source, progress=progress, should_stop=should_stop).workload
        name, cut = opened.name, opened.cut
        found = {job.name: _Ran(job, name) for job in opened.jobs}
    if not found.keys() & workload.job_index.keys():
        raise InputError(
            f"no job of {name} has the name of a job of {workload.name}; give a log, a workload or a library "
            "with earlier runs of these jobs"
        )
    return _bare(name, workload, found, cut)


class _Ran(NamedTuple):
    """A job as it ran before, and the log that it stands in."""

    job: Job
    log: str


def _bare(name: str, workload: Workload, found: Mapping[str, _Ran], cut: str = "") -> Workload:
    """Return the jobs of a workload that are found, with nothing but their tasks."""
    ran = [(job.name, found[job.name].job) for job in workload.jobs if job.name in found]
    jobs = [Job(own, stages=as_.stages, graph=as_.graph, shuffle_bytes=as_.shuffle_bytes) for own, as_ in ran]
    return Workload(name, tuple(jobs), cut=cut)


def _is_library(source: str) -> bool:
    try:
        return read_head(source, len(MAGIC)) == MAGIC
    except InputError:
        return False


def _from_library(workload: Workload, path: Path, *, has_night: bool = True) -> dict[str, _Ran]:
    """Return the templates found, each under the name of the job that it stands for.

    Parameters
    ----------
    has_night : whether logs that hold the workload itself are looked at, too
    """
    titles = titles_of(workload)
    with Library.open(path, create=path == default_library()) as library:
        every = library.search()
        if not has_night:
            every = _of_other_nights(every, workload)
        names, found = NewestRuns(every), {}
        for job in workload.jobs:
            ran = names.find(job.name, titles.get(job.name) or job.name)
            if ran is not None:
                found[job.name] = ran
        jobs = library.jobs([each.id for each in found.values()])
        return {name: _Ran(job, each.source) for (name, each), job in zip(found.items(), jobs, strict=True)}


def _of_other_nights(templates: tuple[Template, ...], workload: Workload) -> tuple[Template, ...]:
    """Return templates without those that stand in a log of the workload itself, or have its very tasks.

    Logs have their own names for each run of a job, other workloads have not.
    """
    own = workload.job_index.keys() if workload.recorded is not None else set()
    nights = {each.source for each in templates if each.name in own}
    return tuple(each for each in templates if each.source not in nights and not _is_of(each, workload))


def _is_of(template: Template, workload: Workload) -> bool:
    """Whether a template has a name and the tasks of a job of a workload."""
    place = workload.job_index.get(template.name)
    if place is None:
        return False
    job = workload.jobs[place]
    counts = job.count_of(MAP), job.count_of(REDUCE)
    seconds = sum(float(stage.task_durations.sum()) for stage in job.stages)
    took = template.map_seconds + template.reduce_seconds
    return counts == (template.maps, template.reduces) and math.isclose(seconds, took)
