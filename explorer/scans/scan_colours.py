"""One code of colours for all pictures of scans: the hue says which dataset, the depth how many share.

A dataset has the hue that it has in the charts of slots.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtGui import QColor, QFont

from core.charts.class_colours import dataset_colour
from core.charts.palette import ink_on, lane_colour, mixed

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from explorer.widgets.theme import Theme

PALE, MIDDLE, DEEP, BRIGHT = 0.62, 0.3, 0.45, 0.7
"""How much of white the colours of one job and of two have, and of black that of four or more.

In dark windows, where more is brighter, these are the background and white.
"""
WHITE = 0xFFFFFF
FRAME_DEPTH, MAX_DEPTH = 3, 4
FADED_ALPHA = 70
"""Of what does not belong to what is pointed at."""


class Marked(NamedTuple):
    """What is pointed at or chosen: jobs of the workload, and whether it is the subjob of just these."""

    jobs: frozenset[int] = frozenset()
    is_subjob: bool = False

    def shows(self, jobs: frozenset[int]) -> bool:
        """Return whether what serves some jobs stands out: all does where nothing is marked."""
        if not self.jobs:
            return True
        return jobs == self.jobs if self.is_subjob else bool(jobs & self.jobs)


NOTHING = Marked()


def shade(dataset: int, sharing: int, theme: Theme) -> QColor:
    """Return the colour of what is scanned for so many jobs at once, of a dataset by its number."""
    hue, behind = dataset_colour(dataset, theme), (lane_colour(theme) if theme.is_dark else WHITE)
    most = (WHITE, BRIGHT) if theme.is_dark else (0, DEEP)
    depths = ((behind, PALE), (behind, MIDDLE), (hue, 0.0), most)
    other, share = depths[min(max(sharing, 1), MAX_DEPTH) - 1]
    return QColor.fromRgb(int(mixed(hue, other, share)))


def frame(dataset: int, theme: Theme) -> QColor:
    """Return the colour of lines around what belongs to a dataset, and of the dataset itself."""
    return shade(dataset, FRAME_DEPTH, theme)


def text_upon(colour: QColor) -> QColor:
    """Return a colour in which text can be read upon another one."""
    return QColor.fromRgb(ink_on(colour.rgb() & 0xFFFFFF))


def sized_font(widget: QWidget, larger: float, *, is_bold: bool = False) -> QFont:
    """Return the font of a widget, so many times as large."""
    font = QFont(widget.font())
    font.setPointSizeF(max(font.pointSizeF() * larger, 7.0))
    if is_bold:
        font.setWeight(QFont.Weight.DemiBold)
    return font
