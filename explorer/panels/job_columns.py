"""The columns of the jobs table: what each shows, in what words and with which unit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt

from core.model.stages import MAP_REDUCE
from core.model.time_text import duration_text, exact_clock, exact_duration
from core.model.visible_text import visible
from explorer.document.edited_fields import job_field
from explorer.panels.facts import link_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.job import Job
    from core.model.workload import Workload

MAX_LISTED = 3
"""Durations are listed in a cell up to this many; more are shown by their mean."""


@dataclass(frozen=True, slots=True)
class JobColumn:
    """One column.

    Attributes
    ----------
    field_id : the field of a job that it edits (see `job_fields`); empty for its place and its end
    title : its heading
    help : what it means, with the unit
    is_number : whether it is aligned to the right
    form : "" for a column of all jobs, "maps" for one of MapReduce jobs, "stages" for one of other jobs,
        "links" for one of jobs that follow others, "changes" where there is a baseline to compare with
    text : returns what stands in a cell that cannot be edited
    """

    field_id: str
    title: str
    help: str
    is_number: bool = True
    form: str = ""
    text: Callable[[Job], str] | None = None

    @property
    def is_times(self) -> bool:
        """Whether it holds one duration per task."""
        return self.field_id.endswith(("durations", "shuffle"))

    def is_of(self, job: Job) -> bool:
        """Whether a job has what the column shows."""
        if self.form == "links":
            return bool(job.after)
        return self.form in ("", "changes") or (job.graph is MAP_REDUCE) == (self.form == "maps")


def _work(job: Job) -> str:
    seconds = (stage.task_durations.sum() + stage.task_typical_shuffle.sum() for stage in job.stages)
    return duration_text(float(sum(seconds)))


COLUMNS = (
    JobColumn(
        "", "#", "Place in the order of the active scenario. Drag rows to change it, or Alt+Up and Alt+Down."
    ),
    JobColumn("name", "Job", "Name of the job; every job has its own.", is_number=False),
    JobColumn(
        "",
        "Change",
        "How much later (+) or earlier (−) the job is done in the active scenario than in the baseline.",
        form="changes",
    ),
    JobColumn("", "Ends", "When the job is done in the active scenario, from the start of the workload."),
    JobColumn("map_count", "Maps", "Number of map tasks.", form="maps"),
    JobColumn(
        "map_durations",
        "Map time",
        "Duration of a map task in seconds: one number, or a list such as 4, 5, 6.",
        form="maps",
    ),
    JobColumn("reduce_count", "Reduces", "Number of reduce tasks.", form="maps"),
    JobColumn(
        "first_shuffle",
        "First shuffle",
        "For reduces that start before the job's last map ends: seconds of shuffle after that end. "
        "One number, or a list.",
        form="maps",
    ),
    JobColumn(
        "typical_shuffle",
        "Shuffle",
        "For reduces that start after the job's last map: seconds of their whole shuffle (typical shuffle). "
        "One number, or a list.",
        form="maps",
    ),
    JobColumn(
        "reduce_durations",
        "Reduce time",
        "Duration of a reduce task after its shuffle, in seconds: one number, or a list such as 4, 5, 6.",
        form="maps",
    ),
    JobColumn("", "Stages", "Number of stages.", form="stages", text=lambda job: str(len(job.graph))),
    JobColumn("", "Tasks", "Tasks of all stages.", form="stages", text=lambda job: str(job.task_count)),
    JobColumn("", "Work", "Slot time of all tasks with their shuffles.", form="stages", text=_work),
    JobColumn(
        "",
        "Follows",
        "The job that has to end before this one arrives. One that is inferred was guessed from a log.",
        is_number=False,
        form="links",
        text=lambda job: ", ".join(f"{link.job}{' (inferred)' * link.inferred}" for link in job.after),
    ),
    JobColumn(
        "think",
        "Think",
        "Seconds from the end of the job that this one follows until it arrives.",
        form="links",
    ),
    JobColumn("arrival", "Arrival", "When the job arrives, in seconds from the start of the workload."),
    JobColumn(
        "deadline", "Deadline", "When the job should be done, in seconds from the start; empty for none."
    ),
    JobColumn(
        "pool",
        "Pool",
        "Pool that the job belongs to; some policies share the slots among pools.",
        is_number=False,
    ),
    JobColumn("weight", "Weight", "Share of the job relative to others, for policies that share slots."),
    JobColumn(
        "service_levels",
        "SLA",
        "Service levels as seconds:cost. 300:1, 900:5 says that the job costs 1 if done later than 300 s "
        "from the start, 5 if later than 900 s. For the SLA metrics of shared scans; empty for the levels "
        "of the policy.",
        is_number=False,
    ),
)
PLACE, NAME, CHANGE, END = 0, 1, 2, 3
POOLS_ROLE = Qt.ItemDataRole.UserRole
"""Of a cell: the names of all pools, for its editor to offer."""


def row_texts(job: Job) -> tuple[str, ...]:
    """Return what the cells of a job's row show; nothing for its place in the order and its end."""
    return tuple(visible(_cell_text(job, column)) for column in COLUMNS)


MIN_CHANGE = 5e-4
"""Seconds: what is shown as no change."""


def is_change(seconds: float) -> bool:
    """Whether a change of when a job is done is one, and no rounding."""
    return abs(seconds) > MIN_CHANGE


def later_words(seconds: float) -> str:
    """Say a change in words: "done 12 s earlier than in the baseline"."""
    if not is_change(seconds):
        return "done when it is in the baseline"
    return f"done {duration_text(abs(seconds))} {'later' if seconds > 0 else 'earlier'} than in the baseline"


def forms_of(workload: Workload) -> frozenset[str]:
    """Return the forms of columns that some job has (see `JobColumn.form`)."""
    graphs = {id(job.graph): job.graph for job in workload.jobs}.values()
    forms = {"maps" if graph is MAP_REDUCE else "stages" for graph in graphs}
    return frozenset(forms | ({"links"} if len(workload.columns.links) else set()))


def _cell_text(job: Job, column: JobColumn) -> str:
    if not column.is_of(job):
        return "–"
    if not column.field_id:
        return column.text(job) if column.text else ""
    if column.field_id == "arrival" and job.after:
        first, *others = job.after
        return (
            f"{duration_text(first.think)} after {first.job}"
            if not others
            else f"after {len(job.after)} jobs"
        )
    if column.is_times:
        return _times_text(job, column)
    field = job_field(column.field_id)
    if column.field_id in ("arrival", "deadline"):
        value = field.read(job)
        return "–" if value is None else exact_clock(float(str(value)))
    return field.text(job) or "–"


def cell_help(job: Job, column: JobColumn) -> str:
    """Return what the tooltip of a cell adds: spread and readable times."""
    if column.field_id == "arrival" and job.after:
        return "; ".join(link_text(link) for link in job.after)
    if not column.is_of(job):
        return "its stages are shown above the slots"
    if column.is_times:
        samples = _samples(job, column)
        if _is_one_value(samples):
            return duration_text(float(samples[0]))
        low, mean, high = (duration_text(float(x)) for x in (samples.min(), samples.mean(), samples.max()))
        return f"{len(samples)} values from {low} to {high}, mean {mean}"
    if column.field_id in ("arrival", "deadline"):
        value = job_field(column.field_id).read(job)
        return "No deadline" if value is None else exact_clock(float(str(value)))
    if column.field_id == "service_levels" and not job.service_levels:
        return "No service levels of its own"
    return _cell_text(job, column)


def _times_text(job: Job, column: JobColumn) -> str:
    if not (job.maps if column.field_id.startswith("map") else job.reduces).count:
        return "–"
    samples = _samples(job, column)
    if _is_one_value(samples):
        return exact_duration(float(samples[0]))
    if len(samples) <= MAX_LISTED:
        return ", ".join(duration_text(float(value)) for value in samples)
    return f"mean {duration_text(float(samples.mean()))}"


def _samples(job: Job, column: JobColumn) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    samples = job_field(column.field_id).read(job)
    if not isinstance(samples, np.ndarray):
        raise TypeError(f"{column.field_id} holds no durations")
    return samples


def _is_one_value(samples: np.ndarray[tuple[int], np.dtype[np.float64]]) -> bool:
    return bool((samples == samples[0]).all())
