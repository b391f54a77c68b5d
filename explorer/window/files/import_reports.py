"""The report on the newest import: a line when it ends, all of it on request."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from core.logs.column_map import COLUMNS
from core.logs.report_line import line_of, short_line_of
from core.model.cut_logs import CUT_LOG
from core.model.errors import InputError
from explorer.dialogs.import_report_dialog import ImportReportDialog
from explorer.window.area import Area
from explorer.window.files.table_columns import TableColumns

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMainWindow

    from explorer.window.area import WindowModel
    from explorer.window.files.document_files import DocumentFiles
    from explorer.window.files.document_work import OpenedDocument
    from explorer.window.frame.foot import Foot


NO_REPORT = (
    "this document was not imported from a log just now; import the log again to see the report (what was "
    "assumed also stands in the workload's description)"
)


class ImportReports(Area):
    """Keeps the newest report, and imports the same logs again with other numbers."""

    def __init__(self, model: WindowModel, window: QMainWindow, *, files: DocumentFiles, foot: Foot) -> None:
        super().__init__(model, window)
        self._files, self._foot = files, foot
        foot.details_wanted.connect(self.show)
        self._opened: OpenedDocument | None = None
        self.columns = TableColumns(files, self._settings, window)
        files.opened.connect(self._on_opened)
        files.reloaded.connect(self._on_opened)

    @property
    def has_report(self) -> bool:
        """Whether there is a report to show."""
        return self._opened is not None and self._opened.report is not None

    def show(self) -> None:
        """Show the report, with the numbers that the user may set where the log leaves them open."""
        if self._opened is None or self._opened.report is None:
            cut = self._opened.state.workload.cut if self._opened else ""
            self.failed.emit(InputError(" ".join(filter(None, (cut, NO_REPORT)))))
            return
        dialog = ImportReportDialog(self._opened.report, self._window)
        dialog.import_again.connect(partial(self._files.import_logs, self._opened.logs))
        values, logs = self._opened.report.values, self._opened.logs
        dialog.columns_wanted.connect(lambda: self.columns.change(logs, str(values[COLUMNS])))
        dialog.open()

    def _on_opened(self, opened: OpenedDocument) -> None:
        self._opened = opened
        report = opened.report
        if report is None:
            cut = opened.state.workload.cut
            self._foot.show_read(cut, CUT_LOG if cut else "")
        else:
            self._foot.show_read(line_of(report, opened.seconds), short_line_of(report))
