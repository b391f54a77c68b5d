"""Why this end, stage by stage: the path of stages and waits from the last finish back to time 0.

The walk begins at the stage that ends last and goes, again and again, to what it waited for: its parent that
ended last, or, if its job had just arrived, the job that this one follows. The time counts as

- the stage, from its first task on, or from the end of that parent if tasks of the stage started before;
- a wait, while none of its tasks runs: for the slot that its next task takes, as long as that runs another
  task or has not opened, and beside a free slot from then on;
- the driver, from the end of a job to the arrival of the one that follows it;
- nothing to do, before a job that arrives at a time of its own.

Where nodes fail, a task that is lost and runs again runs as often as it does; the time in which nothing of
the stage runs but what is lost counts as that, and a wait that the return of a node ends as one for nodes.

Parts are contiguous, from 0 to the end, so that they add up to it. Unlike the critical path over tasks
(`core.explain.critical_path`) this one is known of recorded runs as well: stages, their parents and links
are in the workload, and what a slot ran is in the schedule.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import fsum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.explain.start_cause import NO_TASK, returned_before
from core.measures.stage_spans import NO_JOB, followed_jobs, stage_spans
from core.model.lost_attempts import eras_of
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
    AWAY = "wait for nodes"
    """The slot that the next task takes is away until its node returns."""
    LOST = "work that is lost"
    """Nothing of the stage runs but tasks that are lost with their nodes."""
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
    ran, waits = walk.attempts(stage), tuple[PathPart, ...]()
    if len(ran.task) and ran.start[0] > ready:
        backwards = walk.waits(int(ran.task[0]), ready, float(ran.start[0]), stage)
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


class _Attempts(NamedTuple):
    """When tasks of a stage ran, by start, those that were lost among them, (attempts,)."""

    task: NDArray[np.int64]
    start: NDArray[np.float64]
    end: NDArray[np.float64]
    is_lost: NDArray[np.bool_]


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
        ran = self.attempts(stage)
        done = np.maximum.accumulate(np.r_[begin, ran.end])[:-1]
        for place in np.flatnonzero(ran.start > done)[::-1].tolist():
            started = min(float(ran.start[place]), end)
            yield from self._runs(stage, ran, started, end)
            end = min(started, float(done[place]))
            yield from self.waits(int(ran.task[place]), end, started, stage)
        yield from self._runs(stage, ran, begin, end)

    def attempts(self, stage: int) -> _Attempts:
        """Return when tasks of a stage ran."""
        schedule, first = self._schedule, int(self._stages.first[stage])
        task = np.arange(first, first + int(self._stages.count[stage]))
        start, end, lost = schedule.start[task], schedule.end[task], schedule.given_up
        is_lost = np.zeros(len(task), np.bool_)
        if schedule.cluster.events is not None and lost is not None and lost.given_up is not None:
            mine = np.flatnonzero(schedule.workload.columns.stage[lost.given_up.task] == stage)
            task = np.concatenate([task, lost.given_up.task[mine]])
            start, end = (
                np.concatenate([own, parts[mine]])
                for own, parts in zip((start, end), lost.extra_times, strict=True)
            )
            is_lost = np.concatenate([is_lost, np.ones(len(mine), np.bool_)])
        order = np.argsort(start, kind="stable")
        order = order[: np.count_nonzero(~np.isnan(start))]  # what has not started is last
        return _Attempts(task[order], start[order], end[order], is_lost[order])

    def _runs(self, stage: int, ran: _Attempts, begin: float, end: float) -> Iterator[PathPart]:
        """Yield a stretch in which a stage runs, cut where nothing runs that lasts, the last part first."""
        job = int(self._stages.job[stage])
        lasts = ~ran.is_lost & (ran.start < end) & (ran.end > begin)
        if ran.is_lost.any():
            for place in np.flatnonzero(lasts)[np.argsort(-ran.end[lasts], kind="stable")].tolist():
                if (until := min(float(ran.end[place]), end)) <= begin or ran.start[place] >= end:
                    continue
                yield PathPart(until, end, PartKind.LOST, job, stage)
                since = max(min(float(ran.start[place]), until), begin)
                yield PathPart(since, until, PartKind.STAGE, job, stage)
                end = since
        yield PathPart(begin, end, PartKind.LOST if ran.is_lost.any() else PartKind.STAGE, job, stage)

    def waits(self, task: int, begin: float, end: float, stage: int) -> Iterator[PathPart]:
        """Yield what a task that starts at the end waits for, the last part first."""
        schedule = self._schedule if begin == end else eras_of(self._schedule).at(end)
        slot, job = int(schedule.slot[task]), int(self._stages.job[stage])
        holder, freed = int(schedule.previous_on_slot[task]), -np.inf
        if holder == NO_TASK:
            kind, freed = PartKind.CLOSED, float(schedule.cluster.slot_intervals[0][slot])
        else:
            kind, freed = PartKind.SLOT, float(schedule.end[holder])
        if schedule.cluster.events is not None and (back := returned_before(schedule, slot, end)) > freed:
            kind, freed = PartKind.AWAY, back
        cut = min(max(begin, freed), end)
        yield PathPart(cut, end, PartKind.HELD, job, stage)
        yield PathPart(begin, cut, kind, job, stage)


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
