"""Where the bands of stages above the rows lie, and their boxes; without Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

import numpy as np

from explorer.gantt.geometry.row_layout import MIN_THUMB

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.charts.stage_boxes import StageBands

BOX, TALL_BOX, TALL_CHART = 14, 20, 800
"""Pixels of a box at least, and in charts that are so high."""
ROW_GAP, BAND_PAD, BAND_GAP = 3, 4, 5
MAX_SHARE = 0.45
"""Part of a chart's height that bands may take; beyond that they are scrolled."""


@dataclass(frozen=True)
class BandLayout:
    """Where bands and boxes lie, in pixels from the top of their area.

    Attributes
    ----------
    bands : what lies there
    height : of the area; 0 where bands are folded away
    box : height of a box
    scroll : pixels that are above the area
    """

    bands: StageBands
    height: int
    box: int = BOX
    scroll: int = 0

    @classmethod
    def of(cls, bands: StageBands, chart_height: int, spare: int, line: int, scroll: float = 0) -> BandLayout:
        """Lay bands out in a chart, as high as they need to be or may be.

        Parameters
        ----------
        bands : what to lay out
        chart_height : pixels of the whole chart
        spare : pixels of it that rows do not need
        line : pixels that a label is high
        scroll : pixels to be above the area
        """
        most, low = max(int(chart_height * MAX_SHARE), spare), max(BOX, line)
        for box in (max(TALL_BOX, low), low) if chart_height >= TALL_CHART else (low,):
            whole = cls(bands, 0, box).content_height
            if whole <= most:
                return cls(bands, whole, box)
        return cls(bands, most, low).scrolled_to(scroll)

    @cached_property
    def _tops(self) -> tuple[int, ...]:
        """The first pixel of each band with nothing scrolled, and where another one would begin."""
        heights = (band.rows * self.step - ROW_GAP + 2 * BAND_PAD + BAND_GAP for band in self.bands.bands)
        return tuple(accumulate(heights, initial=0))

    @property
    def step(self) -> int:
        """Pixels from row to row."""
        return self.box + ROW_GAP

    @property
    def content_height(self) -> int:
        """Pixels of all bands."""
        return max(0, self._tops[-1] - BAND_GAP)

    @property
    def most_scroll(self) -> int:
        """Pixels that all bands are higher than their area."""
        return max(0, self.content_height - self.height)

    def scrolled_to(self, scroll: float) -> BandLayout:
        """Return the bands scrolled to a pixel, as far as there are any."""
        return replace(self, scroll=min(self.most_scroll, max(0, round(scroll))))

    @property
    def thumb(self) -> tuple[float, float]:
        """Top and height of what is in view, on a bar beside the area that is as high as it."""
        height = max(MIN_THUMB, self.height * self.height / max(self.content_height, self.height, 1))
        return self.scroll / max(self.most_scroll, 1) * (self.height - height), height

    def with_box(self, box: int) -> BandLayout:
        """Scroll no further than until a box, by its place, is in view."""
        top = int(self.box_tops[box])
        if top < BAND_PAD:
            return self.scrolled_to(self.scroll + top - BAND_PAD)
        return self.scrolled_to(self.scroll + max(0, top + self.box + BAND_PAD - self.height))

    @cached_property
    def band_spans(self) -> tuple[tuple[int, int], ...]:
        """The first pixel of each band and the one after its last; they may lie outside of the area."""
        return tuple((top - self.scroll, end - BAND_GAP - self.scroll) for top, end in pairwise(self._tops))

    @cached_property
    def box_tops(self) -> NDArray[np.int64]:
        """The first pixel of each box, (boxes,)."""
        boxes, tops = self.bands.boxes, np.array(self._tops, np.int64)
        found: NDArray[np.int64] = tops[boxes.band] + BAND_PAD + boxes.row * self.step - self.scroll
        return found

    def in_view(self, early: float, late: float) -> NDArray[np.int64]:
        """Return the places of the boxes that are in view from one time to another."""
        boxes, tops = self.bands.boxes, self.box_tops
        shown = (tops + self.box > 0) & (tops < self.height) & (boxes.end >= early) & (boxes.start <= late)
        return np.flatnonzero(shown)

    def box_at(self, seconds: float, y: float, slack: float) -> int:
        """Return the place of the box at a time, give or take some seconds, and a pixel; -1 for none.

        Of several it is the one whose middle is nearest.
        """
        boxes, tops = self.bands.boxes, self.box_tops
        if not 0 <= y < self.height:
            return -1
        there = (tops <= y) & (y < tops + self.box)
        there &= (boxes.start - slack <= seconds) & (seconds <= boxes.end + slack)
        found = np.flatnonzero(there)
        if not len(found):
            return -1
        away = np.abs((boxes.start[found] + boxes.end[found]) / 2 - seconds)
        inside = (boxes.start[found] <= seconds) & (seconds <= boxes.end[found])
        return int(found[np.lexsort((away, ~inside))[0]])
