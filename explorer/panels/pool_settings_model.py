"""The pools that sharing policies know, as rows: their names and settings are edited in place."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from core.model.errors import InputError
from explorer.document.fields import POOL_FIELDS
from explorer.document.workload_edits import pool_named
from explorer.widgets.plain_labels import tooltip

if TYPE_CHECKING:
    from explorer.document.editor import Editor

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
ROOT = QModelIndex()
NAME, JOBS, FIRST_FIELD = 0, 1, 2
OWN_COLUMNS = (
    ("Pool", "Name of the pool. Jobs carry it in their column Pool."),
    ("Jobs", "How many jobs belong to the pool."),
)


class PoolSettingsModel(QAbstractTableModel):
    """One row per pool of the workload.

    Signals
    -------
    refused : an edit broke a rule; the sentence to show
    """

    refused = Signal(str)

    def __init__(self, editor: Editor, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._editor, self._document = editor, editor.document
        self._names: tuple[str, ...] = ()
        self._jobs: Counter[str] = Counter()
        self.refresh()

    def refresh(self) -> None:
        """Show the pools as they are now."""
        names = self._document.workload.pools
        is_alike = len(names) == len(self._names)  # then a selection and an open editor stay
        if not is_alike:
            self.beginResetModel()
        self._names = names
        self._jobs = Counter(job.pool for job in self._document.workload.jobs)
        if not is_alike:
            self.endResetModel()
        else:
            self.dataChanged.emit(self.index(0, 0), self.index(len(names) - 1, self.columnCount() - 1))

    def name(self, row: int) -> str:
        """Return the pool of a row."""
        return self._names[row]

    def jobs(self, row: int) -> int:
        """Return how many jobs the pool of a row has."""
        return self._jobs[self._names[row]]

    def rowCount(self, parent: Index = ROOT) -> int:
        """Return how many pools there are."""
        return 0 if parent.isValid() else len(self._names)

    def columnCount(self, parent: Index = ROOT) -> int:
        """Return how many columns there are."""
        return 0 if parent.isValid() else FIRST_FIELD + len(POOL_FIELDS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:  # Any: by role
        """Name the columns."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if section < FIRST_FIELD:
            title, text = OWN_COLUMNS[section]
        else:
            title, text = POOL_FIELDS[section - FIRST_FIELD].title, POOL_FIELDS[section - FIRST_FIELD].help
        if role == Role.DisplayRole:
            return title
        return tooltip(text) if role == Role.ToolTipRole else None

    def data(self, index: Index, role: int = 0) -> Any:  # Any: by role
        """Return text, text to edit, tooltip, alignment and accessible text of a cell."""
        column = index.column()
        if role == Role.DisplayRole:
            return self._text(index.row(), column)
        if role == Role.EditRole:
            if column < FIRST_FIELD:
                return self._names[index.row()]
            return POOL_FIELDS[column - FIRST_FIELD].text(
                pool_named(self._document.workload, self._names[index.row()])
            )
        title = self.headerData(column, Qt.Orientation.Horizontal, Role.DisplayRole)
        if role == Role.ToolTipRole:
            return self.headerData(column, Qt.Orientation.Horizontal, Role.ToolTipRole)
        if role == Role.TextAlignmentRole and column != NAME:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role == Role.AccessibleTextRole:
            return f"{title} of {self._names[index.row()]}: {self._text(index.row(), column)}"
        return None

    def _text(self, row: int, column: int) -> str:
        if column == NAME:
            return self._names[row]
        if column == JOBS:
            return str(self.jobs(row))
        every = self._document.workload.every_pool[row]
        return POOL_FIELDS[column - FIRST_FIELD].shown(
            pool_named(self._document.workload, self._names[row]), every
        )

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Let everything but the number of jobs be edited."""
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags if index.column() == JOBS else flags | Qt.ItemFlag.ItemIsEditable

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:  # Any: text
        """Write what was typed as one undoable step; False, and a sentence, if it breaks a rule."""
        if role != Role.EditRole:
            return False
        name = self._names[index.row()]
        try:
            if index.column() == NAME:
                self._editor.rename_pool(name, str(value))
            else:
                self._editor.edit_pool(name, POOL_FIELDS[index.column() - FIRST_FIELD], str(value))
        except InputError as error:
            self.refused.emit(str(error))
            return False
        self._editor.end_gesture()
        return True
