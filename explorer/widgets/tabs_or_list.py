"""Tabs that become a list to choose from where they have no room beside one another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QSizePolicy, QTabWidget, QWidget
from typing_extensions import override

from explorer.widgets.layouts import NO_MARGINS, column, row

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent


class TabsOrList(QWidget):
    """Pages with titles: as tabs, or where these would scroll, with a list of the titles above.

    Attributes
    ----------
    tabs : the pages
    chooser : the list
    """

    def __init__(self, name: str, beside: QWidget) -> None:
        """Show pages called `name`, with a widget at the right of their titles."""
        super().__init__()
        self.tabs, self.chooser, self._beside = QTabWidget(), QComboBox(), beside
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName(name)
        self.chooser.setAccessibleName(name)
        self.chooser.setToolTip("What is shown below")
        self.chooser.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._line = QWidget()
        self._line_layout = row(self.chooser, parent=self._line, margins=(6, 4, 6, 2))
        self._line.hide()
        column(self._line, self.tabs, parent=self, margins=NO_MARGINS, spacing=0)
        self.tabs.setCornerWidget(beside)
        self.chooser.activated.connect(self.tabs.setCurrentIndex)
        self.tabs.currentChanged.connect(self.chooser.setCurrentIndex)

    def add(self, part: QWidget, title: str, tip: str) -> None:
        """Add a page at the end."""
        self.put(self.tabs.count(), part, title, tip)

    def put(self, place: int, part: QWidget, title: str, tip: str) -> None:
        """Add a page before the one at a place."""
        self.tabs.insertTab(place, part, title)
        self.tabs.setTabToolTip(place, tip)
        self.chooser.insertItem(place, title)
        self._choose_form()

    def take(self, place: int) -> None:
        """Remove a page; its widget goes on."""
        self.tabs.removeTab(place)
        self.chooser.removeItem(place)

    @property
    def is_list(self) -> bool:
        """Whether titles are in the list."""
        return not self._line.isHidden()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._choose_form()

    def _choose_form(self) -> None:
        bar = self.tabs.tabBar()
        needed = sum(bar.tabRect(place).width() for place in range(self.tabs.count()))
        is_list = needed + self._beside.sizeHint().width() > self.width()
        if is_list == self.is_list:
            return
        if is_list:
            self.tabs.setCornerWidget(QWidget())  # else it would place what has left it
            self._line_layout.addWidget(self._beside)
        else:
            self.tabs.setCornerWidget(self._beside)
        self._beside.show()
        self._line.setVisible(is_list)
        bar.setVisible(not is_list)
        self.tabs.setFocusPolicy(Qt.FocusPolicy.NoFocus if is_list else Qt.FocusPolicy.TabFocus)
        self.chooser.setCurrentIndex(self.tabs.currentIndex())
