"""What the parts that join others in the window have in common: what they join, and whom they tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMainWindow

    from explorer.window.window_parts import Parts


class Area(QObject):
    """Builds some parts of the window and connects them.

    Signals
    -------
    told : what was done
    failed : something could not be done; the exception
    """

    told = Signal(str)
    failed = Signal(object)

    def __init__(self, parts: Parts, window: QMainWindow) -> None:
        super().__init__(window)
        self._parts, self._window = parts, window

    def pass_on(self, *areas: Area) -> None:
        """Tell what other areas tell."""
        for area in areas:
            area.told.connect(self.told)
            area.failed.connect(self.failed)
