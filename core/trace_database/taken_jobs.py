"""Templates taken out of the library as the jobs of a workload."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal, get_args

from core.model.errors import InputError
from core.model.workload import Workload

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from core.model.job import Job
    from core.trace_database.template import Template
    from core.trace_database.trace_database import Library

Arrivals = Literal["together", "recorded"]
ARRIVALS: tuple[str, ...] = get_args(Arrivals)


def workload_of(
    library: Library, ids: Sequence[int], *, name: str = "From the library", arrivals: Arrivals = "together"
) -> Workload:
    """Return a workload of templates, in the order given.

    Jobs of one name get numbers. The cluster is the one suggested for their log, or the usual one where
    they come from several.

    Parameters
    ----------
    ids : of the templates, each once; at least one
    arrivals : "together": all at 0 s; "recorded": as far apart as in their log, or, from several logs, as
        their dates are; the first at 0 s

    Raises
    ------
    InputError
        no such template, one is named twice, or arrivals are not known
    """
    if len(set(ids)) < len(ids) or not ids:
        raise InputError("name at least one job of the library, and each of them once")
    jobs: Sequence[Job] = named_apart(library.jobs(ids))
    templates = library.templates(ids)
    if arrivals == "recorded":
        times = _recorded_arrivals(templates)
        jobs = [replace(job, arrival=at) for job, at in zip(jobs, times, strict=True)]
    source = ", ".join(dict.fromkeys(f"{template.format}: {template.source}" for template in templates))
    return Workload(name, tuple(jobs), library.cluster(ids), source=f"trace library, {source}"[:10_000])


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


def _recorded_arrivals(templates: Sequence[Template]) -> list[float]:
    """Return seconds from the first job's arrival."""
    if len({(template.source, template.format) for template in templates}) == 1:
        times = [template.arrival for template in templates]
    else:
        dates = [template.submitted for template in templates]
        times = [date for date in dates if date is not None]
        if len(times) < len(dates):
            raise InputError(
                "the jobs come from several logs, and not all of these have dates: when they arrived "
                "relative to each other is not known; let them arrive together"
            )
    return [time - min(times) for time in times]
