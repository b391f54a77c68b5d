"""How many slots of a lane are held at any time, for a strip above thin rows; without Qt."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MIN_HELD = 1e-6
"""Fewer slots than that on average are none: sums of many times differ in their last bits."""


@dataclass(frozen=True, eq=False)
class HeldSlots:
    """Stretches of time in each of which one slot is held.

    Attributes
    ----------
    begins, ends : seconds, each sorted on its own, (stretches,)
    """

    begins: NDArray[np.float64]
    ends: NDArray[np.float64]

    @classmethod
    def of(cls, begins: NDArray[np.float64], ends: NDArray[np.float64]) -> HeldSlots:
        """Return what stretches hold; those without a begin, or that take no time, hold nothing."""
        real = ends > begins
        return cls(np.sort(begins[real]), np.sort(ends[real]))

    @cached_property
    def _sums(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        begin, end = (np.concatenate([[0.0], np.cumsum(each)]) for each in (self.begins, self.ends))
        return begin, end

    def until(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the slot seconds that are held until each of some times.

        One slot held from 2 to 5 s and another from 4 to 6 s: until 5 s that is 4 slot seconds.
        """
        begun, ended = (np.searchsorted(each, times, side="right") for each in (self.begins, self.ends))
        begin_sums, end_sums = self._sums
        return (begun * times - begin_sums[begun]) - (ended * times - end_sums[ended])

    def average(self, edges: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how many slots are held on average between each two neighbouring times, (edges - 1,)."""
        lasts = np.diff(edges)
        held = np.diff(self.until(edges))
        found: NDArray[np.float64] = np.where(lasts > 0, held / np.where(lasts > 0, lasts, 1.0), 0.0)
        return np.where(found < MIN_HELD, 0.0, found)


def most_held(parts: list[HeldSlots]) -> int:
    """Return how many slots are held at once at most; one is free from the end of its stretch on."""
    begins = np.sort(np.concatenate([part.begins for part in parts])) if parts else np.zeros(0)
    ends = np.sort(np.concatenate([part.ends for part in parts])) if parts else np.zeros(0)
    at_once = np.arange(1, len(begins) + 1) - np.searchsorted(ends, begins, side="right")
    return int(at_once.max(initial=0))


def stacked(averages: NDArray[np.float64], slots: int, lines: int) -> NDArray[np.int64]:
    """Return which part fills each pixel of a strip, -1 for none, (lines, columns); the first lies lowest.

    Parameters
    ----------
    averages : slots that each part holds in each column, (parts, columns)
    slots : how many fill the whole height
    lines : pixels that the strip is high

    Something that runs fills one line at least.
    """
    filled = np.cumsum(averages, axis=0) * (lines / max(slots, 1))
    total = filled[-1]
    grown = np.where((total > 0) & (total < 1.0), 1.0 / np.where(total > 0, total, 1.0), 1.0)
    levels = (lines - 0.5 - np.arange(lines))[:, np.newaxis]
    found = np.full((lines, averages.shape[1]), -1, np.int64)
    for part in reversed(range(len(averages))):
        found[levels < filled[part] * grown] = part
    return found
