"""Lessons in the window: the pane, being the scheduler, presenting; the menu of what can be done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from explorer.window.presenter import Presenter
from explorer.window.window_menus import LESSONS, ActionSpec

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMainWindow

    from explorer.widgets.theme import Theme
    from explorer.window.parts import Parts


class LessonArea(QObject):
    """Builds the parts and connects them.

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
        self.presenter = Presenter(parts, None, window)

    def specs(self) -> tuple[ActionSpec, ...]:
        """Return the actions of the menu."""
        tip = "Show the charts on the whole screen with large text and captions, for a room; Escape leaves"
        return (ActionSpec(LESSONS, "present", "&Present", "F5", self.presenter.toggle, tip),)

    def place(self, actions: Mapping[str, QAction]) -> None:
        """Put the panels where they wait, out of sight, until their actions ask for them."""

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        self.presenter.update()

    def close(self) -> None:
        """End what runs: the window closes."""
        self.presenter.leave()
