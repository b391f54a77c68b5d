"""Charts below one another with legend and common times, at any size of text: for pictures and audiences."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QGuiApplication, QImage, QPainter

from core.charts.painted_rows import classes_of
from core.model.errors import InputError
from core.model.time_text import clock_step, clock_text
from explorer.document.time_axis import TimeAxis, TimeRange
from explorer.gantt.chart_scene import ChartScene
from explorer.gantt.geometry.chart_frame import ChartFonts, draw_elided
from explorer.gantt.geometry.tasks_in_view import hit
from explorer.gantt.layers.chart_layers import legend_signs
from explorer.gantt.layers.cursor_marks import paint_cursor_line
from explorer.gantt.layers.labels import paint_names_above
from explorer.gantt.layers.layer import draw_tag
from explorer.gantt.layers.loans import paint_loans
from explorer.gantt.layers.overlays import paint_selection
from explorer.widgets.export import blank_image, too_large
from explorer.widgets.theme import translucent, write_with
from explorer.widgets.type_face import headless_application

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from explorer.gantt.geometry.chart_content import ChartContent
    from explorer.gantt.geometry.chart_frame import ChartFrame
    from explorer.widgets.theme import Theme

LEGEND_HEIGHT, HEADING_HEIGHT, MARGIN = 30, 34, 8
MIN_SIZE, MAX_SIZE = 100, 20_000
MIN_TEXT, MAX_TEXT = 0.5, 3.0
COMPACT_HEIGHT = 420
"""Charts lower than this have no overview."""
FUTURE_ALPHA = 190
"""How much of what comes after the time cursor is covered, of 255."""


@dataclass(frozen=True)
class Style:
    """How charts are drawn into a picture.

    Attributes
    ----------
    theme : colours by role
    size : width and height in pixels
    text : how large letters, lines and margins are; 1.5 is half as large again as in the window
    heading : a line above everything, or nothing
    ratio : dots of a PNG for each pixel of `size`
    """

    theme: Theme
    size: tuple[int, int] = (1600, 900)
    text: float = 1.0
    heading: str = ""
    ratio: float = 1.0

    def check(self) -> None:
        """Raise InputError if nothing can be drawn so."""
        if not all(MIN_SIZE <= length <= MAX_SIZE for length in self.size):
            width, height = self.size
            raise InputError(
                f"size {width}x{height}: width and height of a picture are {MIN_SIZE} to {MAX_SIZE} pixels"
            )
        if not MIN_TEXT <= self.text <= MAX_TEXT:
            least, most = 100 * MIN_TEXT, 100 * MAX_TEXT
            raise InputError(f"text size {100 * self.text:g} %: give {least:g} to {most:g} %")


@dataclass(frozen=True)
class Preset:
    """A picture for a purpose.

    Attributes
    ----------
    title : for lists
    width, height : of the whole; of each chart below the other if `is_stacked`, in pixels
    text, ratio : as in `Style`
    suffix : of the file that it is meant for
    """

    title: str
    width: int
    height: int
    text: float
    suffix: str
    is_stacked: bool = False
    ratio: float = 1.0

    def style(self, charts: int, theme: Theme, heading: str = "") -> Style:
        """Return how that many charts are drawn."""
        height = self.height * charts if self.is_stacked else self.height
        return Style(theme, (self.width, height), self.text, heading, self.ratio)


PRESETS = {
    "usual": Preset("Usual: 1600 x 900 pixels", 1600, 900, 1.0, ".png"),
    "slide": Preset("Slide: 1920 x 1080 pixels, large text", 1920, 1080, 1.6, ".png"),
    "paper": Preset("Paper column: 88 mm wide, vector", 333, 125, 0.6, ".pdf", is_stacked=True, ratio=4.0),
}
"""A column of paper is 88 mm = 333 pixels of 1/96 inch wide, its letters 6 points high; a PNG has 384 dpi."""


class Pointed(NamedTuple):
    """What is at a place of a stage.

    Attributes
    ----------
    chart : index of the chart
    seconds : the time there, or None beside plot and axis
    job : index of the job of its schedule that runs there, or -1
    """

    chart: int
    seconds: float | None
    job: int


class ChartsStage:
    """Heading, legend and charts in a size; what stands still is painted once, an instant over it.

    Attributes
    ----------
    charts : what is drawn
    style : how
    shown : the range of time of all charts
    """

    def __init__(self, charts: Sequence[ChartContent], style: Style, shown: TimeRange | None = None) -> None:
        self.style, self.charts = style, charts
        self._fonts = ChartFonts(QGuiApplication.font())
        self.shown = common_range(charts) if shown is None else shown
        width, height = (round(length / style.text) for length in style.size)
        self._legend = QRectF(0, HEADING_HEIGHT if style.heading else MARGIN // 2, width, LEGEND_HEIGHT)
        top = int(self._legend.bottom() if _listed(charts) else self._legend.top())
        self._places = chart_places(len(charts), (width, height), top)
        self._scenes = [self._scene(*pair) for pair in zip(charts, self._places, strict=True)]

    def _scene(self, chart: ChartContent, place: QRect) -> ChartScene:
        compact = len(self.charts) > 2 or place.height() < COMPACT_HEIGHT
        chart = replace(chart, compact=compact, for_audience=True)
        scene = ChartScene(self.style.theme, QFont(self._fonts.base), chart)
        scene.resize(place.width(), place.height(), self.style.ratio * self.style.text)
        return scene

    def paint(self, painter: QPainter, is_vector: bool = False) -> None:
        """Draw all that stands still, with what is selected, into a painter at the stage's corner."""
        theme = self.style.theme
        painter.fillRect(QRect(0, 0, *self.style.size), theme.window)
        with self._scaled(painter):
            self._paint_heading(painter)
            self._paint_legend(painter)
        for scene, place in zip(self._scenes, self._places, strict=True):
            with self._scaled(painter, place):
                frame = scene.frame(self.shown, self.shown, is_vector)
                scene.layers.paint(painter, frame)
                paint_selection(painter, frame)

    @contextmanager
    def _scaled(self, painter: QPainter, place: QRect | None = None) -> Iterator[None]:
        """Paint in the size of text, from the corner of a place on."""
        painter.save()
        try:
            painter.scale(self.style.text, self.style.text)
            if place is not None:
                painter.translate(place.topLeft())
            yield
        finally:
            painter.restore()

    @cached_property
    def still(self) -> QImage:
        """A picture of all that stands still, in dots."""
        image = blank_image(QSize(*self.style.size), self.style.ratio, QImage.Format.Format_RGB32)
        with QPainter(image) as painter:
            self.paint(painter)
        return image

    def _paint_heading(self, painter: QPainter) -> None:
        if self.style.heading:
            write_with(painter, self._fonts.label(4), self.style.theme.text)
            rect = QRect(14, MARGIN, int(self._legend.width()) - 28, HEADING_HEIGHT - MARGIN)
            draw_elided(painter, rect, self.style.heading, Qt.AlignmentFlag.AlignLeft)

    def _paint_legend(self, painter: QPainter) -> None:
        from explorer.gantt.layers.legend import paint_legend
        from explorer.gantt.layers.legend_content import LegendContent, unveiled_signs

        chart = _listed(self.charts)
        if chart is None or chart.rows is None:
            return
        jobs = chart.rows.schedule.workload.jobs
        names, signs = tuple(job.name for job in jobs), legend_signs(each.rows for each in self.charts)
        theme, selected = self.style.theme, chart.selected_job
        is_veiled = any(each.is_veiled for each in self.charts)
        signs = unveiled_signs(signs) if is_veiled else signs
        content = LegendContent(classes_of(chart), names, theme, selected, signs, is_veiled)
        paint_legend(painter, self._legend.adjusted(14, 0, -14, 0), self._fonts, content)

    # ---- an instant

    def paint_instant(self, painter: QPainter, seconds: float, *, covers: bool = True) -> None:
        """Draw the line of a time with a clock; `covers` lets what is still to come be faint."""
        for scene, place in zip(self._scenes, self._places, strict=True):
            with self._scaled(painter, place):
                _paint_instant(painter, scene.frame(self.shown, self.shown), seconds, covers)

    def past(self, seconds: float) -> list[QRect]:
        """Return where the stage shows what has happened up to a time, in each of its charts, pixels."""
        places = []
        for scene, place in zip(self._scenes, self._places, strict=True):
            plot, x = (frame := scene.frame(self.shown, self.shown)).places.plot, frame.x(seconds)
            wide = min(max(x - plot.left(), 0.0), float(plot.width()))
            corner, text = place.topLeft() + plot.topLeft(), self.style.text
            places.append(
                QRect(
                    round(corner.x() * text),
                    round(corner.y() * text),
                    round(wide * text),
                    round(plot.height() * text),
                )
            )
        return places

    def at(self, position: QPointF) -> Pointed | None:
        """Return what is at a pixel of the stage; None outside the charts."""
        point = position / self.style.text
        for index, (scene, place) in enumerate(zip(self._scenes, self._places, strict=True)):
            if place.contains(point.toPoint()):
                frame = scene.frame(self.shown, self.shown)
                return _pointed(index, frame, point - place.topLeft().toPointF())
        return None


def _paint_instant(painter: QPainter, frame: ChartFrame, seconds: float, covers: bool) -> None:
    frame = frame.unveiled
    plot, theme = frame.places.plot, frame.theme
    if covers and not frame.content.is_veiled:
        left = min(max(frame.x(seconds), plot.left()), plot.right() + 1.0)
        future = QRectF(left, plot.top(), plot.right() + 1 - left, plot.height())
        painter.fillRect(future, translucent(theme.window, FUTURE_ALPHA))
    if not frame.shows(seconds) or frame.content.rows is None:
        return
    x, axis = frame.x(seconds), frame.places.axis
    lends = paint_loans(painter, frame, frame.content.rows, seconds)
    paint_cursor_line(painter, frame, x, plot.top(), axis.top() - plot.top())
    paint_names_above(painter, frame, frame.content.rows, None if lends else seconds)
    text = clock_text(seconds, clock_step(frame.scale.span), frame.scale.end)
    width = frame.fonts.small_metrics.horizontalAdvance(text) + 14.0
    middle = min(max(x, width / 2), frame.places.whole.width() - width / 2)
    flag = QRectF(middle - width / 2, axis.top(), width, frame.fonts.small_metrics.height() + 2.0)
    draw_tag(painter, frame, flag, text, 4, theme.cursor, theme.on_cursor)


def _pointed(index: int, frame: ChartFrame, point: QPointF) -> Pointed:
    plot, rows = frame.places.plot, frame.content.rows
    if rows is None or not plot.left() <= point.x() <= plot.right() or point.y() < plot.top():
        return Pointed(index, None, -1)
    inside = point - plot.topLeft().toPointF()
    found = hit(rows.columns, frame.layout, frame.scale, inside.x(), inside.y())
    is_task = found.place >= 0 and plot.contains(point.toPoint())
    seconds = max(0.0, frame.time(point.x()))
    is_seen = is_task and seconds < frame.content.veil
    return Pointed(index, seconds, int(rows.columns.code[found.place]) >> 1 if is_seen else -1)


def _listed(charts: Sequence[ChartContent]) -> ChartContent | None:
    """Return the chart whose jobs a legend lists: a record whose jobs were edited since has other ones."""
    known = sorted((chart for chart in charts if chart.rows), key=lambda chart: chart.places is not None)
    return next(iter(known), None)


def common_range(charts: Sequence[ChartContent]) -> TimeRange:
    """Return the range of time that shows all of every chart."""
    axis = TimeAxis()
    axis.set_extent(0.0, max((chart.end for chart in charts), default=1.0))
    return axis.full_range


def chart_places(count: int, size: tuple[int, int], top: int) -> list[QRect]:
    """Return where charts lie below `top`: stacked, four and six in two columns; no place is empty."""
    columns = 2 if count in (4, 6) else 1
    lines = -(-count // columns)
    width, height = size[0] // columns, (size[1] - top) // max(1, lines)
    return [QRect(i % columns * width, top + i // columns * height, width, height) for i in range(count)]


def to_image(charts: Sequence[ChartContent], style: Style) -> QImage:
    """Return a picture of charts."""
    style.check()
    headless_application()
    try:
        return ChartsStage(charts, style).still
    except MemoryError as error:  # the tasks of a chart take as much again
        width, height = (round(length * style.ratio) for length in style.size)
        raise too_large(width, height) from error
