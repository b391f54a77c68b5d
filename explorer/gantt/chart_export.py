"""Charts as pictures without a window: PNG, SVG or PDF, with title, legend and one common time axis."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMarginsF, QSize
from PySide6.QtGui import QPageSize, QPainter, QPdfWriter

from core.files.atomic import replace_file
from core.model.errors import InputError, did_you_mean
from explorer.gantt.stage import ChartsStage, to_image
from explorer.widgets.export import png_of, svg_into, written_by
from explorer.widgets.type_face import headless_application

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QIODevice

    from explorer.gantt.geometry.chart_content import ChartContent
    from explorer.gantt.stage import Style

SUFFIXES = (".png", ".svg", ".pdf")
DOTS_PER_INCH = 96


def render(charts: Sequence[ChartContent], path: str | Path, style: Style) -> None:
    """Draw charts into a file, in one step; its suffix gives the format.

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
            ChartsStage(charts, style).paint(painter, is_vector=True)

    return written_by(write)


def _pdf(device: QIODevice, size: QSize) -> QPdfWriter:
    writer = QPdfWriter(device)
    points = size.toSizeF() * (72 / DOTS_PER_INCH)
    writer.setPageSize(QPageSize(points, QPageSize.Unit.Point))
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    writer.setResolution(DOTS_PER_INCH)
    writer.setCreator("Slotscope")
    return writer
