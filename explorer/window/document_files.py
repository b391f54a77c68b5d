"""Opening, importing and saving from the window: dialogs in front, slow work in a thread behind."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QProgressDialog, QWidget

from core.files.file_mark import mark_of
from core.files.json_text import read_bytes, read_head
from core.files.open_workload import open_workload
from core.files.samples import find_sample
from core.files.session_document import Session, is_session, read_session, write_session
from core.files.workload_writing import write_workload
from core.model.document_state import DocumentState
from core.model.errors import Cancelled, InputError
from core.model.estimates import DurationEstimates
from core.model.execution_history import RECORDED
from core.model.progress import never_stop, tell_nobody
from core.model.schedule import PolicyChoice
from core.policies.user_files.packing import packed, with_files_beside, with_files_unpacked
from explorer.session.session_folder import unpacked_folder
from explorer.widgets.save_dialog import ask_where_to_save
from explorer.widgets.worker import Order, Worker
from explorer.window.disk_changes import ChangedOnDiskError, DiskChanges, Whose, ask_whose, free_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from core.files.file_mark import FileMark
    from core.files.journal import History
    from core.files.session_document import PackedPolicy
    from core.logs.report import ImportReport
    from core.model.workload import Workload
    from explorer.document.editor import Editor
    from explorer.widgets.worker import Work


SESSION_FILTER = "Slotscope session (*.slotscope)"
OPEN_FILTER = "Sessions, workloads and logs (*)"
RUN_FILTER = "Workloads, logs and trace libraries (*)"
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

    def __init__(self, editor: Editor, layout: Callable[[], Mapping[str, Any]], window: QWidget) -> None:
        super().__init__(window)
        self._editor, self._layout, self._window = editor, layout, window
        self._worker = Worker(self, Order.EACH)
        self._worker.finished.connect(self._on_done)
        self._worker.failed.connect(self._on_failed)
        self._worker.progressed.connect(self._on_progressed)
        self._progress: QProgressDialog | None = None
        self._then: Callable[[Any], None] = self.show
        self._again: Work | None = None
        self._packed: tuple[PackedPolicy, ...] = ()
        self.disk = DiskChanges(self.reload, self)
        self.disk.kept.connect(self._on_kept)

    # ---- opening

    def ask_and_open(self) -> None:
        """Let the user choose a file."""
        chosen, _ = QFileDialog.getOpenFileName(self._window, "Open", "", OPEN_FILTER)
        if chosen:
            self.open(chosen)

    def ask_for_sample(self) -> None:
        """Let the user choose one of the worked examples."""
        from explorer.window.sample_gallery import SampleGallery  # few ask for it

        gallery = SampleGallery(self._window)
        gallery.chosen.connect(self.open)
        gallery.open()

    def ask_and_import(self) -> None:
        """Let the user choose logs that become one workload."""
        chosen, _ = QFileDialog.getOpenFileNames(self._window, "Import logs", "", "Logs (*)")
        if chosen:
            self.import_logs([Path(path) for path in chosen])

    def open(self, source: str | Path) -> None:
        """Open a session, workload document, log or sample, if the user lets go of the old document."""
        if self.may_leave():
            self._start(f"Opening {Path(source).name}", partial(open_document, source), self.show)

    def ask_and_import_folder(self) -> None:
        """Let the user choose a folder whose logs become one workload."""
        chosen = QFileDialog.getExistingDirectory(self._window, "Import a folder of logs")
        if chosen:
            self.import_logs([Path(chosen)])

    def import_logs(self, paths: Sequence[Path], parameters: Mapping[str, object] | None = None) -> None:
        """Import logs or folders of logs as one workload, perhaps with numbers that they do not have."""
        if self.may_leave():
            self._start("Importing", partial(import_document, paths, parameters or {}), self.show)

    def show_workload(self, workload: Workload) -> None:
        """Show a workload that was made in the window (generated)."""
        if self.may_leave():
            self.show(OpenedDocument(new_document(workload)))

    def plan_on_run(self, scenario_id: int, source: str) -> None:
        """Let a policy plan on what the jobs took before, by the "library" or a "file" that is asked for."""
        if source == "file":
            source, _ = QFileDialog.getOpenFileName(self._window, "Earlier run", "", RUN_FILTER)
        if source:
            work = partial(find_run, self._editor.document.workload, source)
            self._start("Looking for an earlier run", work, partial(self._plan_on, scenario_id))

    def _plan_on(self, scenario_id: int, run: Workload) -> None:
        document = self._editor.document
        if not document.has_scenario(scenario_id):
            return
        before = document.scenario(scenario_id).choice.estimates or DurationEstimates()
        lacks_some = any(job.name not in run.job_index for job in document.workload.jobs)
        estimates = replace(before, error=before.error if lacks_some else 0.0, profile=run)
        self._try(self._editor.set_estimates, scenario_id, estimates)
        self._editor.end_gesture()

    def _start(self, text: str, work: Work, then: Callable[[Any], None]) -> None:
        self._worker.cancel()
        self._end()
        dialog = QProgressDialog(text, "Cancel", 0, 1000, self._window)
        dialog.setWindowTitle("Slotscope")
        dialog.setWindowModality(Qt.WindowModality.WindowModal)
        dialog.setMinimumDuration(SHOW_PROGRESS_AFTER_MS)
        dialog.setValue(0)
        dialog.canceled.connect(self.cancel)
        self._progress, self._then = dialog, then
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

    def _on_done(self, answer: object) -> None:
        self._end()
        self._then(answer)

    def show(self, opened: OpenedDocument, history: History | None = None) -> None:
        """Show a document; a recovered one has a history, and starts as modified."""
        self._editor.load(opened.state, opened.path, history)
        self._follow(opened)
        self.opened.emit(opened)

    def _follow(self, opened: OpenedDocument) -> None:
        self._again, self._packed = opened.again, opened.policies
        self.disk.follow(opened.marks or ({} if opened.path is None else {opened.path: None}))

    def reload(self) -> None:
        """Show the document's files as they are now, in one step of undo."""
        path = self._editor.document.path
        work = self._again if path is None else partial(open_document, path)
        if work is not None:
            self._start("Reloading", work, self._on_reloaded)

    def _on_reloaded(self, opened: OpenedDocument) -> None:
        self._editor.commit("Reload", opened.state)
        self._editor.mark_saved(opened.path)
        self._follow(opened)

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
        path = ask_where_to_save(self._window, "Save session", name, SESSION_FILTER)
        return path is not None and self._write(path, replace=True)

    def _write(self, path: Path, *, replace: bool = False) -> bool:
        """Save to a file; whether it was saved. What another program put there is replaced if agreed to."""
        was_gone = self.disk.is_gone(path)
        try:
            session = self._session(path, is_packed=bool(self._packed))
            data = write_session(session, path, (lambda: None) if replace else partial(self.disk.check, path))
        except ChangedOnDiskError:
            return self._write_changed(path)
        except Exception as error:  # the window shows every failure
            self.failed.emit(error)
            return False
        self.disk.written(path, data)
        self._editor.mark_saved(path)
        self.saved.emit(path)
        if was_gone:
            self.failed.emit(InputError(f"{path.name} was gone; it is written anew in {path.parent}"))
        return True

    def _write_changed(self, path: Path) -> bool:
        """Ask what becomes of a file that another program changed; whether ours was saved."""
        beside = free_name(path)
        answer = ask_whose(self._window, path, beside)
        if answer is Whose.THEIRS:
            self.reload()
        if answer in (Whose.THEIRS, Whose.STAY):
            return False
        return self._write(path if answer is Whose.MINE else beside, replace=answer is Whose.MINE)

    def export_workload(self) -> None:
        """Ask for a name and write the jobs and the cluster as a workload document."""
        state = self._editor.document.state
        name = f"{state.workload.name}.workload.json"
        path = ask_where_to_save(self._window, "Export workload", name, WORKLOAD_FILTER)
        if path is not None:
            self._try(write_workload, replace(state.workload, cluster=state.cluster), path)

    def export_packed(self) -> None:
        """Ask for a name and write the session with the policy files that it uses."""
        name = f"{self._editor.document.workload.name}.slotscope"
        path = ask_where_to_save(self._window, "Export packed session", name, SESSION_FILTER)
        if path is not None and self._try(lambda: write_session(self._session(path, is_packed=True), path)):
            self.saved.emit(path)

    def _session(self, path: Path, *, is_packed: bool) -> Session:
        """Return what is saved; one that was opened packed stays packed."""
        state = self._editor.document.state
        policies = packed(state, self._packed) if is_packed else ()
        return Session(state, self._layout(), str(path), policies)

    def _on_kept(self, path: Path) -> None:
        """Have the document differ from its file, which holds another one now."""
        if path == self._editor.document.path:
            self._editor.undo_stack.resetClean()

    def _try(self, write: Callable[..., object], *arguments: Any) -> bool:
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


FIRST_POLICIES = (PolicyChoice("fifo"), PolicyChoice("johnson"))
"""What a newly opened workload is shown under."""
BESIDE_RECORD = (PolicyChoice(RECORDED), PolicyChoice("fifo"))
"""What a newly opened log with task times is shown as: what happened, and what if."""
HEAD_BYTES = 4096


@dataclass(frozen=True)
class OpenedDocument:
    """A document ready to be shown.

    Attributes
    ----------
    state : the document
    path : the session file it can be saved to again, or None
    report : the account of a log's import, or None
    layout : the window's layout that a session remembers
    logs : the logs it was imported from, so that they can be imported again
    again : what opens the same once more
    marks : the files that it was read from, as they were then
    policies : the policy files that were packed into it
    """

    state: DocumentState
    path: Path | None = None
    report: ImportReport | None = None
    layout: Mapping[str, Any] | None = None
    logs: tuple[Path, ...] = ()
    again: Work | None = None
    marks: Mapping[Path, FileMark | None] | None = None
    policies: tuple[PackedPolicy, ...] = ()


def open_document(
    source: str | Path,
    progress: Callable[[float], None] = tell_nobody,
    should_stop: Callable[[], bool] = never_stop,
) -> OpenedDocument:
    """Open a session, a workload document, a log or a sample; raises InputError with all problems."""
    path = Path(source).absolute()  # it stays the same file in another working folder
    marks, again = _marks_of([path]), partial(open_document, source)
    if path.is_file() and _is_session(path):
        session = read_session(path)
        state = with_files_beside(session.state, path.parent)
        state = with_files_unpacked(state, session.policies, unpacked_folder())
        return OpenedDocument(state, path, None, session.layout, (), again, marks, session.policies)
    opened = open_workload(source, progress=progress, should_stop=should_stop)
    logs = (path,) if opened.kind == "log" else ()
    is_sample = opened.kind == "sample"
    state = find_sample(str(source)).state if is_sample else new_document(opened.workload)
    return OpenedDocument(state, report=opened.report, logs=logs, again=again, marks=marks)


def _marks_of(paths: Iterable[Path]) -> dict[Path, FileMark | None]:
    """Return how files are; samples and folders have no mark."""
    return {path: mark_of(path) for path in paths if path.is_file()}


def find_run(
    workload: Workload, source: str, progress: Callable[[float], None], should_stop: Callable[[], bool]
) -> Workload:
    """Return the jobs of a workload as they ran before; arguments and errors of `recorded_profile`."""
    from core.trace_database.recorded_profile import recorded_profile  # few ask for it

    return recorded_profile(workload, source, progress, should_stop)


def import_document(
    paths: Sequence[Path],
    parameters: Mapping[str, object],
    progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> OpenedDocument:
    """Import logs as one document; `parameters` are numbers that the logs do not have."""
    from core.logs.open_log import open_trace  # documents need no reader of logs

    marks, again = _marks_of(path.absolute() for path in paths), partial(import_document, paths, parameters)
    imported = open_trace(paths, parameters=parameters, progress=progress, should_stop=should_stop)
    state = new_document(imported.workload)
    return OpenedDocument(state, report=imported.report, logs=tuple(paths), again=again, marks=marks)


def new_document(workload: Workload) -> DocumentState:
    """Show a workload under the first policies; one that really ran beside what happened."""
    _ = workload.input_order, workload.pools  # kept with it, so that a thread looks them up
    ran = workload.recorded is not None and bool(workload.recorded.counts.any())
    return DocumentState.new(workload, BESIDE_RECORD if ran else FIRST_POLICIES)


def _is_session(path: Path) -> bool:
    head = read_head(path, HEAD_BYTES)
    return is_session(head) or (path.suffix == ".slotscope" and is_session(read_bytes(path)))
