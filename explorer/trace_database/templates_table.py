"""The jobs that a search found as a table: texts read in pages, sorted by a click, rows dragged away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QMimeData, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QDrag
from PySide6.QtWidgets import QAbstractItemView
from typing_extensions import override

from core.model.errors import SlotscopeError
from core.model.number_text import grouped
from core.model.time_text import duration_text
from core.trace_database.template import Template, date_text
from explorer.widgets.tables import ROOT, Column, Index, ReadTable, RowsModel
from explorer.widgets.template_mime import TEMPLATES_MIME, pack_templates

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from pathlib import Path

    from PySide6.QtGui import QKeyEvent


PAGE = 200
"""Rows that are read together: a page takes a millisecond or two."""
MAX_PAGES = 50
MAX_KEPT = 2000
"""Selected rows that stay selected when another search finds them again."""
FLAGS = (
    Qt.ItemFlag.ItemIsEnabled
    | Qt.ItemFlag.ItemIsSelectable
    | Qt.ItemFlag.ItemIsDragEnabled
    | Qt.ItemFlag.ItemNeverHasChildren
)


def _column(
    title: str, text: Callable[[Template], str], help_text: str, key: str, typical: str
) -> Column[Template]:
    """Make a column; where the typical text begins with a digit, it stands to the right."""
    return Column(
        title,
        text,
        f"{help_text}. Click to sort by it.",
        is_number=typical[0].isdigit(),
        typical=typical,
        tip=lambda template: f"{title}: {text(template)}\n{help_text}",
        spoken=lambda template: f"{title} of {template.name}: {text(template)}",
        key=key,
    )


def _seconds(value: float | None) -> str:
    return "–" if value is None else duration_text(value)


COLUMNS: tuple[Column[Template], ...] = (
    _column("Job", lambda t: t.name, "The job's name in its log", "name", "job_201102100941_0026"),
    _column(
        "Title",
        lambda t: t.title,
        "What its user calls it, where the log says so",
        "title",
        "GridmixMonsterQuery.m",
    ),
    _column("User", lambda t: t.user, "Whose job it was", "user", "gridmixus"),
    _column(
        "Submitted",
        lambda t: date_text(t.submitted),
        "When it was submitted (UTC); a dash where its log has no dates",
        "submitted",
        "2011-02-10 09:41",
    ),
    _column("Maps", lambda t: grouped(t.maps), "Number of map tasks", "maps", "00,000"),
    _column("Reduces", lambda t: grouped(t.reduces), "Number of reduce tasks", "reduces", "00,000"),
    _column("Map", lambda t: _seconds(t.map_mean), "Duration of a map on average", "map-mean", "00 min 00 s"),
    _column(
        "Shuffle",
        lambda t: _seconds(t.shuffle_mean),
        "Duration of a typical shuffle, with its sort, on average",
        "shuffle-mean",
        "00 min 00 s",
    ),
    _column(
        "Reduce",
        lambda t: _seconds(t.reduce_mean),
        "Duration of a reduce phase on average",
        "reduce-mean",
        "00 min 00 s",
    ),
    _column(
        "Work",
        lambda t: duration_text(t.work),
        "Time of all tasks together, in slots: how long one slot would be busy with the job",
        "work",
        "00 min 00 s",
    ),
    _column("Log", lambda t: t.source, "The log it was imported from", "source", "trace_10m"),
)


class TemplatesModel(RowsModel[Template]):
    """Rows are ids; templates are read in pages when their rows are shown.

    Attributes
    ----------
    ids : the ids in the order of the rows

    Signals
    -------
    sort_wanted : a heading was clicked: what to sort by, and whether the largest comes first
    failed : a page could not be read; the error to show
    """

    sort_wanted = Signal(str, bool)
    failed = Signal(object)

    def __init__(self, library: Path, parent: QObject | None = None) -> None:
        super().__init__(COLUMNS, parent)
        self._library = library
        self.ids: Sequence[int] = ()
        self._read: Callable[[Sequence[int]], dict[int, Template]] = lambda _ids: {}
        self._pages: dict[int, dict[int, Template]] = {}

    def show(self, ids: Sequence[int], read: Callable[[Sequence[int]], dict[int, Template]]) -> None:
        """Show these jobs; `read` returns templates by id."""
        self._read = read
        self._pages.clear()
        if ids == self.ids:
            self.refresh()
            return
        self.beginResetModel()
        self.ids = ids
        self.endResetModel()

    @override
    def row(self, place: int) -> Template | None:
        """Return the template at a place; None if it is gone or cannot be read."""
        page = self._pages.get(place // PAGE)
        if page is None:
            page = self._page(place // PAGE)
        return page.get(self.ids[place])

    def _page(self, number: int) -> dict[int, Template]:
        if len(self._pages) >= MAX_PAGES:
            self._pages.pop(next(iter(self._pages)))
        try:
            page = self._read(self.ids[number * PAGE : (number + 1) * PAGE])
        except SlotscopeError as error:
            page = {}
            self.failed.emit(error)
        self._pages[number] = page
        return page

    # What views ask

    @override
    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.ids)

    @override
    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        # the library sorts, not the rows
        key = COLUMNS[column].key if column >= 0 else "id"
        self.sort_wanted.emit(key, column >= 0 and order == Qt.SortOrder.DescendingOrder)

    @override
    def flags(self, index: Index) -> Qt.ItemFlag:
        return FLAGS if index.isValid() else Qt.ItemFlag.NoItemFlags

    # Dragging rows

    @override
    def supportedDragActions(self) -> Qt.DropAction:
        return Qt.DropAction.CopyAction

    @override
    def mimeTypes(self) -> list[str]:
        return [TEMPLATES_MIME]

    @override
    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        rows = sorted({index.row() for index in indexes})
        return self.mime_data_of([self.ids[row] for row in rows])

    def mime_data_of(self, ids: Sequence[int]) -> QMimeData:
        """Pack jobs by id."""
        return pack_templates(self._library, ids)


class TemplatesTable(ReadTable):
    """Shows a `TemplatesModel`.

    Signals
    -------
    add_wanted : Enter or a double click: the selected jobs are wanted in the workload
    delete_wanted : Delete
    """

    add_wanted = Signal()
    delete_wanted = Signal()

    def __init__(self, model: TemplatesModel) -> None:
        super().__init__(model, "Jobs in the library")
        self._templates = model
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        header = self.horizontalHeader()
        # headings that follow the selection ask for every cell of a selected column while they are painted
        header.setSelectionModel(QItemSelectionModel(model, self))
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setSortIndicatorClearable(True)
        self.setSortingEnabled(True)
        self.doubleClicked.connect(lambda _index: self.add_wanted.emit())

    # Selection

    def selected_ids(self) -> tuple[int, ...]:
        """Return the ids of the selected rows, from top to bottom."""
        ids = self._templates.ids
        return tuple(ids[row] for first, last in self._selected_ranges() for row in range(first, last + 1))

    def selected_count(self) -> int:
        """Return how many rows are selected."""
        return sum(last - first + 1 for first, last in self._selected_ranges())

    def _selected_ranges(self) -> list[tuple[int, int]]:
        """Return first and last rows of what is selected: a call of Qt for each row takes long."""
        selection = self.selectionModel().selection()
        parts = [selection.at(i) for i in range(selection.count())]
        return sorted((part.top(), part.bottom()) for part in parts)

    def select_ids(self, ids: Collection[int]) -> None:
        """Select the rows of these jobs, as far as they are shown."""
        if not ids or len(ids) > MAX_KEPT:
            return
        wanted = set(ids)
        found = [self._templates.index(row, 0) for row, i in enumerate(self._templates.ids) if i in wanted]
        if not found:
            return
        selection = QItemSelection()
        for index in found:
            selection.select(index, index)
        flag = QItemSelectionModel.SelectionFlag
        self.selectionModel().setCurrentIndex(found[0], flag.NoUpdate)
        self.selectionModel().select(selection, flag.ClearAndSelect | flag.Rows)

    @override
    def startDrag(self, actions: Qt.DropAction) -> None:
        ids = self.selected_ids()
        if not ids:
            return
        drag = QDrag(self)
        drag.setMimeData(self._templates.mime_data_of(ids))
        drag.exec(actions, Qt.DropAction.CopyAction)

    # Events

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.add_wanted.emit()
        elif event.key() == Qt.Key.Key_Delete:
            self.delete_wanted.emit()
        else:
            super().keyPressEvent(event)
