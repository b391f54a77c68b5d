"""Opening, importing and saving from the window: dialogs in front, slow work in a thread behind."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog
from typing_extensions import override

from core.files.plan_document import ENDING as PLAN_ENDING
from core.files.session_document import Session
from core.model.errors import Cancelled, InputError, UnknownTable
from core.model.estimates import DurationEstimates
from explorer.widgets.progress import ProgressDialog, wait_for
from explorer.widgets.save_dialog import LAST_FOLDER, STAYS, ask_to_save, ask_where_to_copy, ask_where_to_save
from explorer.widgets.worker import Order, Worker
from explorer.window.area import Area
from explorer.window.files.disk_changes import (
    ChangedOnDiskError,
    DiskChanges,
    VersionChoice,
    ask_which_version,
    free_name,
)
from explorer.window.files.document_work import (
    OpenedDocument,
    export_jobs,
    find_run,
    find_table,
    import_document,
    new_document,
    open_document,
    open_plan,
    save_session,
)
from explorer.window.files.server_files import ServerFiles

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from PySide6.QtWidgets import QMainWindow

    from core.files.file_mark import FileMark
    from core.files.journal import History
    from core.files.session_document import PackedPolicy
    from core.logs.unknown_table import TablePreview
    from core.model.workload import Workload
    from explorer.widgets.worker import Work
    from explorer.window.area import WindowModel


SESSION_FILTER = "Slotscope session (*.slotscope)"
OPEN_FILTER = "Sessions, workloads and logs (*)"
RUN_FILTER = "Workloads, logs and trace libraries (*)"
PLAN_FILTER = "Plans (*.json *.json.gz)"
WORKLOAD_FILTER = "Workload document (*.workload.json *.workload.json.gz)"

NOTHING_TO_READ = "this document was made here; there is no file or server to read it from again"


class DocumentFiles(Area):
    """Everything between the document and the disk.

    Attributes
    ----------
    original : the file that came with Slotscope of which this is the document; saving makes a copy of it

    Signals
    -------
    leaving : another document is about to be shown
    opened : an OpenedDocument is shown now
    reloaded : the document that is shown was read again; an OpenedDocument
    ended : what was being opened is there, or will not come
    saved : the path it was saved to
    plan_read : a Plan that a scenario is to follow
    table_met : a `TablePreview` of which nobody has said which column is what, and what was opened
    original_changed : the document is of another file that came with Slotscope, or of none
    """

    leaving = Signal()
    opened = Signal(object)
    reloaded = Signal(object)
    ended = Signal()
    saved = Signal(object)
    plan_read = Signal(object)
    table_met = Signal(object, object)
    original_changed = Signal()

    def __init__(
        self, model: WindowModel, window: QMainWindow, *, layout: Callable[[], Mapping[str, Any]]
    ) -> None:
        super().__init__(model, window)
        self._layout = layout
        self._worker = Worker(self, Order.EACH, finished=self._on_done, failed=self._on_failed)
        self._progress: ProgressDialog | None = None
        self._is_writing = False
        self.original: Path | None = None
        self._then: Callable[[Any], None] = self.show
        self._again: Work | None = None
        self._paths: tuple[Path, ...] = ()
        self._otherwise: Callable[[], None] | None = None
        self._packed: tuple[PackedPolicy, ...] = ()
        self.guards: list[Callable[[], bool]] = []  # asked before a document is left; False means stay
        self.disk = DiskChanges(self.reload, self)
        self.disk.kept.connect(self._on_kept)
        self.servers = ServerFiles(self.open_by, self._settings, window)

    def set_original(self, path: Path | None) -> None:
        """Set which file that came with Slotscope is shown, None for one of the user's own."""
        if path != self.original:
            self.original = path
            self.original_changed.emit()

    # ---- opening

    def ask_and_open(self) -> None:
        """Let the user choose a file."""
        chosen, _ = QFileDialog.getOpenFileName(self._window, "Open", LAST_FOLDER.place(), OPEN_FILTER)
        if chosen:
            self.open(chosen)

    def ask_for_plan(self) -> None:
        """Let the user choose a plan for a scenario beside the active one."""
        folder = LAST_FOLDER.place()
        chosen, _ = QFileDialog.getOpenFileName(self._window, "Use plan", folder, PLAN_FILTER)
        if chosen:
            self._start(f"Opening {Path(chosen).name}", partial(open_plan, chosen), self.plan_read.emit)

    def ask_for_sample(self) -> None:
        """Let the user choose one of the worked examples."""
        from explorer.window.files.sample_gallery import SampleGallery  # few ask for it

        gallery = SampleGallery(self._window)
        gallery.chosen.connect(self.open)
        gallery.open()

    def ask_and_import(self) -> None:
        """Let the user choose logs that become one workload."""
        chosen, _ = QFileDialog.getOpenFileNames(self._window, "Import logs", LAST_FOLDER.place(), "Logs (*)")
        if chosen:
            self.import_logs([Path(path) for path in chosen])

    def open(self, source: str | Path) -> None:
        """Open a session, workload document, log or sample, if the user lets go of the old document.

        A plan is for the document that is open.
        """
        if str(source).lower().removesuffix(".gz").endswith(PLAN_ENDING):
            self._start(f"Opening {Path(source).name}", partial(open_plan, source), self.plan_read.emit)
        elif self.may_leave():
            self._start(f"Opening {Path(source).name}", partial(open_document, source), self.show)
            self._paths = (Path(source).absolute(),)

    def ask_and_import_folder(self) -> None:
        """Let the user choose a folder whose logs become one workload."""
        chosen = QFileDialog.getExistingDirectory(
            self._window, "Import a folder of logs", LAST_FOLDER.place()
        )
        if chosen:
            self.import_logs([Path(chosen)])

    def import_logs(self, paths: Sequence[Path], parameters: Mapping[str, object] | None = None) -> None:
        """Import logs or folders of logs as one workload, perhaps with numbers that they do not have."""
        if self.may_leave():
            self.import_now(paths, parameters or {})

    def import_now(
        self,
        paths: Sequence[Path],
        parameters: Mapping[str, object],
        otherwise: Callable[[], None] | None = None,
    ) -> None:
        """Import logs without a question about the old document: that was settled before.

        Where they cannot be imported, `otherwise` is called instead of saying so.
        """
        self._start("Importing", partial(import_document, paths, parameters), self.show)
        self._paths, self._otherwise = tuple(paths), otherwise

    def look_at_table(self, paths: Sequence[Path], then: Callable[[TablePreview], None]) -> None:
        """Read how the first table among these files begins."""
        self._start("Reading the table", partial(find_table, paths), then)

    def open_by(self, text: str, work: Work) -> None:
        """Show the document that some work opens, if the user lets go of the old one."""
        if self.may_leave():
            self._start(text, work, self.show)

    def show_workload(self, workload: Workload) -> None:
        """Show a workload that was made in the window (generated)."""
        if self.may_leave():
            self.show(OpenedDocument(new_document(workload)))

    def plan_on_run(self, scenario_id: int, source: str) -> None:
        """Let a policy plan on what the jobs took before, by the "library" or a "file" that is chosen."""
        if source == "file":
            folder = LAST_FOLDER.place()
            source, _ = QFileDialog.getOpenFileName(self._window, "Earlier run", folder, RUN_FILTER)
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
        try:
            self._editor.set_estimates(scenario_id, estimates)
        except InputError as error:
            self.failed.emit(error)
        self._editor.end_gesture()

    def _start(self, text: str, work: Work, then: Callable[[Any], None]) -> None:
        self._worker.cancel()
        self._end()
        self._progress, self._then = ProgressDialog(text, self._worker, self._window), then
        self._paths, self._otherwise = (), None
        self._worker.follow(work)

    def cancel(self) -> None:
        """Stop what is being opened."""
        self._worker.stop()

    @override
    def close(self) -> None:
        self.cancel()
        self.servers.close()

    @property
    def is_busy(self) -> bool:
        """Whether something is being opened."""
        return self._worker.is_busy

    def _on_done(self, answer: object) -> None:
        self._end()
        self._then(answer)

    def show(self, opened: OpenedDocument, history: History | None = None) -> None:
        """Show a document; a recovered one has a history, and starts as modified."""
        self.leaving.emit()
        self._editor.load(opened.state, opened.path, history)
        self.set_original(opened.original)
        self._follow(opened)
        self.opened.emit(opened)
        self._tell(opened)

    def _tell(self, opened: OpenedDocument) -> None:
        if opened.said:
            self.done.emit(opened.said)

    def _follow(self, opened: OpenedDocument) -> None:
        for path in opened.marks or ():
            LAST_FOLDER.note(path)
        self._again, self._packed = opened.again, opened.policies
        self.disk.follow(opened.marks or ({} if opened.path is None else {opened.path: None}))

    @property
    def can_reload(self) -> bool:
        """Whether the document came from somewhere, so that it can be read again."""
        return self._editor.document.path is not None or self._again is not None

    def refresh(self) -> None:
        """Read the document again, from its file or its server: of a server only what is new is fetched."""
        if self.can_reload:
            self.reload()
        else:
            self.failed.emit(InputError(NOTHING_TO_READ))

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
        self.reloaded.emit(opened)
        self._tell(opened)

    def _on_failed(self, error: Exception) -> None:
        self._end()
        if isinstance(error, Cancelled):
            return
        if isinstance(error, UnknownTable) and self._paths:
            self.table_met.emit(error.table, self._paths)
        elif isinstance(error, InputError) and self._otherwise is not None:
            self._otherwise()
        else:
            self.failed.emit(error)

    def _end(self) -> None:
        if self._progress is not None:
            self._progress.end()
            self._progress = None
            self.ended.emit()

    # ---- saving

    def save(self) -> bool:
        """Save to the session's file, chosen by the user if there is none; return whether it was saved."""
        path = self._editor.document.path
        return self.save_as() if path is None else self._write(path)

    def save_as(self) -> bool:
        """Let the user choose a name and save; return whether it was saved."""
        if self.original is None:
            name = f"{self._editor.document.workload.name}.slotscope"
            path = ask_where_to_save(self._window, "Save session", name, SESSION_FILTER)
        else:
            self.done.emit(STAYS.format(self.original.name))
            name = f"{self.original.name.partition('.')[0]}.slotscope"
            path = ask_where_to_copy(self._window, name, SESSION_FILTER)
        return path is not None and self._write(path, replace=True)

    def _write(self, path: Path, *, replace: bool = False) -> bool:
        """Save to a file; whether it was saved. What another program put there is replaced if agreed to."""
        was_gone, state = self.disk.is_gone(path), self._editor.document.state
        may_replace = _agreed if replace else partial(self.disk.check, path)
        try:
            mark = self._save(path, may_replace, is_packed=bool(self._packed))
        except ChangedOnDiskError:
            return self._write_changed(path)
        if mark is None or self._editor.document.state is not state:
            return False  # or another document came, which was being opened
        self.disk.written(path, mark)
        self.set_original(None)
        self._editor.mark_saved(path)
        self.saved.emit(path)
        if was_gone:
            self.failed.emit(InputError(f"{path.name} was gone; it is written anew in {path.parent}"))
        return True

    def _save(self, path: Path, may_replace: Callable[[], object], *, is_packed: bool) -> FileMark | None:
        """Write the session in a thread; None if that failed, which is shown, or was cancelled."""
        session = Session(self._editor.document.state, self._layout(), str(path), self._packed)
        with self.disk.held():
            mark: FileMark | None = self._done(
                partial(save_session, session, path, may_replace, is_packed), path
            )
        return mark

    def _done(self, work: Work, path: Path) -> Any:
        """Write a file in a thread; None where that failed, which is shown, or was cancelled."""
        self._is_writing = True
        try:
            return wait_for(work, f"Writing {path.name}", self._window)
        except ChangedOnDiskError:
            raise
        except Cancelled:
            return None  # the user knows
        except Exception as error:  # the window shows every failure
            self.failed.emit(error)
            return None
        finally:
            self._is_writing = False

    def _write_changed(self, path: Path) -> bool:
        """Ask what becomes of a file that another program changed; whether ours was saved."""
        beside = free_name(path)
        answer = ask_which_version(self._window, path, beside)
        if answer is VersionChoice.THEIRS:
            self.reload()
        if answer in (VersionChoice.THEIRS, VersionChoice.STAY):
            return False
        return self._write(
            path if answer is VersionChoice.MINE else beside, replace=answer is VersionChoice.MINE
        )

    def export_workload(self) -> None:
        """Let the user choose a name and write the jobs and the cluster as a workload document."""
        state = self._editor.document.state
        name = f"{state.workload.name}.workload.json"
        path = ask_where_to_save(self._window, "Export workload", name, WORKLOAD_FILTER)
        if path is not None:
            self._done(partial(export_jobs, state, path), path)

    def export_packed(self) -> None:
        """Let the user choose a name and write the session with the policy files that it uses."""
        name = f"{self._editor.document.workload.name}.slotscope"
        path = ask_where_to_save(self._window, "Export packed session", name, SESSION_FILTER)
        if path is not None and self._save(path, _agreed, is_packed=True):
            self.saved.emit(path)

    def _on_kept(self, path: Path) -> None:
        """Have the document differ from its file, which holds another one now."""
        if path == self._editor.document.path:
            self._editor.undo_stack.resetClean()

    def may_leave(self) -> bool:
        """Ask what to do with unsaved changes; False means stay, as while a file is being written."""
        if self._is_writing or not all(may_leave() for may_leave in self.guards):
            return False
        if not self._editor.is_modified:
            return True
        name, of_original = self._editor.document.workload.name, self.original is not None
        return ask_to_save(self._window, f"Save the changes to {name}?", self.save, of_original=of_original)


def _agreed() -> None:
    """Let a file be replaced, whatever it holds: the user agreed."""
