"""The stages above the rows of all charts: which one is selected, in which order they go, whether folded."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.model.stage_order import renumbered
from explorer.document.schedule_jobs import chart_job, document_job
from explorer.document.view_state import SelectedStage, StagesAbove

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from explorer.document.editor import Editor
    from explorer.document.view_state import ViewState
    from explorer.gantt.gantt_view import GanttView
    from explorer.simulation.runner import Runner


class StagesInCharts(QObject):
    """Follows clicks on stages, and what is selected and folded.

    Signals
    -------
    clicked : id of the scenario in whose chart a stage was clicked, before it is selected
    """

    clicked = Signal(int)

    def __init__(
        self,
        editor: Editor,
        runner: Runner,
        view_state: ViewState,
        charts: Mapping[int, GanttView],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._editor, self._document, self._runner = editor, editor.document, runner
        self._view_state, self._charts = view_state, charts
        view_state.stages_changed.connect(self._fold)

    def follow(self, scenario_id: int, view: GanttView) -> None:
        """Let a chart show what is chosen, and report clicks."""
        view.stage_clicked.connect(partial(self._on_clicked, scenario_id))
        view.stages_folded.connect(self._on_fold_wanted)
        view.stages_previewed.connect(partial(self._on_previewed, scenario_id))
        view.stages_dropped.connect(partial(self._on_dropped, scenario_id))
        view.change(folds_stages=self._are_folded)

    def selection_in(self, schedule: Schedule | None) -> dict[str, int]:
        """Return which job and which stage are selected, as fields of a chart's content."""
        workload, chosen = self._document.workload, self._view_state.selected_stage
        job = chart_job(schedule, workload.job_index.get(self._view_state.selected_job or "", -1), workload)
        stage = -1
        if chosen is not None and schedule is not None and job >= 0:
            first, last = schedule.workload.columns.stages.begin[job : job + 2].tolist()
            stage = first + chosen.number if first + chosen.number < last else -1
        return {"selected_job": job, "selected_stage": stage}

    @property
    def _are_folded(self) -> bool:
        return self._view_state.stages is StagesAbove.FOLDED

    def _fold(self) -> None:
        for view in self._charts.values():
            view.change(folds_stages=self._are_folded)

    def _on_fold_wanted(self) -> None:
        self._view_state.stages = StagesAbove.SHOWN if self._are_folded else StagesAbove.FOLDED

    def _on_clicked(self, scenario_id: int, stage: int) -> None:
        """Select a stage with its job; one that is selected already is left."""
        self.clicked.emit(scenario_id)
        rows, state = self._charts[scenario_id].content.rows, self._view_state
        chosen = None
        if stage >= 0 and rows is not None:
            stages, workload = rows.schedule.workload.columns.stages, self._document.workload
            job = document_job(rows.schedule, int(stages.job[stage]), workload)
            if job >= 0:
                chosen = SelectedStage(workload.jobs[job].name, int(stages.number[stage]))
        if chosen is None or chosen == state.selected_stage:
            state.select_job(None)
        else:
            state.select_task(None)
            state.select_stage(chosen)

    def _ordered(self, scenario_id: int, job: int, order: Sequence[int]) -> tuple[int, Workload] | None:
        """Return a job's index in the document, and the workload with its stages in another order."""
        rows, workload = self._charts[scenario_id].content.rows, self._document.workload
        index = -1 if rows is None else document_job(rows.schedule, job, workload)
        if index < 0 or len(workload.jobs[index].stages) != len(order):
            return None
        jobs = list(workload.jobs)
        jobs[index] = renumbered(jobs[index], order)
        return index, workload.with_jobs(jobs)

    def _on_previewed(self, scenario_id: int, job: int, order: Sequence[int]) -> None:
        ordered = self._ordered(scenario_id, job, order)
        if ordered is not None:
            self._runner.preview(scenario_id, workload=ordered[1])

    def _on_dropped(self, scenario_id: int, job: int, order: Sequence[int]) -> None:
        """Number the stages so, in one step; what was selected stays so."""
        ordered, chosen = self._ordered(scenario_id, job, order), self._view_state.selected_stage
        if ordered is not None:
            name = ordered[1].jobs[ordered[0]].name
            self._editor.set_workload(ordered[1], f"Serve the stages of {name} in another order")
            if chosen is not None and chosen.job == name:
                self._view_state.select_stage(SelectedStage(name, list(order).index(chosen.number)))
        self._runner.end_preview(scenario_id)
