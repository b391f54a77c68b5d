"""What a page says of schedules beside drawing them: figures, bounds, the critical path and notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from core.explain.causes import Cause
from core.explain.critical_path import critical_path
from core.files.packed_columns import in_ticks, packed_column
from core.measures.below_bound import bound_reason
from core.measures.compare import own_standing
from core.measures.metrics import measure
from core.model.time_text import change_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.explain.critical_path import PathLink
    from core.files.packed_columns import PackedColumn
    from core.model.schedule import Schedule

TICK, FINE_TICK, FINE_BELOW, MAX_TICKS = 1e-3, 1e-6, 10.0, 2**31
"""Times are whole milliseconds, or microseconds in runs shorter than so many seconds; runs of more ticks than
a script counts in 32 bits have ten times as long ones."""
MAX_PATH_TASKS = 300_000
"""The path of a schedule of more tasks is not looked for: it would take longer than the page."""
CAUSES = tuple(cause.value for cause in Cause)


def tick_of(longest: float) -> float:
    """Return how many seconds a tick has where the longest run takes so many."""
    if longest < FINE_BELOW:
        return FINE_TICK
    tick = TICK
    while longest / tick >= MAX_TICKS:
        tick *= 10
    return tick


def run_facts(title: str, schedule: Schedule, baseline: Schedule) -> dict[str, Any]:
    """Return the figures of one schedule as JSON: makespan and bound in seconds, and words on them."""
    figures, change = measure(schedule), ""
    if schedule is not baseline:
        change = change_text(baseline.makespan, figures.makespan)
    bound = figures.lower_bound if np.isfinite(figures.lower_bound) and figures.lower_bound > 0 else None
    return {
        "title": title,
        "makespan": figures.makespan,
        "isRecord": schedule.record is not None,
        "change": change,
        "bound": bound,
        "standing": own_standing(figures),
        "why": "" if bound is None else bound_reason(schedule, figures),
    }


def veiled_facts(title: str, schedule: Schedule, veil: float) -> dict[str, Any]:
    """Return what `run_facts` returns as far as it is known at a time, in seconds: no result."""
    return {
        "title": title,
        "makespan": veil,
        "isRecord": schedule.record is not None,
        "change": "",
        "bound": None,
        "standing": "",
        "why": "",
    }


def job_columns(
    schedule: Schedule, names: Sequence[str], tick: float, veil: float = np.inf
) -> dict[str, PackedColumn]:
    """Return when each of the named jobs arrives and departs, and deadlines where there are any, in ticks.

    -1 where the schedule lacks it, and for what comes after `veil`, in seconds.
    """
    index = schedule.workload.job_index
    own = np.array([index.get(name, -1) for name in names], np.int64)
    finish = np.where(schedule.finish > veil, np.nan, schedule.finish)
    times = {"arrival": schedule.arrival, "finish": finish}
    if schedule.workload.has_deadlines:
        times["deadline"] = schedule.workload.columns.deadline
    return {
        name: packed_column(np.where(own >= 0, in_ticks(np.append(column, np.nan)[own], tick), -1))
        for name, column in times.items()
    }


def path_columns(
    schedule: Schedule, place: NDArray[np.int64], tick: float, is_veiled: bool = False
) -> dict[str, PackedColumn]:
    """Return the critical path: of each link the task's place among the rows, its times and its cause.

    Empty for what a log recorded, for very many tasks, and where the end is hidden.

    Parameters
    ----------
    place : where each task stands in the rows, (tasks,)
    """
    links: tuple[PathLink, ...] = ()
    if (
        not is_veiled
        and schedule.record is None
        and schedule.is_whole
        and 0 < schedule.tasks <= MAX_PATH_TASKS
    ):
        links = critical_path(schedule).links
    # what is lost is drawn where it ran, and no task of the rows
    tasks = np.array(
        [link.task if schedule.start[link.task] <= link.begin else -1 for link in links], np.int64
    )
    causes = [CAUSES.index(link.cause.value) for link in links]
    return {
        "pathTask": packed_column(np.where(tasks >= 0, np.append(place, -1)[tasks], -1)),
        "pathBegin": packed_column(in_ticks(np.array([link.begin for link in links], np.float64), tick)),
        "pathEnd": packed_column(in_ticks(np.array([link.end for link in links], np.float64), tick)),
        "pathCause": packed_column(np.array(causes, np.int64)),
    }
