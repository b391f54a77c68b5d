"""What slots are worth when, as steps over the time axis of the charts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QToolTip
from typing_extensions import override

from core.model.time_text import clock_text, plain_number
from explorer.plots.axis import ValueScale, decimal_step, times_between
from explorer.plots.curve_looks import colour_of
from explorer.widgets.export import ChartTable, Picture
from explorer.widgets.plain_labels import tooltip
from explorer.widgets.theme import translucent

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QKeyEvent, QMouseEvent

    from core.optimize.slot_worths import KindWorth, SlotWorths
    from explorer.document.time_axis import TimeAxis

AIR, TICK_LENGTH, SWATCH, MARK = 6.0, 3.0, 22.0, 4.0
ROOM_ABOVE = 1.08
BAND_ALPHA = 36
STYLES = (Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine)
"""Of the first and the second kind of slots, that they can be told apart without colours."""
MOVES = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class PricePicture(Picture):
    """Draws the worth of a slot of each kind; its times are those of the charts, and so is the pointer's.

    Attributes
    ----------
    worths : what is drawn; None before anything is known
    empty_text : what stands there then
    """

    def __init__(self, axis: TimeAxis, empty_text: str) -> None:
        super().__init__("slot-prices")
        self.worths: SlotWorths | None = None
        self.empty_text = empty_text
        self._axis = axis
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("What a slot of each kind is worth over time")
        axis.range_changed.connect(self.update)
        axis.cursor_changed.connect(self.update)

    @override
    def sizeHint(self) -> QSize:
        return QSize(300, 11 * self.fontMetrics().height())

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(120, 6 * self.fontMetrics().height())

    def show_worths(self, worths: SlotWorths | None, empty_text: str = "") -> None:
        """Show what slots are worth, or a sentence."""
        self.worths, self.empty_text = worths, empty_text or self.empty_text
        self.setAccessibleDescription("" if worths is None else worths.sentence)
        self.update()

    # ---- places

    def room(self, area: QRectF, letters: QFontMetricsF) -> QRectF:
        """Return where the curves lie: below the unit and the names, beside the values, above the times."""
        high = letters.height()
        marks = 0.0 if self.worths is None else MARK * len(self.worths.kinds)
        above = (1 + self._lines(area, letters)) * (high + 2) + AIR + marks
        below = high + TICK_LENGTH + 2
        ticks = self.values(area.height() - above - below, high)
        left = max(letters.horizontalAdvance(plain_number(tick)) for tick in ticks) + 2 * AIR
        return area.adjusted(left, above, -2 * AIR, -below)

    def values(self, height: float, line: float) -> list[float]:
        """Return which values are marked in a room of so many pixels, with lines of letters so high."""
        most = max(int(height / (1.5 * line)), 3)
        return times_between(0.0, self.highest, decimal_step(self.highest / most))

    @property
    def highest(self) -> float:
        """The value at the upper edge."""
        highest = 0.0 if self.worths is None else self.worths.highest
        return highest * ROOM_ABOVE or 1.0

    def _lines(self, area: QRectF, letters: QFontMetricsF) -> int:
        """In how many lines the kinds of slots have to be named."""
        kinds = () if self.worths is None else self.worths.kinds
        wide = sum(SWATCH + 3 * AIR + letters.horizontalAdvance(kind.name) for kind in kinds)
        return 1 if wide + AIR <= area.width() else len(kinds)

    def times(self, room: QRectF) -> ValueScale:
        """Return how times become pixels: as in the charts."""
        return ValueScale(self._axis.t0, self._axis.t1, room.left(), room.right())

    def curve(self, kind: KindWorth, room: QRectF) -> list[QPointF]:
        """Return the corners of the steps of one kind, as far as they are in view."""
        times, corners = self.times(room), list[QPointF]()
        ends = [*kind.times[1:].tolist(), self._axis.t1]
        for begin, end, worth in zip(kind.times.tolist(), ends, kind.worth.tolist(), strict=True):
            begin, end = max(begin, self._axis.t0), min(end, self._axis.t1)
            if begin < end:
                y = room.bottom() - worth / self.highest * room.height()
                corners += [QPointF(times.x(begin), y), QPointF(times.x(end), y)]
        return corners

    # ---- painting

    @override
    def paint(self, painter: QPainter, area: QRectF) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.worths is None:
            self.paint_nothing(painter, area.adjusted(2 * AIR, AIR, -2 * AIR, -AIR), self.empty_text)
            return
        letters = QFontMetricsF(painter.font())
        room = self.room(area, letters)
        self._paint_names(painter, area, letters, self.worths)
        self._paint_axes(painter, room, letters)
        for place, kind in enumerate(self.worths.kinds):
            self._paint_dearest(painter, room, kind, place)
        for place, kind in enumerate(self.worths.kinds):
            painter.setPen(QPen(colour_of(place, self.colours), 2, STYLES[place % 2]))
            painter.drawPolyline(QPolygonF(self.curve(kind, room)))

    def _paint_names(
        self, painter: QPainter, area: QRectF, letters: QFontMetricsF, worths: SlotWorths
    ) -> None:
        """Write the unit, and below it what each line is."""
        high = letters.height() + 2
        painter.setPen(self.colours.second_text)
        line = QRectF(area.left() + AIR, area.top() + AIR / 2, area.width() - 2 * AIR, high)
        unit = letters.elidedText(worths.unit, Qt.TextElideMode.ElideRight, line.width())
        painter.drawText(line, LEFT, unit)
        left, top = line.left(), line.bottom()
        for place, kind in enumerate(worths.kinds):
            painter.setPen(QPen(colour_of(place, self.colours), 2, STYLES[place % 2]))
            painter.drawLine(QPointF(left, top + high / 2), QPointF(left + SWATCH, top + high / 2))
            painter.setPen(self.colours.text)
            wide = letters.horizontalAdvance(kind.name)
            painter.drawText(QRectF(left + SWATCH + AIR, top, wide + AIR, high), LEFT, kind.name)
            if self._lines(area, letters) == 1:
                left += SWATCH + wide + 3 * AIR
            else:
                top += high

    def _paint_axes(self, painter: QPainter, room: QRectF, letters: QFontMetricsF) -> None:
        colours = self.colours
        for tick in self.values(room.height(), letters.height()):
            y = room.bottom() - tick / self.highest * room.height()
            painter.setPen(colours.faint_line)
            painter.drawLine(QPointF(room.left(), y), QPointF(room.right(), y))
            painter.setPen(colours.second_text)
            place = QRectF(room.left() - 400, y - letters.height() / 2, 400 - AIR, letters.height())
            flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(place, flags, plain_number(tick))
        painter.setPen(colours.line)
        painter.drawLine(room.bottomLeft(), room.bottomRight())
        times = self.times(room)
        for seconds, text in times.labels("s"):
            x, wide = times.x(seconds), letters.horizontalAdvance(text)
            painter.setPen(colours.line)
            painter.drawLine(QPointF(x, room.bottom()), QPointF(x, room.bottom() + TICK_LENGTH))
            if x + wide / 2 <= room.right() + 2 * AIR:
                painter.setPen(colours.second_text)
                painter.drawText(QPointF(x - wide / 2, room.bottom() + letters.ascent() + TICK_LENGTH), text)

    def _paint_dearest(self, painter: QPainter, room: QRectF, kind: KindWorth, place: int) -> None:
        """Mark when a slot is worth most: of each kind by a bar above, of the dearest by a band too."""
        begin, end = kind.dearest
        begin, end = max(begin, self._axis.t0), min(end, self._axis.t1)
        if begin >= end or not kind.worth.any():
            return
        times, colour = self.times(room), colour_of(place, self.colours)
        left, wide = times.x(begin), times.x(end) - times.x(begin)
        assert self.worths is not None
        above = room.top() - MARK * (len(self.worths.kinds) - place)
        painter.fillRect(QRectF(left, above, wide, MARK - 1), colour)
        if kind is self.worths.dearest:
            band = translucent(colour, BAND_ALPHA)
            painter.fillRect(QRectF(left, room.top(), wide, room.height()), band)

    @override
    def paint_over(self, painter: QPainter) -> None:
        room, at = self.room(QRectF(self.rect()), QFontMetricsF(painter.font())), self._axis.cursor
        if self.worths is not None and at is not None and self._axis.t0 <= at <= self._axis.t1:
            painter.fillRect(
                QRectF(round(self.times(room).x(at)), room.top(), 1, room.height()), self.colours.crosshair
            )
        if self.hasFocus():
            painter.setPen(QPen(self.colours.link, 1.2))
            painter.drawRect(QRectF(self.rect()).adjusted(1, 1, -1, -1))

    # ---- reading

    def text_at(self, seconds: float) -> str:
        """Return what a slot of each kind is worth at a time; empty where nothing is drawn."""
        if self.worths is None:
            return ""
        lines = [
            f"{kind.name} ({kind.slots}): {plain_number(kind.at(seconds))}" for kind in self.worths.kinds
        ]
        return "\n".join([f"At {clock_text(seconds, largest=self._axis.t1)}", *lines, self.worths.unit])

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        room = self.room(QRectF(self.rect()), QFontMetricsF(self.font()))
        is_inside = self.worths is not None and room.left() <= event.position().x() <= room.right()
        if not is_inside:
            self._leave()
            return
        seconds = self.times(room).value(event.position().x())
        self._axis.set_cursor(seconds)
        QToolTip.showText(event.globalPosition().toPoint(), tooltip(self.text_at(seconds)), self)

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self._leave()
        super().leaveEvent(event)

    def _leave(self) -> None:
        self._axis.set_cursor(None)
        QToolTip.hideText()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to where a value changes with Left and Right, to both ends with Home and End."""
        key = Qt.Key(event.key())
        if self.worths is None or key not in (*MOVES, Qt.Key.Key_Home, Qt.Key.Key_End):
            super().keyPressEvent(event)
            return
        changes = sorted({0.0, *(t for kind in self.worths.kinds for t in kind.times.tolist())})
        changes = [time for time in changes if self._axis.t0 <= time <= self._axis.t1] or [self._axis.t0]
        now = self._axis.cursor
        if key in MOVES and now is not None:
            beside = [time for time in changes if (time - now) * MOVES[key] > 0]
            at = now if not beside else min(beside) if MOVES[key] > 0 else max(beside)
        else:
            at = changes[-1] if key == Qt.Key.Key_End else changes[0]
        self._axis.set_cursor(at)
        room = self.room(QRectF(self.rect()), QFontMetricsF(self.font()))
        place = QPoint(round(self.times(room).x(at)), self.height())
        QToolTip.showText(self.mapToGlobal(place), tooltip(self.text_at(at)), self)

    # ---- elsewhere

    @override
    def paint_export(self, painter: QPainter, area: QRectF) -> None:
        painter.setFont(self.font())
        sentence = "" if self.worths is None else self.worths.sentence
        inner = area.adjusted(AIR, AIR / 2, -AIR, 0)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
        needed = QFontMetricsF(painter.font()).boundingRect(inner, flags, sentence)
        painter.setPen(self.colours.text)
        painter.drawText(inner, flags, sentence)
        self.paint(painter, area.adjusted(0, needed.height() + AIR, 0, 0))

    @override
    def export_size(self) -> QSize:
        """Return the size on the screen, with room for the sentence."""
        return QSize(max(self.width(), 420), max(self.height(), 180) + 4 * self.fontMetrics().height())

    @override
    def table(self) -> ChartTable:
        kinds = () if self.worths is None else self.worths.kinds
        unit = "" if self.worths is None else f" ({self.worths.unit})"
        rows = tuple(
            (kind.name, time, worth)
            for kind in kinds
            for time, worth in zip(kind.times.tolist(), kind.worth.tolist(), strict=True)
        )
        return ChartTable(("slots", "from (s)", f"worth{unit}"), rows)
