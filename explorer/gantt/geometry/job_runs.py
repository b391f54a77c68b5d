"""Where each job has most room for its name: the longest runs of a job in a few rows; pure, without Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from explorer.gantt.geometry.hit_test import tasks_between

if TYPE_CHECKING:
    from explorer.gantt.geometry.row_layout import Pool, RowLayout
    from explorer.gantt.geometry.time_scale import TimeScale
    from explorer.gantt.raster.raster_kernel import RowColumns

PROBES = (0.5, 0.38, 0.62, 0.26, 0.74, 0.14, 0.86)
"""Rows that are looked at, as parts of the visible pool; names in the middle one line up."""

MIDDLE_BONUS = 1.8
JOINED = 2.0
"""Tasks of one job at most this many pixels apart are one run."""


class Run(NamedTuple):
    """A stretch of one job in one row, in pixels of the plot."""

    job: int
    left: float
    right: float
    slot: int

    @property
    def width(self) -> float:
        """Pixels."""
        return self.right - self.left


def longest_runs(
    rows: RowColumns, layout: RowLayout, scale: TimeScale, index: int, probes: int = len(PROBES)
) -> list[Run]:
    """Return the longest visible run of each job in a pool, longest first, looking at so many rows."""
    best: dict[int, tuple[float, Run]] = {}
    for probe, slot in enumerate(probed_slots(layout, index)[:probes]):
        bonus = MIDDLE_BONUS if probe == 0 else 1.0
        for run in runs_of(rows, slot, scale):
            if run.width * bonus > best.get(run.job, (0.0, run))[0]:
                best[run.job] = (run.width * bonus, run)
    return sorted((run for _, run in best.values()), key=lambda run: -run.width)


def probed_slots(layout: RowLayout, index: int) -> list[int]:
    """Return the slots of a pool in which names are placed, the middle of what is visible first."""
    top, bottom = layout.pool_span(index)
    pool: Pool = layout.pools[index]
    found = [layout.slots_at(top + part * (bottom - top)) for part in PROBES if bottom > top]
    slots = [slots[0] for slots in found if slots]
    return list(dict.fromkeys(slot for slot in slots if 0 <= slot - pool.first_slot < pool.slots))


def runs_of(rows: RowColumns, slot: int, scale: TimeScale) -> list[Run]:
    """Return the runs of one row that are in view."""
    first, last = tasks_between(rows, slot, scale.start, scale.start + scale.span)
    if last <= first:
        return []
    job = rows.code[first:last] >> 1
    left = np.clip(scale.x(rows.start[first:last]), 0, scale.width)
    right = np.clip(scale.x(rows.end[first:last]), 0, scale.width)
    breaks = np.flatnonzero((job[1:] != job[:-1]) | (left[1:] - right[:-1] > JOINED)) + 1
    begins, ends = np.r_[0, breaks], np.r_[breaks, len(job)] - 1
    return [
        Run(int(job[a]), float(left[a]), float(right[b]), slot) for a, b in zip(begins, ends, strict=True)
    ]
