"""A tornado: for each parameter how far a step of it moves the end, the largest swing on top."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QResizeEvent
from typing_extensions import override

from core.model.number_text import grouped
from core.model.time_text import MINUS, change_text, difference_text, duration_text
from explorer.plots.axis import ValueScale, tick_text, time_ticks
from explorer.widgets.export import ChartTable, Picture
from explorer.widgets.tables import bold_font
from explorer.widgets.theme import fill_with, write_with

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QKeyEvent, QMouseEvent

    from core.study.sensitivity import Change, Sensitivity, Swing

HEADER = ("parameter", "unit", "from", "to", "end (s)", "change (s)", "problem")
NOTHING = "Nothing that was changed moves the end."
HINT = "Click: add this as a scenario"
AIR = 6.0
MIN_CHANGE, MAX_ROW = 16.0, 44.0
"""Pixels of a change at least, and of a parameter with all its changes at most."""
TITLES_SHARE = 0.34
"""Part of the width that names may take."""
VALUES_SHARE = 0.13
"""Part of the width that the value of a change may take."""
HALVINGS = 20
"""Of what a second is wide, to find the widest that there is room for."""


LEVERS, GIVEN = "What you can set", "What jobs and model bring along"
"""Headings of the two groups of rows."""
TICK_GAP_PX = 14.0
MIN_BAR_PX = 40.0
"""The longest bar is so long at least, whatever the texts take."""


class Bar(NamedTuple):
    """One change as it lies in the picture: its row, and the bar from the end without it to its own."""

    row: QRectF
    box: QRectF
    swing: Swing
    change: Change


class _TornadoColumns(NamedTuple):
    """How wide names, values of changes and, in a narrow picture, how far they move the end are, in pixels.

    In a narrow picture names are 0 wide, as each stands in a line of its own, `title_line` pixels high; in a
    wide one how far a change moves the end stands beside its bar, and `moved` is 0.
    """

    names: float
    values: float
    moved: float
    title_line: float

    @property
    def left(self) -> float:
        """Where bars may begin, from the left of the picture."""
        return AIR + (self.names + AIR if self.names else 0.0) + self.values + AIR

    @property
    def right(self) -> float:
        """Where bars end, from the right of the picture."""
        return AIR + (self.moved + AIR if self.moved else 0.0)


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
        shown = () if answer is None else answer.levers_first
        texts = [f"{swing.title}: {duration_text(swing.size)}" for swing in shown]
        self.setAccessibleDescription("; ".join(texts))
        self._focused = -1
        self.setMinimumHeight(self._min_height())
        self.updateGeometry()
        self.update()

    @override
    def sizeHint(self) -> QSize:
        rows = 8 if self._answer is None else max(len(self._answer.moving), 4)
        return QSize(420, max(round(40 + 34 * rows), self._min_height()))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setMinimumHeight(self._min_height())

    def _min_height(self) -> int:
        """Return how high it is at least where every change can be read, in pixels."""
        if self._answer is None or not self._answer.moving:
            return 0
        most = max(len(_run_of(swing)) for swing in self._answer.moving)
        swing = most * MIN_CHANGE + self._columns(self.width()).title_line
        return math.ceil(self._around() + len(self._answer.moving) * swing)

    def _around(self) -> float:
        """Return the height of all but the rows: what it is about, the headings of groups, and the axis."""
        line = QFontMetricsF(self.font()).height()
        titled = 0 if self._answer is None else len({swing.is_lever for swing in self._answer.moving})
        return 3 * line + titled * (line + AIR) + 2 * AIR

    def bars(self, area: QRectF) -> list[Bar]:
        """Return where the changes lie in an area, those that have an end, from top to bottom."""
        answer = self._answer
        if answer is None or not answer.moving:
            return []
        line, above = QFontMetricsF(self.font()).height(), self._columns(area.width()).title_line
        swings = answer.levers_first
        height = min((area.height() - self._around()) / len(swings) - above, MAX_ROW)
        scale = self._scale(area)
        base, found, top, group = scale.x(answer.base), [], area.top() + 2 * line + AIR, None
        for swing in swings:
            if swing.is_lever is not group:
                top, group = top + line + AIR, swing.is_lever
            top += above
            run = _run_of(swing)
            each = height / len(run)
            for i, change in enumerate(run):
                row = QRectF(area.left(), top + i * each, area.width(), each)
                x = scale.x(change.makespan or 0.0)
                inset = min(3.0, each / 6) if i in (0, len(run) - 1) else 0.5
                box = QRectF(min(x, base), row.top() + inset, abs(x - base), max(each - 2 * inset, 1.0))
                found.append(Bar(row, box, swing, change))
            top += height
        return found

    def _scale(self, area: QRectF) -> ValueScale:
        """Return the scale of the ends; how far each moves stands on the side of the line where no bar is.

        In a narrow picture it stands in a column of its own.
        """
        assert self._answer is not None
        metrics, base, columns = QFontMetricsF(self.font()), self._answer.base, self._columns(area.width())
        left = area.left() + columns.left
        needs = [
            (change.makespan - base, metrics.horizontalAdvance(_moved_text(base, change)) + AIR)
            for _, change in _changes(self._answer)
            if change.makespan is not None
        ]
        if columns.moved:
            needs = [(by, 0.0) for by, _ in needs]

        def taken(pixels: float) -> tuple[float, float]:
            """Return what a second of so many pixels takes to the left and to the right, with the texts."""
            sooner = max(max(-by * pixels, text if by >= 0 else 0.0) for by, text in needs)
            return sooner, max(max(by * pixels, text if by < 0 else 0.0) for by, text in needs)

        room, most = max(area.right() - columns.right - left, 20.0), max(abs(by) for by, _ in needs)
        low, high = MIN_BAR_PX / most, max(room, MIN_BAR_PX) / most
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
        line, scale = QFontMetricsF(self.font()).height(), self._scale(area)
        self._paint_heading(painter, area, line)
        top, bottom = area.top() + 2 * line + AIR, bars[-1].row.bottom() + 2
        self._paint_axis(painter, area, scale, top, bottom)
        painter.setPen(QPen(colours.ink, 1))
        painter.drawLine(QPointF(scale.left, top), QPointF(scale.left, bottom))
        for bar in bars:
            self._paint_bar(painter, bar, scale.left)
        for swing in answer.moving:
            rows = [bar.row for bar in bars if bar.swing is swing]
            self._paint_title(painter, swing, rows[0].united(rows[-1]))
        for is_lever, title in ((True, LEVERS), (False, GIVEN)):
            first = next((bar.row for bar in bars if bar.swing.is_lever is is_lever), None)
            if first is not None:
                self._paint_group(painter, title, first, line)

    def _paint_group(self, painter: QPainter, title: str, first: QRectF, line: float) -> None:
        painter.setFont(bold_font(self.font()))
        above = self._columns(first.width()).title_line
        place = QRectF(first.left() + AIR, first.top() - above - line - 2, first.width() - AIR, line)
        self._paint_over_line(painter, place, title, self.colours.second_text)
        painter.setFont(self.font())

    def _paint_axis(
        self, painter: QPainter, area: QRectF, scale: ValueScale, top: float, bottom: float
    ) -> None:
        """Draw a grid of round changes of the end, in the unit that fits, with a text below each."""
        assert self._answer is not None
        metrics, base = QFontMetricsF(painter.font()), self._answer.base
        columns = self._columns(area.width())
        left, right = area.left() + columns.left, area.right() - columns.right
        second = (scale.right - scale.left) / (scale.high - scale.low)
        span = (left - scale.left) / second, (right - scale.left) / second
        for moved, text in _ticks(*span, right - left, metrics):
            x = scale.x(base + moved)
            painter.setPen(QPen(self.colours.faint_line, 1))
            painter.drawLine(QPointF(x, top), QPointF(x, bottom))
            width = metrics.horizontalAdvance(text) + 2
            place = min(max(x - width / 2, area.left()), area.right() - width)
            painter.setPen(self.colours.second_text)
            painter.drawText(QRectF(place, bottom + 2, width, metrics.height()), text)

    def _paint_heading(self, painter: QPainter, area: QRectF, line: float) -> None:
        assert self._answer is not None
        room = area.adjusted(AIR, 2, -AIR, 0)
        write_with(painter, bold_font(self.font()), self.colours.text)
        metrics = QFontMetricsF(painter.font())
        heading = metrics.elidedText(self.heading, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, heading)
        write_with(painter, self.font(), self.colours.second_text)
        metrics, text = QFontMetricsF(self.font()), f"ends after {duration_text(self._answer.base)}"
        more = f"{text}; how much sooner or later it would"
        text = more if metrics.horizontalAdvance(more) <= room.width() else text
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room.adjusted(0, line + 2, 0, 0), Qt.AlignmentFlag.AlignTop, text)

    def _paint_bar(self, painter: QPainter, bar: Bar, base: float) -> None:
        assert self._answer is not None
        colours, end = self.colours, bar.change.makespan or 0.0
        is_later, is_same = end > self._answer.base, end == self._answer.base
        fill_with(painter, colours.second_text if is_same else colours.worse if is_later else colours.better)
        painter.drawRoundedRect(bar.box.adjusted(0, 0, 1.0, 0), 1.5, 1.5)
        metrics, middle = QFontMetricsF(painter.font()), bar.row.center().y()
        if metrics.height() > bar.row.height() * 1.25:
            return  # no room: the card says it
        height, columns = metrics.height(), self._columns(bar.row.width())
        painter.setPen(colours.second_text if is_same else colours.worse if is_later else colours.better)
        text = _moved_text(self._answer.base, bar.change)
        width = metrics.horizontalAdvance(text) + 2
        left = base + 5 if end < self._answer.base else base - width - 4
        if columns.moved:
            left = bar.row.right() - AIR - width
        painter.drawText(
            QRectF(left, middle - height / 2, width, height), Qt.AlignmentFlag.AlignVCenter, text
        )
        painter.setPen(colours.second_text)
        left = bar.row.left() + columns.left - AIR - columns.values
        values = QRectF(left, middle - height / 2, columns.values, height)
        text = _change_text(bar.swing, bar.change)
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, columns.values + 1)
        painter.drawText(values, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, text)

    def _paint_title(self, painter: QPainter, swing: Swing, rows: QRectF) -> None:
        metrics, columns = QFontMetricsF(painter.font()), self._columns(rows.width())
        width, place = columns.names, QRectF(rows.left() + AIR, rows.top(), columns.names + 2, rows.height())
        if columns.title_line:
            width = rows.width() - 2 * AIR
            place = QRectF(rows.left() + AIR, rows.top() - columns.title_line, width, columns.title_line)
        text = metrics.elidedText(swing.title, Qt.TextElideMode.ElideRight, width + 1)
        self._paint_over_line(painter, place, text, self.colours.text)

    def _paint_over_line(self, painter: QPainter, place: QRectF, text: str, colour: QColor) -> None:
        """Write a text over the line of the end without a change."""
        wide = QFontMetricsF(painter.font()).horizontalAdvance(text)
        behind = QRectF(place.left(), place.top(), min(wide + 2, place.width()), place.height())
        painter.fillRect(behind, self.background)
        painter.setPen(colour)
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)

    def _columns(self, width: float) -> _TornadoColumns:
        """Return how wide the columns are in a picture so wide."""
        metrics, answer = QFontMetricsF(self.font()), self._answer
        if answer is None or not answer.moving:
            return _TornadoColumns(0.0, 0.0, 0.0, 0.0)
        names = max(metrics.horizontalAdvance(swing.title) for swing in answer.moving)
        values = max(metrics.horizontalAdvance(_change_text(*each)) for each in _changes(answer))
        moved = max(metrics.horizontalAdvance(_moved_text(answer.base, each)) for _, each in _changes(answer))
        wide = min(names, width * TITLES_SHARE) + min(values, width * VALUES_SHARE) + 2 * moved
        if wide + 5 * AIR + 3 * MIN_BAR_PX > width:
            values = min(values, max(width - moved - 4 * AIR - 2 * MIN_BAR_PX, 0.0))
            return _TornadoColumns(0.0, values + 2, moved + 2, metrics.height())
        return _TornadoColumns(
            min(names, width * TITLES_SHARE), min(values, width * VALUES_SHARE) + 2, 0.0, 0.0
        )

    @override
    def paint_over(self, painter: QPainter) -> None:
        if self._answer is not None and not self._answer.moving:
            self.paint_nothing(painter, QRectF(self.rect()), NOTHING)
        bars = self.bars(QRectF(self.rect()))
        if self.hasFocus() and 0 <= self._focused < len(bars):
            painter.setPen(QPen(self.colours.selection, 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            row = bars[self._focused].row
            columns = self._columns(row.width())
            left = columns.left - AIR - columns.values - 1
            painter.drawRoundedRect(row.adjusted(left, 0, -3, 0), 3, 3)

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
    def tip_at(self, place: QPointF) -> str:
        bar = self.bar_at(place.y())
        return "" if bar is None or self._answer is None else _sentence(bar, self._answer.base)

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


def _run_of(swing: Swing) -> list[Change]:
    """Return the changes of a parameter that have an end."""
    return [change for change in swing.changes if change.makespan is not None]


def _changes(answer: Sensitivity) -> Iterator[tuple[Swing, Change]]:
    for swing in answer.moving:
        for change in _run_of(swing):
            yield swing, change


def _change_text(swing: Swing, change: Change) -> str:
    return f"{change.value} {swing.unit}".rstrip()


def _moved_text(base: float, change: Change) -> str:
    """Return how much sooner or later a change lets it end: "−4 min 45 s"."""
    return difference_text(base, base if change.makespan is None else change.makespan)


def _ticks(low: float, high: float, room: float, metrics: QFontMetricsF) -> list[tuple[float, str]]:
    """Return round changes of the end from low to high, in seconds, with texts that stand apart."""
    found: list[tuple[float, str]] = []
    for most in range(max(int(room / (2 * TICK_GAP_PX)), 1), 0, -1):
        ticks = time_ticks(low, high, most)
        step = ticks[1] - ticks[0] if len(ticks) > 1 else abs(ticks[0]) if ticks else 0.0
        found = [(moved, signed_tick(moved, step)) for moved in ticks]
        widest = max((metrics.horizontalAdvance(text) for _, text in found), default=0.0)
        if widest + TICK_GAP_PX <= room * step / (high - low or 1.0):
            break
    return found


def signed_tick(moved: float, step: float) -> str:
    """Write a change of the end below the axis in the unit of the step: "−5 min", "0", "+30 s", "+90 min"."""
    if not moved:
        return "0"
    sign = MINUS if moved < 0 else "+"
    if step % 60 or step % 3600 == 0 or moved % 3600:
        return f"{sign}{tick_text(abs(moved), 's')}"
    return f"{sign}{grouped(abs(moved) / 60)} min"


def _sentence(bar: Bar, base: float) -> str:
    end = bar.change.makespan or 0.0
    moved = f"ends after {duration_text(end)}: {difference_text(base, end)}, {change_text(base, end)}"
    return f"{bar.swing.label(bar.change)}\n{moved}\n{HINT}"
