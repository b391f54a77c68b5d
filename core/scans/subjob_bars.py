"""Subjobs as bars over time: height is slots, piled up without overlap (003 Figure 8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from core.scans.fluid import FluidSchedule


@dataclass(frozen=True, slots=True)
class SubjobBar:
    """A subjob while its slots, and those below it, stay the same.

    Attributes
    ----------
    dataset : its number among the jobs' datasets
    place : k of the subjob (dataset, k) at the last plan
    riders : the jobs it serves, the oldest first, by their place in `ScanJobs`
    start, end : seconds
    bottom, slots : from how many slots upwards, and how many
    continues : whether the bar before it is of the same subjob, so that there is no seam
    """

    dataset: int
    place: int
    riders: tuple[int, ...]
    start: float
    end: float
    bottom: float
    slots: float
    continues: bool

    @property
    def concurrency(self) -> int:
        """How many jobs it serves at once."""
        return len(self.riders)


def subjob_bars(schedule: FluidSchedule) -> tuple[SubjobBar, ...]:
    """Pile up the subjobs of a schedule at every time, dataset by dataset, the older job below.

    Returns them by start, then from bottom to top; between two arrivals or completions nothing changes.
    """
    pieces, jobs = schedule.pieces, schedule.jobs
    cuts = np.unique(np.concatenate([pieces.start, pieces.end]))
    first, last = np.searchsorted(cuts, pieces.start), np.searchsorted(cuts, pieces.end)
    columns: list[list[int]] = [[] for _ in cuts]
    for piece, (a, b) in enumerate(zip(first.tolist(), last.tolist(), strict=True)):
        for column in range(a, b):
            columns[column].append(piece)
    bars: list[SubjobBar] = []
    before: set[tuple[int, int]] = set()
    for column, members in enumerate(columns):
        members.sort(key=lambda piece: (jobs.dataset[pieces.job[piece]], pieces.job[piece]))
        bottom = 0.0
        here = {(int(pieces.job[piece]), int(pieces.concurrency[piece])) for piece in members}
        for piece in members:
            job, slots = int(pieces.job[piece]), float(pieces.slots[piece])
            key = (job, int(pieces.concurrency[piece]))
            bars.append(
                SubjobBar(
                    dataset=int(jobs.dataset[job]),
                    place=int(pieces.place[piece]),
                    riders=_riders(schedule, piece),
                    start=float(cuts[column]),
                    end=float(cuts[column + 1]),
                    bottom=bottom,
                    slots=slots,
                    continues=key in before,
                )
            )
            bottom += slots
        before = here
    return tuple(bars)


def _riders(schedule: FluidSchedule, piece: int) -> tuple[int, ...]:
    """Return the jobs that a piece serves: those that share with its job, have boarded and are not done."""
    pieces, jobs = schedule.pieces, schedule.jobs
    job, start = int(pieces.job[piece]), float(pieces.start[piece])
    if schedule.policy == "flex":
        return (job,)
    others = np.arange(len(jobs.arrival))
    shares = (jobs.dataset == jobs.dataset[job]) & (others >= job)
    if schedule.policy == "circumflex":
        shares &= schedule.boarded <= start
    else:
        shares &= schedule.boarded == schedule.boarded[job]
    return tuple(np.flatnonzero(shares).tolist())
