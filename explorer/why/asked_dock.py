"""A panel that stays out of sight until it is asked for, beside others as a tab."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

if TYPE_CHECKING:
    from PySide6.QtGui import QAction


SIDES = (Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea)


class AskedDock(QDockWidget):
    """Follows a checkable action: open while it is checked, in front when it is asked for.

    Asking for a panel that is open behind another one brings it to the front; asking once more closes it.
    """

    def __init__(self, title: str, part: QWidget, window: QMainWindow) -> None:
        super().__init__(title, window)
        self.setObjectName(title.lower())
        self.setWidget(part)
        self._action: QAction | None = None
        self._is_in_front = False
        self.visibilityChanged.connect(self._on_visibility_changed)

    def place(self, beside: QDockWidget, window: QMainWindow, action: QAction) -> None:
        """Become a tab beside another panel, out of sight; an action shows whether it is open."""
        self._action = action
        window.addDockWidget(window.dockWidgetArea(beside), self)
        window.tabifyDockWidget(beside, self)
        self.hide()

    def bring(self) -> None:
        """Open it, in front of the panels that it shares a place with, as large as it needs to be."""
        self.show()
        self.raise_()
        window, wanted = self.parentWidget(), self.widget().sizeHint()
        assert isinstance(window, QMainWindow)  # it was made for one
        is_narrow = window.dockWidgetArea(self) in SIDES and self.width() < wanted.width()
        if is_narrow and not self.isFloating():
            window.resizeDocks([self], [wanted.width()], Qt.Orientation.Horizontal)

    def toggle(self) -> None:
        """Bring it to the front, or close it if it is there."""
        if self._is_in_front:
            self.hide()
        else:
            self.bring()
        self._follow()

    def _on_visibility_changed(self, is_visible: bool) -> None:
        self._is_in_front = is_visible
        self._follow()

    def _follow(self) -> None:
        if self._action is not None:
            self._action.setChecked(not self.isHidden())
