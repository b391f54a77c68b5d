"""Charts as pictures without a window: PNG, SVG or PDF, with title, legend and one common time axis."""

from __future__ import annotations

import os
from dataclasses import replace
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
from explorer.widgets.export import blank_image, png_of, svg_into, too_large, written_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QIODevice

    from explorer.gantt.geometry.chart_content import ChartContent
    from explorer.widgets.theme import Theme

SUFFIXES = (".png", ".svg", ".pdf")
LEGEND_HEIGHT, HEADING_HEIGHT, MARGIN = 30, 34, 8
DOTS_PER_INCH = 96
LEAST_SIZE, MOST_SIZE = 200, 20_000
COMPACT_HEIGHT = 420
"""Charts lower than this have no overview."""


def headless_application() -> QGuiApplication:
    """Return the running Qt application, or start one that needs no display."""
    running = QGuiApplication.instance()
    if isinstance(running, QGuiApplication):
        return running
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    return QGuiApplication([])


def render(
    charts: Sequence[ChartContent], path: str | Path, size: tuple[int, int], theme: Theme, heading: str = ""
) -> None:
    """Draw charts into a file, in one step; its suffix says in which format.

    Parameters
    ----------
    charts : one to six, stacked, from three on in two columns
    path : ends in .png, .svg or .pdf
    size : width and height in pixels
    theme : colours by role
    heading : a line above everything, or nothing

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
    replace_file(path, encoded(charts, suffix, size, theme, heading))


def encoded(
    charts: Sequence[ChartContent], suffix: str, size: tuple[int, int], theme: Theme, heading: str = ""
) -> bytes:
    """Return the content of a picture file of charts."""
    _check_size(size)
    if suffix == ".png":
        return png_of(to_image(charts, size, theme, heading))

    def write(file: QIODevice) -> None:
        headless_application()
        svg = partial(svg_into, title="Schedules drawn by Slotscope", dots_per_inch=DOTS_PER_INCH)
        device = (svg if suffix == ".svg" else _pdf)(file, QSize(*size))
        with QPainter(device) as painter:
            paint_charts(painter, charts, size, theme, heading, is_vector=True)

    return written_by(write)


def to_image(
    charts: Sequence[ChartContent],
    size: tuple[int, int],
    theme: Theme,
    heading: str = "",
    ratio: float = 1.0,
) -> QImage:
    """Return a picture of charts; `ratio` device pixels for each pixel of `size`."""
    _check_size(size)
    headless_application()
    image = blank_image(QSize(*size), ratio, QImage.Format.Format_RGB32)
    try:
        with QPainter(image) as painter:
            paint_charts(painter, charts, size, theme, heading, ratio=ratio)
    except MemoryError as error:  # the tasks of a chart take as much again
        raise too_large(image.width(), image.height()) from error
    return image


def _check_size(size: tuple[int, int]) -> None:
    if not all(LEAST_SIZE <= length <= MOST_SIZE for length in size):
        raise InputError(
            f"size {size[0]}x{size[1]}: width and height of a picture are {LEAST_SIZE} to {MOST_SIZE} pixels"
        )


def _pdf(device: QIODevice, size: QSize) -> QPdfWriter:
    writer = QPdfWriter(device)
    points = size.toSizeF() * (72 / DOTS_PER_INCH)
    writer.setPageSize(QPageSize(points, QPageSize.Unit.Point))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    writer.setResolution(DOTS_PER_INCH)
    writer.setCreator("Slotscope")
    return writer


def paint_charts(
    painter: QPainter,
    charts: Sequence[ChartContent],
    size: tuple[int, int],
    theme: Theme,
    heading: str = "",
    is_vector: bool = False,
    ratio: float = 1.0,
) -> None:
    """Draw heading, legend and charts; the charts have one range of time."""
    fonts = ChartFonts(QGuiApplication.font())
    painter.fillRect(QRect(0, 0, *size), theme.window)
    top = _paint_heading(painter, heading, size[0], theme, fonts)
    top = _paint_legend(painter, charts, QRectF(0, top, size[0], LEGEND_HEIGHT), theme, fonts)
    shown = common_range(charts)
    for chart, place in zip(charts, chart_places(len(charts), size, top), strict=True):
        compact = len(charts) > 2 or place.height() < COMPACT_HEIGHT
        scene = ChartScene(theme, QFont(fonts.base), replace(chart, compact=compact))
        scene.resize(place.width(), place.height(), ratio)
        painter.save()
        try:
            painter.translate(place.topLeft())
            scene.layers.paint(painter, scene.frame(shown, shown, is_vector))
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
    """Return where charts lie below `top`: stacked, from three on in two columns."""
    columns = 1 if count < 3 else 2
    lines = -(-count // columns)
    width, height = size[0] // columns, (size[1] - top) // max(1, lines)
    return [QRect(i % columns * width, top + i // columns * height, width, height) for i in range(count)]
