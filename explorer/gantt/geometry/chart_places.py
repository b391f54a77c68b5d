"""Where the parts of a chart lie: title, flags, plot, axis and overview, as rectangles."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect

BAND_LEFT, BAND_WIDTH = 6, 15
RIGHT_MARGIN = 14
STRIP_HEIGHT, STRIP_MARGIN = 8, 3
"""The strip below each pool that shows the old schedule, and the air above and below it."""

LEAST_PLOT = 24


@dataclass(frozen=True)
class ChartPlaces:
    """The rectangles of one chart in logical pixels.

    Attributes
    ----------
    whole : everything
    title : the line of title and comparison
    flags : the line of flags of makespan and estimates, right above the plot; as wide as the chart
    plot : the rows
    axis : the labels of time, below the plot
    overview : the whole schedule in small; empty in compact charts and low ones
    """

    whole: QRect
    title: QRect
    flags: QRect
    plot: QRect
    axis: QRect
    overview: QRect

    @classmethod
    def of(cls, width: int, height: int, compact: bool, tallest: int = 1 << 20) -> ChartPlaces:
        """Lay a chart out in a size; the plot is at most so tall, and the rest stays empty below."""
        gutter = 62 if compact else 80
        title = QRect(
            gutter, 3 if compact else 5, max(1, width - gutter - RIGHT_MARGIN), 19 if compact else 22
        )
        flags = QRect(gutter, title.bottom() + 1, max(1, width - gutter - 2), 18)
        top = flags.bottom() + 1
        below = STRIP_HEIGHT + 2 * STRIP_MARGIN - 3
        axis_height = 20
        overview_height = 0 if compact or height < 300 else min(54, height // 12)
        bottom = axis_height + below + (overview_height + 14 if overview_height else 2)
        plot = QRect(gutter, top, title.width(), max(LEAST_PLOT, min(tallest, height - top - bottom)))
        axis = QRect(gutter, plot.bottom() + 1 + below, plot.width(), axis_height)
        overview = QRect(gutter, axis.bottom() + 7, plot.width(), overview_height)
        return cls(QRect(0, 0, width, height), title, flags, plot, axis, overview)
