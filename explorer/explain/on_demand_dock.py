"""A panel that is hidden until it is opened, beside others as a tab."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

if TYPE_CHECKING:
    from PySide6.QtGui import QAction


SIDES = (Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea)
MAX_WIDTH, MAX_HEIGHT = 0.3, 0.4
"""Parts of the window that a panel takes when it opens at a side, or at the bottom."""
MIN = QSize(180, 90)
"""Pixels to which every panel may be made smaller; what has no room in it scrolls or is cut."""


class OnDemandDock(QDockWidget):
    """Follows a checkable action: open while it is checked, in front when it is triggered.

    Asking for a panel that is open behind another one brings it to the front; asking once more closes it. A
    panel opens as large as it was; one that needs more room than the panel it lies upon takes it, and
    gives it back when it closes.
    """

    def __init__(self, title: str, part: QWidget, window: QMainWindow, needs: QSize | None = None) -> None:
        super().__init__(title, window)
        self.setObjectName(title.lower())
        part.setMinimumSize(MIN)
        self.setWidget(part)
        self._window, self._needs = window, needs
        self._action: QAction | None = None
        self._beside: QDockWidget | None = None
        self._area = Qt.DockWidgetArea.RightDockWidgetArea
        self._given_back: int | None = None
        self._had: int | None = None
        self._is_in_front = False
        self.visibilityChanged.connect(self._on_visibility_changed)

    def place(
        self,
        area: Qt.DockWidgetArea,
        action: QAction | None = None,
        beside: QDockWidget | None = None,
    ) -> None:
        """Wait in an area, out of sight, perhaps as a tab; a checkable action shows whether it is open."""
        self._area, self._action, self._beside = area, action, beside
        self.put_in_place()

    def put_in_place(self) -> None:
        """Wait, out of sight, where it opens."""
        beside = self._beside
        self._window.addDockWidget(
            self._area if beside is None else self._window.dockWidgetArea(beside), self
        )
        if beside is not None:
            self._window.tabifyDockWidget(beside, self)
        self.hide()

    def bring(self) -> None:
        """Open it, in front of the panels that it shares a place with, as large as it needs to be."""
        was_hidden = self.isHidden()
        below = self if not was_hidden else self._neighbour()
        has = 0 if below is None else self._length(below.size())
        needs = min(self._length(self._needs or self.widget().sizeHint()), self._most())
        if below is None and self._had is not None:
            needs = self._had
        self.show()
        self.raise_()
        if has < needs and not self.isFloating():
            self._given_back = has if below is not None and was_hidden else None
            self._window.resizeDocks([self], [needs], self._direction())

    def toggle(self) -> None:
        """Bring it to the front, or close it if it is there."""
        if self._is_in_front:
            self.hide()
        else:
            self.bring()
        self._follow()

    def _neighbour(self) -> QDockWidget | None:
        """Return an open panel that it would lie upon."""
        tabs = self._window.tabifiedDockWidgets(self)
        return next((dock for dock in tabs if not dock.isHidden() and not dock.isFloating()), None)

    def _direction(self) -> Qt.Orientation:
        at_side = self._window.dockWidgetArea(self) in SIDES
        return Qt.Orientation.Horizontal if at_side else Qt.Orientation.Vertical

    def _length(self, size: QSize) -> int:
        return size.width() if self._direction() is Qt.Orientation.Horizontal else size.height()

    def _most(self) -> int:
        size = self._window.size()
        return self._length(QSize(round(size.width() * MAX_WIDTH), round(size.height() * MAX_HEIGHT)))

    def _on_visibility_changed(self, is_visible: bool) -> None:
        if self._is_in_front and self.isHidden():
            self._had = self._length(self.size())
        self._is_in_front = is_visible
        self._follow()
        if self.isHidden() and self._given_back is not None:
            before, self._given_back = self._given_back, None
            if (neighbour := self._neighbour()) is not None:
                self._window.resizeDocks([neighbour], [before], self._direction())

    def _follow(self) -> None:
        if self._action is not None:
            self._action.setChecked(not self.isHidden())
