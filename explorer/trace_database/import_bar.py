"""Importing into the library: progress with a way to stop, and what came of it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from core.model.errors import InputError
from core.trace_database.template import jobs_text
from explorer.trace_database.library_work import LibraryImport, import_all
from explorer.widgets.layouts import NO_MARGINS, push_button, row
from explorer.widgets.plain_labels import ElidedLabel
from explorer.widgets.progress import SHOW_AFTER_MS, ProgressLine, show_while_busy
from explorer.widgets.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from core.files.open_workload import Opened


class ImportBar(QWidget):
    """Imports one list of logs after the other; hidden while nothing takes long.

    Attributes
    ----------
    columns_of_tables : returns which column is what in tables of tasks, by their digests

    Signals
    -------
    reported : a sentence on what was imported
    failed : an exception to show
    """

    reported = Signal(str)
    failed = Signal(object)

    def __init__(self, library: Path, columns_of_tables: Callable[[], Mapping[str, str]] = dict) -> None:
        super().__init__()
        self._library, self.columns_of_tables = library, columns_of_tables
        self._worker = Worker(self, finished=self._on_done, failed=self._on_failed)
        self._waiting: list[Sequence[Path | Opened]] = []
        self.label = ElidedLabel("Importing")
        self.progress = ProgressLine("Progress of the import", self._worker)
        tip = "Stop importing; logs that were imported by now stay"
        self.stop_button = push_button("St&op", tip, self.stop)
        row((self.label, 1), (self.progress, 2), self.stop_button, parent=self, margins=NO_MARGINS)
        show_while_busy(self._worker, self, after_ms=SHOW_AFTER_MS)

    def import_logs(self, sources: Sequence[Path | Opened]) -> None:
        """Import logs, after those that are being imported."""
        self._waiting.append(sources)
        self._next()

    def stop(self) -> None:
        """Stop, and forget what waits."""
        self._waiting.clear()
        self._worker.stop()

    def _next(self) -> None:
        if self._worker.is_busy or not self._waiting:
            return
        sources = self._waiting.pop(0)
        self.label.setText(f"Importing {_named(sources)}")
        self._worker.follow(partial(import_all, self._library, sources, self.columns_of_tables()))

    def _on_done(self, imported: LibraryImport) -> None:
        if imported.problems:
            self.failed.emit(InputError("\n".join(imported.problems)))
        self.reported.emit(import_text(imported))
        self._next()

    def _on_failed(self, error: Exception) -> None:
        self.failed.emit(error)
        self._next()


def _named(sources: Sequence[Path | Opened]) -> str:
    first = sources[0]
    name = getattr(first, "name", "this workload")
    return f"{name} and {len(sources) - 1} more" if len(sources) > 1 else str(name)


def import_text(imported: LibraryImport) -> str:
    """Return what an import came to."""
    added = imported.added
    if len(added) == 1:
        text = str(added[0])
    else:
        new, present = sum(one.added for one in added), sum(one.present for one in added)
        text = f"{len(added)} logs: {jobs_text(new)} added, {jobs_text(present)} there already"
    if imported.is_stopped:
        text = f"Stopped. {text}" if added else "Stopped; nothing was added"
    elif not added:
        text = "Nothing was added"
    return text if not imported.problems else f"{text}; {len(imported.problems)} could not be imported"
