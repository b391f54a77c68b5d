"""The account of an import as a table: what was left out, changed and assumed, where, and how bad it is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QDialogButtonBox,
    QGroupBox,
    QWidget,
)

from core.files.atomic import replace_file
from core.logs.column_map import COLUMNS
from core.logs.report import ReportRow, ReportSeverity, rows_text
from core.model.errors import InputError
from explorer.widgets.layouts import Dialog, closing, column, named, push_button, resize_on_screen, row
from explorer.widgets.number_fields import ParameterForm
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.save_dialog import ask_where_to_save
from explorer.widgets.search_field import SearchField
from explorer.widgets.sorted_rows import SortedModel
from explorer.widgets.tables import Column, ReadTable, Role
from explorer.widgets.theme import theme_of

if TYPE_CHECKING:
    from PySide6.QtGui import QColor

    from core.logs.report import ImportReport

CLEAN = "Everything in the log could be read and used as it stands."
NOT_CLEAN = "Not everything in the log could be used as it stands; this is what was done."
NO_ROWS = "The import left nothing out and assumed nothing."
NO_MATCH = "Nothing of the report fits what is searched."
EVERYTHING = "problems and notes"


class ImportReportDialog(Dialog):
    """Shows the report to be searched, sorted, copied or saved; what the log left open can be set anew.

    Signals
    -------
    import_again : the same logs are wanted with other numbers (a dictionary of all parameters)
    columns_wanted : which column of a table is what is to be seen, or chosen anew
    """

    import_again = Signal(object)
    columns_wanted = Signal()

    def __init__(self, report: ImportReport, parent: QWidget | None = None) -> None:
        super().__init__("Import report", parent, (920, 560))
        self._rows = report.rows()
        heading = CLEAN if report.is_clean else " ".join(filter(None, (report.cut, NOT_CLEAN)))
        self.heading = PlainLabel(heading, wraps=True)
        self.summary = PlainLabel(report.heading, wraps=True)
        self._make_table()
        self.problem = PlainLabel(wraps=True)
        self.problem.setForegroundRole(self.palette().ColorRole.BrightText)
        self.problem.hide()
        self._columns_of_table = {name: value for name, value in report.values.items() if name == COLUMNS}
        self.form = ParameterForm(report.numbers)
        self.form.set_values(report.values)
        middle = row((self.table, 1))
        if not self.form.is_empty:
            middle.addWidget(self._numbers())
            resize_on_screen(self, 1180, 560)
        self.copy_button = push_button("&Copy", "Copy the rows that are shown, separated by tabs", self.copy)
        self.save_button = push_button(
            "&Save CSV…", "Write the rows that are shown to a file", self.ask_and_save
        )
        tip = "See which column of the table is what, and change it"
        self.columns_button = push_button("C&olumns…", tip, self._on_columns)
        buttons = closing(self, self.copy_button, self.save_button, self.columns_button)
        self.columns_button.setVisible(bool(self._columns_of_table))
        buttons.button(QDialogButtonBox.StandardButton.Close).setDefault(True)
        narrowing = row((self.filter_field, 1), self.severity_field, self.count)
        column(self.heading, self.summary, narrowing, (middle, 1), self.problem, buttons, parent=self)
        self._show()

    def _make_table(self) -> None:
        self.filter_field = SearchField("Search the report", hint="Search")
        self.severity_field = named(QComboBox(), "Show problems, notes, or both")
        for text, severity in (
            (EVERYTHING, None),
            ("problems", ReportSeverity.PROBLEM),
            ("notes", ReportSeverity.NOTE),
        ):
            self.severity_field.addItem(text, severity)
        self.count = PlainLabel(is_faint=True)
        self.model = SortedModel(self._columns(), self)
        self.table = ReadTable(self.model, "Import report", widest=2, lines=2)
        self.table.sort_by_headings()
        self.table.horizontalHeader().setSortIndicator(0, Qt.SortOrder.AscendingOrder)
        self.filter_field.textChanged.connect(self._show)
        self.severity_field.currentIndexChanged.connect(self._show)

    def _columns(self) -> tuple[Column[ReportRow], ...]:
        def colour(row: ReportRow, role: int) -> QColor | None:
            stands_out = role == Role.ForegroundRole and row.severity is ReportSeverity.PROBLEM
            return theme_of(self).worse if stands_out else None

        return (
            Column(
                "Severity",
                lambda row: row.severity,
                typical="problem ▾",
                style=colour,
                value=lambda row: row.severity is not ReportSeverity.PROBLEM,
            ),
            Column(
                "Where",
                lambda row: row.where,
                typical="job_201301010000_0001",
                value=lambda row: _natural(row.where),
            ),
            Column("What", lambda row: row.what, value=lambda row: _natural(row.what)),
        )

    def _numbers(self) -> QWidget:
        """Return the fields for what the log leaves open, and the button that imports with them."""
        box = QGroupBox("What the log does not say")
        tip = "Import the same logs with these numbers"
        self.again_button = push_button("&Import again", tip, self._on_again)
        column(self.form, None, self.again_button, parent=box)
        return box

    def _on_again(self) -> None:
        self.again_button.setFocus()  # a field that is still edited takes its text when it is left
        values = self.form.values() | self._columns_of_table
        self.accept()
        self.import_again.emit(values)

    def _on_columns(self) -> None:
        self.accept()
        self.columns_wanted.emit()

    # What is shown

    def _show(self) -> None:
        """Show the rows that fit."""
        words, severity = self.filter_field.text().lower().split(), self.severity_field.currentData()
        fitting = [
            each
            for each in self._rows
            if severity in (None, each.severity)
            and all(word in f"{each.where} {each.what}".lower() for word in words)
        ]
        self.model.show_rows(self.model.in_order(fitting))
        self.table.empty_text = NO_MATCH if self._rows else NO_ROWS
        problems = sum(each.severity is ReportSeverity.PROBLEM for each in self._rows)
        self.count.setText(f"{len(fitting)} of {len(self._rows)}, {problems} problem{'s' * (problems != 1)}")

    def copy(self) -> None:
        """Put the rows that are shown on the clipboard."""
        QGuiApplication.clipboard().setText(rows_text(self.model.rows, "\t"))

    def ask_and_save(self) -> None:
        """Let the user choose a file and write the rows that are shown there."""
        path = ask_where_to_save(self, "Save report", "import-report.csv", "CSV (*.csv)")
        if path is not None:
            self.save(str(path))

    def save(self, path: str) -> None:
        """Write the rows that are shown to a file; errors are shown here."""
        try:
            replace_file(path, rows_text(self.model.rows).encode("utf-8", "backslashreplace"))
        except InputError as error:
            self.problem.setText(str(error))
            self.problem.show()
        else:
            self.problem.hide()


def _natural(text: str) -> list[tuple[bool, int, str]]:
    """Return what texts are sorted by: numbers in them count as numbers, so that job 9 is before job 10."""
    return [
        (part.isdecimal(), int(part) if part.isdecimal() else 0, part)
        for part in re.split(r"(\d+)", text.lower())
        if part
    ]
