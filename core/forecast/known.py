"""What somebody knows at a time of a schedule: the times of what has ended, and what is still under way."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from core.model.event_nodes import worked_seconds

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.schedule import Schedule

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


@dataclass(frozen=True)
class KnownRun:
    """What is known at a time of a schedule; tasks that start or end at exactly that time have done so.

    Attributes
    ----------
    schedule : which is simulated, and whole; where nodes fail as it stands then, see
        `core.forecast.begin.as_it_stands`
    time : seconds

    Examples
    --------
    At 30 s one knows of a map that ran from 10 to 24 s that it took 14 s, of one that began at 25 s that it
    takes more than 5 s, and of one that waits nothing.
    """

    schedule: Schedule
    time: float

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
    def _is_fetched(self) -> Bools:
        """Whether each task's shuffle has ended, (tasks,)."""
        fetched: Bools = self.schedule.shuffled <= self.time
        return fetched & self.has_started

    def _worked_since(self, begin: Floats) -> Floats:
        """Return for how long each task has worked since then, as at full speed; seconds, (tasks,)."""
        return worked_seconds(self.schedule.cluster, self.schedule.slot, begin, self.time)

    @cached_property
    def duration(self) -> KnownColumn:
        """What is known of the durations; of reduces the part after the shuffle."""
        runs = self._is_fetched & ~self.has_ended
        so_far = np.where(runs, self._worked_since(self.schedule.shuffled), 0.0)
        return KnownColumn(self.has_ended, self.schedule.workload.columns.duration, runs, so_far)

    @cached_property
    def first_shuffle(self) -> KnownColumn:
        """What is known of first shuffles, which tasks have that started before their parents ended."""
        columns = self.schedule.workload.columns
        since = self.schedule.parents_end[columns.stage]
        fillers = self.schedule.is_filler & self.has_started
        fetches = fillers & ~self._is_fetched & (since <= self.time)
        so_far = np.where(fetches, self._worked_since(since), 0.0)
        return KnownColumn(fillers & self._is_fetched, columns.first_shuffle, fetches, so_far)

    @cached_property
    def typical_shuffle(self) -> KnownColumn:
        """What is known of the shuffles of tasks that start later."""
        columns = self.schedule.workload.columns
        usual = self.has_started & ~self.schedule.is_filler
        fetches = usual & ~self._is_fetched
        so_far = np.where(fetches, self._worked_since(self.schedule.start), 0.0)
        return KnownColumn(usual & self._is_fetched, columns.typical_shuffle, fetches, so_far)
