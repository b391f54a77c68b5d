"""What a study can measure of a simulation, as one table: a number each, with words, unit and direction."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np

from core.measures.metrics import METRICS, response_times, stretches
from core.planning.johnson import estimate_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.schedule import Schedule

Better = Literal["less", "more", ""]


@dataclass(frozen=True, slots=True)
class Measure:
    """One number of a run.

    Attributes
    ----------
    name : as documents and columns of results have it
    title : for labels of axes
    unit : "s", "jobs"; "%" for a fraction that is shown as percent; empty for a plain number
    better : whether less or more of it is better; empty where neither is
    of : computes it from a complete schedule
    """

    name: str
    title: str
    unit: str
    better: Better
    of: Callable[[Schedule], float]


_DIRECTED: tuple[tuple[str, str, str, Better], ...] = (
    ("makespan", "makespan", "s", "less"),
    ("lower_bound", "lower bound", "s", ""),
    ("gap", "gap to the lower bound", "%", "less"),
    ("mean_response", "mean response", "s", "less"),
    ("mean_stretch", "mean stretch", "", "less"),
    ("map_utilisation", "use of map slots", "%", "more"),
    ("reduce_utilisation", "use of reduce slots", "%", "more"),
    ("deadline_utility", "relative deadlines exceeded", "", "less"),
    ("late_jobs", "late jobs", "jobs", "less"),
)


def _metric(name: str, schedule: Schedule) -> float:
    return float(METRICS[name](schedule))


def _waits(schedule: Schedule) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    waits: np.ndarray[tuple[int], np.dtype[np.float64]]
    waits = schedule.job_start - schedule.workload.columns.arrival
    return waits


def _estimated(schedule: Schedule) -> float:
    estimated = estimate_of(schedule)
    return float("nan") if estimated is None else estimated


_RESPONSES: tuple[tuple[str, str, str, Callable[[Schedule], float]], ...] = (
    ("median_response", "median response", "s", lambda s: float(np.median(response_times(s)))),
    (
        "high_response",
        "response of the slowest 5 %",
        "s",
        lambda s: float(np.quantile(response_times(s), 0.95)),
    ),
    ("largest_response", "largest response", "s", lambda s: float(response_times(s).max())),
    ("mean_wait", "mean wait for the first task", "s", lambda s: float(_waits(s).mean())),
    ("largest_wait", "largest wait for the first task", "s", lambda s: float(_waits(s).max())),
    ("largest_stretch", "largest stretch", "", lambda s: float(stretches(s).max())),
)
_MEASURES = (
    *(Measure(name, title, unit, better, partial(_metric, name)) for name, title, unit, better in _DIRECTED),
    *(Measure(name, title, unit, "less", of) for name, title, unit, of in _RESPONSES),
    Measure("estimated", "makespan estimated without simulating", "s", "", _estimated),
    Measure("tasks", "tasks", "tasks", "", lambda schedule: float(schedule.tasks)),
    Measure("events", "events of the simulation", "events", "", lambda schedule: float(schedule.events)),
    Measure(
        "simulate_seconds",
        "time that the simulation took",
        "s",
        "less",
        lambda schedule: float(schedule.simulate_seconds),
    ),
)
MEASURES: dict[str, Measure] = {measure.name: measure for measure in _MEASURES}
"""By name, in the order in which lists show them."""
