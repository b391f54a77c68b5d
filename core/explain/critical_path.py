"""Why this makespan: the critical path of tasks and waits from the last finish back to time 0.

The walk starts at the task that ends last and asks, again and again, what the task had to wait for:

- its own phases first: reduce work, shuffle;
- a filler's shuffle ends with the map stage: go on with the map that ended it;
- a task that started when its slot was freed: go on with the task before it on that slot;
- a task that started when its slot opened, of slots that come and go: a gap back to when it was ready;
- a reduce that started when slowstart let it: go on with the map that completed the needed number;
- a task that was ready beside a free slot: a gap, as long as the policy held it back; before that, if it
  still waited, with the task that freed a slot;
- a task whose second copy ended first: a gap back to when the first one began, and on as if that counted;
- a task that started when its job arrived: a gap back to time 0, or, if the job follows another one, to the
  end of that, while the driver thinks, and on with the last task of it.

Where a job has other stages than maps and reduces, all that its tasks do is work, and a barrier is no cause
of its own: the path goes on with the task of an earlier stage that ended last.

So every link is binding: had it been shorter, the next one could have begun earlier. The links are
contiguous and their times add up to the makespan. Of several tasks that end at one instant the walk takes
the one that started first, of several last ones the one with the lowest index.

What a link counts as (`Cause`) is seen from what waited for it: the time a task holds a
slot counts as *waiting for a slot* while the next task of the path, of another job, is ready and waits for
that slot; a job that waits for its own earlier waves counts as the work that they do.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import fsum
from typing import TYPE_CHECKING

import numpy as np

from core.explain.explanation_words import count, listed, task_name
from core.explain.slots import FreeSlots
from core.explain.start_cause import (
    NO_TASK,
    StartCause,
    TaskStart,
    check_explained,
    earliest_ending_at,
    first_copy,
    start_of,
)
from core.measures.stage_spans import NO_JOB, followed_jobs
from core.model.stages import MAP_REDUCE
from core.model.time_text import duration_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.model.schedule import Schedule


class Cause(Enum):
    """What the time of a link counts as; the value is its name in the window."""

    MAP_WORK = "map work"
    WORK = "task work"
    """Of a task of a job with other stages than maps and reduces."""
    SHUFFLE = "shuffle"
    REDUCE_WORK = "reduce work"
    SLOT_WAIT = "waiting for a slot"
    """The next task of the path waits for the slot, or the room, that this task of another job holds."""
    MAP_BARRIER = "map barrier"
    """The next task of the path waits for a slot whose filler, of another job, waits for its map stage."""
    SLOWSTART = "slowstart"
    """A slot is free, and the next task of the path, a reduce, waits for this map to be complete."""
    CLOSED = "waiting for a slot to open"
    """A task is ready, and no slot for it is there and free until one opens (`core.model.slot_times`)."""
    HELD = "policy hold"
    """A task is ready beside free slots and the policy holds it back: lazy start, a quota, a window."""
    OVERHEAD = "cluster overhead"
    """A task is ready, or the last ended, and the cluster has work of its own (`core.model.cluster`)."""
    THINK = "the driver thinks"
    """A job has ended, and the one that follows it has not been submitted yet."""
    ARRIVAL = "arrival"
    """The job has not arrived yet."""


WORK_WORDS = {
    Cause.MAP_WORK: "runs",
    Cause.WORK: "runs",
    Cause.SHUFFLE: "shuffles",
    Cause.REDUCE_WORK: "reduces",
}


@dataclass(frozen=True, slots=True)
class PathLink:
    """A span of time on the path.

    Attributes
    ----------
    begin, end : seconds
    cause : what the time counts as
    task : the task that runs then, or NO_TASK in a gap (CLOSED, HELD, OVERHEAD, THINK, ARRIVAL)
    waiter : the task that waits for the end of this link, or NO_TASK for the task's own phases
    holder : for SLOT_WAIT and MAP_BARRIER the task that holds the slot waited for, else NO_TASK
    """

    begin: float
    end: float
    cause: Cause
    task: int
    waiter: int = NO_TASK
    holder: int = NO_TASK

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return self.end - self.begin


@dataclass(frozen=True, slots=True)
class CriticalPath:
    """The critical path of a complete schedule.

    Attributes
    ----------
    links : from time 0 to the makespan, each begins where the one before it ends; none lasts 0 seconds
    """

    links: tuple[PathLink, ...]

    def totals(self) -> dict[Cause, float]:
        """Return the seconds per cause, all causes in their order; they sum to the makespan."""
        return {cause: fsum(link.seconds for link in self.links if link.cause is cause) for cause in Cause}

    def holders(self, schedule: Schedule) -> dict[int, float]:
        """Return for how many seconds each job held a slot that the path waited for, longest first."""
        spans: dict[int, list[float]] = {}
        for link in self.links:
            if link.holder != NO_TASK:
                spans.setdefault(int(schedule.workload.columns.job[link.holder]), []).append(link.seconds)
        seconds = {job: fsum(parts) for job, parts in spans.items()}
        return dict(sorted(seconds.items(), key=lambda item: (-item[1], item[0])))


@dataclass(frozen=True, slots=True)
class _Wait:
    """Which task waits for the end of another one, from when on, and as what that time counts."""

    waiter: int
    since: float
    cause: Cause
    holder: int


def critical_path(schedule: Schedule) -> CriticalPath:
    """Walk back from the last finish to time 0.

    Parameters
    ----------
    schedule : complete

    Raises
    ------
    InputError
        a log recorded the schedule: what its tasks waited for is not known
    ValueError
        not every task has ended
    """
    check_explained(schedule)
    if len(schedule.sequence) < schedule.tasks or not np.isfinite(schedule.makespan):
        raise ValueError("a critical path needs a complete schedule")
    last = int(np.argmax(schedule.end))
    backwards = (link for link in _walk(schedule, last) if link.end > link.begin)
    return CriticalPath(tuple(backwards)[::-1])


def _walk(schedule: Schedule, task: int) -> Iterator[PathLink]:
    """Yield the links, the last one first."""
    wait: _Wait | None = None
    first_free: FreeSlots | None = None
    free, followed, columns = FreeSlots(schedule), followed_jobs(schedule), schedule.workload.columns
    # where the cluster has work of its own, a schedule does not show that apart from what the policy does
    held = Cause.HELD if schedule.cluster.overheads is None else Cause.OVERHEAD
    yield PathLink(float(schedule.end[task]), schedule.makespan, Cause.OVERHEAD, NO_TASK, task)
    while task != NO_TASK:
        yield from _phases(schedule, task, wait)
        seen, room = schedule, free
        if first_copy(schedule, task) >= 0:
            seen, wait = schedule.by_first_copies, None
            room = first_free = first_free or FreeSlots(seen)
            yield PathLink(_began(seen, task), float(schedule.start[task]), held, NO_TASK, task)
        if waits_for_parents(seen, task):
            task, wait = _last_before(schedule, task), _barrier(schedule, task, wait)
            continue
        start = start_of(seen, task)
        if start.cause is StartCause.POLICY:
            since, task = _held(seen, start, room)
            yield PathLink(since, start.time, held, NO_TASK, start.task)
            wait = None
            if task == NO_TASK and since > start.ready:
                task = start.ready_by
                yield PathLink(start.ready, since, Cause.CLOSED, NO_TASK, start.task)
        elif start.cause is StartCause.GIVEN_UP:
            task, wait = start.ready_by, None
            yield PathLink(start.ready, start.time, held, NO_TASK, start.task)
        elif start.cause is StartCause.OPENED:
            task, wait = start.ready_by, None
            yield PathLink(start.ready, start.time, Cause.CLOSED, NO_TASK, start.task)
        else:
            task, wait = _before(seen, start, room)
        before = NO_JOB if task != NO_TASK else int(followed[columns.job[start.task]])
        if before != NO_JOB:
            left, wait = float(schedule.finish[before]), None
            yield PathLink(left, start.ready, Cause.THINK, NO_TASK, start.task)
            task = int(np.argmax(np.where(columns.job == before, schedule.end, -np.inf)))
            yield PathLink(float(schedule.end[task]), left, Cause.OVERHEAD, NO_TASK, task)
        elif task == NO_TASK:
            yield PathLink(0.0, start.ready, Cause.ARRIVAL, NO_TASK, start.task)


def _phases(schedule: Schedule, task: int, wait: _Wait | None) -> Iterator[PathLink]:
    """Yield a task's own phases that are on the path, the last one first."""
    columns = schedule.workload.columns
    start, shuffled, end = (float(x[task]) for x in (schedule.start, schedule.shuffled, schedule.end))
    has_parents = len(columns.stages.parents_of(columns.stage[task])) > 0
    work = Cause.REDUCE_WORK if has_parents else Cause.MAP_WORK
    work = work if _is_map_reduce(schedule, task) else Cause.WORK
    if not has_parents:
        yield from _counted(start, end, work, task, wait)
        return
    if waits_for_parents(schedule, task):
        start = _began(schedule, task)
    yield from _counted(shuffled, end, work, task, wait)
    yield from _counted(start, shuffled, Cause.SHUFFLE, task, wait)


def _began(schedule: Schedule, task: int) -> float:
    """Return from when on a task did something: it started, or what its stage waits for ended."""
    if waits_for_parents(schedule, task):
        return float(schedule.parents_end[schedule.workload.columns.stage[task]])
    return float(schedule.start[task])


def _counted(begin: float, end: float, phase: Cause, task: int, wait: _Wait | None) -> Iterator[PathLink]:
    """Yield a phase, cut where another task began to wait for its end."""
    if wait is None or wait.since >= end:
        yield PathLink(begin, end, phase, task, NO_TASK if wait is None else wait.waiter)
        return
    cut = max(begin, wait.since)
    yield PathLink(cut, end, wait.cause, task, wait.waiter, wait.holder)
    yield PathLink(begin, cut, phase, task)


def _is_map_reduce(schedule: Schedule, task: int) -> bool:
    """Whether the job of a task has just maps, and reduces that wait for them."""
    return schedule.workload.jobs[int(schedule.workload.columns.job[task])].graph == MAP_REDUCE


def waits_for_parents(schedule: Schedule, task: int) -> bool:
    """Whether the end of what its stage waits for, not its own start, decided when a shuffle ended."""
    columns, cluster = schedule.workload.columns, schedule.cluster
    if len(columns.stages.parents_of(columns.stage[task])) == 0:
        return False
    start, stage_end = schedule.start[task], schedule.parents_end[columns.stage[task]]
    own_shuffle_lasted = cluster.shuffle_model == "overlap" and (
        start + columns.typical_shuffle[task] > stage_end + columns.first_shuffle[task]
    )
    return bool(start < stage_end and not own_shuffle_lasted)


def _last_before(schedule: Schedule, task: int) -> int:
    """Return the task that ended what a task's stage waits for, through stages without tasks, too."""
    stages, stage = schedule.workload.columns.stages, int(schedule.workload.columns.stage[task])
    end, looked_at = float(schedule.parents_end[stage]), stages.parents_of(stage).tolist()
    for parent in looked_at:
        found = earliest_ending_at(schedule, parent, end)
        if found != NO_TASK:
            return found
        looked_at += stages.parents_of(parent).tolist() if stages.count[parent] == 0 else []
    return NO_TASK


def _barrier(schedule: Schedule, filler: int, wait: _Wait | None) -> _Wait | None:
    """Return how the time counts in which a filler waits for its map stage, or other stages.

    It is its job's work there, unless a task waits for the slot that the filler holds.
    """
    if wait is None:
        return None
    since = max(wait.since, float(schedule.start[filler]))
    cause = Cause.MAP_BARRIER if _is_map_reduce(schedule, filler) else Cause.SLOT_WAIT
    return _Wait(wait.waiter, since, cause, filler)


def _held(schedule: Schedule, start: TaskStart, free: FreeSlots) -> tuple[float, int]:
    """Return since when only the policy kept a task waiting, and the task whose end began that, if any did.

    A reduce beside a free slot has nothing to do before its map stage ends; a hold that lasts beyond that
    counts from there on.
    """
    columns = schedule.workload.columns
    since = free.since(start.task)
    stage = int(columns.stage[start.task])
    if columns.stages.count[columns.stages.parents_of(stage)].any():
        stage_end = float(schedule.parents_end[stage])
        if max(since, start.ready) < stage_end <= start.time:
            return stage_end, _last_before(schedule, start.task)
    if since <= start.ready:
        return start.ready, start.ready_by
    return since, free.freed_by(start.task, since)


def _before(schedule: Schedule, start: TaskStart, free: FreeSlots) -> tuple[int, _Wait | None]:
    """Return the task that a start waited for, and as what the waiting counts."""
    columns = schedule.workload.columns
    if start.cause is StartCause.SLOWSTART and _is_map_reduce(schedule, start.task):
        return start.trigger, _Wait(start.task, free.since(start.task), Cause.SLOWSTART, NO_TASK)
    other_job = start.trigger != NO_TASK and columns.job[start.trigger] != columns.job[start.task]
    if start.cause is StartCause.SLOT_FREED and other_job:
        return start.trigger, _Wait(start.task, start.ready, Cause.SLOT_WAIT, start.trigger)
    return start.trigger, None


def holders_sentence(schedule: Schedule, path: CriticalPath, most: int) -> str:
    """Return the jobs that held the slots that the path waited for, the rest together; empty for none.

    Example: "J3 (30 s), J1 (4 s) and 2 more jobs (3 s)".
    """
    held = list(path.holders(schedule).items())
    most += len(held) == most + 1  # one more takes no more room than "1 more job"
    names = [f"{schedule.workload.jobs[job].name} ({duration_text(seconds)})" for job, seconds in held[:most]]
    if len(held) > most:
        rest = fsum(seconds for _, seconds in held[most:])
        names.append(f"{count(len(held) - most, 'more job')} ({duration_text(rest)})")
    return listed(names, most + 1)


def link_sentence(schedule: Schedule, link: PathLink) -> str:
    """Return what works or waits during a link, and for what: "map 3 of J1 runs on M4"."""
    if link.cause in WORK_WORDS:
        return f"{_named(schedule, link.task)} {WORK_WORDS[link.cause]} on {_slot(schedule, link.task)}"
    return _waiting(schedule, link)


def _waiting(schedule: Schedule, link: PathLink) -> str:
    waiter = _named(schedule, link.waiter)
    job = schedule.workload.jobs[int(schedule.workload.columns.job[link.waiter])].name
    if link.cause is Cause.THINK:
        return f"The driver thinks for {duration_text(link.seconds)} before it submits {job}"
    if link.cause is Cause.ARRIVAL:
        return f"{job} has not arrived yet"
    if link.cause is Cause.OVERHEAD and schedule.end[link.waiter] <= link.begin:
        return f"The cluster cleans up behind {job}"
    if link.cause is Cause.OVERHEAD:
        return f"{waiter} waits for the cluster: launching, setup, files or a heartbeat"
    if link.cause is Cause.HELD and _waits_for_window(schedule, link):
        return f"{job} waits for its batching window to end"
    if link.cause is Cause.CLOSED:
        return f"{waiter} waits for a slot to open"
    if link.cause is Cause.HELD:
        return _of_copy(schedule, link) or f"The policy keeps {waiter} waiting beside a free slot"
    runs = f"{_named(schedule, link.task)} on {_slot(schedule, link.task)}"
    if link.cause is Cause.SLOWSTART:
        return f"{waiter} waits until enough maps of {job} are complete, here for {runs}"
    held = f"{waiter} waits for {_slot(schedule, link.holder)}, held by {_named(schedule, link.holder)}"
    return f"{held}, which waits for {runs}" if link.cause is Cause.MAP_BARRIER else held


def _of_copy(schedule: Schedule, link: PathLink) -> str:
    """Return that a task runs and waits for its second copy during a link; empty where it does not."""
    part = first_copy(schedule, link.waiter) if link.end == schedule.start[link.waiter] else -1
    if part < 0 or schedule.given_up is None:
        return ""
    where = schedule.cluster.slot_name(int(schedule.given_up.extra_slot[part]))
    return (
        f"{_named(schedule, link.waiter)} runs on {where} alone, until a second copy starts that ends first"
    )


def _waits_for_window(schedule: Schedule, link: PathLink) -> bool:
    """Whether a link ends before its waiter's job can be served; without windows that is its arrival."""
    if schedule.sharing is None:
        return False
    return link.end <= float(schedule.sharing.boards[schedule.workload.columns.job[link.waiter]])


def _named(schedule: Schedule, task: int) -> str:
    return task_name(schedule.workload, task)


def _slot(schedule: Schedule, task: int) -> str:
    return schedule.cluster.slot_name(int(schedule.slot[task]))
