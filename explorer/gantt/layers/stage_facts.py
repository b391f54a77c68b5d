"""The description of a stage, and of a part of the path over stages, for the card under the pointer."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from core.charts.stage_boxes import stage_bands
from core.charts.stage_names import stage_names
from core.explain.stage_path import NO_STAGE, PartKind, stage_waits
from core.measures.stage_spans import NO_JOB
from core.model.task_types import MAP
from core.model.time_text import clock_text, duration_text
from core.model.visible_text import visible
from explorer.gantt.geometry.chart_content import path_of

if TYPE_CHECKING:
    from core.charts.schedule_rows import ScheduleRows
    from core.explain.stage_path import PathPart

WAITED_FOR = {
    PartKind.SLOT: "waited for a slot",
    PartKind.CLOSED: "waited for an executor",
    PartKind.AWAY: "waited for a node",
    PartKind.HELD: "waited beside a free slot",
}


class StageFacts(NamedTuple):
    """A stage, or a part of the path, in words.

    Attributes
    ----------
    title : the first line
    job : index of the job
    stage : its number in the whole workload, or NO_STAGE
    known : names and values, in the order in which they are shown
    remark : the last line, or nothing
    """

    title: str
    job: int
    stage: int
    known: tuple[tuple[str, str], ...]
    remark: str = ""

    @property
    def kind(self) -> int:
        """Which tone of the job's colour: its own."""
        return MAP

    def lines(self) -> list[tuple[str, str]]:
        """Return names and values."""
        return list(self.known)

    def note(self) -> str:
        """Return the last line, or nothing."""
        return self.remark


def stage_name(rows: ScheduleRows, stage: int) -> str:
    """Return what a stage is called: "Q5 · stage 4"."""
    job = rows.schedule.workload.columns.stages.job[stage]
    return f"{visible(rows.schedule.workload.jobs[job].name)} · {stage_in_words(rows, stage)}"


def stage_in_words(rows: ScheduleRows, stage: int) -> str:
    """Return what a stage is called within its job: "stage 4", or its name."""
    name = stage_names(rows)[stage]
    return f"stage {name}" if name.isdecimal() else name


def stage_facts(rows: ScheduleRows, stage: int) -> StageFacts | None:
    """Return the description of a stage of the workload; None of one that has not run."""
    bands = stage_bands(rows)
    box = -1 if bands is None else int(bands.box_of[stage])
    if bands is None or box < 0:
        return None
    stages, path = rows.schedule.workload.columns.stages, path_of(rows)
    start, end = float(bands.boxes.start[box]), float(bands.boxes.end[box])
    known = (
        ("tasks", str(stages.count[stage])),
        ("first start", clock_text(start, largest=end)),
        ("last end", clock_text(end)),
        ("lasts", duration_text(end - start)),
        *_waited_for(rows, stage),
    )
    is_on_path = path is not None and stage in path.stages
    remark = "on the path to the end" if is_on_path else ""
    return StageFacts(stage_name(rows, stage), int(stages.job[stage]), stage, known, remark)


def _waited_for(rows: ScheduleRows, stage: int) -> list[tuple[str, str]]:
    """Return what a stage waited for: the end of another, or the driver, and then for a slot."""
    schedule = rows.schedule
    waits, job = stage_waits(schedule, stage), int(schedule.workload.columns.stages.job[stage])
    at = clock_text(waits.ready)
    if waits.parent != NO_STAGE:
        waited = duration_text(waits.ready - float(schedule.arrival[job]))
        guess = ", as inferred from the log" * _is_inferred(rows, waits.parent, stage)
        found = [
            ("waited for barrier", f"{stage_in_words(rows, waits.parent)}, until {at} ({waited}){guess}")
        ]
    elif waits.job_before != NO_JOB:
        before = visible(schedule.workload.jobs[waits.job_before].name)
        found = [("waited for driver", f"{duration_text(waits.think)} after {before}, until {at}")]
    else:
        found = [("job came", at)]
    return [*found, *((WAITED_FOR[part.kind], duration_text(part.seconds)) for part in waits.waits)]


def _is_inferred(rows: ScheduleRows, parent: int, child: int) -> bool:
    """Whether it is inferred, not logged, that one stage of the workload waits for the other."""
    workload = rows.schedule.workload
    stages = workload.columns.stages
    job = int(stages.job[child])
    first = int(stages.begin[job])
    edges = workload.jobs[job].graph.edges_to(child - first)
    return any(edge.inferred for edge in edges if edge.parent == parent - first)


def part_facts(rows: ScheduleRows, part: PathPart) -> StageFacts:
    """Return the description of a part of the path."""
    name = visible(rows.schedule.workload.jobs[part.job].name)
    titles = {
        PartKind.DRIVER: f"the driver thinks before {name}",
        PartKind.ARRIVAL: f"{name} has not come yet",
        PartKind.STAGE: stage_name(rows, part.stage) if part.stage != NO_STAGE else name,
    }
    waits = stage_name(rows, part.stage) if part.stage != NO_STAGE else name
    title = titles.get(part.kind, f"{waits} {_WAITS.get(part.kind, '')}")
    known = (
        ("from", clock_text(part.begin, largest=part.end)),
        ("to", clock_text(part.end)),
        ("lasts", duration_text(part.seconds)),
    )
    return StageFacts(title, part.job, NO_STAGE, known, "part of the path: its parts add up to the end")


_WAITS = {
    PartKind.SLOT: "waits for slots",
    PartKind.CLOSED: "waits for an executor",
    PartKind.AWAY: "waits for a node to return",
    PartKind.LOST: "runs, and that is lost",
    PartKind.HELD: "is held back beside a free slot",
}
