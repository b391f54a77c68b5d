"""Pictures of what is shown: to files and to the clipboard."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from core.model.errors import SlotscopeError
from explorer.gantt.export import render, to_image

if TYPE_CHECKING:
    from collections.abc import Callable

    from explorer.window.chart_area import ChartArea

PICTURE_FILTER = "PNG picture (*.png);;SVG drawing (*.svg);;PDF document (*.pdf)"
SIZE = (1600, 900)


class Pictures(QObject):
    """Exports the charts with the theme, selection and colours they have.

    Signals:
        written: a sentence for the status bar
        failed: an exception to show
    """

    written = Signal(str)
    failed = Signal(object)

    def __init__(self, charts: ChartArea, window: QWidget) -> None:
        super().__init__(window)
        self._charts, self._window = charts, window

    def ask_and_export(self) -> None:
        """Let the user choose a file and draw all charts into it."""
        chosen, _ = QFileDialog.getSaveFileName(
            self._window, "Export picture", "schedules.png", PICTURE_FILTER
        )
        if chosen:
            self.export(Path(chosen))

    def export(self, path: Path) -> None:
        """Draw all charts into a file; its ending decides the format."""
        self._try(
            lambda: render(self._charts.contents(), path, SIZE, self._charts.theme), f"Drawn into {path}"
        )

    def copy(self) -> None:
        """Put a picture of all charts on the clipboard."""

        def put() -> None:
            image = to_image(self._charts.contents(), SIZE, self._charts.theme)
            QGuiApplication.clipboard().setImage(image)

        self._try(put, "The picture is on the clipboard")

    def _try(self, work: Callable[[], None], sentence: str) -> None:
        try:
            work()
        except SlotscopeError as error:
            self.failed.emit(error)
        else:
            self.written.emit(sentence)
