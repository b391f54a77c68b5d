"""Find and replace in the editor pane."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QLineEdit, QWidget
from typing_extensions import override

from explorer.widgets.layouts import column, named, push_button, row
from explorer.widgets.plain_labels import ElidedLabel

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QKeyEvent

    from explorer.lab.code_text import CodeText


class FindBar(QWidget):
    """Looks for a text from the cursor on, then from the beginning; small letters stand for large ones too.

    It hides itself upon Escape.
    """

    def __init__(self, code: Callable[[], CodeText | None]) -> None:
        super().__init__()
        self._code = code
        self.field = named(QLineEdit(), "Find")
        self.field.setPlaceholderText("Find")
        self.field.returnPressed.connect(self.look)
        self.field.textChanged.connect(self._count)
        self.by = named(QLineEdit(), "Replace with")
        self.by.setPlaceholderText("Replace with")
        self.by.returnPressed.connect(self.replace)
        self.found = ElidedLabel()
        back = push_button("◂", "Find the one before (Shift+F3)", partial(self.look, backwards=True))
        back.setAccessibleName("Find the one before")
        on = push_button("▸", "Find the next one (F3)", self.look)
        on.setAccessibleName("Find the next one")
        one = push_button("Replace", "Replace what is marked, and find the next one", self.replace)
        every = push_button("All", "Replace all of them, as one step", self.replace_all)
        every.setAccessibleName("Replace all")
        for button in (back, on):
            button.setMaximumWidth(32)
        column(
            row((self.field, 1), back, on, self.found),
            row((self.by, 1), one, every),
            parent=self,
            margins=(0, 0, 0, 0),
        )
        self.hide()

    def show_with_selection(self) -> None:
        """Show the bar with what is selected in the text."""
        code = self._code()
        if code is None:
            return
        selected = code.textCursor().selectedText()
        if selected and "\u2029" not in selected:
            self.field.setText(selected)
        self.by.setEnabled(not code.isReadOnly())
        self.show()
        self.field.setFocus()
        self.field.selectAll()
        self._count()

    def _pattern(self) -> re.Pattern[str] | None:
        text = self.field.text()
        return re.compile(re.escape(text), 0 if text != text.lower() else re.IGNORECASE) if text else None

    def _places(self) -> list[tuple[int, int]]:
        code, pattern = self._code(), self._pattern()
        if code is None or pattern is None:
            return []
        return [found.span() for found in pattern.finditer(code.toPlainText())]

    def _count(self) -> None:
        count = len(self._places())
        self.found.setText("" if not self.field.text() else f"{count} found" if count else "none found")

    def look(self, *, backwards: bool = False) -> None:
        """Mark the next one, or the one before."""
        code, places = self._code(), self._places()
        self._count()
        if code is None or not places:
            return
        cursor = code.textCursor()
        if backwards:
            before = [each for each in places if each[1] <= cursor.selectionStart()]
            start, end = (before or places)[-1]
        else:
            after = [each for each in places if each[0] >= cursor.selectionEnd()]
            start, end = (after or places)[0]
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        code.setTextCursor(cursor)

    def replace(self) -> None:
        """Replace what is marked, if it is what is looked for, and mark the next one."""
        code, pattern = self._code(), self._pattern()
        if code is None or pattern is None or code.isReadOnly():
            return
        cursor = code.textCursor()
        if pattern.fullmatch(cursor.selectedText()):
            cursor.insertText(self.by.text())
        self.look()

    def replace_all(self) -> None:
        """Replace all of them, as one step."""
        code, pattern = self._code(), self._pattern()
        if code is None or pattern is None or code.isReadOnly():
            return
        text, count = pattern.subn(lambda _found: self.by.text(), code.toPlainText())
        if count:
            code.replace_text(text)
        self.found.setText(f"{count} replaced")

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        code = self._code()
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
            if code is not None:
                code.setFocus()
        elif event.key() == Qt.Key.Key_F3:
            self.look(backwards=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        else:
            super().keyPressEvent(event)
