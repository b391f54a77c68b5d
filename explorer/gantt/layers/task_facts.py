"""The description of one task: for the card under the pointer and for the inspector."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.charts.row_columns import kept_with_rows
from core.explain.explanation_words import listed
from core.explain.overlap_marks import overlap_marks
from core.measures.hidden_shuffle import shuffle_parts
from core.measures.job_ends import lateness
from core.model.stages import MAP_REDUCE
from core.model.task_types import KIND_WORDS, MAP
from core.model.time_text import clock_text, duration_text
from core.model.visible_text import visible
from core.shared_scans.shared_schedule import sharing_jobs
from explorer.gantt.layers.layer import MAX_NAMED_JOBS
from explorer.gantt.layers.loans import lender_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.charts.schedule_rows import ScheduleRows
    from core.model.job import Job
    from core.model.schedule import Schedule


@dataclass(frozen=True, slots=True)
class TaskFacts:
    """One task of a schedule.

    Attributes
    ----------
    job, job_name : index and name of its job
    task : its index in the workload
    kind : type of slot that it is for, one of `core.model.stages.TASK_TYPES`
    number, count : its number among the job's tasks of its kind, from 1, and how many those are
    wave : from 1
    slot_name : as the chart names it
    start, waited, shuffled, end : seconds; maps wait and shuffle for no time; a filler waits for the end of
        its job's maps until `waited`
    is_filler : whether it started before its job's map stage ended
    sharing : how many tasks share the pixel it was found under
    is_borrowed : whether the slot is meant for the other kind of task
    pool : name of the pool that its job is in, where rows belong to pools, or empty
    lender : name of the pool that lends it the slot, or empty
    held : how long a lazy start held it back, in seconds; 0 for not at all
    is_pulled : whether a batch finish pulled it forward
    slowed : how much longer a map took for the maps beside it on its node, in seconds
    reads : how much longer a map took for reading its input from another node, in seconds
    host, outcome : in a recorded run: where it ran, and how it ended; else empty
    reported : how long after its slot was given on the log reports its end, in seconds; 0 for not later
    sharing_jobs : other jobs that it scans its block for, or empty
    deadline : whether its job meets its deadline, or by how much it does not; empty without one
    stage_name : of a job that is no MapReduce job; empty else
    hidden : what of its shuffle hides behind the maps, in seconds
    pointed : the time that is pointed at; not a number for none
    """

    job: int
    job_name: str
    task: int
    kind: int
    number: int
    count: int
    wave: int
    slot_name: str
    start: float
    waited: float
    shuffled: float
    end: float
    is_filler: bool
    sharing: int = 1
    pool: str = ""
    deadline: str = ""
    is_borrowed: bool = False
    lender: str = ""
    held: float = 0.0
    is_pulled: bool = False
    slowed: float = 0.0
    reads: float = 0.0
    sharing_jobs: str = ""
    host: str = ""
    outcome: str = ""
    reported: float = 0.0
    stage_name: str = ""
    hidden: float = 0.0
    pointed: float = math.nan

    @property
    def title(self) -> str:
        """Job and task in one line."""
        if self.stage_name:
            return f"{self.job_name} · {self.stage_name} · task {self.number} of {self.count}"
        return f"{self.job_name} · {KIND_WORDS[self.kind]} {self.number} of {self.count}"

    def lines(self) -> list[tuple[str, str]]:
        """Return names and values, in the order in which they are shown."""
        found = [
            *([("pool", self.pool)] if self.pool else []),
            *([("outcome", self.outcome), ("host", self.host)] if self.host else []),
            ("slot", self.slot_name),
            *([("lent by", self.lender)] if self.lender else []),
            ("wave", str(self.wave)),
            ("start", clock_text(self.start, largest=self.end)),
            *([("held back", duration_text(self.held))] if self.held else []),
            ("end", clock_text(self.end)),
            *([("reported", f"{duration_text(self.reported)} later")] if self.reported else []),
            *([("scans for", self.sharing_jobs)] if self.sharing_jobs else []),
        ]
        if self.deadline:
            found.append(("deadline", self.deadline))
        if self.stage_name and self.shuffled == self.waited and not self.is_filler:
            return [*found, ("duration", duration_text(self.end - self.start))]
        if self.kind == MAP and not self.stage_name:
            slowed = [("slowed by", duration_text(self.slowed))] if self.slowed else []
            reads = [("remote read", duration_text(self.reads))] if self.reads else []
            return [*found, ("duration", duration_text(self.end - self.start)), *slowed, *reads]
        if self.is_filler:
            what = "waits for stages" if self.stage_name else "waits for maps"
            found.append((what, duration_text(self.waited - self.start)))
        seen = self.shuffled - self.waited
        if self.hidden:
            found.append(
                ("shuffle hidden", f"{duration_text(self.hidden)} of {duration_text(seen + self.hidden)}")
            )
        found.append(("first shuffle" if self.is_filler else "shuffle", duration_text(seen)))
        work = "duration" if self.stage_name else "reduce"
        return [*found, (work, duration_text(self.end - self.shuffled))]

    def _pointed_part(self) -> str:
        """Return what part of a shuffle is pointed at, or nothing."""
        if not self.start <= self.pointed < self.shuffled or (self.stage_name and not self.hidden):
            return ""
        if self.pointed < self.waited:
            hidden = duration_text(self.hidden)
            return f"here it waits for maps and copies meanwhile: {hidden} hidden" if self.hidden else ""
        seen = duration_text(self.shuffled - self.waited)
        if self.is_filler:
            return f"here is what of its shuffle the maps do not hide: {seen}"
        return f"here is a whole shuffle, of which no map hides anything: {seen}"

    def note(self) -> str:
        """Return what is special about it, or nothing."""
        if self.sharing > 1:
            return f"{self.sharing} tasks under this pixel"
        if part := self._pointed_part():
            return part
        if self.is_borrowed:
            return f"borrowed {KIND_WORDS[1 - self.kind]} slot"
        if self.is_pulled:
            return "pulled forward by batch finish"
        if self.slowed:
            return "slowed by maps on its node"
        if self.reads:
            return f"reads {duration_text(self.reads)} from another node"
        if self.held:
            return "held back by lazy start"
        if self.reported:
            return "the log reports its end after its slot was given on"
        if self.is_filler and self.stage_name:
            return "started before the stages that it waits for had ended"
        return "filler: started before the maps ended" if self.is_filler else ""


def task_facts(rows: ScheduleRows, place: int, sharing: int = 1, pointed: float = math.nan) -> TaskFacts:
    """Gather the facts of the task at a place in the row columns, at a time that is pointed at."""
    schedule, task = rows.schedule, int(rows.task[place])
    record, slot = schedule.record, int(schedule.slot[task])
    columns = schedule.workload.columns
    stages, stage = columns.stages, int(columns.stage[task])
    job, kind = int(columns.job[task]), int(columns.kind[task])
    waits = len(stages.parents_of(stage)) > 0
    start, shuffled = float(schedule.start[task]), float(schedule.shuffled[task])
    marks, group = overlap_marks(schedule), rows.group_of(job)
    ready = float(rows.coloured.stage_end[stage if rows.has_graphs else job])
    waited = min(max(ready, start), shuffled) if waits else start
    return TaskFacts(
        job=job,
        job_name=visible(schedule.workload.jobs[job].name),
        task=task,
        kind=kind,
        number=task - int(stages.first[stage]) + 1,
        count=int(stages.count[stage]),
        wave=rows.wave(task),
        slot_name=schedule.cluster.slot_name(slot),
        start=start,
        waited=waited,
        shuffled=shuffled,
        end=float(schedule.end[task]),
        is_filler=waits and start < ready,
        sharing=sharing,
        pool=rows.groups[group].name if group >= 0 else "",
        is_borrowed=bool(schedule.is_borrowed[task]),
        lender=lender_of(rows, task),
        held=start - float(marks.held_since[job]) if marks.is_held[task] else 0.0,
        is_pulled=bool(marks.is_pulled[task]),
        slowed=schedule.slowed(task),
        reads=schedule.reads_for(task),
        host=record.host_of_slot(slot) if record else "",
        outcome=record.outcome(int(record.attempt[task])) if record else "",
        reported=record.late_by(int(record.attempt[task])) if record else 0.0,
        sharing_jobs=_sharing_jobs_text(schedule, task),
        deadline=deadline_text(float(lateness(schedule)[job])),
        hidden=float(hidden_shuffles(rows)[task]),
        pointed=pointed,
        stage_name=_stage_name(schedule.workload.jobs[job], int(stages.number[stage])),
    )


@kept_with_rows
def hidden_shuffles(rows: ScheduleRows) -> NDArray[np.float64]:
    """Return what of each task's shuffle hides behind maps, in seconds, (tasks,)."""
    return shuffle_parts(rows.schedule).hidden


def _stage_name(job: Job, number: int) -> str:
    """Return the name of a stage, nothing for maps and reduces."""
    return "" if job.graph is MAP_REDUCE else visible(job.graph.name(number))


def _sharing_jobs_text(schedule: Schedule, task: int) -> str:
    """Name the jobs that a map serves beside its own."""
    names = [visible(schedule.workload.jobs[job].name) for job in sharing_jobs(schedule, task)[1:]]
    return listed(names, MAX_NAMED_JOBS) if names else ""


def deadline_text(late: float) -> str:
    """Return in words whether a deadline is met; nothing for none (see `core.measures.compare`)."""
    if late == -math.inf:
        return ""
    return f"late by {duration_text(late)}" if late > 0 else "met"
