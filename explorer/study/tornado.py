"""A tornado: for each parameter how far a step of it moves the end, the largest swing on top."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QPainter, QPen
from PySide6.QtWidgets import QToolTip
from typing_extensions import override

from core.model.time_text import change_text, duration_text
from explorer.plots.axis import ValueScale
from explorer.widgets.export import ChartTable, Picture
from explorer.widgets.plain_labels import tooltip
from explorer.widgets.tables import bold_font

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QKeyEvent, QMouseEvent

    from core.study.sensitivity import Change, Sensitivity, Swing

HEADER = ("parameter", "unit", "from", "to", "end (s)", "change (s)", "problem")
NOTHING = "Nothing that was changed moves the end."
HINT = "Click: add this as a scenario"
AIR = 8.0
MAX_ROW = 44.0
TITLES_SHARE = 0.4
"""Part of the width that names may take."""
VALUES_SHARE = 0.15
"""Part of the width that the value of a change may take."""
HALVINGS = 20
"""Of what a second is wide, to find the widest that there is room for."""


class Bar(NamedTuple):
    """One change as it lies in the picture: its row, and the bar from the end without it to its own."""

    row: QRectF
    box: QRectF
    swing: Swing
    change: Change


class Tornado(Picture):
    """The swings as bars; a click, or Enter, requests one change as a scenario.

    Signals
    -------
    wanted : a `Swing` and one of its changes
    """

    wanted = Signal(object, object)

    def __init__(self) -> None:
        super().__init__("sensitivity")
        self.heading = ""
        self._answer: Sensitivity | None = None
        self._focused = -1
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName("Sensitivity")

    def show_swings(self, answer: Sensitivity | None, heading: str = "") -> None:
        """Show what is known, under a heading; nothing for None."""
        self._answer, self.heading = answer, heading
        shown = [] if answer is None else answer.moving
        texts = [f"{swing.title}: {duration_text(swing.size)}" for swing in shown]
        self.setAccessibleDescription("; ".join(texts))
        self._focused = -1
        self.updateGeometry()
        self.update()

    @override
    def sizeHint(self) -> QSize:
        rows = 8 if self._answer is None else max(len(self._answer.moving), 4)
        return QSize(420, round(40 + 34 * rows))

    def bars(self, area: QRectF) -> list[Bar]:
        """Return where the changes lie in an area, those that have an end, from top to bottom."""
        answer = self._answer
        if answer is None or not answer.moving:
            return []
        swings, metrics = answer.moving, QFontMetricsF(self.font())
        top = area.top() + 2 * metrics.height() + AIR
        height = min((area.bottom() - AIR - top) / len(swings), MAX_ROW)
        scale = self._scale(area)
        base, found = scale.x(answer.base), []
        for place, swing in enumerate(swings):
            run = [change for change in swing.changes if change.makespan is not None]
            each = height / len(run)
            for i, change in enumerate(run):
                y = top + place * height + i * each
                row = QRectF(area.left(), y, area.width(), each)
                x = scale.x(change.makespan or 0.0)
                inset = min(2.0, each / 6) if i in (0, len(run) - 1) else 0.5
                box = QRectF(min(x, base), y + inset, abs(x - base), max(each - 2 * inset, 1.0))
                found.append(Bar(row, box, swing, change))
        return found

    def _scale(self, area: QRectF) -> ValueScale:
        """Return the scale of the ends; a value stands on the side of the line where its bar is not."""
        assert self._answer is not None
        metrics, base = QFontMetricsF(self.font()), self._answer.base
        left = area.left() + AIR + self._names(area.width()) + AIR
        widest = area.width() * VALUES_SHARE + AIR
        needs = [
            (
                change.makespan - base,
                min(metrics.horizontalAdvance(_change_text(swing, change)) + AIR, widest),
            )
            for swing, change in _changes(self._answer)
            if change.makespan is not None
        ]

        def taken(pixels: float) -> tuple[float, float]:
            """Return what a second of so many pixels takes to the left and to the right."""
            sooner = max(max(-by * pixels, text if by >= 0 else 0.0) for by, text in needs)
            return sooner, max(max(by * pixels, text if by < 0 else 0.0) for by, text in needs)

        room, most = max(area.right() - AIR - left, 20.0), max(abs(by) for by, _ in needs)
        low, high = 20.0 / most / HALVINGS, room / most
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            low, high = (middle, high) if sum(taken(middle)) <= room else (low, middle)
        x = left + taken(low)[0]
        return ValueScale(base, base + most, x, x + most * low)

    @override
    def paint(self, painter: QPainter, area: QRectF) -> None:
        answer, colours = self._answer, self.colours
        painter.setFont(self.font())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        bars = self.bars(area)
        if answer is None or not bars:
            return
        line = QFontMetricsF(self.font()).height()
        base = self._scale(area).x(answer.base)
        self._paint_heading(painter, area, base, line)
        painter.setPen(QPen(colours.text, 1))
        painter.drawLine(QPointF(base, area.top() + 2 * line + 2), QPointF(base, bars[-1].row.bottom() + 2))
        for bar in bars:
            self._paint_bar(painter, bar, base)
        for swing in answer.moving:
            rows = [bar.row for bar in bars if bar.swing is swing]
            self._paint_title(painter, swing, rows[0].united(rows[-1]))

    def _paint_heading(self, painter: QPainter, area: QRectF, base: float, line: float) -> None:
        assert self._answer is not None
        painter.setPen(self.colours.text)
        painter.setFont(bold_font(self.font()))
        room = area.adjusted(AIR, 2, -AIR, 0)
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, self.heading)
        painter.setFont(self.font())
        text = f"ends after {duration_text(self._answer.base)}"
        width = QFontMetricsF(self.font()).horizontalAdvance(text) + 4
        left = min(max(base - width / 2, area.left() + AIR), area.right() - width - AIR)
        painter.setPen(self.colours.second_text)
        painter.drawText(QRectF(left, area.top() + line + 2, width, line), Qt.AlignmentFlag.AlignCenter, text)

    def _paint_bar(self, painter: QPainter, bar: Bar, base: float) -> None:
        assert self._answer is not None
        colours, end = self.colours, bar.change.makespan or 0.0
        is_later = end > self._answer.base
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(
            colours.second_text if end == self._answer.base else colours.worse if is_later else colours.better
        )
        painter.drawRoundedRect(bar.box.adjusted(0, 0, 1.0, 0), 1.5, 1.5)
        painter.setPen(colours.second_text)
        text, middle = _change_text(bar.swing, bar.change), bar.row.center().y()
        metrics = QFontMetricsF(painter.font())
        if metrics.height() > bar.row.height() * 1.25:
            return  # no room: the card says it
        width = min(metrics.horizontalAdvance(text), bar.row.width() * VALUES_SHARE) + 2
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
        left = base + 5 if end < self._answer.base else base - width - 4
        place = QRectF(left, middle - metrics.height() / 2, width, metrics.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, text)

    def _paint_title(self, painter: QPainter, swing: Swing, rows: QRectF) -> None:
        metrics = QFontMetricsF(painter.font())
        width = self._names(rows.width())
        place = QRectF(rows.left() + AIR, rows.top(), width + 2, rows.height())
        text = metrics.elidedText(swing.title, Qt.TextElideMode.ElideRight, width + 1)
        painter.setPen(self.colours.text)
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, text)

    def _names(self, width: float) -> float:
        """Return how wide the names are in a picture so wide."""
        metrics, shown = QFontMetricsF(self.font()), () if self._answer is None else self._answer.moving
        return min(max(metrics.horizontalAdvance(swing.title) for swing in shown), width * TITLES_SHARE)

    @override
    def paint_over(self, painter: QPainter) -> None:
        if self._answer is not None and not self._answer.moving:
            painter.setPen(self.colours.third_text)
            flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.rect(), flags, NOTHING)
        bars = self.bars(QRectF(self.rect()))
        if self.hasFocus() and 0 <= self._focused < len(bars):
            painter.setPen(QPen(self.colours.selection, 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            row = bars[self._focused].row
            painter.drawRoundedRect(row.adjusted(AIR + self._names(row.width()) + 5, 0, -3, 0), 3, 3)

    # ---- mouse and keys

    def bar_at(self, y: float) -> Bar | None:
        """Return the change whose row is at a height, or None."""
        bars = self.bars(QRectF(self.rect()))
        return next((bar for bar in bars if bar.row.top() <= y < bar.row.bottom()), None)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        is_bar = self.bar_at(event.position().y()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if is_bar else Qt.CursorShape.ArrowCursor)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        bar = self.bar_at(event.position().y())
        if bar is not None and event.button() == Qt.MouseButton.LeftButton:
            self.wanted.emit(bar.swing, bar.change)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        bars = self.bars(QRectF(self.rect()))
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if step is not None and bars:
            self._focused = min(max(self._focused + step, 0), len(bars) - 1)
            self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and 0 <= self._focused < len(bars):
            self.wanted.emit(bars[self._focused].swing, bars[self._focused].change)
        else:
            super().keyPressEvent(event)

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            bar = self.bar_at(event.pos().y())
            text = "" if bar is None or self._answer is None else _sentence(bar, self._answer.base)
            QToolTip.showText(event.globalPos(), tooltip(text) if text else "", self)
            return True
        return super().event(event)

    @override
    def table(self) -> ChartTable:
        answer = self._answer
        if answer is None:
            return ChartTable(HEADER, ())
        rows = []
        for swing in answer.swings:
            for each in swing.changes:
                change = None if each.makespan is None else each.makespan - answer.base
                rows.append(
                    (swing.title, swing.unit, swing.value, each.value, each.makespan, change, each.problem)
                )
        return ChartTable(HEADER, tuple(rows))


def _changes(answer: Sensitivity) -> Iterator[tuple[Swing, Change]]:
    for swing in answer.moving:
        for change in swing.changes:
            if change.makespan is not None:
                yield swing, change


def _change_text(swing: Swing, change: Change) -> str:
    return f"{change.value} {swing.unit}".rstrip()


def _sentence(bar: Bar, base: float) -> str:
    end = bar.change.makespan or 0.0
    moved = f"ends after {duration_text(end)}, {change_text(base, end)}"
    return f"{bar.swing.label(bar.change)}\n{moved}\n{HINT}"
