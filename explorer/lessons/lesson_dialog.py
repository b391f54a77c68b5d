"""The dialog for authors that asks what a lesson is called."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QWidget,
)

from explorer.widgets.layouts import Dialog, column, deciding, named, resize_on_screen


class LessonDialog(Dialog):
    """Edits the name of a lesson, a new one or with its summary one that is there.

    Signals
    -------
    written : name of the lesson, what one learns, and the title of its first step
    """

    written = Signal(str, str, str)

    def __init__(self, name: str, parent: QWidget | None = None, summary: str | None = None) -> None:
        super().__init__("New lesson" if summary is None else "Rename the lesson", parent)
        self.name = named(QLineEdit(name), "Name of the lesson")
        self.summary = named(QLineEdit(summary or ""), "What one learns, in a sentence")
        self.title = named(QLineEdit("The first step"), "Title of the first step")
        form = QFormLayout()
        form.addRow("&Lesson", self.name)
        form.addRow("&What one learns", self.summary)
        if summary is None:
            form.addRow("&First step", self.title)
        self._buttons = deciding(self)
        column(form, self._buttons, parent=self)
        for field in (self.name, self.title):
            field.textChanged.connect(self._enable)
        self.accepted.connect(self._emit_written)
        resize_on_screen(self, 520, 180)

    def _enable(self) -> None:
        is_named = bool(self.name.text().strip() and self.title.text().strip())
        self._buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(is_named)

    def _emit_written(self) -> None:
        self.written.emit(*(field.text().strip() for field in (self.name, self.summary, self.title)))
