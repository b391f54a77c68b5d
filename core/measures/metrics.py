"""What a schedule is worth: one number per question, and the use of the slots over time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.job import MAP, REDUCE
from core.optimize.bounds import makespan_bound
from core.optimize.premise import premise_of
from core.simulation.fifo_trials import isolated_runtimes

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.model.schedule import Schedule
    from core.optimize.bounds import Bound
    from core.optimize.premise import Premise


@dataclass(frozen=True, slots=True)
class Metrics:
    """Figures of one schedule; times in seconds.

    Attributes
    ----------
    makespan : when the last job departs
    lower_bound : no schedule that keeps the premise is shorter
    gap : makespan / lower bound - 1 (0 when both are 0)
    mean_response : mean of finish - arrival
    mean_stretch : mean of response / the job's time alone on the empty cluster
    map_utilisation, reduce_utilisation : fraction of slot time in use until the makespan; nan without slots.
        On untyped containers each is the fraction used by that kind of task.
    deadline_utility : sum over late jobs of (T - D) / D, T and D relative to arrival (001 section V; lower
        is better)
    late_jobs : jobs that finish after their deadline
    premise : of which schedules the bound speaks: of those that lend slots, or share scans, if this one does
    """

    makespan: float
    lower_bound: float
    gap: float
    mean_response: float
    mean_stretch: float
    map_utilisation: float
    reduce_utilisation: float
    deadline_utility: float
    late_jobs: int
    premise: Premise


def measure(schedule: Schedule) -> Metrics:
    """Return the figures of a complete schedule."""
    return Metrics(**{name: of(schedule) for name, of in METRICS.items()})


def response_times(schedule: Schedule) -> NDArray[np.float64]:
    """Return the seconds from each job's arrival to its departure, (jobs,)."""
    return schedule.finish - schedule.workload.columns.arrival


def stretches(schedule: Schedule) -> NDArray[np.float64]:
    """Return response / time alone on the empty cluster of each job, (jobs,); 1 for one of zero length."""
    response = response_times(schedule)
    alone = isolated_runtimes(schedule.given, schedule.cluster)
    return np.divide(response, alone, out=np.ones_like(response), where=alone > 0)


def gap_above(makespan: float, bound: float) -> float:
    """Return by which part of a bound a makespan is longer; 0 where the bound is 0."""
    return makespan / bound - 1 if bound > 0 else 0.0


def _lateness(schedule: Schedule) -> NDArray[np.float64]:
    """Return (T - D) / D of each job that is late, (late jobs,)."""
    columns = schedule.workload.columns
    response, allowed = response_times(schedule), columns.deadline - columns.arrival
    late = response > allowed
    excess: NDArray[np.float64] = (response[late] - allowed[late]) / allowed[late]
    return excess


def bound_of(schedule: Schedule) -> float:
    """Return the lower bound for the schedule's policy, in seconds."""
    return explained_bound_of(schedule).seconds


def explained_bound_of(schedule: Schedule) -> Bound:
    """Return the lower bound for schedules that do what this one does, and why it holds.

    Where it lends slots, their types do not count; where it shares scans, a block that several jobs need
    counts once.
    """
    return makespan_bound(schedule.given, schedule.cluster, premise_of(schedule))


def _utilisation(schedule: Schedule, kind: int) -> float:
    capacity = schedule.cluster.stage_slots[kind] * schedule.makespan
    # a borrowed slot is one of the other type
    mine = (schedule.workload.columns.kind == kind) ^ schedule.is_borrowed
    busy = float(np.sum(schedule.end[mine] - schedule.start[mine]))
    return busy / capacity if capacity > 0 else float("nan")


METRICS: dict[str, Callable[[Schedule], Any]] = {
    "makespan": lambda schedule: schedule.makespan,
    "lower_bound": bound_of,
    "gap": lambda schedule: gap_above(schedule.makespan, bound_of(schedule)),
    "mean_response": lambda schedule: float(response_times(schedule).mean()),
    "mean_stretch": lambda schedule: float(stretches(schedule).mean()),
    "map_utilisation": lambda schedule: _utilisation(schedule, MAP),
    "reduce_utilisation": lambda schedule: _utilisation(schedule, REDUCE),
    "deadline_utility": lambda schedule: float(np.sum(_lateness(schedule))),
    "late_jobs": lambda schedule: len(_lateness(schedule)),
    "premise": premise_of,
}
"""Each of the metrics by itself: what nobody asks for takes no time."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Running tasks over time as steps: ``maps[i]`` holds from ``times[i]`` to ``times[i + 1]``.

    Attributes
    ----------
    times : when a count changes, ascending from 0, (steps,)
    maps, shuffles, reduces : slots that run a map, hold a reduce in its shuffle, run a reduce phase, (steps,)
    """

    times: NDArray[np.float64]
    maps: NDArray[np.int64]
    shuffles: NDArray[np.int64]
    reduces: NDArray[np.int64]


def usage(schedule: Schedule) -> Usage:
    """Count what runs at every instant."""
    is_map = schedule.workload.columns.kind == MAP
    is_reduce = ~is_map
    spans = (
        (schedule.start[is_map], schedule.end[is_map]),
        (schedule.start[is_reduce], schedule.shuffled[is_reduce]),
        (schedule.shuffled[is_reduce], schedule.end[is_reduce]),
    )
    times = np.unique(np.concatenate([[0.0], *(edge for span in spans for edge in span)]))
    counts = [_running(times, begin, end) for begin, end in spans]
    return Usage(times, *counts)


def _running(
    times: NDArray[np.float64], begin: NDArray[np.float64], end: NDArray[np.float64]
) -> NDArray[np.int64]:
    change = np.zeros(len(times), np.int64)
    change += np.bincount(np.searchsorted(times, begin), minlength=len(times))
    change -= np.bincount(np.searchsorted(times, end), minlength=len(times))
    return np.cumsum(change)
