"""A picture over time: names at the left, an axis in seconds below, and a cursor that can be dragged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QMouseEvent, QPainter, QPen, QPixmap, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from explorer.plots.axis import ValueScale
from explorer.scans.scan_colours import NOTHING, Marked, sized_font
from explorer.widgets.plain_labels import TipWidget
from explorer.widgets.theme import theme_of, translucent

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent, QResizeEvent

    from explorer.scans.scan_story import ScanStory

LEFT, RIGHT, AXIS, AIR = 58, 12, 19, 4
TICKS_APART = 70
ZOOM_STEP = 1.25
EDGE = 4
"""Pixels of a dataset's colour beside its rows."""
LARGER = 0.88
"""Letters against those of the window."""
VEIL_ALPHA = 70
"""How much of what is later than the time cursor recedes."""


class TimePicture(TipWidget):
    """Draws a story once, then only the cursor over it.

    Signals
    -------
    time_chosen : seconds that the user pointed at
    zoomed : how many times more of the time to show, and around which second
    fitted : all of the time is to be shown
    pointed : `Marked`, at what the pointer is
    chosen : `Marked`, what was clicked
    """

    time_chosen = Signal(float)
    zoomed = Signal(float, float)
    fitted = Signal()
    pointed = Signal(object)
    chosen = Signal(object)

    def __init__(self, *, has_axis: bool) -> None:
        super().__init__()
        self._has_axis = has_axis
        self.gutter = float(LEFT)
        self.selected = -1
        self.story: ScanStory | None = None
        self.start, self.end = 0.0, 1.0
        self.cursor_time = 0.0
        self._marked, self._over = NOTHING, NOTHING
        self._picture: QPixmap | None = None
        self._scale = ((0.0, 0.0, 0.0, 0.0), ValueScale(0.0, 0.0, 0, 0))
        self.setMinimumSize(200, 50)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_story(self, story: ScanStory) -> None:
        """Show another schedule."""
        self.story = story
        self.redraw()

    def set_gutter(self, pixels: float) -> None:
        """Leave so many pixels for the names at the left."""
        if pixels != self.gutter:
            self.gutter = pixels
            self.redraw()

    @property
    def marked(self) -> Marked:
        """What stands out: what is pointed at anywhere, else what was chosen."""
        return self._over if self._over.jobs else self._marked

    def mark(self, marked: Marked) -> None:
        """Let some jobs or a subjob stand out."""
        if marked != self._marked:
            self._marked = marked
            self.redraw()

    def point_at(self, marked: Marked) -> None:
        """Let what is pointed at anywhere stand out, for as long as it is."""
        if marked != self._over:
            self._over = marked
            self.redraw()

    def show_times(self, start: float, end: float) -> None:
        """Show another stretch of time, in seconds."""
        if (start, end) != (self.start, self.end):
            self.start, self.end = start, max(end, start + 1e-9)
            self.redraw()

    def select(self, job: int) -> None:
        """Take a job of the workload as the one that keys move; -1 for none."""
        self.selected = job

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
        below = AXIS if self._has_axis else AIR
        wide = max(self.width() - self.gutter - RIGHT, 1)
        return QRectF(self.gutter, AIR, wide, max(self.height() - AIR - below, 1))

    @property
    def scale(self) -> ValueScale:
        """Where the times that are shown lie; used twice per bar, so it is kept."""
        right = self.gutter + max(self.width() - self.gutter - RIGHT, 1)
        shown = (self.start, self.end, self.gutter, right)
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
        self._draw_axis(painter)
        if self.story is not None:
            self.draw_frame(painter, self.story)
            painter.setClipRect(self.plot.adjusted(-4, -4, RIGHT, 4), Qt.ClipOperation.IntersectClip)
            self.draw(painter, self.story)
            self._draw_end(painter, self.story)

    def paint_export(self, painter: QPainter) -> None:
        """Draw everything as it stands, in the widget's own coordinates."""
        painter.fillRect(self.rect(), theme_of(self).plot)
        painter.save()
        painter.setClipRect(self.rect())
        self.paint_story(painter)
        painter.restore()
        self._draw_cursor(painter)

    def _draw_cursor(self, painter: QPainter) -> None:
        painter.setPen(QPen(theme_of(self).cursor, 1.5))
        x = self.x_of(self.cursor_time)
        # who boards later is not known yet: it recedes
        veil = translucent(theme_of(self).plot, VEIL_ALPHA)
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
        height, wide = QFontMetricsF(painter.font()).height(), QFontMetricsF(painter.font()).horizontalAdvance
        for tick, text in self.scale.labels("s", TICKS_APART):
            x = self.x_of(tick)
            painter.setPen(QPen(colours.faint_line, 1))
            painter.drawLine(QLineF(x, plot.top(), x, plot.bottom()))
            painter.setPen(colours.second_text)
            if self._has_axis and x - wide(text) / 2 >= 0 and x + wide(text) / 2 <= self.width():
                place = QRectF(x - 45, plot.bottom() + 3, 90, height)
                painter.drawText(place, Qt.AlignmentFlag.AlignHCenter, text)
        painter.setPen(QPen(colours.line, 1))
        if self._has_axis:
            painter.drawLine(plot.bottomLeft(), plot.bottomRight())

    def _draw_end(self, painter: QPainter, story: ScanStory) -> None:
        """Draw where the last job ends."""
        if self.start <= story.end <= self.end:
            painter.setPen(QPen(theme_of(self).ink, 2))
            x, plot = self.x_of(story.end), self.plot
            painter.drawLine(QLineF(x, plot.top() - AIR, x, plot.bottom() + (0 if self._has_axis else AIR)))
            if not self._has_axis:
                painter.setBrush(theme_of(self).ink)
                painter.drawEllipse(QPointF(x, plot.top() - 1), 2.5, 2.5)

    # ---- events

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self.redraw()

    @override
    def leaveEvent(self, event: QEvent) -> None:
        self.pointed.emit(NOTHING)
        super().leaveEvent(event)

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


def small_font(widget: QWidget) -> QFont:
    """Return the font of labels in a widget."""
    return sized_font(widget, LARGER)
