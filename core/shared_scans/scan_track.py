"""How far the scan of a stretch of blocks is at any time, and for how many jobs it went on."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from core.shared_scans.scan_jobs import shared_work

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from core.shared_scans.block_sets import BlockSetSchedule, Ranges
    from core.shared_scans.fluid import FluidSchedule


@dataclass(frozen=True, slots=True)
class ScannedArc:
    """A stretch of the circle: where it begins and how long it is, in turns, and a count.

    `times` counts jobs that a scan served at once, or scans that read the same blocks.
    """

    begin: float
    length: float
    times: int


@dataclass(frozen=True, eq=False)
class ScanTrack:
    """A stretch of blocks that one group of jobs scans, around and around, each block once per round.

    Attributes
    ----------
    begin, length : where it is on the circle, turns; a whole turn for jobs that scan whole datasets
    start, end : when it was scanned, piece by piece, seconds, (pieces,)
    done : turns that each piece scanned, (pieces,)
    sharing : jobs that each piece served, (pieces,)
    slots : of each piece, (pieces,)
    place : k of the subjob at the plan, (pieces,)
    """

    begin: float
    length: float
    start: NDArray[np.float64]
    end: NDArray[np.float64]
    done: NDArray[np.float64]
    sharing: NDArray[np.int64]
    slots: NDArray[np.float64]
    place: NDArray[np.int64]

    @cached_property
    def _knots(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Times at which the pace changes, and turns done by then."""
        until = np.cumsum(self.done)
        times = np.stack([self.start, self.end], axis=1).ravel()
        return times, np.stack([until - self.done, until], axis=1).ravel()

    def turns(self, time: float) -> float:
        """Return how much has been scanned by a time in seconds, in turns; more than its length in all."""
        return float(np.interp(time, *self._knots)) if len(self.start) else 0.0

    def scanned(self, boarded: float, time: float) -> float:
        """Return how much of it a job has scanned that boarded at a time, both in seconds."""
        return min(max(self.turns(time) - self.turns(boarded), 0.0), self.length)

    def start_of(self, boarded: float) -> float:
        """Return where the scan was when a job boarded, in turns."""
        return self._where(self.turns(boarded))

    def slots_at(self, time: float) -> float:
        """Return the slots that scan it at a time."""
        now = (self.start <= time) & (time < self.end)
        return float(self.slots[now].sum())

    def place_at(self, time: float) -> int:
        """Return k of the subjob that is scanned at a time or, while it stands still, next; 1 after all."""
        later = np.flatnonzero(self.end > time)
        return int(self.place[later[0]]) if len(later) else 1

    def stretches(self, boarded: float, time: float) -> tuple[ScannedArc, ...]:
        """Return what a job has scanned of it since it boarded, in order, and for how many jobs at once."""
        first = self.turns(boarded)
        last = first + self.scanned(boarded, time)
        ends = np.cumsum(self.done)
        runs: list[tuple[float, float, int]] = []
        for low, high, sharing in zip(ends - self.done, ends, self.sharing.tolist(), strict=True):
            begin, end = max(float(low), first), min(float(high), last)
            if end <= begin:
                continue
            if runs and runs[-1][2] == sharing:
                begin = runs.pop()[0]
            runs.append((begin, end, sharing))
        return tuple(
            ScannedArc(where, length, sharing)
            for begin, end, sharing in runs
            for where, length in self.wrapped(begin, end)
        )

    def wrapped(self, begin: float, end: float) -> list[tuple[float, float]]:
        """Return where the scan from some turns to others lies: begin and length, in turns of the circle.

        A stretch that is part of the circle is scanned from its begin again: that makes two.
        """
        where, length = self._where(begin), end - begin
        room = self.begin + self.length - where
        if self.length >= 1.0 or length <= room:
            return [(where, length)]
        return [(where, room), (self.begin, length - room)]

    def _where(self, turns: float) -> float:
        return self.begin + turns % self.length


Row = tuple[float, float, float, int, float, int]
"""Start, end, turns, jobs, slots and place of a piece."""


def _track(begin: float, length: float, rows: Iterable[Row]) -> ScanTrack:
    columns = list(zip(*sorted(rows), strict=True)) or [()] * 6
    start, end, done, sharing, slots, place = columns
    return ScanTrack(
        begin,
        length,
        np.array(start, np.float64),
        np.array(end, np.float64),
        np.array(done, np.float64),
        np.array(sharing, np.int64),
        np.array(slots, np.float64),
        np.array(place, np.int64),
    )


def chain_tracks(schedule: FluidSchedule) -> dict[int, tuple[ScanTrack, ...]]:
    """Return the track of each group of jobs that scan whole datasets, by the group's number."""
    pieces, jobs = schedule.pieces, schedule.jobs
    rows: dict[int, list[Row]] = {group: [] for group in np.unique(schedule.group).tolist()}
    names = ("job", "start", "end", "concurrency", "slots", "place")
    for job, start, end, sharing, slots, place in zip(
        *(getattr(pieces, name).tolist() for name in names), strict=True
    ):
        turn = shared_work(float(jobs.work[job]), float(jobs.scan_fraction[job]), sharing)
        done = slots * (end - start) / turn
        rows[int(schedule.group[job])].append((start, end, done, sharing, slots, place))
    return {group: (_track(0.0, 1.0, own),) for group, own in rows.items()}


def atom_tracks(
    schedule: BlockSetSchedule, blocks: Sequence[Ranges], size: NDArray[np.float64]
) -> dict[int, tuple[ScanTrack, ...]]:
    """Return the tracks of each group, by its number: one per stretch that no job of the group divides.

    Parameters
    ----------
    schedule : of jobs that scan sets of blocks
    blocks : the ranges of each job, slot-seconds
    size : the whole length of each job's dataset, slot-seconds, (jobs,)
    """
    cuts: dict[int, set[float]] = {}
    whole: dict[int, float] = {}
    for job, group in enumerate(schedule.group.tolist()):
        cuts.setdefault(group, set()).update(cut for pair in blocks[job] for cut in pair)
        whole[group] = float(size[job])
    rows: dict[tuple[int, float], list[Row]] = {}
    for piece in schedule.pieces:
        group = int(schedule.group[piece.sharing_jobs[0]])
        every = sum(length for _, length in piece.scanned)
        for begin, length in piece.scanned:
            done, part = length / whole[group], piece.slots * length / every
            row = (piece.start, piece.end, done, len(piece.sharing_jobs), part, piece.place)
            rows.setdefault((group, begin), []).append(row)
    return {
        group: tuple(
            _track(begin / whole[group], (end - begin) / whole[group], rows.get((group, begin), ()))
            for begin, end in itertools.pairwise(sorted(places))
        )
        for group, places in cuts.items()
    }
