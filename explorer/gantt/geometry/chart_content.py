"""What a chart shows, as one value: a schedule with its ghost, title, marks and colours."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from core.charts.chart import DrawnChart, round_end
from core.charts.row_columns import kept_with_rows
from core.explain.explanation_words import job_names
from core.explain.stage_path import is_complete, path_words, stage_path
from core.measures.busy_slots import most_busy_slots
from core.measures.job_ends import lateness
from core.model.execution_history import UNDER_WAY
from core.model.number_text import grouped
from core.model.time_text import clock_text, duration_text, makespan_text
from core.model.visible_text import short_names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from core.charts.forecast_ends import ForecastEnds
    from core.charts.schedule_rows import ScheduleRows
    from core.explain.critical_path import CriticalPath
    from core.explain.stage_path import StagePath
    from core.model.schedule import Schedule
    from explorer.document.view_state import SelectedIdle

NOTHING_YET = "Nothing scheduled yet"
DESCRIBED = frozenset(("rows", "comparison", "empty_text", "outdated", "veil"))
"""The fields that a chart's description tells of."""


@dataclass(frozen=True)
class Pointer:
    """A label that points at something in a chart.

    Attributes
    ----------
    text : what it says
    task : index of the task that it points at in the schedule, or -1
    job : index of the job that it points at, at its largest part in view, or -1
    slot : number of the slot that it points at, or -1
    seconds : when; None for the whole job or task
    is_gap : whether it is the stretch around that time in which the slot idles
    """

    text: str
    task: int = -1
    job: int = -1
    slot: int = -1
    seconds: float | None = None
    is_gap: bool = False


@dataclass(frozen=True, eq=False)
class ChartContent(DrawnChart):
    """What one chart of the window shows.

    Attributes
    ----------
    ghost : the rows of an older schedule to show beside it, or None
    comparison : its change against the baseline, as text with a sign in front
    estimates : further times to mark with dashed lines, with their labels
    lower_bound : no schedule that keeps the premise can end before, in seconds, or None
    premise : of which schedules that is so, in words
    selected_job : index of the job that stands out, or -1
    selected_stage : number of the stage that stands out in the whole workload, or -1
    selected_task : index of the task that is outlined, or -1
    selected_idle : the idle slot that is outlined, or None
    empty_text : what to say where nothing is shown
    compact : leave out what small charts have no room for
    for_audience : on paper, a slide or a wall, where nobody can click: no words on what to do
    critical_path : why the makespan is what it is, with the schedule that it belongs to, or None
    failed : when the run failed, in seconds, of which the schedule is all that there is; None if it did not
    outdated : why the schedule is not the newest one, as words; empty while it is
    pointers : labels that point at tasks, gaps and places
    decisions : times of decisions to mark above the rows, ascending seconds, or None
    folds_stages : whether the bands of stages above the rows are folded away
    pointed_class : number of the class that stands out, or -1
    forecast : from when on all is a forecast, and when jobs then end; None for no forecast
    lanes : how many rows the lane of each pool has to be high for, by its name (see `band_names`)
    """

    ghost: ScheduleRows | None = None
    comparison: str = ""
    estimates: tuple[tuple[str, float], ...] = ()
    lower_bound: float | None = None
    premise: str = ""
    selected_job: int = -1
    selected_stage: int = -1
    selected_task: int = -1
    selected_idle: SelectedIdle | None = None
    empty_text: str = NOTHING_YET
    compact: bool = False
    for_audience: bool = False
    critical_path: tuple[Schedule, CriticalPath] | None = None
    failed: float | None = None
    outdated: str = ""
    pointers: tuple[Pointer, ...] = ()
    decisions: NDArray[np.float64] | None = None
    folds_stages: bool = False
    pointed_class: int = -1
    forecast: ForecastEnds | None = None
    lanes: Mapping[str, int] = field(default_factory=dict)

    @property
    def strip_ghost(self) -> ScheduleRows | None:
        """The older schedule where it is drawn in strips below the rows: not below those of pools of jobs."""
        ghost, rows = self.ghost, self.rows
        can_be_drawn = ghost and rows and not rows.is_grouped and ghost.is_alike(rows)
        return ghost if can_be_drawn else None

    @property
    def shown_critical_path(self) -> CriticalPath | None:
        """The critical path, if it belongs to the schedule that is shown: a preview has another one."""
        if self.critical_path is None or self.rows is None or self.is_veiled:
            return None
        return self.critical_path[1] if self.critical_path[0] is self.rows.schedule else None

    @property
    def job_names(self) -> tuple[str, ...]:
        """The jobs' names without what they all start with, to fit into small places."""
        return _job_names(self.rows) if self.rows else ()

    @property
    def late_texts(self) -> dict[int, str]:
        """The jobs that miss their deadlines, with their names and how late they are."""
        return late_texts(self.rows) if self.rows and not self.is_veiled else {}

    @cached_property
    def history_facts(self) -> tuple[str, ...]:
        """A recorded run in short; nothing of a simulated one."""
        record = self.rows.schedule.record if self.rows else None
        if record is None or self.is_veiled:
            return ()
        assert self.rows is not None
        counts = {look: record.count(look) for look in ("failed", "killed", UNDER_WAY)}
        hosts = len(record.run.hosts)
        return (
            "a record: edits do not change it",
            *([f"{hosts} {'host' if hosts == 1 else 'hosts'}"] if hosts else []),
            *(f"{number} {look}" for look, number in counts.items() if number),
            *([f"{record.not_placed} without an end"] if record.not_placed else []),
            *([used] if (used := _used_slots(self.rows)) else []),
        )

    @property
    def description(self) -> str:
        """What the chart shows, for screen readers."""
        if self.rows is None:
            return self.empty_text
        if self.is_veiled:
            return f"{self.jobs} jobs. What comes after {clock_text(self.veil)} is hidden"
        end = self.rows.schedule.makespan
        result = (
            f"failed at {clock_text(end)}" if self.failed is not None else f"makespan {makespan_text(end)}"
        )
        late = f"{len(self.late_texts)} late" if self.late_texts else ""
        parts = [f"{self.jobs} jobs, {result}", late, *self.history_facts, self.comparison]
        path = path_text(self.rows)
        parts += [f"On the path to the end: {path}" if path else "", self.outdated]
        return ". ".join(part for part in parts if part)

    @property
    def end(self) -> float:
        """When the last task ends; estimates further off have their flag at the border."""
        end = max((rows.schedule.makespan for rows in (self.rows, self.ghost) if rows), default=0.0)
        return round_end(end) if self.is_veiled else end


@kept_with_rows
def path_of(rows: ScheduleRows) -> StagePath | None:
    """Return the path over stages to the end; None without a graph to show, or while not all has ended."""
    schedule = rows.schedule
    return stage_path(schedule) if rows.has_stages_to_show and is_complete(schedule) else None


def path_text(rows: ScheduleRows) -> str:
    """Return what the path over stages is made of; nothing where there is none."""
    path = path_of(rows)
    return "" if path is None else path_words(path)


@kept_with_rows
def _used_slots(rows: ScheduleRows) -> str:
    """Return why a record has more slots than its cluster; nothing where it has not, or all were busy."""
    schedule = rows.schedule
    had, said = (
        [count for count in each.typed_slots if count]
        for each in (schedule.cluster, schedule.workload.cluster)
    )
    busy = most_busy_slots(schedule)
    if had == said or tuple(had) == busy:
        return ""
    slots, most = (" + ".join(grouped(count) for count in counts) for counts in (had, busy))
    return f"{slots} slots host by host, {most} busy at once at most"


@kept_with_rows
def _job_names(rows: ScheduleRows) -> tuple[str, ...]:
    return short_names(tuple(rows.schedule.workload.job_index))


@kept_with_rows
def names_in_sentences(rows: ScheduleRows) -> tuple[str, ...]:
    """Return what the jobs are called in a sentence: "job 0010"."""
    return job_names(rows.schedule.workload)


@kept_with_rows
def late_texts(rows: ScheduleRows) -> dict[int, str]:
    """Return the jobs that miss their deadlines, with their names and how late they are."""
    names, late = _job_names(rows), lateness(rows.schedule)
    return {
        int(job): f"{names[job]} late by {duration_text(float(late[job]))}"
        for job in np.flatnonzero(late > 0)
    }


def job_beside(content: ChartContent, order: tuple[str, ...], step: int) -> int:
    """Return the job that many places after the selected one, around the end; -1 if there is none.

    `order` are job names; the workload's order if it is empty.
    """
    if content.rows is None:
        return -1
    workload = content.rows.schedule.workload
    names = order or tuple(job.name for job in workload.jobs)
    jobs = [workload.job_index[name] for name in names if name in workload.job_index]
    if not jobs:
        return -1
    selected = content.selected_job
    at = jobs.index(selected) + step if selected in jobs else (0 if step > 0 else -1)
    return jobs[at % len(jobs)]
