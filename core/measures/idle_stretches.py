"""Stretches of time in which nothing runs, in any of some schedules.

What runs is a task, an attempt that a log has beside the tasks (failed, killed, a setup or a cleanup), or the
driver of an application between two of its jobs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.measures.stage_spans import followed_jobs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from core.model.schedule import Schedule

MIN_SHARE = 0.04
"""Part of all the time that a stretch takes at least to be one: in two hours, five minutes."""


def busy_stretches(schedule: Schedule) -> NDArray[np.float64]:
    """Return the stretches of time in which something runs: begins and ends in seconds, (2, stretches).

    They are in order and do not touch; a task that has not ended runs for ever. Tasks from 0 to 4 s, 2 to 6 s
    and 8 to 9 s make two stretches, from 0 to 6 s and from 8 to 9 s.
    """
    begin, end = [schedule.start], [np.where(np.isfinite(schedule.end), schedule.end, np.inf)]
    if schedule.attempts is not None:
        for times, extra in zip((begin, end), schedule.attempts.extra_times, strict=True):
            times.append(extra)
    before = followed_jobs(schedule)
    follows = np.flatnonzero(before >= 0)
    begin.append(schedule.finish[before[follows]])
    end.append(schedule.arrival[follows])
    return _merged(np.concatenate(begin), np.concatenate(end))


def idle_stretches(busy: Iterable[NDArray[np.float64]]) -> tuple[tuple[float, float], ...]:
    """Return the long stretches from 0 s on in which nothing runs in any schedule: begin and end of each.

    Parameters
    ----------
    busy : of each schedule, as of `busy_stretches`

    Nothing is idle behind the last end. Of an end at 100 s, stretches above 4 s are long.
    """
    begin, end = _merged(*np.concatenate([np.zeros((2, 1)), *busy], axis=1))
    long = begin[1:] - end[:-1] > MIN_SHARE * end[-1]
    return tuple(zip(end[:-1][long].tolist(), begin[1:][long].tolist(), strict=True))


def _merged(begin: NDArray[np.float64], end: NDArray[np.float64]) -> NDArray[np.float64]:
    """Join stretches that touch; those without a begin, or that end before it, are none."""
    real = np.isfinite(begin) & (end >= begin)
    order = np.argsort(begin[real], kind="stable")
    begin, until = begin[real][order], np.maximum.accumulate(end[real][order])
    if not len(begin):
        return np.zeros((2, 0))
    first = np.flatnonzero(np.r_[True, begin[1:] > until[:-1]])
    return np.stack([begin[first], until[np.r_[first[1:], len(begin)] - 1]])
