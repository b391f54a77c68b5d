"""Keys of the panels: those that win over the window's shortcuts where the focus is, and the list of all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget


class FocusKeys(QObject):
    """Actions by key, for one or several widgets.

    A shortcut of a panel that the window has, too, would be ambiguous, and Qt would then do nothing. So the
    actions carry no shortcut; the widget takes the key before the window looks for one.
    """

    def __init__(self, owner: QWidget, is_free: Callable[[], bool]) -> None:
        super().__init__(owner)
        self._is_free = is_free
        self._actions: dict[str, QAction] = {}

    def add(self, key: str, action: QAction) -> None:
        """Trigger an action by a key (in portable form), and show that in menus and tooltips."""
        self._actions[QKeySequence(key).toString()] = action
        action.setText(f"{action.text()}\t{key}")
        action.setIconText(action.text().split("\t")[0])

    def watch(self, widget: QWidget) -> None:
        """Take the keys while this widget has the focus."""
        widget.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() not in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
            return super().eventFilter(watched, event)
        if not isinstance(event, QKeyEvent) or not self._is_free():
            return super().eventFilter(watched, event)
        action = self._actions.get(QKeySequence(event.keyCombination()).toString())
        if action is None:
            return super().eventFilter(watched, event)
        event.accept()
        if event.type() == QEvent.Type.KeyPress and action.isEnabled():
            action.trigger()
        return True


KEY_HELP: tuple[tuple[str, str, str], ...] = (
    ("Jobs panel", "F2 or double click", "Edit a cell; durations are a number or a list such as 4, 5, 6"),
    ("Jobs panel", "Insert", "Add a job"),
    ("Jobs panel", "Ctrl+D", "Duplicate the selected jobs"),
    ("Jobs panel", "Delete", "Delete the selected jobs"),
    ("Jobs panel", "Alt+Up, Alt+Down", "Serve the selected jobs earlier or later"),
    ("Cluster panel, Events", "Delete", "Remove the selected event"),
    ("Cluster panel, Events", "Enter or double click", "Put the time cursor where the event happens"),
    ("Pools panel", "F2 or double click", "Edit a name, a number of slots or a setting"),
    ("Pools panel", "Insert, Delete", "Add a pool, or remove the selected one"),
    ("Header of a chart", "Up, Down", "Go to the neighbour and make it the active scenario"),
    ("Header of a chart", "Space", "Make it the active scenario"),
    ("Header of a chart", "Enter", "Choose the policy and its parameters"),
    ("Header of a chart", "Shift+Up, Shift+Down", "Move the scenario"),
    ("Header of a chart", "Delete", "Remove the scenario"),
)
