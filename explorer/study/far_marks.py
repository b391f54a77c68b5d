"""Marks far away from what a picture is about: they stand at its edge, with their values in words."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from typing_extensions import override

from explorer.study.plot_texts import PlotTexts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray
    from PySide6.QtGui import QColor, QFont, QPainter, QTransform

    from core.charts.study.marks import Dot

NEAR = 0.5
"""What is beside the frame by more than this part of it is far."""
EDGE = 0.15
"""Far marks are beside all others by this part of what those span."""
APART = 0.12
"""Far marks at a corner are apart by this part of what the others span."""
BESIDE_PX = 8
"""Between the middle of a far mark and its values."""
ARROWS = {
    (1, 0): "→",
    (-1, 0): "←",
    (0, 1): "↑",
    (0, -1): "↓",
    (1, 1): "↗",
    (-1, 1): "↖",
    (1, -1): "↘",
    (-1, -1): "↙",
}
"""By where a value lies, to the right and above."""


class FarMark(NamedTuple):
    """A mark at the edge.

    Attributes
    ----------
    mark : its place among all
    text : where it lies, and those of its values that the axes do not show: "↗ 1 h 20 min, 42 min"
    """

    mark: int
    text: str


def at_the_edge(
    dots: Sequence[Dot], framing: int, write: Callable[[int, float], str]
) -> tuple[list[Dot], list[FarMark]]:
    """Return dots so that the first of them fill the picture, and which of the others lie beyond.

    Parameters
    ----------
    framing : how many of them the picture is about
    write : writes a value of an axis, 0 or 1, in words
    """
    places = np.array([(dot.x, dot.y) for dot in dots])
    low, high = places[:framing].min(axis=0), places[:framing].max(axis=0)
    if not (high > low).all():
        return list(dots), []
    room = NEAR * (high - low)
    ways = (places > high + room).astype(int) - (places < low - room).astype(int)
    near = (ways == 0).all(axis=1)
    low, high = places[near].min(axis=0), places[near].max(axis=0)
    span, corners, far = high - low, Counter[tuple[int, int]](), list[FarMark]()
    shown = np.where(ways > 0, high + EDGE * span, np.where(ways < 0, low - EDGE * span, places))
    for mark in np.flatnonzero(~near).tolist():
        right, up = way = tuple(ways[mark].tolist())
        if right and up:  # it stands at none of its values, so it may give way to others
            shown[mark, 1] -= up * corners[way] * APART * span[1]
            corners[way] += 1
        texts = [write(axis, float(places[mark, axis])) for axis in (0, 1) if way[axis]]
        far.append(FarMark(mark, f"{ARROWS[way]} {', '.join(texts)}"))
    moved = [dot._replace(x=x, y=y) for dot, (x, y) in zip(dots, shown.tolist(), strict=True)]
    return moved, far


class FarValues(PlotTexts):
    """Writes values beside far marks; where that would lie over another text, the arrow alone."""

    def __init__(self, at: Sequence[tuple[NDArray[np.float64], str]], font: QFont, ink: QColor) -> None:
        """Take where each mark is shown, in coordinates of the plot, and its text."""
        super().__init__(font, ink)
        self._at = at

    @override
    def write(self, painter: QPainter, placed: QTransform) -> None:
        taken = list[QRectF]()
        inside = placed.mapRect(self.boundingRect())
        for (x, y), text in self._at:
            at = placed.map(QPointF(x, y))
            for words in (text, text[:1]):
                room = QRectF(0, 0, self.metrics.horizontalAdvance(words), self.metrics.height())
                room.moveCenter(at)
                room.moveTop(min(max(room.top(), inside.top()), inside.bottom() - room.height()))
                if at.x() > inside.center().x():
                    room.moveRight(at.x() - BESIDE_PX)
                else:
                    room.moveLeft(at.x() + BESIDE_PX)
                if inside.contains(room) and not any(room.intersects(other) for other in taken):
                    painter.drawText(room, Qt.AlignmentFlag.AlignCenter, words)
                    taken.append(room)
                    self.written.append(words)
                    break
