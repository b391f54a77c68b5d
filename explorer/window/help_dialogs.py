"""What the Help menu shows: every key and gesture of all parts, and what this program is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.comparison.comparison_panel import KEY_HELP as COMPARISON_KEYS
from explorer.dialogs.help_dialogs import AboutDialog, ShortcutsDialog
from explorer.explain.player import KEY_HELP as TIME_KEYS
from explorer.gantt.gestures.keys import KEY_BINDINGS
from explorer.panels.keys import KEY_HELP as PANEL_KEYS
from explorer.window.actions import GESTURES, shortcut_rows

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


def show_shortcuts(window: QWidget) -> None:
    """List all keys and gestures."""
    keys = [("In a chart", binding.text, binding.does) for binding in KEY_BINDINGS]
    rows = [*shortcut_rows(), *keys, *TIME_KEYS, *GESTURES, *PANEL_KEYS, *COMPARISON_KEYS]
    ShortcutsDialog(rows, window).open()


def show_about(window: QWidget) -> None:
    """Say what this is."""
    AboutDialog(window).open()
