"""Covers panels that would give away what a veil hides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from explorer.widgets.details import MIN, DetailsPage
from explorer.widgets.layouts import column, push_button, row
from explorer.widgets.plain_labels import PlainLabel

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMainWindow

    from explorer.document.veil import Veil

SENTENCE = "This panel tells more than the lesson has shown. Go on in the lesson, or lift the veil."


class PanelCovers(QObject):
    """While a veil is down, each panel that is opened shows a sentence instead.

    Signals
    -------
    lift_wanted : a button of a cover was pressed
    """

    lift_wanted = Signal()

    def __init__(self, veil: Veil, window: QMainWindow) -> None:
        super().__init__(window)
        self._veil, self._window = veil, window
        self._covered: dict[DetailsPage, QWidget] = {}
        veil.changed.connect(self._follow)

    def _follow(self) -> None:
        if self._veil.is_down:
            for page in self._window.findChildren(DetailsPage):
                if page.is_telling and page not in self._covered:
                    self._covered[page] = page.part
                    page.put(self._cover())
            return
        for page, part in self._covered.items():
            cover = page.part
            page.put(part)
            cover.deleteLater()
        self._covered.clear()

    def _cover(self) -> QWidget:
        cover, text = QWidget(), PlainLabel(SENTENCE, wraps=True, is_faint=True)
        text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        button = push_button("Lift the veil", "Show what comes next, without an answer", self.lift_wanted)
        column(None, text, row(None, button, None), None, parent=cover)
        cover.setMinimumSize(MIN)
        return cover
