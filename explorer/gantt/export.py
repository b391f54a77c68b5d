"""Charts as pictures without a window: PNG, SVG or PDF, with title, legend and one common time axis."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMarginsF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QGuiApplication, QImage, QPageSize, QPainter, QPdfWriter

from core.files.atomic import replace_file
from core.model.errors import InputError, did_you_mean
from explorer.document.time_axis import TimeAxis, TimeRange
from explorer.gantt.chart_scene import ChartScene
from explorer.gantt.geometry.chart_frame import ChartFonts, draw_elided
from explorer.gantt.layers.chart_layers import legend_signs
from explorer.gantt.layers.legend import LegendContent, paint_legend
from explorer.gantt.layers.overlays import paint_selection
from explorer.widgets.export import blank_image, png_of, svg_into, too_large, written_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QIODevice

    from explorer.gantt.geometry.chart_content import ChartContent
    from explorer.widgets.theme import Theme

SUFFIXES = (".png", ".svg", ".pdf")
LEGEND_HEIGHT, HEADING_HEIGHT, MARGIN = 30, 34, 8
DOTS_PER_INCH = 96
LEAST_SIZE, MOST_SIZE = 100, 20_000
LEAST_TEXT, MOST_TEXT = 0.5, 3.0
COMPACT_HEIGHT = 420
"""Charts lower than this have no overview."""


def headless_application() -> QGuiApplication:
    """Return the running Qt application, or start one that needs no display."""
    running = QGuiApplication.instance()
    if isinstance(running, QGuiApplication):
        return running
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    return QGuiApplication([])


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
        if not all(LEAST_SIZE <= length <= MOST_SIZE for length in self.size):
            width, height = self.size
            raise InputError(
                f"size {width}x{height}: width and height of a picture are {LEAST_SIZE} to {MOST_SIZE} pixels"
            )
        if not LEAST_TEXT <= self.text <= MOST_TEXT:
            least, most = 100 * LEAST_TEXT, 100 * MOST_TEXT
            raise InputError(f"text size {100 * self.text:g} %: give {least:g} to {most:g} %")


def render(charts: Sequence[ChartContent], path: str | Path, style: Style) -> None:
    """Draw charts into a file, in one step; its suffix says in which format.

    Parameters
    ----------
    charts : one to six; four and six in two columns, else stacked
    path : ends in .png, .svg or .pdf
    style : how

    Raises
    ------
    InputError
        the suffix is unknown, the size is not one, or the file cannot be written
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        hint = did_you_mean(suffix, SUFFIXES)
        raise InputError(f"{path}: pictures are written as .png, .svg or .pdf, not '{suffix}'{hint}")
    replace_file(path, encoded(charts, suffix, style))


def encoded(charts: Sequence[ChartContent], suffix: str, style: Style) -> bytes:
    """Return the content of a picture file of charts."""
    style.check()
    if suffix == ".png":
        return png_of(to_image(charts, style))

    def write(file: QIODevice) -> None:
        headless_application()
        svg = partial(svg_into, title="Schedules drawn by Slotscope", dots_per_inch=DOTS_PER_INCH)
        device = (svg if suffix == ".svg" else _pdf)(file, QSize(*style.size))
        with QPainter(device) as painter:
            paint_charts(painter, charts, style, is_vector=True)

    return written_by(write)


def to_image(charts: Sequence[ChartContent], style: Style) -> QImage:
    """Return a picture of charts."""
    style.check()
    headless_application()
    image = blank_image(QSize(*style.size), style.ratio, QImage.Format.Format_RGB32)
    try:
        with QPainter(image) as painter:
            paint_charts(painter, charts, style)
    except MemoryError as error:  # the tasks of a chart take as much again
        raise too_large(image.width(), image.height()) from error
    return image


def _pdf(device: QIODevice, size: QSize) -> QPdfWriter:
    writer = QPdfWriter(device)
    points = size.toSizeF() * (72 / DOTS_PER_INCH)
    writer.setPageSize(QPageSize(points, QPageSize.Unit.Point))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    writer.setResolution(DOTS_PER_INCH)
    writer.setCreator("Slotscope")
    return writer


def paint_charts(
    painter: QPainter, charts: Sequence[ChartContent], style: Style, is_vector: bool = False
) -> None:
    """Draw heading, legend and charts, with what is selected; the charts have one range of time."""
    fonts, theme = ChartFonts(QGuiApplication.font()), style.theme
    painter.fillRect(QRect(0, 0, *style.size), theme.window)
    painter.scale(style.text, style.text)
    width, height = (round(length / style.text) for length in style.size)
    top = _paint_heading(painter, style.heading, width, theme, fonts)
    top = _paint_legend(painter, charts, QRectF(0, top, width, LEGEND_HEIGHT), theme, fonts)
    shown = common_range(charts)
    for chart, place in zip(charts, chart_places(len(charts), (width, height), top), strict=True):
        compact = len(charts) > 2 or place.height() < COMPACT_HEIGHT
        scene = ChartScene(theme, QFont(fonts.base), replace(chart, compact=compact))
        scene.resize(place.width(), place.height(), style.ratio * style.text)
        frame = scene.frame(shown, shown, is_vector)
        painter.save()
        try:
            painter.translate(place.topLeft())
            scene.layers.paint(painter, frame)
            paint_selection(painter, frame)
        finally:
            painter.restore()


def _paint_heading(painter: QPainter, heading: str, width: int, theme: Theme, fonts: ChartFonts) -> int:
    if not heading:
        return MARGIN // 2
    painter.setFont(fonts.label(4))
    painter.setPen(theme.text)
    rect = QRect(14, MARGIN, width - 28, HEADING_HEIGHT - MARGIN)
    draw_elided(painter, rect, heading, Qt.AlignmentFlag.AlignLeft)
    return HEADING_HEIGHT


def _paint_legend(
    painter: QPainter, charts: Sequence[ChartContent], rect: QRectF, theme: Theme, fonts: ChartFonts
) -> int:
    # a record whose jobs were edited since has other jobs than the rest
    known = sorted((chart for chart in charts if chart.rows), key=lambda chart: chart.places is not None)
    chart = next(iter(known), None)
    if chart is None or chart.rows is None:
        return int(rect.top())
    jobs = chart.rows.schedule.workload.jobs
    names, signs = tuple(job.name for job in jobs), legend_signs(each.rows for each in charts)
    content = LegendContent(names, theme, chart.positions, chart.mode, chart.selected_job, signs)
    paint_legend(painter, rect.adjusted(14, 0, -14, 0), fonts, content)
    return int(rect.bottom())


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
