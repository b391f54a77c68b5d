"""What a study can measure of a simulation, as one table: a number each, with words, unit and direction."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np

from core.measures.metrics import METRICS, response_times, stretches
from core.model.job import MAP, REDUCE
from core.model.schedule import Schedule
from core.planning.johnson import estimate_of
from core.study import fluid_cells, paper_measures
from core.study.fields import MODELS
from core.study.paper_measures import running

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from core.shared_scans.fluid import FluidSchedule
    from core.study.fields import Value

Better = Literal["less", "more", ""]
TASKS, FLUID = MODELS


@dataclass(frozen=True, slots=True)
class Measure:
    """One number of a run.

    Attributes
    ----------
    name : as documents and columns of results have it
    title : for labels of axes
    unit : "s", "jobs"; "%" for a fraction that is shown as percent; empty for a plain number
    better : whether less or more of it is better; empty where neither is
    of : computes it from a complete schedule, or from that of the fluid model
    model : which of them
    looks : whether it also takes the settings of the cell, where they say what to look at
    """

    name: str
    title: str
    unit: str
    better: Better
    of: Callable[..., float]
    model: str = TASKS
    looks: bool = False

    def value(self, schedule: Schedule | FluidSchedule, settings: Mapping[str, Value]) -> float:
        """Return the number for a cell; nan where its model has no such measure."""
        if (self.model == TASKS) != isinstance(schedule, Schedule):
            return math.nan
        return float(self.of(schedule, settings) if self.looks else self.of(schedule))


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


def _estimated(schedule: Schedule, *, is_capped: bool) -> float:
    estimated = estimate_of(schedule, is_capped=is_capped)
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
_OF_PAPERS: tuple[tuple[str, str, str, Better, Callable[[Schedule], float]], ...] = (
    ("possible_gain", "how much shorter any schedule could be", "%", "", paper_measures.possible_gain),
    ("map_phase", "end of the last map", "s", "less", paper_measures.map_phase),
    ("map_only", "maps, and no shuffle", "s", "", paper_measures.map_only),
    ("map_overlap", "maps and shuffles", "s", "", paper_measures.map_overlap),
    ("shuffle_tail", "shuffling after the last map", "s", "less", paper_measures.shuffle_tail),
    (
        *("last_batch_largest", "most maps of a job that end within 10 s of its last one", "maps", ""),
        paper_measures.last_batch_largest,
    ),
    (
        *("last_batch_small", "jobs with fewer than 5 maps within 10 s of their last one", "%", ""),
        paper_measures.last_batch_small,
    ),
    ("small_pool_slots", "map slots of the smallest pool", "slots", "", paper_measures.small_pool_slots),
    ("small_pool_jobs", "jobs of the smallest pool", "jobs", "", paper_measures.small_pool_jobs),
    ("release_rate", "containers released", "per s", "", paper_measures.release_rate),
    ("release_error", "error of the predicted releases", "per s", "less", paper_measures.release_error),
)
_OF_FLUID: tuple[tuple[str, str, str, Better, Callable[[FluidSchedule], float]], ...] = (
    ("objective", "optimised metric", "", "less", fluid_cells.objective),
    ("scan_work", "work of all scans", "slot-seconds", "less", fluid_cells.scan_work),
    ("most_sharing", "most jobs that scan a dataset at once", "jobs", "", fluid_cells.most_sharing),
    ("largest_batch", "most jobs of a dataset in one batch", "jobs", "", fluid_cells.largest_batch),
    ("mean_batch", "mean batch of the most popular dataset", "jobs", "", fluid_cells.mean_batch),
)
_LOOKING: tuple[tuple[str, str, str, Callable[[Schedule, Mapping[str, Value]], float]], ...] = (
    ("last_batch", "maps of the job within 10 s of its last one", "maps", paper_measures.last_batch),
    ("released", "released in a window of 10 s", "per s", paper_measures.released),
    ("release_estimate", "estimated from the windows before", "per s", paper_measures.release_estimate),
)
_MEASURES = (
    *(Measure(name, title, unit, better, partial(_metric, name)) for name, title, unit, better in _DIRECTED),
    *(Measure(name, title, unit, "less", of) for name, title, unit, of in _RESPONSES),
    *(Measure(name, title, unit, better, of) for name, title, unit, better, of in _OF_PAPERS),
    *(Measure(name, title, unit, better, of, FLUID) for name, title, unit, better, of in _OF_FLUID),
    *(
        Measure(f"running_{unit}", f"running {unit}", unit, "", partial(running, kind), looks=True)
        for kind, unit in ((MAP, "maps"), (REDUCE, "reduces"))
    ),
    *(Measure(name, title, unit, "", of, looks=True) for name, title, unit, of in _LOOKING),
    *(
        Measure(name, title, "s", "", partial(_estimated, is_capped=is_capped))
        for name, title, is_capped in (
            ("estimated", "estimated, one wave at most its longest task (ours)", True),
            ("estimated_as_printed", "estimated as printed", False),
        )
    ),
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
