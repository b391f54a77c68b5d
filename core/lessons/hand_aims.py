"""What a schedule made by hand, or an order of jobs, is to make small: the objectives of students."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.model.number_text import grouped
from core.model.objectives import OBJECTIVES
from core.model.time_text import exact_duration
from core.optimize.objectives import Objective
from core.optimize.short_searches import is_longer

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.model.schedule import Schedule
    from core.model.workload import Workload

MAKESPAN = "makespan"
AIMS = (MAKESPAN, "mean-response", "weighted-response", "tardiness", "late-jobs")
"""Names of `core.model.objectives.OBJECTIVES`: none becomes larger where each job ends earlier."""


def aims_of(workload: Workload) -> tuple[str, ...]:
    """Return what is worth aiming at with these jobs.

    Deadlines count where there are some, weights where they differ, and times from arrival to end where no
    job arrives by the end of another.
    """
    columns, left_out = workload.columns, set()
    if len(columns.links):
        left_out |= {"mean-response", "weighted-response"}
    if len(np.unique(columns.weight)) < 2:
        left_out.add("weighted-response")
    if not workload.has_deadlines:
        left_out |= {name for name in AIMS if OBJECTIVES[name].needs_deadlines}
    return tuple(name for name in AIMS if name not in left_out)


def why_no_aim(aim: str, workload: Workload) -> str:
    """Return a sentence on why these jobs cannot have an aim; empty if they can."""
    title = OBJECTIVES[aim].title.lower()
    if OBJECTIVES[aim].needs_deadlines and not workload.has_deadlines:
        return f"the aim is {title}, and no job has a deadline; give jobs deadlines, or choose another aim"
    if len(workload.columns.links) and aim in ("mean-response", "weighted-response"):
        return f"the aim is {title}, and jobs follow others; choose the makespan or deadlines"
    return ""


def value_of(aim: str, schedule: Schedule) -> float:
    """Return what a complete schedule is worth: the smaller the better; seconds, or jobs."""
    return value_at(aim, schedule.workload)(schedule.finish)


def value_at(aim: str, workload: Workload) -> Callable[[NDArray[np.float64]], float]:
    """Return what computes an aim from when each job ends, seconds, (jobs,)."""
    if aim == MAKESPAN:
        return lambda finish: float(finish.max(initial=0.0))
    objective = Objective.of(aim)
    return lambda finish: objective.value(workload, finish)


def is_above(value: float, limit: float) -> bool:
    """Whether a value is larger than a limit, by more than sums may be wrong."""
    return is_longer(value, limit)


def aim_text(aim: str, value: float) -> str:
    """Return a value with its unit: "47 s", "1 job", "2 jobs"."""
    if OBJECTIVES[aim].unit == "s":
        return exact_duration(value)
    count = round(value)
    return f"{grouped(count)} {'job' if count == 1 else 'jobs'}"


def aim_phrase(aim: str, value: float) -> str:
    """Return a value as it stands in a sentence: "47 s", "a mean response of 12 s", "2 late jobs"."""
    if aim == MAKESPAN:
        return aim_text(aim, value)
    if OBJECTIVES[aim].unit == "s":
        return f"a {OBJECTIVES[aim].title.lower()} of {aim_text(aim, value)}"
    count = round(value)
    return f"{grouped(count) if count else 'no'} late {'job' if count == 1 else 'jobs'}"
