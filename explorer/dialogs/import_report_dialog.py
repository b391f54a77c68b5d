"""The account of an import: what was kept, left out, clamped and assumed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGroupBox,
    QPlainTextEdit,
    QWidget,
)

from core.files.atomic import replace_file
from core.model.errors import InputError
from explorer.widgets.fields import ParameterForm
from explorer.widgets.layouts import closing, column, push_button, row
from explorer.widgets.messages import details_view
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.save_dialog import ask_where_to_save

if TYPE_CHECKING:
    from core.logs.report import ImportReport

CLEAN = "Everything in the log could be read and used as it stands."
NOT_CLEAN = "Not everything in the log could be used as it stands; this is what was done."


class ImportReportDialog(QDialog):
    """Shows the report as text, to be read, copied or saved; what the log did not say can be set anew.

    Signals
    -------
    import_again : the same logs are wanted with other numbers (a dictionary of all parameters)
    """

    import_again = Signal(object)

    def __init__(self, report: ImportReport, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Import report")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(920, 560)
        self._text = report.to_text()
        self.heading = PlainLabel(CLEAN if report.is_clean else NOT_CLEAN, wraps=True)
        self.text = details_view("Import report")
        self.text.setPlainText(self._text)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.problem = PlainLabel(wraps=True)
        self.problem.setForegroundRole(self.palette().ColorRole.BrightText)
        self.problem.hide()
        self.form = ParameterForm(report.parameters)
        self.form.set_values(report.values)
        middle = row((self.text, 1))
        if report.parameters:
            middle.addWidget(self._numbers())
            self.resize(1180, 560)
        self.copy_button = push_button("&Copy", "Copy the whole report as text", self.copy)
        self.save_button = push_button("&Save …", "Write the report to a text file", self.ask_and_save)
        buttons = closing(self, self.copy_button, self.save_button)
        buttons.button(QDialogButtonBox.StandardButton.Close).setDefault(True)
        column(self.heading, (middle, 1), self.problem, buttons, parent=self)

    def _numbers(self) -> QWidget:
        """Return the fields for what the log does not say, and the button that imports with them."""
        box = QGroupBox("What the log does not say")
        tip = "Import the same logs with these numbers"
        self.again_button = push_button("&Import again", tip, self._on_again)
        column(self.form, None, self.again_button, parent=box)
        return box

    def _on_again(self) -> None:
        self.again_button.setFocus()  # a field that is still edited takes its text when it is left
        values = self.form.values()
        self.accept()
        self.import_again.emit(values)

    def copy(self) -> None:
        """Put the whole report on the clipboard."""
        QGuiApplication.clipboard().setText(self._text)

    def ask_and_save(self) -> None:
        """Ask for a file and write the report there."""
        path = ask_where_to_save(self, "Save report", "import-report.txt", "Text (*.txt)")
        if path is not None:
            self.save(str(path))

    def save(self, path: str) -> None:
        """Write the report to a file; what goes wrong is said here."""
        try:
            replace_file(path, (self._text + "\n").encode())
        except InputError as error:
            self.problem.setText(str(error))
            self.problem.show()
        else:
            self.problem.hide()
