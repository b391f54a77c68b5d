"""The attempts at tasks of a record that run at a time, whichever of them counts in the end."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.forecast.known import HeldSlot
from core.simulation.second_copies import SecondCopy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.execution_history import ExecutionHistory
    from core.model.schedule import Schedule


def running_attempts(
    record: Schedule, time: float
) -> tuple[Schedule, tuple[SecondCopy, ...], tuple[HeldSlot, ...]]:
    """Return a record with those attempts in it that run at a time, the second ones, and slots of others.

    Of each task that has not ended by then the attempt that began first is the task's own; another one that
    runs is its second one. A third one is left out. One that runs although its task has ended holds its slot
    as long as others did that held theirs longer than it has by now: the one in the middle of them; where
    there are none, twice as long.

    Parameters
    ----------
    record : what really ran, by a log
    time : seconds
    """
    if record.record is None:
        return record, (), ()
    others = _others(record.record, time)
    held = _held(record.end, others, time)
    others = [each for each in others if each.end > time and record.end[each.task] > time]
    if not others:
        return record, (), held
    start, slot = record.start.copy(), record.slot.copy()
    second: dict[int, SecondCopy] = {}
    for each in others:
        task, copy = each.task, SecondCopy(each.task, each.slot, each.start, np.inf)
        if task in second:
            continue
        if start[task] <= time:
            own = SecondCopy(task, int(slot[task]), float(start[task]), np.inf)
            second[task] = max(own, copy, key=lambda copy: copy.start)
        if start[task] > each.start:
            start[task], slot[task] = each.start, each.slot
    sequence = record.sequence[np.argsort(start[record.sequence], kind="stable")]
    own_attempts = replace(record, start=start, slot=slot, sequence=sequence)
    return own_attempts, tuple(sorted(second.values(), key=lambda copy: copy.slot)), held


class _Other(NamedTuple):
    """An attempt beside the one that counts: at which task, where, from when to when, seconds."""

    task: int
    slot: int
    start: float
    end: float


def _held(ends: NDArray[np.float64], others: list[_Other], time: float) -> tuple[HeldSlot, ...]:
    """Return the slots of attempts that run although their tasks have ended, and until when.

    Parameters
    ----------
    ends : of the tasks, seconds, (tasks,)
    others : that have begun
    """
    after = [(each, each.end - float(ends[each.task])) for each in others if each.start < ends[each.task]]
    lasted = [seconds for each, seconds in after if each.end <= time]
    found = []
    for each, _ in after:
        ended = float(ends[each.task])
        if ended <= time < each.end:
            longer = [seconds for seconds in lasted if seconds > time - ended]
            found.append(HeldSlot(each.slot, ended + float(np.median(longer or [2 * (time - ended)]))))
    return tuple(sorted(found))


def _others(history: ExecutionHistory, time: float) -> list[_Other]:
    """Return the attempts beside those that count that have begun, by start; none if none of them runs."""
    run, (begin, end) = history.run, history.extra_times
    begun = np.flatnonzero(begin <= time)
    begun = begun[np.argsort(begin[begun], kind="stable")]
    attempt = history.extra[begun]
    is_task = (run.task[attempt] >= 0) & (run.stage[attempt] >= 0)
    begun, attempt = begun[is_task], attempt[is_task]
    if not (time < end[begun]).any():
        return []
    both = np.concatenate([history.attempt, attempt])
    keys = np.stack([column[both].astype(np.int64) for column in (run.job, run.stage, run.task)])
    _, same = np.unique(keys, axis=1, return_inverse=True)
    task_of: NDArray[np.int64] = np.full(int(same.max()) + 1, -1)
    tasks = len(history.attempt)
    task_of[same[:tasks]] = np.arange(tasks)
    columns = task_of[same[tasks:]], history.extra_slot[begun], begin[begun], end[begun]
    found = map(_Other._make, zip(*(column.tolist() for column in columns), strict=True))
    return [each for each in found if each.task >= 0]
