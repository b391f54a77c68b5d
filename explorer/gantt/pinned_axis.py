"""The one time axis below several charts: ticks, handles of the time cursor and the end, the overview."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from core.model.time_text import clock_text, duration_text
from explorer.gantt.chart_scene import LaterPictures
from explorer.gantt.geometry.chart_frame import (
    STACK_AXIS_LINE,
    STACK_OVERVIEW_LINE,
    TICK_DISTANCE,
)
from explorer.gantt.gestures.cursor_line import CursorGesture, EndGesture
from explorer.gantt.gestures.gestures import gives_up
from explorer.gantt.gestures.overview_gesture import GRASPS, OverviewGesture, grasp_at
from explorer.gantt.layers.cursor_marks import CASING, paint_cursor_line, paint_end_line
from explorer.gantt.layers.idle_time import slashes_at
from explorer.gantt.layers.layer import draw_tag
from explorer.gantt.layers.overview import OverviewLayer
from explorer.gantt.layers.title_and_axis import paint_axis
from explorer.widgets.theme import fill_with, translucent

if TYPE_CHECKING:
    from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPaintEvent, QWheelEvent

    from explorer.document.time_axis import EndLine, TimeAxis, TimeCursor
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.gantt.gestures.gestures import Chart, Gesture
    from explorer.gantt.raster.kept_picture import Drawing

HEIGHT = STACK_AXIS_LINE + STACK_OVERVIEW_LINE
TIP = 4
TRACK_ALPHA = 90
CROSSHAIR_AIR, HANDLE_AIR = 12.0, 14.0
MAX_SAME_PX = 20
"""Pixels that may have one text at most: a flag covers a label that is nearer."""
END_REACH = 7
"""Pixels beside the end line at which a press takes hold of it."""
FLAG = (10.0, 8.0)
"""Width and height of the pennant at the end of all schedules, while no time is asked for."""
TIP_OF_CURSOR = "Drag to look at another instant; Ctrl+wheel zooms"
TIP_OF_IDLE = "{} in which nothing runs; a click {}"
TIP_OF_END = "Drag to the time by which all is to end: the fewest slots for that are found"


class PinnedAxis(QWidget):
    """Shows the times of the charts above it; it is as wide as they are.

    A press beside the overview moves the time cursor, one in the overview the view, and one at the pennant
    the time by which all is to end.

    Signals:
        idle_clicked: the slashes of a stretch in which nothing runs were clicked
    """

    idle_clicked = Signal()

    def __init__(
        self, axis: TimeAxis, cursor: TimeCursor, end: EndLine, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, mouseTracking=True, focusPolicy=Qt.FocusPolicy.ClickFocus)
        self._axis, self._cursor, self._end = axis, cursor, end
        self._chart: Chart | None = None
        self._bases: tuple[object, ...] = ()
        self._gesture: Gesture | None = None
        self._overview = OverviewLayer()
        self._later: list[Drawing] = []
        self._overview.later = self._later
        self._pictures = LaterPictures(self._later, self)
        self._pictures.drawn.connect(self.update)
        for signal in (axis.range_changed, axis.cursor_changed, cursor.moved, end.moved):
            signal.connect(self.update)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Time axis")
        self.setToolTip(TIP_OF_CURSOR)

    def follow(self, chart: Chart | None) -> None:
        """Show the times of a chart, and its schedule in small; it has to be as wide as this."""
        self._chart = chart
        self.update()

    def frame(self) -> ChartFrame | None:
        """Return the chart's frame with the places of this axis; None while nothing is shown."""
        chart = self._chart
        if chart is None or chart.content.rows is None:
            return None
        base = chart.frame().unveiled
        if self._bases != (base, self.size()):
            places = base.places.with_axis(self.width())
            self._bases, self._frame = (base, self.size()), replace(base, places=places)
        return self._frame

    @override
    def sizeHint(self) -> QSize:
        return QSize(400, HEIGHT)

    # ---- painting

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        frame = self.frame()
        with QPainter(self) as painter:
            if frame is None:
                painter.fillRect(self.rect(), self.palette().window())
                return
            painter.fillRect(self.rect(), frame.theme.window)
            painter.fillRect(0, 0, self.width(), 1, frame.theme.line)
            paint_axis(painter, frame)
            self._paint_overview(painter, frame)
            if self._axis.cursor is not None and frame.shows(self._axis.cursor):
                _paint_crosshair(painter, frame, self._axis.cursor)
            if frame.shows(self._end_seconds):
                _paint_end(painter, frame, self._end_seconds, is_wanted=self._end.is_shown)
            if self._cursor.seconds is not None:
                _paint_cursor(painter, frame, self._cursor.seconds)
        self._pictures.start()

    @property
    def _end_seconds(self) -> float:
        """Where the end line stands, or waits."""
        return self._cursor.end if self._end.seconds is None else self._end.seconds

    def _is_at_end(self, frame: ChartFrame, position: QPointF) -> bool:
        """Whether a press here takes hold of the end line."""
        seconds = self._end_seconds
        if not frame.shows(seconds) or frame.places.overview.contains(position.toPoint()):
            return False
        if self._end.is_shown and _time_flag(frame, seconds, HANDLE_AIR, "by ")[0].contains(position):
            return True
        return abs(position.x() - frame.x(seconds)) <= END_REACH

    def _paint_overview(self, painter: QPainter, frame: ChartFrame) -> None:
        """Draw the slots in use over the whole time; only where they would be while they are veiled."""
        self._later.clear()
        rows = frame.content.rows
        if rows is None or frame.content.is_veiled:
            track = QRectF(frame.places.overview).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(frame.theme.line)
            painter.setBrush(translucent(frame.theme.line, TRACK_ALPHA))
            painter.drawRoundedRect(track, 3, 3)
        else:
            self._overview.paint(painter, frame, rows)

    # ---- events

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and self._gesture and gives_up(event):
            event.accept()  # else a shortcut of the window would take it
            return True
        return super().event(event)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        frame, position = self.frame(), event.position()
        if self._gesture or frame is None or event.button() != Qt.MouseButton.LeftButton:
            return
        if frame.places.overview.contains(position.toPoint()):
            self._gesture = OverviewGesture(self._shown, self._axis, position)
        elif slashes_at(frame, position.x()):
            self.idle_clicked.emit()
        elif self._is_at_end(frame, position):
            self._gesture = EndGesture(self._shown, self._end, position)
        else:
            self._gesture = CursorGesture(self._shown, self._cursor, position)

    def _shown(self) -> ChartFrame:
        frame = self.frame()
        assert frame is not None  # a gesture goes on only while something is shown
        return frame

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        frame = self.frame()
        if frame is None:
            self._gesture = None
        elif self._gesture:
            self._gesture.move(event.position())
        else:
            self.setToolTip(self._tip_at(frame, event.position()))
            if frame.places.overview.contains(event.position().toPoint()):
                self.setCursor(GRASPS[grasp_at(frame, event.position().x())].shape)
            else:
                is_on_slashes = slashes_at(frame, event.position().x())
                shape = Qt.CursorShape.PointingHandCursor if is_on_slashes else Qt.CursorShape.SplitHCursor
                self.setCursor(shape)

    def _tip_at(self, frame: ChartFrame, position: QPointF) -> str:
        """Return what a press or drag here does."""
        if frame.places.overview.contains(position.toPoint()):
            return f"Slots in use, all the time; {GRASPS[grasp_at(frame, position.x())].tip}"
        if slashes_at(frame, position.x()):
            fold, seconds = frame.scale.fold, frame.time(position.x())
            nearest = min(fold.stretches, key=lambda each: abs(sum(each) / 2 - seconds))
            does = "draws it as long as it is" if fold.is_folded else "folds it"
            return TIP_OF_IDLE.format(duration_text(nearest[1] - nearest[0]), does)
        return TIP_OF_END if self._is_at_end(frame, position) else TIP_OF_CURSOR

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show everything, upon the overview; elsewhere it is two presses."""
        frame = self.frame()
        if frame is not None and frame.places.overview.contains(event.position().toPoint()):
            self._axis.fit()
        else:
            self.mousePressEvent(event)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        gesture, self._gesture = self._gesture, None
        if gesture is not None:
            gesture.finish()

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom and pan as the chart does; without a modifier whatever is around this scrolls."""
        if self._chart is not None and event.modifiers():
            self._chart.look.wheel(event)
        else:
            event.ignore()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Give a drag up; all other keys are the chart's."""
        if self._gesture and gives_up(event):
            self._gesture.cancel()
            self._gesture = None
        elif self._chart is not None:
            self._chart.keyPressEvent(event)


# ---- times upon the axis


def _time_flag(frame: ChartFrame, seconds: float, air: float, word: str = "") -> tuple[QRectF, str]:
    """Return place and text of a time upon the axis, as finely as the axis distinguishes times."""
    text = word + clock_text(seconds, _flag_step(frame), frame.scale.end)
    axis, x = frame.places.axis, frame.x(seconds)
    width = frame.fonts.small_metrics.horizontalAdvance(text) + air
    left = min(max(x - width / 2, 2.0), frame.places.whole.width() - width - 2.0)
    return QRectF(left, axis.top(), width, axis.height() - 1), text


def _flag_step(frame: ChartFrame) -> float:
    """Return how finely a flag says a time: so that it has the text of a label only where it covers it."""
    _, step = frame.scale.ticks(TICK_DISTANCE)
    step = min(step, 1.0)
    while step * frame.scale.pixels_per_second > MAX_SAME_PX:
        step /= 10
    return step


def _paint_flag(
    painter: QPainter, frame: ChartFrame, flag: QRectF, text: str, back: QColor, ink: QColor
) -> None:
    """Draw a time instead of the labels that it would cover in part."""
    around = flag.adjusted(-3, 0, 3, 0)
    for label in (label for _, label, _ in frame.tick_labels if label.intersects(around)):
        painter.fillRect(label, frame.theme.window)
    draw_tag(painter, frame, flag, text, 4, back, ink)


def _paint_crosshair(painter: QPainter, frame: ChartFrame, seconds: float) -> None:
    """Draw the time under the pointer."""
    flag, text = _time_flag(frame, seconds, CROSSHAIR_AIR)
    _paint_flag(painter, frame, flag, text, frame.theme.text, frame.theme.window)


def _paint_end(painter: QPainter, frame: ChartFrame, seconds: float, *, is_wanted: bool) -> None:
    """Draw the time by which all is to end; a pennant at the end of all schedules while none is set."""
    if is_wanted:
        flag, text = _time_flag(frame, seconds, HANDLE_AIR, "by ")
        _paint_flag(painter, frame, flag, text, frame.theme.ink, frame.theme.window)
        paint_end_line(painter, frame, 0, round(flag.top()), seconds)
        return
    x, top, (width, height) = round(frame.x(seconds)), 1.0, FLAG
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    fill_with(painter, frame.theme.second_text)
    points = [QPointF(x, top), QPointF(x, top + height), QPointF(x - width, top + height / 2)]
    painter.drawPolygon(QPolygonF(points))
    painter.fillRect(x - 1, 0, 1, round(top + height) + 2, frame.theme.second_text)


def _paint_cursor(painter: QPainter, frame: ChartFrame, seconds: float) -> None:
    """Draw the handle of the time cursor, and where it is in the overview."""
    overview, theme = frame.places.overview, frame.theme
    mark = overview.left() + float(frame.full_scale.x(seconds))
    if overview.left() - CASING <= mark <= overview.right() + CASING:
        paint_cursor_line(painter, frame, mark, overview.top(), overview.height())
    if not frame.shows(seconds):
        return
    flag, text = _time_flag(frame, seconds, HANDLE_AIR)
    _paint_flag(painter, frame, flag, text, theme.cursor, theme.on_cursor)
    x = frame.x(seconds)
    middle = min(max(x, flag.left() + TIP + 2), flag.right() - TIP - 2)
    tip = [
        QPointF(middle - TIP, flag.top() + 1),
        QPointF(x, flag.top() - TIP),
        QPointF(middle + TIP, flag.top() + 1),
    ]
    painter.setPen(Qt.PenStyle.NoPen)
    painter.drawPolygon(QPolygonF(tip))
