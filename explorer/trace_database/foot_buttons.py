"""The buttons of the library's window: import, compare, add to the workload, and what the trash does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMenu, QMessageBox, QWidget

from core.model.number_text import grouped
from core.trace_database.template import jobs_text
from core.trace_database.trace_database import Library
from explorer.widgets.layouts import NO_MARGINS, push_button, row
from explorer.widgets.worker import Order, Worker

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtGui import QAction

    from explorer.trace_database.templates_table import TemplatesTable


class FootButtons(QWidget):
    """A row of buttons; the trash has buttons of its own."""

    def __init__(self) -> None:
        super().__init__()
        tip = "Import logs into the library; log files can be dropped, too"
        self.import_button = push_button("&Import", tip)
        menu = QMenu(self.import_button, toolTipsVisible=True)
        self.logs_action = _entry(menu, "&Logs…", "Each file as a log of its own")
        self.folder_action = _entry(menu, "A &folder of logs…", "All logs in a folder together")
        self.workload_action = _entry(menu, "The open &workload", "The jobs as they are in the window now")
        self.import_button.setMenu(menu)
        self.trash_button = push_button("&Trash", "Show the deleted jobs")
        self.trash_button.setCheckable(True)
        self.undo_button = push_button("&Undo delete", "Take back what was deleted last (Ctrl+Z)")
        self.restore_button = push_button("&Restore", "Take the selected jobs back from the trash")
        self.empty_button = push_button("&Empty trash…", "Forget the deleted jobs for ever")
        self.delete_button = push_button("&Delete", "Move the selected jobs to the trash (Delete)")
        self.compare_button = push_button("&Compare runs", "")
        tip = "Add the selected jobs to the workload (Enter); rows can be dragged there, too"
        self.add_button = push_button("&Add to workload", tip)
        tip = (
            "Show in the forecast when the selected jobs end if they come at the time cursor, and whom they "
            "delay; rows can be dropped on the forecast, too"
        )
        self.submit_button = push_button("&Submit now", tip)
        left = (self.import_button, self.trash_button, self.empty_button, self.undo_button)
        right = (
            self.restore_button,
            self.delete_button,
            self.compare_button,
            self.submit_button,
            self.add_button,
        )
        row(*left, None, *right, parent=self, margins=NO_MARGINS)
        self.enable(selected=0, runs=(2, 6), can_undo=False, trashed=0)

    def enable(self, *, selected: int, runs: tuple[int, int], can_undo: bool, trashed: int) -> None:
        """Offer what can be done with so many selected jobs; `runs` is how many can be compared."""
        in_trash = self.trash_button.isChecked()
        for button in (self.delete_button, self.submit_button, self.add_button):
            button.setVisible(not in_trash)
            button.setEnabled(selected > 0)
        for button in (self.restore_button, self.empty_button):
            button.setVisible(in_trash)
        self.restore_button.setEnabled(selected > 0)
        self.empty_button.setEnabled(trashed > 0)
        self.undo_button.setVisible(can_undo)
        self.compare_button.setEnabled(runs[0] <= selected <= runs[1])
        may_compare = self.compare_button.isEnabled()
        which = "the selected runs" if may_compare else f"{runs[0]} to {runs[1]} selected runs"
        self.compare_button.setToolTip(
            f"Show durations of map, shuffle and reduce of {which} side by side, and how far they are apart"
        )
        count = f" ({grouped(trashed)})" if trashed else ""
        self.trash_button.setText("&Back to the library" if in_trash else f"&Trash{count}")

    def ask_to_empty(self, trashed: int, empty: Callable[[], None]) -> None:
        """Ask whether the trash may be forgotten; `empty` is called if so."""
        box = QMessageBox(self.window())
        box.setObjectName("empty-trash")
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setWindowTitle("Slotscope")
        box.setText(f"Forget {jobs_text(trashed)} for ever?")
        box.setInformativeText("This cannot be undone. The logs that they came from can be imported again.")
        forget = box.addButton("&Forget", QMessageBox.ButtonRole.DestructiveRole)
        keep = box.addButton("&Keep", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(keep)
        box.setEscapeButton(keep)
        forget.clicked.connect(lambda: empty())
        box.open()


def _entry(menu: QMenu, text: str, help_text: str) -> QAction:
    action = menu.addAction(text)
    action.setToolTip(help_text)
    return action


class Trash(QObject):
    """Changes the library by the selection and the buttons.

    Signals
    -------
    changed : a sentence on what was changed
    failed : an exception to show
    """

    changed = Signal(str)
    failed = Signal(object)

    def __init__(self, library: Path, table: TemplatesTable, buttons: FootButtons, parent: QObject) -> None:
        super().__init__(parent)
        self._library, self._table, self._buttons = library, table, buttons
        self._deleted: list[tuple[int, ...]] = []
        self._worker = Worker(self, Order.QUEUE, finished=self.changed.emit, failed=self.failed)
        table.delete_wanted.connect(self.delete_selected)
        buttons.delete_button.clicked.connect(self.delete_selected)
        buttons.undo_button.clicked.connect(self.undo)
        buttons.restore_button.clicked.connect(self.restore_selected)

    @property
    def can_undo(self) -> bool:
        """Whether something was deleted here that can be taken back."""
        return bool(self._deleted)

    @property
    def is_shown(self) -> bool:
        """Whether the trash is shown and not the library."""
        return self._buttons.trash_button.isChecked()

    def delete_selected(self) -> None:
        """Throw the selected jobs into the trash."""
        ids = self._table.selected_ids()
        if ids and not self.is_shown:
            self._deleted.append(ids)
            self._change(lambda library: library.delete(ids), f"{jobs_text(len(ids))} moved to the trash")

    def undo(self) -> None:
        """Take back what was deleted last."""
        if self._deleted:
            self._restore(self._deleted.pop())

    def restore_selected(self) -> None:
        """Take the selected jobs back from the trash."""
        ids = self._table.selected_ids()
        if ids and self.is_shown:
            self._restore(ids)

    def _restore(self, ids: tuple[int, ...]) -> None:
        self._change(lambda library: library.restore(ids), f"{jobs_text(len(ids))} taken back")

    def ask_and_empty(self, trashed: int) -> None:
        """Forget so many jobs for ever, after a question."""
        if trashed:
            self._buttons.ask_to_empty(trashed, self._empty)

    def _empty(self) -> None:
        self._deleted.clear()
        self._change(Library.empty_trash, "The trash is empty")

    def _change(self, do: Callable[[Library], object], sentence: str) -> None:
        def change() -> str:
            with Library.open(self._library, create=False) as library:
                do(library)
            return sentence

        self._worker.start(change)
