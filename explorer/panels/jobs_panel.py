"""The jobs of the workload: edited in place, added, deleted, and dragged into another order."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, Signal
from PySide6.QtGui import QAction, QColor
from PySide6.QtWidgets import QToolButton, QWidget
from typing_extensions import override

from core.measures.job_ends import end_changes
from core.model.errors import InputError
from core.model.partition_edits import with_order
from core.model.visible_text import shared_application, visible
from explorer.document.titles import describe_job_move, policy_title, scenario_title
from explorer.panels.jobs_model import JobsModel, carried_over, completed
from explorer.panels.jobs_table import JobsTable
from explorer.panels.keys import FocusKeys
from explorer.widgets.layouts import column, row, tool_button
from explorer.widgets.plain_labels import ElidedLabel, PlainLabel, say_at_pointer
from explorer.widgets.search_field import SearchField
from explorer.widgets.theme import icon, theme_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from core.model.document_state import Scenario
    from core.model.partition import Partition
    from explorer.document.editor import Editor
    from explorer.document.view_state import ViewState

MIN_ROWS = 4
"""That the table keeps, with its heading, however low the panel is."""
FILTER_FROM = 21
"""With so many jobs there is a filter."""


class JobsPanel(QWidget):
    """The jobs in the order of the active scenario.

    Signals
    -------
    order_previewed : while rows are dragged: the order that dropping here would give
    preview_ended : the drag is over, dropped or not
    refused : an edit broke a rule; the sentence to show
    templates_dropped : `DraggedTemplates` of the trace library, and the place in the workload for them
    """

    order_previewed = Signal(tuple)
    preview_ended = Signal()
    refused = Signal(str)
    templates_dropped = Signal(object, int)

    def __init__(self, editor: Editor, view_state: ViewState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editor = editor
        self._document = editor.document
        self._view_state = view_state
        self._names = tuple(self._document.workload.job_index)
        self._computed: dict[int, tuple[str, ...]] = {}
        self._pools: dict[int, Partition | None] = {}
        self._late: dict[int, Mapping[str, float]] = {}
        self._ends: dict[int, Mapping[str, float]] = {}
        self._is_refreshing = False
        self.model = JobsModel(editor)
        self.model.setParent(self)
        self._take_inks()
        self.table = JobsTable(self.model)
        self._make_parts()
        self._make_actions()
        self._lay_out()
        self._connect()
        self.refresh()

    # What the window passes in

    def set_computed_order(
        self, scenario_id: int, names: Sequence[str], pools: Partition | None = None
    ) -> None:
        """Take the order in which a scenario's policy served the jobs, and in which pools."""
        self._computed[scenario_id] = tuple(names)
        self._pools[scenario_id] = pools
        scenario = self._document.scenario(scenario_id)
        if scenario_id != self._view_state.active_scenario:
            return
        if scenario.is_by_hand:  # what is computed is not shown; a policy file has a title once it has run
            self.heading.setText(_heading(scenario))
        else:
            self._refresh_order()

    def set_ends(self, scenario_id: int, ends: Mapping[str, float]) -> None:
        """Take when the jobs are done in a scenario, in seconds, by name."""
        self._ends[scenario_id] = ends
        self._show_ends()

    def _show_ends(self) -> None:
        """Show when jobs are done in the active scenario, and how much later than in the baseline that is."""
        active, baseline = self._view_state.active_scenario, self._document.baseline
        ends = {} if self._is_veiled() else self._ends.get(active, {})
        is_compared = active != baseline and not self._is_veiled(baseline)
        self.model.set_ends(ends)
        self.model.set_changes(end_changes(ends, self._ends.get(baseline, {})) if is_compared else {})
        if self.model.is_sorted:
            self._refresh_order()

    def _is_veiled(self, scenario_id: int | None = None) -> bool:
        """Whether order and ends of a scenario, the active one if none is given, are to be guessed first."""
        scenario = self._view_state.active_scenario if scenario_id is None else scenario_id
        return self._view_state.veil.since(scenario) < math.inf

    def set_late_jobs(self, scenario_id: int, late: Mapping[str, float]) -> None:
        """Take the jobs that miss their deadlines in a scenario, with how late they are in seconds."""
        self._late[scenario_id] = late
        if scenario_id == self._view_state.active_scenario:
            self._show_late_jobs()

    def _show_late_jobs(self) -> None:
        scenario = self._document.scenario(self._view_state.active_scenario)
        late = {} if self._is_veiled() else self._late.get(scenario.id, {})
        self.model.set_late_jobs(late, scenario_title(scenario))

    def _take_inks(self) -> None:
        theme = theme_of(self)
        self.model.set_inks(theme.worse, theme.better)

    def set_colours(self, colour_of: Callable[[int], QColor]) -> None:
        """Take the jobs' colours, by place in the workload, as the charts have them."""
        self.model.set_colours(colour_of)

    @override
    def changeEvent(self, event: QEvent) -> None:
        """Write what is late in the colour of the theme, which comes with the palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._take_inks()

    # Building

    def _make_parts(self) -> None:
        self.heading = ElidedLabel()
        self.back_button = QToolButton()
        tip = "Show only jobs whose name or pool contains these words"
        self.filter_field = SearchField("Filter jobs", tip, hint="Filter by name or pool")
        self.note = PlainLabel(wraps=True)
        self.note.setForegroundRole(self.palette().ColorRole.PlaceholderText)

    def _make_actions(self) -> None:
        self._keys = FocusKeys(self, self.table.is_free)
        self._keys.watch(self.table)
        self.add_action = self._action("Add", "Insert", "Add a small job that can be changed", self.add_job)
        self.duplicate_action = self._action(
            "Duplicate", "Ctrl+D", "Put a copy behind each selected job", self.duplicate_selected
        )
        self.delete_action = self._action(
            "Delete", "Delete", "Delete the selected jobs", self.delete_selected
        )
        self.up_action = self._action(
            "Move up",
            "Alt+Up",
            "Let the selected jobs be served earlier in the active scenario",
            partial(self.move_selected, -1),
        )
        self.down_action = self._action(
            "Move down",
            "Alt+Down",
            "Let the selected jobs be served later in the active scenario",
            partial(self.move_selected, 1),
        )
        self.back_action = self._action(
            "Computed order",
            "",
            "Go back to the order that the policy computes",
            lambda: self._editor.reset_order(self._view_state.active_scenario),
        )
        for action, name in (
            (self.add_action, "add"),
            (self.duplicate_action, "copy"),
            (self.delete_action, "delete"),
            (self.up_action, "up"),
            (self.down_action, "down"),
        ):
            action.setIcon(icon(name))

    def _action(self, text: str, keys: str, help_text: str, slot: Callable[[], None]) -> QAction:
        action = QAction(text, self, toolTip=f"{help_text} ({keys})" if keys else help_text)
        action.triggered.connect(slot)
        self.table.addAction(action)
        if keys:
            self._keys.add(keys, action)
        return action

    def _lay_out(self) -> None:
        self.back_button.setDefaultAction(self.back_action)
        self.heading.setMinimumHeight(self.back_button.sizeHint().height())  # the table stays when it shows
        left = map(tool_button, (self.add_action, self.duplicate_action, self.delete_action))
        right = map(tool_button, (self.up_action, self.down_action))
        self.table.setMinimumHeight(MIN_ROWS * self.table.verticalHeader().defaultSectionSize())
        column(
            row((self.heading, 1), self.back_button),
            self.filter_field,
            (self.table, 1),
            self.note,
            row(*left, None, *right, spacing=2),
            parent=self,
            margins=(6, 2, 6, 6),
            spacing=4,
        )
        QWidget.setTabOrder(self.back_button, self.filter_field)
        QWidget.setTabOrder(self.filter_field, self.table)

    def _connect(self) -> None:
        self.model.refused.connect(self.refused)
        self.model.dropped.connect(self._on_dropped)
        self.model.templates_dropped.connect(self.templates_dropped)
        self.model.modelReset.connect(self._show_selection)
        self.table.order_previewed.connect(self.order_previewed)
        self.table.preview_ended.connect(self.preview_ended)
        self.table.selectionModel().selectionChanged.connect(self._on_selection_changed)
        self.filter_field.textChanged.connect(self._refresh_order)
        self._view_state.selected_job_changed.connect(self._show_selection)
        for signal in (self._view_state.active_scenario_changed, self._view_state.veil.changed):
            for show in (self._refresh_order, self._show_late_jobs, self._show_ends):
                signal.connect(show)
        self._document.baseline_changed.connect(self._show_ends)
        self.model.layoutChanged.connect(self._on_rows_sorted)
        self._document.workload_changed.connect(self._on_workload_changed)
        self._document.scenario_changed.connect(self._refresh_order)
        self._document.reset.connect(self._on_reset)

    # Showing

    def refresh(self) -> None:
        """Show everything as it is now."""
        self.filter_field.setVisible(len(self._document.workload.jobs) >= FILTER_FROM)
        self._refresh_order()
        self._show_selection()
        self._enable_actions()

    def _refresh_order(self) -> None:
        """Show the jobs in the active scenario's order: made by hand, else computed, else as they came."""
        workload = self._document.workload
        if tuple(workload.job_index) != self._names:
            return  # the workload's own signal comes first
        scenario = self._document.scenario(self._view_state.active_scenario)
        computed = None if self._is_veiled() else self._computed.get(scenario.id)
        known = scenario.given_order or computed
        order = completed(known, workload.job_index) if known else workload.input_order
        self._is_refreshing = True
        before = self.model.order
        self.model.show(workload, order, self._filter_text())
        self._is_refreshing = False
        if self.model.order != before and (row := self.model.row_of(self._view_state.selected_job)) >= 0:
            self.table.scrollTo(self.model.index(row, 0))
        self.heading.setText(_heading(scenario))
        self.back_button.setVisible(scenario.is_by_hand)
        self.back_action.setEnabled(scenario.is_by_hand)
        self._show_note()
        self._enable_actions()

    def _filter_text(self) -> str:
        return "" if self.filter_field.isHidden() else self.filter_field.text().strip()

    def _on_rows_sorted(self) -> None:
        """Follow a click on a heading."""
        if not self._is_refreshing:
            self._show_note()
            self._enable_actions()

    def _show_note(self) -> None:
        application = shared_application(self._names)
        self.note.setVisible(bool(application) or not self.model.shows_order)
        self.note.setText(f"All of {visible(application)}")
        if self.model.is_sorted and not self.model.is_filtered:
            self.note.setText("Sorted. Click # to show and change the order.")
        if self.model.is_filtered:
            shown, every = self.model.rowCount(), len(self.model.order)
            self.note.setText(f"{shown} of {every} jobs. Clear the filter to change the order.")

    def _on_workload_changed(self) -> None:
        before, self._names = self._names, tuple(self._document.workload.job_index)
        if before != self._names:
            self._pools.clear()
            self._computed = {
                scenario: carried_over(order, before, self._names)
                for scenario, order in self._computed.items()
            }
        self.refresh()

    def _on_reset(self) -> None:
        self._computed.clear()
        self._pools.clear()
        self._late.clear()
        self._ends.clear()
        self.model.set_late_jobs({}, "")
        self.model.set_ends({})
        self.model.set_changes({})
        self._names = tuple(self._document.workload.job_index)
        self.filter_field.clear()
        self.refresh()

    # Selection

    def selected_rows(self) -> list[int]:
        """Return the selected rows from top to bottom."""
        return sorted(index.row() for index in self.table.selectionModel().selectedRows())

    def selected_names(self) -> tuple[str, ...]:
        """Return the names of the selected jobs from top to bottom."""
        return tuple(self.model.rows[place] for place in self.selected_rows())

    def _on_selection_changed(self, _selected: QItemSelection, _deselected: QItemSelection) -> None:
        self._enable_actions()
        if self._is_refreshing:
            return
        rows = self.selected_rows()
        current = self.table.currentIndex().row()
        if not rows:
            if not self.model.is_filtered:
                self._view_state.select_job(None)
            return
        self._view_state.select_job(self.model.rows[current if current in rows else rows[0]])

    def _show_selection(self) -> None:
        if self._is_refreshing or tuple(self._document.workload.job_index) != self._names:
            return
        place = self.model.row_of(self._view_state.selected_job)
        selection = self.table.selectionModel()
        if place < 0:
            selection.clear()
            return
        if place in self.selected_rows():
            return
        flag = QItemSelectionModel.SelectionFlag
        index = self.model.index(place, max(self.table.currentIndex().column(), 0))
        selection.setCurrentIndex(index, flag.ClearAndSelect | flag.Rows)
        self.table.scrollTo(index)

    def _enable_actions(self) -> None:
        rows = self.selected_rows()
        for action in (self.duplicate_action, self.delete_action):
            action.setEnabled(bool(rows))
        can_move = bool(rows) and self.model.shows_order
        self.up_action.setEnabled(can_move and rows[0] > 0)
        self.down_action.setEnabled(can_move and rows[-1] < self.model.rowCount() - 1)

    # Edits

    def add_job(self) -> None:
        """Add a job, select it and let the user type its name."""
        job = self._editor.add_job()
        self.filter_field.clear()
        self._view_state.select_job(job.name)
        self.table.edit(self.model.index(self.model.row_of(job.name), 1))

    def duplicate_selected(self) -> None:
        """Put a copy behind each selected job."""
        self._editor.duplicate_jobs([self.model.job_index(place) for place in self.selected_rows()])

    def delete_selected(self) -> None:
        """Delete the selected jobs and select the one that follows."""
        rows = self.selected_rows()
        if not rows:
            return
        try:
            self._editor.delete_jobs([self.model.job_index(place) for place in rows])
        except InputError as error:
            self.refused.emit(str(error))
            return
        if self.model.rowCount():
            self._view_state.select_job(self.model.rows[min(rows[0], self.model.rowCount() - 1)])

    def move_selected(self, by: int) -> None:
        """Let the selected jobs be served one place earlier (-1) or later (1)."""
        rows = self.selected_rows()
        if not rows or not 0 <= (rows[0] if by < 0 else rows[-1]) + by < self.model.rowCount():
            return
        target = rows[0] - 1 if by < 0 else rows[-1] + 2
        names = self.selected_names()
        self._on_dropped(names, self.model.order_with(names, target))
        self.table.scrollTo(self.table.currentIndex())

    def _on_dropped(self, names: tuple[str, ...], order: tuple[str, ...]) -> None:
        moved = names[0] if len(names) == 1 else None
        scenario = self._view_state.active_scenario
        pools = self._document.scenario(scenario).partition or self._pools.get(scenario)
        try:
            if pools is None:
                self._editor.drop_order(scenario, order, self.model.order, moved)
                return
            edited = with_order(pools, self._document.workload, order, names)
            self._editor.drop_partition(scenario, edited, describe_job_move(pools, edited, names), names)
        except InputError as error:
            self.refused.emit(str(error))
            say_at_pointer(str(error))


def _heading(scenario: Scenario) -> str:
    if not scenario.is_by_hand:
        return f"In the order of {scenario_title(scenario)}"
    if scenario.plan is not None:
        pinned = len(scenario.plan.pinned)
        return f"Plan, {pinned} pinned" if pinned else "By a plan"
    return f"Edited by hand, from {policy_title(scenario.choice.id)}"
