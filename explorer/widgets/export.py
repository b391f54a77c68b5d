"""A chart taken elsewhere: its picture and numbers to the clipboard, or to a PNG, SVG or CSV file."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QMenu, QToolButton, QWidget
from typing_extensions import override

from core.files.atomic import replace_file
from core.model.cell_text import table_text
from core.model.errors import InputError
from core.model.number_text import grouped
from explorer.widgets.plain_labels import TipWidget
from explorer.widgets.save_dialog import ask_where_to_save
from explorer.widgets.theme import theme_of

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from PySide6.QtCore import SignalInstance
    from PySide6.QtGui import QAction, QPaintEvent

    from explorer.widgets.theme import Theme

    Say = Callable[[str], object] | SignalInstance

SHARPNESS = 2
"""Pixels of a PNG for one on the screen."""
BYTES_PER_PIXEL, MB = 4, 1e6
Cell = str | float | int | None


@dataclass(frozen=True, slots=True)
class ChartTable:
    """Headings and rows; numbers unrounded, None where there is no value."""

    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def to_text(self, separator: str = "\t") -> str:
        """Return the table separated by tabs, as spreadsheets paste it."""
        return table_text((self.header, *map(_known, self.rows)), separator)

    def write_csv(self, path: str | os.PathLike[str]) -> None:
        """Write the table to a CSV file; InputError if that cannot be done."""
        replace_file(path, self.to_text(",").encode())


def ask_and_save_table(
    parent: QWidget,
    table: Callable[[], ChartTable],
    name: str,
    saved: Callable[[str], object],
    refused: Callable[[str], object],
    title: str = "Save the table",
) -> None:
    """Let the user choose a CSV file and write a table there; one of two functions takes what came of it."""
    path = ask_where_to_save(parent, title, name, "Comma-separated values (*.csv)")
    if path is None:
        return
    try:
        table().write_csv(path)
    except InputError as error:
        refused(str(error))
    else:
        saved(f"Saved to {path}")


class Exportable(Protocol):
    """What can be exported: a chart or a table that draws itself and has its numbers."""

    @property
    def export_name(self) -> str:
        """A name for files."""

    @property
    def background(self) -> QColor:
        """What is behind it."""

    def export_size(self) -> QSize:
        """The size of its picture on the screen."""

    def paint_export(self, painter: QPainter, area: QRectF) -> None:
        """Draw it into an area."""

    def table(self) -> ChartTable:
        """Its numbers."""


class Picture(TipWidget):
    """A widget that draws itself alike on the screen and into files; a subclass has `paint` and `table`.

    It has the colours of its palette's theme, or of the one that `set_theme` was given.
    """

    def __init__(self, export_name: str) -> None:
        super().__init__()
        self.export_name = export_name
        self._theme: Theme | None = None

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """Draw everything into an area, upon the background."""
        raise NotImplementedError

    def paint_over(self, painter: QPainter) -> None:
        """Draw what only the screen shows: what is pointed at, the focus."""

    def paint_nothing(self, painter: QPainter, area: QRectF, text: str) -> None:
        """Write into the middle of an area why there is nothing to see."""
        painter.setPen(self.colours.third_text)
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, text)

    def table(self) -> ChartTable:
        """Return the numbers behind the picture."""
        raise NotImplementedError

    @property
    def colours(self) -> Theme:
        """The colours of the picture."""
        return self._theme or theme_of(self)

    def set_theme(self, colours: Theme) -> None:
        """Draw in other colours."""
        self._theme = colours
        self.update()

    @property
    def background(self) -> QColor:
        """What is behind the picture."""
        return self.colours.plot

    def export_size(self) -> QSize:
        """Return the size on the screen."""
        return self.size()

    def paint_export(self, painter: QPainter, area: QRectF) -> None:
        """Draw the picture into an area of a file."""
        painter.setFont(self.font())
        self.paint(painter, area)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), self.background)
            self.paint(painter, QRectF(self.rect()))
            self.paint_over(painter)


class ExportButton(QToolButton):
    """Exports the chart that it was given last.

    Signals
    -------
    written : a sentence on what was copied or written
    refused : a file could not be written; the sentence to show
    """

    written = Signal(str)
    refused = Signal(str)

    def __init__(self, written: Say | None = None, refused: Say | None = None) -> None:
        """Pass both sentences on to `written` where no `refused` is given."""
        super().__init__()
        if written is not None:
            self.written.connect(written)
            self.refused.connect(written if refused is None else refused)
        self._chart: Exportable | None = None
        self.setText("Export ▾")
        self.setToolTip("Copy the picture or its numbers, or save them to a file")
        self.setAccessibleName("Export this chart")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._menu = QMenu(self)
        self.clicked.connect(self._open_menu)
        self.copy_picture_action = self._add("Copy picture", self.copy_picture)
        self.copy_table_action = self._add("Copy numbers", self.copy_table)
        self._menu.addSeparator()
        save = self._ask_and_save
        self.png_action = self._add("Save as PNG …", partial(save, "png", "PNG picture (*.png)"))
        self.svg_action = self._add("Save as SVG …", partial(save, "svg", "SVG picture (*.svg)"))
        self.csv_action = self._add(
            "Save numbers as CSV …", partial(save, "csv", "Comma-separated values (*.csv)")
        )
        self.set_chart(None)

    def _add(self, text: str, slot: Callable[[], None]) -> QAction:
        action = self._menu.addAction(text)
        action.triggered.connect(slot)
        return action

    def add_own(self, text: str, slot: Callable[[], None]) -> QAction:
        """Offer one more thing, after all others."""
        self._menu.addSeparator()
        return self._add(text, slot)

    def set_chart(self, chart: Exportable | None) -> None:
        """Export this chart from now on; None while there is nothing to export."""
        self._chart = chart
        self.setEnabled(chart is not None)

    def _open_menu(self) -> None:
        self._menu.popup(self.mapToGlobal(QPoint(0, self.height())))

    # The clipboard

    def copy_picture(self) -> None:
        """Put the picture on the clipboard."""
        if self._chart is not None:
            try:
                picture = picture_of(self._chart)
            except InputError as error:
                self.refused.emit(str(error))
                return
            QGuiApplication.clipboard().setImage(picture)
            self.written.emit("Copied the picture")

    def copy_table(self) -> None:
        """Put the numbers on the clipboard, separated by tabs."""
        if self._chart is not None:
            QGuiApplication.clipboard().setText(self._chart.table().to_text())
            self.written.emit("Copied the numbers")

    # Files

    def _ask_and_save(self, ending: str, kind: str) -> None:
        if self._chart is None:
            return
        suggested = f"{self._chart.export_name}.{ending}"
        path = ask_where_to_save(self, "Export", suggested, kind)
        if path is not None:
            self.save(str(path))

    def save(self, path: str) -> None:
        """Write the chart in the format that the file's name ends in."""
        if self._chart is None:
            return
        try:
            write_chart(self._chart, path)
        except InputError as error:
            self.refused.emit(str(error))
        else:
            self.written.emit(f"Saved to {path}")


def write_chart(chart: Exportable, path: str) -> None:
    """Write a chart to a PNG, SVG or CSV file; InputError if the name or the folder does not allow it."""
    ending = Path(path).suffix.lower()
    if ending == ".csv":
        chart.table().write_csv(path)
    elif ending == ".png":
        replace_file(path, png_of(picture_of(chart)))
    elif ending == ".svg":
        replace_file(path, written_by(partial(_paint_svg, chart)))
    else:
        raise InputError(f"cannot write '{path}': '{ending}' is no format for charts; use .png, .svg or .csv")


def picture_of(chart: Exportable) -> QImage:
    """Draw a chart, twice as fine as on the screen."""
    size = chart.export_size()
    image = blank_image(size, SHARPNESS)
    image.fill(chart.background)
    with QPainter(image) as painter:
        chart.paint_export(painter, QRectF(0, 0, size.width(), size.height()))
    return image


def blank_image(
    size: QSize, ratio: float, form: QImage.Format = QImage.Format.Format_ARGB32_Premultiplied
) -> QImage:
    """Return an image to draw on, with so many device pixels for one; InputError if memory has no room."""
    width, height = round(size.width() * ratio), round(size.height() * ratio)
    room = free_memory()
    if BYTES_PER_PIXEL * width * height > room:
        raise too_large(width, height, f", and {grouped(room / MB)} MB are free")
    image = QImage(width, height, form)
    if image.isNull():
        raise too_large(width, height)
    image.setDevicePixelRatio(ratio)
    return image


def too_large(width: int, height: int, free: str = ", more than this program may have") -> InputError:
    """Return the message about a picture that memory has no room for, in pixels."""
    needed = BYTES_PER_PIXEL * width * height / MB
    return InputError(
        f"a picture of {width}x{height} pixels takes {grouped(needed)} MB of memory{free}; "
        "make it smaller, or write it as SVG, which has no pixels"
    )


def free_memory() -> float:
    """Return how many bytes of memory are free, infinite where the system does not report it."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        found = dict(line.split(":", 1) for line in lines)["MemAvailable"]
        return 1024.0 * int(found.split()[0])
    except (OSError, ValueError, KeyError, IndexError):
        return math.inf


def written_by(write: Callable[[QBuffer], object]) -> bytes:
    """Return what a function writes into a device."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    write(buffer)
    buffer.close()
    return bytes(data.data())


def png_of(image: QImage) -> bytes:
    """Return an image as a PNG file; InputError if Qt cannot write it."""
    writer = QImageWriter()
    writer.setFormat(b"PNG")

    def write(file: QBuffer) -> None:
        writer.setDevice(file)
        if not writer.write(image):
            size = f"{image.width()}x{image.height()}"
            raise InputError(
                f"a picture of {size} pixels cannot be written as PNG ({writer.errorString()}); "
                "make it smaller, or write it as SVG"
            )

    return written_by(write)


def svg_into(device: QIODevice, size: QSize, title: str, dots_per_inch: int) -> QSvgGenerator:
    """Return what paints an SVG file of a size."""
    generator = QSvgGenerator()
    generator.setOutputDevice(device)
    generator.setResolution(dots_per_inch)
    generator.setSize(size)
    generator.setViewBox(QRect(QPoint(), size))
    generator.setTitle(title)
    return generator


def _paint_svg(chart: Exportable, device: QIODevice) -> None:
    size = chart.export_size()
    area = QRectF(0, 0, size.width(), size.height())
    # the screen's, or recorded drawings (the axes of plots) would be scaled apart from the rest
    dots_per_inch = round(QGuiApplication.primaryScreen().logicalDotsPerInch())
    generator = svg_into(device, size, chart.export_name, dots_per_inch)
    with QPainter(generator) as painter:
        painter.fillRect(area, chart.background)
        chart.paint_export(painter, area)


def _known(row: tuple[Cell, ...]) -> list[Cell]:
    return [None if isinstance(value, float) and math.isnan(value) else value for value in row]
