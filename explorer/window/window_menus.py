"""The submenus with changing or checkable entries: recent files, panels, appearance."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from explorer.document.view_state import Arrangement, PaletteMode, RowsBy, ThemeChoice

if TYPE_CHECKING:
    from enum import StrEnum

    from PySide6.QtWidgets import QMainWindow

    from explorer.document.view_state import ViewState
    from explorer.session.settings import WindowSettings

TEXTS: dict[StrEnum, str] = {
    ThemeChoice.SYSTEM: "As the &system",
    ThemeChoice.LIGHT: "&Light",
    ThemeChoice.DARK: "&Dark",
    PaletteMode.SAFE: "Safe for &colour-blind eyes",
    PaletteMode.VIVID: "&Vivid",
    Arrangement.STACKED: "&One above the other",
    Arrangement.SIDE_BY_SIDE: "Side by &side",
    RowsBy.SLOT: "By &slot",
    RowsBy.POOL: "By &pool",
}

CHOICES: dict[str, type[StrEnum]] = {
    "theme": ThemeChoice,
    "palette": PaletteMode,
    "arrangement": Arrangement,
    "rows": RowsBy,
}
"""What one may choose, under the names that settings and the view's state have for it."""


class WindowMenus(QObject):
    """Builds the submenus and keeps them in step with what they show.

    Signals:
        recent_chosen: a path
    """

    recent_chosen = Signal(str)

    def __init__(self, settings: WindowSettings, view_state: ViewState, window: QMainWindow) -> None:
        super().__init__(window)
        self._settings, self._view_state, self._window = settings, view_state, window
        self.menus = {name: QMenu(window) for name in ("recent", "export", *CHOICES, "panels")}
        for menu in self.menus.values():
            menu.setToolTipsVisible(True)
        self.menus["recent"].aboutToShow.connect(self._fill_recent)
        self.menus["panels"].aboutToShow.connect(self._fill_panels)
        for name, choices in CHOICES.items():
            self._fill_choices(name, choices, getattr(view_state, name))

    def _fill_recent(self) -> None:
        menu = self.menus["recent"]
        menu.clear()
        for path in self._settings.recent_files:
            action = QAction(_plain(Path(path).name), menu)
            action.setToolTip(str(path))
            action.triggered.connect(partial(self.recent_chosen.emit, str(path)))
            menu.addAction(action)
        if menu.isEmpty():
            menu.addAction("No file was opened yet").setEnabled(False)

    def _fill_panels(self) -> None:
        menu = self.menus["panels"]
        menu.clear()
        popup = self._window.createPopupMenu()
        if popup is not None:
            menu.addActions(popup.actions())

    def _fill_choices(self, name: str, choices: type[StrEnum], current: StrEnum) -> None:
        group = QActionGroup(self.menus[name])
        for choice in choices:
            action = QAction(TEXTS[choice], group)
            action.setCheckable(True)
            action.setChecked(choice == current)
            action.setData(choice.value)
            self.menus[name].addAction(action)
        group.triggered.connect(partial(self._on_chosen, name))

    def _on_chosen(self, name: str, action: QAction) -> None:
        for keeper in (self._settings, self._view_state):
            setattr(keeper, name, CHOICES[name](action.data()))


def _plain(text: str) -> str:
    """Keep an ampersand from becoming a mnemonic."""
    return text.replace("&", "&&")
