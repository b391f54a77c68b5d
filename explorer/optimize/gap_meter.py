"""The gap meter: the best found falls, the bound rises, and between them lies what may still be gained."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy
from typing_extensions import override

from core.model.objectives import LATE_JOB
from core.model.time_text import duration_text, fine_percent
from explorer.optimize.result_words import LATE_FIRST, value_text
from explorer.plots.axis import ValueScale
from explorer.widgets.export import ChartTable, Picture
from explorer.widgets.theme import fill_with, translucent

if TYPE_CHECKING:
    from collections.abc import Sequence

EVEN_BELOW = 0.0005
"""Shares of the bound below which the scale is even, and above which it is logarithmic: 0.07 % is seen."""
TICKS = (0.0, 0.001, 0.01, 0.1, 1.0, 10.0, 100.0)
ALL_IN_TIME = math.asinh(10 / EVEN_BELOW)
"""Height above which jobs are late, where that comes before the makespan."""
AIR, TOP, TICK_LENGTH, RING = 6.0, 10.0, 3.0, 5.0
MIN_SECONDS = 0.2
"""The time axis is at least that long."""
FILL_ALPHA = 60
EMPTY = (
    "Start, and the best found falls here while the bound rises: between them lies what may still be gained."
)


@dataclass(frozen=True, slots=True)
class Moment:
    """How far a search was.

    Attributes
    ----------
    seconds : since it began
    best, bound : the best value found, and the one that nothing can be below, in the objective's unit
    """

    seconds: float
    best: float
    bound: float

    @property
    def gap(self) -> float | None:
        """By how much the best is above the bound, as a share of it; None where the bound is 0."""
        return self.best / self.bound - 1 if self.bound > 0 else None


@dataclass(frozen=True, slots=True)
class GapScale:
    """Values as heights: by their distance from the bound, or evenly where that is 0.

    With late jobs, whose number comes before all seconds, by how many these are.
    """

    bound: float
    unit: str = "s"

    def height(self, value: float) -> float:
        """Return where a value lies, in no unit; the bound is at 0."""
        if self.bound <= 0:
            return value
        if self.unit == LATE_FIRST and value >= LATE_JOB:
            return ALL_IN_TIME + 1 + 2 * math.log10(value // LATE_JOB)
        return math.asinh((value / self.bound - 1) / EVEN_BELOW)

    def ticks(self, low: float, high: float) -> list[tuple[float, str]]:
        """Return heights from low to high that are marked, with their texts."""
        if self.bound <= 0:
            values = (0.0, high / 2, high) if high > 0 else (0.0,)
            return [(value, value_text(value, self.unit)) for value in values]
        shares = (*(-tick for tick in TICKS[1:4]), *TICKS)
        marks = [(math.asinh(share / EVEN_BELOW), _share_text(share)) for share in shares]
        if self.unit == LATE_FIRST:
            marks = [mark for mark in marks if mark[0] < ALL_IN_TIME]
            marks += [(self.height(late * LATE_JOB), f"{late} late") for late in (1, 10, 100, 1000)]
        return [(at, text) for at, text in marks if low - 0.2 <= at <= high + 0.2]


def _signed(gap: float) -> str:
    return f"+{fine_percent(gap)}" if gap >= 0 else f"−{fine_percent(-gap)}"


def _share_text(share: float) -> str:
    return "0 %" if share == 0 else f"{share * 100:+g} %".replace("-", "−")


class GapMeter(Picture):
    """Draws how a search went, for one objective.

    Attributes
    ----------
    moments : what was found when; the first is where it started from
    unit : of the values, "s" for times
    is_proved : whether nothing can be better than the best
    now, now_title : the value of the schedule as it stands in the chart, and what that is called; None where
        it is the best found
    heading : what is written above an exported picture
    bound_title : how the lower line is called at its end
    """

    def __init__(self) -> None:
        super().__init__("gap")
        self.moments: tuple[Moment, ...] = ()
        self.unit, self.heading, self.empty_text = "s", "", EMPTY
        self.bound_title, self.is_proved = "bound", False
        self.now: float | None = None
        self.now_title = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Gap between the best found and the bound")

    @override
    def sizeHint(self) -> QSize:
        return QSize(300, 8 * self.fontMetrics().height())

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(120, 5 * self.fontMetrics().height())

    def show_moments(self, moments: Sequence[Moment], unit: str = "s", *, is_proved: bool = False) -> None:
        """Show how far a search is."""
        self.moments, self.unit, self.is_proved = tuple(moments), unit, is_proved
        self.update()

    def show_now(self, value: float | None, title: str = "") -> None:
        """Mark the value of the schedule as it stands after a hand edit; None for no mark."""
        if (value, title) != (self.now, self.now_title):
            self.now, self.now_title = value, title
            self.update()

    # ---- places

    @property
    def scale(self) -> GapScale:
        """How values become heights now: by the highest bound that is known."""
        return GapScale(self.moments[-1].bound if self.moments else 0.0, self.unit)

    def extent(self) -> tuple[float, float]:
        """Return the lowest and the highest height that is shown."""
        values = [value for field in ("best", "bound") for _, value in self._known(field)]
        values += [] if self.now is None else [self.now]
        heights = [self.scale.height(value) for value in values if math.isfinite(value)]
        low, high = min(heights, default=0.0), max(heights, default=1.0)
        return low, max(high, low + (1.0 if self.scale.bound > 0 else 1e-9))

    def room(self, area: QRectF, letters: QFontMetricsF) -> QRectF:
        """Return where the curves lie: beside the labels, above the axis."""
        low, high = self.extent()
        texts = [text for _, text in self.scale.ticks(low, high)]
        left = max((letters.horizontalAdvance(text) for text in texts), default=0.0) + 2 * AIR
        right = letters.horizontalAdvance("at the bound") + 2 * AIR
        return area.adjusted(left, TOP, -right, -letters.height() - AIR)

    def points(self, room: QRectF, field: str) -> list[QPointF]:
        """Return the corners of a line, "best" or "bound", which changes in steps."""
        low, high = self.extent()
        times = self._times(room)
        corners: list[QPointF] = []
        for seconds, value in self._known(field):
            part = (self.scale.height(value) - low) / (high - low) if math.isfinite(value) else 1.0
            place = QPointF(times.x(seconds), room.bottom() - part * room.height())
            if corners:
                corners.append(QPointF(place.x(), corners[-1].y()))
            corners.append(place)
        return corners

    def _known(self, field: str) -> list[tuple[float, float]]:
        """Return when a line, "best" or "bound", had which value; before there is a bound there is none."""
        found = [(moment.seconds, getattr(moment, field)) for moment in self.moments]
        return [each for each in found if field == "best" or each[1] > 0 or self.scale.bound <= 0]

    def _times(self, room: QRectF) -> ValueScale:
        last = self.moments[-1].seconds if self.moments else 0.0
        return ValueScale(0.0, max(last, MIN_SECONDS), room.left(), room.right())

    # ---- painting

    @override
    def paint(self, painter: QPainter, area: QRectF) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if not self.moments:
            self.paint_nothing(painter, area.adjusted(2 * AIR, AIR, -2 * AIR, -AIR), self.empty_text)
            return
        letters = QFontMetricsF(painter.font())
        room = self.room(area, letters)
        self._paint_axes(painter, room, letters)
        best, bound = self.points(room, "best"), self.points(room, "bound")
        fill = translucent(self.colours.accent, FILL_ALPHA)
        begin = bound[0].x()  # before, nothing is known to lie between
        before, after = ([p for p in best if (p.x() > begin) == is_after] for is_after in (False, True))
        fill_with(painter, fill)
        painter.drawPolygon(QPolygonF([QPointF(begin, before[-1].y()), *after, *reversed(bound)]))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(self.colours.cursor, 2, Qt.PenStyle.DashLine))
        painter.drawPolyline(QPolygonF(bound))
        painter.setPen(QPen(self.colours.accent, 2))
        painter.drawPolyline(QPolygonF(best))
        self._paint_now(painter, room, letters)
        self._paint_ends(painter, best[-1], bound[-1], letters)

    def _paint_axes(self, painter: QPainter, room: QRectF, letters: QFontMetricsF) -> None:
        colours, (low, high) = self.colours, self.extent()
        free = room.bottom() + letters.height()
        for at, text in self.scale.ticks(low, high):
            y = room.bottom() - (at - low) / (high - low) * room.height()
            if y + letters.height() > free or not room.top() - 1 <= y <= room.bottom() + 1:
                continue
            free = y
            painter.setPen(colours.faint_line)
            painter.drawLine(QPointF(room.left(), y), QPointF(room.right(), y))
            painter.setPen(colours.second_text)
            place = QRectF(0, y - letters.height() / 2, room.left() - AIR, letters.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
        painter.setPen(colours.line)
        painter.drawLine(room.bottomLeft(), room.bottomRight())
        times = self._times(room)
        for seconds in times.ticks("s"):
            x, text = times.x(seconds), duration_text(seconds) if seconds else "0 s"
            painter.setPen(colours.line)
            painter.drawLine(QPointF(x, room.bottom()), QPointF(x, room.bottom() + TICK_LENGTH))
            painter.setPen(colours.second_text)
            width = letters.horizontalAdvance(text)
            painter.drawText(QPointF(x - width / 2, room.bottom() + letters.ascent() + TICK_LENGTH), text)

    def _paint_ends(self, painter: QPainter, best: QPointF, bound: QPointF, letters: QFontMetricsF) -> None:
        """Name the lines at their ends; where they have met, once, with a ring."""
        colours, high = self.colours, letters.height()
        if self.is_proved or self.moments[-1].gap == 0:
            painter.setPen(QPen(colours.better, 2))
            painter.setBrush(colours.plot)
            painter.drawEllipse(best, RING, RING)
            _write(painter, best, "at the bound", colours.better, high)
            return
        apart = bound.y() - best.y()
        shift = max(0.0, high - apart) / 2
        _write(painter, best - QPointF(0, shift), "best", colours.accent, high)
        _write(painter, bound + QPointF(0, shift), self.bound_title, colours.cursor, high)

    def _paint_now(self, painter: QPainter, room: QRectF, letters: QFontMetricsF) -> None:
        """Mark what the chart shows after a hand edit: a dotted line across, with its name."""
        if self.now is None:
            return
        low, high = self.extent()
        y = room.bottom() - (self.scale.height(self.now) - low) / (high - low) * room.height()
        painter.setPen(QPen(self.colours.text, 1.2, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(room.left(), y), QPointF(room.right(), y))
        painter.setPen(self.colours.text)
        above = y - 3 if y - letters.height() > room.top() else y + letters.ascent() + 2
        gap = Moment(0.0, self.now, self.scale.bound).gap
        text = self.now_title if gap is None else f"{self.now_title} {_signed(gap)}"
        text = letters.elidedText(text, Qt.TextElideMode.ElideLeft, room.width() - AIR)
        width = letters.horizontalAdvance(text)
        painter.drawText(QPointF(room.right() - width, above), text)

    # ---- elsewhere

    @override
    def paint_export(self, painter: QPainter, area: QRectF) -> None:
        painter.setFont(self.font())
        line = QFontMetricsF(painter.font()).height() + AIR if self.heading else 0.0
        painter.setPen(self.colours.text)
        painter.drawText(area.adjusted(AIR, AIR / 2, -AIR, 0), Qt.AlignmentFlag.AlignLeft, self.heading)
        self.paint(painter, area.adjusted(0, line, 0, 0))

    @override
    def table(self) -> ChartTable:
        unit = f" ({self.unit})" if self.unit else ""
        header = ("since the start (s)", f"best{unit}", f"bound{unit}", "gap (share of the bound)")
        return ChartTable(header, tuple((m.seconds, m.best, m.bound, m.gap) for m in self.moments))


def _write(painter: QPainter, end: QPointF, text: str, colour: QColor, high: float) -> None:
    painter.setPen(colour)
    place = QRectF(end.x() + AIR, end.y() - high / 2, 200, high)
    painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
