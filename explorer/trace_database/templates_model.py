"""The jobs that a search found as rows: ids at once, their texts in pages as the table shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from core.model.errors import SlotscopeError
from core.model.time_text import duration_text
from core.trace_database.template import Template, date_text
from explorer.widgets.plain_labels import tooltip
from explorer.widgets.template_mime import TEMPLATES_MIME, pack_templates

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from core.trace_database.search import SortKey


PAGE = 200
"""Rows that are read together: a page takes a millisecond or two."""
MOST_PAGES = 50
Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
Role = Qt.ItemDataRole
CENTRED = Qt.AlignmentFlag.AlignVCenter

# views ask for these hundreds of times while they paint
TEXT_ROLES = frozenset((Role.DisplayRole, Role.ToolTipRole, Role.AccessibleTextRole))
FLAGS = (
    Qt.ItemFlag.ItemIsEnabled
    | Qt.ItemFlag.ItemIsSelectable
    | Qt.ItemFlag.ItemIsDragEnabled
    | Qt.ItemFlag.ItemNeverHasChildren
)


@dataclass(frozen=True)
class Column:
    """One column.

    Attributes
    ----------
    title, help : heading, and a sentence for its tooltip
    key : what the library sorts by
    text : of a template's cell
    typical : a text that it has room for at first
    is_number : whether it is set to the right and sorted from the largest first
    """

    title: str
    help: str
    key: SortKey
    text: Callable[[Template], str]
    typical: str
    is_number: bool = False


def _seconds(value: float | None) -> str:
    return "–" if value is None else duration_text(value)


COLUMNS: tuple[Column, ...] = (
    Column("Job", "The job's name in its log", "name", lambda t: t.name, "job_201102100941_0026"),
    Column(
        "Title",
        "What its user calls it, where the log says so",
        "title",
        lambda t: t.title,
        "GridmixMonsterQuery.m",
    ),
    Column("User", "Whose job it was", "user", lambda t: t.user, "gridmixus"),
    Column(
        "Submitted",
        "When it was submitted (UTC); a dash where its log has no dates",
        "submitted",
        lambda t: date_text(t.submitted),
        "2011-02-10 09:41",
        True,
    ),
    Column("Maps", "Number of map tasks", "maps", lambda t: f"{t.maps:,}", "00,000", True),
    Column("Reduces", "Number of reduce tasks", "reduces", lambda t: f"{t.reduces:,}", "00,000", True),
    Column(
        "Map", "Duration of a map on average", "map-mean", lambda t: _seconds(t.map_mean), "00 min 00 s", True
    ),
    Column(
        "Shuffle",
        "Duration of a typical shuffle, with its sort, on average",
        "shuffle-mean",
        lambda t: _seconds(t.shuffle_mean),
        "00 min 00 s",
        True,
    ),
    Column(
        "Reduce",
        "Duration of a reduce phase on average",
        "reduce-mean",
        lambda t: _seconds(t.reduce_mean),
        "00 min 00 s",
        True,
    ),
    Column(
        "Work",
        "Time of all tasks together, in slots: how long one slot would be busy with the job",
        "work",
        lambda t: duration_text(t.work),
        "00 min 00 s",
        True,
    ),
    Column("Log", "The log it was imported from", "source", lambda t: t.source, "trace_10m"),
)
ALIGNMENTS = tuple(
    int((Qt.AlignmentFlag.AlignRight if column.is_number else Qt.AlignmentFlag.AlignLeft) | CENTRED)
    for column in COLUMNS
)


class TemplatesModel(QAbstractTableModel):
    """Rows are ids; templates are read when somebody looks.

    Signals
    -------
    sort_wanted : a heading was clicked: what to sort by, and whether the largest comes first
    failed : a page could not be read; the error to show
    """

    sort_wanted = Signal(str, bool)
    failed = Signal(object)

    def __init__(self, library: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._library = library
        self._ids: Sequence[int] = ()
        self._read: Callable[[Sequence[int]], dict[int, Template]] = lambda _ids: {}
        self._pages: dict[int, dict[int, Template]] = {}

    def show(self, ids: Sequence[int], read: Callable[[Sequence[int]], dict[int, Template]]) -> None:
        """Show these jobs; `read` returns templates by id."""
        self._read = read
        self._pages.clear()
        if ids == self._ids:
            if ids:
                self.dataChanged.emit(self.index(0, 0), self.index(len(ids) - 1, len(COLUMNS) - 1))
            return
        self.beginResetModel()
        self._ids = ids
        self.endResetModel()

    @property
    def ids(self) -> Sequence[int]:
        """The ids in the order of the rows."""
        return self._ids

    def template(self, row: int) -> Template | None:
        """Return the template in a row; None if it is gone or cannot be read."""
        page = self._pages.get(row // PAGE)
        if page is None:
            page = self._page(row // PAGE)
        return page.get(self._ids[row])

    def _page(self, number: int) -> dict[int, Template]:
        if len(self._pages) >= MOST_PAGES:
            self._pages.pop(next(iter(self._pages)))
        try:
            page = self._read(self._ids[number * PAGE : (number + 1) * PAGE])
        except SlotscopeError as error:
            page = {}
            self.failed.emit(error)
        self._pages[number] = page
        return page

    # What views ask

    def rowCount(self, parent: Index = ROOT) -> int:
        """Return the number of jobs found."""
        return 0 if parent.isValid() else len(self._ids)

    def columnCount(self, parent: Index = ROOT) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        """Return the heading of a column and its help."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = COLUMNS[section]
        if role == Role.DisplayRole:
            return column.title
        if role == Role.ToolTipRole:
            return tooltip(f"{column.help}. Click to sort by it.")
        return ALIGNMENTS[section] if role == Role.TextAlignmentRole else None

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """Return text, tooltip and accessible text of a cell."""
        if role == Role.TextAlignmentRole:
            return ALIGNMENTS[index.column()]
        if role not in TEXT_ROLES:
            return None
        template = self.template(index.row())
        if template is None:
            return None
        column = COLUMNS[index.column()]
        text = column.text(template)
        if role == Role.DisplayRole:
            return text
        if role == Role.AccessibleTextRole:
            return f"{column.title} of {template.name}: {text}"
        return tooltip(f"{column.title}: {text}\n{column.help}")

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Ask for another order; the library sorts, not the rows."""
        key: SortKey = COLUMNS[column].key if column >= 0 else "id"
        self.sort_wanted.emit(key, column >= 0 and order == Qt.SortOrder.DescendingOrder)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Let rows be selected and dragged away."""
        return FLAGS if index.isValid() else Qt.ItemFlag.NoItemFlags

    # Dragging rows

    def supportedDragActions(self) -> Qt.DropAction:
        """Rows are copied into a workload and stay in the library."""
        return Qt.DropAction.CopyAction

    def mimeTypes(self) -> list[str]:
        """Return our private type."""
        return [TEMPLATES_MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """Pack the dragged jobs, from top to bottom."""
        rows = sorted({index.row() for index in indexes})
        return self.mime_data_of([self._ids[row] for row in rows])

    def mime_data_of(self, ids: Sequence[int]) -> QMimeData:
        """Pack jobs by id."""
        return pack_templates(self._library, ids)
