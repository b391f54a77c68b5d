"""What is done with the rows of a chart: folded by their labels, scrolled by the bar and by drags."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, QTimer
from PySide6.QtWidgets import QApplication

from explorer.gantt.gestures.gestures import Gesture, PanGesture

if TYPE_CHECKING:
    from explorer.gantt.gestures.gestures import Chart, PreviewedDrag


MIN_PIXELS = 3
"""From so far on a press upon an edge is a drag: there is nothing else to be dragged there."""


class LabelGesture(Gesture):
    """Folds pools of rows, or opens them, where their label is clicked; moved, it is another gesture."""

    def __init__(self, chart: Chart, start: QPointF, bands: range, other: Gesture) -> None:
        self._chart, self._start, self._bands, self._other = chart, start, bands, other
        is_pan = isinstance(other, PanGesture)
        self._least = QApplication.startDragDistance() if is_pan else MIN_PIXELS
        self._has_moved = False

    def move(self, position: QPointF) -> None:
        """Do what a drag from here does."""
        self._has_moved |= (position - self._start).manhattanLength() >= self._least
        if self._has_moved:
            self._other.move(position)

    def finish(self) -> None:
        """Fold or open, if nothing moved."""
        if self._has_moved:
            self._other.finish()
        else:
            self._chart.look.fold(self._bands)

    def cancel(self) -> None:
        """Put everything back as it was."""
        if self._has_moved:
            self._other.cancel()


class RowBarGesture(Gesture):
    """Scrolls rows by the bar beside them: its part for what is in view is dragged, beside it is a page."""

    def __init__(self, chart: Chart, start: QPointF) -> None:
        frame = chart.frame()
        self._chart, self._start, self._before = chart, start, frame.layout.scroll
        top, height = frame.layout.thumb
        y = start.y() - frame.places.plot.top()
        self._drags = top <= y < top + height
        if not self._drags:
            chart.look.show_page(1 if y > top else -1)

    def move(self, position: QPointF) -> None:
        """Follow the pointer."""
        layout = self._chart.frame().layout
        if self._drags:
            free = max(1.0, layout.height - layout.thumb[1])
            moved = (position.y() - self._start.y()) * layout.most_scroll / free
            self._chart.look.scroll_to(self._before + moved)

    def cancel(self) -> None:
        """Go back to where the view was."""
        self._chart.look.scroll_to(self._before)


SCROLL_EDGE, SCROLL_STEP, SCROLL_EVERY = 24, 12, 30
"""Pixels from the plot's border in which a drag scrolls rows, pixels of a step, milliseconds between two."""


class EdgeScroll(QObject):
    """Scrolls rows, or time, while something is dragged near an edge of the plot along which it goes."""

    def __init__(self, chart: Chart, parent: QObject) -> None:
        super().__init__(parent)
        self._chart = chart
        self._gesture: PreviewedDrag | None = None
        self._position = QPointF()
        self._timer = QTimer(self, interval=SCROLL_EVERY)
        self._timer.timeout.connect(self._scroll)

    def follow(self, gesture: PreviewedDrag | None, position: QPointF) -> None:
        """Follow what is dragged; None ends it."""
        if gesture is None and self._gesture is not None:
            self._chart.axis.settle()
        self._gesture, self._position = gesture, position
        if gesture is None or not self._step():
            self._timer.stop()
        elif not self._timer.isActive():
            self._timer.start()

    def _step(self) -> int:
        """Return by how many pixels to scroll: to the right or down, to the left or up below 0."""
        plot, goes_in_time = self._chart.frame().places.plot, self._gesture and self._gesture.goes_in_time
        at = self._position.x() if goes_in_time else self._position.y()
        low, high = (plot.left(), plot.right()) if goes_in_time else (plot.top(), plot.bottom())
        return SCROLL_STEP * ((at > high - SCROLL_EDGE) - (at < low + SCROLL_EDGE))

    def _scroll(self) -> None:
        if self._gesture is not None and self._scrolled(self._gesture, self._step()):
            self._gesture.move(self._position)
        else:
            self._timer.stop()

    def _scrolled(self, gesture: PreviewedDrag, step: int) -> bool:
        """Scroll, and return whether there was something to scroll to; time goes on as far as one likes."""
        chart, frame = self._chart, self._chart.frame()
        if not gesture.goes_in_time:
            chart.look.scroll(step)
            return chart.frame().layout.scroll != frame.layout.scroll
        axis, shown, seconds = chart.axis, chart.axis.range, step / frame.scale.pixels_per_second
        axis.pan(seconds, "drag")
        if axis.range == shown and seconds > 0:
            axis.grow(seconds)
        return axis.range != shown
