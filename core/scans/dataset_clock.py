"""A dataset as a clock: where each job boarded, and what it still needs (003 Figures 2 and 3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from core.scans.fluid import FluidSchedule


@dataclass(frozen=True, slots=True)
class ClockHand:
    """One job on the circle; fractions of a turn, clockwise from the top, where the first job boarded.

    Attributes
    ----------
    job : its place in `ScanJobs`
    boarded : where on the circle it boarded
    scanned : how much of its turn is done, 0 to 1
    """

    job: int
    boarded: float
    scanned: float

    @property
    def left(self) -> float:
        """How much of its turn is left, 0 to 1."""
        return 1.0 - self.scanned


@dataclass(frozen=True, slots=True)
class DatasetClock:
    """A dataset at an instant.

    Attributes
    ----------
    dataset : its number
    position : where the scan of the oldest job on board is, a fraction of a turn
    hands : the jobs on board, the oldest first
    waiting : jobs that have arrived and wait for their window to end
    """

    dataset: int
    position: float
    hands: tuple[ClockHand, ...]
    waiting: tuple[int, ...]


class ScanClocks:
    """The circles of a fluid schedule at any time; asking is quick."""

    def __init__(self, schedule: FluidSchedule) -> None:
        self._schedule = schedule
        pieces, jobs = schedule.pieces, schedule.jobs
        fraction = jobs.scan_fraction[pieces.job]
        self._rate = pieces.slots / (fraction + (1 - fraction) * pieces.concurrency) / jobs.work[pieces.job]
        self._group = self._groups()

    def at(self, time: float) -> tuple[DatasetClock, ...]:
        """Return the circle of every dataset that has jobs, at a time in seconds."""
        return tuple(self._clock(int(d), time) for d in np.unique(self._schedule.jobs.dataset))

    def _groups(self) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
        """Return which jobs share their scan, as `core.scans.fluid` has it, (jobs,)."""
        jobs, policy = self._schedule.jobs, self._schedule.policy
        if policy == "flex":
            return np.arange(len(jobs.arrival))
        if policy == "circumflex":
            return jobs.dataset.astype(np.int64)
        pairs = np.stack([jobs.dataset, self._schedule.boarded], axis=1)
        return np.unique(pairs, axis=0, return_inverse=True)[1].reshape(-1)

    def _turns(self, job: int, time: float) -> float:
        """Return how many turns the scan of a job's group has made by a time."""
        pieces = self._schedule.pieces
        mine = self._group[pieces.job] == self._group[job]
        until = np.clip(time, pieces.start[mine], pieces.end[mine])
        return float(np.sum((until - pieces.start[mine]) * self._rate[mine]))

    def _clock(self, dataset: int, time: float) -> DatasetClock:
        schedule = self._schedule
        jobs = np.flatnonzero(schedule.jobs.dataset == dataset)
        on_board = jobs[(schedule.boarded[jobs] <= time) & (schedule.finish[jobs] > time)]
        waiting = jobs[(schedule.jobs.arrival[jobs] <= time) & (schedule.boarded[jobs] > time)]
        hands = tuple(self._hand(int(job), time) for job in on_board)
        position = (hands[0].boarded + hands[0].scanned) % 1.0 if hands else 0.0
        return DatasetClock(dataset, position, hands, tuple(waiting.tolist()))

    def _hand(self, job: int, time: float) -> ClockHand:
        boarded = self._turns(job, float(self._schedule.boarded[job]))
        scanned = min(max(self._turns(job, time) - boarded, 0.0), 1.0)
        return ClockHand(job, boarded % 1.0, scanned)
