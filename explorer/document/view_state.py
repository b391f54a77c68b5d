"""What the user looks at: selection, hover and appearance, shared by all parts of the window; no undo."""

from __future__ import annotations

import math
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from PySide6.QtCore import QObject, Signal

from core.measures.job_classes import ClassedBy
from core.model.execution_history import SlotsBy
from explorer.document.time_axis import EndLine, TimeCursor
from explorer.document.veil import Veil

if TYPE_CHECKING:
    from explorer.document.document import Document


class ThemeChoice(StrEnum):
    """Light or dark, or as the system has it."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class Arrangement(StrEnum):
    """How the charts of the scenarios lie."""

    STACKED = "stacked"
    SIDE_BY_SIDE = "side by side"


class RowsBy(StrEnum):
    """What the rows of a chart are: the slots, or rows of the pools that share the slots."""

    SLOT = "slot"
    POOL = "pool"


class RowHeights(StrEnum):
    """How high the rows of a chart are: at least so that each is seen, or so that all are in view."""

    SCROLLED = "scrolled"
    FITTED = "fitted"


class StagesAbove(StrEnum):
    """Whether the stages of jobs stand above the rows where there is a graph to show, or are folded away."""

    SHOWN = "shown"
    FOLDED = "folded"


class IdleStretches(StrEnum):
    """Whether long stretches of time in which nothing runs are folded, or drawn as long as they are."""

    FOLDED = "folded"
    DRAWN = "drawn"


class EstimateMarks(StrEnum):
    """Whether charts and comparison mark the makespans that are estimated without simulating."""

    HIDDEN = "hidden"
    SHOWN = "shown"


class HoveredTask(NamedTuple):
    """The task under the mouse: in which scenario's chart, and its index in the workload's columns."""

    scenario_id: int
    task: int


class SelectedTask(NamedTuple):
    """The task that explanations are about: in which scenario, and its index in the workload's columns."""

    scenario_id: int
    task: int


class SelectedStage(NamedTuple):
    """The stage that stands out: the name of its job, and its number there."""

    job: str
    number: int


class SelectedIdle(NamedTuple):
    """An idle slot that explanations are about: in which scenario, its number, and the seconds it idles."""

    scenario_id: int
    slot: int
    begin: float
    end: float


Choice = TypeVar("Choice", bound=StrEnum)


class _Chosen(Generic[Choice]):
    """One of the user's choices; a signal called after it reports changes."""

    def __init__(self, first: Choice) -> None:
        self._first = first

    def __set_name__(self, _owner: type, name: str) -> None:
        self._name = name

    def __get__(self, view_state: ViewState, _owner: type) -> Choice:
        chosen: Choice = view_state.__dict__.get(self._name, self._first)
        return chosen

    def __set__(self, view_state: ViewState, choice: Choice) -> None:
        if choice != self.__get__(view_state, ViewState):
            view_state.__dict__[self._name] = choice
            getattr(view_state, f"{self._name}_changed").emit()


class ViewState(QObject):
    """The one selection of a window; stays valid whatever happens to the document.

    A scenario that comes becomes the active one, also by undo and redo; when the active one goes, the one
    before it does.
    Every setter returns at once if nothing differs, else stores and announces.

    Attributes
    ----------
    time_cursor : the instant that is looked at in all charts
    end_line : the time by which all is to end, in all charts
    veil : hides what comes after a time
    theme, colour_by, arrangement, rows, row_heights, record_rows, estimate_marks, stages, idle : what the
        user chose to see; assigning another one announces it
    selected_job : name of the job that is shown everywhere, or None
    selected_stage : the stage of the selected job that stands out, or None
    selected_task : the task of the selected job that explanations are about, or None
    selected_idle : the idle slot that explanations are about, or None
    active_scenario : id of the scenario that edits of the order go to
    hovered : the task under the mouse, or None

    Signals
    -------
    selected_job_changed, selected_stage_changed, selected_task_changed : read the property
    selected_idle_changed : likewise
    active_scenario_changed, hovered_changed : likewise
    folded_changed : id of a scenario; read `folded_in`
    theme_changed, colour_by_changed, arrangement_changed, rows_changed, row_heights_changed : likewise
    record_rows_changed, estimate_marks_changed, stages_changed, idle_changed : likewise
    """

    selected_job_changed = Signal()
    selected_stage_changed = Signal()
    selected_task_changed = Signal()
    selected_idle_changed = Signal()
    active_scenario_changed = Signal()
    hovered_changed = Signal()
    folded_changed = Signal(int)
    theme_changed = Signal()
    colour_by_changed = Signal()
    arrangement_changed = Signal()
    rows_changed = Signal()
    row_heights_changed = Signal()
    record_rows_changed = Signal()
    estimate_marks_changed = Signal()
    stages_changed = Signal()
    idle_changed = Signal()

    theme = _Chosen(ThemeChoice.SYSTEM)
    colour_by = _Chosen(ClassedBy.BEST)
    arrangement = _Chosen(Arrangement.STACKED)
    rows = _Chosen(RowsBy.SLOT)
    row_heights = _Chosen(RowHeights.FITTED)
    record_rows = _Chosen(SlotsBy.JOB)
    estimate_marks = _Chosen(EstimateMarks.HIDDEN)
    stages = _Chosen(StagesAbove.SHOWN)
    idle = _Chosen(IdleStretches.FOLDED)

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.time_cursor = TimeCursor(self)
        self.end_line = EndLine(self)
        self.veil = Veil(self)
        self._names = self._job_names()
        self.selected_job: str | None = None
        self.selected_stage: SelectedStage | None = None
        self.selected_task: SelectedTask | None = None
        self.selected_idle: SelectedIdle | None = None
        self.active_scenario = self._first_simulated()
        self._scenarios = self._scenario_ids()
        self.hovered: HoveredTask | None = None
        self._folded: dict[int, frozenset[str]] = {}
        document.workload_changed.connect(self._on_workload_changed)
        document.scenarios_changed.connect(self._on_scenarios_changed)
        document.scenario_came.connect(self.activate_scenario)
        document.reset.connect(self._on_reset)

    def select_job(self, name: str | None) -> None:
        """Select a job; None, or a name that no job has, selects none. What is of another job is left."""
        name = name if name in self._document.workload.job_index else None
        if name != self.selected_job:
            self.selected_job = name
            self.select_task(None)
            self.select_stage(None)
            self.selected_job_changed.emit()

    def let_go(self) -> None:
        """Select nothing: no job, task, stage or idle slot."""
        self.select_job(None)
        self.select_task(None)
        self.select_stage(None)
        self.select_idle(None)

    def toggle_idle_time(self) -> None:
        """Fold long stretches of idle time, or draw them as long as they are."""
        self.idle = IdleStretches.DRAWN if self.idle is IdleStretches.FOLDED else IdleStretches.FOLDED

    def select_stage(self, stage: SelectedStage | None) -> None:
        """Select a stage and with it its job; None, or a stage that is not there, selects none."""
        workload = self._document.workload
        if stage is not None:
            index = workload.job_index.get(stage.job, -1)
            if index < 0 or not 0 <= stage.number < len(workload.jobs[index].stages):
                stage = None
        if stage is not None:
            self.select_job(stage.job)
        if stage != self.selected_stage:
            self.selected_stage = stage
            self.selected_stage_changed.emit()

    def select_task(self, task: SelectedTask | None) -> None:
        """Select a task, and no idle slot; its job has to be selected before."""
        self.select_idle(None)
        if task != self.selected_task:
            self.selected_task = task
            self.selected_task_changed.emit()

    def select_idle(self, idle: SelectedIdle | None) -> None:
        """Select an idle slot, and no task; None for none."""
        if idle != self.selected_idle:
            if idle is not None:
                self.select_task(None)
            self.selected_idle = idle
            self.selected_idle_changed.emit()

    def activate_scenario(self, scenario_id: int) -> None:
        """Make a scenario the active one; an id that is gone is ignored."""
        if scenario_id != self.active_scenario and self._document.has_scenario(scenario_id):
            self.active_scenario = scenario_id
            self.active_scenario_changed.emit()

    def folded_in(self, scenario_id: int) -> frozenset[str]:
        """Names of the pools of rows that are folded into one row in a scenario's chart."""
        return self._folded.get(scenario_id, frozenset())

    def fold(self, scenario_id: int, names: frozenset[str]) -> None:
        """Fold these pools of rows in a scenario's chart, and no others."""
        if names != self.folded_in(scenario_id):
            self._folded[scenario_id] = names
            self.folded_changed.emit(scenario_id)

    def hover(self, task: HoveredTask | None) -> None:
        """Set which task is under the mouse."""
        if task != self.hovered:
            self.hovered = task
            self.hovered_changed.emit()

    def values(self) -> dict[str, Any]:
        """Return what is looked at as a JSON value, for sessions."""
        task, stage, cursor = self.selected_task, self.selected_stage, self.time_cursor
        return {
            "active_scenario": self.active_scenario,
            "selected_job": self.selected_job,
            "selected_stage": None if stage is None else [stage.job, stage.number],
            "selected_task": None if task is None else [task.scenario_id, task.task],
            "row_heights": self.row_heights.value,
            "folded": {
                str(scenario.id): sorted(self.folded_in(scenario.id))
                for scenario in self._document.scenarios
                if self.folded_in(scenario.id)
            },
            "cursor": None if cursor.seconds is None else [cursor.seconds, cursor.decision],
        }

    def restore(self, values: object) -> None:
        """Restore the view of a session; what is damaged, or not there any more, is left."""
        if not isinstance(values, dict):
            return
        if isinstance(values.get("active_scenario"), int):
            self.activate_scenario(values["active_scenario"])
        self._restore_selection(values)
        if values.get("row_heights") in list(RowHeights):
            self.row_heights = RowHeights(values["row_heights"])
        match values.get("folded"):
            case dict() as folded:
                for known in self._document.scenarios:
                    names = folded.get(str(known.id))
                    if isinstance(names, list) and all(isinstance(name, str) for name in names):
                        self.fold(known.id, frozenset(names))
        match values.get("cursor"):
            case [int() | float() as seconds, int(decision)] if 0 <= seconds < math.inf and decision >= 0:
                self.time_cursor.end = max(self.time_cursor.end, seconds)  # until the schedules are there
                self.time_cursor.show_at(float(seconds), decision)

    def _restore_selection(self, values: dict[str, Any]) -> None:
        if isinstance(values.get("selected_job"), str):
            self.select_job(values["selected_job"])
        match values.get("selected_stage"):
            case [str(job), int(number)] if job == self.selected_job:
                self.select_stage(SelectedStage(job, number))
        match values.get("selected_task"):
            case [int(scenario), int(task)] if self._has_task(scenario, task):
                self.select_task(SelectedTask(scenario, task))

    def _has_task(self, scenario: int, task: int) -> bool:
        """Whether a scenario has a task of the selected job; what a log recorded has others."""
        workload = self._document.workload
        if self.selected_job is None or not self._document.has_scenario(scenario):
            return False
        job = workload.columns.job
        is_record = self._document.scenario(scenario).choice.is_record
        return not is_record and 0 <= task < len(job) and job[task] == workload.job_index[self.selected_job]

    def _job_names(self) -> tuple[str, ...]:
        return tuple(self._document.workload.job_index)

    def _on_workload_changed(self) -> None:
        before, self._names = self._names, self._job_names()
        self.hover(None)  # indices of tasks mean others now
        self.select_task(None)
        stage = self.selected_stage
        if self.selected_job is not None:
            self.select_job(_followed(self.selected_job, before, self._names))
        if stage is not None and self.selected_job is not None:  # it may have been renamed, or have fewer
            self.select_stage(SelectedStage(self.selected_job, stage.number))

    def _scenario_ids(self) -> tuple[int, ...]:
        return tuple(scenario.id for scenario in self._document.scenarios)

    def _on_scenarios_changed(self) -> None:
        before, self._scenarios = self._scenarios, self._scenario_ids()
        if self.active_scenario not in self._scenarios:
            earlier = before[: before.index(self.active_scenario)]
            left = [scenario for scenario in earlier if scenario in self._scenarios]
            self.activate_scenario((left or self._scenarios)[-1 if left else 0])
        if self.hovered is not None and not self._document.has_scenario(self.hovered.scenario_id):
            self.hover(None)
        selected = self.selected_task or self.selected_idle
        if selected is not None and not self._document.has_scenario(selected.scenario_id):
            self.select_task(None)

    def _on_reset(self) -> None:
        self._names, self._scenarios = self._job_names(), self._scenario_ids()
        self._folded.clear()
        self.hover(None)
        self.select_task(None)
        self.select_job(None)
        self.time_cursor.hide()
        self.end_line.hide()
        self.active_scenario = self._first_simulated()
        self.veil.lift()
        self.active_scenario_changed.emit()

    def _first_simulated(self) -> int:
        """Return the first scenario that can be edited: what a log recorded cannot."""
        scenarios = self._document.scenarios
        return next((s.id for s in scenarios if not s.choice.is_record), scenarios[0].id)


def _followed(selected: str, before: tuple[str, ...], after: tuple[str, ...]) -> str | None:
    """Return what the selected job is called now: its new name if just that was changed, None if it left."""
    if selected in after:
        return selected
    if len(before) == len(after):
        return after[before.index(selected)]
    return None
