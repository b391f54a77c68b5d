"""Tables of tasks in the window: the meaning of the columns is set once for each header, and remembered."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from core.logs.column_map import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from core.logs.unknown_table import TablePreview
    from explorer.session.settings import WindowSettings
    from explorer.window.files.document_files import DocumentFiles


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
