"""Opening, importing and saving from the window: dialogs in front, slow work in a thread behind."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QProgressDialog, QWidget

from core.files.session_document import Session, write_session
from core.files.workload_writing import write_workload
from core.model.errors import Cancelled
from explorer.widgets.worker import Order, Worker
from explorer.window.opening import OpenedDocument, import_document, new_document, open_document

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from core.model.workload import Workload
    from explorer.document.editor import Editor
    from explorer.widgets.worker import Work

SESSION_FILTER = "Slotscope session (*.slotscope)"
OPEN_FILTER = "Sessions, workloads and logs (*)"
WORKLOAD_FILTER = "Workload document (*.workload.json *.workload.json.gz)"
SHOW_PROGRESS_AFTER_MS = 500


class DocumentFiles(QObject):
    """Everything between the document and the disk.

    Signals
    -------
    opened : an OpenedDocument is shown now
    saved : the path it was saved to
    failed : an exception to show
    """

    opened = Signal(object)
    saved = Signal(object)
    failed = Signal(object)

    def __init__(self, editor: Editor, layout: Callable[[], Mapping[str, str]], window: QWidget) -> None:
        super().__init__(window)
        self._editor, self._layout, self._window = editor, layout, window
        self._worker = Worker(self, Order.EACH)
        self._worker.finished.connect(self._on_done)
        self._worker.failed.connect(self._on_failed)
        self._worker.progressed.connect(self._on_progressed)
        self._progress: QProgressDialog | None = None

    # ---- opening

    def ask_and_open(self) -> None:
        """Let the user choose a file."""
        chosen, _ = QFileDialog.getOpenFileName(self._window, "Open", "", OPEN_FILTER)
        if chosen:
            self.open(chosen)

    def ask_and_import(self) -> None:
        """Let the user choose logs that become one workload."""
        chosen, _ = QFileDialog.getOpenFileNames(self._window, "Import logs", "", "Logs (*)")
        if chosen:
            self.import_logs([Path(path) for path in chosen])

    def open(self, source: str | Path) -> None:
        """Open a session, workload document, log or sample, if the user lets go of the old document."""
        if self.may_leave():
            self._start(f"Opening {Path(source).name}", partial(open_document, source))

    def ask_and_import_folder(self) -> None:
        """Let the user choose a folder whose logs become one workload."""
        chosen = QFileDialog.getExistingDirectory(self._window, "Import a folder of logs")
        if chosen:
            self.import_logs([Path(chosen)])

    def import_logs(self, paths: Sequence[Path], parameters: Mapping[str, object] | None = None) -> None:
        """Import logs or folders of logs as one workload, perhaps with numbers that they do not have."""
        if self.may_leave():
            self._start("Importing", partial(import_document, paths, parameters or {}))

    def show_workload(self, workload: Workload) -> None:
        """Show a workload that was made in the window (generated)."""
        if self.may_leave():
            self.show(OpenedDocument(new_document(workload)))

    def _start(self, text: str, work: Work) -> None:
        self._worker.cancel()
        self._end()
        dialog = QProgressDialog(text, "Cancel", 0, 1000, self._window)
        dialog.setWindowTitle("Slotscope")
        dialog.setWindowModality(Qt.WindowModality.WindowModal)
        dialog.setMinimumDuration(SHOW_PROGRESS_AFTER_MS)
        dialog.setValue(0)
        dialog.canceled.connect(self.cancel)
        self._progress = dialog
        self._worker.follow(work)

    def cancel(self) -> None:
        """Stop what is being opened."""
        self._worker.stop()

    @property
    def is_busy(self) -> bool:
        """Whether something is being opened."""
        return self._worker.is_busy

    def _on_progressed(self, fraction: float) -> None:
        if self._progress is not None:
            self._progress.setValue(min(999, round(1000 * fraction)))

    def _on_done(self, opened: OpenedDocument) -> None:
        self._end()
        self.show(opened)

    def show(self, opened: OpenedDocument, modified: bool = False) -> None:
        """Show a document; a recovered one starts as modified."""
        self._editor.load(opened.state, opened.path, modified)
        self.opened.emit(opened)

    def _on_failed(self, error: Exception) -> None:
        self._end()
        if not isinstance(error, Cancelled):
            self.failed.emit(error)

    def _end(self) -> None:
        if self._progress is not None:
            self._progress.canceled.disconnect(self.cancel)
            self._progress.close()
            self._progress.deleteLater()
            self._progress = None

    # ---- saving

    def save(self) -> bool:
        """Save to the session's file, asking for one if there is none; whether it was saved."""
        path = self._editor.document.path
        return self.save_as() if path is None else self._write(path)

    def save_as(self) -> bool:
        """Ask for a name and save; whether it was saved."""
        name = f"{self._editor.document.workload.name}.slotscope"
        chosen, _ = QFileDialog.getSaveFileName(self._window, "Save session", name, SESSION_FILTER)
        if not chosen:
            return False
        path = Path(chosen)
        return self._write(path if path.suffix else path.with_suffix(".slotscope"))

    def _write(self, path: Path) -> bool:
        document = self._editor.document
        if not self._try(write_session, Session(document.state, self._layout(), str(path)), path):
            return False
        self._editor.mark_saved(path)
        self.saved.emit(path)
        return True

    def export_workload(self) -> None:
        """Ask for a name and write the jobs and the cluster as a workload document."""
        state = self._editor.document.state
        name = f"{state.workload.name}.workload.json"
        chosen, _ = QFileDialog.getSaveFileName(self._window, "Export workload", name, WORKLOAD_FILTER)
        if chosen:
            from dataclasses import replace

            self._try(write_workload, replace(state.workload, cluster=state.cluster), Path(chosen))

    def _try(self, write: Callable[..., None], *arguments: Any) -> bool:
        try:
            write(*arguments)
        except Exception as error:  # the window shows every failure
            self.failed.emit(error)
            return False
        return True

    def may_leave(self) -> bool:
        """Ask what to do with unsaved changes; False means stay."""
        if not self._editor.is_modified:
            return True
        buttons = QMessageBox.StandardButton
        box = QMessageBox(self._window)
        box.setWindowTitle("Slotscope")
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(f"Save the changes to {self._editor.document.workload.name}?")
        box.setInformativeText("What is not saved is lost.")
        box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        box.setDefaultButton(buttons.Save)
        answer = box.exec()
        if answer == buttons.Save:
            return self.save()
        return answer == buttons.Discard
