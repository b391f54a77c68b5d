"""The description of a task or a job, once for the workload and once per schedule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.explain.explanation_words import sentence_start
from core.measures.hidden_shuffle import hidden_of_job
from core.measures.stage_spans import stage_spans
from core.model.cell_text import cell_of
from core.model.number_text import grouped_digits
from core.model.service_levels import service_levels_text
from core.model.stages import MAP_REDUCE
from core.model.task_types import KIND_WORDS
from core.model.time_text import clock_text, duration_text
from core.shared_scans.shared_schedule import sharing_jobs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.model.job import Job, Link
    from core.model.schedule import Schedule
    from core.model.stages import Stage
    from core.model.workload import Workload

BY_OTHERS = "others scan it"
"""The slot of a map that did not run because its job rides along with other jobs' maps."""
EARLY = "{}; in the log its first task starts {} before that, as the clocks of hosts and scheduler differ"
"""The arrival of a job, and why a task of a record may start before it."""
MIN_EARLY_S = 0.5
"""Seconds before its job's arrival from which it is said that a task of a record starts too early."""
MAX_STAGES = 12
"""Stages of a job that are listed; of more the number is said."""
UNKNOWN = "…"
"""Stands for what a simulation that still runs will say."""


@dataclass(frozen=True, slots=True)
class Section:
    """A titled table: a name, then one value per column.

    Attributes
    ----------
    title : what it is about
    columns : headings of the values; empty if there is one value without heading
    rows : name and values of each line
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def to_text(self) -> str:
        """Return the table separated by tabs, with its title."""
        head = ["\t".join(("", *self.columns))] if self.columns else []
        rows = ("\t".join(map(cell_of, row)) for row in self.rows)
        return "\n".join([cell_of(self.title), *head, *rows])


def task_sections(workload: Workload, task: int, schedules: Mapping[str, Schedule | None]) -> list[Section]:
    """Describe one task (index in the columns of the workload as given) under each schedule, by title."""
    columns, stages = workload.columns, workload.columns.stages
    job, stage = int(columns.job[task]), int(columns.stage[task])
    waits, is_graph = len(stages.parents_of(stage)) > 0, workload.jobs[job].graph is not MAP_REDUCE
    number = task - int(stages.first[stage]) + 1
    word = "Task" if is_graph else KIND_WORDS[columns.kind[task]].capitalize()
    of_stage = f" of {workload.jobs[job].graph.name(int(stages.number[stage]))}" if is_graph else ""
    title = f"{word} {number} of {stages.count[stage]}{of_stage} of {workload.jobs[job].name}"
    phase = "Reduce phase" if waits and not is_graph else "Duration"
    own = [(phase, duration_text(float(columns.duration[task])))]
    waits = waits and (not is_graph or bool(columns.typical_shuffle[task] or columns.first_shuffle[task]))
    if waits:
        own.append(("First shuffle", duration_text(float(columns.first_shuffle[task]))))
        own.append(("Typical shuffle", duration_text(float(columns.typical_shuffle[task]))))
    names = ["Slot", "Wave", "Start", *(["Shuffle end"] if waits else []), "End", "Takes"]
    shares = any(schedule is not None and schedule.sharing is not None for schedule in schedules.values())
    names += ["Filler"] if waits else ["Serves"] if shares else []
    values = [_task_values(schedule, task, waits) for schedule in schedules.values()]
    return [Section(title, (), tuple(own)), _compared("When and where", names, schedules, values)]


def _task_values(schedule: Schedule | None, task: int, waits: bool) -> list[str] | None:
    if schedule is None:
        return None
    task = schedule.own_task(task)
    if task < 0:
        return [BY_OTHERS, *["–"] * 5] if schedule.before_sharing is not None else None
    start, shuffled, end = (
        float(column[task]) for column in (schedule.start, schedule.shuffled, schedule.end)
    )
    slot = schedule.cluster.slot_name(int(schedule.slot[task]))
    slot += ", borrowed" if schedule.is_borrowed[task] else ""
    slot += f" on {schedule.record.host_of_slot(int(schedule.slot[task]))}" if schedule.record else ""
    values = [slot, str(wave(schedule, task)), clock_text(start)]
    if waits:
        values.append(clock_text(shuffled))
    values += [clock_text(end), duration_text(end - start)]
    if waits:
        values.append(_filler_text(schedule, task, start))
    else:
        values.append(", ".join(schedule.workload.jobs[job].name for job in sharing_jobs(schedule, task)))
    return values


def _filler_text(schedule: Schedule, task: int, start: float) -> str:
    """Return whether a task started before all that it waits for had ended."""
    job, stage = (
        int(each[task]) for each in (schedule.workload.columns.job, schedule.workload.columns.stage)
    )
    if schedule.workload.jobs[job].graph is MAP_REDUCE:
        return "yes, before its maps ended" if start < schedule.stage_end[job] else "no"
    is_early = start < stage_spans(schedule).ready[stage]
    return "yes, before the stages that it waits for ended" if is_early else "no"


def wave(schedule: Schedule, task: int) -> int:
    """Return which wave a task belongs to, from 1: one more than its kin before it on its slot."""
    columns, slot = schedule.workload.columns, int(schedule.slot[task])
    neighbours = schedule.by_slot.tasks[schedule.by_slot.offsets[slot] : schedule.by_slot.offsets[slot + 1]]
    before = neighbours[: int(np.flatnonzero(neighbours == task)[0])]
    kin = (columns.job[before] == columns.job[task]) & (columns.kind[before] == columns.kind[task])
    return int(np.count_nonzero(kin)) + 1


def job_sections(workload: Workload, name: str, schedules: Mapping[str, Schedule | None]) -> list[Section]:
    """Describe one job and when it runs under each schedule, by title."""
    job, index = workload.jobs[workload.job_index[name]], workload.job_index[name]
    partitioned = any(each is not None and each.partition is not None for each in schedules.values())
    rows = [
        *_stage_rows(job),
        *([] if job.after else [("Arrival", _arrival_text(job, index, schedules))]),
        *(("Follows", link_text(link)) for link in job.after),
        ("Deadline", "none" if job.deadline is None else clock_text(job.deadline)),
        *([] if partitioned else [("Pool", job.pool)]),
        ("Weight", f"{job.weight:g}"),
    ]
    shuffled = "" if job.shuffle_bytes is None else f"{grouped_digits(job.shuffle_bytes / 1e6, 6)} MB"
    levels = service_levels_text(job.service_levels)
    more = (
        ("Service levels", levels),
        ("User", job.user),
        ("Dataset", job.dataset or ""),
        ("Shuffled data", shuffled),
    )
    rows += [(label, text) for label, text in more if text]
    of_maps = ["Maps end"] if job.graph is MAP_REDUCE else []
    of_maps += ["Shuffle hidden"] if _has_shuffle(job) else []
    names = ["First task", *of_maps, "Finish", "Response"]
    names += ["Deadline"] if job.deadline is not None else []
    values = [_job_values(schedule, job, index) for schedule in schedules.values()]
    if partitioned:  # which pool a job is in differs from scenario to scenario, as in the cards of the charts
        names.append("Pool")
        pools = [_pool_of(schedule, job) for schedule in schedules.values()]
        values = [each and [*each, pool] for each, pool in zip(values, pools, strict=True)]
    return [Section(f"Job {name}", (), tuple(rows)), _compared("When it runs", names, schedules, values)]


def _pool_of(schedule: Schedule | None, job: Job) -> str:
    if schedule is None or schedule.partition is None:
        return job.pool
    return schedule.partition.names[schedule.partition.place_of(job.name)]


def link_text(link: Link) -> str:
    """Return which job another follows: "J1, 3.0 s after its end, inferred from a log"."""
    inferred = ", inferred from a log" if link.inferred else ""
    return f"{link.job}, {duration_text(link.think)} after its end{inferred}"


def _arrival_text(job: Job, index: int, schedules: Mapping[str, Schedule | None]) -> str:
    """Return when a job arrives, and why a record may have a task of it before that."""
    text = clock_text(job.arrival)
    for schedule in schedules.values():
        if schedule is not None and schedule.record is not None and _has_job(schedule, job, index):
            early = float(schedule.arrival[index] - schedule.job_start[index])
            if early >= MIN_EARLY_S:
                return EARLY.format(text, duration_text(early))
    return text


def _has_job(schedule: Schedule, job: Job, index: int) -> bool:
    return index < len(schedule.workload.jobs) and schedule.workload.jobs[index].name == job.name


def _job_values(schedule: Schedule | None, job: Job, index: int) -> list[str] | None:
    if schedule is None or not _has_job(schedule, job, index):
        return None
    finish, arrival = float(schedule.finish[index]), float(schedule.arrival[index])
    values = [
        clock_text(float(schedule.job_start[index])),
        *_map_end(schedule, job, index),
        clock_text(finish),
        duration_text(finish - arrival),
    ]
    if job.deadline is not None:
        late = finish - job.deadline
        values.append("met" if late <= 0 else f"late by {duration_text(late)}")
    return values


def _map_end(schedule: Schedule, job: Job, index: int) -> list[str]:
    """Return when the maps of a MapReduce job end, and what they hide; nothing for another job."""
    if job.graph is not MAP_REDUCE:
        return []
    ends = clock_text(float(schedule.stage_end[index])) if job.maps.count else "–"
    if not _has_shuffle(job):
        return [ends]
    hidden, whole = hidden_of_job(schedule, index)
    return [ends, f"{duration_text(hidden)} of {duration_text(whole)}"]


def _has_shuffle(job: Job) -> bool:
    """Whether a job's reduces copy what its maps made, so that maps may hide it."""
    if job.graph is not MAP_REDUCE:
        return False
    return bool(job.maps.count and job.reduces.count and job.reduces.typical_shuffle.any())


def _stage_rows(job: Job) -> list[tuple[str, str]]:
    """Return what each stage of a job is: so many tasks of so many seconds."""
    if job.graph is MAP_REDUCE:
        return [
            ("Maps", _stage_text(job.maps)),
            ("Reduces", _stage_text(job.reduces)),
            ("First shuffle", _spread(job.reduces.first_shuffle) if job.reduces.count else "–"),
            ("Typical shuffle", _spread(job.reduces.typical_shuffle) if job.reduces.count else "–"),
        ]
    listed = [
        (sentence_start(job.graph.name(number)), _stage_text(stage))
        for number, stage in enumerate(job.stages[:MAX_STAGES])
    ]
    more = len(job.stages) - MAX_STAGES
    return [*listed, ("Further stages", str(more))] if more > 0 else listed


def _compared(
    title: str,
    names: Sequence[str],
    schedules: Mapping[str, Schedule | None],
    values: Sequence[Sequence[str] | None],
) -> Section:
    """Put the values of the schedules side by side; one that is not known yet shows dots."""
    known = [[UNKNOWN] * len(names) if column is None else column for column in values]
    rows = tuple((name, *(column[i] for column in known)) for i, name in enumerate(names))
    return Section(title, tuple(schedules), rows)


def _stage_text(stage: Stage) -> str:
    return f"{stage.count} × {_spread(stage.durations)}" if stage.count else "none"


def _spread(samples: np.ndarray[tuple[int], np.dtype[np.float64]]) -> str:
    low, mean, high = (float(value) for value in (samples.min(), samples.mean(), samples.max()))
    if low == high:
        return duration_text(mean)
    return f"{duration_text(mean)} ({duration_text(low)} to {duration_text(high)})"
