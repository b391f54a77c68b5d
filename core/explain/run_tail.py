"""How a run ends: for how long at its end next to no slot is in use, and by which jobs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.schedule import Schedule

    Floats = NDArray[np.float64]

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
    change = np.zeros(len(moments), np.int64)
    change += np.bincount(np.searchsorted(moments, start), minlength=len(moments))
    change -= np.bincount(np.searchsorted(moments, end), minlength=len(moments))
    most = np.maximum.accumulate(np.cumsum(change)[::-1])[::-1]  # in use from then on
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
