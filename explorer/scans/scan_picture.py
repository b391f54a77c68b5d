"""The window of shared scans as a picture with its legend, and its jobs as a table."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget
from typing_extensions import override

from explorer.scans.scan_colours import MAX_DEPTH, frame, shade
from explorer.scans.time_picture import small_font
from explorer.widgets.export import ChartTable
from explorer.widgets.theme import theme_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QColor, QPaintEvent

    from explorer.scans.scan_pane import ScanPane
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
SIGN, DEPTHS = 20.0, 62.0
GAP = 16.0
MAX_DATASETS = 3
"""Datasets up to which the legend names each."""


class LegendStrip(QWidget):
    """Signs with their words, in as many lines as they need."""

    def __init__(self) -> None:
        super().__init__()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._story: ScanStory | None = None
        self._policies: set[str] = set()
        self._name()

    def show_stories(self, stories: Sequence[ScanStory]) -> None:
        """Name the datasets of some schedules, and what is drawn of those."""
        self._story = next(iter(stories), None)
        self._policies = {story.policy for story in stories}
        self._name()
        self.updateGeometry()
        self.update()

    def _name(self) -> None:
        self.setAccessibleName("Legend: " + "; ".join(words for _, words in self.signs()))

    def signs(self) -> list[tuple[Callable[[QPainter, QRectF], None], str]]:
        """Return what draws each sign, and its words."""
        datasets: list[tuple[Callable[[QPainter, QRectF], None], str]] = []
        lines = self._story.timelines if self._story is not None else ()
        for line in lines:
            name = self._story.dataset_names[line.dataset] if self._story is not None else ""
            words = f"{name} ×1 to ×4" if len(lines) <= MAX_DATASETS else "a hue per dataset, ×1 to ×4"
            datasets.append((partial(self._draw_depths, dataset=line.dataset), words))
            if len(lines) > MAX_DATASETS:
                break
        signs = [
            *datasets,
            (self._draw_hand, "where the scan is"),
            (self._draw_ring, "scanned since it boarded"),
            (self._draw_dots, "waits"),
            (self._draw_arrival, "arrives: drag its row"),
        ]
        if "flex" in self._policies:
            signs.append((self._draw_twice, "blocks that are read again"))
        if self._policies & {"batch", "ako"}:
            signs += [(self._draw_arc, "a window fills"), (self._draw_end, "and ends")]
        return signs

    @override
    def sizeHint(self) -> QSize:
        return QSize(600, self.heightForWidth(self.width()))

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(200, 16)

    @override
    def hasHeightForWidth(self) -> bool:
        return True

    @override
    def heightForWidth(self, width: int) -> int:
        return round(max(box.bottom() for box in self.places(width))) + 1

    def places(self, width: float) -> list[QRectF]:
        """Return where each sign and its words lie, in as many lines as the width needs."""
        metrics = QFontMetricsF(small_font(self))
        boxes, x, y, height = list[QRectF](), 6.0, 0.0, metrics.height() + 4
        for draw, words in self.signs():
            wide = _sign_width(draw) + metrics.horizontalAdvance(words) + 4
            if boxes and x + wide > width:
                x, y = 6.0, y + height
            boxes.append(QRectF(x, y, wide, height))
            x += wide + GAP - 4
        return boxes

    @override
    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self.paint_export(painter)

    def paint_export(self, painter: QPainter) -> None:
        """Draw the line, in the widget's own coordinates."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(small_font(self))
        for (draw, words), box in zip(self.signs(), self.places(self.width()), strict=True):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            wide = _sign_width(draw)
            draw(painter, QRectF(box.left(), box.top() + 3, wide - 5, box.height() - 6))
            painter.setPen(theme_of(self).second_text)
            painter.drawText(box.adjusted(wide, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, words)

    def _draw_depths(self, painter: QPainter, box: QRectF, dataset: int) -> None:
        theme, wide = theme_of(self), box.width() / MAX_DEPTH
        for k in range(MAX_DEPTH):
            painter.setPen(QPen(frame(dataset, theme), 0.7))
            painter.setBrush(shade(dataset, k + 1, theme))
            painter.drawRect(QRectF(box.left() + k * wide, box.top(), wide - 2, box.height()))

    def _draw_twice(self, painter: QPainter, box: QRectF) -> None:
        painter.fillRect(box, shade(0, 1, theme_of(self)))
        painter.fillRect(box, QBrush(frame(0, theme_of(self)), Qt.BrushStyle.BDiagPattern))

    def _draw_arrival(self, painter: QPainter, box: QRectF) -> None:
        painter.setPen(QPen(theme_of(self).text, 1.8))
        painter.drawLine(QLineF(box.center().x(), box.top(), box.center().x(), box.bottom()))

    def _draw_dots(self, painter: QPainter, box: QRectF) -> None:
        painter.setPen(QPen(theme_of(self).text, 1.4, Qt.PenStyle.DotLine))
        painter.drawLine(QLineF(box.left(), box.center().y(), box.right(), box.center().y()))

    def _draw_end(self, painter: QPainter, box: QRectF) -> None:
        painter.setPen(QPen(theme_of(self).second_text, 1, Qt.PenStyle.DashLine))
        painter.drawLine(QLineF(box.center().x(), box.top(), box.center().x(), box.bottom()))

    def _draw_ring(self, painter: QPainter, box: QRectF) -> None:
        side = min(box.width(), box.height()) - 2
        ring = QRectF(box.center().x() - side / 2, box.center().y() - side / 2, side, side)
        painter.setPen(QPen(frame(0, theme_of(self)), 0.7))
        painter.drawEllipse(ring)
        painter.setPen(QPen(shade(0, 2, theme_of(self)), 3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        painter.drawArc(ring, 90 * 16, -120 * 16)

    def _draw_arc(self, painter: QPainter, box: QRectF) -> None:
        side = min(box.width(), box.height()) - 2
        ring = QRectF(box.center().x() - side / 2, box.center().y() - side / 2, side, side)
        for colour, span in ((theme_of(self).line, -360), (theme_of(self).second_text, -200)):
            painter.setPen(QPen(colour, 3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
            painter.drawArc(ring, 90 * 16, span * 16)

    def _draw_hand(self, painter: QPainter, box: QRectF) -> None:
        painter.setPen(QPen(theme_of(self).ink, 2))
        painter.setBrush(theme_of(self).ink)
        end = QPointF(box.right() - 2, box.center().y())
        painter.drawLine(QLineF(QPointF(box.left(), box.center().y()), end))
        painter.drawEllipse(end, 2.5, 2.5)


def _sign_width(draw: Callable[[QPainter, QRectF], None]) -> float:
    return DEPTHS if isinstance(draw, partial) else SIGN


class ScanPicture:
    """The columns that are seen, with their figures and the legend, as they stand in the window."""

    export_name = "shared-scans"

    def __init__(
        self,
        page: QWidget,
        columns: Sequence[ScanPane],
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
            for part in (column.header, *column.charts):
                self._at(painter, part)
                part.paint_export(painter)
                painter.restore()
        painter.translate(QPointF(0, self.export_size().height() - self._legend.height() - 2))
        self._legend.paint_export(painter)
        painter.restore()

    def _at(self, painter: QPainter, widget: QWidget) -> None:
        painter.save()
        place = widget.mapTo(self._page, QPoint(0, 0)) - QPoint(0, self._top)
        painter.translate(QPointF(place))

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
