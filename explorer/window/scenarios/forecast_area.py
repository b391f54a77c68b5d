"""The forecast, wired to the document: it follows the time cursor and the active scenario."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFileDialog
from typing_extensions import override

from core.model.schedule import PolicyChoice
from core.model.time_text import clock_text
from core.model.under_way import now_of
from core.policies.registry import describe
from core.simulation.fork import fork_of
from explorer.document.edited_fields import POOL_FIELDS
from explorer.document.titles import title_in
from explorer.widgets.save_dialog import LAST_FOLDER
from explorer.widgets.template_mime import TemplateDrops
from explorer.widgets.worker import Worker
from explorer.window.panel_area import PanelArea

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QMainWindow

    from core.forecast.relief import Relief, TriedRelief
    from core.model.job import Job
    from explorer.forecast.forecast_panel import ForecastPanel
    from explorer.trace_database.library_window import LibraryWindow
    from explorer.widgets.details import DetailsDock
    from explorer.widgets.theme import Theme
    from explorer.window.area import WindowModel
    from explorer.window.charts.chart_area import ChartArea
    from explorer.window.files.document_files import DocumentFiles
    from explorer.window.files.document_work import OpenedDocument

FOLLOW_AFTER_MS = 150
"""So long after the last move of the cursor, or the last edit, the panel follows it."""
BEGIN_PART = 0.5
"""Of the makespan: where the time cursor is put if there is none."""


class ForecastArea(PanelArea["ForecastPanel"]):
    """Has forecasts drawn, and joins what is done in them to the document."""

    def __init__(
        self, model: WindowModel, window: QMainWindow, *, charts: ChartArea, details: DetailsDock
    ) -> None:
        super().__init__(model, window, details, "forecast", "Forecast")
        self._charts = charts
        self._library: LibraryWindow | None = None
        self._subject: object = None
        self._forecast_of = -1
        self._opening = Worker(self, threads=1, finished=self._on_opened, failed=self.failed)
        self._timer = QTimer(self, singleShot=True, interval=FOLLOW_AFTER_MS)
        self._timer.timeout.connect(self._follow)
        signals = (
            *(self._view_state.active_scenario_changed, self._view_state.time_cursor.moved),
            *(self._editor.edited, self._document.reset, self._runner.outcome_ready),
        )
        for signal in signals:
            signal.connect(self._timer.start)
        self._document.reset.connect(self._on_reset)
        charts.arrival_previewed.connect(self._on_arrival)
        charts.arrival_dropped.connect(self._on_arrival_dropped)
        charts.drag_cancelled.connect(partial(self._on_arrival_dropped, back=True))
        self._view_state.end_line.moved.connect(self._on_end_line)

    def join(self, files: DocumentFiles, library: LibraryWindow) -> None:
        """Follow the logs that are opened, and submit jobs of the trace library."""
        for opens in (files.opened, files.reloaded):
            opens.connect(self.follow_log)
        self._library = library
        library.submitted.connect(self._on_library)

    def follow_log(self, opened: OpenedDocument) -> None:
        """Put the time cursor where an unfinished log ends, and go on from there; a session has its own."""
        now = now_of(self._document.workload)
        record = next((each.id for each in self._document.scenarios if each.choice.is_record), None)
        if now is None or record is None or opened.layout:
            return
        cursor = self._view_state.time_cursor
        self._view_state.activate_scenario(record)
        cursor.end = max(cursor.end, now)  # until the schedules are there
        cursor.show_at(now)
        self.page.bring()

    @override
    def close(self) -> None:
        self._timer.stop()

    @override
    def _end(self) -> None:
        from explorer.forecast.forecast_panel import HELP

        assert self.panel is not None
        self._subject = None
        self.panel.show_reason(HELP)  # an answer holds a schedule

    @override
    def _made(self, colours: Theme) -> ForecastPanel:
        from explorer.forecast.forecast_panel import ForecastPanel  # only what forecasts loads it

        panel = ForecastPanel(colours, self._editor.in_turn.tried)
        panel.by = self._view_state.end_line.seconds
        panel.changed.connect(self._on_panel_changed)
        panel.jobs_wanted.connect(self._ask_for_jobs)
        if self._library is not None:
            TemplateDrops(panel).dropped.connect(self._library.submit_dragged)
        panel.added.connect(self._on_added)
        panel.chosen.connect(self._on_chosen)
        panel.shown.connect(self._on_shown)
        panel.relief_pointed.connect(self._on_shown)
        panel.relief_wanted.connect(self._on_relief)
        return panel

    @override
    def _follow(self) -> None:
        """Draw again if the schedule, the time or what is known of times are others."""
        active, panel = self._view_state.active_scenario, self.panel
        if panel is None or not self.page.is_open or not self._document.has_scenario(active):
            return
        outcome = self._runner.outcome(active)
        if outcome is None or panel.is_behind:
            return  # it follows when the schedule is there
        cursor = self._view_state.time_cursor
        if cursor.seconds is None:
            cursor.show_at(BEGIN_PART * outcome.schedule.makespan)
        seconds = cursor.seconds
        scenario, state = self._document.scenario(active), self._document.state
        policy = self._goes_on() if scenario.choice.is_record else None
        subject = (outcome.schedule, seconds, policy)
        if seconds is None or (*subject, *_asked(panel)) == self._subject:
            return
        self._forecast_of = active
        title = f"{title_in(state, scenario)}, from {clock_text(seconds)} on"
        if policy is not None:
            title += f" under {describe(policy.id).title}"
        panel.compute(outcome.schedule, seconds, title, policy)
        self._subject = (*subject, *_asked(panel))  # whether there are estimates goes by the schedule

    def _goes_on(self) -> PolicyChoice:
        """Return the policy that goes on with a record: that of the first scenario that has one."""
        from core.forecast.begin import DEFAULT_POLICY  # only what forecasts loads it

        simulated = (each.choice for each in self._document.scenarios if not each.choice.is_record)
        return next(simulated, DEFAULT_POLICY)

    def _on_panel_changed(self) -> None:
        """Follow what the user does in the panel; a drag at once, as soon as what is drawn is there."""
        assert self.panel is not None
        self._timer.start(0 if self.panel.place.is_held else FOLLOW_AFTER_MS)

    def _on_shown(self, pointed: TriedRelief | None = None) -> None:
        """Draw fact and forecast apart in the chart of the scenario, with what then comes of deadlines."""
        from core.charts.forecast_ends import ends_of, moved_from, with_relief  # only what forecasts loads it

        panel, ends = self.panel, None
        if panel is not None and panel.found is not None:
            ends = with_relief(ends_of(panel.found, panel.submission, panel.by), pointed)
            ends = moved_from(ends, panel.before)
            if panel.place.is_held:
                self._timer.start(0)  # with what was moved meanwhile
        self._charts.show_forecast(self._forecast_of, ends)

    def _on_relief(self, tried: TriedRelief) -> None:
        """Add a scenario in which something is done from the time of the forecast on."""
        assert self.panel is not None
        if self.panel.found is not None and self._document.has_scenario(self._forecast_of):
            self._try(self._do, tried.relief, self.panel.found.known.time)

    def _do(self, relief: Relief, time: float) -> None:
        scenario = self._document.scenario(self._forecast_of)
        if relief.kind == "weight":
            self._raise_weight(relief)
            return
        if relief.policy:
            choice = PolicyChoice(relief.policy)
            self._view_state.activate_scenario(self._editor.fork_scenario(scenario.id, time, choice))
            return
        title = f"{title_in(self._document.state, scenario)}, {relief.words} at {clock_text(time)}"
        beside = replace(scenario, title=title)
        if relief.cluster is not None:
            beside = replace(beside, cluster=relief.cluster)
        else:
            beside = replace(beside, order=relief.order, fork=fork_of(scenario, time))
        self._view_state.activate_scenario(self._editor.add_beside(scenario.id, beside))

    def _raise_weight(self, relief: Relief) -> None:
        """Give a job or a pool of the document the weight that was tried."""
        text = f"{relief.weight:g}"
        if relief.is_pool:
            weight = next(field for field in POOL_FIELDS if field.id == "weight")
            self._editor.edit_pool(relief.name, weight, text)
        else:
            self._editor.edit_job(self._document.workload.job_index[relief.name], "weight", text)

    def _on_end_line(self) -> None:
        """Say how likely all is over by the time that the user has set."""
        if self.panel is not None:
            self.panel.show_by(self._view_state.end_line.seconds)
            self._on_shown()

    # ---- jobs that are submitted

    def _on_arrival(self, _scenario: int, seconds: float) -> None:
        """Let what is submitted come so many seconds later, as it is dragged in the chart."""
        if self.panel is not None:
            self.panel.place.come_by(seconds)

    def _on_arrival_dropped(self, _scenario: int, *, back: bool = False) -> None:
        """Keep that, or go back to where the drag began."""
        if self.panel is not None and self.panel.place.is_held:
            self.panel.place.release(back=back)
            self._timer.start(0)

    def _on_reset(self) -> None:
        """Submit nothing to another document."""
        if self.panel is not None:
            self.panel.place.forget()

    def _ask_for_jobs(self) -> None:
        """Let the user draw a job by hand, or choose a file or jobs of the trace library."""
        from explorer.forecast.hand_job_dialog import HandJobDialog  # only what submits loads it

        dialog = HandJobDialog(self._window)
        dialog.drawn.connect(self.submit_job)
        dialog.file_wanted.connect(self._ask_for_file)
        if self._library is not None:
            dialog.library_wanted.connect(self._library.show_in_front)
        dialog.open()

    def submit_job(self, job: Job) -> None:
        """Submit a job at the time cursor."""
        if self.panel is not None:
            self.panel.submit((job,))

    def _ask_for_file(self) -> None:
        """Let the user choose a file, and submit its jobs at the time cursor."""
        chosen, _ = QFileDialog.getOpenFileName(
            self._window, "Submit jobs", LAST_FOLDER.place(), "Workloads and logs (*)"
        )
        if chosen:
            self.submit_file(chosen)

    def submit_file(self, path: str) -> None:
        """Submit the jobs of a workload or log at the time cursor."""
        self._opening.follow(partial(_jobs_of, path))

    def _on_opened(self, jobs: Sequence[Job]) -> None:
        if self.panel is not None:
            self.panel.submit(jobs)

    def _on_library(self, jobs: Sequence[Job]) -> None:
        """Submit jobs of the trace library at the time cursor, in the forecast."""
        self.page.bring()
        self._window.activateWindow()
        self._on_opened(jobs)

    def _on_added(self) -> None:
        """Add the jobs that are submitted to the document, where they come at the time of the forecast."""
        assert self.panel is not None
        found = self.panel.submission
        if found is None:
            return
        jobs = found.forecast.known.schedule.workload.jobs[found.others :]
        text = f"Add {jobs[0].name}" if len(jobs) == 1 else f"Add {len(jobs)} jobs"
        self.panel.submit(())
        self._try(self._editor.insert_jobs, jobs, None, text)

    def _on_chosen(self, name: str) -> None:
        """Select a job, unless it is none of the document's yet."""
        if name in self._document.workload.job_index:
            self._view_state.select_job(name)


def _asked(panel: ForecastPanel) -> tuple[object, ...]:
    """Return what a forecast of the same schedule depends on."""
    return panel.error, panel.runs_field.value(), panel.place.value, panel.place.is_held


def _jobs_of(path: str, progress: Callable[[float], None], should_stop: Callable[[], bool]) -> Sequence[Job]:
    """Return the jobs of a workload or log, in the thread."""
    from core.files.open_workload import open_workload

    return open_workload(path, progress=progress, should_stop=should_stop).workload.jobs
