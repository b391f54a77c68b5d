"""A picture over time: a title, an axis in seconds below, and a cursor that can be dragged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QMouseEvent, QPainter, QPen, QPixmap, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from explorer.gantt.raster.palette import DATASETS
from explorer.plots.axis import ValueScale
from explorer.widgets.theme import theme_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPaintEvent, QResizeEvent

    from explorer.scans.scan_story import ScanStory

LEFT, RIGHT, BOTTOM, TOP = 58, 10, 22, 24
TICKS_APART = 70
ZOOM_STEP = 1.25
EDGE = 4
"""Pixels of a dataset's colour beside what belongs to it."""
VEIL_ALPHA = 120
"""How much of what is later than the time cursor recedes."""


class TimePicture(QWidget):
    """Draws a story once, then only the cursor over it. Its title has what the picture shows, in which unit.

    Signals
    -------
    time_chosen : seconds that the user pointed at
    zoomed : how many times more of the time to show, and around which second
    fitted : all of the time is to be shown
    """

    time_chosen = Signal(float)
    zoomed = Signal(float, float)
    fitted = Signal()

    def __init__(self, title: str) -> None:
        super().__init__()
        self.title, self._has_title = title, True
        self.selected = -1
        self.story: ScanStory | None = None
        self.colour_of: Callable[[int], QColor] = lambda _job: QColor(128, 128, 128)
        self.start, self.end = 0.0, 1.0
        self.cursor_time = 0.0
        self._picture: QPixmap | None = None
        self._scale = ((0.0, 0.0, 0, 0), ValueScale(0.0, 0.0, 0, 0))
        self.setMinimumSize(220, 90)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_story(self, story: ScanStory, colour_of: Callable[[int], QColor]) -> None:
        """Show another schedule."""
        self.story, self.colour_of = story, colour_of
        self.redraw()

    def show_times(self, start: float, end: float) -> None:
        """Show another stretch of time, in seconds."""
        if (start, end) != (self.start, self.end):
            self.start, self.end = start, max(end, start + 1e-9)
            self.redraw()

    def select(self, job: int) -> None:
        """Mark a job of the workload; -1 for none."""
        if job != self.selected:
            self.selected = job
            self.redraw()

    def show_title(self, *, is_shown: bool) -> None:
        """Show the title, or leave it out where a chart beside this one has it."""
        if is_shown != self._has_title:
            self._has_title = is_shown
            self.redraw()

    def redraw(self) -> None:
        """Draw everything again."""
        self._picture = None
        self.update()

    def set_cursor_time(self, seconds: float) -> None:
        """Move the line of the instant that is looked at."""
        if seconds != self.cursor_time:
            self.cursor_time = seconds
            self.update()

    # ---- geometry

    @property
    def plot(self) -> QRectF:
        """Where times are drawn."""
        return QRectF(LEFT, TOP, max(self.width() - LEFT - RIGHT, 1), max(self.height() - TOP - BOTTOM, 1))

    @property
    def scale(self) -> ValueScale:
        """Where the times that are shown lie; used twice per bar, so it is kept."""
        shown = (self.start, self.end, LEFT, LEFT + max(self.width() - LEFT - RIGHT, 1))
        if shown != self._scale[0]:
            self._scale = (shown, ValueScale(*shown))
        return self._scale[1]

    def x_of(self, seconds: float) -> float:
        """Return the pixel of a time."""
        return self.scale.x(seconds)

    def time(self, x: float) -> float:
        """Return the time at a pixel, not before 0."""
        return max(self.scale.value(x), 0.0)

    # ---- painting

    @override
    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._picture is None:
            ratio = self.devicePixelRatioF()
            self._picture = QPixmap(self.size() * ratio)
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(theme_of(self).plot)
            with QPainter(self._picture) as inner:
                self.paint_story(inner)
        painter.drawPixmap(0, 0, self._picture)
        painter.setFont(small_font(self))
        self._draw_cursor(painter)
        self.draw_over(painter)
        if self.hasFocus():
            painter.setPen(QPen(theme_of(self).cursor, 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def paint_story(self, painter: QPainter) -> None:
        """Draw all but what moves."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(small_font(self))
        self._draw_title(painter)
        self._draw_axis(painter)
        if self.story is not None:
            self.draw_frame(painter, self.story)
            painter.setClipRect(self.plot.adjusted(-4, -4, 4, 4), Qt.ClipOperation.IntersectClip)
            self.draw(painter, self.story)

    def paint_export(self, painter: QPainter) -> None:
        """Draw everything as it stands, in the widget's own coordinates."""
        painter.fillRect(self.rect(), theme_of(self).plot)
        painter.save()
        painter.setClipRect(self.rect())
        self.paint_story(painter)
        painter.restore()
        self._draw_cursor(painter)

    def _draw_title(self, painter: QPainter) -> None:
        if not self._has_title:
            return
        painter.setPen(theme_of(self).second_text)
        metrics = QFontMetricsF(painter.font())
        text = metrics.elidedText(self.title, Qt.TextElideMode.ElideRight, self.width() - 12)
        painter.drawText(QRectF(6, 3, self.width() - 8, metrics.height()), 0, text)

    def _draw_cursor(self, painter: QPainter) -> None:
        painter.setPen(QPen(theme_of(self).cursor, 1.5))
        x = self.x_of(self.cursor_time)
        # who boards later is not known yet: it recedes
        veil = QColor(theme_of(self).plot)
        veil.setAlpha(VEIL_ALPHA)
        left = min(max(x, self.plot.left()), self.plot.right())
        painter.fillRect(QRectF(left, self.plot.top() - 4, self.width() - left, self.plot.height() + 4), veil)
        if self.start <= self.cursor_time <= self.end:
            painter.drawLine(QLineF(x, self.plot.top(), x, self.plot.bottom()))

    def draw_frame(self, painter: QPainter, story: ScanStory) -> None:
        """Draw what stands beside the plot."""

    def draw(self, painter: QPainter, story: ScanStory) -> None:
        """Draw what belongs between the axes."""

    def draw_over(self, painter: QPainter) -> None:
        """Draw what moves, upon everything."""

    def _draw_axis(self, painter: QPainter) -> None:
        colours, plot = theme_of(self), self.plot
        height = QFontMetricsF(painter.font()).height()
        for tick, text in self.scale.labels("s", TICKS_APART):
            x = self.x_of(tick)
            painter.setPen(QPen(colours.faint_line, 1))
            painter.drawLine(QLineF(x, plot.top(), x, plot.bottom()))
            painter.setPen(colours.second_text)
            painter.drawText(
                QRectF(x - 45, plot.bottom() + 3, 90, height), Qt.AlignmentFlag.AlignHCenter, text
            )
        painter.setPen(QPen(colours.line, 1))
        painter.drawLine(plot.bottomLeft(), plot.bottomRight())

    # ---- events

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.redraw()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._choose(event.position())

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._choose(event.position())

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        steps = event.angleDelta().y() / 120
        if steps:
            self.zoomed.emit(ZOOM_STEP**-steps, self.time(event.position().x()))
            event.accept()

    @override
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.fitted.emit()

    def _choose(self, place: QPointF) -> None:
        self.time_chosen.emit(min(self.time(place.x()), self.end))


def dataset_colour(number: int) -> QColor:
    """Return the colour of a dataset by its number: none that a job has."""
    return QColor.fromRgb(DATASETS[number % len(DATASETS)])


def small_font(widget: QWidget) -> QFont:
    """Return the font of labels in a widget."""
    font = QFont(widget.font())
    font.setPointSizeF(max(font.pointSizeF() - 1.5, 7.0))
    return font
