"""A field that narrows what stands below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from typing_extensions import override

from explorer.widgets.layouts import named

if TYPE_CHECKING:
    from collections.abc import Collection

    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QAbstractItemView

NOTHING_FOUND = "Nothing is called so. Try fewer letters, or another word."
LIST_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class SearchField(QLineEdit):
    """A line to type in, with a cross that clears it."""

    def __init__(self, name: str, tip: str = "", *, hint: str = "") -> None:
        super().__init__(placeholderText=hint or name, clearButtonEnabled=True)
        named(self, name, tip)
        self._list: QAbstractItemView | None = None
        self._keys: Collection[Qt.Key] = ()

    def leave_keys_to(self, shown: QAbstractItemView, keys: Collection[Qt.Key] = LIST_KEYS) -> None:
        """Let a list have the keys that mean nothing to a field."""
        self._list, self._keys = shown, keys

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._list is not None and event.key() in self._keys:
            self._list.keyPressEvent(event)
        else:
            super().keyPressEvent(event)
