"""The report on the newest import: a line when it ends, all of it on request."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.logs.column_map import COLUMNS
from core.logs.report_line import line_of, short_line_of
from core.model.cut_logs import CUT_LOG
from core.model.errors import InputError
from explorer.dialogs.import_report_dialog import ImportReportDialog
from explorer.window.area import Area

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from PySide6.QtWidgets import QMainWindow, QWidget

    from core.logs.unknown_table import TablePreview
    from explorer.session.settings import WindowSettings
    from explorer.window.area import WindowModel
    from explorer.window.files.document_files import DocumentFiles
    from explorer.window.files.document_work import OpenedDocument


NO_REPORT = (
    "this document was not imported from a log just now; import the log again to see the report (what was "
    "assumed also stands in the workload's description)"
)


class ImportReports(Area):
    """Keeps the newest report, and imports the same logs again with other numbers.

    Signals
    -------
    read : what was read, for a wide and for a narrow window; empty if the document is no log
    """

    read = Signal(str, str)

    def __init__(self, model: WindowModel, window: QMainWindow, *, files: DocumentFiles) -> None:
        super().__init__(model, window)
        self._files = files
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
            self.read.emit(cut, CUT_LOG if cut else "")
        else:
            self.read.emit(line_of(report, opened.seconds), short_line_of(report))


class TableColumns(QObject):
    """Lets the user set which column is what when no reader knows a table, or to change it."""

    def __init__(self, files: DocumentFiles, settings: WindowSettings, window: QWidget) -> None:
        super().__init__(window)
        self._files, self._settings, self._window = files, settings, window
        files.table_met.connect(self._on_met)

    def change(self, paths: Sequence[Path], columns: str) -> None:
        """Show which column is what in a table that was imported, to be changed or forgotten."""

        def show(table: TablePreview) -> None:
            self._ask(table, tuple(paths), columns, preview_first=True)

        self._files.look_at_table(paths, show)

    def _on_met(self, table: TablePreview, paths: tuple[Path, ...]) -> None:
        """Import a table as it is remembered; ask where it is not, or where nothing comes of it."""
        known = self._settings.columns_of(table.shape.digest)
        show = partial(self._ask, table, paths, known)
        if known:
            self._files.import_now(paths, {COLUMNS: known}, show)
        else:
            show()

    def _ask(
        self, table: TablePreview, paths: tuple[Path, ...], known: str, *, preview_first: bool = False
    ) -> None:
        from explorer.dialogs.columns_dialog import ColumnsDialog  # few ask for it

        digest = table.shape.digest
        is_remembered = bool(self._settings.columns_of(digest))
        dialog = ColumnsDialog(table, known, self._window, is_remembered=is_remembered)
        dialog.chosen.connect(partial(self._import, digest, paths, preview_first))
        dialog.forgotten.connect(lambda: self._settings.keep_columns(digest, ""))
        dialog.open()

    def _import(self, digest: str, paths: tuple[Path, ...], preview_first: bool, columns: str) -> None:
        self._settings.keep_columns(digest, columns)
        again = self._files.import_logs if preview_first else self._files.import_now
        again(paths, {COLUMNS: columns})
