"""The charts of all scenarios on one time axis, wired to the document, the runner and the selection."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QApplication, QWidget
from typing_extensions import override

from core.charts.fold import NO_FOLD, Fold, folded
from core.explain.start_cause import same_task
from core.measures.idle_stretches import idle_stretches
from core.model.under_way import now_of
from core.policies.user_files.source import is_policy_file
from explorer.document.schedule_jobs import (
    document_job,
    has_same_jobs,
    has_same_tasks,
    places_in,
    queue_places,
)
from explorer.document.titles import title_in
from explorer.document.view_state import Arrangement, EstimateMarks, HoveredTask, IdleStretches, SelectedTask
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.layers.legend import Legend
from explorer.gantt.layers.title_and_axis import amount_text, remarks
from explorer.panels.scenario_headers import ScenarioHeaders
from explorer.widgets.layouts import NO_MARGINS, column
from explorer.window.charts.chart_colours import ChartColours
from explorer.window.charts.chart_stack import EMPTY_TEXT, MAX_COLUMNS, ChartStack
from explorer.window.charts.row_arrangement import RowArrangement
from explorer.window.charts.stages_in_charts import StagesInCharts

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray
    from PySide6.QtGui import QWheelEvent

    from core.charts.forecast_ends import ForecastEnds
    from core.model.document_state import Scenario
    from core.model.errors import FailedRun
    from core.model.schedule import Schedule
    from explorer.document.editor import Editor
    from explorer.document.time_axis import TimeAxis
    from explorer.document.view_state import ViewState
    from explorer.gantt.geometry.chart_content import ChartContent
    from explorer.simulation.outcome import Outcome
    from explorer.simulation.runner import Runner
    from explorer.widgets.theme import Theme

ESTIMATE_LABEL = "estimated"


class ChartArea(QWidget):
    """Shows every scenario's schedule; passes drags to the editor.

    Attributes
    ----------
    theme : the colours that everything is painted in

    Signals:
        context_requested: a menu was asked for: scenario id, place on the screen, index of the job or -1
        arrival_previewed, arrival_dropped, drag_cancelled: what is submitted is dragged, dropped, or let go
        pools_previewed, pools_dropped: an edge or a job is dragged among pools with slots of their own
        pool_of_job_previewed, pool_of_job_dropped: a job is dragged into a pool that shares the slots
    """

    context_requested = Signal(int, QPoint, int)
    slot_clicked = Signal(int, int, float)
    arrival_previewed = Signal(int, float)
    arrival_dropped = Signal(int)
    drag_cancelled = Signal(int)
    pools_previewed = Signal(int, object)
    pools_dropped = Signal(int, object, str)
    pool_of_job_previewed = Signal(int, str, str)
    pool_of_job_dropped = Signal(int, str, str)

    def __init__(
        self, editor: Editor, runner: Runner, view_state: ViewState, axis: TimeAxis, theme: Theme
    ) -> None:
        super().__init__()
        self._editor, self._document, self._runner = editor, editor.document, runner
        self._view_state, self._axis, self.theme = view_state, axis, theme
        self._charts: dict[int, GanttView] = {}
        self._previews: dict[int, Outcome] = {}
        self.colours = ChartColours(self._document, view_state, self)
        self._rows = RowArrangement(view_state, self)
        self._stages = StagesInCharts(editor, runner, view_state, self._charts, self)
        self.legend = Legend(theme)
        self.headers = ScenarioHeaders(editor, view_state, self)
        self.stack = ChartStack(view_state, axis, self)
        column((self.stack, 1), parent=self, margins=NO_MARGINS, spacing=0)
        self._connect()
        self.refresh()

    def _connect(self) -> None:
        document, state, runner = self._document, self._view_state, self._runner
        for signal in (document.workload_changed, document.cluster_changed, document.scenarios_changed):
            signal.connect(self._cancel_gestures)
        document.scenario_changed.connect(self._cancel_gestures)
        for signal in (document.workload_changed, document.scenarios_changed, state.arrangement_changed):
            signal.connect(self.refresh)
        document.reset.connect(self._on_reset)
        document.scenario_changed.connect(self._on_scenario_changed)
        document.baseline_changed.connect(self._update_shared)
        state.selected_job_changed.connect(self._on_selection_changed)
        state.selected_task_changed.connect(self._on_selected_task_changed)
        state.selected_stage_changed.connect(self._on_selection_changed)
        self._stages.clicked.connect(self.stack.press)
        self.colours.changed.connect(self._update_shared)
        self.legend.menu_wanted.connect(lambda place: self.colours.show_menu(self.legend, place, self.theme))
        self.legend.class_pointed.connect(self._on_class_pointed)
        self.legend.job_clicked.connect(self._on_listed_clicked)
        state.estimate_marks_changed.connect(self.refresh)
        for signal in (state.end_line.dropped, state.end_line.settled):
            signal.connect(self._update_shared)
        state.veil.changed.connect(self._update_shared)
        state.idle_changed.connect(self._update_shared)
        self._rows.changed.connect(self.refresh)
        runner.outcome_ready.connect(self._on_outcome_ready)
        runner.preview_ready.connect(self._on_preview_ready)
        runner.preview_ended.connect(self._on_preview_ended)
        runner.failed.connect(self._on_failed)
        self.headers.pressed.connect(self.stack.press)
        self.headers.reveal_wanted.connect(self.stack.reveal)
        self.headers.maximise_wanted.connect(self.stack.toggle)

    # ---- what others ask

    @property
    def views(self) -> dict[int, GanttView]:
        """The charts by scenario id, in display order."""
        return {s.id: self._charts[s.id] for s in self._document.scenarios if s.id in self._charts}

    @property
    def active_view(self) -> GanttView:
        """The chart of the active scenario."""
        return self._charts[self._view_state.active_scenario]

    def contents(self) -> list[ChartContent]:
        """Return what the charts show, and how it compares, for pictures."""
        facts = {scenario_id: self.headers.header(scenario_id).facts for scenario_id in self.views}
        return [replace(view.content, comparison=facts[i].standing[0]) for i, view in self.views.items()]

    def job_order(self, scenario_id: int) -> tuple[str, ...]:
        """Return the order in which a scenario serves its jobs, as far as it is known."""
        return self._order_of(self._document.scenario(scenario_id), self._runner.outcome(scenario_id))

    def _order_of(self, scenario: Scenario, outcome: Outcome | None) -> tuple[str, ...]:
        given, workload = scenario.given_order, self._document.workload
        if given is not None and set(given) == workload.job_index.keys():
            return given
        if outcome is not None and has_same_jobs(outcome.schedule, workload, in_order=False):
            return outcome.job_order
        return tuple(workload.job_index)

    def map_colours(self) -> NDArray[np.int64]:
        """Return each job's colour as 0xRRGGBB, the same as in the charts, (jobs,)."""
        return self.colours.of_jobs(self.theme)

    def show_ghost(self, scenario_id: int) -> None:
        """Keep showing a scenario's own schedule behind the preview of a drag outside the chart."""
        self._charts[scenario_id].set_ghost(getattr(self._runner.outcome(scenario_id), "schedule", None))

    def hide_ghost(self, scenario_id: int) -> None:
        """End the preview's ghost."""
        self._show(scenario_id)

    def show_forecast(self, scenario_id: int, ends: ForecastEnds | None) -> None:
        """Draw fact and forecast apart in the chart of a scenario, and in no other one; nowhere for None."""
        for each, view in self._charts.items():
            view.change(forecast=ends if each == scenario_id else None)
        if not any(view.is_dragged for view in self._charts.values()):  # else times move below the pointer
            self._update_shared()

    def set_theme(self, theme: Theme) -> None:
        """Paint everything in other colours."""
        self.theme = theme
        self.legend.set_theme(theme)
        for view in self._charts.values():
            view.set_theme(theme)

    def redraw(self) -> None:
        """Paint all charts again: the compiled kernel is there."""
        for view in self._charts.values():
            view.update()

    # ---- following the document

    def refresh(self) -> None:
        """Make one chart per scenario and arrange them."""
        wanted = [scenario.id for scenario in self._document.scenarios]
        for scenario_id in set(self._charts) - set(wanted):
            self._remove(scenario_id)
        for scenario_id in wanted:
            if scenario_id not in self._charts:
                view = self._charts[scenario_id] = self._new_chart(scenario_id)
                self.stack.add(scenario_id, self.headers.header(scenario_id), view)
        self._arrange(wanted)
        for scenario_id in wanted:
            self._show(scenario_id)
        self._update_shared()

    def _new_chart(self, scenario_id: int) -> GanttView:
        """Make a chart; its signals carry its scenario's id."""
        view = GanttView(self._axis, self.theme, self)
        for signal, handler in (
            (view.pressed, self.stack.press),
            (view.changed, self._on_changed),
            (view.job_clicked, self._on_clicked),
            (view.slot_clicked, self._on_slot_clicked),
            (view.task_hovered, self._on_hovered),
            (view.order_previewed, self._on_previewed),
            (view.order_dropped, self._on_dropped),
            (view.pools.previewed, self.pools_previewed.emit),
            (view.pools.dropped, self.pools_dropped.emit),
            (view.pools.job_previewed, self.pool_of_job_previewed.emit),
            (view.pools.job_dropped, self.pool_of_job_dropped.emit),
            (view.arrival_previewed, self.arrival_previewed.emit),
            (view.arrival_dropped, self.arrival_dropped.emit),
            (view.drag_cancelled, self._runner.end_preview),
            (view.drag_cancelled, self.drag_cancelled.emit),
            (view.context_requested, self._on_context_requested),
        ):
            signal.connect(partial(handler, scenario_id))
        self._rows.follow_with(scenario_id, view.look)
        self._stages.follow(scenario_id, view)
        view.set_time_cursor(self._view_state.time_cursor, self._view_state.end_line)
        return view

    def _remove(self, scenario_id: int) -> None:
        view = self._charts.pop(scenario_id)
        view.cancel_gesture()
        view.blockSignals(True)  # that the pointer leaves it is nothing to tell
        self._rows.forget(scenario_id)
        self.stack.remove(scenario_id)

    def _arrange(self, wanted: list[int]) -> None:
        """Put the charts into one column, or into two side by side."""
        side_by_side = self._view_state.arrangement is Arrangement.SIDE_BY_SIDE
        self.stack.arrange(wanted, MAX_COLUMNS if side_by_side else 1)
        for scenario_id in wanted:
            self._charts[scenario_id].change(compact=len(wanted) > 2)

    def _on_reset(self) -> None:
        for scenario_id in list(self._charts):
            self._remove(scenario_id)
        self._previews.clear()
        self.refresh()
        self._axis.fit()
        self.stack.to_top()

    def _on_scenario_changed(self, scenario_id: int) -> None:
        """Set a scenario's title and the order of its jobs; its schedule comes in a moment."""
        if self._show_scenario(scenario_id) is None:
            self._show(scenario_id)

    def _cancel_gestures(self) -> None:
        """Give up drags: what is dragged, and the places that it can go to, were those before the edit."""
        for view in self._charts.values():
            view.cancel_gesture()

    def _on_selection_changed(self) -> None:
        selected = self._selected_job()
        for view in self._charts.values():
            view.change(**self._stages.selection_in(_schedule_in(view)))
        self.legend.set_selected_job(selected)

    def _on_selected_task_changed(self) -> None:
        """Outline the selected task in its chart, and the same task in all others."""
        selected = self._view_state.selected_task
        own = self._runner.outcome(selected.scenario_id) if selected is not None else None
        for scenario_id, view in self._charts.items():
            outcome, task = self._runner.outcome(scenario_id), -1
            if selected is not None and own is not None and outcome is not None:
                task = same_task(own.schedule, selected.task, outcome.schedule)
            view.set_selected_task(task)

    def _on_listed_clicked(self, job: int) -> None:
        """Select a job that is listed; a second click lets it go."""
        name, state = self._document.workload.jobs[job].name, self._view_state
        state.select_job(None if state.selected_job == name else name)

    def _on_class_pointed(self, number: int) -> None:
        for view in self._charts.values():
            view.change(pointed_class=number)

    # ---- following the runner

    def _on_outcome_ready(self, scenario_id: int, _outcome: object) -> None:
        if scenario_id in self._charts:
            self._show(scenario_id)
            self._update_shared()

    def _on_preview_ready(self, scenario_id: int, outcome: Outcome) -> None:
        if scenario_id in self._charts:
            self._previews[scenario_id] = outcome
            self._show_outcome(scenario_id, outcome)

    def _on_preview_ended(self, scenario_id: int) -> None:
        preview = self._previews.pop(scenario_id, None)
        if scenario_id not in self._charts or not self._document.has_scenario(scenario_id):
            return  # another document was loaded, and its charts are made next
        state, shown = self._document.state, None if preview is None else preview.schedule
        scenario = state.scenario(scenario_id)
        plan, pools = state.plan_of(scenario), state.partition_of(scenario)
        dropped = (scenario.order, plan.partition if plan else pools, plan, state.workload.jobs)
        if shown is None or (shown.order, shown.partition, shown.plan, shown.given.jobs) != dropped:
            self._show(scenario_id)

    def _on_failed(self, scenario_id: int, error: object) -> None:
        if scenario_id in self._charts and self._runner.outcome(scenario_id) is None:
            self._on_outcome_ready(scenario_id, None)
            policy = self._document.scenario(scenario_id).choice.id
            self._charts[scenario_id].change(empty_text="" if is_policy_file(policy) else str(error))
            if (run := self._runner.failed_run(scenario_id)) is not None:
                self._view_state.time_cursor.show_at(run.time)

    # ---- showing

    def _show(self, scenario_id: int) -> None:
        outcome = self._show_scenario(scenario_id)
        if outcome is not None:
            more = {"lower_bound": outcome.lower_bound, "premise": outcome.premise, "ghost": outcome.computed}
            self._show_outcome(scenario_id, outcome, estimates=self._estimates_of(outcome), **more)
        elif (run := self._runner.failed_run(scenario_id)) is not None:
            self._show_outcome(scenario_id, run, estimates=(), lower_bound=None, ghost=None)
            self._charts[scenario_id].set_order(())
        else:
            self._charts[scenario_id].set_schedule(None, empty_text=EMPTY_TEXT)

    def _estimates_of(self, outcome: Outcome) -> tuple[tuple[str, float], ...]:
        is_shown, estimate = self._view_state.estimate_marks is EstimateMarks.SHOWN, outcome.own_estimate
        return ((ESTIMATE_LABEL, estimate),) if is_shown and estimate is not None else ()

    def _show_outcome(self, scenario_id: int, outcome: Outcome | FailedRun, **fields: Any) -> None:
        """Show a schedule, with other fields of `ChartContent`, and which of its jobs are the document's."""
        schedule, workload = outcome.schedule, self._document.workload
        fields["places"], fields["failed"] = places_in(schedule, workload), getattr(outcome, "time", None)
        fields |= self._stages.selection_in(schedule)
        shown = schedule, fields.get("ghost")
        by_pool, prepared = self._rows.is_by_pool(*shown), getattr(outcome, "rows", ())
        prepared = (*prepared, *self._rows.by_pool(*shown))
        self._charts[scenario_id].set_schedule(schedule, by_pool, prepared, **fields)

    def _show_scenario(self, scenario_id: int) -> Outcome | None:
        """Show what holds without a schedule, and return the outcome that is there."""
        scenario, outcome = self._document.scenario(scenario_id), self._runner.outcome(scenario_id)
        view, is_record = self._charts[scenario_id], scenario.choice.is_record
        is_old = outcome is not None and not has_same_jobs(outcome.schedule, self._document.workload)
        view.set_order(() if is_record or is_old else self._order_of(scenario, outcome))  # () drags nothing
        view.change(title=title_in(self._document.state, scenario))
        return outcome

    def _update_shared(self) -> None:
        """Update what all charts share: the extent of time, colours by the baseline's queue, the legend."""
        outcomes = {scenario_id: self._runner.outcome(scenario_id) for scenario_id in self._charts}
        ends = [outcome.makespan for outcome in outcomes.values() if outcome] + self.stack.other_ends()
        ends += [view.content.end for view in self._charts.values() if view.content.failed is not None]
        ends += [] if not ends or (now := now_of(self._document.workload)) is None else [now]
        forecasts = (view.content.forecast for view in self._charts.values())
        later = [row.half[1] for each in forecasts if each is not None for row in each.rows]
        veil, marked_end = self._view_state.veil, self._view_state.end_line.seconds or 0.0
        if ends:
            end = max(veil.visible_extent(max(ends)), 1e-9, marked_end, *later)
            self._axis.set_extent(0.0, end, NO_FOLD if veil.is_down else self._fold(end))
            self._view_state.time_cursor.set_end(veil.visible_end(max(ends)))
        workload, baseline = self._document.workload, self._document.baseline
        places = queue_places(it.schedule, workload) if (it := outcomes.get(baseline)) else None
        self.colours.follow(places, [outcome.schedule for outcome in outcomes.values() if outcome])
        classes = self.colours.classes
        for scenario_id, view in self._charts.items():
            view.change(classes=classes, veil=veil.since(scenario_id))
        self._rows.match_lanes(self._charts.values())
        shown, selected = (view.content.rows for view in self._charts.values()), self._selected_job()
        self.legend.show_jobs([*workload.job_index], classes, shown, selected, is_veiled=veil.is_down)

    def _fold(self, end: float) -> Fold:
        """Return the stretches of time in which nothing runs in any chart, and whether they are folded."""
        rows = [view.content.rows for view in self._charts.values()]
        idle = folded(idle_stretches(each.busy for each in rows if each is not None), end)
        return idle if self._view_state.idle is IdleStretches.FOLDED else replace(idle, pleat=0.0)

    def _selected_job(self) -> int:
        return self._document.workload.job_index.get(self._view_state.selected_job or "", -1)

    # ---- what the user does in a chart

    def _on_clicked(self, scenario_id: int, job: int) -> None:
        """Select a job and the task of it that was clicked; what is selected already is left."""
        state, task = self._view_state, self._charts[scenario_id].clicked_task
        self.stack.press(scenario_id)  # a key of the chart may have selected it
        job = self._document_job(scenario_id, job)
        name = self._document.workload.jobs[job].name if job >= 0 else None
        is_old = self._runner.is_stale(scenario_id) or self._runner.outcome(scenario_id) is None
        chosen = None if task < 0 or is_old else SelectedTask(scenario_id, task)  # it may have another number
        if (name, chosen) == (state.selected_job, state.selected_task):
            name = chosen = None
        state.select_job(name)
        state.select_task(chosen)

    def _on_slot_clicked(self, scenario_id: int, slot: int, seconds: float) -> None:
        """Draw a folded stretch that is clicked as long as it is; pass on what is clicked elsewhere."""
        if self._axis.fold.is_folded and self._axis.fold.stretch_at(seconds) is not None:
            self._view_state.toggle_idle_time()
        else:
            self.slot_clicked.emit(scenario_id, slot, seconds)

    def _on_hovered(self, scenario_id: int, facts: object) -> None:
        schedule, workload = _schedule_in(self._charts[scenario_id]), self._document.workload
        task: int = getattr(facts, "task", -1)
        is_there = task >= 0 and (schedule is None or has_same_tasks(schedule, workload))
        self._view_state.hover(HoveredTask(scenario_id, task) if is_there else None)

    def _on_changed(self, scenario_id: int) -> None:
        if scenario_id in self._charts:  # else it is being made
            content = self._charts[scenario_id].content
            self.headers.set_contents(scenario_id, amount_text(content), remarks(content))

    def _document_job(self, scenario_id: int, job: int) -> int:
        """Return the document's index of a chart's job, -1 for none."""
        schedule = _schedule_in(self._charts[scenario_id])
        return job if schedule is None else document_job(schedule, job, self._document.workload)

    def _on_context_requested(self, scenario_id: int, place: QPoint, job: int) -> None:
        self.context_requested.emit(scenario_id, place, self._document_job(scenario_id, job))

    def _on_previewed(self, scenario_id: int, order: Sequence[str]) -> None:
        self._runner.preview(scenario_id, order, moved=(self.views[scenario_id].hands.dragged,))

    def _on_dropped(self, scenario_id: int, order: Sequence[str]) -> None:
        dragged = self.views[scenario_id].hands.dragged or None
        self._editor.drop_order(scenario_id, order, self.job_order(scenario_id), dragged)
        self._runner.end_preview(scenario_id)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll the charts where the wheel turns over the axis."""
        QApplication.sendEvent(self.stack.verticalScrollBar(), event)


def _schedule_in(view: GanttView) -> Schedule | None:
    return None if view.content.rows is None else view.content.rows.schedule
