"""One code of colours for all pictures of scans: the hue says which dataset, the depth how many share."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtGui import QColor, QFont

from explorer.gantt.raster.palette import ink_on

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from explorer.widgets.theme import Theme

LIGHT = (
    (0xA9C8F2, 0x5B94E0, 0x2459AD, 0x12346B),
    (0xEBCF8F, 0xD39F33, 0x936504, 0x5C3F00),
    (0x9EDBD0, 0x45B3A2, 0x0E7F74, 0x064A44),
    (0xCDBBF2, 0x9B7BE0, 0x6A3FB5, 0x3F2175),
    (0xF0BCD6, 0xD873A8, 0xA83A78, 0x6A1A49),
)
"""Blue, amber, teal, violet and rose, in turn: for one job, two, three, and four or more at once."""
DARK = (
    (0x2C4A78, 0x4A82CC, 0x86B4F2, 0xCFE2FC),
    (0x5E4716, 0xB08327, 0xE5B956, 0xF8E3B0),
    (0x134F49, 0x2A9D8F, 0x6FD0C2, 0xC9F0EA),
    (0x4A3580, 0x8360CC, 0xB59CF0, 0xE4DAFC),
    (0x70304F, 0xBC5B91, 0xE899C4, 0xF9D9EA),
)
"""The same in dark windows, where more is brighter."""
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
    hues = DARK if theme.is_dark else LIGHT
    return QColor.fromRgb(hues[dataset % len(hues)][min(max(sharing, 1), MAX_DEPTH) - 1])


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
