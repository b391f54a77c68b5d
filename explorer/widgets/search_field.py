"""A field that narrows what stands below it, and a dialog of such a field above a list of things to open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit
from typing_extensions import override

from explorer.widgets.layouts import closing, column, named, push_button, resize_on_screen
from explorer.widgets.plain_labels import PlainLabel

if TYPE_CHECKING:
    from collections.abc import Collection

    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QAbstractItemView, QPushButton, QWidget

NOTHING_FOUND = "Nothing is called so. Try fewer letters, or another word."
LIST_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class SearchField(QLineEdit):
    """A line to type in, with a cross that clears it."""

    def __init__(self, name: str, tip: str = "", *, hint: str = "") -> None:
        super().__init__()
        named(self, name, tip)
        self.setPlaceholderText(hint or name)
        self.setClearButtonEnabled(True)
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


class Gallery(QDialog):
    """Lists what can be opened; what is typed narrows it, and Enter or a double click opens one.

    A subclass makes its list and shows what fits in `narrow`.
    """

    def __init__(self, title: str, width: int, height: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        resize_on_screen(self, width, height)
        self.field = SearchField(f"Search {title.lower()}")
        self.open_button = push_button("&Open", f"Open the marked {title.lower()[:-1]}", self.accept)

    def lay_out(self, about: str, shown: QAbstractItemView, *buttons: QPushButton) -> None:
        """Put a sentence and the field above the list, buttons below it, and begin with all there is."""
        foot = closing(self, *buttons)
        foot.addButton(self.open_button, QDialogButtonBox.ButtonRole.AcceptRole)
        column(PlainLabel(about, wraps=True, is_faint=True), self.field, (shown, 1), foot, parent=self)
        self.open_button.setDefault(True)
        self.field.leave_keys_to(shown)
        self.field.textChanged.connect(self.narrow)
        self.narrow("")

    def narrow(self, typed: str) -> None:
        """Show what fits, the first one marked."""
        raise NotImplementedError
