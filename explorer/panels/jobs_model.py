"""The jobs as rows in the order of the active scenario: filtered, edited by the editor, moved by drops."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QMimeData, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QFont
from typing_extensions import override

from core.files.glossary import with_terms
from core.model.errors import InputError
from core.model.time_text import clock_text, duration_text, signed_duration
from core.model.visible_text import shared_letters, visible
from explorer.document.edited_fields import job_field
from explorer.panels.job_columns import (
    CHANGE,
    COLUMNS,
    END,
    NAME,
    PLACE,
    POOLS_ROLE,
    JobColumn,
    cell_help,
    forms_of,
    is_change,
    later_words,
    row_texts,
)
from explorer.panels.job_sorting import RowSorting, can_sort, sorted_names
from explorer.widgets.plain_labels import tooltip
from explorer.widgets.template_mime import TEMPLATES_MIME, dragged_templates

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from PySide6.QtGui import QColor

    from core.model.job import Job
    from core.model.workload import Workload
    from explorer.document.editor import Editor


LATE_FIELDS = ("name", "deadline")
MAX_FITTED = 200
"""Columns fit the names of so many rows."""
MIME_TYPE = "application/x-slotscope-jobs"
Role = Qt.ItemDataRole
Index = QModelIndex | QPersistentModelIndex


class JobsModel(QAbstractTableModel):
    """Rows are jobs by name; the order is a list of names, the filter picks from it.

    Attributes
    ----------
    order : every job's name, in order, filtered or not
    rows : the names of the jobs in the rows

    Signals
    -------
    refused : an edit broke a rule; the sentence to show
    dropped : rows were dropped: their names, and the whole new order
    templates_dropped : `DraggedTemplates` of the trace library, and their place in the workload
    """

    refused = Signal(str)
    dropped = Signal(tuple, tuple)
    templates_dropped = Signal(object, int)

    def __init__(self, editor: Editor) -> None:
        super().__init__()
        self._editor = editor
        self._workload: Workload = editor.document.workload
        self.order: tuple[str, ...] = tuple(self._workload.job_index)
        self._filter = ""
        self._forms = forms_of(self._workload)
        self._shared = shared_letters(self._workload.job_index)
        self.rows: list[str] = list(self.order)
        self._places: Sequence[int] = range(len(self.rows))  # of each row in the order
        self._texts: dict[str, tuple[str, ...]] = {}  # of rows that were in view, by job
        self._colour_of: Callable[[int], QColor] | None = None
        self._late: Mapping[str, float] = {}
        self._ends: Mapping[str, float] = {}
        self._changes: Mapping[str, float] = {}
        self._sorting: RowSorting | None = None
        self._late_where = ""
        self._late_look: dict[int, QFont | QColor] = {}
        self._inks: tuple[QColor, QColor] | None = None  # of later and of earlier

    # What it holds

    @property
    def is_filtered(self) -> bool:
        """Whether a filter is set."""
        return bool(self._filter)

    @property
    def is_sorted(self) -> bool:
        """Whether rows are sorted by another column than their place."""
        return self._sorting is not None

    @property
    def shows_order(self) -> bool:
        """Whether the rows are all jobs in their order, which dragging them changes."""
        return not (self.is_filtered or self.is_sorted)

    def is_needed(self, column: JobColumn) -> bool:
        """Whether a job has what a column shows."""
        if column.form == "changes":
            return bool(self._changes)
        return not column.form or column.form in self._forms

    @property
    def shown_names(self) -> tuple[str, ...]:
        """What the first rows call their jobs: all of them, or so many that a sample is enough."""
        return tuple(map(self._short, self.rows[:MAX_FITTED]))

    @property
    def widest_times(self) -> dict[int, str]:
        """The longest text of the columns of ends and changes, by column."""
        ends = [clock_text(each(self._ends.values())) for each in (min, max)] if self._ends else []
        changes = [signed_duration(each) for each in self._changes.values()]
        return {END: max(ends, key=len, default=""), CHANGE: max(changes, key=len, default="")}

    def job(self, row: int) -> Job:
        """Return the job in a row."""
        return self._workload.jobs[self.job_index(row)]

    def job_index(self, row: int) -> int:
        """Return the place in the workload of the job in a row."""
        return self._workload.job_index[self.rows[row]]

    def row_of(self, name: str | None) -> int:
        """Return the row of a job, -1 if it is not shown."""
        return self.rows.index(name) if name in self.rows else -1

    def order_with(self, names: Collection[str], row: int) -> tuple[str, ...]:
        """Return the whole order with these jobs put before the one in `row`."""
        return with_block_at(self.order, names, row)

    # What the panel changes

    def show(self, workload: Workload, order: Sequence[str], filter_text: str = "") -> None:
        """Show these jobs in this order; the selection stays with its jobs where they stay."""
        before = self.rows
        texts = {job.name: f"{job.name}\n{job.pool}".lower() for job in workload.jobs} if filter_text else {}
        rows = matching(order, texts, filter_text) if filter_text else list(order)
        if self._sorting is not None:
            rows = sorted_names(rows, workload, self._sorting, self._ends, self._changes)
        same = workload is self._workload or workload.job_index.keys() == self._workload.job_index.keys()
        if len(before) == len(rows) and same:
            self._show_reordered(workload, order, rows, filter_text)
            return
        renamed = len(before) == len(rows) and not (filter_text or self._filter)
        if renamed and len(workload.jobs) == len(self._workload.jobs):
            self._store(workload, order, rows, filter_text)
            self._everything_changed()
            return
        self.beginResetModel()
        self._store(workload, order, rows, filter_text)
        self.endResetModel()

    def _show_reordered(
        self, workload: Workload, order: Sequence[str], rows: list[str], filter_text: str
    ) -> None:
        if rows == self.rows:
            self._store(workload, order, rows, filter_text)
            self._everything_changed()
            return
        self.layoutAboutToBeChanged.emit()
        kept = self.persistentIndexList()
        names = [self.rows[index.row()] for index in kept]
        self._store(workload, order, rows, filter_text)
        wanted = set(names)
        row_of = {name: i for i, name in enumerate(rows) if name in wanted} if wanted else {}
        moved = [
            self.index(row_of[name], index.column()) if name in row_of else QModelIndex()
            for name, index in zip(names, kept, strict=True)
        ]
        self.changePersistentIndexList(kept, moved)
        self.layoutChanged.emit()

    def _store(self, workload: Workload, order: Sequence[str], rows: list[str], filter_text: str) -> None:
        if workload is not self._workload:
            self._texts.clear()
            self._forms = forms_of(workload)
            self._shared = shared_letters(workload.job_index)
        self._workload, self.order, self.rows, self._filter = workload, tuple(order), rows, filter_text
        self._places = range(len(rows))
        if filter_text or self.is_sorted:
            places = {name: place for place, name in enumerate(order)}
            self._places = [places[name] for name in rows]

    def set_colours(self, colour_of: Callable[[int], QColor]) -> None:
        """Take the colours of the jobs, by place in the workload, from a function."""
        self._colour_of = colour_of
        self._everything_changed()

    def set_inks(self, worse: QColor, better: QColor) -> None:
        """Take the colours of what is late, or later, and of what is earlier.

        So that colours are not needed, what is late is bold, and changes have signs.
        """
        bold = QFont()
        bold.setBold(True)
        self._late_look = {Role.ForegroundRole: worse, Role.FontRole: bold}
        self._inks = (worse, better)
        self._everything_changed()

    def set_late_jobs(self, late: Mapping[str, float], where: str) -> None:
        """Take the jobs that are late, with seconds, and the title of the scenario in which they are."""
        if (late, where) != (self._late, self._late_where):
            self._late, self._late_where = late, where
            self._everything_changed()

    def set_ends(self, ends: Mapping[str, float]) -> None:
        """Take when the jobs are done in the active scenario, in seconds, by name; what is missing runs."""
        if ends != self._ends:
            self._ends = ends
            self._everything_changed()

    def set_changes(self, changes: Mapping[str, float]) -> None:
        """Take how much later jobs are done than in the baseline, in seconds, by name; empty for none."""
        if changes != self._changes:
            self._changes = changes
            if self._sorting is not None and self._sorting.column == CHANGE and not changes:
                self.sort(PLACE)
            self._everything_changed()

    @override
    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort the rows by a column; by none, or by their places, they stand in the scenario's order."""
        is_descending = order is Qt.SortOrder.DescendingOrder
        self._sorting = RowSorting(column, is_descending) if can_sort(column) else None
        self.show(self._workload, self.order, self._filter)

    def _everything_changed(self) -> None:
        if self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, len(COLUMNS) - 1))

    # What views ask

    @override
    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        return 0 if parent.isValid() else len(self.rows)

    @override
    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        return 0 if parent.isValid() else len(COLUMNS)

    @override
    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = COLUMNS[section]
        if role == Role.DisplayRole:
            return column.title
        if role == Role.ToolTipRole:
            return tooltip(with_terms(column.title, column.help))
        if role == Role.TextAlignmentRole:
            return _alignment(column.is_number)
        if role == Role.InitialSortOrderRole and section == CHANGE:
            return Qt.SortOrder.DescendingOrder
        return None

    @override
    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        job, column = self.job(index.row()), COLUMNS[index.column()]
        if role == Role.DisplayRole:
            return self._text(index.row(), index.column())
        if role == Role.EditRole:
            return job_field(column.field_id).read(job) if column.field_id and column.is_of(job) else None
        if role == POOLS_ROLE:
            return list(self._workload.pools)
        if role == Role.ToolTipRole:
            return tooltip(self._help(job, column)) if column.field_id or index.column() == CHANGE else None
        if role == Role.TextAlignmentRole:
            return _alignment(column.is_number)
        if role == Role.DecorationRole and index.column() == PLACE:
            return self._colour(index.row())
        if role == Role.AccessibleTextRole:
            return f"{column.title} of {job.name}: {self._text(index.row(), index.column())}"
        if index.column() == CHANGE:
            return self._change_ink(job.name) if role == Role.ForegroundRole else None
        return self._late_look.get(role) if self._shows_late(job, column) else None

    def _change_ink(self, name: str) -> QColor | None:
        """Return the colour of a job's change, None where it is none worth a colour."""
        change = self._changes.get(name, 0.0)
        return self._inks[change < 0] if self._inks and is_change(change) else None

    def _text(self, row: int, column: int) -> str:
        if column == PLACE:
            return str(self._places[row] + 1)
        job = self.job(row)
        if column == END:
            end = self._ends.get(job.name)
            return clock_text(end) if end is not None else "–" if self._ends else "…"
        if column == CHANGE:
            return signed_duration(self._changes[job.name]) if job.name in self._changes else "–"
        texts = self._texts.get(job.name) or self._texts.setdefault(job.name, row_texts(job))
        text = texts[column]
        if column == NAME:
            return self._short(job.name)
        if not self._shows_late(job, COLUMNS[column]):
            return text
        return f"{text}, late by {duration_text(self._late[job.name])}"

    def _short(self, name: str) -> str:
        begin, ending = self._shared
        return visible(name[begin : len(name) - ending] or name)

    def _help(self, job: Job, column: JobColumn) -> str:
        if column is COLUMNS[CHANGE]:
            change = self._changes.get(job.name)
            return f"{job.name}: {'the baseline has no such job' if change is None else later_words(change)}"
        text = f"{job.name}: {cell_help(job, column)}"
        if not self._shows_late(job, column):
            return text
        return f"{text}, late by {duration_text(self._late[job.name])} under {self._late_where}"

    def _shows_late(self, job: Job, column: JobColumn) -> bool:
        """Whether a cell shows that its job misses its deadline."""
        return job.name in self._late and job.deadline is not None and column.field_id in LATE_FIELDS

    def _colour(self, row: int) -> QColor | None:
        return self._colour_of(self.job_index(row)) if self._colour_of else None

    @override
    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:
        column = COLUMNS[index.column()]
        if role != Role.EditRole or not column.field_id:
            return False
        try:
            self._editor.edit_job(self.job_index(index.row()), column.field_id, value)
        except InputError as error:
            self.refused.emit(str(error))
            return False
        self._editor.end_gesture()
        return True

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        flag = Qt.ItemFlag
        if not index.isValid():
            return flag.ItemIsDropEnabled if self.shows_order else flag.NoItemFlags
        flags = flag.ItemIsEnabled | flag.ItemIsSelectable | flag.ItemNeverHasChildren
        column = COLUMNS[index.column()]
        if column.field_id and column.is_of(self.job(index.row())):
            flags |= flag.ItemIsEditable
        return flags | flag.ItemIsDragEnabled if self.shows_order else flags

    # Dragging rows

    @override
    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction | Qt.DropAction.CopyAction

    @override
    def mimeTypes(self) -> list[str]:
        return [MIME_TYPE, TEMPLATES_MIME]

    @override
    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        rows = sorted({index.row() for index in indexes})
        data = QMimeData()
        data.setData(MIME_TYPE, json.dumps([self.rows[row] for row in rows]).encode())
        return data

    @override
    def dropMimeData(
        self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index
    ) -> bool:
        target = row if row >= 0 else parent.row() if parent.isValid() else len(self.rows)
        templates = dragged_templates(data)
        if templates is not None:
            place = self.job_index(target) if target < len(self.rows) else len(self._workload.jobs)
            self.templates_dropped.emit(templates, place)
        names = dragged_names(data, self._workload.job_index)
        if names and self.shows_order:
            self.dropped.emit(names, self.order_with(names, target))
        return False  # or the view would delete the dragged rows afterwards


def dragged_names(data: QMimeData, known: Collection[str]) -> tuple[str, ...]:
    """Return the names of dragged jobs; none if something else is dragged, or jobs of another document."""
    names = named_jobs(data)
    return names if all(name in known for name in names) else ()


def named_jobs(data: QMimeData) -> tuple[str, ...]:
    """Return the names of dragged jobs of any document; none if something else is dragged."""
    if not data.hasFormat(MIME_TYPE):
        return ()
    return tuple(json.loads(bytes(data.data(MIME_TYPE).data())))


def _alignment(is_number: bool) -> int:
    side = Qt.AlignmentFlag.AlignRight if is_number else Qt.AlignmentFlag.AlignLeft
    return int(side | Qt.AlignmentFlag.AlignVCenter)


def carried_over(order: Sequence[str], before: Sequence[str], after: Sequence[str]) -> tuple[str, ...]:
    """Return an order of the jobs `before` as one of the jobs `after`.

    If there are as many, names stand for their successors at the same place (a job was renamed). Else jobs
    that are gone leave and new ones follow at the end.
    """
    if len(before) == len(after):
        successor = dict(zip(before, after, strict=True))
        return completed([successor.get(name, name) for name in order], after)
    return completed(order, after)


def completed(order: Sequence[str], names: Collection[str]) -> tuple[str, ...]:
    """Return the order without unknown names and with those it lacks at the end."""
    if len(order) == len(names) and set(order).issuperset(names):
        return tuple(order)  # as nearly always
    known = set(names)
    return tuple(dict.fromkeys((*(name for name in order if name in known), *names)))


def with_block_at(order: Sequence[str], moved: Collection[str], row: int) -> tuple[str, ...]:
    """Return the order with some names, kept in their order, put before the one that is at `row` now."""
    chosen = set(moved)
    block = [name for name in order if name in chosen]
    before = [name for name in order[:row] if name not in chosen]
    after = [name for name in order[row:] if name not in chosen]
    return (*before, *block, *after)


def matching(order: Sequence[str], texts: Mapping[str, str], filter_text: str) -> list[str]:
    """Return the names whose text (in lower case) contains every word of the filter."""
    words = filter_text.lower().split()
    return [name for name in order if all(word in texts[name] for word in words)]
