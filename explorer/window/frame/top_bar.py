"""The one row at the top: menus, playing, search, and what is asked for most often."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QKeySequence, QPainter, QShortcut
from PySide6.QtWidgets import QMenu, QMenuBar, QToolButton, QWidget
from typing_extensions import override

from explorer.widgets.flat_button import FlatButton
from explorer.widgets.layouts import named, row
from explorer.widgets.theme import theme_of
from explorer.widgets.tool_row import HEIGHT, Divider, ToolRow

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QAction, QPaintEvent, QResizeEvent

MIN_FOR_MENUS, MIN_FOR_LONG_SEARCH, MIN_FOR_WORDS = 1200, 1500, 840
"""Pixels of the window from which menus stand side by side, the search field is long, tools have words."""
SHORT_SEARCH_WIDTH, SEARCH_WIDTH, LONG_SEARCH_WIDTH = 150, 230, 320
TOOLS = {
    "add_scenario": ("Scenario", "add"),
    "comparison": ("Compare", "compare"),
    "optimize": ("Optimise", "optimise"),
    "details": ("Details", "details"),
}
"""Actions with a word and a sign."""


class TopBar(ToolRow):
    """Shows menus, the buttons of time, the way to everything else, and some tools.

    Where there is little room one button has all menus; Alt and a menu's letter open it there as well.

    Attributes
    ----------
    menu_button : has the menus in a narrow window
    search : looks like a field; opens what finds everything
    tools : by the name of their action
    """

    def __init__(self, menu_bar: QMenuBar, time_bar: QWidget, actions: Mapping[str, QAction]) -> None:
        super().__init__(menu_bar)
        self.menu_button = named(FlatButton("", "lines"), "Menus", "All menus (Alt and their letters)")
        self.menu_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.search = SearchButton(actions["search"])
        self.tools = {name: FlatButton(words) for name, (words, _) in TOOLS.items()}
        for name, button in self.tools.items():
            button.take(actions[name], TOOLS[name][1])
        self._line = Divider()
        inside = row(
            menu_bar,
            self.menu_button,
            self._line,
            (time_bar, 1),
            self.search,
            *self.tools.values(),
            parent=self,
            margins=(4, 0, 8, 1),
            spacing=4,
        )
        inside.setAlignment(menu_bar, Qt.AlignmentFlag.AlignVCenter)
        self._gather_menus()

    def _gather_menus(self) -> None:
        """Let the button have what the menu bar has, and Alt open it there."""
        everything = QMenu(self)
        self._shortcuts: list[QShortcut] = []
        for action in self.menu_bar.actions():
            everything.addAction(action)
            key = QKeySequence.mnemonic(action.text())
            shortcut = QShortcut(key, self)
            shortcut.activated.connect(partial(self._open_menu, action))
            self._shortcuts.append(shortcut)
        self.menu_button.setMenu(everything)

    def _open_menu(self, action: QAction) -> None:
        """Open one menu below the button."""
        menu = action.menu()
        if isinstance(menu, QMenu):
            menu.popup(self.menu_button.mapToGlobal(QPoint(0, self.menu_button.height())))

    @property
    def is_narrow(self) -> bool:
        """Whether one button has all menus."""
        return self.width() < MIN_FOR_MENUS

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.menu_bar.setVisible(not self.is_narrow)
        self.menu_button.setVisible(self.is_narrow)
        for shortcut in self._shortcuts:
            shortcut.setEnabled(self.is_narrow)
        has_words, is_long = self.width() >= MIN_FOR_WORDS, self.width() >= MIN_FOR_LONG_SEARCH
        wide = LONG_SEARCH_WIDTH if is_long else SEARCH_WIDTH
        self.search.setFixedWidth(wide if has_words else SHORT_SEARCH_WIDTH)
        for name, button in self.tools.items():
            button.show_words(TOOLS[name][0] if has_words else "")

    @override
    def minimumSizeHint(self) -> QSize:
        return QSize(1, HEIGHT)  # a window may be narrower than its tools


class SearchButton(FlatButton):
    """Looks like a field, with the key that opens it at its end."""

    def __init__(self, action: QAction) -> None:
        super().__init__("Find or do…")
        self.take(action, "search")
        self._key = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        self.setFixedWidth(SEARCH_WIDTH)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme_of(self)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(colours.line)
            painter.setBrush(colours.window)
            painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 5, 5)
        super().paintEvent(event)
        with QPainter(self) as painter:
            painter.setPen(colours.third_text)
            room = self.rect().adjusted(0, 0, -8, 0)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, self._key)
