"""How much of the screen shows tasks: the lanes of all charts, without headers, axes, legends and gaps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QSize

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from explorer.window.charts.chart_area import ChartArea


def lanes_of(charts: ChartArea, window: QWidget) -> list[QRect]:
    """Return the part of each lane that is seen, in pixels of a window."""
    shown = charts.stack.viewport()
    seen = QRect(shown.mapTo(window, QPoint()), shown.size())
    lanes = []
    for view in charts.views.values():
        if view.isVisible() and view.content.rows is not None:
            frame, corner = view.frame(), view.mapTo(window, QPoint())
            parts = (lane.intersected(frame.places.plot) for lane in frame.pool_rects)
            lanes += [part.translated(corner).intersected(seen) for part in parts]
    return [lane for lane in lanes if not lane.isEmpty()]


def share_of_lanes(charts: ChartArea, window: QWidget, screen: QSize) -> float:
    """Return the share of a screen that lanes take: 0.6 is 60 %."""
    area = sum(lane.width() * lane.height() for lane in lanes_of(charts, window))
    return area / (screen.width() * screen.height())
