"""Steps that edit jobs, each with its text in the user's words; nothing is changed here yet."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from core.model.errors import InputError
from core.model.job import named_apart
from core.model.workload import Job, Stage
from explorer.document.commands import EditJob, InsertJobs, RemoveJobs, RenameWorkload, SetWorkload
from explorer.document.job_fields import job_field
from explorer.document.titles import called

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from core.model.workload import Workload
    from explorer.document.document import Document


def rename_workload(document: Document, name: str) -> RenameWorkload:
    """Give the workload another name."""
    before = document.workload.name
    return RenameWorkload(document, f"Rename {before} to {name}", before, name)


def edit_field(document: Document, index: int, field_id: str, value: object, gesture: int) -> EditJob:
    """Write what was typed into one field of a job; InputError if it makes no sense there."""
    field = job_field(field_id)
    job = document.workload.jobs[index]
    try:
        changed = field.write(job, value)
    except InputError as error:
        raise InputError(f"job {job.name}: {error}") from error
    if field_id == "name":
        text = f"Rename {job.name} to {changed.name}"
    else:
        text = f"Set {field.title} of {job.name} to {field.text(changed) or 'none'}"
    return EditJob(document, text, index, changed, (field_id, gesture))


def replace_job(document: Document, index: int, job: Job, gesture: int) -> EditJob:
    """Replace a job by another value of it."""
    name = document.workload.jobs[index].name
    return EditJob(document, f"Edit {name}", index, job, ("all", gesture))


def move_to_pool(document: Document, names: Collection[str], pool: str) -> SetWorkload:
    """Let jobs belong to a pool that shares the slots with others."""
    moved = [name for name in names if document.workload.jobs[document.workload.job_index[name]].pool != pool]
    text = f"Move {_named(moved)} to {called(pool)}" if moved else ""
    return SetWorkload(document, text, document.workload, with_pool_of(document.workload, moved, pool))


def with_pool_of(workload: Workload, names: Collection[str], pool: str) -> Workload:
    """Return a workload in which some jobs belong to a pool."""
    return workload.with_jobs(
        [replace(job, pool=pool) if job.name in names else job for job in workload.jobs]
    )


def scale_jobs(document: Document, workload: Workload, text: str) -> SetWorkload:
    """Use a version of the workload whose jobs have more or less input."""
    return SetWorkload(document, text, document.workload, workload)


def set_deadlines(document: Document, workload: Workload, text: str) -> SetWorkload:
    """Use a version of the workload whose jobs have other deadlines."""
    return SetWorkload(document, text, document.workload, workload)


def remove_deadlines(document: Document) -> SetWorkload:
    """Take every job's deadline away."""
    jobs = [job if job.deadline is None else replace(job, deadline=None) for job in document.workload.jobs]
    return set_deadlines(document, document.workload.with_jobs(jobs), "Remove all deadlines")


def add_job(document: Document, job: Job, index: int | None) -> InsertJobs:
    """Add a job, at the end unless a place is given."""
    place = len(document.workload.jobs) if index is None else index
    return InsertJobs(document, f"Add {job.name}", [(place, job)])


def insert_jobs(document: Document, jobs: Sequence[Job], index: int | None, text: str) -> InsertJobs:
    """Add jobs side by side, at the end unless a place is given; names that are taken get numbers."""
    place = len(document.workload.jobs) if index is None else index
    apart = named_apart(jobs, document.workload.job_index)
    return InsertJobs(document, text, [(place + i, job) for i, job in enumerate(apart)])


def duplicate_jobs(document: Document, indices: Collection[int]) -> InsertJobs:
    """Put a copy behind each of these jobs."""
    jobs = document.workload.jobs
    taken = {job.name for job in jobs}
    chosen = sorted(set(indices))
    copies = []
    for earlier, index in enumerate(chosen):
        name = _copy_name(jobs[index].name, taken)
        taken.add(name)
        copies.append((index + earlier + 1, replace(jobs[index], name=name)))
    return InsertJobs(document, f"Duplicate {_named([jobs[i].name for i in chosen])}", copies)


def delete_jobs(document: Document, indices: Collection[int]) -> RemoveJobs:
    """Delete jobs."""
    chosen = sorted(set(indices))
    names = [document.workload.jobs[index].name for index in chosen]
    return RemoveJobs(document, f"Delete {_named(names)}", chosen)


def new_job(document: Document) -> Job:
    """Return a small job with a name that is free, for people to change."""
    jobs = document.workload.jobs
    taken = {job.name for job in jobs}
    number = len(jobs) + 1
    while f"J{number}" in taken:
        number += 1
    return Job(f"J{number}", Stage.of(10, 10.0), Stage.of(5, 10.0, 2.0, 4.0))


def _copy_name(name: str, taken: Collection[str]) -> str:
    copy, number = f"{name} copy", 1
    while copy in taken:
        number += 1
        copy = f"{name} copy {number}"
    return copy


def _named(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{len(names)} jobs"
