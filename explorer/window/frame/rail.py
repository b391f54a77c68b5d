"""The rail at the left: one sign for each part of the side bar, and for what is reached in one click."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QMenu, QToolBar, QToolButton, QWidget
from typing_extensions import override

from explorer.widgets.flat_button import FlatButton, raised
from explorer.widgets.layouts import column, named
from explorer.widgets.theme import theme_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtGui import QAction, QPaintEvent

    from explorer.window.frame.side_bar import SideDock

WIDTH, FIELD, STEP, SIGN = 36, 28, 34, 16
"""Pixels of the rail, of the field of a sign, from one to the next, and of a sign."""
ACTIONS = {"comparison": "figures", "lessons": "lessons"}
"""Actions below the parts of the side bar, with their signs."""


class Rail(QWidget):
    """A column of signs; the settings are at its foot."""

    def __init__(self, side: SideDock, actions: Mapping[str, QAction], settings: Sequence[QMenu]) -> None:
        super().__init__(accessibleName="Rail")
        self._side = side
        raised(self)
        self.setFixedWidth(WIDTH)
        self.buttons: dict[str, FlatButton] = {}
        for name in side.bar.sections:
            self.buttons[name] = self._section_button(name)
        for name, sign in ACTIONS.items():
            button = self.buttons[name] = FlatButton()
            button.take(actions[name], sign)
        tip = "Theme, colours, arrangement, rows"
        self.settings_button = named(FlatButton("", "settings"), "Appearance", tip)
        self.settings_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.settings_menu = QMenu(self)
        for menu in settings:
            self.settings_menu.addMenu(menu)
        self.settings_button.setMenu(self.settings_menu)
        for button in (*self.buttons.values(), self.settings_button):
            button.setFixedSize(FIELD, FIELD)
            button.sign_px = SIGN
        column(
            *self.buttons.values(),
            None,
            self.settings_button,
            parent=self,
            margins=((WIDTH - FIELD) // 2, 6, (WIDTH - FIELD) // 2, 6),
            spacing=STEP - FIELD,
        )
        side.shown_changed.connect(self._show_checks)
        self._show_checks()

    def _section_button(self, name: str) -> FlatButton:
        title = self._side.bar.sections[name].header.text()
        button = named(FlatButton("", name), title, f"{title}, in the side bar; again to fold it")
        button.setCheckable(True)
        button.clicked.connect(partial(self._on_clicked, name))
        return button

    def _on_clicked(self, name: str) -> None:
        """Slide the side bar out with a section; fold the bar where that section is shown."""
        if self._side.isHidden() or not self._side.bar.sections[name].is_open:
            self._side.show_section(name)
        else:
            self._side.toggle()
        self._show_checks()

    def _show_checks(self) -> None:
        for name, section in self._side.bar.sections.items():
            self.buttons[name].setChecked(section.is_open and not self._side.isHidden())

    @override
    def sizeHint(self) -> QSize:
        return QSize(WIDTH, 300)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        with QPainter(self) as painter:
            painter.fillRect(self.width() - 1, 0, 1, self.height(), theme_of(self).line)


class RailBar(QToolBar):
    """Holds the rail at the left edge of a window, left of all docks."""

    def __init__(self, rail: Rail) -> None:
        super().__init__("Rail", movable=False)
        self.setObjectName("rail")
        self.setContentsMargins(0, 0, 0, 0)
        layout = self.layout()
        if layout is not None:
            layout.setContentsMargins(0, 0, 0, 0)
            layout.setSpacing(0)
        self.addWidget(rail)
        self.toggleViewAction().setVisible(False)
