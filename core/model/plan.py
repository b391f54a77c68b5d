"""A plan: which task takes a free slot, as due dates of stages, with what else a schedule was optimised by.

A free slot takes the startable task with the smallest key. A stage's tasks have its due date as their key, or
with "latest-start" the latest time at which they may start to be done by then: due date - length. A map is as
long as its duration, a reduce as its shuffle and its duration. Of equal keys the job goes first that stands
first in the plan, then the task that stands first in its stage. A date that is missed changes nothing: it
only says who goes first, so a plan runs on other durations than those it was made for. A stage may
also say for each task before when it does not start: that is its key then, and a slot rather idles. On nodes
the task with the smallest key may find no room; then those behind it go first, or wait if its job says so.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.errors import (
    DocumentError,
    InputError,
    Problem,
    UnknownName,
    did_you_mean,
    repeated_name,
    shorten,
)
from core.model.kept_read_only import KeptReadOnly
from core.model.levers import LATEST_DUE, JobPlan, StagePlan
from core.model.partition import Partition, job_problems, slot_problems
from core.model.task_types import KIND_WORDS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload


@dataclass(frozen=True)
class Plan(KeptReadOnly):
    """What the policy `critical` replays.

    Attributes
    ----------
    jobs : of equal keys, the first goes first; jobs that are not named come last, as the workload has them
    partition : pools with slots of their own, inside which the keys decide; None for one pool of all slots
    """

    jobs: tuple[JobPlan, ...]
    partition: Partition | None = None

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.jobs, self.partition))  # of a million jobs, so it is kept

    @classmethod
    def of_order(cls, names: Iterable[str]) -> Plan:
        """Return the plan that serves jobs in an order, as an order made by hand does."""
        dues = ((name, StagePlan(float(place))) for place, name in enumerate(names))
        return cls(tuple(JobPlan(name, stage, stage) for name, stage in dues))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its jobs."""
        return tuple(job.name for job in self.jobs)

    @cached_property
    def pinned(self) -> tuple[str, ...]:
        """The names of the jobs that a search leaves as they are."""
        return tuple(job.name for job in self.jobs if job.pinned)

    @cached_property
    def known(self) -> frozenset[str]:
        """The names of its jobs, to be looked up."""
        return frozenset(self.names)

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {job.name: place for place, job in reversed(list(enumerate(self.jobs)))}

    @cached_property
    def wakes(self) -> tuple[float, ...]:
        """The times at which a task may start that has waited for it, ascending."""
        stages = (stage for job in self.jobs for stage in job.stages)
        return tuple(sorted({start for stage in stages for start in stage.starts}))

    def of(self, name: str) -> JobPlan:
        """Return the plan of a job; UnknownName if it names none of them."""
        if name not in self._places:
            raise UnknownName("job of the plan", name, self._places)
        return self.jobs[self._places[name]]

    def columns(self, workload: Workload) -> tuple[NDArray[np.int64], dict[str, NDArray[Any]]]:
        """Return all jobs, of equal keys the first one first, and their plans as columns."""
        from core.model.plan_columns import columns_of_jobs  # a plan that is read or shown needs no columns

        index = workload.job_index
        named = [index[name] for name in self.names]
        others = [index[name] for name in workload.input_order if name not in self.known]
        served = np.array([*named, *others], np.int64)
        return served, columns_of_jobs(self.jobs, named, len(served))

    def with_job(self, changed: JobPlan) -> Plan:
        """Return the plan with the job of the same name replaced; UnknownName if there is none."""
        self.of(changed.name)
        jobs = tuple(changed if job.name == changed.name else job for job in self.jobs)
        return replace(self, jobs=jobs)

    def unpinned(self, name: str) -> Plan:
        """Return the plan with a job that a search may move again; UnknownName if there is none."""
        return self.with_job(replace(self.of(name), pinned=False))

    def moved(self, name: str, before: str | None) -> Plan:
        """Return the plan with a job right before another one, or last; it is pinned, all others stay.

        Its maps get a due date between those of the other job's maps and of the maps that are due before
        them, its reduces likewise. No task waits for a time any more.

        Raises
        ------
        UnknownName
            the plan has no such job
        InputError
            a job is moved before itself
        """
        if name == before:
            raise InputError(f"job {shorten(name)} cannot go before itself")
        job = self.of(name).without_starts
        others = [other.without_starts for other in self.jobs if other.name != name]
        place = len(others) if before is None else others.index(self.of(before).without_starts)
        maps, reduces = (
            replace(stage, due=_due_between([other.stages[kind].due for other in others], place))
            for kind, stage in enumerate(job.stages)
        )
        moved = replace(job, maps=maps, reduces=reduces, pinned=True)
        return replace(self, jobs=(*others[:place], moved, *others[place:]))

    def reordered(self, workload: Workload, order: Sequence[str], moved: Collection[str]) -> Plan:
        """Return the plan with some jobs moved, and pinned, to where an order of all jobs has them."""
        plan = self.completed(workload)
        for place in reversed(range(len(order))):
            if order[place] in moved:
                plan = plan.moved(order[place], order[place + 1] if place + 1 < len(order) else None)
        return plan

    def with_partition(self, workload: Workload, partition: Partition, moved: Collection[str] = ()) -> Plan:
        """Return the plan with other pools, and with some jobs moved to where these have them."""
        plan = self.completed(workload)
        plan = replace(plan, jobs=tuple(job.without_starts for job in plan.jobs), partition=partition)
        for pool in partition.pools:
            for place in reversed(range(len(pool.jobs))):
                if pool.jobs[place] in moved:
                    following = pool.jobs[place + 1] if place + 1 < len(pool.jobs) else None
                    plan = plan.moved(pool.jobs[place], following)
        return plan

    def completed(self, workload: Workload) -> Plan:
        """Return the same plan with all jobs of the workload named: those that it leaves out are due last."""
        dues = [stage.due for job in self.jobs for stage in job.stages]
        last = max(dues, default=0.0)
        stage = StagePlan(min(max(last + 1.0, math.nextafter(last, math.inf)), LATEST_DUE))
        others = (name for name in workload.input_order if name not in self.known)
        return replace(self, jobs=(*self.jobs, *(JobPlan(name, stage, stage) for name in others)))


def _due_between(dues: Sequence[float], place: int) -> float:
    """Return a due date right before that at a place, and after all that are before it; last behind the end.

    Of equal dates the one that stands first goes first, so that at the place does for whatever stands there.
    """
    if place == len(dues):
        return max(dues, default=0.0) + (1.0 if dues else 0.0)
    after = dues[place]
    earlier = [due for other, due in enumerate(dues) if (due, other) < (after, place)]
    before = max(earlier, default=after - 2.0)
    middle = before + (after - before) / 2
    return middle if before < middle < after else after


# ---- what is wrong with a plan


def check_plan(plan: Plan, workload: Workload, cluster: Cluster) -> None:
    """Raise DocumentError with every rule that a plan breaks on this workload and cluster."""
    problems = plan_problems(plan) + named_problems(plan, workload)
    if plan.partition is not None:
        problems += slot_problems(plan.partition, workload, cluster) + job_problems(plan.partition, workload)
    problems += _start_problems(plan, workload)
    if problems:
        raise DocumentError("plan", problems)


def plan_problems(plan: Plan) -> list[Problem]:
    """Return what is wrong with a plan by itself: its values, and names that stand in it twice."""
    problems: list[Problem] = []
    firsts: dict[str, int] = {}
    for place, job in enumerate(plan.jobs):
        if (first := firsts.setdefault(job.name, place)) != place:
            problems.append(repeated_name("job", job.name, place, first))
        problems += job.problems(f"jobs[{place}]")
    return problems


def _start_problems(plan: Plan, workload: Workload) -> list[Problem]:
    """Return which starts of tasks do not fit a workload; none fit pools."""
    problems = []
    for place, planned in enumerate(plan.jobs):
        if not any(stage.starts for stage in planned.stages) or planned.name not in workload.job_index:
            continue
        job, where = workload.jobs[workload.job_index[planned.name]], f"jobs[{place}]"
        if plan.partition is not None or not job.graph.is_map_reduce:
            rule = "leave out starts: they are for jobs of maps and reduces on slots that are not divided"
            problems.append(Problem(where, shorten(planned.name), rule))
            continue
        for word, stage, tasks in zip(KIND_WORDS, planned.stages, job.stages, strict=True):
            if stage.starts and len(stage.starts) != tasks.count:
                rule = f"give one for each of its {tasks.count} {word} tasks, or none"
                problems.append(Problem(f"{where}.{word}s.starts", f"{len(stage.starts)} starts", rule))
    return problems


MAX_NAMED = 3
"""So many jobs are named of a plan that is of another workload."""


def named_problems(plan: Plan, workload: Workload) -> list[Problem]:
    """Return which of a plan's jobs the workload does not have."""
    known: Collection[str] = workload.job_index
    strange = [(place, name) for place, name in enumerate(plan.names) if name not in known]
    if len(strange) == len(plan.names) > MAX_NAMED:
        rule = f"{workload.name} has none of these jobs; the plan is of another workload"
        return [Problem("jobs", ", ".join(map(shorten, plan.names[:MAX_NAMED])) + ", …", rule)]
    return [
        Problem(f"jobs[{place}].name", shorten(name), f"there is no such job{did_you_mean(name, known)}")
        for place, name in strange
    ]
