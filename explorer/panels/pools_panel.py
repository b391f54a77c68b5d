"""The panel of pools with its two tables: slots of their own in the active scenario, and shared slots."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QAction, QPainter, QPalette, QPen
from PySide6.QtWidgets import (
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTabWidget,
    QWidget,
)
from typing_extensions import override

from core.model.errors import InputError
from core.model.limits import MAX_SLOTS
from explorer.panels.jobs_model import MIME_TYPE, named_jobs
from explorer.panels.keys import FocusKeys
from explorer.widgets.layouts import column, row, tool_button
from explorer.widgets.number_fields import CountField
from explorer.widgets.plain_labels import PlainLabel, say_at_pointer
from explorer.widgets.tables import EmptyText, RowTable
from explorer.widgets.theme import icon

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtCore import QAbstractTableModel
    from PySide6.QtGui import (
        QDragEnterEvent,
        QDragLeaveEvent,
        QDragMoveEvent,
        QDropEvent,
        QPaintEvent,
        QShowEvent,
    )

    from explorer.document.editor import Editor, PoolEdits
    from explorer.document.view_state import ViewState


NO_POOLS = "All jobs share all slots here. Add a pool to give some of them slots of their own."
SHARING_HELP = (
    "Read by policies that share slots between pools, such as Fair and Capacity. "
    "Drop jobs of the list on a pool."
)
SLOTS_HELP = (
    "Each job runs on the slots of its pool only, in the pool's own order. Drop jobs of the list on a pool."
)


SLOTS_TAB, SHARING_TAB = 0, 1


class PoolsPanel(QWidget):
    """Two tables with their actions; edits go through `PoolEdits` and the editor.

    Signals
    -------
    refused : an edit broke a rule; the sentence to show
    search_wanted : the user wants to see what a search for balanced pools tries
    """

    refused = Signal(str)
    search_wanted = Signal()

    def __init__(
        self, editor: Editor, view_state: ViewState, edits: PoolEdits, parent: QWidget | None = None
    ) -> None:
        from explorer.panels.pool_models import PoolSettingsModel, SlotPoolsModel

        super().__init__(parent)
        self._editor, self._document = editor, editor.document
        self._view_state, self._edits = view_state, edits
        self._ends: dict[int, Sequence[float]] = {}
        self.slot_model = SlotPoolsModel(edits, self)
        self.settings_model = PoolSettingsModel(editor, self)
        self.slot_table = PoolTable(self.slot_model, "Pools with slots of their own")
        self.slot_table.empty_text = NO_POOLS
        self.settings_table = PoolTable(self.settings_model, "Settings of pools")
        self._make_actions()
        self._lay_out()
        self._connect()
        self.refresh()

    # Building

    def _make_actions(self) -> None:
        keys = FocusKeys(self, self.slot_table.is_free)
        keys.watch(self.slot_table)
        self.add_action = self._action(self.slot_table, "Add", "Give jobs slots of their own", self.add)
        self.remove_action = self._action(
            self.slot_table, "Remove", "A neighbour gets the pool's slots and jobs", self.remove
        )
        self.move_action = self._action(
            self.slot_table, "Put job here", "Put the selected job at the end of this pool", self.move_job
        )
        self.search_action = self._action(
            self.slot_table,
            "Search…",
            "Show how the makespan changes with splits of the jobs and sizes of two pools",
            self.search_wanted.emit,
        )
        keys.add("Insert", self.add_action)
        keys.add("Delete", self.remove_action)
        self.move_action.setIcon(icon("right"))
        self.search_action.setIcon(icon("optimise"))
        keys = FocusKeys(self, self.settings_table.is_free)
        keys.watch(self.settings_table)
        table = self.settings_table
        self.add_settings_action = self._action(
            table, "Add", "Add a pool without jobs", partial(self._try, self._editor.add_pool)
        )
        self.remove_settings_action = self._action(
            table, "Remove", "Remove a pool without jobs; forget the settings of others", self.remove_settings
        )
        keys.add("Insert", self.add_settings_action)
        keys.add("Delete", self.remove_settings_action)
        for adds, removes in (
            (self.add_action, self.remove_action),
            (self.add_settings_action, self.remove_settings_action),
        ):
            adds.setIcon(icon("add"))
            removes.setIcon(icon("delete"))

    def _action(self, table: PoolTable, text: str, help_text: str, slot: Callable[[], object]) -> QAction:
        action = QAction(text, self, toolTip=help_text)
        action.triggered.connect(lambda: slot())
        table.addAction(action)
        return action

    def _lay_out(self) -> None:
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.setElideMode(Qt.TextElideMode.ElideNone)
        self.tabs.setUsesScrollButtons(False)
        own = (self.add_action, self.remove_action, self.move_action, self.search_action)
        self.tabs.addTab(self._page(self.slot_table, SLOTS_HELP, own), "Own slots")
        shared = (self.add_settings_action, self.remove_settings_action)
        self.tabs.addTab(self._page(self.settings_table, SHARING_HELP, shared), "Sharing")
        column(self.tabs, parent=self, margins=(6, 6, 6, 6))

    def _page(self, table: PoolTable, help_text: str, actions: Sequence[QAction]) -> QWidget:
        page, label = QWidget(), PlainLabel(help_text, wraps=True)
        label.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        buttons = row(*map(tool_button, actions), None, spacing=4)
        column(label, buttons, (table, 1), parent=page, margins=(0, 6, 0, 0))
        return page

    def _connect(self) -> None:
        document, state = self._document, self._view_state
        for model in (self.slot_model, self.settings_model):
            model.refused.connect(self.refused)
        for signal in (document.scenario_changed, document.cluster_changed, document.scenarios_changed):
            signal.connect(self._refresh_slots)
        for signal in (document.workload_changed, document.reset):
            signal.connect(self.refresh)
        state.active_scenario_changed.connect(self._on_activated)
        state.selected_job_changed.connect(self._enable_actions)
        self.slot_table.jobs_dropped.connect(self._on_jobs_dropped)
        self.settings_table.jobs_dropped.connect(self._on_jobs_shared)
        for table in (self.slot_table, self.settings_table):
            table.selectionModel().selectionChanged.connect(self._enable_actions)

    # Showing

    def set_ends(self, scenario_id: int, ends: Sequence[float]) -> None:
        """Take the times when a scenario's pools end; its pools may be others now, too."""
        self._ends[scenario_id] = ends
        self._refresh_slots()

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh_slots()
        self._open_tab()

    def _open_tab(self) -> None:
        """Open the tab that holds the pools: slots of their own if the active scenario has such pools."""
        shares = len(self._document.workload.pools) > 1 or bool(self._document.workload.pool_settings)
        self.tabs.setCurrentIndex(SHARING_TAB if shares and not self.slot_model.pools else SLOTS_TAB)

    def _on_activated(self) -> None:
        self._refresh_slots()
        self._open_tab()

    def refresh(self) -> None:
        """Show everything as it is now."""
        self.settings_model.refresh()
        self.slot_model.name_types(self._document.workload.type_words)
        self._refresh_slots()

    def _refresh_slots(self) -> None:
        active = self._view_state.active_scenario
        if not self.isVisible() or not self._document.has_scenario(active):
            return  # it is shown later, or another one becomes active in a moment
        self.slot_model.show(active, self._edits.pools(active), self._ends.get(active, ()))
        self._enable_actions()

    def _enable_actions(self) -> None:
        place, job = self.slot_table.row(), self._view_state.selected_job
        pools = self.slot_model.pools
        self.remove_action.setEnabled(place >= 0 and len(pools) > 1)
        self.move_action.setEnabled(place >= 0 and job is not None and job not in pools[place].jobs)
        self.remove_settings_action.setEnabled(self.settings_table.row() >= 0)

    # Doing

    def add(self) -> None:
        """Add a pool to the active scenario."""
        self._try(lambda: self._edits.add(self._view_state.active_scenario))
        self.slot_table.select(self.slot_model.rowCount() - 1)

    def remove(self) -> None:
        """Remove the selected pool."""
        row = self.slot_table.row()
        self._try(lambda: self._edits.remove(self._view_state.active_scenario, row))
        self.slot_table.select(min(row, self.slot_model.rowCount() - 1))

    def move_job(self) -> None:
        """Put the selected job into the selected pool."""
        job, row = self._view_state.selected_job, self.slot_table.row()
        if job is not None:
            self._try(lambda: self._edits.move_jobs(self._view_state.active_scenario, [job], row))

    def _on_jobs_dropped(self, names: tuple[str, ...], row: int) -> None:
        """Put jobs of the jobs panel into a pool with slots of its own."""
        if all(name in self._document.workload.job_index for name in names):
            self._try(
                lambda: self._edits.move_jobs(self._view_state.active_scenario, names, row), is_drop=True
            )

    def _on_jobs_shared(self, names: tuple[str, ...], row: int) -> None:
        """Let jobs of the jobs panel belong to a pool that shares the slots."""
        if all(name in self._document.workload.job_index for name in names):
            self._try(lambda: self._editor.move_to_pool(names, self.settings_model.name(row)), is_drop=True)

    def remove_settings(self) -> None:
        """Remove the selected pool of the other table, or what is set for it."""
        name = self.settings_model.name(self.settings_table.row())
        self._try(lambda: self._editor.remove_pool(name))

    def _try(self, edit: Callable[[], object], *, is_drop: bool = False) -> None:
        try:
            edit()
        except InputError as error:
            self.refused.emit(str(error))
            if is_drop:
                say_at_pointer(str(error))


Index = QModelIndex | QPersistentModelIndex
CELL_AIR = 14
TYPICAL = {"Pool": "Small jobs", "Done": "0 h 00 min"}
"""Texts that columns have room for, by title; the others hold numbers of three digits."""


class PoolDelegate(QStyledItemDelegate):
    """A spin box where the model gives a whole number to edit, a line of text elsewhere."""

    @override
    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        title = str(index.model().headerData(index.column(), Qt.Orientation.Horizontal))
        is_count = isinstance(index.data(Qt.ItemDataRole.EditRole), int)
        editor = CountField(0, MAX_SLOTS, parent=parent) if is_count else QLineEdit(parent)
        editor.setAccessibleName(title)
        return editor

    @override
    def setEditorData(self, editor: QWidget, index: Index) -> None:
        value = index.data(Qt.ItemDataRole.EditRole)
        if isinstance(editor, CountField):
            editor.setValue(int(value))
            editor.selectAll()
        elif isinstance(editor, QLineEdit):
            editor.setText(str(value))
            editor.selectAll()


class PoolTable(RowTable):
    """A table of pools; jobs of the jobs panel can be dropped on its rows.

    Attributes
    ----------
    empty_text : what is said where there is no row

    Signals
    -------
    jobs_dropped : names of jobs, and the row that they were dropped on
    """

    empty_text = ""
    jobs_dropped = Signal(tuple, int)
    _is_inviting = False

    def __init__(self, model: QAbstractTableModel, name: str) -> None:
        super().__init__(model, name, edits=True)
        self.setItemDelegate(PoolDelegate(self))
        EmptyText(self, lambda: self.empty_text)
        self.setAcceptDrops(True)
        self._drop_row = -1
        self._fit_headings()
        model.headerDataChanged.connect(self._fit_headings)

    def _fit_headings(self) -> None:
        """Give columns room for their headings, which are other words for other jobs, and what is typical."""
        letters = self.fontMetrics()
        for place in range(self.model().columnCount()):
            title = str(self.model().headerData(place, Qt.Orientation.Horizontal))
            typical = TYPICAL.get(title, "000")
            widest = max(letters.horizontalAdvance(text) for text in (title, typical))
            self.setColumnWidth(place, widest + CELL_AIR)

    def row(self) -> int:
        """Return the selected row, or -1."""
        rows = self.selectionModel().selectedRows()
        return rows[0].row() if rows else -1

    def select(self, row: int) -> None:
        """Select a row; -1 for none."""
        self.selectRow(row) if row >= 0 else self.clearSelection()

    # Taking jobs

    @override
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self._hover(event)

    @override
    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self._hover(event)

    def _hover(self, event: QDragMoveEvent) -> None:
        is_jobs = event.mimeData().hasFormat(MIME_TYPE)
        self._show_drop(self.rowAt(round(event.position().y())) if is_jobs else -1)
        if is_jobs:
            event.acceptProposedAction()
        else:
            event.ignore()

    @override
    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._show_drop(-1)

    @override
    def dropEvent(self, event: QDropEvent) -> None:
        row = self.rowAt(round(event.position().y()))
        self._show_drop(-1)
        names = named_jobs(event.mimeData())
        if row >= 0 and names:
            event.acceptProposedAction()
            self.jobs_dropped.emit(names, row)
        else:
            event.ignore()

    def invite(self, is_inviting: bool) -> None:
        """Light up as a place for jobs that are dragged, or no more."""
        self._is_inviting = is_inviting
        self.viewport().update()

    def _paint_invitation(self, painter: QPainter) -> None:
        """Draw an edge around all rows."""
        rows = self.visualRect(self.model().index(0, 0))
        rows = rows.united(self.visualRect(self.model().index(self.model().rowCount() - 1, 0)))
        rows = QRect(0, rows.top(), self.viewport().width(), rows.height()).adjusted(1, 1, -1, -1)
        painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Link), 2, Qt.PenStyle.DashLine))
        painter.drawRect(rows)

    def _show_drop(self, row: int) -> None:
        if row != self._drop_row:
            self._drop_row = row
            self.viewport().update()

    def _paint_drop(self, painter: QPainter) -> None:
        first = self.visualRect(self.model().index(self._drop_row, 0))
        row = QRect(0, first.top(), self.viewport().width(), first.height()).adjusted(1, 1, -1, -1)
        painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Highlight), 2))
        painter.drawRect(row)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._is_inviting and self.model().rowCount():
            with QPainter(self.viewport()) as painter:
                self._paint_invitation(painter)
        if 0 <= self._drop_row < self.model().rowCount():
            with QPainter(self.viewport()) as painter:
                self._paint_drop(painter)
