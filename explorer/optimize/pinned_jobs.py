"""The jobs that a plan may not move, as a list to tick: its rows are looked up when they are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

Index = QModelIndex | QPersistentModelIndex
NO_INDEX = QModelIndex()
Checked, Unchecked = Qt.CheckState.Checked, Qt.CheckState.Unchecked


class PinnedJobs(QAbstractListModel):
    """Names of jobs, some of them ticked.

    Signals
    -------
    changed : the user ticked a job, or no longer
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.names: tuple[str, ...] = ()
        self.ticked: frozenset[str] = frozenset()

    def show(self, names: Sequence[str], ticked: Collection[str]) -> None:
        """Show other jobs, and which of them are ticked."""
        self.beginResetModel()
        self.names = tuple(names)
        self.ticked = frozenset(ticked).intersection(self.names)
        self.endResetModel()

    def tick(self, names: Collection[str], *, ticked: bool) -> None:
        """Tick some jobs, or no longer."""
        known = frozenset(names).intersection(self.names)
        self.ticked = self.ticked | known if ticked else self.ticked - known
        first, last = self.index(0), self.index(len(self.names) - 1)
        self.dataChanged.emit(first, last, [Qt.ItemDataRole.CheckStateRole])

    @override
    def rowCount(self, parent: Index = NO_INDEX) -> int:
        return 0 if parent.isValid() else len(self.names)

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        flag = Qt.ItemFlag
        return flag.ItemIsEnabled | flag.ItemIsUserCheckable | flag.ItemIsSelectable

    @override
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # of many types, by role
        name = self.names[index.row()]
        if role == Qt.ItemDataRole.CheckStateRole:
            return Checked if name in self.ticked else Unchecked
        return name if role == Qt.ItemDataRole.DisplayRole else None

    @override
    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole:
            return False
        self.tick([self.names[index.row()]], ticked=Qt.CheckState(value) is Checked)
        self.changed.emit()
        return True
