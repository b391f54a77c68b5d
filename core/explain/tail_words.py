"""What still runs while a run ends, in a few words: "43 min: 2 reduces, then 1 (job 10)"."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.explain.explanation_words import count, job_names, task_word
from core.explain.run_summary import LONG
from core.explain.run_tail import FEW_SLOTS
from core.model.time_text import rough_duration

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.explain.run_tail import Tail
    from core.model.schedule import Schedule

    Floats = NDArray[np.float64]


def may_have_long_tail(schedule: Schedule) -> bool:
    """Whether so few slots are in use shortly before the end that `tail_words` may have something to say.

    That is told at one glance, where the whole tail of a million tasks takes more than half a second.
    """
    before = schedule.makespan * (1 - LONG)
    held = np.count_nonzero((schedule.start <= before) & (schedule.end > before))
    return bool(held <= FEW_SLOTS * schedule.cluster.slots)


def tail_words(schedule: Schedule, tail: Tail) -> str:
    """Return what runs in the tail of a complete run, with the job that ends last.

    Empty where the tail is short, or where so many slots are in use that it is no sign of anything: of few
    slots one is a large part. Two reduces of 60 and 90 min on 1000 slots: "90 min: 2 reduces, then 1 (J1)".
    """
    held = np.flatnonzero(schedule.end > tail.begin)
    is_long = tail.seconds > LONG * schedule.makespan
    if not len(held) or not is_long or tail.most > FEW_SLOTS * tail.slots:
        return ""
    levels = _levels(np.maximum(schedule.start[held], tail.begin), schedule.end[held])
    kinds = np.unique(schedule.workload.columns.kind[held]).tolist()
    words = count(levels[0], task_word(schedule.workload, kinds[0]) if len(kinds) == 1 else "task")
    if len(levels) > 1:
        words += f", then {levels[-1]}" if len(levels) == 2 else f", in the end {levels[-1]}"
    job = int(schedule.workload.columns.job[held[np.argmax(schedule.end[held])]])
    return f"{rough_duration(tail.seconds)}: {words} ({job_names(schedule.workload)[job]})"


def _levels(start: Floats, end: Floats) -> list[int]:
    """Return how many of some spans are held at once from some time on, each number once, descending.

    Spans from 0 to 9 and from 0 to 5 have the levels 2 and 1.
    """
    moments = np.unique(np.r_[start, end])
    change = np.bincount(np.searchsorted(moments, start), minlength=len(moments))
    change -= np.bincount(np.searchsorted(moments, end), minlength=len(moments))
    most = np.maximum.accumulate(np.cumsum(change)[::-1])[::-1]
    levels: list[int] = np.unique(most[most > 0])[::-1].tolist()
    return levels
