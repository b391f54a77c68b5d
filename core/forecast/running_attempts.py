"""The attempts at tasks of a record that run at a time, whichever of them counts in the end."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.simulation.second_copies import SecondCopy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.execution_history import ExecutionHistory
    from core.model.schedule import Schedule


def running_attempts(record: Schedule, time: float) -> tuple[Schedule, tuple[SecondCopy, ...]]:
    """Return a record with those attempts in it that run at a time, and the second ones beside them.

    Of each task that has not ended by then the attempt that began first is the task's own; another one that
    runs is its second one. A third one is left out.

    Parameters
    ----------
    record : what really ran, by a log
    time : seconds
    """
    if record.record is None:
        return record, ()
    others = [each for each in _others(record.record, time) if record.end[each.task] > time]
    if not others:
        return record, ()
    start, slot = record.start.copy(), record.slot.copy()
    second: dict[int, SecondCopy] = {}
    for each in others:
        task = each.task
        if task in second:
            continue
        if start[task] <= time:
            own = SecondCopy(task, int(slot[task]), float(start[task]), np.inf)
            second[task] = max(own, each, key=lambda copy: copy.start)
        if start[task] > each.start:
            start[task], slot[task] = each.start, each.slot
    sequence = record.sequence[np.argsort(start[record.sequence], kind="stable")]
    own_attempts = replace(record, start=start, slot=slot, sequence=sequence)
    return own_attempts, tuple(sorted(second.values(), key=lambda copy: copy.slot))


def _others(history: ExecutionHistory, time: float) -> list[SecondCopy]:
    """Return the attempts beside those that count that run at a time, by start."""
    run, (begin, end) = history.run, history.extra_times
    running = np.flatnonzero((begin <= time) & (time < end))
    running = running[np.argsort(begin[running], kind="stable")]
    attempt = history.extra[running]
    is_task = (run.task[attempt] >= 0) & (run.stage[attempt] >= 0)
    running, attempt = running[is_task], attempt[is_task]
    if not len(attempt):
        return []
    both = np.concatenate([history.attempt, attempt])
    keys = np.stack([column[both].astype(np.int64) for column in (run.job, run.stage, run.task)])
    _, same = np.unique(keys, axis=1, return_inverse=True)
    task_of: NDArray[np.int64] = np.full(int(same.max()) + 1, -1)
    tasks = len(history.attempt)
    task_of[same[:tasks]] = np.arange(tasks)
    task = task_of[same[tasks:]]
    found = zip(task.tolist(), history.extra_slot[running].tolist(), begin[running].tolist(), strict=True)
    return [SecondCopy(each, slot, start, np.inf) for each, slot, start in found if each >= 0]
