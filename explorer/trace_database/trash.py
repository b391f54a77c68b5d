"""What people do with the library's trash: throw jobs in, take them back, empty it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.trace_database.template import jobs_text
from explorer.trace_database.library_work import delete, empty_trash, restore
from explorer.trace_database.serial_queue import SerialQueue

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from explorer.trace_database.foot_buttons import FootButtons
    from explorer.trace_database.templates_table import TemplatesTable


class Trash(QObject):
    """Changes the library as the selection and the buttons say.

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
        self._errands = SerialQueue(self)
        self._errands.done.connect(self.changed.emit)
        self._errands.failed.connect(self.failed)
        table.delete_wanted.connect(self.delete_selected)
        buttons.delete_button.clicked.connect(self.delete_selected)
        buttons.undo_button.clicked.connect(self.undo)
        buttons.restore_button.clicked.connect(self.restore_selected)

    @property
    def is_busy(self) -> bool:
        """Whether something is being changed."""
        return self._errands.is_busy

    @property
    def can_undo(self) -> bool:
        """Whether something was deleted here that can be taken back."""
        return bool(self._deleted)

    @property
    def is_shown(self) -> bool:
        """Whether people look at the trash and not at the library."""
        return self._buttons.trash_button.isChecked()

    def delete_selected(self) -> None:
        """Throw the selected jobs into the trash."""
        ids = self._table.selected_ids()
        if ids and not self.is_shown:
            self._deleted.append(ids)
            self._change(partial(delete, self._library, ids), f"{jobs_text(len(ids))} moved to the trash")

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
        self._change(partial(restore, self._library, ids), f"{jobs_text(len(ids))} taken back")

    def ask_and_empty(self, trashed: int) -> None:
        """Forget so many jobs for ever, if people mean it."""
        if trashed:
            self._buttons.ask_to_empty(trashed, self._empty)

    def _empty(self) -> None:
        self._deleted.clear()
        self._change(partial(empty_trash, self._library), "The trash is empty")

    def _change(self, function: Callable[[], object], sentence: str) -> None:
        def change() -> str:
            function()
            return sentence

        self._errands.do(change)
