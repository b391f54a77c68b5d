"""The window of shared scans as a picture with its legend, and its jobs as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QTextDocument
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from explorer.scans.time_picture import small_font
from explorer.widgets.export import ChartTable
from explorer.widgets.theme import theme_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QPaintEvent
    from PySide6.QtWidgets import QLabel

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
SIGN = 20.0
GAP = 18.0


class LegendStrip(QWidget):
    """One line of signs with their words."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._signs: tuple[tuple[Callable[[QPainter, QRectF], None], str], ...] = (
            (self._draw_stripes, "a subjob, a stripe per job it serves"),
            (self._draw_steps, "sharing jobs"),
            (self._draw_plus, "arrives"),
            (self._draw_dots, "waits for its window"),
            (self._draw_end, "a window ends"),
            (self._draw_minus, "leaves"),
            (self._draw_ring, "scanned since it boarded, and left"),
        )
        self.setAccessibleName("Legend: " + "; ".join(words for _, words in self._signs))

    @override
    def sizeHint(self) -> QSize:
        return QSize(600, round(QFontMetricsF(small_font(self)).height()) + 6)

    @override
    def paintEvent(self, _event: QPaintEvent) -> None:
        self.paint_export(QPainter(self))

    def paint_export(self, painter: QPainter) -> None:
        """Draw the line, in the widget's own coordinates."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(small_font(self))
        metrics, x = QFontMetricsF(painter.font()), 6.0
        for draw, words in self._signs:
            wide = metrics.horizontalAdvance(words)
            if x + SIGN + wide > self.width():
                break
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            draw(painter, QRectF(x, 3, SIGN - 5, self.height() - 6))
            painter.setPen(theme_of(self).muted)
            painter.drawText(
                QRectF(x + SIGN, 0, wide + 4, self.height()), Qt.AlignmentFlag.AlignVCenter, words
            )
            x += SIGN + wide + GAP

    def _draw_stripes(self, painter: QPainter, box: QRectF) -> None:
        half = QRectF(box.left(), box.top(), box.width(), box.height() / 2)
        painter.fillRect(half, theme_of(self).map_band)
        painter.fillRect(half.translated(0, half.height()), theme_of(self).reduce_band)

    def _draw_steps(self, painter: QPainter, box: QRectF) -> None:
        fill = QColor(theme_of(self).muted)
        fill.setAlpha(70)
        half = box.width() / 2
        painter.fillRect(QRectF(box.left(), box.center().y(), half, box.height() / 2), fill)
        painter.fillRect(QRectF(box.left() + half, box.top(), half, box.height()), fill)

    def _draw_plus(self, painter: QPainter, box: QRectF) -> None:
        self._draw_minus(painter, box)
        middle = box.center()
        painter.drawLine(QLineF(middle - QPointF(0, 3.5), middle + QPointF(0, 3.5)))

    def _draw_minus(self, painter: QPainter, box: QRectF) -> None:
        painter.setPen(QPen(theme_of(self).text, 1.2))
        painter.drawLine(QLineF(box.center() - QPointF(3.5, 0), box.center() + QPointF(3.5, 0)))

    def _draw_dots(self, painter: QPainter, box: QRectF) -> None:
        painter.setPen(QPen(theme_of(self).text, 1.4, Qt.PenStyle.DotLine))
        painter.drawLine(QLineF(box.left(), box.center().y(), box.right(), box.center().y()))

    def _draw_end(self, painter: QPainter, box: QRectF) -> None:
        painter.setPen(QPen(theme_of(self).muted, 1, Qt.PenStyle.DashLine))
        painter.drawLine(QLineF(box.center().x(), box.top(), box.center().x(), box.bottom()))

    def _draw_ring(self, painter: QPainter, box: QRectF) -> None:
        side = min(box.width(), box.height()) - 3
        ring = QRectF(box.center().x() - side / 2, box.center().y() - side / 2, side, side)
        pale = QColor(theme_of(self).map_band)
        pale.setAlpha(90)
        for colour, begin, span in ((pale, 0, -270), (theme_of(self).map_band, 90, -90)):
            painter.setPen(QPen(colour, 3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
            painter.drawArc(ring, begin * 16, span * 16)


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
            for chart in (column.subjobs, column.sharing, column.circles):
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
