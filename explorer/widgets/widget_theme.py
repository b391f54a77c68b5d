"""Which theme a widget is shown in: read from its palette, so that it follows the application's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QPalette

from explorer.widgets.theme import theme

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from explorer.widgets.theme import Theme


def theme_of(widget: QWidget) -> Theme:
    """Return the dark theme for a widget with a dark background, else the light one."""
    return theme(widget.palette().color(QPalette.ColorRole.Window).lightness() < 128)
