"""The window of shared scans as a picture, and its jobs as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize
from PySide6.QtGui import QColor, QPainter, QTextDocument

from explorer.widgets.chart_table import ChartTable
from explorer.widgets.widget_theme import theme_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QLabel, QWidget

    from explorer.scans.legend_strip import LegendStrip
    from explorer.scans.scan_column import ScanColumn
    from explorer.scans.scan_story import ScanStory

HEADER = (
    "policy",
    "job",
    "dataset",
    "arrival (s)",
    "boarded (s)",
    "finish (s)",
    "response (s)",
    "waited for a window (s)",
)


class ScanPicture:
    """The columns that are seen, with their figures and the legend, as they stand in the window."""

    export_name = "shared-scans"

    def __init__(
        self,
        page: QWidget,
        columns: Sequence[ScanColumn],
        legend: LegendStrip,
        stories: Sequence[ScanStory],
    ) -> None:
        self._page, self._columns, self._legend, self._stories = page, columns, legend, stories
        self._top = min(column.mapTo(page, QPoint(0, 0)).y() for column in columns)

    @property
    def background(self) -> QColor:
        """What is behind it."""
        return theme_of(self._page).window

    def export_size(self) -> QSize:
        """Return the size of the columns and of the legend below."""
        height = max(column.mapTo(self._page, QPoint(0, column.height())).y() for column in self._columns)
        return QSize(self._page.width(), height - self._top + self._legend.height() + 4)

    def paint_export(self, painter: QPainter, area: QRectF) -> None:
        """Draw every chart and label where it stands."""
        scale = area.width() / self._page.width()
        painter.save()
        painter.translate(area.topLeft())
        painter.scale(scale, scale)
        for column in self._columns:
            for label in (column.title, column.figures):
                self._at(painter, label)
                self._draw_text(painter, label)
                painter.restore()
            for chart in (column.subjobs, column.boarding, column.circles):
                self._at(painter, chart)
                chart.paint_export(painter)
                painter.restore()
        painter.translate(QPointF(0, self.export_size().height() - self._legend.height() - 2))
        self._legend.paint_export(painter)
        painter.restore()

    def _at(self, painter: QPainter, widget: QWidget) -> None:
        painter.save()
        place = widget.mapTo(self._page, QPoint(0, 0)) - QPoint(0, self._top)
        painter.translate(QPointF(place))

    def _draw_text(self, painter: QPainter, label: QLabel) -> None:
        document = QTextDocument()
        document.setDocumentMargin(0)
        document.setDefaultFont(label.font())
        colour = theme_of(self._page).text.name()
        document.setHtml(f'<span style="color:{colour}">{label.text()}</span>')
        document.drawContents(painter)

    def table(self) -> ChartTable:
        """Return every job under every policy that is seen, times in seconds."""
        rows = []
        for story in self._stories:
            schedule = story.schedule
            for entry, job in enumerate(story.job.tolist()):
                arrival = float(schedule.jobs.arrival[entry])
                boarded, finish = float(schedule.boarded[entry]), float(schedule.finish[entry])
                dataset = story.dataset_names[int(schedule.jobs.dataset[entry])]
                times = arrival, boarded, finish, finish - arrival, boarded - arrival
                rows.append((story.policy, story.job_names[job], dataset, *times))
        return ChartTable(HEADER, tuple(rows))
