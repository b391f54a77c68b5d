"""What is left of a schedule at a time, as a workload of its own: what a search from then on works on.

Tasks that have ended are gone. Tasks that run are there with what is left of them, and start at that time
before all others; tasks that wait are there as they were. So what really goes on from then on is a schedule
of this workload, task by task, and no bound on the one can be false of the other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.model.errors import InputError
from core.model.stages import Stage
from core.model.task_types import TASK_TYPES
from core.optimize.search_columns import lengths_of, tasks_of, twice

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.job import Job
    from core.model.plan import Plan
    from core.model.schedule import Schedule
    from core.model.stages import StageColumns
    from core.model.workload import Workload
    from core.optimize.search_columns import Tasks

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

TIMES = ("duration", "first_shuffle", "typical_shuffle")


@dataclass(frozen=True)
class Rest:
    """What is left of a schedule at a time.

    Attributes
    ----------
    time : seconds
    workload : the jobs that have not ended, with their tasks that run, then those that wait
    cluster : what it runs on
    job : the number of each of its jobs in the whole workload, (jobs,)
    task : the number of each of its tasks in the whole workload, (tasks,)
    begun : how many of each job's maps, and of its reduces, run at that time, (jobs, 2)
    done : how many maps of each job have ended, (jobs,)
    """

    time: float
    workload: Workload
    cluster: Cluster
    job: Ints
    task: Ints
    begun: Ints
    done: Ints

    @property
    def tasks(self) -> Tasks:
        """The columns of its tasks in which those that run stand first, and count as begun."""
        columns, t = self.workload.columns, tasks_of(self.workload, self.cluster)
        waits = columns.number >= self.begun[columns.job, columns.kind]
        order = np.lexsort((-lengths_of(columns), waits, columns.stage))
        again: dict[str, Any] = {name: twice(getattr(t, name)[0, : t.tasks], order)[None] for name in TIMES}
        return t._replace(
            begun=self.begun.copy(), done=self.done.copy(), length=twice(t.length[: t.tasks], order), **again
        )

    def plan_of_whole(self, plan: Plan) -> Plan:
        """Return a plan for it as one of the whole workload: maps that have ended count again."""
        done = dict(zip((job.name for job in self.workload.jobs), self.done.tolist(), strict=True))
        jobs = tuple(
            job
            if job.reduces_after is None
            else replace(job, reduces_after=job.reduces_after + done[job.name])
            for job in plan.jobs
        )
        return replace(plan, jobs=jobs)


def rest_of(
    schedule: Schedule, time: float, believed: Workload | None = None, *, knows_all: bool = True
) -> Rest:
    """Return what is left of a schedule at a time.

    Parameters
    ----------
    schedule : what has been scheduled until then; what starts later is not looked at
    time : seconds
    believed : the workload with the times that waiting tasks are believed to take; the ends of tasks that run
        are then those of the schedule, whoever believes in them. None for its own
    knows_all : whether jobs that arrive later are known; else they are left out, but those that follow jobs
        which are there

    Raises
    ------
    InputError
        nothing is left
    """
    workload, cluster = believed or schedule.given, schedule.cluster
    columns = workload.columns
    started = schedule.start < time
    ended = started & (schedule.end <= time)
    left = ~ended
    names: dict[str, Floats] = {name: getattr(columns, name).copy() for name in TIMES}
    _shorten(names, schedule, time, started & left)
    jobs = jobs_left(schedule, time)
    jobs = jobs[knows_all | known_jobs(workload, time)[jobs]]
    order = np.lexsort((columns.number, ~started, columns.stage))
    order = order[left[order] & np.isin(columns.job[order], jobs)]
    names_left = {workload.jobs[j].name for j in jobs.tolist()}
    run = started & left
    counts = np.zeros((2, len(workload.jobs), len(TASK_TYPES)), np.int64)
    np.add.at(counts[0], (columns.job[run], columns.kind[run]), 1)
    np.add.at(counts[1], (columns.job[ended], columns.kind[ended]), 1)
    came = columns.links.arrivals(np.where(schedule.finish <= time, schedule.finish, -np.inf)).tolist()
    rest = workload.with_jobs(
        replace(
            workload.jobs[j],
            arrival=max(time, came[j]),
            deadline=_still_due(workload.jobs[j], max(time, came[j])),
            stages=_stages_of(columns.stages, j, columns.stage[order], order, names),
            after=tuple(link for link in workload.jobs[j].after if link.job in names_left),
            dataset=None,
            blocks=(),
            min_slots=0,
            max_slots=None,
        )
        for j in jobs.tolist()
    )
    begun, (maps_done, _) = counts[0, jobs], counts[1, jobs].T
    return Rest(time, rest, cluster, jobs, order, begun, maps_done)


def open_jobs(schedule: Schedule, time: float) -> NDArray[np.bool_]:
    """Return which jobs have a task that has not ended at a time, (jobs,)."""
    open_: NDArray[np.bool_] = np.zeros(len(schedule.workload.jobs), np.bool_)
    open_[schedule.workload.columns.job[~(schedule.end <= time)]] = True
    return open_


def jobs_left(schedule: Schedule, time: float) -> Ints:
    """Return the jobs that have a task that has not ended at a time, (jobs,); InputError where none has."""
    jobs = np.flatnonzero(open_jobs(schedule, time))
    if not len(jobs):
        raise InputError(
            "all jobs have ended by then, so nothing is left to optimise; choose an earlier time"
        )
    return jobs


def _still_due(job: Job, time: float) -> float | None:
    """Return a job's deadline, s; of one that is no later than a time, the first instant after that."""
    return None if job.deadline is None else max(job.deadline, float(np.nextafter(time, np.inf)))


def known_jobs(workload: Workload, time: float) -> NDArray[np.bool_]:
    """Return which jobs are known at a time: that could have arrived, as could all that they follow, (jobs,).

    What follows others is submitted with them; when it arrives shows as they end.
    """
    links = workload.columns.links
    known: NDArray[np.bool_] = links.fixed <= time
    while (late := known[links.follower] & ~known[links.before]).any():
        known[links.follower[late]] = False
    return known


def _stages_of(
    stages: StageColumns, job: int, stage: NDArray[np.int32], order: Ints, times: Mapping[str, Floats]
) -> tuple[Stage, ...]:
    """Return what is left of each stage of a job.

    Parameters
    ----------
    stage : of each task in `order`, ascending
    """
    ends = np.searchsorted(stage, np.arange(stages.begin[job], stages.begin[job + 1] + 1))
    parts = (order[begin:end] for begin, end in pairwise(ends.tolist()))
    return tuple(
        Stage.of(len(tasks), *(times[name][tasks] for name in TIMES)) if len(tasks) else Stage.of(0)
        for tasks in parts
    )


def releases(schedule: Schedule, time: float) -> Floats:
    """Return when all that each task waits for has ended, s, (tasks,): infinity if it has not by a time.

    Minus infinity for tasks that wait for none.
    """
    columns = schedule.workload.columns
    stages = columns.stages
    if stages.are_map_reduce:
        return np.where(stages.has_parents[columns.stage], schedule.stage_end[columns.job], -np.inf)
    released, last = np.full((2, len(stages.count)), -np.inf)
    np.maximum.at(last, columns.stage, np.where(schedule.end <= time, schedule.end, np.inf))
    for parent, child in zip(stages.parent.tolist(), stages.child.tolist(), strict=True):  # by child
        released[child] = max(released[child], last[parent])
        last[child] = max(last[child], released[child])  # of a stage without tasks that is its end
    times: Floats = released[columns.stage]
    return times


def _shorten(times: dict[str, Floats], schedule: Schedule, time: float, runs: NDArray[np.bool_]) -> None:
    """Leave of the tasks that run what is left at a time: such that they end at the same time, to the bit.

    Of a reduce whose map stage has not ended the first shuffle is still to come, and all that follows.
    """
    waits = runs & ~(releases(schedule, time) <= time)
    known = runs & ~waits
    own = schedule.start[waits] + times["typical_shuffle"][waits]
    times["duration"][known] = seconds_until(time, schedule.end[known])
    times["first_shuffle"][known] = times["typical_shuffle"][known] = 0.0
    times["typical_shuffle"][waits] = times["first_shuffle"][waits]
    if schedule.cluster.shuffle_model == "overlap":
        times["typical_shuffle"][waits] = seconds_until(time, np.maximum(own, time))


def seconds_until(time: float, ends: Floats) -> Floats:
    """Return how long it is from a time to each end: added to the time, they give the ends to the bit."""
    seconds: Floats = ends - time
    for _ in range(4):
        low, high = time + seconds < ends, time + seconds > ends
        seconds[low] = np.nextafter(seconds[low], np.inf)
        seconds[high] = np.nextafter(seconds[high], 0.0)
    return seconds


def restricted(plan: Plan, workload: Workload) -> Plan:
    """Return a plan of more jobs for those that a workload has; no task waits for a time."""
    jobs = tuple(job.without_starts for job in plan.jobs if job.name in workload.job_index)
    return replace(plan, jobs=jobs, partition=None)


class RestOnSlots(NamedTuple):
    """How what is left stands on its slots, for a search.

    Attributes
    ----------
    tasks : those that are left, as two passes run them; None where each plan is simulated
    finishes : simulates a plan from there on until told to stop, and returns when each job ends, s, (jobs,)
    """

    tasks: Tasks | None
    finishes: Callable[[Plan, Callable[[], bool]], Floats]
