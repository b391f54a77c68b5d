"""Pools as rows that are edited in place: those that share slots, and those with slots of their own."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from typing_extensions import override

from core.model.errors import InputError
from core.model.time_text import duration_text
from explorer.document.fields import POOL_FIELDS
from explorer.document.workload_edits import pool_named
from explorer.widgets.plain_labels import tooltip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.model.partition import Partition, SlotPool
    from explorer.document.editor import Editor, PoolEdits


Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
ROOT = QModelIndex()
POOL_NAME, JOB_COUNT, FIRST_FIELD = 0, 1, 2
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

    @override
    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._names)

    @override
    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else FIRST_FIELD + len(POOL_FIELDS)

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:  # Any: by role
        if orientation != Qt.Orientation.Horizontal:
            return None
        if section < FIRST_FIELD:
            title, text = OWN_COLUMNS[section]
        else:
            title, text = POOL_FIELDS[section - FIRST_FIELD].title, POOL_FIELDS[section - FIRST_FIELD].help
        if role == Role.DisplayRole:
            return title
        return tooltip(text) if role == Role.ToolTipRole else None

    @override
    def data(self, index: Index, role: int = 0) -> Any:  # Any: by role
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
        if role == Role.TextAlignmentRole and column != POOL_NAME:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role == Role.AccessibleTextRole:
            return f"{title} of {self._names[index.row()]}: {self._text(index.row(), column)}"
        return None

    def _text(self, row: int, column: int) -> str:
        if column == POOL_NAME:
            return self._names[row]
        if column == JOB_COUNT:
            return str(self.jobs(row))
        every = self._document.workload.every_pool[row]
        return POOL_FIELDS[column - FIRST_FIELD].shown(
            pool_named(self._document.workload, self._names[row]), every
        )

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags if index.column() == JOB_COUNT else flags | Qt.ItemFlag.ItemIsEditable

    @override
    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:  # Any: text
        if role != Role.EditRole:
            return False
        name = self._names[index.row()]
        try:
            if index.column() == POOL_NAME:
                self._editor.rename_pool(name, str(value))
            else:
                self._editor.edit_pool(name, POOL_FIELDS[index.column() - FIRST_FIELD], str(value))
        except InputError as error:
            self.refused.emit(str(error))
            return False
        self._editor.end_gesture()
        return True


NAME, MAPS, REDUCES, JOBS, END = range(5)
MOST_NAMED = 20
"""A tooltip names so many jobs of a pool."""


@dataclass(frozen=True, slots=True)
class SlotColumn:
    """A heading and what it means."""

    title: str
    help: str


SLOT_COLUMNS = (
    SlotColumn("Pool", "Name of the pool; every pool of a scenario has its own."),
    SlotColumn("Maps", "Map slots of its own. A neighbour gives or takes what changes."),
    SlotColumn("Reduces", "Reduce slots of its own. A neighbour gives or takes what changes."),
    SlotColumn("Jobs", "How many jobs run in the pool. Drag jobs in the chart, or use the button below."),
    SlotColumn("Done", "When the pool's last job ends, from the start of the workload."),
)


class SlotPoolsModel(QAbstractTableModel):
    """One row per pool.

    Signals
    -------
    refused : an edit broke a rule; the sentence to show
    """

    refused = Signal(str)

    def __init__(self, edits: PoolEdits, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._edits = edits
        self._scenario_id = 0
        self._partition: Partition | None = None
        self._ends: Sequence[float] = ()

    def show(self, scenario_id: int, partition: Partition | None, ends: Sequence[float]) -> None:
        """Show the pools of a scenario, with the time when each ends (none while that is not known)."""
        pools = () if partition is None else partition.pools
        is_alike = scenario_id == self._scenario_id and len(pools) == len(self.pools)
        if not is_alike:
            self.beginResetModel()
        self._scenario_id, self._partition, self._ends = scenario_id, partition, tuple(ends)
        if not is_alike:
            self.endResetModel()
        elif self.rowCount():  # a selection and an open editor stay
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, len(SLOT_COLUMNS) - 1))

    @property
    def pools(self) -> tuple[SlotPool, ...]:
        """What is shown."""
        return self._partition.pools if self._partition is not None else ()

    @override
    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.pools)

    @override
    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(SLOT_COLUMNS)

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:  # Any: by role
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Role.DisplayRole:
            return SLOT_COLUMNS[section].title
        return tooltip(SLOT_COLUMNS[section].help) if role == Role.ToolTipRole else None

    @override
    def data(self, index: Index, role: int = 0) -> Any:  # Any: by role
        pool, column = self.pools[index.row()], index.column()
        if role == Role.DisplayRole:
            return self._text(index.row(), column)
        if role == Role.EditRole:
            return (pool.name, pool.map_slots, pool.reduce_slots)[column] if column <= REDUCES else None
        if role == Role.ToolTipRole:
            return tooltip(_jobs_text(pool) if column == JOBS else pool.name)
        if role == Role.TextAlignmentRole and column != NAME:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role == Role.AccessibleTextRole:
            return f"{SLOT_COLUMNS[column].title} of {pool.name}: {self._text(index.row(), column)}"
        return None

    def _text(self, row: int, column: int) -> str:
        pool = self.pools[row]
        if column == END:
            has_end = row < len(self._ends) and bool(pool.jobs)
            return duration_text(self._ends[row]) if has_end else "–"
        return str((pool.name, pool.map_slots, pool.reduce_slots, len(pool.jobs))[column])

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsEditable if index.column() <= REDUCES else flags

    @override
    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:  # Any: by column
        pool, column = self.pools[index.row()], index.column()
        if role != Role.EditRole:
            return False
        try:
            if column == NAME:
                self._edits.rename(self._scenario_id, index.row(), str(value))
            else:
                slots = (int(value), pool.reduce_slots) if column == MAPS else (pool.map_slots, int(value))
                self._edits.resize(self._scenario_id, index.row(), slots)
        except InputError as error:
            self.refused.emit(str(error))
            return False
        return True


def _jobs_text(pool: SlotPool) -> str:
    """Name a pool's jobs, not all of them if they are many."""
    more = len(pool.jobs) - MOST_NAMED
    named = ", ".join(pool.jobs[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
    return f"{pool.name}: {named or 'no jobs'}"
