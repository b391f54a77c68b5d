"""A plot in the window's colours; importing this module imports pyqtgraph, a third of a second."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyqtgraph
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from core.model.time_text import clock_text, duration_text
from explorer.plots.axis import time_ticks
from explorer.widgets.plain_labels import PlainLabel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QSize
    from PySide6.QtGui import QColor, QPainter, QWheelEvent

    from explorer.document.time_axis import TimeAxis
    from explorer.widgets.export import ChartTable
    from explorer.widgets.theme import Theme

TICK_ROOM_PX = 90
TICK_HEIGHT_PX = 26
LAYOUT_ROUNDS = 3
"""An axis takes room from the other, which then may need another one."""
WHEEL_ZOOM = 0.999
"""Zoom factor per unit of wheel angle; one notch is 120."""


class Plot(pyqtgraph.PlotWidget):  # type: ignore[misc]  # pyqtgraph has no types
    """A plot without the mouse and menus of pyqtgraph, which have neither our axis nor undo."""

    def __init__(self, colours: Theme, **axes: Any) -> None:
        super().__init__(**axes)
        self.colours = colours
        self.setMenuEnabled(False)
        # pyqtgraph makes its menu without a parent, so that it would outlive the plot
        menu = self.getPlotItem().ctrlMenu
        menu.setParent(self, menu.windowFlags())
        self.hideButtons()
        self.setMouseEnabled(x=False, y=False)
        self.setAntialiasing(False)
        self.setFrameShape(self.Shape.NoFrame)
        self.getPlotItem().setContentsMargins(4, 2, 10, 2)
        self.set_theme(colours)

    def set_theme(self, colours: Theme) -> None:
        """Draw background, axes and grid in other colours."""
        self.colours = colours
        self.setBackground(colours.plot)
        for side in ("left", "bottom"):
            axis = self.getAxis(side)
            axis.setPen(colours.line)
            axis.setTextPen(colours.second_text)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # whoever shows the plot has the wheel; pyqtgraph would zoom on its own

    def lay_out(self) -> None:
        """Give axes and curves their places without showing anything: a picture of a hidden plot needs it."""
        self.grab()  # hidden widgets wait with their resizing until somebody looks
        for _ in range(LAYOUT_ROUNDS):
            self.getPlotItem().layout.activate()

    def paint_into(self, painter: QPainter, area: QRectF) -> None:
        """Draw the plot into an area of a picture; marks as shapes, which SVG needs."""
        painter.fillRect(area, self.colours.plot)
        marks = [item for item in self.scene().items() if isinstance(item, pyqtgraph.ScatterPlotItem)]
        for each in marks:
            each.setExportMode(True, {"antialias": True})
        self.render(painter, area, self.viewport().rect())
        for each in marks:
            each.setExportMode(False)


class TimeTicks(pyqtgraph.AxisItem):  # type: ignore[misc]  # pyqtgraph has no types
    """An axis of seconds with ticks at round times, written as clocks do."""

    @override
    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        room = TICK_ROOM_PX if self.orientation == "bottom" else TICK_HEIGHT_PX
        ticks = time_ticks(low, high, max(int(size / room), 1))
        step = ticks[1] - ticks[0] if len(ticks) > 1 else 1.0
        return [(step, ticks)]

    @override
    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        largest = max((abs(value) for value in values), default=0.0)
        return [clock_text(value, spacing, largest) for value in values]


class LaterTicks(TimeTicks):
    """An axis of changes: "+20 s" is later."""

    @override
    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [f"{'+' if value > 0 else ''}{duration_text(value)}" for value in values]


class TimeBox(pyqtgraph.ViewBox):  # type: ignore[misc]  # pyqtgraph has no types
    """Shows the part of time that the shared axis shows; wheel and drag move the axis, not just this plot."""

    def __init__(self, axis: TimeAxis) -> None:
        super().__init__(enableMenu=False, defaultPadding=0.0)
        self._axis = axis

    @override
    def wheelEvent(self, event: Any, axis: int | None = None) -> None:
        event.accept()
        turn = event.delta()
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._axis.pan(-turn / 1200 * self._axis.range.span)
        else:
            self._axis.zoom(WHEEL_ZOOM**turn, self.mapSceneToView(event.scenePos()).x())

    @override
    def mouseDragEvent(self, event: Any, axis: int | None = None) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        event.accept()
        there, here = self.mapSceneToView(event.lastScenePos()), self.mapSceneToView(event.scenePos())
        self._axis.pan(there.x() - here.x())

    @override
    def mouseDoubleClickEvent(self, event: Any) -> None:
        event.accept()
        self._axis.fit()


class TimePlot(Plot):
    """A plot over the shared time axis, with its cursor."""

    def __init__(self, axis: TimeAxis, colours: Theme) -> None:
        self.cursor_line = pyqtgraph.InfiniteLine(angle=90, movable=False)
        super().__init__(
            colours, viewBox=TimeBox(axis), axisItems={"bottom": TimeTicks(orientation="bottom")}
        )
        self._axis = axis
        self.cursor_line.setVisible(False)
        self.addItem(self.cursor_line, ignoreBounds=True)
        self.scene().sigMouseMoved.connect(self._on_mouse_moved)
        axis.range_changed.connect(self.show_range)
        axis.cursor_changed.connect(self._show_cursor)
        self.show_range()

    def set_theme(self, colours: Theme) -> None:
        """Draw in other colours, the cursor too."""
        super().set_theme(colours)
        self.cursor_line.setPen(colours.crosshair)

    def show_range(self) -> None:
        """Show what the shared axis shows."""
        self.setXRange(self._axis.t0, self._axis.t1, padding=0)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        pyqtgraph.PlotWidget.wheelEvent(self, event)

    @override
    def leaveEvent(self, event: Any) -> None:
        self._axis.set_cursor(None)
        super().leaveEvent(event)

    def _on_mouse_moved(self, place: Any) -> None:
        box = self.getViewBox()
        inside = box.sceneBoundingRect().contains(place)
        self._axis.set_cursor(box.mapSceneToView(place).x() if inside else None)

    def _show_cursor(self) -> None:
        at = self._axis.cursor
        self.cursor_line.setVisible(at is not None)
        if at is not None:
            self.cursor_line.setValue(at)


def pen(colour: QColor, width: float = 1.0, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> Any:
    """Make a pen; pyqtgraph's are cosmetic, so their width is in pixels."""
    return pyqtgraph.mkPen(colour, width=width, style=style)


def fill_behind(widget: QWidget, colours: Theme) -> None:
    """Give a widget the background of the plots in it."""
    palette = widget.palette()
    palette.setColor(QPalette.ColorRole.Window, colours.plot)
    palette.setColor(QPalette.ColorRole.WindowText, colours.text)
    widget.setPalette(palette)
    widget.setAutoFillBackground(True)


class PlotPage(QWidget):
    """Plots below one another, exported under a heading; where there is nothing to draw, a sentence instead.

    A subclass says what `plots` it has, `export_name`, `export_heading` and `table`.
    """

    export_name = ""
    plots: Sequence[Plot]

    def __init__(self, nothing: str, colours: Theme) -> None:
        super().__init__()
        self._colours = colours
        self.nothing = PlainLabel(nothing, wraps=True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        fill_behind(self, colours)

    def set_theme(self, colours: Theme) -> None:
        """Draw with other colours."""
        self._colours = colours
        fill_behind(self, colours)
        for plot in self.plots:
            plot.set_theme(colours)
        self.draw()

    def draw(self) -> None:
        """Draw the plots."""
        raise NotImplementedError

    # Export

    def export_heading(self) -> str:
        """Return what is written above the exported picture."""
        raise NotImplementedError

    def table(self) -> ChartTable:
        """Return the numbers behind the plots."""
        raise NotImplementedError

    @property
    def background(self) -> QColor:
        """What is behind the plots."""
        return self._colours.plot

    def export_size(self) -> QSize:
        """Return the size on the screen."""
        return self.size()

    def paint_export(self, painter: QPainter, area: QRectF) -> None:
        """Draw heading and plots into an area."""
        line = self.fontMetrics().height() + 8
        painter.setFont(self.font())
        painter.setPen(self._colours.text)
        painter.drawText(area.adjusted(8, 4, -8, 0), Qt.AlignmentFlag.AlignLeft, self.export_heading())
        height = (area.height() - line) / len(self.plots)
        for place, plot in enumerate(self.plots):
            top = area.top() + line + place * height
            plot.paint_into(painter, QRectF(area.left(), top, area.width(), height))
