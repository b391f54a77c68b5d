"""Shows what an explanation names: a task, a job, an instant, a stretch of time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.explain.instant import place_of_start
from explorer.document.view_state import SelectedTask

if TYPE_CHECKING:
    from core.explain.lints.finding import Finding
    from core.model.schedule import Schedule
    from explorer.document.time_axis import TimeAxis
    from explorer.document.view_state import ViewState
    from explorer.explain.decision_view import Difference
    from explorer.explain.explanations import GoTo

AIR = 0.15
"""Time beside a stretch that one is taken to, as a share of it."""


class Jumps:
    """What a click upon an explanation does."""

    def __init__(self, view_state: ViewState, axis: TimeAxis) -> None:
        self._view_state, self._axis = view_state, axis

    def to_task(self, scenario_id: int, schedule: Schedule, task: int) -> None:
        """Select a task and look at the instant of its start."""
        job = int(schedule.workload.columns.job[task])
        self._view_state.activate_scenario(scenario_id)
        self._view_state.select_job(schedule.workload.jobs[job].name)
        self._view_state.select_task(SelectedTask(scenario_id, task))
        self.to_time(float(schedule.start[task]))

    def follow(self, link: GoTo, scenario_id: int, schedule: Schedule | None) -> None:
        """Go where a link of an explanation leads; its tasks are those of a scenario's schedule."""
        if link.task >= 0 and schedule is not None:
            self.to_task(scenario_id, schedule, link.task)
        elif link.job:
            self.to_job(link.job)
        elif link.seconds is not None:
            self.to_time(link.seconds)

    def to_difference(self, difference: Difference) -> None:
        """Select the task that starts next in the first of two scenarios, and look at where they part."""
        divergence, side = difference.divergence, difference.sides[0]
        if divergence is None:
            return
        self.to_task(side.scenario_id, side.schedule, divergence.tasks[0])
        if divergence.times[0] == divergence.time:
            self.to_time(*place_of_start(side.schedule, divergence.start))
        else:
            self.to_time(divergence.time)

    def to_finding(self, finding: Finding, job: str) -> None:
        """Show the time of a finding, with its job selected and the cursor at its beginning."""
        self.to_span(finding.begin, finding.end)
        self._view_state.select_job(job or None)
        self._view_state.select_task(None)

    def to_job(self, name: str) -> None:
        """Select a job."""
        self._view_state.select_job(name)
        self._view_state.select_task(None)

    def to_time(self, seconds: float, decision: int = 0) -> None:
        """Look at an instant."""
        self._view_state.time_cursor.show_at(seconds, decision)

    def to_span(self, begin: float, end: float) -> None:
        """Show a stretch of time with some air, and look at its beginning."""
        air = (end - begin) * AIR
        if end > begin:
            self._axis.show_span(begin - air, end + air)
        self.to_time(begin)
