"""Why this end, stage by stage: the path of stages and waits from the last finish back to time 0.

The walk begins at the stage that ends last and goes, again and again, to what it waited for: its parent that
ended last, or, if its job had just arrived, the job that this one follows. The time counts as

- the stage, from its first task on, or from the end of that parent if tasks of the stage started before;
- a wait, while none of its tasks runs: for the slot that its next task takes, as long as that runs another
  task or has not opened, and beside a free slot from then on;
- the driver, from the end of a job to the arrival of the one that follows it;
- nothing to do, before a job that arrives at a time of its own.

Parts are contiguous, from 0 to the end, so that they add up to it. Unlike the critical path over tasks
(`core.explain.critical_path`) this one is known of recorded runs as well: stages, their parents and links
are in the workload, and what a slot ran is in the schedule.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import fsum
from typing import TYPE_CHECKING

import numpy as np

from core.explain.start_cause import NO_TASK
from core.measures.stage_spans import NO_JOB, followed_jobs, stage_spans
from core.model.time_text import adding_up, in_steps, makespan_step, makespan_text, time_in_steps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from core.model.schedule import Schedule

NO_STAGE = -1
"""Stands for no stage."""


class PartKind(Enum):
    """What a part of the path is; the value is its name in the window."""

    STAGE = "stages run"
    SLOT = "wait for slots"
    """The slot that the next task takes runs another task."""
    CLOSED = "wait for slots to open"
    """The slot that the next task takes has not opened yet (`core.model.slot_times`)."""
    HELD = "wait beside free slots"
    """The slot is free: the policy, or the cluster's own work, holds the stage back or the job open."""
    DRIVER = "driver"
    """A job has ended, and its driver thinks before it submits the next one."""
    ARRIVAL = "before an arrival"
    """The job arrives at a time of its own, and nothing on the path happens before."""


@dataclass(frozen=True, slots=True)
class PathPart:
    """A stretch of time on the path.

    Attributes
    ----------
    begin, end : seconds
    kind : what it is
    job : the job that runs or waits; of DRIVER and ARRIVAL the one that comes at its end
    stage : the stage that runs or waits, its number in the whole workload; NO_STAGE for what has none
    """

    begin: float
    end: float
    kind: PartKind
    job: int
    stage: int = NO_STAGE

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return self.end - self.begin


@dataclass(frozen=True, slots=True)
class StagePath:
    """The path of a complete schedule.

    Attributes
    ----------
    parts : from time 0 to the end, each begins where the one before it ends; none lasts 0 seconds
    stages : the stages on it, in the order of time, those that take no time among them
    """

    parts: tuple[PathPart, ...]
    stages: tuple[int, ...]

    def totals(self) -> dict[PartKind, float]:
        """Return the seconds of each kind, all kinds in their order; they sum to the end."""
        return {kind: fsum(part.seconds for part in self.parts if part.kind is kind) for kind in PartKind}


def stage_path(schedule: Schedule) -> StagePath:
    """Walk back from the last finish to time 0.

    Parameters
    ----------
    schedule : complete; simulated or recorded

    Raises
    ------
    ValueError
        not every task has ended
    """
    if not is_complete(schedule):
        raise ValueError("a path needs a complete schedule")
    walk = _Walk(schedule)
    backwards = [part for part in walk.back_from(int(np.argmax(schedule.finish))) if part.end > part.begin]
    return StagePath(tuple(backwards)[::-1], tuple(walk.passed)[::-1])


def is_complete(schedule: Schedule) -> bool:
    """Return whether every task of a schedule has ended."""
    return len(schedule.sequence) == schedule.tasks > 0 and bool(np.isfinite(schedule.finish).all())


def shows_path(schedule: Schedule) -> bool:
    """Return whether the path to the end can be read from a schedule: a complete one, of nodes that stay."""
    return is_complete(schedule) and schedule.cluster.events is None


@dataclass(frozen=True, slots=True)
class WaitedFor:
    """What a stage waited for before its first task started.

    Attributes
    ----------
    ready : when nothing was to be waited for but a slot, in s
    parent : the stage whose end that was; NO_STAGE if it was the arrival of the job
    job_before : the job after which its own came, when the arrival was waited for; NO_JOB for none
    think : seconds that the driver thought between these jobs
    waits : from then on, contiguous, to the start of the first task; none lasts 0 seconds
    """

    ready: float
    parent: int
    job_before: int
    think: float
    waits: tuple[PathPart, ...]


def stage_waits(schedule: Schedule, stage: int) -> WaitedFor:
    """Return what a stage waited for.

    Parameters
    ----------
    schedule : in which a task of the stage has started; simulated or recorded
    stage : its number in the whole workload
    """
    walk, stages = _Walk(schedule), schedule.workload.columns.stages
    job, (parent, ready) = int(stages.job[stage]), walk.made_ready(stage)
    before = int(walk.followed[job]) if parent == NO_STAGE else NO_JOB
    think = float(schedule.arrival[job] - schedule.finish[before]) if before != NO_JOB else 0.0
    tasks = np.arange(stages.first[stage], stages.first[stage] + stages.count[stage])
    first = tasks[np.nanargmin(schedule.start[tasks])] if len(tasks) else NO_TASK
    waits: tuple[PathPart, ...] = ()
    if first != NO_TASK and schedule.start[first] > ready:
        backwards = walk.waits(int(first), ready, float(schedule.start[first]), stage)
        waits = tuple(part for part in backwards if part.end > part.begin)[::-1]
    return WaitedFor(ready, parent, before, think, waits)


def deciding_stages(schedule: Schedule) -> NDArray[np.bool_]:
    """Return whether each stage is on the path from its own job's end back to its arrival, (stages,).

    Of a schedule that is not complete none is.
    """
    decides = np.zeros(len(schedule.workload.columns.stages.job), bool)
    if is_complete(schedule):
        walk = _Walk(schedule)
        for job in range(len(schedule.workload.jobs)):
            decides[list(walk.stages_back_from(job))] = True
    return decides


class _Walk:
    """Goes back through a schedule.

    Attributes
    ----------
    passed : the stages on the way, the last one first
    followed : of each job the one after which it came, (jobs,)
    """

    def __init__(self, schedule: Schedule) -> None:
        self._schedule, self._spans = schedule, stage_spans(schedule)
        self._stages = schedule.workload.columns.stages
        self.followed = followed_jobs(schedule)
        self.passed: list[int] = []

    def back_from(self, job: int) -> Iterator[PathPart]:
        """Yield the parts on the way from the end of a job to time 0, the last one first."""
        at = float(self._schedule.finish[job])
        while job != NO_JOB:
            for stage in self.stages_back_from(job):
                self.passed.append(stage)
                ended = min(at, float(self._spans.end[stage]))
                yield PathPart(ended, at, PartKind.HELD, job, stage)  # the cluster cleans up behind the job
                at = min(ended, float(self._spans.ready[stage]))
                yield from self._stage_parts(stage, at, ended)
            before = int(self.followed[job])
            ended = 0.0 if before == NO_JOB else min(at, float(self._schedule.finish[before]))
            yield PathPart(ended, at, PartKind.ARRIVAL if before == NO_JOB else PartKind.DRIVER, job)
            job, at = before, ended

    def stages_back_from(self, job: int) -> Iterator[int]:
        """Yield the stages that decide when a job ends, the last one first."""
        first, last = self._stages.begin[job : job + 2].tolist()
        stage = first + int(np.argmax(self._spans.end[first:last]))
        while stage != NO_STAGE:
            yield stage
            stage, _ = self.made_ready(stage)

    def made_ready(self, stage: int) -> tuple[int, float]:
        """Return the parent whose end made a stage ready, NO_STAGE if its job's arrival did, and when."""
        ready, parents = float(self._spans.ready[stage]), self._stages.parents_of(stage)
        if not len(parents) or self._spans.end[parents].max() < ready:
            return NO_STAGE, ready
        return int(parents[np.argmax(self._spans.end[parents])]), ready

    def _stage_parts(self, stage: int, begin: float, end: float) -> Iterator[PathPart]:
        """Yield what happens to a stage from a time to another, the last part first."""
        stages = self._stages
        job, first = int(stages.job[stage]), int(stages.first[stage])
        tasks = np.arange(first, first + int(stages.count[stage]))
        tasks = tasks[np.argsort(self._schedule.start[tasks], kind="stable")]
        starts = self._schedule.start[tasks]
        done = np.maximum.accumulate(np.r_[begin, self._schedule.end[tasks]])[:-1]
        for place in np.flatnonzero(starts > done)[::-1].tolist():
            started = min(float(starts[place]), end)
            yield PathPart(started, end, PartKind.STAGE, job, stage)
            end = min(started, float(done[place]))
            yield from self.waits(int(tasks[place]), end, started, stage)
        yield PathPart(begin, end, PartKind.STAGE, job, stage)

    def waits(self, task: int, begin: float, end: float, stage: int) -> Iterator[PathPart]:
        """Yield what a task that starts at the end waits for, the last part first."""
        schedule = self._schedule
        holder, job = int(schedule.previous_on_slot[task]), int(self._stages.job[stage])
        opens = float(schedule.cluster.slot_intervals[0][schedule.slot[task]])
        freed = opens if holder == NO_TASK else float(schedule.end[holder])
        cut = min(max(begin, freed), end)
        yield PathPart(cut, end, PartKind.HELD, job, stage)
        yield PathPart(begin, cut, PartKind.CLOSED if holder == NO_TASK else PartKind.SLOT, job, stage)


def path_words(path: StagePath) -> str:
    """Return what a path is made of, the longest first, in figures that add up to the end as it is rounded.

    Example: "stages run 16.5 s, driver 3.1 s, wait for slots 1.5 s, before an arrival 1.2 s".
    """
    totals = [(kind, seconds) for kind, seconds in path.totals().items() if seconds > 0]
    whole = fsum(seconds for _, seconds in totals)
    step = makespan_step(whole)
    steps = adding_up([seconds / step for _, seconds in totals], in_steps(whole, step))
    longest = sorted(zip(steps, (kind.value for kind, _ in totals), strict=True), key=lambda each: -each[0])
    return ", ".join(
        f"{kind} {makespan_text(time_in_steps(count, step), whole)}" for count, kind in longest if count
    )
