"""Datasets as clocks at one instant: where each job boarded, what it has scanned and what is left."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from core.model.time_text import clock_text, duration_text
from explorer.scans.time_picture import dataset_colour, small_font
from explorer.widgets.theme import theme_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPaintEvent

    from core.shared_scans.dataset_clock import Arc, ClockHand, DatasetClock
    from explorer.scans.scan_story import ScanStory

AIR = 4
MIN_SIDE = 84
MAX_RINGS = 8
NAMED_RADIUS = 34
"""Circles from this radius on have the names of the jobs where they boarded."""
SIXTEENTHS = 16 * 360
"""Qt's arcs count sixteenths of a degree, against the clock, from three o'clock."""


class CircleChart(QWidget):
    """One circle per dataset; the scan runs clockwise from the top, as a clock."""

    def __init__(self) -> None:
        super().__init__()
        self._story: ScanStory | None = None
        self._colour_of: Callable[[int], QColor] = lambda _job: QColor(128, 128, 128)
        self._time = 0.0
        self._known: tuple[DatasetClock, ...] = ()
        self.setMinimumHeight(110)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setToolTip(
            "Each dataset as a clock at the time cursor. A ring per job, named where it boarded: strong\n"
            "what it has scanned since, pale what is left; the hand is where the scan is. Drag the\n"
            "cursor to see it turn. Jobs that scan some of the blocks have arcs there and\n"
            "no hand: blocks have no order."
        )

    @override
    def sizeHint(self) -> QSize:
        return QSize(300, 150)

    def show_story(self, story: ScanStory, colour_of: Callable[[int], QColor]) -> None:
        """Show another schedule."""
        self._story, self._colour_of = story, colour_of
        self._look()

    def set_time(self, seconds: float) -> None:
        """Show another instant."""
        if seconds != self._time:
            self._time = seconds
            self._look()

    def _look(self) -> None:
        self._known = () if self._story is None else self._story.clocks.at(self._time)
        self.update()

    def clocks(self) -> tuple[DatasetClock, ...]:
        """Return what is shown: where jobs scan before where jobs wait, idle datasets last."""
        first = sorted(self._known, key=lambda clock: (not clock.hands, not clock.waiting))
        return tuple(sorted(first[: self._most_clocks()], key=lambda clock: clock.dataset))

    def title(self) -> str:
        """Return what is shown, and what sharing has saved so far."""
        if self._story is None:
            return ""
        saved = max(self._story.saved.until(self._time), 0.0)
        left_out = sum(bool(c.hands or c.waiting) for c in self._known)
        left_out -= sum(bool(c.hands or c.waiting) for c in self.clocks())
        more = f" · {left_out} more dataset{'s' if left_out > 1 else ''}" if left_out > 0 else ""
        at = clock_text(self._time, largest=self._story.end)
        return f"{duration_text(saved)} saved by {at}{more}"

    # ---- places

    @property
    def _line(self) -> float:
        return QFontMetricsF(small_font(self)).height()

    def _most_clocks(self) -> int:
        rows = max(int((self.height() - self._line - 6) // (MIN_SIDE + self._line)), 1)
        return rows * max(self.width() // MIN_SIDE, 1)

    def places(self, count: int) -> list[QRectF]:
        """Return a box for each of so many circles: in as many rows as make them largest."""
        top = self._line + 6
        whole = QRectF(0, top, self.width(), self.height() - top)

        def side(rows: int) -> float:
            return min(whole.width() / math.ceil(count / rows), whole.height() / rows - self._line)

        rows = max(range(1, count + 1), key=side)
        columns = math.ceil(count / rows)
        width, height = whole.width() / columns, whole.height() / rows
        return [
            QRectF(whole.left() + k % columns * width, whole.top() + k // columns * height, width, height)
            for k in range(count)
        ]

    # ---- painting

    @override
    def paintEvent(self, _event: QPaintEvent) -> None:
        self.paint_export(QPainter(self))

    def paint_export(self, painter: QPainter) -> None:
        """Draw everything as it stands, in the widget's own coordinates."""
        painter.fillRect(self.rect(), theme_of(self).plot)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(small_font(self))
        painter.setPen(theme_of(self).second_text)
        metrics = QFontMetricsF(painter.font())
        title = metrics.elidedText(self.title(), Qt.TextElideMode.ElideRight, self.width() - 12)
        painter.drawText(QRectF(6, 3, self.width() - 8, metrics.height()), 0, title)
        clocks = self.clocks()
        for clock, place in zip(clocks, self.places(max(len(clocks), 1)), strict=False):
            self._draw(painter, clock, place)

    def _draw(self, painter: QPainter, clock: DatasetClock, place: QRectF) -> None:
        assert self._story is not None
        metrics, colours = QFontMetricsF(painter.font()), theme_of(self)
        side = min(place.width(), place.height() - metrics.height())
        named = side / 2 - AIR - metrics.height() >= NAMED_RADIUS
        radius = side / 2 - AIR - (metrics.height() if named else 0)
        place = QRectF(place.left(), place.center().y() - (side + metrics.height()) / 2, place.width(), side)
        centre = QPointF(place.center().x(), place.top() + side / 2)
        circle = QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius)
        painter.setPen(QPen(dataset_colour(clock.dataset), 2.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(circle)
        self._draw_rings(painter, clock, circle)
        if named:
            self._draw_names(painter, clock, circle)
        name = self._story.dataset_names[clock.dataset]
        below = QRectF(place.left() + 2, place.top() + side, place.width() - 4, metrics.height())
        painter.setPen(colours.text if clock.hands or clock.waiting else colours.second_text)
        text = f"{name}: {state_text(clock)}"
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, below.width())
        painter.drawText(below, Qt.AlignmentFlag.AlignCenter, shown)

    def _draw_names(self, painter: QPainter, clock: DatasetClock, circle: QRectF) -> None:
        """Write each job's name where it boarded, the older ones first, as long as they do not overlap."""
        assert self._story is not None
        metrics, taken = QFontMetricsF(painter.font()), list[QRectF]()
        for hand in clock.hands[:MAX_RINGS]:
            name = self._story.job_names[int(self._story.job[hand.job])]
            tick, away = on_circle(circle, hand.boarded, 0.0), metrics.height() / 2 + 2
            wide = metrics.horizontalAdvance(name)
            sideways = abs(math.sin(2 * math.pi * hand.boarded)) * (wide - metrics.height()) / 2
            box = QRectF(0, 0, wide, metrics.height())
            box.moveCenter(on_circle(circle, hand.boarded, away + max(sideways + 2, 0.0)))
            box.moveLeft(min(max(box.left(), 1.0), self.width() - wide - 1))
            if not any(box.intersects(other) for other in taken):
                taken.append(box)
                painter.setPen(QPen(theme_of(self).text, 1.2))
                painter.drawLine(tick, on_circle(circle, hand.boarded, 3.0))
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, name)

    def _draw_rings(self, painter: QPainter, clock: DatasetClock, circle: QRectF) -> None:
        hands = clock.hands[:MAX_RINGS]
        if not hands:
            return
        ring = min((circle.width() / 2 - 8) / len(hands), 9.0)
        for k, hand in enumerate(hands):
            inset = 3 + ring * (k + 0.5)
            box = circle.adjusted(inset, inset, -inset, -inset)
            for arc in hand.arcs:
                self._draw_arc(painter, hand, arc, box, max(ring - 1.2, 1.0))
        if clock.position is not None:
            painter.setPen(QPen(theme_of(self).cursor, 1.8))
            painter.drawLine(circle.center(), on_circle(circle, clock.position, 0.0))

    def _draw_arc(self, painter: QPainter, hand: ClockHand, arc: Arc, box: QRectF, thick: float) -> None:
        assert self._story is not None
        colour = QColor(self._colour_of(int(self._story.job[hand.job])))
        pale = QColor(colour)
        pale.setAlpha(70)
        begin = 90 * 16 - round(arc.begin * SIXTEENTHS)
        whole, done = round(arc.length * SIXTEENTHS), round(arc.length * arc.scanned * SIXTEENTHS)
        painter.setPen(QPen(pale, thick, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        painter.drawArc(box, begin - done, -(whole - done))
        painter.setPen(QPen(colour, thick, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        painter.drawArc(box, begin, -done)


def on_circle(circle: QRectF, turn: float, outside: float) -> QPointF:
    """Return the point of a circle at a fraction of a turn from the top, so many pixels outside."""
    angle, radius = 2 * math.pi * turn, circle.width() / 2 + outside
    return circle.center() + QPointF(math.sin(angle), -math.cos(angle)) * radius


def state_text(clock: DatasetClock) -> str:
    """Return how many share a scan, how many scan without another one, and how many wait."""
    states = (
        (clock.sharing, "sharing"),
        (len(clock.hands) - clock.sharing, "scanning alone"),
        (len(clock.waiting), "waiting"),
    )
    return ", ".join(f"{count} {state}" for count, state in states if count) or "idle"
