"""The account of the newest import, shown when it ends and whenever it is asked for."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.logs.column_map import COLUMNS
from core.model.errors import InputError
from explorer.dialogs.import_report_dialog import ImportReportDialog
from explorer.window.table_columns import TableColumns

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from explorer.session.settings import WindowSettings
    from explorer.window.document_files import DocumentFiles
    from explorer.window.document_work import OpenedDocument


NO_REPORT = (
    "this document was not imported from a log just now; import the log again to see the report (what was "
    "assumed also stands in the workload's description)"
)


class ImportReports(QObject):
    """Keeps the newest report, and imports the same logs again with other numbers.

    Signals
    -------
    refused : an InputError to show
    """

    refused = Signal(object)

    def __init__(self, files: DocumentFiles, settings: WindowSettings, window: QWidget) -> None:
        super().__init__(window)
        self._files, self._window = files, window
        self._opened: OpenedDocument | None = None
        self.columns = TableColumns(files, settings, window)
        files.opened.connect(self._on_opened)

    @property
    def has_report(self) -> bool:
        """Whether there is a report to show."""
        return self._opened is not None and self._opened.report is not None

    def show(self) -> None:
        """Show the report, with the numbers that the user may set where the log says nothing."""
        if self._opened is None or self._opened.report is None:
            self.refused.emit(InputError(NO_REPORT))
            return
        dialog = ImportReportDialog(self._opened.report, self._window)
        dialog.import_again.connect(partial(self._files.import_logs, self._opened.logs))
        values, logs = self._opened.report.values, self._opened.logs
        dialog.columns_asked.connect(lambda: self.columns.change(logs, str(values[COLUMNS])))
        dialog.open()

    def _on_opened(self, opened: OpenedDocument) -> None:
        self._opened = opened
        if opened.report is not None:
            self.show()
