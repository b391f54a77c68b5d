"""The table view of the jobs: its cells, the fields that edit them, and rows dragged with a live preview."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRegularExpression,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QRegularExpressionValidator
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QCompleter,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)
from typing_extensions import override

from core.model.limits import MAX_SECONDS, MAX_TASKS
from explorer.panels.job_columns import COLUMNS, NAME, POOLS_ROLE
from explorer.panels.jobs_model import dragged_names
from explorer.widgets.number_fields import CountField, NumberField
from explorer.widgets.plain_labels import say_at_pointer
from explorer.widgets.tables import EmptyText, RowTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QAbstractItemModel
    from PySide6.QtGui import (
        QDragEnterEvent,
        QDragLeaveEvent,
        QDragMoveEvent,
        QDropEvent,
        QFontMetrics,
        QKeyEvent,
        QMouseEvent,
    )

    from explorer.panels.jobs_model import JobsModel


CELL_AIR_PX, TIME_AIR_PX = 16, 11
MAX_NAME_PX, NAME_STEP_PX, WHOLE_NAME_PX = 160, 10, 80
"""The widest that names make their column, in which steps it grows, and what no name is cut below."""
SWATCH = QSize(12, 12)
LATE = "9999 s, late by 99.9 s"
SORTED = "Rows stand as they are sorted: click # to show and change the order"
FILTERED = "Only some rows are shown: clear the filter to change the order"
"""Why rows cannot be dragged."""
TYPICAL = {
    "name": "J000 00",
    "map_count": "00000",
    "pool": "default",
    "deadline": LATE,
    "service_levels": "300:1, 900:5",
} | {column.field_id: "mean 99.9 s" for column in COLUMNS if column.is_times}
"""Texts that a column has room for at first; the user can drag its edge."""


class JobsTable(RowTable):
    """Shows a `JobsModel`.

    Attributes
    ----------
    dragged : names of the jobs that are dragged, while an order is previewed

    Signals
    -------
    order_previewed : a drag hovers where dropping would give this order of all jobs
    preview_ended : the drag left, was cancelled or was dropped
    drag_toggled : rows are dragged, or no more
    """

    order_previewed = Signal(tuple)
    preview_ended = Signal()
    drag_toggled = Signal(bool)

    def __init__(self, model: JobsModel) -> None:
        super().__init__(model, "Jobs", edits=True)
        self._jobs = model
        self._previewed: tuple[str, ...] | None = None
        self.dragged: tuple[str, ...] = ()
        self._pressed_at = QPointF()
        self.setItemDelegate(JobDelegate(self))
        EmptyText(self, self._why_empty, 12, 12)
        self._behave()
        self._lay_out_columns()

    def _behave(self) -> None:
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        # a synthetic or foreign drop is ignored in mode InternalMove; the private type keeps others out
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setDragDropOverwriteMode(False)
        self.setDropIndicatorShown(True)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # names of logs differ at their ends
        self.setIconSize(SWATCH)

    def _lay_out_columns(self) -> None:
        columns = self.horizontalHeader()
        columns.setSortIndicatorClearable(True)
        columns.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)
        for i, column in enumerate(COLUMNS):
            letters = self.fontMetrics()
            typical = TYPICAL.get(column.field_id or column.title, "")
            widest = max(typical, column.title, key=letters.horizontalAdvance)
            self.setColumnWidth(i, letters.horizontalAdvance(widest) + CELL_AIR_PX)
        for changed in (self.model().modelReset, self.model().dataChanged, self.model().layoutChanged):
            changed.connect(self._show_needed)
        self._show_needed()
        self.model().modelReset.connect(self._fit_places)
        self._fit_places()
        self._fitted: dict[int, int] = {}
        self._named: tuple[str, ...] = ()
        for fit in (self._fit_times, self._fit_names):
            self.model().dataChanged.connect(fit)
            fit()
        self.model().modelReset.connect(self._fit_names)

    def _show_needed(self) -> None:
        """Show the columns that some job has: of maps and reduces, or of stages."""
        for i, column in enumerate(COLUMNS):
            if column.form:
                self.setColumnHidden(i, not self._jobs.is_needed(column))

    def _fit_places(self) -> None:
        """Give the first column room for its square and the place of the last job."""
        last = "0" * len(str(len(self._jobs.order)))
        needed = SWATCH.width() + self.fontMetrics().horizontalAdvance(last) + CELL_AIR_PX
        self.setColumnWidth(0, max(self.columnWidth(0), needed))

    def _fit_names(self) -> None:
        """Give names the room in which they differ though cut, unless the user has dragged an edge."""
        names, width = self._jobs.shown_names, self.columnWidth(NAME)
        if names == self._named or self._fitted.get(NAME, width) != width:
            return
        self._named, metrics = names, self.fontMetrics()
        widest = max(map(metrics.horizontalAdvance, names), default=0)
        least = max(metrics.horizontalAdvance(TYPICAL["name"]), min(widest, WHOLE_NAME_PX))
        rooms = range(least, min(widest, MAX_NAME_PX), NAME_STEP_PX)
        room = next((room for room in rooms if _differ(names, metrics, room)), max(least, rooms.stop))
        self.setColumnWidth(NAME, room + CELL_AIR_PX)
        self._fitted[NAME] = self.columnWidth(NAME)

    def _fit_times(self) -> None:
        """Give ends and changes the room that they need, unless the user has dragged an edge since."""
        for place, text in self._jobs.widest_times.items():
            width = self.columnWidth(place)
            if self.isColumnHidden(place) or self._fitted.get(place, width) != width:
                continue
            widest = max(text, COLUMNS[place].title, key=self.fontMetrics().horizontalAdvance)
            self.setColumnWidth(place, self.fontMetrics().horizontalAdvance(widest) + TIME_AIR_PX)
            self._fitted[place] = self.columnWidth(place)

    # Dragging

    @override
    def startDrag(self, actions: Qt.DropAction) -> None:
        self.drag_toggled.emit(True)
        super().startDrag(actions)
        self.drag_toggled.emit(False)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed_at = event.position()
        super().mousePressEvent(event)

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        far = (event.position() - self._pressed_at).manhattanLength() >= QApplication.startDragDistance()
        if far and event.buttons() & Qt.MouseButton.LeftButton and not self._jobs.shows_order:
            say_at_pointer(FILTERED if self._jobs.is_filtered else SORTED)

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        super().dragEnterEvent(event)
        self._preview(event)

    @override
    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        super().dragMoveEvent(event)
        self._preview(event)

    @override
    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        super().dragLeaveEvent(event)
        self._end_preview()

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        super().dropEvent(event)
        self._end_preview()

    def _preview(self, event: QDragMoveEvent) -> None:
        names = dragged_names(event.mimeData(), self._jobs.order)
        if not names or not self._jobs.shows_order:
            return
        order = self._jobs.order_with(names, self.row_at(event.position().toPoint()))
        if order != (self._previewed or self._jobs.order):
            self._previewed, self.dragged = order, names
            self.order_previewed.emit(order)

    def _end_preview(self) -> None:
        if self._previewed is not None:
            self._previewed = None
            self.preview_ended.emit()

    def row_at(self, position: QPoint) -> int:
        """Return the row before which a drop at this position goes, as the drop indicator shows it."""
        index = self.indexAt(position)
        if not index.isValid():
            return self._jobs.rowCount()
        below = position.y() > self.visualRect(index).center().y()
        return index.row() + 1 if below else index.row()

    def _why_empty(self) -> str:
        return "No job matches the filter." if self._jobs.is_filtered else "No jobs yet. Add one with Insert."


def _differ(names: Sequence[str], metrics: QFontMetrics, room: int) -> bool:
    """Whether names differ where they are cut to fit a room."""
    return len({metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, room) for name in names}) == len(names)


class PoolField(QComboBox):
    """Completes what is typed to the name of a pool, at any place in it.

    Signals:
        chosen: a pool was taken from the open list; nothing is left to type
    """

    chosen = Signal()

    def __init__(self, pools: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent, editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert, frame=False)
        self._is_list = False
        self.setAutoFillBackground(True)  # nothing of the cell shows through
        self.addItems(list(pools))
        completer = self.completer()
        assert completer is not None  # an editable list has one
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.activated.connect(self._on_activated)

    def selectAll(self) -> None:
        """Let what is typed replace the name."""
        line = self.lineEdit()
        assert line is not None  # it is editable
        line.selectAll()

    @override
    def showPopup(self) -> None:
        self._is_list = True
        super().showPopup()

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._is_list = False
        super().keyPressEvent(event)

    def _on_activated(self, _place: int) -> None:
        if self._is_list:
            self._is_list = False
            self.chosen.emit()


Index = QModelIndex | QPersistentModelIndex
NUMBER = r"\s*[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?\s*"
LIST_OF_TIMES = QRegularExpression(f"{NUMBER}([,;]{NUMBER})*")
OPTIONAL_NUMBER = QRegularExpression(f"({NUMBER})?")
MAX_VALUES_TYPED = 2000
"""Longer lists of durations are not unfolded into a line; typing replaces them."""

BEGINNING = "slotscope_beginning"
"""Property of an editor: what it showed at first; unchanged, it is not written back."""


class JobDelegate(QStyledItemDelegate):
    """Editors by column; a value is written only if the user changed it."""

    @override
    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        column = COLUMNS[index.column()]
        if column.field_id == "pool":
            editor: QWidget = self._pool_field(index, parent)
        else:
            editor = _field(column.field_id, column.is_times, parent)
        editor.setAccessibleName(column.title)
        editor.setAccessibleDescription(column.help)
        return editor

    def _pool_field(self, index: Index, parent: QWidget) -> PoolField:
        field = PoolField(index.data(POOLS_ROLE), parent)
        field.chosen.connect(partial(self._take, field))
        return field

    def _take(self, field: PoolField) -> None:
        """Write what was chosen at once."""
        self.commitData.emit(field)
        self.closeEditor.emit(field)

    @override
    def destroyEditor(self, editor: QWidget, index: Index) -> None:
        if isinstance(editor, PoolField):
            editor.chosen.disconnect()  # its list may still be open: what is chosen there comes too late
        super().destroyEditor(editor, index)

    @override
    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        super().updateEditorGeometry(editor, option, index)
        if isinstance(editor, PoolField) and editor.width() < editor.sizeHint().width():
            table = editor.parentWidget()
            most = editor.width() if table is None else table.width()
            width = min(editor.sizeHint().width(), most)
            left = min(editor.x(), most - width)
            editor.setGeometry(left, editor.y(), width, editor.height())

    @override
    def setEditorData(self, editor: QWidget, index: Index) -> None:
        value = index.data(Qt.ItemDataRole.EditRole)
        if isinstance(editor, CountField | NumberField):
            editor.setValue(value)
        elif isinstance(editor, PoolField):
            editor.setCurrentText(str(value))
        elif isinstance(editor, QLineEdit):
            _fill_line(editor, value)
        editor.setProperty(BEGINNING, _typed(editor))
        if isinstance(editor, QLineEdit | QAbstractSpinBox | PoolField):
            editor.selectAll()

    @override
    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        if isinstance(editor, QAbstractSpinBox):
            editor.interpretText()
        typed = _typed(editor)
        if typed != editor.property(BEGINNING):
            model.setData(index, typed, Qt.ItemDataRole.EditRole)


def _field(field_id: str, is_times: bool, parent: QWidget) -> QWidget:
    if field_id in ("map_count", "reduce_count"):
        return CountField(0, MAX_TASKS, "maps" if field_id == "map_count" else "reduces", parent)
    if field_id == "arrival":
        return NumberField(0, MAX_SECONDS, "s", parent)
    if field_id == "weight":
        return NumberField(0.001, MAX_SECONDS, "", parent)
    line = QLineEdit(parent, frame=False)
    if is_times:
        line.setValidator(QRegularExpressionValidator(LIST_OF_TIMES, line))
        line.setPlaceholderText("seconds: 4 or 4, 5, 6")
    elif field_id == "deadline":
        line.setValidator(QRegularExpressionValidator(OPTIONAL_NUMBER, line))
        line.setPlaceholderText("none")
    return line


def _fill_line(line: QLineEdit, value: Any) -> None:
    if isinstance(value, np.ndarray):
        if len(value) > MAX_VALUES_TYPED:
            line.setPlaceholderText(f"{len(value)} values; type to replace them")
            value = ""
        else:
            value = ", ".join(_shortest(float(item)) for item in value)
    elif isinstance(value, float):
        value = _shortest(value)
    line.setText("" if value is None else str(value))


def _shortest(number: float) -> str:
    """Write a number so that reading it gives the same one, whole ones without a point."""
    return str(int(number)) if math.isfinite(number) and number == int(number) else repr(number)


def _typed(editor: QWidget) -> Any:
    if isinstance(editor, PoolField):
        return editor.currentText()
    return editor.value() if isinstance(editor, CountField | NumberField) else editor.text()  # type: ignore[attr-defined]  # a line
