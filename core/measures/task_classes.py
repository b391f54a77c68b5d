"""Sorting tasks into few classes, as charts colour them: by stage, outcome, wait, or how far off a record.

Classes of several schedules are the same, so that a colour means the same in all of them.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from core.measures.job_classes import OF_JOBS, ClassedBy, JobClass, JobClasses, job_classes
from core.model.time_text import duration_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from core.model.schedule import Schedule
    from core.model.workload import Workload

LOWEST, HIGHEST = 0.05, 0.95
"""Classes of waits lie between these quantiles; what is beyond is in the first or the last one."""
CLASSES = 5
MAX_LOOKED_AT = 200_000
"""Of more tasks every so many-th is looked at to find where classes begin."""
SHARES = (-0.6, -0.2, 0.2, 0.6)
"""Where classes of differences begin, as parts of the difference that nearly all stay below."""
ORDINALS = ("1st", "2nd", "3rd", "4th")


def classes_by(
    workload: Workload,
    by: ClassedBy,
    places: NDArray[np.int64] | None = None,
    schedules: Sequence[Schedule] = (),
) -> JobClasses:
    """Sort jobs into classes, or the tasks of schedules.

    Parameters
    ----------
    places : the place of each job in the order in which they come, (jobs,); the workload's order if None
    schedules : those that are shown together; a recorded one among them is what others differ from
    """
    if by in OF_JOBS or by is ClassedBy.BEST:
        return job_classes(workload, by, places)
    names, of_tasks = _FINDERS[by](workload, schedules)
    nothing = np.full(len(workload.jobs), -1)
    classes = tuple(JobClass(name, 0) for name in names)
    return JobClasses(by, classes, nothing, np.zeros_like(nothing), of_tasks)


def main_classes(classes: JobClasses, schedule: Schedule) -> NDArray[np.int64]:
    """Return the class of each job: that of most of its tasks where they are of several, the first of equals.

    Parameters
    ----------
    schedule : one of the jobs that were classed; its tasks are what is counted

    Returns
    -------
    int64 (jobs,); -1 for a job without tasks where classes are of tasks

    Examples
    --------
    By stage, a job of 12 maps and 4 reduces is of the class of maps.
    """
    if classes.of_tasks is None:
        return classes.of_job
    shape = len(schedule.workload.jobs), len(classes.classes)
    of_task = np.clip(classes.of_tasks(schedule), 0, shape[1] - 1)
    places = schedule.workload.columns.job.astype(np.int64) * shape[1] + of_task
    counts = np.bincount(places, minlength=shape[0] * shape[1]).reshape(shape)
    return np.where(counts.any(axis=1), counts.argmax(axis=1), -1)


Found = tuple[list[str], "Callable[[Schedule], NDArray[np.int64]]"]


def _by_stage(workload: Workload, _schedules: Sequence[Schedule]) -> Found:
    """Return maps and reduces or, of graphs, how many stages a task waits for in turn."""
    if workload.is_map_reduce:
        return ["map", "reduce"], lambda schedule: schedule.workload.columns.kind.astype(np.int64)
    deepest = min(int(_depths(workload).max(initial=0)), len(ORDINALS))
    names = [f"{ORDINALS[depth]} stage" for depth in range(min(deepest + 1, len(ORDINALS)))]
    if deepest == len(ORDINALS):
        names.append("later stages")
    return names, partial(_depth_of_tasks, deepest)


def _depths(workload: Workload) -> NDArray[np.int64]:
    stages = workload.columns.stages
    depths: NDArray[np.int64] = stages.heads(np.ones(len(stages.job)), np.zeros(len(workload.jobs))).astype(
        np.int64
    )
    return depths


def _depth_of_tasks(deepest: int, schedule: Schedule) -> NDArray[np.int64]:
    depths = np.minimum(_depths(schedule.workload), deepest)
    found: NDArray[np.int64] = depths[schedule.workload.columns.stage]
    return found


def _by_outcome(workload: Workload, _schedules: Sequence[Schedule]) -> Found:
    """Return what ended in time and what was late, where jobs have deadlines; else all is alike."""
    names = ["done"] if np.isinf(workload.columns.deadline).all() else ["in time", "after the deadline"]
    return names, partial(_lateness, len(names))


def _lateness(classes: int, schedule: Schedule) -> NDArray[np.int64]:
    columns = schedule.workload.columns
    late: NDArray[np.int64] = (schedule.end > columns.deadline[columns.job]).astype(np.int64)
    return late if classes > 1 else np.zeros_like(late)


def task_waits(schedule: Schedule) -> NDArray[np.float64]:
    """Return how long each task waited from the arrival of its job to its start, in seconds, (tasks,)."""
    waits: NDArray[np.float64] = schedule.start - schedule.arrival[schedule.workload.columns.job]
    return np.where(np.isfinite(waits), np.maximum(waits, 0.0), 0.0)


def _by_wait(_workload: Workload, schedules: Sequence[Schedule]) -> Found:
    waits = _sampled([task_waits(schedule) for schedule in schedules])
    if not len(waits):
        return ["no wait"], lambda schedule: np.zeros(schedule.tasks, np.int64)
    low, high = np.quantile(waits, [LOWEST, HIGHEST]).tolist()
    edges = sorted({_rounded(low + (high - low) * part / CLASSES) for part in range(1, CLASSES)} - {0.0})
    if high - low <= 1e-9 * max(high, 1.0) or not edges:
        return ["all alike"], lambda schedule: np.zeros(schedule.tasks, np.int64)
    texts = [duration_text(edge) for edge in edges]
    names = [f"up to {texts[0]}", *(f"to {text}" for text in texts[1:]), f"over {texts[-1]}"]
    return names, lambda schedule: np.searchsorted(edges, task_waits(schedule)).astype(np.int64)


def _by_deviation(_workload: Workload, schedules: Sequence[Schedule]) -> Found:
    """Return how much earlier or later tasks end than they did by a record."""
    record = next((schedule for schedule in schedules if schedule.record is not None), None)
    others = [schedule for schedule in schedules if schedule is not record]
    away = _sampled([np.abs(end_differences(schedule, record)) for schedule in others] if record else [])
    away = away[np.isfinite(away)]
    scale = float(np.quantile(away, HIGHEST)) if len(away) else 0.0
    if record is None or scale <= 0:
        return ["all alike"], lambda schedule: np.zeros(schedule.tasks, np.int64)
    near, far = _rounded(scale * SHARES[2]), _rounded(scale * SHARES[3])
    close, wide = duration_text(near), duration_text(far)
    names = [
        f"over {wide} earlier",
        f"over {close} earlier",
        f"within {close}",
        f"over {close} later",
        f"over {wide} later",
    ]
    return names, partial(_deviation, record, (-far, -near, near, far))


def _deviation(record: Schedule, edges: Sequence[float], schedule: Schedule) -> NDArray[np.int64]:
    away = np.nan_to_num(end_differences(schedule, record))
    return np.searchsorted(edges, away).astype(np.int64)


def end_differences(schedule: Schedule, record: Schedule) -> NDArray[np.float64]:
    """Return how much later each task ends than by a record, in seconds, (tasks,); nan where it has none.

    Tasks are the same if they have the same number in the same stage of the job of that name.
    """
    columns, theirs = schedule.workload.columns, record.workload.columns
    index = record.workload.job_index
    known = np.array([index.get(name, -1) for name in schedule.workload.job_index], np.int64)
    begin = np.where(known >= 0, theirs.stages.begin[known], -1)
    stage = begin[columns.stages.job] + columns.stages.number
    last = theirs.stages.begin[np.maximum(known, 0) + 1]
    has_stage = (known[columns.stages.job] >= 0) & (stage < last[columns.stages.job])
    stage = np.where(has_stage, stage, 0)
    has_task = has_stage[columns.stage] & (columns.number < theirs.stages.count[stage][columns.stage])
    task = np.where(has_task, theirs.stages.first[stage][columns.stage] + columns.number, 0)
    return np.where(has_task, schedule.end - record.end[task], np.nan)


def _sampled(values: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    every = np.concatenate(values) if values else np.zeros(0)
    return every[:: max(1, len(every) // MAX_LOOKED_AT)]


def _rounded(seconds: float) -> float:
    """Return a length of time that is short to write: 0.5, 2, 45, 90 s, 5 min."""
    steps = (0.1, 0.5, 1, 5, 15, 30, 60, 300, 900, 3600)
    step = next((step for step in reversed(steps) if seconds >= 4 * step), steps[0])
    return round(seconds / step) * step


_FINDERS: dict[ClassedBy, Callable[[Workload, Sequence[Schedule]], Found]] = {
    ClassedBy.STAGE: _by_stage,
    ClassedBy.OUTCOME: _by_outcome,
    ClassedBy.WAIT: _by_wait,
    ClassedBy.DEVIATION: _by_deviation,
}
