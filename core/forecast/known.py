"""What is known of a schedule at a time: the times of what has ended, and what is still under way."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.model.event_nodes import worked_seconds
from core.model.execution_history import FIRST

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.schedule import Schedule
    from core.simulation.second_copies import SecondCopy

    Bools = NDArray[np.bool_]
    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class KnownColumn:
    """What is known of one of the times of all tasks: of their durations, or of their shuffles.

    Attributes
    ----------
    is_known : whether the time has come to its end, (tasks,)
    seconds : how long it took; only where it is known, (tasks,)
    is_under_way : whether it has begun and not ended, (tasks,)
    longer_than : how long it has taken so far where it is under way, else 0; seconds, (tasks,)
    """

    is_known: Bools
    seconds: Floats
    is_under_way: Bools
    longer_than: Floats

    def of(self, some: Bools) -> KnownColumn:
        """Return what is known of some of the tasks."""
        return KnownColumn(
            self.is_known[some], self.seconds[some], self.is_under_way[some], self.longer_than[some]
        )


class HeldSlot(NamedTuple):
    """A slot that runs nothing that counts, and until when, seconds."""

    slot: int
    until: float


@dataclass(frozen=True)
class KnownRun:
    """What is known at a time of a schedule; tasks that start or end at exactly that time have done so.

    Attributes
    ----------
    schedule : which is simulated, and whole; where nodes fail, and where tasks may be killed or have second
        copies, as it stands then, see `core.forecast.begin.known_at`
    time : seconds
    copies : the second copies that run; None where no task ever has one
    order : of a record: which of its tasks lies at each place of the schedule, (tasks,); else None
    held : slots of a record that still run attempts at tasks which have ended, and until when

    Examples
    --------
    At 30 s one knows of a map that ran from 10 to 24 s that it took 14 s, of one that began at 25 s that it
    takes more than 5 s, and of one that waits nothing.
    """

    schedule: Schedule
    time: float
    copies: tuple[SecondCopy, ...] | None = None
    order: NDArray[np.int64] | None = None
    held: tuple[HeldSlot, ...] = ()

    @cached_property
    def has_started(self) -> Bools:
        """Whether each task has started, (tasks,)."""
        started: Bools = self.schedule.start <= self.time
        return started

    @cached_property
    def has_ended(self) -> Bools:
        """Whether each task has ended, (tasks,)."""
        ended: Bools = self.schedule.end <= self.time
        return ended

    @cached_property
    def job_has_ended(self) -> Bools:
        """Whether each job has ended, (jobs,)."""
        ended: Bools = self.schedule.finish <= self.time
        return ended

    @property
    def running(self) -> int:
        """How many tasks run."""
        return int(np.count_nonzero(self.has_started & ~self.has_ended))

    @cached_property
    def _first(self) -> Schedule:
        """The schedule with each task as its first copy ran: second ones say nothing of how long it takes."""
        return self.schedule.by_first_copies

    @cached_property
    def _was_outrun(self) -> Bools:
        """Whether a second copy of each task ended first, so that the first one was killed, (tasks,)."""
        outrun = np.zeros(self.schedule.tasks, bool)
        history = self.schedule.given_up
        if history is not None and history.given_up is not None:
            outrun[history.given_up.task[history.given_up.outrun == FIRST]] = True
        return outrun

    @cached_property
    def _came_to_end(self) -> Bools:
        """Whether the first copy of each task has ended, and was not killed, (tasks,)."""
        ended: Bools = self.has_ended & ~self._was_outrun
        return ended

    @cached_property
    def _is_fetched(self) -> Bools:
        """Whether each task's shuffle has ended, (tasks,)."""
        shuffled, end = self._first.shuffled, self._first.end
        fetched: Bools = (shuffled <= self.time) & ~(self._was_outrun & (shuffled >= end))
        return fetched & self.has_started

    def _worked_since(self, begin: Floats) -> Floats:
        """Return for how long each task has worked since then, as at full speed; seconds, (tasks,)."""
        until = np.where(self._was_outrun, self._first.end, self.time)
        so_far = worked_seconds(self.schedule.cluster, self._first.slot, begin, self.time)
        return so_far - (self.time - until)

    @cached_property
    def duration(self) -> KnownColumn:
        """What is known of the durations; of reduces the part after the shuffle."""
        runs = self._is_fetched & ~self._came_to_end
        so_far = np.where(runs, self._worked_since(self._first.shuffled), 0.0)
        return KnownColumn(self._came_to_end, self.schedule.workload.columns.duration, runs, so_far)

    @cached_property
    def first_shuffle(self) -> KnownColumn:
        """What is known of first shuffles, which tasks have that started before their parents ended."""
        columns = self.schedule.workload.columns
        since = self._first.parents_end[columns.stage]
        fillers = self._first.is_filler & self.has_started
        fetches = fillers & ~self._is_fetched & (since <= self.time)
        so_far = np.where(fetches, self._worked_since(since), 0.0)
        return KnownColumn(fillers & self._is_fetched, columns.first_shuffle, fetches, so_far)

    @cached_property
    def typical_shuffle(self) -> KnownColumn:
        """What is known of the shuffles of tasks that start later."""
        columns = self.schedule.workload.columns
        usual = self.has_started & ~self._first.is_filler
        fetches = usual & ~self._is_fetched
        so_far = np.where(fetches, self._worked_since(self._first.start), 0.0)
        return KnownColumn(usual & self._is_fetched, columns.typical_shuffle, fetches, so_far)

    @cached_property
    def of_copies(self) -> tuple[KnownColumn, KnownColumn]:
        """What is known of how long second copies take that run: their shuffles, and the rest."""
        fetched, runs = np.zeros(self.schedule.tasks, bool), np.zeros(self.schedule.tasks, bool)
        fetch, so_far = np.zeros(self.schedule.tasks), np.zeros(self.schedule.tasks)
        for each in self.copies or ():
            runs[each.task], fetched[each.task] = True, each.shuffled <= self.time
            fetch[each.task] = min(each.shuffled, self.time) - each.start
            so_far[each.task] = max(self.time - each.shuffled, 0.0)
        none = np.zeros(len(runs), bool)
        return KnownColumn(fetched, fetch, runs & ~fetched, fetch), KnownColumn(
            none, fetch, runs & fetched, so_far
        )
