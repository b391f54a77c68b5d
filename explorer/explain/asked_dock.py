"""A panel that stays out of sight until it is asked for, beside others as a tab."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

if TYPE_CHECKING:
    from PySide6.QtCore import QSize
    from PySide6.QtGui import QAction


SIDES = (Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea)


class AskedDock(QDockWidget):
    """Follows a checkable action: open while it is checked, in front when it is asked for.

    Asking for a panel that is open behind another one brings it to the front; asking once more closes it. A
    panel that needs more room takes it, and gives it back when it closes.
    """

    def __init__(self, title: str, part: QWidget, window: QMainWindow) -> None:
        super().__init__(title, window)
        self.setObjectName(title.lower())
        self.setWidget(part)
        self._window = window
        self._action: QAction | None = None
        self._beside: QDockWidget | None = None
        self._given_back: int | None = None
        self._is_in_front = False
        self.visibilityChanged.connect(self._on_visibility_changed)

    def place(self, beside: QDockWidget, window: QMainWindow, action: QAction | None = None) -> None:
        """Become a tab beside another panel, out of sight; a checkable action shows whether it is open."""
        self._action, self._beside, self._window = action, beside, window
        self.put_beside()

    def put_beside(self) -> None:
        """Wait, out of sight, where it opens: as a tab beside its panel."""
        if self._beside is not None:
            self._window.addDockWidget(self._window.dockWidgetArea(self._beside), self)
            self._window.tabifyDockWidget(self._beside, self)
        self.hide()

    def bring(self) -> None:
        """Open it, in front of the panels that it shares a place with, as large as it needs to be."""
        neighbour = self._beside if self._beside is not None and self.isHidden() else self
        has, needs = self._length(neighbour.size()), self._length(self.widget().sizeHint())
        self.show()
        self.raise_()
        if has < needs and not self.isFloating():
            self._given_back = has
            self._window.resizeDocks([self], [needs], self._direction())

    def toggle(self) -> None:
        """Bring it to the front, or close it if it is there."""
        if self._is_in_front:
            self.hide()
        else:
            self.bring()
        self._follow()

    def _direction(self) -> Qt.Orientation:
        at_side = self._window.dockWidgetArea(self) in SIDES
        return Qt.Orientation.Horizontal if at_side else Qt.Orientation.Vertical

    def _length(self, size: QSize) -> int:
        return size.width() if self._direction() is Qt.Orientation.Horizontal else size.height()

    def _on_visibility_changed(self, is_visible: bool) -> None:
        self._is_in_front = is_visible
        self._follow()
        if self.isHidden() and self._given_back is not None and self._beside is not None:
            before, self._given_back = self._given_back, None
            self._window.resizeDocks([self._beside], [before], self._direction())

    def _follow(self) -> None:
        if self._action is not None:
            self._action.setChecked(not self.isHidden())
