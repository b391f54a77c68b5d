"""The tabs of the details: words with a line below the one that is seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontInfo, QPainter
from PySide6.QtWidgets import QStyle, QStyleOptionTab, QTabBar, QWidget
from typing_extensions import override

from explorer.widgets.flat_button import paint_ring
from explorer.widgets.theme import theme_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QMouseEvent, QPaintEvent, QResizeEvent

HEIGHT, AIR_PX, LINE_PX = 30, 6, 2
"""Pixels of a tab, beside its words, and of the line below them."""


class DetailsTabs(QTabBar):
    """Shows names, as many as there is room for and always the one in front, and says which is clicked.

    Signals
    -------
    chosen, closed : the name of the tab that was clicked, or clicked with the middle button
    """

    chosen = Signal(str)
    closed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, drawBase=False, expanding=False, usesScrollButtons=False)
        self._all: tuple[tuple[str, str, bool], ...] = ()
        self._front = ""
        self.setAccessibleName("Details")
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setFixedHeight(HEIGHT)
        font = self.font()
        font.setPixelSize(QFontInfo(font).pixelSize() - 1)
        self.setFont(font)
        self.currentChanged.connect(self._on_current_changed)

    def show_tabs(self, tabs: Sequence[tuple[str, str, bool]], front: str) -> None:
        """Show tabs (name, title, whether it can be closed) and which of them is seen."""
        self._all, self._front = tuple(tabs), front
        self._show_fitting()
        self.updateGeometry()

    def _show_fitting(self) -> None:
        """Show the tabs that have room, always the one in front; the menu beside them has all."""
        widths = {name: self._width_of(title) for name, title, _ in self._all}
        room, wanted = self.width() - widths.get(self._front, 0), []
        for tab in self._all:
            room -= 0 if tab[0] == self._front else widths[tab[0]]
            if room >= 0 or tab[0] == self._front:
                wanted.append(tab)
        self.blockSignals(True)
        if [(self.tabData(i), self.tabText(i)) for i in range(self.count())] != [tab[:2] for tab in wanted]:
            while self.count():
                self.removeTab(0)
            for place, (name, title, can_close) in enumerate(wanted):
                self.addTab(title)
                self.setTabData(place, name)
                self.setTabToolTip(place, f"{title} (the middle button closes it)" if can_close else "")
        names = [name for name, *_ in wanted]
        if self._front in names:
            self.setCurrentIndex(names.index(self._front))
        self.blockSignals(False)

    def _width_of(self, title: str) -> int:
        return self.fontMetrics().horizontalAdvance(title) + 2 * AIR_PX

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_fitting()

    @override
    def sizeHint(self) -> QSize:
        """Return the room of all tabs, also of those that are hidden now."""
        return QSize(sum(self._width_of(title) for _, title, _ in self._all), HEIGHT)

    def _on_current_changed(self, place: int) -> None:
        if place >= 0:
            self.chosen.emit(str(self.tabData(place)))

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self.tabAt(event.position().toPoint())
        if place >= 0 and event.button() == Qt.MouseButton.MiddleButton:
            self.closed.emit(str(self.tabData(place)))
            return
        super().mousePressEvent(event)

    @override
    def tabSizeHint(self, index: int) -> QSize:
        return QSize(self._width_of(self.tabText(index)), HEIGHT)

    @override
    def minimumTabSizeHint(self, index: int) -> QSize:
        return self.tabSizeHint(index)

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(60, HEIGHT)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme_of(self)
        with QPainter(self) as painter:
            painter.fillRect(0, self.height() - 1, self.width(), 1, colours.line)
            for place in range(self.count()):
                option = QStyleOptionTab()
                self.initStyleOption(option, place)
                box, is_front = self.tabRect(place), place == self.currentIndex()
                is_pointed = bool(option.state & QStyle.StateFlag.State_MouseOver)
                painter.setPen(colours.text if is_front or is_pointed else colours.second_text)
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.tabText(place))
                if is_front:
                    line = box.adjusted(AIR_PX - 2, box.height() - LINE_PX, 2 - AIR_PX, 0)
                    painter.fillRect(line, colours.link)
                    if self.hasFocus():
                        paint_ring(painter, box.adjusted(1, 3, -1, -4), colours.link)
