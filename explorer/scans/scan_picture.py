"""The window of shared scans as a picture with its legend, and its jobs as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QTextDocument
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from explorer.scans.time_picture import EDGE, dataset_colour, small_font
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
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._signs: tuple[tuple[Callable[[QPainter, QRectF], None], str], ...] = (
            (self._draw_stripes, "a subjob: a stripe per job, its dataset's colour below"),
            (self._draw_steps, "how many scan a dataset"),
            (self._draw_plus, "arrives"),
            (self._draw_dots, "waits for its window"),
            (self._draw_end, "a window ends"),
            (self._draw_minus, "leaves"),
            (self._draw_ring, "scanned since it boarded, and left"),
            (self._draw_boarding, "where it boarded"),
            (self._draw_hand, "where the scan is, and the time looked at"),
        )
        self.setAccessibleName("Legend: " + "; ".join(words for _, words in self._signs))

    @override
    def sizeHint(self) -> QSize:
        return QSize(600, self.heightForWidth(self.width()))

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def heightForWidth(self, width: int) -> int:
        return round(max(box.bottom() for box in self.places(width))) + 1

    def places(self, width: float) -> list[QRectF]:
        """Return where each sign and its words lie, in as many lines as the width needs."""
        metrics = QFontMetricsF(small_font(self))
        boxes, x, y, height = list[QRectF](), 6.0, 0.0, metrics.height() + 6
        for _, words in self._signs:
            wide = SIGN + metrics.horizontalAdvance(words) + 4
            if boxes and x + wide > width:
                x, y = 6.0, y + height
            boxes.append(QRectF(x, y, wide, height))
            x += wide + GAP - 4
        return boxes

    @override
    def paintEvent(self, _event: QPaintEvent) -> None:
        self.paint_export(QPainter(self))

    def paint_export(self, painter: QPainter) -> None:
        """Draw the line, in the widget's own coordinates."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(small_font(self))
        for (draw, words), box in zip(self._signs, self.places(self.width()), strict=True):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            draw(painter, QRectF(box.left(), box.top() + 3, SIGN - 5, box.height() - 6))
            painter.setPen(theme_of(self).second_text)
            painter.drawText(box.adjusted(SIGN, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, words)

    def _draw_stripes(self, painter: QPainter, box: QRectF) -> None:
        half = QRectF(box.left(), box.top(), box.width(), box.height() / 2)
        painter.fillRect(half, theme_of(self).map_band)
        painter.fillRect(half.translated(0, half.height()), theme_of(self).reduce_band)
        painter.fillRect(box.adjusted(0, box.height() - EDGE, 0, 0), dataset_colour(0))

    def _draw_steps(self, painter: QPainter, box: QRectF) -> None:
        fill = dataset_colour(0)
        fill.setAlpha(90)
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
        painter.setPen(QPen(theme_of(self).second_text, 1, Qt.PenStyle.DashLine))
        painter.drawLine(QLineF(box.center().x(), box.top(), box.center().x(), box.bottom()))

    def _draw_ring(self, painter: QPainter, box: QRectF) -> None:
        side = min(box.width(), box.height()) - 3
        ring = QRectF(box.center().x() - side / 2, box.center().y() - side / 2, side, side)
        pale = QColor(theme_of(self).map_band)
        pale.setAlpha(90)
        for colour, begin, span in ((pale, 0, -270), (theme_of(self).map_band, 90, -90)):
            painter.setPen(QPen(colour, 3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
            painter.drawArc(ring, begin * 16, span * 16)

    def _draw_boarding(self, painter: QPainter, box: QRectF) -> None:
        side = min(box.width(), box.height()) - 3
        ring = QRectF(box.center().x() - side / 2, box.center().y() - side / 2 + 2, side, side)
        painter.setPen(QPen(dataset_colour(0), 2.5))
        painter.drawArc(ring, 30 * 16, 120 * 16)
        painter.setPen(QPen(theme_of(self).text, 1.2))
        painter.drawLine(QLineF(ring.center().x(), ring.top() - 4, ring.center().x(), ring.top()))

    def _draw_hand(self, painter: QPainter, box: QRectF) -> None:
        painter.setPen(QPen(theme_of(self).cursor, 1.8))
        painter.drawLine(QLineF(box.left() + 3, box.bottom() - 1, box.right() - 3, box.top() + 1))


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
