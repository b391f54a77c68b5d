"""Pools as rows that are edited in place: those that share slots, and those with slots of their own."""

from __future__ import annotations

from collections import Counter
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from typing_extensions import override

from core.files.glossary import with_terms
from core.model.errors import InputError
from core.model.task_types import KIND_WORDS
from core.model.time_text import clock_text
from explorer.document.edited_fields import POOL_FIELDS
from explorer.document.workload_edits import pool_named
from explorer.widgets.plain_labels import tooltip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.model.partition import Partition, SlotPool
    from explorer.document.editor import Editor, PoolEdits


Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
ROOT = QModelIndex()


class _PoolsModel(QAbstractTableModel):
    """One row per pool, with its name in the first column.

    Attributes
    ----------
    columns : title and help of each
    fixed : columns that cannot be edited

    Signals
    -------
    refused : an edit broke a rule; the sentence to show
    """

    refused = Signal(str)
    columns: tuple[tuple[str, str], ...] = ()
    fixed: tuple[int, ...]

    def name(self, row: int) -> str:
        """Return the pool of a row."""
        raise NotImplementedError

    def _text(self, row: int, column: int) -> str:
        """Return what a cell shows."""
        raise NotImplementedError

    def _typed(self, row: int, column: int) -> str | int:
        """Return what an editor of a cell begins with."""
        raise NotImplementedError

    def _tip(self, _row: int, column: int) -> str:
        return self.columns[column][1]

    def _write(self, row: int, column: int, value: Any) -> None:  # Any: by column
        raise NotImplementedError

    def _name_columns(self, *columns: tuple[str, str]) -> None:
        """Take titles and helps in the words of the jobs; there are always as many columns."""
        is_other, self.columns = self.columns not in ((), columns), columns
        if is_other:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(columns) - 1)

    @override
    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.columns)

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:  # Any: by role
        if orientation != Qt.Orientation.Horizontal:
            return None
        title, text = self.columns[section]
        if role == Role.DisplayRole:
            return title
        return tooltip(with_terms(title, text)) if role == Role.ToolTipRole else None

    @override
    def data(self, index: Index, role: int = 0) -> Any:  # Any: by role
        row, column = index.row(), index.column()
        if role == Role.DisplayRole:
            return self._text(row, column)
        if role == Role.EditRole:
            return self._typed(row, column)
        if role == Role.ToolTipRole:
            return tooltip(self._tip(row, column))
        if role == Role.TextAlignmentRole and column != NAME:
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        if role == Role.AccessibleTextRole:
            return f"{self.columns[column][0]} of {self.name(row)}: {self._text(row, column)}"
        return None

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags if index.column() in self.fixed else flags | Qt.ItemFlag.ItemIsEditable

    @override
    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:  # Any: by column
        if role != Role.EditRole:
            return False
        try:
            self._write(index.row(), index.column(), value)
        except InputError as error:
            self.refused.emit(str(error))
            return False
        return True

    def _all_changed(self) -> None:
        if self.rowCount():  # a selection and an open editor stay
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, len(self.columns) - 1))


NAME, JOB_COUNT, FIRST_FIELD = 0, 1, 2


class PoolSettingsModel(_PoolsModel):
    """The pools of the workload with their settings."""

    fixed = (JOB_COUNT,)

    def __init__(self, editor: Editor, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._editor, self._document = editor, editor.document
        self._names: tuple[str, ...] = ()
        self._jobs: Counter[str] = Counter()
        self.refresh()

    def refresh(self) -> None:
        """Show the pools as they are now."""
        workload = self._document.workload
        self._name_columns(
            ("Pool", "Name of the pool. Jobs carry it in their column Pool."),
            ("Jobs", "How many jobs belong to the pool."),
            *(field.words_for(workload) for field in POOL_FIELDS),
        )
        names = workload.pools
        is_alike = len(names) == len(self._names)
        if not is_alike:
            self.beginResetModel()
        self._names = names
        self._jobs = Counter(map(attrgetter("pool"), workload.jobs))
        if not is_alike:
            self.endResetModel()
        else:
            self._all_changed()

    @override
    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._names)

    @override
    def name(self, row: int) -> str:
        return self._names[row]

    @override
    def _typed(self, row: int, column: int) -> str:
        if column < FIRST_FIELD:
            return self._names[row]
        pool = pool_named(self._document.workload, self._names[row])
        return POOL_FIELDS[column - FIRST_FIELD].text(pool)

    @override
    def _text(self, row: int, column: int) -> str:
        if column < FIRST_FIELD:
            return self._names[row] if column == NAME else str(self._jobs[self._names[row]])
        workload = self._document.workload
        pool = pool_named(workload, self._names[row])
        return POOL_FIELDS[column - FIRST_FIELD].shown(pool, workload.every_pool[row])

    @override
    def _write(self, row: int, column: int, value: object) -> None:
        if column == NAME:
            self._editor.rename_pool(self._names[row], str(value))
        else:
            self._editor.edit_pool(self._names[row], POOL_FIELDS[column - FIRST_FIELD], str(value))
        self._editor.end_gesture()


MAPS, REDUCES, JOBS, END = range(1, 5)
MAX_NAMED = 20
"""A tooltip names so many jobs of a pool."""


class SlotPoolsModel(_PoolsModel):
    """The pools of a scenario that have slots of their own."""

    fixed = (JOBS, END)

    def __init__(self, edits: PoolEdits, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._edits = edits
        self._scenario_id = 0
        self._partition: Partition | None = None
        self._ends: Sequence[float] = ()
        self.name_types(KIND_WORDS)

    def name_types(self, words: tuple[str, str]) -> None:
        """Name the slots by what runs on them: "map" and "reduce"."""
        help_text = "Slots for {}s of its own. A neighbour gives or takes what changes."
        self._name_columns(
            ("Pool", "Name of the pool; every pool of a scenario has its own."),
            *((f"{word}s".capitalize(), help_text.format(word)) for word in words),
            ("Jobs", "How many jobs run in the pool. Drag jobs in the chart, or use the button below."),
            ("Done", "When the pool's last job ends, from the start of the workload."),
        )

    def show(self, scenario_id: int, partition: Partition | None, ends: Sequence[float]) -> None:
        """Show the pools of a scenario, with the time when each ends (none while that is not known)."""
        pools = () if partition is None else partition.pools
        names = [[pool.name for pool in each] for each in (pools, self.pools)]
        is_same = scenario_id == self._scenario_id or names[0] == names[1]
        is_alike = is_same and len(pools) == len(self.pools)
        if not is_alike:
            self.beginResetModel()
        self._scenario_id, self._partition, self._ends = scenario_id, partition, tuple(ends)
        if not is_alike:
            self.endResetModel()
        else:
            self._all_changed()

    @property
    def pools(self) -> tuple[SlotPool, ...]:
        """What is shown."""
        return self._partition.pools if self._partition is not None else ()

    @override
    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.pools)

    @override
    def name(self, row: int) -> str:
        return self.pools[row].name

    @override
    def _typed(self, row: int, column: int) -> str | int:
        pool = self.pools[row]
        return (pool.name, pool.map_slots, pool.reduce_slots, "", "")[column]

    @override
    def _tip(self, row: int, column: int) -> str:
        return _jobs_text(self.pools[row]) if column == JOBS else self.name(row)

    @override
    def _text(self, row: int, column: int) -> str:
        pool = self.pools[row]
        if column == END:
            has_end = row < len(self._ends) and bool(pool.jobs)
            return clock_text(self._ends[row]) if has_end else "–"
        return str((pool.name, pool.map_slots, pool.reduce_slots, len(pool.jobs))[column])

    @override
    def _write(self, row: int, column: int, value: Any) -> None:
        pool = self.pools[row]
        if column == NAME:
            self._edits.rename(self._scenario_id, row, str(value))
            return
        try:
            number = int(value)
        except ValueError:
            raise InputError(f"'{value}' is no number of slots; give a whole number, such as 10") from None
        slots = (number, pool.reduce_slots) if column == MAPS else (pool.map_slots, number)
        self._edits.resize(self._scenario_id, row, slots)


def _jobs_text(pool: SlotPool) -> str:
    """Name a pool's jobs, not all of them if they are many."""
    more = len(pool.jobs) - MAX_NAMED
    named = ", ".join(pool.jobs[:MAX_NAMED]) + (f" and {more} more" if more > 0 else "")
    return f"{pool.name}: {named or 'no jobs'}"
