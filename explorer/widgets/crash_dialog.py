"""The dialog for errors that nobody expected: what happened, to copy."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from explorer.widgets.plain_labels import PlainLabel


class CrashDialog(QDialog):
    """Says that something unexpected happened, with the traceback to copy."""

    def __init__(self, details: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Unexpected error")
        sentence = PlainLabel(
            "Something happened that should not. Your edits are kept, and you can go on working; "
            "if things look wrong, save and start again. Please send us the details below.",
            wraps=True,
        )
        self._details = details_view("Details of the error")
        self._details.setPlainText(details)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        self._copy_button = QPushButton("Copy details")
        self._copy_button.clicked.connect(self.copy)
        buttons.addButton(self._copy_button, QDialogButtonBox.ButtonRole.ActionRole)
        layout = QVBoxLayout(self)
        layout.addWidget(sentence)
        layout.addWidget(self._details, 1)
        layout.addWidget(buttons)

    def sizeHint(self) -> QSize:
        """Ask for room for some lines of code."""
        return QSize(720, 420)

    def copy(self) -> None:
        """Copy the details."""
        QGuiApplication.clipboard().setText(self._details.toPlainText())


def details_view(name: str) -> QPlainTextEdit:
    """Return a view of plain text to read and copy, which Tab leaves again."""
    view = QPlainTextEdit()
    view.setReadOnly(True)
    view.setTabChangesFocus(True)
    view.setAccessibleName(name)
    view.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    return view
