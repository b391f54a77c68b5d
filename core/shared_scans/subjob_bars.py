"""Subjobs as bars over time, piled up without overlap (003 Figure 8), and how much scanning sharing saved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.shared_scans.scan_jobs import shared_work

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from core.model.job import Dataset
    from core.shared_scans.block_sets import BlockSetSchedule
    from core.shared_scans.fluid import FluidSchedule


@dataclass(frozen=True, slots=True)
class SubjobBar:
    """A subjob while its slots, and those below it, stay the same.

    Attributes
    ----------
    dataset : its number among the jobs' datasets
    place : k of the subjob (dataset, k) at the last plan
    sharing_jobs : the jobs it serves, the oldest first, by their place in `ScanJobs`
    start, end : seconds
    bottom, slots : from how many slots upwards, and how many
    continues : whether the bar before it is of the same subjob, so that there is no seam
    """

    dataset: int
    place: int
    sharing_jobs: tuple[int, ...]
    start: float
    end: float
    bottom: float
    slots: float
    continues: bool

    @property
    def concurrency(self) -> int:
        """How many jobs it serves at once."""
        return len(self.sharing_jobs)


class SubjobPiece(NamedTuple):
    """A stretch of time in which a subjob held the same number of slots; fields as of `SubjobBar`."""

    dataset: int
    place: int
    sharing_jobs: tuple[int, ...]
    start: float
    end: float
    slots: float


def subjob_bars(schedule: FluidSchedule) -> tuple[SubjobBar, ...]:
    """Pile up the subjobs of a schedule at every time, dataset by dataset, the older job below."""
    pieces, jobs = schedule.pieces, schedule.jobs
    columns = (getattr(pieces, name).tolist() for name in ("job", "place", "start", "end", "slots"))
    return pile_up(
        SubjobPiece(int(jobs.dataset[job]), place, _sharing_jobs(schedule, piece), start, end, slots)
        for piece, (job, place, start, end, slots) in enumerate(zip(*columns, strict=True))
    )


def cell_bars(schedule: BlockSetSchedule) -> tuple[SubjobBar, ...]:
    """Pile up the cells of a schedule over sets of blocks in the same way."""
    dataset = schedule.jobs.dataset
    return pile_up(
        SubjobPiece(int(dataset[piece.sharing_jobs[0]]), piece.place, piece.sharing_jobs, *piece.when)
        for piece in schedule.pieces
    )


def pile_up(pieces: Iterable[SubjobPiece]) -> tuple[SubjobBar, ...]:
    """Put pieces upon each other, by dataset and sharing jobs.

    Returns them by start, then from bottom to top; between two starts or ends nothing changes.
    """
    known = sorted(pieces, key=lambda piece: (piece.dataset, piece.sharing_jobs))
    cuts = np.unique([time for piece in known for time in (piece.start, piece.end)])
    columns: list[list[SubjobPiece]] = [[] for _ in cuts]
    for piece in known:
        first, last = np.searchsorted(cuts, (piece.start, piece.end)).tolist()
        for column in range(first, last):
            columns[column].append(piece)
    bars: list[SubjobBar] = []
    before: set[tuple[int, tuple[int, ...]]] = set()
    for column, members in enumerate(columns[:-1]):
        bottom = 0.0
        for piece in members:
            bars.append(
                SubjobBar(
                    dataset=piece.dataset,
                    place=piece.place,
                    sharing_jobs=piece.sharing_jobs,
                    start=float(cuts[column]),
                    end=float(cuts[column + 1]),
                    bottom=bottom,
                    slots=piece.slots,
                    continues=(piece.dataset, piece.sharing_jobs) in before,
                )
            )
            bottom += piece.slots
        before = {(piece.dataset, piece.sharing_jobs) for piece in members}
    return tuple(bars)


def _sharing_jobs(schedule: FluidSchedule, piece: int) -> tuple[int, ...]:
    """Return the jobs that a piece serves: those that share with its job, have boarded and are not done."""
    pieces = schedule.pieces
    job, start = int(pieces.job[piece]), float(pieces.start[piece])
    shares = (schedule.group == schedule.group[job]) & (schedule.boarded <= start)
    shares[:job] = False
    return tuple(np.flatnonzero(shares).tolist())


class SavedScans:
    """Counts slot-seconds that the sharing jobs of subjobs did not have to scan for themselves."""

    def __init__(self, bars: Sequence[SubjobBar], scan_fraction: NDArray[np.float64]) -> None:
        """Take the subjobs of a schedule and each job's scan fraction, (jobs,)."""
        self._start = np.array([bar.start for bar in bars])
        self._end = np.array([bar.end for bar in bars])
        self._rate = np.array(
            [_saved_per_second(bar, float(scan_fraction[bar.sharing_jobs[0]])) for bar in bars]
        )
        self._dataset = np.array([bar.dataset for bar in bars], np.int64)

    def until(self, time: float, dataset: int | None = None) -> float:
        """Return the slot-seconds saved up to a time in seconds, of one dataset or of all."""
        saved = (np.clip(time, self._start, self._end) - self._start) * self._rate
        return float(np.sum(saved if dataset is None else saved[self._dataset == dataset]))

    def curve(self, dataset: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return what is saved of a dataset over time: seconds, and slot-seconds saved by then, (n,) each.

        Between the times it grows evenly.
        """
        own = self._dataset == dataset
        start, end, rate = self._start[own], self._end[own], self._rate[own]
        times = np.unique(np.concatenate([np.zeros(1), start, end]))
        saved = np.clip(times[:, None], start, end) - start
        return times, saved @ rate


class SavedReads(NamedTuple):
    """What sharing did not read again: so many blocks, and their bytes, None where a size is not known."""

    blocks: float
    bytes: float | None


def reads_saved(saved: SavedScans, datasets: Sequence[Dataset], time: float) -> SavedReads:
    """Return the blocks and bytes that sharing saved up to a time in seconds.

    A block that three jobs share is two reads saved, whatever part of its time they share. Jobs that scan no
    listed dataset share nothing; the bytes are None where a dataset of which something was saved has no size.
    """
    blocks, size, is_known = 0.0, 0.0, True
    for number, dataset in enumerate(datasets):
        shared_seconds = dataset.scan_fraction * dataset.block_seconds
        count = max(saved.until(time, number), 0.0) / shared_seconds if shared_seconds > 0 else 0.0
        blocks += count
        size += count * (dataset.block_bytes or 0.0)
        is_known &= count == 0 or dataset.block_bytes is not None
    return SavedReads(blocks, size if is_known and blocks > 0 else None)


def _saved_per_second(bar: SubjobBar, scan_fraction: float) -> float:
    length = bar.slots / shared_work(1.0, scan_fraction, bar.concurrency)
    return length * bar.concurrency - bar.slots
