"""One bar of a makespan cut by cause, with a legend below of the seconds and percent of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QIcon, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QSizePolicy
from typing_extensions import override

from core.model.time_text import duration_text, percent
from explorer.widgets.cause_style import LOOKS
from explorer.widgets.plain_labels import TipWidget
from explorer.widgets.theme import theme_of, write_with

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtGui import QPaintEvent, QResizeEvent

    from core.explain.causes import Cause

AIR, BAR_HEIGHT, SWATCH, SPACING = 8, 24, 12, 18
MIN_WIDTH = 300
MIN_LABEL = 6
"""Pixels on both sides of a percentage in the bar."""


class Part(NamedTuple):
    """A cause with its share of the makespan.

    Attributes
    ----------
    cause : what the time counts as
    seconds : how much of the makespan
    share : the same as a fraction
    """

    cause: Cause
    seconds: float
    share: float

    @property
    def text(self) -> str:
        """What the legend says of it."""
        return f"{self.short_text} · {percent(self.share)}"

    @property
    def short_text(self) -> str:
        """What a narrow legend says of it."""
        return f"{self.cause.value} {duration_text(self.seconds)}"


def parts_of(totals: Mapping[Cause, float]) -> list[Part]:
    """Return the causes that take any time, in their order."""
    whole = sum(totals.values())
    return [Part(cause, seconds, seconds / whole) for cause, seconds in totals.items() if seconds > 0]


class CauseBar(TipWidget):
    """Shows `Part`s; as high as its legend needs in its width.

    Attributes
    ----------
    parts : what is shown
    """

    def __init__(self) -> None:
        super().__init__()
        self.parts: Sequence[Part] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Makespan by cause")

    def set_parts(self, parts: Sequence[Part]) -> None:
        """Show other parts."""
        self.parts = parts
        self.setAccessibleDescription("; ".join(part.text for part in parts))
        self.setFixedHeight(self.heightForWidth(self.width()))
        self.update()

    # ---- places

    def bar_rects(self) -> list[QRectF]:
        """Return the place of each part in the bar; together they fill it."""
        left, width = float(AIR), max(1.0, self.width() - 2.0 * AIR)
        rects = []
        for part in self.parts:
            rects.append(QRectF(left, 4, part.share * width, BAR_HEIGHT))
            left += part.share * width
        return rects

    def legend_places(self, width: int) -> list[QPointF]:
        """Return where each entry of the legend starts, line by line."""
        metrics, x, y = QFontMetricsF(self.font()), float(AIR), BAR_HEIGHT + 10.0
        places = []
        for part in self.parts:
            needed = SWATCH + 6 + metrics.horizontalAdvance(self._entry(part, width))
            if x > AIR and x + needed > width - AIR:
                x, y = float(AIR), y + self._line()
            places.append(QPointF(x, y))
            x += needed + SPACING
        return places

    def _entry(self, part: Part, width: int) -> str:
        needed = SWATCH + 6 + QFontMetricsF(self.font()).horizontalAdvance(part.text)
        return part.text if needed <= width - 2 * AIR else part.short_text

    def _line(self) -> float:
        return QFontMetricsF(self.font()).height() + 3

    @override
    def heightForWidth(self, width: int) -> int:
        places = self.legend_places(width)
        return round(places[-1].y() + self._line() + 2) if places else BAR_HEIGHT + 8

    @override
    def sizeHint(self) -> QSize:
        width = max(MIN_WIDTH, self.width())
        return QSize(width, self.heightForWidth(width))

    @override
    def minimumSizeHint(self) -> QSize:
        metrics = QFontMetricsF(self.font())
        longest = max((metrics.horizontalAdvance(part.short_text) for part in self.parts), default=100)
        return QSize(round(longest) + SWATCH + 8 + 2 * AIR, BAR_HEIGHT + 8)

    def part_at(self, position: QPointF) -> Part | None:
        """Return the part under a pixel, of the bar or of the legend."""
        metrics = QFontMetricsF(self.font())
        for part, rect, place in zip(
            self.parts, self.bar_rects(), self.legend_places(self.width()), strict=True
        ):
            width = SWATCH + 6 + metrics.horizontalAdvance(self._entry(part, self.width()))
            if rect.contains(position) or QRectF(place.x(), place.y(), width, self._line()).contains(
                position
            ):
                return part
        return None

    # ---- events

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setFixedHeight(self.heightForWidth(self.width()))

    @override
    def tip_at(self, place: QPointF) -> str:
        part = self.part_at(place)
        return "" if part is None else f"{part.text}\n{LOOKS[part.cause].meaning}"

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            for part, rect in zip(self.parts, self.bar_rects(), strict=True):
                self._paint_part(painter, part, rect)
            for part, place in zip(self.parts, self.legend_places(self.width()), strict=True):
                self._paint_entry(painter, part, place)

    def _paint_part(self, painter: QPainter, part: Part, rect: QRectF) -> None:
        inner = rect.adjusted(0, 0, -1 if rect.width() > 3 else 0, 0)
        fill(painter, inner, part.cause)
        font = QFont(self.font())
        font.setBold(True)
        text, metrics = percent(part.share), QFontMetricsF(font)
        needed = metrics.horizontalAdvance(text) + 2 * MIN_LABEL
        if needed > inner.width():
            return
        look = LOOKS[part.cause]
        label = QRectF(0, 0, needed - MIN_LABEL, metrics.height())
        label.moveCenter(inner.center())
        if look.is_waiting:  # the hatch would run through the figures
            painter.fillRect(label, QColor.fromRgb(look.colour))
        write_with(painter, font, QColor.fromRgb(look.ink))
        painter.drawText(label, int(Qt.AlignmentFlag.AlignCenter), text)

    def _paint_entry(self, painter: QPainter, part: Part, place: QPointF) -> None:
        top = place.y() + (self._line() - SWATCH) / 2
        fill(painter, QRectF(place.x(), top, SWATCH, SWATCH), part.cause)
        write_with(painter, self.font(), theme_of(self).text)
        rect = QRectF(place.x() + SWATCH + 6, place.y(), self.width(), self._line())
        painter.drawText(rect, int(Qt.AlignmentFlag.AlignVCenter), self._entry(part, self.width()))


def swatch(cause: Cause) -> QIcon:
    """Return a small area as a cause looks, for rows of tables."""
    picture = QPixmap(SWATCH * 2, SWATCH * 2)
    picture.setDevicePixelRatio(2)
    with QPainter(picture) as painter:
        fill(painter, QRectF(0, 0, SWATCH, SWATCH), cause)
    return QIcon(picture)


def fill(painter: QPainter, rect: QRectF, cause: Cause) -> None:
    """Fill a rectangle as a cause looks: waiting is hatched."""
    look = LOOKS[cause]
    painter.fillRect(rect, QColor.fromRgb(look.colour))
    if look.is_waiting:
        ink = QColor.fromRgb(look.ink)
        ink.setAlpha(110)
        painter.fillRect(rect, QBrush(ink, Qt.BrushStyle.BDiagPattern))
    painter.setPen(QPen(QColor(0, 0, 0, 70), 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))
