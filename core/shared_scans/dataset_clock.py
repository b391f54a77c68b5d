"""A dataset as a clock: where each job boarded, and what it still needs (003 Figures 2 and 3)."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.shared_scans.block_sets import BlockSetSchedule, Ranges
    from core.shared_scans.fluid import FluidSchedule


@dataclass(frozen=True, slots=True)
class Arc:
    """A stretch of the circle that a job needs, in turns clockwise from the top: where, and how far it is."""

    begin: float
    length: float
    scanned: float


@dataclass(frozen=True, slots=True)
class ClockHand:
    """One job on the circle; fractions of a turn, clockwise from the top, where the first job boarded.

    Attributes
    ----------
    job : its place in `ScanJobs`
    boarded : where on the circle it boarded; with sets of blocks, where its first block is
    scanned : how much of what it needs is done, 0 to 1
    arcs : the same piece by piece: one whole turn or, with sets of blocks, its blocks
    """

    job: int
    boarded: float
    scanned: float
    arcs: tuple[Arc, ...]

    @property
    def left(self) -> float:
        """How much of it is left, 0 to 1."""
        return 1.0 - self.scanned


@dataclass(frozen=True, slots=True)
class DatasetClock:
    """A dataset at an instant.

    Attributes
    ----------
    dataset : its number
    position : where the scan of the oldest job on board is, a fraction of a turn; None where jobs scan sets
        of blocks, in no order, or nobody is on board
    hands : the jobs on board, the oldest first
    waiting : jobs that have arrived and wait for their window to end
    """

    dataset: int
    position: float | None
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
        """Return which jobs share their scan, as `core.shared_scans.fluid` has it, (jobs,)."""
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
        position = (hands[0].boarded + hands[0].scanned) % 1.0 if hands else None
        return DatasetClock(dataset, position, hands, tuple(waiting.tolist()))

    def _hand(self, job: int, time: float) -> ClockHand:
        boarded = self._turns(job, float(self._schedule.boarded[job]))
        scanned = min(max(self._turns(job, time) - boarded, 0.0), 1.0)
        return ClockHand(job, boarded % 1.0, scanned, (Arc(boarded % 1.0, 1.0, scanned),))


class BlockSetClocks:
    """The circles of a schedule over sets of blocks at any time."""

    def __init__(
        self, schedule: BlockSetSchedule, blocks: Sequence[Ranges], size: NDArray[np.float64]
    ) -> None:
        """Take the ranges of each job and the whole length of its dataset in slot-seconds, (jobs,)."""
        self._schedule, self._blocks, self._size = schedule, blocks, size
        cuts: dict[int, set[float]] = {}
        for group, ranges in zip(schedule.group.tolist(), blocks, strict=True):
            cuts.setdefault(group, set()).update(cut for pair in ranges for cut in pair)
        self._cuts = {group: sorted(places) for group, places in cuts.items()}

    def at(self, time: float) -> tuple[DatasetClock, ...]:
        """Return the circle of every dataset that has jobs, at a time in seconds."""
        return tuple(self._clock(int(d), time) for d in np.unique(self._schedule.jobs.dataset))

    def _clock(self, dataset: int, time: float) -> DatasetClock:
        schedule = self._schedule
        jobs = np.flatnonzero(schedule.jobs.dataset == dataset)
        on_board = jobs[(schedule.boarded[jobs] <= time) & (schedule.finish[jobs] > time)]
        waiting = jobs[(schedule.jobs.arrival[jobs] <= time) & (schedule.boarded[jobs] > time)]
        hands = tuple(self._hand(job, time) for job in on_board.tolist())
        return DatasetClock(dataset, None, hands, tuple(waiting.tolist()))

    def _hand(self, job: int, time: float) -> ClockHand:
        """Return a job's blocks as stretches that no other job of its group divides."""
        group = int(self._schedule.group[job])
        done: dict[float, float] = {}
        for piece in self._schedule.pieces:
            if job in piece.sharing_jobs and piece.start < time:
                part = min((time - piece.start) / (piece.end - piece.start), 1.0)
                for begin, length in piece.scanned:
                    done[begin] = done.get(begin, 0.0) + part * length
        size = float(self._size[job])
        arcs = tuple(
            Arc(begin / size, (end - begin) / size, min(done.get(begin, 0.0) / (end - begin), 1.0))
            for first, last in self._blocks[job]
            for begin, end in itertools.pairwise(c for c in self._cuts[group] if first <= c <= last)
        )
        scanned = sum(done.values()) / float(self._schedule.jobs.work[job])
        return ClockHand(job, arcs[0].begin, min(scanned, 1.0), arcs)
