"""What the menu's actions do to jobs, scenarios and the view, with the dialogs that they open."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QInputDialog
from typing_extensions import override

from core.files.plan_document import write_plan
from core.model.errors import InputError
from core.model.schedule import RECORDED, PolicyChoice
from core.model.visible_text import visible
from core.study.draws import NO_RECORD
from core.study.study_fields import cluster_of
from explorer.document.titles import scenario_title
from explorer.document.view_state import EstimateMarks, RowHeights, StagesAbove
from explorer.widgets.save_dialog import ask_where_to_save
from explorer.window.area import Area

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QMainWindow

    from core.model.overheads import Overheads
    from core.model.plan import Plan
    from explorer.dialogs.fidelity_dialog import FidelityDialog
    from explorer.dialogs.scale_dialog import Scaled
    from explorer.panels.jobs_panel import JobsPanel
    from explorer.window.area import WindowModel
    from explorer.window.charts.chart_area import ChartArea

NO_JOB = "no job is selected; click one in a chart or in the jobs panel"
NO_PLAN = "Optimise… finds one, or use one from a file"
PLAN_FILTER = "Plans (*.json *.json.gz)"
NO_EXECUTORS = (
    "How many executors… answers for containers, and here tasks run on map and reduce slots or on nodes; "
    "choose Containers in the cluster panel, or ask How many slots…"
)
NO_LOG = "these jobs come from no log that has the times of its tasks; import one first"
OVERHEADS_USED = (
    "The cluster now spends what the log's cluster spends besides running tasks (Cluster > Overheads)."
)


class WindowActions(Area):
    """One method per action; what cannot be done is refused with a sentence.

    Signals
    -------
    generated : a workload to show
    """

    generated = Signal(object)

    def __init__(
        self, model: WindowModel, window: QMainWindow, *, charts: ChartArea, jobs_panel: JobsPanel
    ) -> None:
        super().__init__(model, window)
        self._charts, self._jobs_panel = charts, jobs_panel
        self._step_of_overheads = -1

    # ---- jobs

    def add_job(self) -> None:
        """Add a small job and select it."""
        self._view_state.select_job(self._editor.add_job().name)

    def _selected(self) -> int | None:
        name = self._view_state.selected_job
        if name is None:
            self.failed.emit(InputError(NO_JOB))
            return None
        return self._document.workload.job_index[name]

    def duplicate_job(self) -> None:
        """Copy the selected job."""
        job = self._selected()
        if job is not None:
            self._try(lambda: self._editor.duplicate_jobs([job]))

    def delete_job(self) -> None:
        """Delete the selected job."""
        job = self._selected()
        if job is not None:
            self._try(lambda: self._editor.delete_jobs([job]))

    def ask_whom_to_follow(self) -> None:
        """Let the user choose a job that the selected one follows; its think time stays."""
        job = self._selected()
        if job is None:
            return
        chosen, jobs = self._document.workload.jobs[job], self._document.workload.jobs
        others = [each.name for each in jobs if each is not chosen]
        if not others:
            self.failed.emit(InputError(f"{chosen.name} is the only job: add another one first"))
            return
        dialog = QInputDialog(self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle("Follow a job")
        dialog.setLabelText(f"{visible(chosen.name)} arrives when this job has ended:")
        dialog.setComboBoxItems(others)
        think = chosen.after[0].think if chosen.after else 0.0
        if chosen.after:
            dialog.setTextValue(chosen.after[0].job)
        dialog.textValueSelected.connect(lambda name: self._try(self._follow, chosen.name, name, think))
        dialog.open()

    def _follow(self, name: str, before: str, think: float) -> None:
        self._editor.follow_job(self._document.workload.job_index[name], before, think)

    def cut_links(self) -> None:
        """Let the selected job arrive at a fixed time, and follow no other one."""
        job = self._selected()
        if job is not None:
            self._try(lambda: self._editor.cut_links(job))

    def serve(self, step: int) -> None:
        """Move the selected job so many places back in the active scenario's order."""
        job = self._selected()
        if job is None:
            return
        name = self._document.workload.jobs[job].name
        scenario = self._view_state.active_scenario
        shown = self._charts.job_order(scenario)
        place = shown.index(name) + step
        if 0 <= place < len(shown):
            self._try(lambda: self._editor.move_job(scenario, name, place, shown))

    # ---- settings, by their names in studies

    def set_of_cluster(self, name: str, value: bool | int | float | str) -> None:
        """Give the cluster of the active scenario another value of a field: "cluster.map_slots"."""
        scenario = self._document.scenario(self._view_state.active_scenario)
        target = None if scenario.cluster is None else scenario.id
        cluster = self._document.state.cluster_of(scenario)
        self._try(lambda: self._editor.set_cluster(cluster_of({name: value}, cluster), target))
        self._editor.end_gesture()

    def set_of_policy(self, name: str, value: bool | int | float | str) -> None:
        """Give the active scenario's policy another value of a parameter."""
        self._try(self._editor.set_parameter, self._view_state.active_scenario, name, value)
        self._editor.end_gesture()

    def set_of_job(self, field: str, value: str) -> None:
        """Write what was typed into a field of the selected job."""
        job = self._selected()
        if job is not None:
            self._try(self._editor.edit_job, job, field, value)
            self._editor.end_gesture()

    def take_plan(self, plan: Plan) -> None:
        """Let a scenario beside the active one follow a plan."""
        self._try(lambda: self._editor.take_plan(self._view_state.active_scenario, plan))

    def export_plan(self) -> None:
        """Let the user choose a name and write the plan that the active scenario follows."""
        scenario = self._document.scenario(self._view_state.active_scenario)
        if scenario.plan is None:
            self.failed.emit(InputError(f"{scenario_title(scenario)} follows no plan; {NO_PLAN}"))
            return
        name = self._document.workload.name
        path = ask_where_to_save(self._window, "Export plan", f"{name}.plan.json", PLAN_FILTER)
        if path is not None:
            plan = scenario.plan
            self._try(lambda: write_plan(plan, path, name))

    def draw_deadlines(self) -> None:
        """Let the user give all jobs random deadlines."""
        from explorer.dialogs.deadlines_dialog import DeadlinesDialog

        scenario = self._document.scenario(self._view_state.active_scenario)
        outcome = self._runner.outcome(scenario.id)
        dialog = DeadlinesDialog(
            self._document.workload,
            self._document.cluster,
            None if outcome is None else outcome.schedule,
            scenario_title(scenario),
            self._window,
        )
        dialog.drawn.connect(lambda drawn: self._try(lambda: self._editor.set_deadlines(*drawn)))
        dialog.cleared.connect(self._editor.remove_deadlines)
        dialog.open()

    # ---- jobs that no log recorded; the dialogs are imported when they are asked for

    def generate(self) -> None:
        """Let the user generate a workload and show it."""
        self._open_generator()

    def _open_generator(self, parameters: Mapping[str, Any] | None = None) -> None:
        from explorer.dialogs.generate_dialog import GenerateDialog

        dialog = GenerateDialog(self._window)
        if parameters is not None:
            dialog.preset("fitted", parameters)
        dialog.generated.connect(self.generated)
        dialog.open()

    def fit_job(self) -> None:
        """Show which distributions the selected job follows."""
        from explorer.dialogs.fit_dialog import FitDialog

        workload, name = self._document.workload, self._view_state.selected_job
        if name is None and len(workload.jobs) == 1:
            name = workload.jobs[0].name
        if name is None:
            self.failed.emit(InputError(NO_JOB))
            return
        dialog = FitDialog(workload.jobs[workload.job_index[name]], self._document.cluster, self._window)
        dialog.generation_wanted.connect(self._open_generator)
        dialog.open()

    def scale_jobs(self) -> None:
        """Give the selected jobs, or all, another amount of input."""
        from explorer.dialogs.scale_dialog import ScaleDialog

        selected = self._jobs_panel.selected_names()
        if not selected and self._view_state.selected_job is not None:
            selected = (self._view_state.selected_job,)
        dialog = ScaleDialog(self._document.workload, self._document.cluster, selected, self._window)
        dialog.scaled.connect(self._on_scaled)
        dialog.open()

    def _on_scaled(self, scaled: Scaled) -> None:
        self._try(lambda: self._editor.scale_jobs(scaled.workload, scaled.factor, scaled.jobs))

    def ask_what_if(self) -> None:
        """Show what more slots, shorter tasks and the like would change, and take that over."""
        from explorer.dialogs.what_if_dialog import WhatIfDialog

        state = self._document.state
        scenario = self._document.scenario(self._view_state.active_scenario)
        if scenario.choice.is_record:
            self.failed.emit(InputError(NO_RECORD))
            return
        dialog = WhatIfDialog(state.workload, state.cluster_of(scenario), scenario, self._window)
        dialog.taken.connect(lambda taken: self._try(lambda: self._editor.take_what_if(*taken)))
        dialog.open()

    def ask_how_many(self) -> None:
        """Show how long the jobs take on few executors to many, and give a scenario so many."""
        from explorer.dialogs.executors_dialog import ExecutorsDialog

        state = self._document.state
        scenario = self._document.scenario(self._view_state.active_scenario)
        if scenario.choice.is_record:
            self.failed.emit(InputError(NO_RECORD))
            return
        cluster = state.cluster_of(scenario)
        if not cluster.has_containers or cluster.has_nodes:
            self.failed.emit(InputError(NO_EXECUTORS))
            return
        dialog = ExecutorsDialog(state.workload, cluster, scenario, self._window)
        dialog.taken.connect(partial(self._use_so_many, scenario.id))
        dialog.open()

    def _use_so_many(self, scenario_id: int, slots: int, words: str) -> None:
        """Put a scenario with so many slots beside one."""
        if not self._document.has_scenario(scenario_id):
            return
        state, before = self._document.state, self._document.scenario(scenario_id)
        cluster = replace(state.cluster_of(before), containers=slots, slot_times=())
        title = f"{scenario_title(before)}, {words}"
        self._try(lambda: self._editor.add_beside(scenario_id, replace(before, cluster=cluster, title=title)))

    # ---- scenarios

    def add_policy(self, policy_id: str) -> None:
        """Add a scenario with this policy, and make it the active one."""
        self._try(lambda: self._editor.add_scenario(PolicyChoice(policy_id)))

    def replace_policy(self, policy_id: str) -> None:
        """Give the active scenario this policy."""
        active = self._view_state.active_scenario
        self._try(lambda: self._editor.choose_policy(active, PolicyChoice(policy_id)))

    def add_record(self) -> None:
        """Add a scenario with what the log recorded, and make it the active one."""
        if self._document.workload.recorded is None:
            self.failed.emit(InputError(NO_LOG))
            return
        self.add_policy(RECORDED)

    def check_fidelity(self) -> None:
        """Show how far simulations are from the log."""
        from explorer.dialogs.fidelity_dialog import FidelityDialog, cluster_text

        if self._document.workload.recorded is None:
            self.failed.emit(InputError(NO_LOG))
            return
        workload = self._document.workload
        cluster = cluster_text(workload)
        dialog = FidelityDialog(workload, self._settings.logs_of(cluster), self._window)
        dialog.others_changed.connect(partial(self._settings.keep_logs_of, cluster))
        dialog.taken.connect(partial(self._on_overheads_taken, dialog))
        dialog.job_wanted.connect(self.show_job)
        dialog.taken_back.connect(partial(self._take_overheads_back, dialog))
        dialog.start()
        dialog.show()

    def _on_overheads_taken(self, dialog: FidelityDialog, overheads: Overheads) -> None:
        """Give the cluster the overheads of a log, and show what that did; the dialog can take it back."""
        stack = self._editor.undo_stack
        before = stack.index()
        scenario = self._document.scenario(self._view_state.active_scenario)
        target = None if scenario.cluster is None else scenario.id
        self._try(lambda: self._editor.edit_cluster(target, overheads=overheads))
        self._editor.end_gesture()
        after = stack.index()
        if after == before:
            dialog.show_done("The cluster has these overheads already: nothing was changed.", can_undo=False)
            return
        sharing = [each for each in self._document.scenarios if target in (None, each.id)]
        sharing = [each for each in sharing if not each.choice.is_record and (target or not each.cluster)]
        titles = ", ".join(map(scenario_title, sharing))
        dialog.show_done(f"{OVERHEADS_USED} Simulated again: {titles}.", can_undo=True)
        self._step_of_overheads = after

    def _take_overheads_back(self, dialog: FidelityDialog) -> None:
        """Undo that the cluster got overheads, unless something else was done since."""
        if self._editor.undo_stack.index() == self._step_of_overheads:
            self._editor.undo_stack.undo()
            dialog.show_done("Taken back: the cluster has the overheads that it had before.", can_undo=False)
        else:
            dialog.show_done("Other edits came after it: take them back first with Ctrl+Z.", can_undo=False)

    def step(self, by: int) -> None:
        """Make the scenario so many places further the active one; the first follows the last."""
        ids = [scenario.id for scenario in self._document.scenarios]
        place = (ids.index(self._view_state.active_scenario) + by) % len(ids)
        self._view_state.activate_scenario(ids[place])
        self._charts.active_view.setFocus()

    # ---- the view

    def zoom(self, factor: float) -> None:
        """Show so many times as much time around the cursor, else around the middle."""
        middle = (self._axis.t0 + self._axis.t1) / 2
        self._axis.zoom(factor, middle if self._axis.cursor is None else self._axis.cursor)

    def fit(self) -> None:
        """Show everything in all charts."""
        for view in self._charts.views.values():
            view.look.fit()

    @override
    def place(self, actions: Mapping[str, QAction]) -> None:
        self._fits_rows = actions["fit_rows"]
        self._view_state.row_heights_changed.connect(self._show_heights)
        self._show_heights()

    def _show_heights(self) -> None:
        self._fits_rows.setChecked(self._view_state.row_heights is RowHeights.FITTED)

    def fit_rows(self) -> None:
        """Squeeze all rows of each chart into it, or scroll them again."""
        fitted = self._view_state.row_heights is RowHeights.FITTED
        self._view_state.row_heights = RowHeights.SCROLLED if fitted else RowHeights.FITTED

    def fold_stages(self) -> None:
        """Fold the stages above the rows away, or show them again."""
        folded = self._view_state.stages is StagesAbove.FOLDED
        self._view_state.stages = StagesAbove.SHOWN if folded else StagesAbove.FOLDED

    def fold_idle_time(self) -> None:
        """Fold long stretches of time in which nothing runs, or draw them as long as they are."""
        self._view_state.toggle_idle_time()

    def mark_estimates(self) -> None:
        """Mark in charts and comparison what is estimated without simulating, or leave it out again."""
        shown = self._view_state.estimate_marks is EstimateMarks.SHOWN
        self._view_state.estimate_marks = EstimateMarks.HIDDEN if shown else EstimateMarks.SHOWN

    def zoom_to_job(self) -> None:
        """Show the selected job alone, in the active scenario's times."""
        job = self._selected()
        if job is not None:
            self._charts.active_view.look.zoom_to_job(job)

    def show_job(self, name: str) -> None:
        """Select a job and show it alone."""
        self._view_state.select_job(name)
        self.zoom_to_job()
