"""What the jobs of a workload took when they ran before: from the trace library, or from another workload."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from core.files.json_text import read_head
from core.files.open_workload import open_workload
from core.model.errors import InputError
from core.model.estimates import estimate_texts, estimates_of
from core.model.job import Job
from core.model.progress import never_stop, no_progress
from core.model.workload import Workload
from core.trace_database.connection import MAGIC, default_library
from core.trace_database.entries import titles_of
from core.trace_database.template import application_of
from core.trace_database.trace_database import Library

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from core.model.estimates import DurationEstimates
    from core.policies.registry import PolicyDescription

LIBRARY = "library"
"""Names the user's own library where a profile is asked for."""


def estimates_for(
    workload: Workload,
    policies: Iterable[PolicyDescription],
    text: str,
    progress: Callable[[float], None] = no_progress,
    dashes: str = "",
) -> DurationEstimates:
    """Return what policies are told of durations instead of the true ones.

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
        name, found = "the trace library", _from_library(workload, path)
    else:
        opened = open_workload(source, progress=progress, should_stop=should_stop).workload
        name, found, cut = opened.name, {job.name: job for job in opened.jobs}, opened.cut
    jobs = [
        Job(job.name, stages=ran.stages, graph=ran.graph, shuffle_bytes=ran.shuffle_bytes)
        for job in workload.jobs
        if (ran := found.get(job.name)) is not None
    ]
    if not jobs:
        raise InputError(
            f"no job of {name} has the name of a job of {workload.name}; give a log, a workload or a library "
            "with earlier runs of these jobs"
        )
    return Workload(name, tuple(jobs), cut=cut)


def _is_library(source: str) -> bool:
    try:
        return read_head(source, len(MAGIC)) == MAGIC
    except InputError:
        return False


def _from_library(workload: Workload, path: Path) -> dict[str, Job]:
    """Return the templates found, each under the name of the job that it stands for."""
    titles = titles_of(workload)
    with Library.open(path, create=path == default_library()) as library:
        every = library.search()
        by_name = {template.name: template.id for template in every}
        by_title = {template.title: template.id for template in every if template.title}
        by_application = {template.application: template.id for template in every if template.title}
        ids = {}
        for job in workload.jobs:
            title = titles.get(job.name) or job.name
            found = by_name.get(job.name) or by_title.get(title) or by_application.get(application_of(title))
            if found is not None:
                ids[job.name] = found
        return dict(zip(ids, library.jobs(list(ids.values())), strict=True))
