"""Studies in files: the menus of the study window that open, save and begin them, and the presets."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QFileDialog, QMenuBar, QWidget

from core.files.atomic import replace_file
from core.files.json_text import read_bytes
from core.files.resources import is_original
from core.files.workload_writing import write_workload
from core.model.errors import InputError
from core.study.policy_sources import with_policies_beside
from core.study.result_folder import read_results_study
from core.study.study import values_of
from core.study.study_document import ENDING, preset_paths, read_study, write_study
from explorer.widgets.plain_labels import tooltip, without_mnemonic
from explorer.widgets.save_dialog import LAST_FOLDER, MAKE_COPY, STAYS, ask_where_to_copy, ask_where_to_save

if TYPE_CHECKING:
    from core.model.workload import Workload
    from core.study.study import Study

SAVE = "&Save as…"
STUDY_FILTER = "Studies (*.study.json *.study.json.gz)"
OPEN_WORKLOAD = "open.workload.json"
"""What a study calls the workload of the open document, while it lies in no file."""
RUN_TIP = "Run all cells but those that were run before; stop a run"
AGAIN = "Run the cells that gave no result, and those that are missing; all others are kept"


class StudyFiles(QObject):
    """Fills a menu bar, and opens file dialogs.

    Attributes
    ----------
    bar : the menu bar
    actions_by_id : its actions
    original : the file that came with Slotscope, if its study is shown; saving makes a copy

    Signals
    -------
    begin_wanted, run_wanted, retry_wanted, close_wanted : the menu was used
    save_wanted : it is to be written; the path
    fields_wanted : whether the fields are to be seen
    opened : a study was read (`Study`)
    original_changed : whether the study came with Slotscope is another thing now
    reported : a sentence
    results_opened : the study of results was read (`Study`, its folder)
    failed : a file could not be read
    """

    begin_wanted = Signal()
    run_wanted = Signal()
    fields_wanted = Signal(bool)
    retry_wanted = Signal()
    save_wanted = Signal(object)
    close_wanted = Signal()
    opened = Signal(object)
    results_opened = Signal(object, object)
    failed = Signal(object)
    original_changed = Signal()
    reported = Signal(str)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.original: Path | None = None
        self.bar = QMenuBar()
        self.actions_by_id: dict[str, QAction] = {}
        menu = self.bar.addMenu("&Study")
        menu.setToolTipsVisible(True)
        for name, text, key, slot, tip in (
            *self._beginnings(),
            ("run", "R&un or stop", "Ctrl+R", self.run_wanted.emit, RUN_TIP),
            ("retry", "Run &failed cells again", "", self.retry_wanted.emit, AGAIN),
            ("fields", "F&ields", "Ctrl+B", self._on_fields, "What is varied, at the left of the picture"),
            ("save", SAVE, "Ctrl+S", self._ask_and_save, "Write the study for another time"),
            (
                "close",
                "&Close",
                "Ctrl+W",
                self.close_wanted.emit,
                "A run is stopped; what it has done is kept",
            ),
        ):
            action = QAction(text, self, shortcut=QKeySequence(key), toolTip=tip)
            action.triggered.connect(slot)
            menu.addAction(action)
            self.actions_by_id[name] = action
        self.actions_by_id["retry"].setEnabled(False)
        self.actions_by_id["fields"].setCheckable(True)
        self.presets = self.bar.addMenu("&Presets")
        self.presets.setToolTipsVisible(True)
        self.presets.aboutToShow.connect(self._fill_presets)

    def _on_fields(self) -> None:
        self.fields_wanted.emit(self.actions_by_id["fields"].isChecked())

    def _beginnings(self) -> tuple[tuple[str, str, str, object, str], ...]:
        around = "Vary fields of the active scenario; what is varied now is forgotten"
        return (
            ("around", "Around the active sce&nario", "Ctrl+N", self.begin_wanted.emit, around),
            ("open", "&Open…", "Ctrl+O", self._ask_and_open, "Open a study document"),
            ("results", "Open &results…", "", self._ask_for_results, "Show what a run has left in a folder"),
        )

    def _fill_presets(self) -> None:
        self.presets.clear()
        for path in preset_paths().values():
            try:
                study = read_study(path)
            except InputError:
                continue  # a preset that is damaged is not offered; tests read all of them
            action = self.presets.addAction(without_mnemonic(study.name))
            action.setToolTip(tooltip("\n".join(filter(None, (study.source, study.description)))))
            action.triggered.connect(partial(self.open, path))
        if self.presets.isEmpty():
            self.presets.addAction("There are none").setEnabled(False)

    def open(self, path: str | Path) -> None:
        """Read a study of a file."""
        try:
            study = read_study(path)
        except InputError as error:
            self.failed.emit(error)
        else:
            self.set_original(Path(path) if is_original(path) else None)
            self.opened.emit(study)

    def set_original(self, path: Path | None) -> None:
        """Set which study that came with Slotscope is shown, None for one of the user's own."""
        self.original = path
        self.actions_by_id["save"].setText(SAVE if path is None else MAKE_COPY)
        self.original_changed.emit()

    def open_results(self, folder: Path) -> None:
        """Read the study of a folder of results."""
        try:
            study = read_results_study(folder)
        except InputError as error:
            self.failed.emit(error)
        else:
            self.set_original(None)
            self.results_opened.emit(study, folder)

    def _ask_and_open(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(self._window, "Open study", LAST_FOLDER.place(), STUDY_FILTER)
        if chosen:
            LAST_FOLDER.note(Path(chosen))
            self.open(chosen)

    def _ask_for_results(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self._window, "Open results", LAST_FOLDER.place())
        if chosen:
            self.open_results(Path(chosen))

    def _ask_and_save(self) -> None:
        if self.original is None:
            path = ask_where_to_save(self._window, "Save study", f"study{ENDING}", STUDY_FILTER)
        else:
            self.reported.emit(STAYS.format(self.original.name))
            path = ask_where_to_copy(self._window, self.original.name, STUDY_FILTER)
        if path is not None:
            self.save_wanted.emit(path)


def save_study(study: Study, path: Path, open_workload: Workload | None) -> None:
    """Write a study, beside it the policy files that it names, and the workload of the document it is around.

    One that came with Slotscope takes the workload files along that lie beside it.

    Raises
    ------
    InputError
        a file cannot be written
    """
    if study.folder and is_original(study.folder) and not is_original(path):
        for name in map(str, values_of(study, "workload.file") - {OPEN_WORKLOAD}):
            _copy(Path(study.folder, name), path.with_name(name))
    source = ("workload.file", OPEN_WORKLOAD)
    if source in study.base and open_workload is not None:
        beside = path.with_name(f"{path.name.partition('.')[0]}.workload.json")
        write_workload(open_workload, beside)
        others = (change for change in study.base if change != source)
        study = replace(study, base=(("workload.file", beside.name), *others))
    write_study(with_policies_beside(study, path.parent.absolute()), path)


def _copy(original: Path, copy: Path) -> None:
    """Copy a workload file that came with Slotscope; InputError where another file has its name."""
    data = read_bytes(original)
    if not copy.exists():
        replace_file(copy, data)
    elif read_bytes(copy) != data:
        raise InputError(f"the study needs a copy of {original.name}, but '{copy}' is another file; move it")
