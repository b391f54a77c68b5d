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
- a task that started when its node returned: a gap back to when it was ready;
- a task that was ready again when what it had done was lost with its node: that lost work, where it had ended
  before after a gap, and on as if that counted;
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
from functools import cached_property
from math import fsum
from typing import TYPE_CHECKING

import numpy as np

from core.explain.causes import Cause
from core.explain.slots import FreeSlots, slots_beside
from core.explain.start_cause import (
    NO_TASK,
    StartCause,
    TaskStart,
    check_simulated,
    earliest_ending_at,
    first_copy,
    start_of,
)
from core.measures.stage_spans import NO_JOB, followed_jobs
from core.model.event_nodes import down_spans, speed_before
from core.model.execution_history import ENDED
from core.model.lost_attempts import eras_of
from core.model.stages import MAP_REDUCE

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from core.model.schedule import Schedule


@dataclass(frozen=True, slots=True)
class PathLink:
    """A span of time on the path.

    Attributes
    ----------
    begin, end : seconds
    cause : what the time counts as
    task : the task that runs then, or NO_TASK in a gap (CLOSED, AWAY, OUTPUT, HELD, OVERHEAD, THINK, ARRIVAL,
        and SLOT_WAIT before a node failed whose return is waited for)
    waiter : the task that waits for the end of this link, or NO_TASK for the task's own phases
    holder : for SLOT_WAIT and MAP_BARRIER the task that holds the slot waited for, else NO_TASK
    slot : where the task runs then, or its output lies, in another gap where its waiter runs later; that is
        another one than in the schedule where the task is lost and runs again
    """

    begin: float
    end: float
    cause: Cause
    task: int
    waiter: int = NO_TASK
    holder: int = NO_TASK
    slot: int = -1

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
    check_simulated(schedule)
    if len(schedule.sequence) < schedule.tasks or not np.isfinite(schedule.makespan):
        raise ValueError("a critical path needs a complete schedule")
    last = int(np.argmax(schedule.end))
    backwards = (link for link in _TaskWalk(schedule).back_from(last) if link.end > link.begin)
    return CriticalPath(tuple(backwards)[::-1])


class _TaskWalk:
    """Goes back through a schedule.

    Where nodes fail, what ran at a time is read from the schedule as it stood then (`eras_of`): what is
    lost later had not been lost, and outputs that are lost later were there.
    """

    def __init__(self, schedule: Schedule) -> None:
        self._schedule, self._followed = schedule, followed_jobs(schedule)
        self._columns, self._free = schedule.workload.columns, FreeSlots(schedule)
        # where the cluster has work of its own, a schedule does not show that apart from what the policy does
        self._held = Cause.HELD if schedule.cluster.overheads is None else Cause.OVERHEAD

    @cached_property
    def _free_of_first(self) -> FreeSlots:
        return FreeSlots(self._schedule.by_first_copies)

    def back_from(self, task: int) -> Iterator[PathLink]:
        """Yield the links from the end of a task to time 0, the last one first."""
        schedule, wait, is_lost = self._schedule, None, False
        at = float(schedule.end[task])
        yield _gap(schedule, at, schedule.makespan, Cause.OVERHEAD, task)
        while task != NO_TASK:
            seen, fetching = self._as_it_ran(task, at)
            yield from self._attempt(seen, fetching, task, at, wait, is_lost)
            if first_copy(schedule, task) >= 0:
                seen = fetching = schedule.by_first_copies
                wait = None
                yield _gap(seen, _began(seen, task), float(schedule.start[task]), self._held, task)
            if waits_for_parents(fetching, task) and not (is_lost and _began(fetching, task) >= at):
                at, wait = _began(fetching, task), _barrier(fetching, task, wait)
                task, is_lost = _last_before(fetching, task), False
                continue
            task, at, wait, is_lost = yield from self._start(seen, task)

    def _as_it_ran(self, task: int, at: float) -> tuple[Schedule, Schedule]:
        """Return the schedule as it stood when a task ended, or was lost, and when it had fetched all."""
        eras = eras_of(self._schedule)
        seen = eras.before(at)
        if seen.end[task] != at:  # it took no time, after nodes had failed then
            seen = eras.at(at)
        start, shuffled = float(seen.start[task]), float(seen.shuffled[task])
        return seen, eras.before(shuffled) if shuffled > start else eras.at(start)

    def _attempt(
        self, seen: Schedule, fetching: Schedule, task: int, at: float, wait: _Wait | None, is_lost: bool
    ) -> Iterator[PathLink]:
        """Yield what a task does up to a time, the last part first; all came to nothing if it is lost."""
        if not is_lost:
            yield from _phases(seen, fetching, task, wait)
            return
        began = _began(fetching, task)
        began = began if began < at else float(seen.start[task])
        yield PathLink(began, at, Cause.LOST, task, task, NO_TASK, int(seen.slot[task]))

    def _start(
        self, seen: Schedule, task: int
    ) -> Generator[PathLink, None, tuple[int, float, _Wait | None, bool]]:
        """Yield the gap before a start, if any; return what it waited for.

        That is a task that ended, or was lost, the time of that, how the waiting counts, and whether it was
        lost; NO_TASK at the beginning of all.
        """
        schedule, columns = self._schedule, self._columns
        here = seen if schedule.cluster.events is None else eras_of(schedule).at(float(seen.start[task]))
        free = self._free if seen is not schedule.by_first_copies else self._free_of_first
        start = start_of(here, task)
        wait, at, by = None, start.ready, start.ready_by
        if start.cause is StartCause.POLICY:
            at, by = _held(here, start, free)
            yield _gap(here, at, start.time, self._held, task)
            if by == NO_TASK and at > start.ready:
                yield from self._until_opened(here, start.ready, at, task)
                at, by = start.ready, start.ready_by
        elif start.cause is StartCause.OPENED:
            yield from self._until_opened(here, at, start.time, task)
        elif start.cause is StartCause.GIVEN_UP:
            yield _gap(here, at, start.time, self._held, task)
        else:
            at = start.time
            by, wait = _before(here, start, free)
        if by != NO_TASK:
            return by, at, wait, False
        if start.lost == start.ready:
            at, slot = self._end_of_lost(task, start.lost)
            yield PathLink(at, start.lost, Cause.OUTPUT, NO_TASK, task, NO_TASK, slot)
            return task, at, None, True
        before = int(self._followed[columns.job[task]])
        if before == NO_JOB:
            yield _gap(here, 0.0, start.ready, Cause.ARRIVAL, task)
            return NO_TASK, 0.0, None, False
        left = float(schedule.finish[before])
        yield _gap(here, left, start.ready, Cause.THINK, task)
        last = int(np.argmax(np.where(columns.job == before, schedule.end, -np.inf)))
        yield _gap(schedule, float(schedule.end[last]), left, Cause.OVERHEAD, last)
        return last, float(schedule.end[last]), None, False

    def _until_opened(self, seen: Schedule, begin: float, end: float, task: int) -> Iterator[PathLink]:
        """Yield the gap until a slot like that of a task opened, or its node returned, the last part first.

        Before that node failed the task waited for a slot as others do.
        """
        if seen.cluster.events is None:
            yield _gap(seen, begin, end, Cause.CLOSED, task)
            return
        away, beside = down_spans(seen.cluster), slots_beside(seen, int(seen.slot[task]))
        returned = (away.end == end) & (away.slot >= beside.start) & (away.slot < beside.stop)
        since = max(begin, float(away.begin[returned].max(initial=begin)))
        yield _gap(seen, since, end, Cause.AWAY, task)
        yield _gap(seen, begin, since, Cause.SLOT_WAIT, task)

    def _end_of_lost(self, task: int, lost_at: float) -> tuple[float, int]:
        """Return when and where what a task did before that was lost at a time had ended, or stopped."""
        history = self._schedule.given_up
        assert history is not None  # or nothing was lost
        parts = history.parts_of(task)
        lost = parts[eras_of(self._schedule).lost_at[parts] == lost_at]
        last = int(lost[np.argmax(history.run.end[lost])])
        return float(history.run.end[last]), int(history.extra_slot[last])


def _gap(seen: Schedule, begin: float, end: float, cause: Cause, waiter: int) -> PathLink:
    """Return a link in which no task of the path runs."""
    return PathLink(begin, end, cause, NO_TASK, waiter, NO_TASK, int(seen.slot[waiter]))


def _phases(seen: Schedule, fetching: Schedule, task: int, wait: _Wait | None) -> Iterator[PathLink]:
    """Yield a task's own phases that are on the path, the last one first.

    `seen` is the schedule as it stood when the task ended, `fetching` when it had fetched all.
    """
    columns = seen.workload.columns
    start, shuffled, end = (float(x[task]) for x in (seen.start, seen.shuffled, seen.end))
    has_parents = len(columns.stages.parents_of(columns.stage[task])) > 0
    work = Cause.REDUCE_WORK if has_parents else Cause.MAP_WORK
    work = work if _is_map_reduce(seen, task) else Cause.WORK
    if not has_parents:
        yield from _counted(seen, (start, end), Cause.AGAIN if _lost_output(seen, task) else work, task, wait)
        return
    yield from _counted(seen, (shuffled, end), work, task, wait)
    yield from _counted(seen, (_began(fetching, task), shuffled), Cause.SHUFFLE, task, wait)


def _lost_output(seen: Schedule, task: int) -> bool:
    """Whether a map runs again because what it had put out was lost."""
    history = seen.given_up
    if seen.cluster.events is None or history is None or history.given_up is None:
        return False
    parts = history.parts_of(task)
    is_before = eras_of(seen).lost_at[parts] <= seen.start[task]
    return bool((history.given_up.lost[parts][is_before] == ENDED).any())


def _began(schedule: Schedule, task: int) -> float:
    """Return from when on a task did something: it started, or what its stage waits for ended."""
    if waits_for_parents(schedule, task):
        return float(schedule.parents_end[schedule.workload.columns.stage[task]])
    return float(schedule.start[task])


def _counted(
    seen: Schedule, span: tuple[float, float], phase: Cause, task: int, wait: _Wait | None
) -> Iterator[PathLink]:
    """Yield a phase, cut where another task began to wait for its end."""
    (begin, end), slot = span, int(seen.slot[task])
    if wait is None or wait.since >= end:
        waiter = NO_TASK if wait is None else wait.waiter
        yield PathLink(begin, end, phase, task, waiter, NO_TASK, slot)
        return
    cut = max(begin, wait.since)
    yield PathLink(cut, end, wait.cause, task, wait.waiter, wait.holder, slot)
    yield PathLink(begin, cut, phase, task, NO_TASK, NO_TASK, slot)


def _is_map_reduce(schedule: Schedule, task: int) -> bool:
    """Whether the job of a task has just maps, and reduces that wait for them."""
    return schedule.workload.jobs[int(schedule.workload.columns.job[task])].graph == MAP_REDUCE


def waits_for_parents(schedule: Schedule, task: int) -> bool:
    """Whether the end of what its stage waits for, not its own start, decided when a shuffle ended."""
    columns, cluster = schedule.workload.columns, schedule.cluster
    if len(columns.stages.parents_of(columns.stage[task])) == 0:
        return False
    start, stage_end = schedule.start[task], schedule.parents_end[columns.stage[task]]
    speed = speed_before(cluster, int(schedule.slot[task]), float(stage_end))
    own_shuffle_lasted = cluster.shuffle_model == "overlap" and (
        start + columns.typical_shuffle[task] / speed > stage_end + columns.first_shuffle[task] / speed
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
    since = free.since(start.task, schedule)
    stage = int(columns.stage[start.task])
    if columns.stages.count[columns.stages.parents_of(stage)].any():
        stage_end = float(schedule.parents_end[stage])
        if max(since, start.ready) < stage_end <= start.time:
            return stage_end, _last_before(schedule, start.task)
    if since <= start.ready:
        return start.ready, start.ready_by
    return since, free.freed_by(start.task, since, schedule)


def _before(schedule: Schedule, start: TaskStart, free: FreeSlots) -> tuple[int, _Wait | None]:
    """Return the task that a start waited for, and as what the waiting counts."""
    columns = schedule.workload.columns
    if start.cause is StartCause.SLOWSTART and _is_map_reduce(schedule, start.task):
        return start.trigger, _Wait(start.task, free.since(start.task, schedule), Cause.SLOWSTART, NO_TASK)
    other_job = start.trigger != NO_TASK and columns.job[start.trigger] != columns.job[start.task]
    if start.cause is StartCause.SLOT_FREED and other_job:
        return start.trigger, _Wait(start.task, start.ready, Cause.SLOT_WAIT, start.trigger)
    return start.trigger, None
