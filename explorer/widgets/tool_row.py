"""The one row at the top of a window: menus and tools on the background of raised parts, a line below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtGui import QPainter, QPalette
from PySide6.QtWidgets import QMenuBar, QWidget
from typing_extensions import override

from explorer.widgets.flat_button import raised
from explorer.widgets.theme import theme_of

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

HEIGHT = 34


class ToolRow(QWidget):
    """Holds menus and tools; a subclass lays them out.

    Attributes
    ----------
    menu_bar : the menus
    """

    def __init__(self, menu_bar: QMenuBar) -> None:
        super().__init__()
        self.menu_bar = menu_bar
        self.setFixedHeight(HEIGHT)
        raised(self)
        self._dress_menus()

    def _dress_menus(self) -> None:
        """Give the menu bar the background of this row; its style paints one of its own."""
        palette = self.menu_bar.palette()
        palette.setColor(QPalette.ColorRole.Window, self.palette().color(QPalette.ColorRole.Button))
        self.menu_bar.setPalette(palette)

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._dress_menus()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        with QPainter(self) as painter:
            painter.fillRect(0, self.height() - 1, self.width(), 1, theme_of(self).line)


class Divider(QWidget):
    """A line between the menus and the rest."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(13, HEIGHT - 1)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.width() // 2, 8, 1, self.height() - 16, theme_of(self).line)
