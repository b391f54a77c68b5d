"""Edits of the workload: its jobs, and the pools that share the slots. One method per edit, text and all."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING

from core.model.errors import DocumentError, InputError, Problem, shorten
from core.model.job import Job, Link
from core.model.job_rules import job_problems
from core.model.links import links_among, named_apart, renamed_links
from core.model.pool import Pool
from core.model.stages import ONE_STAGE, Stage
from explorer.document.choices import fitted, renamed
from explorer.document.document import Edits
from explorer.document.edited_fields import job_field
from explorer.document.titles import called

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from core.model.document_state import DocumentState
    from core.model.workload import Workload
    from explorer.document.edited_fields import PoolFieldInfo


class WorkloadEdits(Edits):
    """Edits of jobs and of the pools that sharing policies know."""

    # One job

    def edit_job(self, index: int, field_id: str, value: object) -> None:
        """Write what was typed into one field (see `fields.JOB_FIELDS`) of one job."""
        field, job = job_field(field_id), self.document.workload.jobs[index]
        try:
            changed = field.write(job, value)
        except InputError as error:
            raise InputError(f"job {job.name}: {error}") from error
        if field_id == "name":
            text = f"Rename {job.name} to {changed.name}"
        else:
            text = f"Set {field.title} of {job.name} to {field.text(changed) or 'none'}"
        self.commit(text, self._with_job(index, changed), "job", index, field_id)

    def replace_job(self, index: int, job: Job) -> None:
        """Replace a job by another value of it: several fields in one step."""
        self.commit(f"Edit {self.document.workload.jobs[index].name}", self._with_job(index, job))

    def follow_job(self, index: int, before: str, think: float = 0.0) -> None:
        """Let a job follow another one, by its name: it arrives so many seconds after that one's end."""
        job = self.document.workload.jobs[index]
        changed = replace(job, arrival=0.0, after=(Link(before, think),))
        self.commit(f"Let {job.name} follow {before}", self._with_job(index, changed))

    def cut_links(self, index: int) -> None:
        """Let a job arrive at a fixed time, and follow no other one.

        That is when the log says that it was submitted, or else the earliest time at which it could arrive.
        """
        workload = self.document.workload
        job, run = workload.jobs[index], workload.recorded
        if not job.after:
            raise InputError(f"{job.name} follows no other job: it arrives at a fixed time already")
        arrival = float(workload.columns.arrival[index])
        if run is not None and job.name in run.jobs:
            recorded = float(run.submit[run.jobs.index(job.name)])
            arrival = max(recorded, 0.0) if isfinite(recorded) else arrival
        changed = replace(job, arrival=arrival, after=())
        self.commit(f"Let {job.name} arrive at {arrival:.10g} s", self._with_job(index, changed))

    def _with_job(self, index: int, job: Job) -> DocumentState:
        """Return the state with one job replaced; a new name is taken over into every order."""
        state, jobs = self.document.state, list(self.document.workload.jobs)
        old = jobs[index].name
        _check_job(job, jobs[:index] + jobs[index + 1 :])
        jobs[index] = job
        scenarios = state.scenarios
        if job.name != old:
            scenarios = tuple(renamed(scenario, old, job.name) for scenario in scenarios)
        workload = state.workload.with_jobs(renamed_links(jobs, {old: job.name}))
        return replace(state, workload=workload, scenarios=scenarios)

    # Which jobs there are

    def add_job(self, job: Job | None = None, index: int | None = None) -> Job:
        """Add a job, at the end unless a place is given, and return it; by default a small new one."""
        job = self._new_job() if job is None else job
        place = len(self.document.workload.jobs) if index is None else index
        self._insert(f"Add {job.name}", [(place, job)])
        return job

    def insert_jobs(self, jobs: Sequence[Job], index: int | None, text: str) -> None:
        """Add jobs from elsewhere in one step called `text`, at the end unless a place is given.

        Names that are taken get numbers. A job that followed one which is not among them arrives at its own
        fixed time.
        """
        place = len(self.document.workload.jobs) if index is None else index
        added = named_apart(links_among(jobs), self.document.workload.job_index)
        self._insert(text, enumerate(added, place))

    def duplicate_jobs(self, indices: Collection[int]) -> None:
        """Put a copy behind each of these jobs."""
        jobs = self.document.workload.jobs
        taken = {job.name for job in jobs}
        chosen = sorted(set(indices))
        copies = []
        for earlier, index in enumerate(chosen):
            name = _copy_name(jobs[index].name, taken)
            taken.add(name)
            copies.append((index + earlier + 1, replace(jobs[index], name=name)))
        self._insert(f"Duplicate {_named([jobs[i].name for i in chosen])}", copies)

    def delete_jobs(self, indices: Collection[int]) -> None:
        """Delete these jobs."""
        jobs, chosen = self.document.workload.jobs, set(indices)
        left = [job for i, job in enumerate(jobs) if i not in chosen]
        if not left:
            raise InputError("no job would be left; a workload needs at least one, so keep one of them")
        self._set_jobs(f"Delete {_named([jobs[i].name for i in sorted(chosen)])}", left)

    def _insert(self, text: str, placed: Iterable[tuple[int, Job]]) -> None:
        """Add jobs, each at its place in the workload as it will be."""
        jobs = list(self.document.workload.jobs)
        for index, job in placed:
            jobs.insert(index, job)
        self._set_jobs(text, jobs)

    def _new_job(self) -> Job:
        """Return a small job with a name that is free, to be changed by the user."""
        taken = self.document.workload.job_index
        number = len(taken) + 1
        while f"J{number}" in taken:
            number += 1
        if self.document.workload.is_map_reduce:
            return Job(f"J{number}", Stage.of(10, 10.0), Stage.of(5, 10.0, 2.0, 4.0))
        return Job(f"J{number}", stages=(Stage.of(10, 10.0),), graph=ONE_STAGE)

    # Many jobs

    def set_workload(self, workload: Workload, text: str) -> None:
        """Use a version of the workload in one step called `text`.

        Hand-made orders lose the names of jobs that are gone and get new ones at their end.
        """
        scenarios = tuple(fitted(scenario, workload) for scenario in self.document.scenarios)
        self.commit(text, replace(self.document.state, workload=workload, scenarios=scenarios))

    def set_deadlines(self, workload: Workload, factor: float, seed: int) -> None:
        """Use a version of the workload with random deadlines (see `core.generate.deadlines`)."""
        self.set_workload(workload, f"Draw deadlines with factor {factor:g} and seed {seed}")

    def remove_deadlines(self) -> None:
        """Take every job's deadline away."""
        jobs = self.document.workload.jobs
        free = [job if job.deadline is None else replace(job, deadline=None) for job in jobs]
        self._set_jobs("Remove all deadlines", free)

    def scale_jobs(self, workload: Workload, factor: float, jobs: int) -> None:
        """Use a version of the workload in which so many jobs have `factor` times the input."""
        self.set_workload(workload, f"Scale {jobs} job{'' if jobs == 1 else 's'} by {factor:g}")

    def move_to_pool(self, names: Collection[str], pool: str) -> None:
        """Let these jobs belong to a pool that shares the slots with others, in one step."""
        workload = self.document.workload
        moved = [name for name in names if workload.jobs[workload.job_index[name]].pool != pool]
        if moved:
            self.set_workload(with_pool_of(workload, moved, pool), f"Move {_named(moved)} to {called(pool)}")

    def _set_jobs(self, text: str, jobs: Iterable[Job]) -> None:
        self.set_workload(self.document.workload.with_jobs(jobs), text)

    # Pools that share the slots

    def edit_pool(self, name: str, field: PoolFieldInfo, text: str) -> None:
        """Write what was typed into one setting (see `fields.POOL_FIELDS`) of a pool."""
        changed = field.write(pool_named(self.document.workload, name), text)
        words = f"Set {field.title.lower()} of {called(name)} to {text.strip() or field.empty}"
        self._set_pools(words, self._with_pool(changed), "pool", name, field.id)

    def rename_pool(self, old: str, new: str) -> None:
        """Give a pool another name, in its settings and in all its jobs."""
        new, workload = new.strip(), self.document.workload
        if not new:
            raise InputError("a pool needs a name")
        if new != old and new in workload.pools:
            raise InputError(f"another pool is called '{new}'; give every pool its own name")
        pools = [replace(pool, name=new) if pool.name == old else pool for pool in workload.pool_settings]
        jobs = [replace(job, pool=new) if job.pool == old else job for job in workload.jobs]
        after = replace(self.document.state, workload=workload.with_jobs(jobs).with_pools(pools))
        self.commit(f"Rename {called(old)} to {new}", after)

    def add_pool(self) -> None:
        """Add a pool without jobs, with the default settings and a name that is free."""
        number = len(self.document.workload.pools) + 1
        while f"pool {number}" in self.document.workload.pools:
            number += 1
        pool = Pool(f"pool {number}")
        self._set_pools(f"Add {called(pool.name)}", [*self._every_pool(), pool])

    def remove_pool(self, name: str) -> None:
        """Remove a pool without jobs, or forget the settings of one that has some."""
        if any(job.pool == name for job in self.document.workload.jobs):
            self._set_pools(f"Forget the settings of {called(name)}", self._with_pool(Pool(name)))
        else:
            self._set_pools(f"Remove {called(name)}", [p for p in self._every_pool() if p.name != name])

    def _every_pool(self) -> list[Pool]:
        """Return the settings of every pool: listed all, they stay in this order whatever is edited."""
        workload = self.document.workload
        return [pool_named(workload, name) for name in workload.pools]

    def _with_pool(self, changed: Pool) -> list[Pool]:
        return [changed if pool.name == changed.name else pool for pool in self._every_pool()]

    def _set_pools(self, text: str, pools: Sequence[Pool], *field: str) -> None:
        workload = self.document.workload.with_pools(pools)
        self.commit(text, replace(self.document.state, workload=workload), *field)


def with_pool_of(workload: Workload, names: Collection[str], pool: str) -> Workload:
    """Return a workload in which some jobs belong to a pool."""
    return workload.with_jobs(
        [replace(job, pool=pool) if job.name in names else job for job in workload.jobs]
    )


def pool_named(workload: Workload, name: str) -> Pool:
    """Return a pool's settings as they are set; the defaults for one without."""
    listed = {pool.name: pool for pool in workload.pool_settings}
    return listed.get(name) or Pool(name)


def _check_job(job: Job, others: Sequence[Job]) -> None:
    problems = job_problems(job, "job")
    if not job.name.strip():
        problems.append(Problem("name", shorten(job.name), "a job needs a name"))
    elif any(other.name == job.name for other in others):
        rule = "another job has this name; give every job its own"
        problems.append(Problem("name", shorten(job.name), rule))
    if problems:
        raise DocumentError(f"job {job.name}".rstrip(), [_without_owner(p) for p in problems])


def _without_owner(problem: Problem) -> Problem:
    return replace(problem, where=problem.where.removeprefix("job.").replace("job", "tasks", 1))


def _copy_name(name: str, taken: Collection[str]) -> str:
    copy, number = f"{name} copy", 1
    while copy in taken:
        number += 1
        copy = f"{name} copy {number}"
    return copy


def _named(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{len(names)} jobs"
