"""A dataset at an instant: where each job boarded, what it has scanned, what is left (003 Figures 2 to 4)."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from typing_extensions import override

from core.shared_scans.scan_track import ScannedArc, ScanTrack, atom_tracks, chain_tracks
from core.shared_scans.subjobs_left import Need, SubjobLeft, subjobs_left

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
    stretches : what it has scanned, in the order of scanning, and for how many jobs at once each was scanned
    group : jobs of one group share their scans
    slots : how many serve it now
    """

    job: int
    boarded: float
    scanned: float
    arcs: tuple[Arc, ...]
    stretches: tuple[ScannedArc, ...] = ()
    group: int = 0
    slots: float = 0.0

    @property
    def left(self) -> float:
        """How much of it is left, 0 to 1."""
        return 1.0 - self.scanned

    @property
    def stretches_left(self) -> set[float]:
        """Where the arcs begin that are not scanned yet."""
        return {arc.begin for arc in self.arcs if arc.scanned < 1 - ROUNDING}


@dataclass(frozen=True, slots=True)
class RunningScan:
    """A scan that some jobs share, or one alone: a hand of the clock.

    Attributes
    ----------
    jobs : whom it serves, the oldest first
    position : where it is, a fraction of a turn
    slots : how many it holds now; 0 while it stands still
    """

    jobs: tuple[int, ...]
    position: float
    slots: float


@dataclass(frozen=True, slots=True)
class DatasetClock:
    """A dataset at an instant.

    Attributes
    ----------
    dataset : its number
    scans : the scans that have begun, that of the oldest job first; none where jobs scan sets of blocks, in
        no order
    hands : the jobs that have boarded and are not done, the oldest first
    waiting : jobs that have arrived and wait for their window to end
    sharing : how many of the hands are served and have a block to scan that another one gets with it
    alone : how many of the hands are served alone
    paused : how many have begun and hold no slots now
    queued : how many have boarded, have nothing yet and get no slots now
    left : the subjobs that are still to be scanned, also those of jobs that wait
    """

    dataset: int
    scans: tuple[RunningScan, ...]
    hands: tuple[ClockHand, ...]
    waiting: tuple[int, ...]
    sharing: int
    alone: int
    paused: int
    queued: int
    left: tuple[SubjobLeft, ...]

    @property
    def seconds_left(self) -> float:
        """Slot-seconds of scanning that its jobs still need, shared as they share."""
        return sum(subjob.seconds for subjob in self.left)

    @property
    def turns_left(self) -> float:
        """The same in turns of the dataset."""
        return sum(subjob.turns for subjob in self.left)

    def reads(self) -> tuple[ScannedArc, ...]:
        """Return which blocks have been read for the hands, and by how many scans each, around the circle."""
        cuts = {0.0, 1.0}
        spans: dict[int, list[tuple[float, float]]] = {}
        for hand in self.hands:
            for stretch in hand.stretches:
                for begin, end in _unrolled(stretch):
                    cuts |= {begin, end}
                    spans.setdefault(hand.group, []).append((begin, end))
        found: list[ScannedArc] = []
        places = sorted(cuts)
        for begin, end in itertools.pairwise(places):
            middle = (begin + end) / 2
            times = sum(any(a <= middle < b for a, b in own) for own in spans.values())
            if times and found and found[-1].times == times and found[-1].begin + found[-1].length == begin:
                found[-1] = ScannedArc(found[-1].begin, end - found[-1].begin, times)
            elif times:
                found.append(ScannedArc(begin, end - begin, times))
        return tuple(found)


def _unrolled(stretch: ScannedArc) -> list[tuple[float, float]]:
    """Return a stretch as ranges between 0 and 1 turn: two where it passes the top."""
    begin = stretch.begin % 1.0
    end = begin + min(stretch.length, 1.0)
    return [(begin, end)] if end <= 1.0 else [(begin, 1.0), (0.0, end - 1.0)]


class _Clocks:
    """The circles of a schedule at any time."""

    _in_order: bool

    def __init__(
        self,
        schedule: FluidSchedule | BlockSetSchedule,
        tracks: dict[int, tuple[ScanTrack, ...]],
        work: NDArray[np.float64],
    ) -> None:
        """Take a schedule, the tracks of each group, and a whole turn of each job's dataset, slot-seconds."""
        self._jobs, self._boarded, self._finish = schedule.jobs, schedule.boarded, schedule.finish
        self._group, self._tracks, self._work = schedule.group, tracks, work

    def at(self, time: float) -> tuple[DatasetClock, ...]:
        """Return the circle of every dataset that has jobs, at a time in seconds."""
        return tuple(self._clock(int(d), time) for d in np.unique(self._jobs.dataset))

    def _clock(self, dataset: int, time: float) -> DatasetClock:
        jobs = np.flatnonzero(self._jobs.dataset == dataset)
        boarded = self._boarded[jobs] <= time
        here = jobs[boarded & (self._finish[jobs] > time)]
        waiting = tuple(jobs[~boarded & (self._jobs.arrival[jobs] <= time)].tolist())
        hands = tuple(self._hand(job, time) for job in here.tolist())
        served = [hand for hand in hands if hand.slots > 0]
        sharing = sum(any(self._share(hand, other) for other in served) for hand in served)
        paused = sum(hand.slots <= 0 and hand.scanned > 0 for hand in hands)
        needs = [need for job in (*here.tolist(), *waiting) for need in self._needs(job, time)]
        return DatasetClock(
            dataset=dataset,
            scans=self._scans(hands, time) if self._in_order else (),
            hands=hands,
            waiting=waiting,
            sharing=sharing,
            alone=len(served) - sharing,
            paused=paused,
            queued=len(hands) - len(served) - paused,
            left=subjobs_left(
                needs, self._jobs, self._work, lambda group, served: self._place(group, served, time)
            ),
        )

    def _scans(self, hands: Sequence[ClockHand], time: float) -> tuple[RunningScan, ...]:
        """Return the scans of the hands that have begun, of jobs that scan in order."""
        members: dict[int, list[ClockHand]] = {}
        for hand in hands:
            members.setdefault(hand.group, []).append(hand)
        return tuple(
            RunningScan(tuple(h.job for h in own), self._tracks[group][0].turns(time) % 1.0, own[0].slots)
            for group, own in members.items()
            if any(hand.slots > 0 or hand.scanned > 0 for hand in own)
        )

    def _share(self, hand: ClockHand, other: ClockHand) -> bool:
        """Return whether two jobs are served together: of one group, with a stretch that both still need."""
        if hand.job == other.job or hand.group != other.group:
            return False
        return self._in_order or bool(hand.stretches_left & other.stretches_left)

    def _tracks_of(self, job: int) -> tuple[ScanTrack, ...]:
        """Return the tracks on which a job scans what it needs."""
        return self._tracks[int(self._group[job])]

    def _place(self, group: int, served: tuple[int, ...], time: float) -> int:
        """Return the number of a subjob at the last plan; 0 where there is none yet."""
        raise NotImplementedError

    def _needs(self, job: int, time: float) -> list[Need]:
        """Return what a job still needs of each of its tracks."""
        boarded, group = float(self._boarded[job]), int(self._group[job])
        needs = []
        for track in self._tracks_of(job):
            left = track.length - track.scanned(boarded, time)
            if left > ROUNDING * track.length:
                needs.append(Need(job, group, track, left, track.turns(time), boarded <= time))
        return needs

    def _hand(self, job: int, time: float) -> ClockHand:
        boarded, tracks = float(self._boarded[job]), self._tracks_of(job)
        arcs = tuple(
            Arc(
                track.start_of(boarded) if self._in_order else track.begin,
                track.length,
                track.scanned(boarded, time) / track.length,
            )
            for track in tracks
        )
        return ClockHand(
            job=job,
            boarded=arcs[0].begin,
            scanned=min(sum(a.scanned * a.length for a in arcs) / sum(a.length for a in arcs), 1.0),
            arcs=arcs,
            stretches=tuple(s for track in tracks for s in track.stretches(boarded, time)),
            group=int(self._group[job]),
            slots=sum(
                track.slots_at(time)
                for track, arc in zip(tracks, arcs, strict=True)
                if arc.scanned < 1 - ROUNDING
            ),
        )


class ScanClocks(_Clocks):
    """The circles of a fluid schedule at any time; a look-up is quick."""

    _in_order = True

    def __init__(self, schedule: FluidSchedule) -> None:
        super().__init__(schedule, chain_tracks(schedule), schedule.jobs.work)

    @override
    def _place(self, group: int, served: tuple[int, ...], time: float) -> int:
        """Return k of the subjob (d, k): each job that boarded earlier has one before it, if of no length."""
        members = (self._group == group) & (self._boarded <= time) & (self._finish > time)
        return self._tracks[group][0].place_at(time) + int(members[: served[0]].sum())


class BlockSetClocks(_Clocks):
    """The circles of a schedule over sets of blocks at any time."""

    _in_order = False

    def __init__(
        self, schedule: BlockSetSchedule, blocks: Sequence[Ranges], size: NDArray[np.float64]
    ) -> None:
        """Take the ranges of each job and the whole length of its dataset in slot-seconds, (jobs,)."""
        super().__init__(schedule, atom_tracks(schedule, blocks, size), size)
        self._schedule, self._blocks, self._size = schedule, blocks, size

    @override
    def _tracks_of(self, job: int) -> tuple[ScanTrack, ...]:
        size = float(self._size[job])
        return tuple(
            track
            for track in super()._tracks_of(job)
            if any(a / size <= track.begin + ROUNDING < b / size for a, b in self._blocks[job])
        )

    @override
    def _place(self, group: int, served: tuple[int, ...], time: float) -> int:
        """Return the place that the last plan gave the cell of some jobs among those of its group."""
        plans = [places for start, places in self._schedule.plans if start <= time]
        return plans[-1].get((group, served), 0) if plans else 0
