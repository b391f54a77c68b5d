"""A dataset over time: where each job boarded, what it still needs, how many share (003 Figures 1 to 3)."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.shared_scans.block_sets import BlockSetSchedule, Ranges
    from core.shared_scans.fluid import FluidSchedule

ROUNDING = 1e-9
"""A stretch that is scanned but for so much of it is scanned."""


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

    @property
    def stretches_left(self) -> set[float]:
        """Where the arcs begin that are not scanned yet."""
        return {arc.begin for arc in self.arcs if arc.scanned < 1 - ROUNDING}


@dataclass(frozen=True, slots=True)
class DatasetClock:
    """A dataset at an instant.

    Attributes
    ----------
    dataset : its number
    position : where the scan of the oldest scanning job is, a fraction of a turn; None where jobs scan sets
        of blocks, in no order, or no job scans it
    hands : the jobs that scan it, the oldest first
    waiting : jobs that have arrived and wait for their window to end
    sharing : how many of the hands have a block to scan that another one gets with it
    """

    dataset: int
    position: float | None
    hands: tuple[ClockHand, ...]
    waiting: tuple[int, ...]
    sharing: int


class _Clocks:
    """The circles of a schedule at any time."""

    def __init__(self, schedule: FluidSchedule | BlockSetSchedule, *, in_order: bool) -> None:
        """Take a schedule, and whether jobs scan their datasets in order."""
        self._jobs, self._boarded, self._finish = schedule.jobs, schedule.boarded, schedule.finish
        self._group, self._in_order = schedule.group, in_order

    def at(self, time: float) -> tuple[DatasetClock, ...]:
        """Return the circle of every dataset that has jobs, at a time in seconds."""
        return tuple(self._clock(int(d), time) for d in np.unique(self._jobs.dataset))

    def _clock(self, dataset: int, time: float) -> DatasetClock:
        jobs = np.flatnonzero(self._jobs.dataset == dataset)
        boarded = self._boarded[jobs] <= time
        scanning = jobs[boarded & (self._finish[jobs] > time)]
        waiting = jobs[~boarded & (self._jobs.arrival[jobs] <= time)]
        hands = tuple(self._hand(job, time) for job in scanning.tolist())
        is_somewhere = self._in_order and hands
        position = (hands[0].boarded + hands[0].scanned) % 1.0 if is_somewhere else None
        sharing = sum(any(self._share(hand, other) for other in hands) for hand in hands)
        return DatasetClock(dataset, position, hands, tuple(waiting.tolist()), sharing)

    def _share(self, hand: ClockHand, other: ClockHand) -> bool:
        """Return whether two jobs are served together: of one group, with a stretch that both still need."""
        if hand.job == other.job or self._group[hand.job] != self._group[other.job]:
            return False
        return self._in_order or bool(hand.stretches_left & other.stretches_left)

    def _hand(self, job: int, time: float) -> ClockHand:
        raise NotImplementedError


class ScanClocks(_Clocks):
    """The circles of a fluid schedule at any time; a look-up is quick."""

    def __init__(self, schedule: FluidSchedule) -> None:
        super().__init__(schedule, in_order=True)
        self._schedule = schedule
        pieces, jobs = schedule.pieces, schedule.jobs
        fraction = jobs.scan_fraction[pieces.job]
        self._rate = pieces.slots / (fraction + (1 - fraction) * pieces.concurrency) / jobs.work[pieces.job]

    def _turns(self, job: int, time: float) -> float:
        """Return how many turns the scan of a job's group has made by a time."""
        pieces = self._schedule.pieces
        group = self._schedule.group
        mine = group[pieces.job] == group[job]
        until = np.clip(time, pieces.start[mine], pieces.end[mine])
        return float(np.sum((until - pieces.start[mine]) * self._rate[mine]))

    @override
    def _hand(self, job: int, time: float) -> ClockHand:
        boarded = self._turns(job, float(self._schedule.boarded[job]))
        scanned = min(max(self._turns(job, time) - boarded, 0.0), 1.0)
        return ClockHand(job, boarded % 1.0, scanned, (Arc(boarded % 1.0, 1.0, scanned),))


class BlockSetClocks(_Clocks):
    """The circles of a schedule over sets of blocks at any time."""

    def __init__(
        self, schedule: BlockSetSchedule, blocks: Sequence[Ranges], size: NDArray[np.float64]
    ) -> None:
        """Take the ranges of each job and the whole length of its dataset in slot-seconds, (jobs,)."""
        super().__init__(schedule, in_order=False)
        self._schedule, self._blocks, self._size = schedule, blocks, size
        cuts: dict[int, set[float]] = {}
        for group, ranges in zip(schedule.group.tolist(), blocks, strict=True):
            cuts.setdefault(group, set()).update(cut for pair in ranges for cut in pair)
        self._cuts = {group: sorted(places) for group, places in cuts.items()}

    @override
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


@dataclass(frozen=True, eq=False)
class DatasetTimeline:
    """One dataset; the jobs by arrival.

    Attributes
    ----------
    dataset : its number
    jobs : numbers of the jobs that scan it, (k,)
    arrival, boarded, finish : of each, seconds, (k,); between arrival and boarding a job waits for its window
    times : when the number of sharing jobs changes, ascending, (steps,)
    sharing : sharing jobs from ``times[i]`` to ``times[i + 1]``, (steps,)
    """

    dataset: int
    jobs: NDArray[np.int64]
    arrival: NDArray[np.float64]
    boarded: NDArray[np.float64]
    finish: NDArray[np.float64]
    times: NDArray[np.float64]
    sharing: NDArray[np.int64]

    @property
    def waited(self) -> float:
        """Seconds that all its jobs together waited for their windows to end."""
        return float(np.sum(self.boarded - self.arrival))


def scan_timelines(
    dataset: NDArray[np.int32],
    arrival: NDArray[np.float64],
    boarded: NDArray[np.float64],
    finish: NDArray[np.float64],
) -> tuple[DatasetTimeline, ...]:
    """Return one timeline per dataset that has jobs, by number; all arrays are (jobs,), times in seconds."""
    return tuple(
        _timeline(int(d), np.flatnonzero(dataset == d), arrival, boarded, finish) for d in np.unique(dataset)
    )


def _timeline(
    dataset: int,
    members: NDArray[np.int64],
    arrival: NDArray[np.float64],
    boarded: NDArray[np.float64],
    finish: NDArray[np.float64],
) -> DatasetTimeline:
    jobs = members[np.argsort(arrival[members], kind="stable")]
    times = np.unique(np.concatenate([boarded[jobs], finish[jobs]]))
    sharing = np.searchsorted(np.sort(boarded[jobs]), times, "right")
    sharing = sharing - np.searchsorted(np.sort(finish[jobs]), times, "right")
    return DatasetTimeline(dataset, jobs, arrival[jobs], boarded[jobs], finish[jobs], times, sharing)
