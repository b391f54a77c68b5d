"""How a run ends: how long next to no slot is in use at its end, by which jobs, and that in a few words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.explain.explanation_words import count, job_names, task_word
from core.model.time_text import rough_duration

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.schedule import Schedule

    Floats = NDArray[np.float64]

LONG = 0.15
"""Part of a run from which on a wait at its begin, or a tail at its end, is worth a clause."""
FEW_SLOTS = 0.01
"""Part of all slots; one slot counts as few anyway."""


@dataclass(frozen=True, slots=True)
class Tail:
    """The last stretch of a run in which few slots are in use.

    Attributes
    ----------
    begin, end : seconds; the end is that of the run
    most : slots in use at once at most
    slots : that there are
    jobs : those whose tasks are in use of them, by index; those that end last first
    """

    begin: float
    end: float
    most: int
    slots: int
    jobs: tuple[int, ...]

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return self.end - self.begin


def tail_of(schedule: Schedule) -> Tail:
    """Return the stretch at the end of a complete run that stands out most: long, and with few slots in use.

    The length is divided by the logarithm of the slots, and one: of 24 min with one slot in use, 43 min with
    two and 63 min with sixty it is the second. Attempts of a record that came to nothing hold slots, too.
    """
    slots = schedule.cluster.slots
    few = max(int(FEW_SLOTS * slots), 1)
    start, end = _spans(schedule)
    moments = np.unique(np.r_[0.0, start, end])
    most = _most_from(moments, start, end)
    firsts = np.flatnonzero((most <= few) & (most >= 1) & np.r_[True, most[:-1] > most[1:]])
    if not len(firsts):
        return Tail(schedule.makespan, schedule.makespan, 0, slots, ())
    first = firsts[np.argmax((schedule.makespan - moments[firsts]) / np.log2(1 + most[firsts]))]
    begin = float(moments[first])
    return Tail(begin, schedule.makespan, int(most[first]), slots, _jobs_after(schedule, begin))


def _jobs_after(schedule: Schedule, begin: float) -> tuple[int, ...]:
    """Return the jobs whose tasks run after a time, those that end last first."""
    runs_then = schedule.end > begin
    last = np.full(len(schedule.workload.jobs), -np.inf)
    np.maximum.at(last, schedule.workload.columns.job[runs_then], schedule.end[runs_then])
    named = np.flatnonzero(np.isfinite(last))
    in_turn: list[int] = named[np.argsort(-last[named], kind="stable")].tolist()
    return tuple(in_turn)


def _spans(schedule: Schedule) -> tuple[Floats, Floats]:
    """Return from when to when slots are held, also by attempts of a record that are no tasks."""
    record = schedule.attempts
    if record is None:
        return schedule.start, schedule.end
    extra_start, extra_end = record.extra_times
    return np.r_[schedule.start, extra_start], np.r_[schedule.end, extra_end]


def _most_from(moments: Floats, start: Floats, end: Floats) -> NDArray[np.int64]:
    """Return how many spans are held at once at most from each moment on, (moments,)."""
    change = np.bincount(np.searchsorted(moments, start), minlength=len(moments))
    change -= np.bincount(np.searchsorted(moments, end), minlength=len(moments))
    most: NDArray[np.int64] = np.maximum.accumulate(np.cumsum(change)[::-1])[::-1]
    return most


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
    most = _most_from(np.unique(np.r_[start, end]), start, end)
    levels: list[int] = np.unique(most[most > 0])[::-1].tolist()
    return levels
