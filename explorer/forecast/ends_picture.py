"""The picture of a forecast: for each job that has not ended the times between which it will."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPen, QPolygonF
from typing_extensions import override

from core.charts.forecast_ends import ends_of, moved_from
from core.model.time_text import clock_text, signed_duration
from core.model.visible_text import short_names
from explorer.plots.axis import ValueScale, time_ticks
from explorer.widgets.export import ChartTable, Picture
from explorer.widgets.tables import bold_font
from explorer.widgets.theme import fill_with, write_with

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QMouseEvent

    from core.charts.forecast_ends import EndRow
    from core.forecast.forecast import Forecast
    from core.forecast.submitted import Submission

HEADER = (
    *("job", "ends at about (s)", "50 % from (s)", "50 % to (s)", "90 % from (s)", "90 % to (s)"),
    *("deadline (s)", "in time", "later for new jobs (s)"),
)
AIR = 6.0
ROW = 20.0
NAMES_SHARE = 0.3
"""Part of the width that names may take."""
TICK_ROOM_PX = 64.0
REACH = 1.25
"""How far the axis goes beyond the last band of 50 %: rare draws that end much later are cut off."""
FIRM = 3
"""Pixels that a submitted job has to be dragged."""
KEY_PART = 0.02
"""Of the axis that a key moves it by."""
WIDE, NARROW = 0.62, 0.34
"""Heights of the bands of 50 and of 90 %, as parts of a row."""


class EndsPicture(Picture):
    """Bands of the ends of jobs over a common time axis that begins now; a click chooses a job.

    Attributes
    ----------
    rows : the jobs, from top to bottom
    short : their names in it, by name: without what all jobs of the night share

    Signals
    -------
    chosen : a job's name
    moved : a submitted job comes so many seconds later than where the drag began
    dropped, let_back : the drag has ended, or is given up
    """

    chosen = Signal(str)
    moved = Signal(float)
    dropped = Signal()
    let_back = Signal()

    def __init__(self) -> None:
        super().__init__("forecast")
        self.rows: list[EndRow] = []
        self.short: dict[str, str] = {}
        self._heading, self._now, self._focused = "", 0.0, -1
        self._pressed: float | None = None
        self._held: ValueScale | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName("Forecast of the ends of jobs")

    def show_forecast(
        self,
        found: Forecast | None,
        heading: str = "",
        submission: Submission | None = None,
        before: Forecast | None = None,
    ) -> None:
        """Show when jobs end, under a heading; nothing for None. Of a submission its new jobs stand out.

        Parameters
        ----------
        before : on the same draws, before what is submitted was moved
        """
        ends = None if found is None else moved_from(ends_of(found, submission), before)
        focused = self.rows[self._focused].job if 0 <= self._focused < len(self.rows) else None
        self.rows = [] if ends is None else list(ends.rows)
        names = () if found is None else tuple(found.known.schedule.workload.job_index)
        self.short = dict(zip(names, short_names(names), strict=True))
        self._now = 0.0 if found is None else found.known.time
        self._heading = heading
        self._focused = next((n for n, row in enumerate(self.rows) if row.job == focused), -1)
        self.setAccessibleDescription("; ".join(f"{row.job}: {_span(row)}" for row in self.rows[:50]))
        self.setMinimumHeight(self.sizeHint().height() if self.rows else 0)
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(420, round(self._top + ROW * max(len(self.rows), 3) + self._line + 2 * AIR))

    @property
    def _line(self) -> float:
        return QFontMetricsF(self.font()).height()

    @property
    def _top(self) -> float:
        """Where the first row begins: below the heading and the legend."""
        return 2 * self._line + 2 * AIR

    def row_box(self, place: int, area: QRectF) -> QRectF:
        """Return where a row lies in an area."""
        return QRectF(area.left(), area.top() + self._top + place * ROW, area.width(), ROW)

    def _names(self, width: float) -> float:
        metrics = QFontMetricsF(bold_font(self.font()))
        widest = max((metrics.horizontalAdvance(self.short[row.job]) for row in self.rows), default=0.0)
        return min(widest + 2, width * NAMES_SHARE)

    def scale(self, area: QRectF) -> ValueScale:
        """Return the axis: from now to somewhat beyond the last band of 50 %, as far as bands go."""
        if self._held is not None:
            return self._held
        last = max(row.half[1] for row in self.rows)
        end = min(self._now + REACH * (last - self._now), max(row.most[1] for row in self.rows))
        left = area.left() + AIR + self._names(area.width()) + 2 * AIR
        return ValueScale(self._now, max(end, self._now + 1e-3), left, max(area.right() - 3 * AIR, left + 20))

    @override
    def paint(self, painter: QPainter, area: QRectF) -> None:
        if not self.rows:
            return
        painter.setFont(self.font())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        scale = self.scale(area)
        self._paint_heading(painter, area)
        self._paint_axis(painter, area, scale)
        for place, row in enumerate(self.rows):
            self._paint_row(painter, row, self.row_box(place, area), scale)

    def _paint_heading(self, painter: QPainter, area: QRectF) -> None:
        room = area.adjusted(AIR, 2, -AIR, 0)
        write_with(painter, bold_font(self.font()), self.colours.text)
        heading = QFontMetricsF(painter.font()).elidedText(
            self._heading, Qt.TextElideMode.ElideRight, room.width()
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, heading)
        painter.setFont(self.font())
        self._paint_legend(painter, room.left(), room.top() + self._line + 2, room.right())

    def _paint_legend(self, painter: QPainter, x: float, y: float, right: float) -> None:
        """Draw what the signs mean, in one line: those that there is room for."""
        metrics, colours = QFontMetricsF(self.font()), self.colours
        has_deadlines = any(row.deadline is not None for row in self.rows)
        signs = [("half of the draws", WIDE), ("90 %", NARROW), ("middle", 0.0)]
        signs += [("before the move", -2.0)] if any(not isnan(row.was) for row in self.rows) else []
        signs += [("deadline", -1.0)] if has_deadlines else []
        for text, height in signs:
            width = metrics.horizontalAdvance(text)
            if x + 18 + width > right:
                return
            box = QRectF(x, y, 14, self._line)
            middle = box.center()
            if height > 0:
                self._paint_band(painter, box, ROW * height, is_wide=height == WIDE)
            elif height == 0:
                painter.setPen(QPen(colours.ink, 2))
                painter.drawLine(QPointF(middle.x(), y + 2), QPointF(middle.x(), y + self._line - 2))
            elif height == -1.0:
                self._paint_deadline(painter, middle, 0.0)
            else:
                self._paint_was(painter, middle.x(), y, y + self._line)
            painter.setPen(colours.second_text)
            painter.drawText(QRectF(x + 18, y, width + 2, self._line), text)
            x += 18 + width + 12

    def _paint_axis(self, painter: QPainter, area: QRectF, scale: ValueScale) -> None:
        """Draw a grid of round times with a text below each, and the line of now."""
        metrics = QFontMetricsF(self.font())
        top, bottom = area.top() + self._top, self.row_box(len(self.rows), area).top() + 2
        most = max(int((scale.right - scale.left) / TICK_ROOM_PX), 1)
        for time in time_ticks(scale.low, scale.high, most):
            x = scale.x(time)
            painter.setPen(QPen(self.colours.faint_line, 1))
            painter.drawLine(QPointF(x, top), QPointF(x, bottom))
            text = clock_text(time, largest=scale.high)
            width = metrics.horizontalAdvance(text) + 2
            place = min(max(x - width / 2, area.left()), area.right() - width)
            painter.setPen(self.colours.second_text)
            painter.drawText(QRectF(place, bottom + 2, width, metrics.height()), text)
        painter.setPen(QPen(self.colours.cursor, 1.5))
        painter.drawLine(QPointF(scale.left, top - 3), QPointF(scale.left, bottom))

    def _paint_row(self, painter: QPainter, row: EndRow, box: QRectF, scale: ValueScale) -> None:
        colours, metrics = self.colours, QFontMetricsF(bold_font(self.font()))
        name = QRectF(box.left() + AIR, box.top(), self._names(box.width()), box.height())
        write_with(painter, bold_font(self.font()) if row.is_new else self.font(), colours.text)
        text = metrics.elidedText(self.short[row.job], Qt.TextElideMode.ElideMiddle, name.width() + 1)
        painter.drawText(name, Qt.AlignmentFlag.AlignVCenter, text)
        painter.setFont(self.font())
        for (low, high), height in ((row.most, NARROW), (row.half, WIDE)):
            left, right = scale.x(min(low, scale.high)), scale.x(min(high, scale.high))
            band = QRectF(left, box.top(), max(right - left, 1.0), box.height())
            self._paint_band(painter, band, ROW * height, is_wide=height == WIDE)
        middle = box.center().y()
        if row.most[1] > scale.high:
            self._paint_arrow(painter, QPointF(scale.right + 3, middle))
        if row.middle <= scale.high:
            x = scale.x(row.middle)
            painter.setPen(QPen(colours.ink, 2))
            painter.drawLine(QPointF(x, box.top() + 3), QPointF(x, box.bottom() - 3))
        if scale.low <= row.was <= scale.high:
            self._paint_was(painter, scale.x(row.was), box.top(), box.bottom())
        if row.is_new:
            self._paint_arrival(painter, scale.x(min(row.arrival, scale.high)), box)
        if row.deadline is not None and scale.low <= row.deadline <= scale.high:
            self._paint_deadline(painter, QPointF(scale.x(row.deadline), middle), 1 - row.chance)

    def _paint_band(self, painter: QPainter, box: QRectF, height: float, *, is_wide: bool) -> None:
        colour = self.colours.accent
        colour = type(colour)(colour)
        colour.setAlphaF(0.75 if is_wide else 0.4)
        fill_with(painter, colour)
        middle = box.center().y()
        painter.drawRoundedRect(QRectF(box.left(), middle - height / 2, box.width(), height), 2, 2)

    def _paint_arrow(self, painter: QPainter, tip: QPointF) -> None:
        """Draw that a band goes on beyond the axis."""
        fill_with(painter, self.colours.second_text)
        corners = (
            QPointF(tip.x(), tip.y() - 4),
            QPointF(tip.x(), tip.y() + 4),
            QPointF(tip.x() + 6, tip.y()),
        )
        painter.drawPolygon(QPolygonF(corners))

    def _paint_was(self, painter: QPainter, x: float, top: float, bottom: float) -> None:
        """Draw when a job ended before what is submitted was moved."""
        painter.setPen(QPen(self.colours.text, 1.5, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(x, top + 1), QPointF(x, bottom - 1))

    def _paint_arrival(self, painter: QPainter, x: float, box: QRectF) -> None:
        """Draw when a submitted job comes: a handle that can be dragged."""
        y = box.center().y()
        painter.setPen(QPen(self.colours.plot, 1))
        painter.setBrush(self.colours.cursor)
        corners = (QPointF(x - 5, y - 6), QPointF(x + 5, y), QPointF(x - 5, y + 6))
        painter.drawPolygon(QPolygonF(corners))

    def _paint_deadline(self, painter: QPainter, middle: QPointF, late: float) -> None:
        """Draw when a job is due: a ring, filled as far as it is late in most draws."""
        painter.setPen(QPen(self.colours.worse if late > 0.5 else self.colours.ink, 1.5))
        painter.setBrush(self.colours.worse if late > 0.5 else self.colours.plot)
        painter.drawEllipse(middle, 4, 4)

    @override
    def paint_over(self, painter: QPainter) -> None:
        if self.hasFocus() and 0 <= self._focused < len(self.rows):
            painter.setPen(QPen(self.colours.selection, 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            box = self.row_box(self._focused, QRectF(self.rect()))
            painter.drawRoundedRect(box.adjusted(2, 0, -2, 0), 3, 3)

    # ---- mouse and keys

    def row_at(self, y: float) -> EndRow | None:
        """Return the row at a height, or None."""
        place = int((y - self._top) // ROW)
        return self.rows[place] if 0 <= place < len(self.rows) else None

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self.row_at(event.position().y())
        if row is not None and row.is_new and event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.position().x()

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        row, x = self.row_at(event.position().y()), event.position().x()
        if self._pressed is None:
            shape = Qt.CursorShape.ArrowCursor if row is None else Qt.CursorShape.PointingHandCursor
            self.setCursor(Qt.CursorShape.SizeHorCursor if row is not None and row.is_new else shape)
            return
        start = self._pressed
        if self._held is None and abs(x - start) >= FIRM:
            self._held = self.scale(QRectF(self.rect()))
        if self._held is not None:
            self.moved.emit(round(self._held.value(x) - self._held.value(start)))

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        row, was_drag = self.row_at(event.position().y()), self._held is not None
        self._pressed = self._held = None
        if was_drag:
            self.dropped.emit()
            self.update()
        elif row is not None and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(row.job)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        across = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        row = self.rows[self._focused] if 0 <= self._focused < len(self.rows) else None
        if event.key() == Qt.Key.Key_Escape and self._held is not None:
            self._pressed = self._held = None
            self.let_back.emit()
        elif step is not None and self.rows:
            self._focused = min(max(self._focused + step, 0), len(self.rows) - 1)
            self.update()
        elif across is not None and row is not None and row.is_new:
            scale = self.scale(QRectF(self.rect()))
            by = max(round((scale.high - scale.low) * KEY_PART), 1)
            self.moved.emit(across * by)
            self.dropped.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and row is not None:
            self.chosen.emit(row.job)
        else:
            super().keyPressEvent(event)

    @override
    def tip_at(self, place: QPointF) -> str:
        row = self.row_at(place.y())
        return "" if row is None else _sentence(row)

    @override
    def table(self) -> ChartTable:
        rows = [
            (
                row.job,
                row.middle,
                *row.half,
                *row.most,
                row.deadline,
                None if row.deadline is None else row.chance,
                row.delay,
            )
            for row in self.rows
        ]
        return ChartTable(HEADER, tuple(rows))


def _span(row: EndRow) -> str:
    low, high = row.most
    return f"ends at about {clock_text(row.middle)}, in 90 % between {clock_text(low)} and {clock_text(high)}"


def _sentence(row: EndRow) -> str:
    half = f"in half of the draws between {clock_text(row.half[0])} and {clock_text(row.half[1])}"
    due = (
        ""
        if row.deadline is None
        else f"\nDue at {clock_text(row.deadline)}: in time in {100 * row.chance:.0f} %"
    )
    due += "".join(f"\n{level.text}" for level in row.levels)
    if row.delay:
        due += f"\n{signed_duration(row.delay)} for the jobs that are submitted, in the middle of the draws"
    if not isnan(row.was):
        due += f"\nBefore the move at about {clock_text(row.was)}"
    click = "Drag, or ← and →: let it come earlier or later" if row.is_new else "Click: select the job"
    return f"{row.job} {_span(row)}\n{half}{due}\n{click}"
