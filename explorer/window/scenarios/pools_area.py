"""Everything about pools in the window: their panel, menus and drags of listed jobs, wired to the rest."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QInputDialog, QMenu
from typing_extensions import override

from core.model.errors import InputError
from core.model.partition_edits import with_order
from core.planning.estimated_workload import estimated_workload
from explorer.document.choices import pools_of_choice
from explorer.document.editor import PoolEdits
from explorer.document.titles import title_in
from explorer.document.workload_edits import with_pool_of
from explorer.panels.pools_panel import PoolsPanel
from explorer.pool_search.search_dialog import SearchDialog
from explorer.widgets.plain_labels import without_mnemonic
from explorer.window.area import Area

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QPointF
    from PySide6.QtWidgets import QMainWindow

    from core.model.partition import Partition
    from core.planning.pool_cut import Trial
    from explorer.panels.jobs_panel import JobsPanel
    from explorer.simulation.outcome import Outcome
    from explorer.widgets.theme import Theme
    from explorer.window.area import WindowModel
    from explorer.window.charts.chart_area import ChartArea


class PoolsArea(Area):
    """Builds the panel of the pools and connects it."""

    def __init__(
        self, model: WindowModel, window: QMainWindow, *, charts: ChartArea, jobs_panel: JobsPanel
    ) -> None:
        super().__init__(model, window)
        self._charts, self._jobs_panel = charts, jobs_panel
        self._list_drag = self._view_state.active_scenario
        self.edits = PoolEdits(self._editor, self._runner.pools, charts.job_order, self.done.emit)
        self.panel = PoolsPanel(self._editor, self._view_state, self.edits)
        self.panel.refused.connect(self._refuse)
        self.panel.search_wanted.connect(self.search)
        charts.pools_previewed.connect(self._on_pools_previewed)
        charts.pools_dropped.connect(self._on_pools_dropped)
        charts.pool_of_job_previewed.connect(self._on_pool_of_job_previewed)
        charts.pool_of_job_dropped.connect(self._on_pool_of_job_dropped)
        jobs_panel.order_previewed.connect(self._on_order_previewed)
        jobs_panel.preview_ended.connect(self._on_list_drag_ended)
        for table in (self.panel.slot_table, self.panel.settings_table):
            jobs_panel.table.drag_toggled.connect(table.invite)
        self._runner.outcome_ready.connect(self._on_outcome_ready)
        self._runner.preview_ready.connect(self._on_outcome_ready)
        self._runner.preview_ended.connect(self._on_preview_ended)

    @override
    def set_theme(self, theme: Theme) -> None:
        for dialog in self._window.findChildren(SearchDialog):
            dialog.set_theme(theme)

    # ---- searching

    def search(self) -> None:
        """Show what a search for balanced pools tries, in the active scenario's cluster."""
        state, scenario_id = self._document.state, self._view_state.active_scenario
        scenario = state.scenario(scenario_id)
        cluster = state.cluster_of(scenario)
        if cluster.has_containers:
            self.failed.emit("pools divide slots of two types, and this cluster has one kind of slots")
            return
        dialog = SearchDialog(
            estimated_workload(state.workload, scenario.choice.estimates),
            cluster,
            title_in(self._document.state, scenario),
            self._charts.theme,
            compiled=self._runner.uses_compiled,
            pools=pools_of_choice(scenario.choice),
            parent=self._window,
        )
        dialog.taken.connect(partial(self._on_taken, dialog, scenario_id))
        for name in ("undo", "redo"):  # taking pools is an edit, and the dialog stays open
            if (action := self._window.findChild(QAction, name)) is not None:
                dialog.addAction(action)
        dialog.start()
        dialog.show()

    def _on_taken(self, dialog: SearchDialog, scenario_id: int, partition: Partition, trial: Trial) -> None:
        state = self._document.state
        is_same = False
        if self._document.has_scenario(scenario_id):
            scenario = state.scenario(scenario_id)
            estimated = estimated_workload(state.workload, scenario.choice.estimates)
            is_same = (estimated.jobs, state.cluster_of(scenario)) == (dialog.workload.jobs, dialog.cluster)
        if not is_same:
            self.failed.emit("the jobs, the cluster or the scenario have changed since; search again")
            return
        self._try(self.edits.take, scenario_id, partition, trial)

    @override
    def close(self) -> None:
        for dialog in self._window.findChildren(SearchDialog):
            dialog.reject()

    # ---- following the runner

    def _on_outcome_ready(self, scenario_id: int, outcome: Outcome) -> None:
        self.panel.set_ends(scenario_id, outcome.schedule.pool_finish.tolist())

    def _on_preview_ended(self, scenario_id: int) -> None:
        outcome = self._runner.outcome(scenario_id)
        if outcome is not None:
            self._on_outcome_ready(scenario_id, outcome)

    # ---- dragging in charts

    def _on_pools_previewed(self, scenario_id: int, partition: Partition) -> None:
        self._runner.preview(scenario_id, partition=partition, moved=self._dragged(scenario_id, partition))

    def _on_pools_dropped(self, scenario_id: int, partition: Partition, text: str) -> None:
        self._editor.drop_partition(scenario_id, partition, text, self._dragged(scenario_id, partition))
        self._runner.end_preview(scenario_id)

    def _dragged(self, scenario_id: int, partition: Partition) -> tuple[str, ...]:
        """Return the job that a drag in a chart moves; none while it resizes pools."""
        pools = self._runner.pools(scenario_id)
        before = [] if pools is None else [pool.jobs for pool in pools.pools]
        if before == [pool.jobs for pool in partition.pools]:
            return ()
        return (self._charts.views[scenario_id].hands.dragged,)

    def _on_pool_of_job_previewed(self, scenario_id: int, job: str, pool: str) -> None:
        workload = with_pool_of(self._document.workload, [job], pool)
        self._runner.preview(scenario_id, workload=workload)

    def _on_pool_of_job_dropped(self, scenario_id: int, job: str, pool: str) -> None:
        self._editor.move_to_pool([job], pool)
        self._runner.end_preview(scenario_id)

    # ---- dragging rows of the jobs panel

    def _on_order_previewed(self, names: tuple[str, ...]) -> None:
        active = self._list_drag = self._view_state.active_scenario
        self._charts.show_ghost(active)
        pools = self._runner.pools(active)
        if pools is None:
            self._runner.preview(active, names, moved=self._jobs_panel.table.dragged)
            return
        with suppress(InputError):  # the pool has no slot for the job: dropping it says so
            dragged = self._jobs_panel.table.dragged
            edited = with_order(pools, self._document.workload, names, dragged)
            self._runner.preview(active, partition=edited, moved=dragged)

    def _on_list_drag_ended(self) -> None:
        """End it where it began: dropping may have made another scenario the active one."""
        if self._document.has_scenario(self._list_drag):
            self._runner.end_preview(self._list_drag)
            self._charts.hide_ghost(self._list_drag)

    # ---- menus

    def add_to_menu(self, menu: QMenu, scenario_id: int, job: int, at: QPointF) -> None:
        """Offer to move a job or to unpin it, or to change the pool under the pointer."""
        plan = self._document.scenario(scenario_id).plan
        if plan is not None and job >= 0 and (name := self._document.workload.jobs[job].name) in plan.pinned:
            unpin = menu.addAction(f"&Unpin {name}")
            unpin.triggered.connect(partial(self._try, self._editor.unpin_job, scenario_id, name))
        if job >= 0:
            self._add_moves(menu, scenario_id, self._document.workload.jobs[job].name)
        elif job < 0:
            self._add_edits(menu, scenario_id, self._charts.views[scenario_id].pools.named_at(at))

    def _add_moves(self, menu: QMenu, scenario_id: int, job: str) -> None:
        pools = self._runner.pools(scenario_id)
        inside = menu.addMenu("Move to &pool")
        if pools is None:
            self._add_shared_moves(inside, job)
        for place, pool in enumerate(pools.pools if pools is not None else ()):
            move = partial(self._try, self.edits.move_jobs, scenario_id, [job], place)
            _add_choice(inside, pool.name, job in pool.jobs, move)
        inside.addSeparator()
        new = inside.addAction("&New pool with slots of its own")
        new.triggered.connect(partial(self._try, self.edits.move_to_new, scenario_id, job))

    def _add_shared_moves(self, menu: QMenu, job: str) -> None:
        """Offer the pools that share the slots: a job belongs to one of them."""
        workload = self._document.workload
        own = workload.jobs[workload.job_index[job]].pool
        for name in workload.pools:
            _add_choice(menu, name, name == own, partial(self._try, self._editor.move_to_pool, [job], name))

    def _add_edits(self, menu: QMenu, scenario_id: int, place: int) -> None:
        menu.addSeparator()
        menu.addAction("Add &pool").triggered.connect(partial(self._try, self.edits.add, scenario_id))
        pools = self._runner.pools(scenario_id)
        if pools is None or place < 0:
            return
        name = without_mnemonic(pools.names[place])
        menu.addAction(f"Re&name {name}…").triggered.connect(partial(self.ask_name, scenario_id, place))
        remove = menu.addAction(f"Remo&ve {name}")
        remove.setEnabled(len(pools.pools) > 1)
        remove.triggered.connect(partial(self._try, self.edits.remove, scenario_id, place))

    def ask_name(self, scenario_id: int, place: int) -> None:
        """Let the user type another name for a pool."""
        pools = self._runner.pools(scenario_id)
        if pools is None:
            return
        dialog = QInputDialog(self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle("Rename pool")
        dialog.setLabelText("Name of the pool")
        dialog.setTextValue(pools.names[place])
        dialog.textValueSelected.connect(partial(self._try, self.edits.rename, scenario_id, place))
        dialog.open()


def _add_choice(menu: QMenu, name: str, is_chosen: bool, choose: Callable[[], object]) -> None:
    action = menu.addAction(without_mnemonic(name))
    action.setCheckable(True)
    action.setChecked(is_chosen)
    action.triggered.connect(lambda: choose())
