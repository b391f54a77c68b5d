"""The window of the trace library: search and import, and take runs into the workload or compare them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QSplitter, QWidget
from typing_extensions import override

from core.files.open_workload import Opened
from core.model.errors import InputError, SlotscopeError
from core.model.number_text import grouped
from core.trace_database.connection import default_library, may_write
from core.trace_database.template import jobs_text
from explorer.trace_database.filters import WIDTH, ApplicationsList, FilterFields
from explorer.trace_database.foot_buttons import FootButtons, Trash
from explorer.trace_database.import_bar import ImportBar
from explorer.trace_database.library_work import FoundRuns, LibraryReader, compare, find, take
from explorer.trace_database.runs_window import RunsWindow
from explorer.trace_database.templates_table import TemplatesModel, TemplatesTable
from explorer.widgets.error_messages import MessageBar
from explorer.widgets.layouts import NO_MARGINS, OwnWindow, column, resize_on_screen
from explorer.widgets.plain_labels import ElidedLabel
from explorer.widgets.template_mime import TemplateDrops
from explorer.widgets.worker import Order, Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtCore import SignalInstance
    from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QShowEvent

    from core.model.job import Job
    from explorer.document.editor import Editor
    from explorer.widgets.template_mime import DraggedTemplates

FEWEST_RUNS, MAX_RUNS = 2, 6
EMPTY = (
    "The trace library is empty.\n\nImport logs with the button below, or drop log files here. Their jobs "
    "stay in the library: find them again, compare runs of one application, and drag them into any workload."
)
NO_MATCH = "No job matches. “Show all” leaves the filters."
ONLY_READ = "This library cannot be changed where it lies. "
NO_TRASH = "The trash is empty."
SEARCHING = "Searching …"
TRASH_HINT = "Select jobs to take them back"
HINT = "Drag jobs into a workload, or press Enter; select two to six runs to compare them"


class LibraryWindow(OwnWindow):
    """A tool window over the library's file; the document and the file stay the truth.

    Signals
    -------
    added : jobs were added to the workload: a sentence
    submitted : jobs come now, at the time cursor
    """

    added = Signal(str)
    submitted = Signal(object)

    def __init__(
        self,
        editor: Editor,
        window: QWidget,
        library: Path | None = None,
        columns_of_tables: Callable[[], Mapping[str, str]] = dict,
    ) -> None:
        super().__init__(window, Qt.WindowType.Window)
        library = default_library() if library is None else library
        self.setWindowTitle("Trace library — Slotscope")
        self.setObjectName("trace-library")
        resize_on_screen(self, 1400, 820)
        self.setAcceptDrops(True)
        self._editor, self._window, self._library = editor, window, library
        self._application: str | None = None
        self._sort: tuple[str, bool] = ("id", False)
        self._found: FoundRuns | None = None
        self.messages = MessageBar(self)
        self.filters = FilterFields()
        self.applications = ApplicationsList()
        self.model = TemplatesModel(library, self)
        self.table = TemplatesTable(self.model)
        self.import_bar = ImportBar(library, columns_of_tables)
        self.status = ElidedLabel(HINT, is_faint=True)
        self.buttons = FootButtons()
        self.reader = LibraryReader(library, self)
        self.runs_window = RunsWindow(self)
        self._search = self._calculation(self._on_found)
        self._taking, self._submitting = Worker(self, Order.QUEUE), Worker(self)
        self.trash = Trash(library, self.table, self.buttons, self)
        self._comparing = self._calculation(self.runs_window.show_runs)
        self._lay_out()
        self._connect()

    def _calculation(self, on_finished: Callable[..., None]) -> Worker:
        return Worker(self, finished=on_finished, failed=self._on_failed)

    def _lay_out(self) -> None:
        self.splitter = QSplitter(childrenCollapsible=False)
        self.splitter.addWidget(self.applications)
        self.splitter.addWidget(self.table)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setSizes([WIDTH, 1000])
        parts = (self.filters, (self.splitter, 1), self.import_bar, self.status, self.buttons)
        inner = column(*parts, margins=(10, 8, 10, 8))
        column(self.messages, (inner, 1), parent=self, margins=NO_MARGINS)

    def _connect(self) -> None:
        self.filters.changed.connect(self.search)
        self.applications.chosen.connect(self._on_application)
        self.model.sort_wanted.connect(self._on_sort)
        self.model.failed.connect(self.messages.show_error)
        self.reader.changed.connect(self.search)
        self.table.selectionModel().selectionChanged.connect(self._enable)
        self.table.add_wanted.connect(self.add_selected)
        self._taking.finished.connect(self._on_taken)
        self._submitting.finished.connect(self.submitted)
        for changed in (self.import_bar.reported, self.trash.changed):
            changed.connect(self._on_changed)
        for failed in (
            self.import_bar.failed,
            self.trash.failed,
            self._taking.failed,
            self._submitting.failed,
        ):
            failed.connect(self.messages.show_error)
        buttons = self.buttons
        buttons.add_button.clicked.connect(self.add_selected)
        buttons.submit_button.clicked.connect(self.submit_selected)
        buttons.compare_button.clicked.connect(self.compare_selected)
        buttons.empty_button.clicked.connect(self.empty_trash)
        buttons.trash_button.toggled.connect(self._on_trash)
        buttons.logs_action.triggered.connect(self.ask_for_logs)
        buttons.folder_action.triggered.connect(self.ask_for_folder)
        buttons.workload_action.triggered.connect(self.import_workload)
        for keys, slot in (("Ctrl+Z", self.trash.undo), ("Ctrl+F", self.filters.text_field.setFocus)):
            QShortcut(QKeySequence(keys), self, slot)

    def join(self, dropped_on_jobs: SignalInstance, on_added: Callable[[str], None]) -> None:
        """Take what is dropped on the jobs panel, or anywhere else on the application's window."""
        dropped_on_jobs.connect(self.add_dragged)
        TemplateDrops(self._window).dropped.connect(self.add_dragged)
        self.added.connect(on_added)

    # ---- searching

    def search(self) -> None:
        """Search by the fields; of searches that wait only the newest is answered."""
        if not self.isVisible():
            return
        wanted = replace(
            self.filters.search(),
            application=self._application,
            sort=self._sort[0],
            descending=self._sort[1],
            trashed=self.trash.is_shown,
        )
        self._search.start(partial(find, self._library, wanted))
        if self.filters.problem:
            self.status.setText(self.filters.problem)

    def _on_found(self, found: FoundRuns) -> None:
        is_new = self._found is None or self._found.search != found.search
        self._found = found
        try:
            self.reader.open()
        except SlotscopeError as error:
            self._on_failed(error)
            return
        selected = self.table.selected_ids()
        self.model.show(found.ids, self.reader.read)
        self.table.select_ids([] if self.table.selected_ids() == selected else selected)
        self.applications.show_applications(found.applications, self._application)
        self.table.empty_text = self._why_empty(found)
        self.table.viewport().update()
        if is_new and not self.filters.problem:
            only_read = "" if may_write(self._library) else ONLY_READ
            self.status.setText(f"{only_read}{self._count_text(found)}")
        self._enable()

    def _why_empty(self, found: FoundRuns) -> str:
        if found.search.trashed:
            return NO_MATCH if found.trashed else NO_TRASH
        return NO_MATCH if found.kept else EMPTY

    @staticmethod
    def _count_text(found: FoundRuns) -> str:
        every = found.trashed if found.search.trashed else found.kept
        if not every:
            return ""
        where, hint = ("trash", TRASH_HINT) if found.search.trashed else ("library", HINT)
        some = "" if len(found.ids) == every else f"{grouped(len(found.ids))} of "
        return f"{some}{jobs_text(every)} in the {where}. {hint}"

    def _on_application(self, application: str | None) -> None:
        self._application = application
        self.search()

    def _on_sort(self, key: str, descending: bool) -> None:
        self._sort = (key, descending)
        self.search()

    def _on_trash(self, _shown: bool) -> None:
        self._application = None
        self.table.clearSelection()
        self.search()

    def _on_failed(self, error: Exception) -> None:
        self.table.empty_text = ""
        self.messages.show_error(error)

    def _enable(self) -> None:
        found = self._found
        self.buttons.enable(
            selected=self.table.selected_count(),
            runs=(FEWEST_RUNS, MAX_RUNS),
            can_undo=self.trash.can_undo,
            trashed=found.trashed if found is not None else 0,
        )

    # ---- into the workload

    def add_selected(self) -> None:
        """Add the selected jobs to the workload, at its end."""
        ids = self.table.selected_ids()
        if ids and not self.trash.is_shown:
            self.add(self._library, ids, None)

    def add_dragged(self, dragged: DraggedTemplates, index: int | None = None) -> None:
        """Add jobs that were dropped on a workload, at its end unless a place is given."""
        self.add(dragged.library, dragged.ids, index)

    def add(self, library: Path, ids: tuple[int, ...], index: int | None) -> None:
        """Add jobs of a library to the workload in one step of undo."""
        self._taking.start(lambda: (index, take(library, ids)))

    def _on_taken(self, answer: tuple[int | None, tuple[Job, ...]]) -> None:
        index, jobs = answer
        what = jobs[0].name if len(jobs) == 1 else jobs_text(len(jobs))
        try:
            self._editor.insert_jobs(jobs, index, f"Add {what} from the library")
        except InputError as error:
            self._on_failed(error)
            return
        sentence = f"Added {what} from the library to {self._editor.document.workload.name}"
        self.status.setText(f"{sentence}; undo there takes it back")
        self.added.emit(sentence)

    # ---- into the forecast

    def submit_selected(self) -> None:
        """Submit the selected jobs at the time cursor."""
        ids = self.table.selected_ids()
        if ids and not self.trash.is_shown:
            self._submitting.start(partial(take, self._library, ids))

    def submit_dragged(self, dragged: DraggedTemplates) -> None:
        """Submit jobs that were dropped on the forecast."""
        self._submitting.start(partial(take, dragged.library, dragged.ids))

    # ---- comparing

    def compare_selected(self) -> None:
        """Show the selected runs side by side."""
        ids = self.table.selected_ids()
        if FEWEST_RUNS <= len(ids) <= MAX_RUNS:
            self._comparing.start(partial(compare, self._library, ids))

    # ---- changing

    def empty_trash(self) -> None:
        """Forget the trash for ever, after a question."""
        self.trash.ask_and_empty(self._found.trashed if self._found is not None else 0)

    def ask_for_logs(self) -> None:
        """Let the user choose logs and import them."""
        chosen, _ = QFileDialog.getOpenFileNames(self, "Import logs into the library", "", "Logs (*)")
        if chosen:
            self.import_bar.import_logs([Path(path) for path in chosen])

    def ask_for_folder(self) -> None:
        """Let the user choose a folder and import its logs together."""
        chosen = QFileDialog.getExistingDirectory(self, "Import a folder of logs into the library")
        if chosen:
            self.import_bar.import_logs([Path(chosen)])

    def import_workload(self) -> None:
        """Put the jobs of the open workload into the library."""
        self.import_bar.import_logs([Opened(self._editor.document.workload, "document")])

    def _on_changed(self, sentence: str) -> None:
        self.status.setText(sentence)
        self.search()

    # ---- events

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self.model.rowCount():
            self.table.empty_text = SEARCHING
        self.search()

    @override
    def closeEvent(self, event: QCloseEvent) -> None:
        self._search.cancel()
        self.reader.close()
        super().closeEvent(event)

    def stop(self) -> None:
        """End everything: the application's window closes."""
        self.import_bar.stop()
        self.runs_window.close()
        self.close()
        self.reader.close()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls() and all(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        self.import_bar.import_logs([Path(url.toLocalFile()) for url in event.mimeData().urls()])
