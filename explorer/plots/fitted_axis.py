"""An axis of a plot that is as wide as its labels and its title need, before anything is painted.

pyqtgraph measures labels while it paints, and leaves out those that do not fit into the room that it had
before: "10:00:00" beside an axis made for "9:00".
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import pyqtgraph
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QTextOption
from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Sequence

GAP_PX, MAX_ROWS = 8, 3
"""Between labels that stand beside one another, and how many rows of them there may be below an axis."""
MAX_LABEL_PX, MIN_LABEL_PX = 220, 48
"""Longer labels are cut; where less would be left of them, some are left out instead."""
NUDGE_PX = 5
"""So far pyqtgraph lets the margin of the title stand out of the axis."""
OVERHANG_PX = 14
"""So far a label may reach beyond the ends of its axis."""


class Label(NamedTuple):
    """One label: how many pixels from the low end of the axis it stands, its text, and in which row."""

    at: float
    text: str
    row: int = 0


class FittedAxis(pyqtgraph.AxisItem):  # type: ignore[misc]  # pyqtgraph has no types
    """An axis at the left or the bottom. A subclass returns in `ticks` what is written where.

    Attributes
    ----------
    areas : what was painted last: for each label its rectangle, in coordinates of the axis, and its text
    """

    def __init__(self, orientation: str) -> None:
        super().__init__(orientation=orientation)
        self.areas: list[tuple[QRectF, str]] = []
        self.enableAutoSIPrefix(False)
        self.setStyle(hideOverlappingLabels=False)
        self.label.document().setDefaultTextOption(QTextOption(Qt.AlignmentFlag.AlignCenter))

    def ticks(self, length: float) -> list[tuple[float, str]]:
        """Return the values in view that are marked, with their texts, for an axis of so many pixels."""
        raise NotImplementedError

    @property
    def is_single(self) -> bool:
        """Whether there is one place along it only."""
        return False

    @property
    def staggers(self) -> bool:
        """Whether labels that do not fit side by side take turns in rows; else some are left out."""
        return False

    # ---- room

    @property
    def _is_flat(self) -> bool:
        return bool(self.orientation == "bottom")

    @property
    def _metrics(self) -> QFontMetricsF:
        return QFontMetricsF(self.font())

    def labels(self, length: float) -> list[Label]:
        """Return where labels stand on an axis of so many pixels; none overlaps another."""
        low, high = self.range
        span = (high - low) or 1.0
        metrics = self._metrics
        found = [
            Label((value - low) / span * length, metrics.elidedText(text, ELIDED, MAX_LABEL_PX))
            for value, text in self.ticks(length)
        ]
        if not self._is_flat:
            return _apart(found, [metrics.height()] * len(found))
        if self.staggers:
            found = self._cut(found, length)
        widths = [metrics.horizontalAdvance(label.text) + GAP_PX for label in found]
        if self.staggers and (rows := _rows(widths, found, length)) > 1:
            return [label._replace(row=i % rows) for i, label in enumerate(found)]
        ends = -OVERHANG_PX, length + OVERHANG_PX
        inside = [
            (label, width)
            for label, width in zip(found, widths, strict=True)
            if ends[0] <= label.at - width / 2 and label.at + width / 2 <= ends[1] + GAP_PX
        ]
        return _apart([label for label, _ in inside], [width for _, width in inside])

    def _cut(self, labels: list[Label], length: float) -> list[Label]:
        """Cut labels that would not stand apart in all rows, or reach too far beyond an end of the axis.

        Where too little would be left of them they stay as they are, and some are left out.
        """
        steps = [after.at - label.at for label, after in pairwise(labels)]
        apart = MAX_ROWS * min(steps, default=math.inf) - GAP_PX
        if apart < MIN_LABEL_PX:
            return labels
        metrics, found = self._metrics, []
        for label in labels:
            room = min(apart, 2 * (min(label.at, length - label.at) + OVERHANG_PX))
            found.append(label._replace(text=metrics.elidedText(label.text, ELIDED, room)))
        return found

    def make_room(self) -> None:
        """Take the width, or the height, that labels and title need."""
        length = self.size().width() if self._is_flat else self.size().height()
        if length <= 1 or self.label is None:
            return
        metrics, labels = self._metrics, self.labels(length)
        if self._is_flat:
            need = metrics.height() * (1 + max((label.row for label in labels), default=0))
        else:
            need = max((metrics.horizontalAdvance(label.text) for label in labels), default=0.0)
        aside = self.style["tickTextOffset"][1 if self._is_flat else 0] + max(0, self.style["tickLength"])
        room = math.ceil(need + aside + self._title_room(length))
        if room != (self.fixedHeight if self._is_flat else self.fixedWidth):
            (self.setHeight if self._is_flat else self.setWidth)(room)
            super().resizeEvent()  # the title has its place from the size
        self.picture = None

    def _title_room(self, length: float) -> float:
        """Break a title that is longer than its axis into lines, and return how high it is then."""
        self.label.setTextWidth(-1)
        if self.label.boundingRect().width() > length - 2 * NUDGE_PX:
            self.label.setTextWidth(length - 2 * NUDGE_PX)  # the axis may yet become a little shorter
        return float(self.label.boundingRect().height()) - NUDGE_PX if self.label.isVisible() else 0.0

    @override
    def setRange(self, low: float, high: float) -> None:
        super().setRange(low, high)
        self.make_room()

    @override
    def resizeEvent(self, event: Any = None) -> None:
        super().resizeEvent(event)
        self.make_room()

    def show_title(self, title: str) -> None:
        """Write another title, and look at the labels anew."""
        self.setLabel(title)
        self.make_room()
        self.picture = None
        self.update()

    # ---- painting

    @override
    def generateDrawSpecs(self, painter: Any) -> Any:  # Any: what pyqtgraph draws
        area = self.mapRectFromParent(self.geometry())
        length = area.width() if self._is_flat else area.height()
        if length <= 0:
            return None
        metrics, tick = self._metrics, max(0, self.style["tickLength"])
        line = pyqtgraph.mkPen(self.pen())
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip
        marks, texts = [], []
        self.areas = []
        for at, text, row in self.labels(length):
            wide = metrics.horizontalAdvance(text)
            if self._is_flat:
                begin = QPointF(area.left() + at, area.top())
                end = begin + QPointF(0, tick + row * metrics.height())
                top = end.y() + self.style["tickTextOffset"][1]
                place = QRectF(begin.x() - wide / 2, top, wide, metrics.height())
            else:
                begin = QPointF(area.right(), area.bottom() - at)
                end = begin - QPointF(tick, 0)
                right = end.x() - self.style["tickTextOffset"][0]
                place = QRectF(right - wide, begin.y() - metrics.height() / 2, wide, metrics.height())
            marks.append((line, begin, end))
            texts.append((place, flags, text))
            self.areas.append((place, text))
        ends = (area.topLeft(), area.topRight()) if self._is_flat else (area.topRight(), area.bottomRight())
        return (line, *ends), marks, texts


ELIDED = Qt.TextElideMode.ElideRight


def _apart(labels: Sequence[Label], sizes: Sequence[float]) -> list[Label]:
    """Return the labels that begin after the one before has ended."""
    found: list[Label] = []
    free = -math.inf
    for label, size in zip(labels, sizes, strict=True):
        if label.at - size / 2 >= free:
            found.append(label)
            free = label.at + size / 2
    return found


def _rows(widths: Sequence[float], labels: Sequence[Label], length: float) -> int:
    """Return in how many rows labels stand apart when they take turns; 1 where no number is enough."""
    if any(not 0 <= label.at <= length for label in labels):
        return 1
    for rows in range(1, MAX_ROWS + 1):
        turns = [range(row, len(labels), rows) for row in range(rows)]
        if all(
            len(_apart([labels[i] for i in turn], [widths[i] for i in turn])) == len(turn) for turn in turns
        ):
            return rows
    return 1
