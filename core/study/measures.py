"""What a study can measure of a simulation, as one table: a number each, with words, unit and direction."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from core.measures.metrics import METRICS, Metric, response_times, stretches
from core.model.schedule import Schedule
from core.model.task_types import KIND_WORDS
from core.planning.estimated_makespan import estimate_of
from core.study import fluid_cells, paper_measures
from core.study.paper_measures import running
from core.study.study_fields import MODELS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from core.shared_scans.fluid import FluidSchedule
    from core.study.study_fields import Value

TASKS, FLUID = MODELS


@dataclass(frozen=True, slots=True, eq=False)
class Measure(Metric):
    """One number of a run: a metric of its schedule, or what a figure of a paper shows.

    Attributes
    ----------
    model : whether `of` takes a complete schedule, or that of the fluid model
    looks : whether `of` also takes the settings of the cell, where they say what to look at
    """

    model: str = TASKS
    looks: bool = False

    def value(self, schedule: Schedule | FluidSchedule, settings: Mapping[str, Value]) -> float:
        """Return the number for a cell; nan where its model has no such measure."""
        if (self.model == TASKS) != isinstance(schedule, Schedule):
            return math.nan
        return float(self.of(schedule, settings) if self.looks else self.of(schedule))


def _waits(schedule: Schedule) -> NDArray[np.float64]:
    waits: NDArray[np.float64] = schedule.job_start - schedule.arrival
    return waits


def _estimated(schedule: Schedule, *, is_capped: bool) -> float:
    estimated = estimate_of(schedule, is_capped=is_capped)
    return float("nan") if estimated is None else estimated


_MEASURES = (
    *(Measure(*(getattr(metric, field.name) for field in fields(Metric))) for metric in METRICS.values()),
    Measure("median_response", "median response", "s", "less", lambda s: float(np.median(response_times(s)))),
    Measure(
        "high_response",
        "response of the slowest 5 %",
        "s",
        "less",
        lambda s: float(np.quantile(response_times(s), 0.95)),
    ),
    Measure("largest_response", "largest response", "s", "less", lambda s: float(response_times(s).max())),
    Measure("mean_wait", "mean wait for the first task", "s", "less", lambda s: float(_waits(s).mean())),
    Measure("largest_wait", "largest wait for the first task", "s", "less", lambda s: float(_waits(s).max())),
    Measure("largest_stretch", "largest stretch", "", "less", lambda s: float(stretches(s).max())),
    Measure("possible_gain", "how much shorter any schedule could be", "%", "", paper_measures.possible_gain),
    Measure("map_phase", "end of the last map", "s", "less", paper_measures.map_phase),
    Measure("map_only", "maps, and no shuffle", "s", "", paper_measures.map_only),
    Measure("map_overlap", "maps and shuffles", "s", "", paper_measures.map_overlap),
    Measure("shuffle_tail", "shuffling after the last map", "s", "less", paper_measures.shuffle_tail),
    Measure(
        "last_batch_largest",
        "most maps of a job that end within 10 s of its last one",
        "maps",
        "",
        paper_measures.last_batch_largest,
    ),
    Measure(
        "last_batch_small",
        "jobs with fewer than 5 maps within 10 s of their last one",
        "%",
        "",
        paper_measures.last_batch_small,
    ),
    Measure(
        "small_pool_slots", "map slots of the smallest pool", "slots", "", paper_measures.small_pool_slots
    ),
    Measure("small_pool_jobs", "jobs of the smallest pool", "jobs", "", paper_measures.small_pool_jobs),
    Measure("release_rate", "containers released", "per s", "", paper_measures.release_rate),
    Measure(
        "release_error", "error of the predicted releases", "per s", "less", paper_measures.release_error
    ),
    Measure("objective", "optimised metric", "", "less", fluid_cells.objective, model=FLUID),
    Measure("scan_work", "work of all scans", "slot-seconds", "less", fluid_cells.scan_work, model=FLUID),
    Measure(
        "most_sharing",
        "most jobs that scan a dataset at once",
        "jobs",
        "",
        fluid_cells.most_sharing,
        model=FLUID,
    ),
    Measure(
        "largest_batch",
        "most jobs of a dataset in one batch",
        "jobs",
        "",
        fluid_cells.largest_batch,
        model=FLUID,
    ),
    Measure(
        "mean_batch",
        "mean batch of the most popular dataset",
        "jobs",
        "",
        fluid_cells.mean_batch,
        model=FLUID,
    ),
    *(
        Measure(
            f"running_{kind}s", f"running {kind}s", f"{kind}s", "", partial(running, task_type), looks=True
        )
        for task_type, kind in enumerate(KIND_WORDS)
    ),
    Measure(
        "last_batch",
        "maps of the job within 10 s of its last one",
        "maps",
        "",
        paper_measures.last_batch,
        looks=True,
    ),
    Measure("released", "released in a window of 10 s", "per s", "", paper_measures.released, looks=True),
    Measure(
        "release_estimate",
        "estimated from the windows before",
        "per s",
        "",
        paper_measures.release_estimate,
        looks=True,
    ),
    Measure(
        "estimated",
        "estimated, one wave at most its longest task (ours)",
        "s",
        "",
        partial(_estimated, is_capped=True),
    ),
    Measure("estimated_as_printed", "estimated as printed", "s", "", partial(_estimated, is_capped=False)),
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


def is_less_better(measure: str) -> bool:
    """Whether less of a measure is better; so it is where neither is known."""
    return MEASURES[measure].better != "more"
