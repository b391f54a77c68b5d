"""What a step puts into the window beside its document: times, selection, panels, veil, labels and guests."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from explorer.document.view_state import RowsBy
from explorer.gantt.gantt_view import GanttView
from explorer.lessons.step_reader import pointers_of, selected_in
from explorer.scans.circle_chart import CircleChart
from explorer.scans.scan_story import Question, scan_stories
from explorer.widgets.details import DetailsPage
from explorer.widgets.worker import Worker
from explorer.window.area import Area
from explorer.window.charts.guest_pane import GuestPane

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMainWindow

    from core.lessons.shown_step import ShownStep
    from core.lessons.step_view import ChartPlace, StepView
    from explorer.gantt.geometry.chart_content import Pointer
    from explorer.lessons.lesson_pane import LessonPane
    from explorer.lessons.step_reader import ReadStep
    from explorer.scans.scan_story import ScanStory
    from explorer.widgets.theme import Theme
    from explorer.window.area import WindowModel
    from explorer.window.charts.chart_area import ChartArea

CIRCLES_PX = 190
METRIC = "average-response"
"""What FLEX would optimise; the other policies have no metric."""


def step_story(shown: ShownStep) -> ScanStory:
    """Return the story of a step's scans, as its last scenario shares them; raises as `scan_stories` does."""
    slots = shown.state.cluster.stage_slots[0]
    stories = scan_stories(Question(shown.state.workload, slots, METRIC, 0.0))
    policies = [scenario.choice.id for scenario in shown.state.scenarios]
    return max(stories, key=lambda each: policies.index(each.policy) if each.policy in policies else -1)


class StepStage(Area):
    """Shows one step at a time.

    Signals
    -------
    pictured : the circles of the step are there
    """

    pictured = Signal()

    def __init__(
        self,
        model: WindowModel,
        window: QMainWindow,
        *,
        pane: LessonPane,
        charts: ChartArea,
    ) -> None:
        super().__init__(model, window)
        self._charts = charts
        self.circles = CircleChart()
        self.circles.setAccessibleName("Datasets as circles")
        self.circles.setFixedHeight(CIRCLES_PX)
        self.circles.hide()
        pane.add_picture(self.circles)
        self._circle_worker = Worker(self, finished=self._show_circles)
        self._view_state.time_cursor.moved.connect(self._turn_circles)
        self._shown: ShownStep | None = None
        self._opened_docks: set[str] = set()
        self._runner.outcome_ready.connect(self._point)
        self._view_state.selected_job_changed.connect(self._select_in_guests)

    def show(self, shown: ShownStep, *, active: int, hidden_from: float) -> None:
        """Show a step whose document is there, veiled from a time on.

        `active` is the scenario that was left active, or -1.
        """
        self._shown, view, state = shown, shown.step.view, self._view_state
        self._put_guests(())
        state.rows = RowsBy(view.rows)
        state.activate_scenario(shown.state.scenarios[view.active].id if active < 0 else active)
        state.select_job(view.selected_job or None)
        self._show_times(view)
        self._show_docks(set(view.docks))
        self._request_circles(shown)
        self.veil(hidden_from)
        self._charts.stack.to_top()
        for scenario_id in self._charts.views:
            self._point(scenario_id)

    def clear(self) -> None:
        """Show nothing but the document."""
        self._shown = None
        self._circle_worker.cancel()
        self.circles.hide()
        self._put_guests(())
        self._view_state.veil.lift()
        for scenario_id in self._charts.views:
            self._point(scenario_id)

    def set_theme(self, theme: Theme) -> None:
        """Draw in other colours."""
        for pane in self._charts.stack.guests.values():
            pane.view.set_theme(theme)

    def _show_times(self, view: StepView) -> None:
        axis, cursor = self._axis, self._view_state.time_cursor
        if view.zoom is not None:
            axis.set_extent(0.0, max(axis.extent[1], view.zoom[1]), axis.fold)
            axis.show_span(*view.zoom)
        if view.cursor is not None:
            cursor.end = max(cursor.end, view.cursor[0])  # until the schedules are there
            cursor.show_at(*view.cursor)

    def _show_docks(self, wanted: set[str]) -> None:
        """Open the panels of a step, and close those of the step before."""
        pages = {page.objectName(): page for page in self._window.findChildren(DetailsPage)}
        for name in self._opened_docks - wanted:
            if name in pages:
                pages[name].shut()
        opened = {name for name in wanted & pages.keys() if not pages[name].is_open}
        for name in sorted(opened):
            pages[name].bring()
        self._opened_docks = opened | (self._opened_docks & wanted)

    def veil(self, seconds: float) -> None:
        """Veil the charts that the step hides from a time on; infinite lifts the veil."""
        shown, veil = self._shown, self._view_state.veil
        hidden = None if shown is None else shown.step.veil
        if shown is None or hidden is None or seconds == math.inf:
            veil.lift()
        else:
            hides = filter(hidden.hides, shown.charts)
            veil.hide_from(seconds, [chart_id(shown, place) for place in hides])

    def _point(self, scenario_id: int, _outcome: object = None) -> None:
        """Show the labels in the chart of a scenario."""
        shown, outcome = self._shown, self._runner.outcome(scenario_id)
        view = self._charts.views.get(scenario_id)
        pointers: tuple[Pointer, ...] = ()
        if shown is not None and outcome is not None:
            places = {chart_id(shown, place): place for place in shown.charts}
            if scenario_id in places:
                pointers = pointers_of(shown.step.view.marks, places[scenario_id], outcome.schedule)
        if view is not None and view.content.pointers != pointers:
            view.change(pointers=pointers)

    # ---- circles of shared scans

    def _request_circles(self, shown: ShownStep) -> None:
        """Have the datasets of a step computed as circles, if it shows them."""
        self._circle_worker.cancel()
        self.circles.setVisible(shown.step.view.scans is not None)
        if shown.step.view.scans is not None:
            self._circle_worker.start(partial(step_story, shown))

    def _show_circles(self, story: ScanStory) -> None:
        """Show the clocks of the last scenario that shares scans."""
        shown = self._shown
        if shown is None or shown.step.view.scans is None:
            return
        self.circles.show_story(story)
        self.circles.set_time(shown.step.view.scans)
        self.pictured.emit()

    def _turn_circles(self) -> None:
        """Let the clocks show what the time cursor looks at; under a veil it comes no further."""
        seconds = self._view_state.time_cursor.seconds
        if seconds is not None:
            self.circles.set_time(seconds)

    # ---- guests

    def _put_guests(self, panes: tuple[GuestPane, ...]) -> None:
        charts = self._charts
        if panes or charts.stack.guests:
            charts.stack.show_guests(panes)
            charts.refresh()

    def show_guests(self, read: ReadStep) -> None:
        """Show the guests of the step, which have been simulated."""
        self._put_guests(self._guest_panes(read))
        self._select_in_guests()

    def _select_in_guests(self) -> None:
        """Show the selected job in guests, too."""
        job = self._view_state.selected_job or ""
        for pane in self._charts.stack.guests.values():
            rows = pane.view.content.rows
            if rows is not None:
                pane.view.change(selected_job=selected_in(job, rows.schedule, is_guest=True))

    def _guest_panes(self, read: ReadStep) -> tuple[GuestPane, ...]:
        charts, state = self._charts, self._view_state
        shown, panes = read.simulated.shown, []
        for place, rows in zip([each for each in shown.charts if each.is_guest], read.guests, strict=True):
            view, title = GanttView(self._axis, charts.theme, charts), shown.title(place)
            view.change(title=title)
            pointers = pointers_of(shown.step.view.marks, place, rows.schedule)
            view.set_schedule(rows.schedule, prepared=(rows,), pointers=pointers)
            view.set_time_cursor(state.time_cursor, state.end_line)
            panes.append(GuestPane(title, view, charts))
        return tuple(panes)


def chart_id(shown: ShownStep, place: ChartPlace) -> int:
    """Return the id that the window has for a chart of a step: of its scenario, or of the guest."""
    return -1 - place.number if place.is_guest else shown.state.scenarios[place.number].id
