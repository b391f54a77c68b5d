"""What is drawn of a schedule that is under way: a time for every task that runs or waits."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.forecast.unknown_times import StageGuesses, UnknownTimes, no_guesses
from core.model.error_factors import spread_of
from core.model.errors import InputError
from core.simulation.other_times import COLUMNS, TaskTimes

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence

    from numpy.typing import NDArray

    from core.forecast.known import KnownRun
    from core.model.workload import Workload

    Floats = NDArray[np.float64]

HISTORY_ERROR = 0.3
"""By how much an earlier run of a job is wrong for the next one, as far as tonight's jobs do not show it."""


def task_draws(
    known: KnownRun,
    error: float | None,
    history: Workload | None,
    seed: int,
    estimated: Container[int] = (),
) -> Callable[[], TaskTimes]:
    """Return what draws a time for every task, each time it is called.

    Parameters
    ----------
    known, error, history, seed : as of `core.forecast.forecast.forecast`
    estimated : jobs whose durations are estimates, wrong by `HISTORY_ERROR`, even if `error` is None

    Raises
    ------
    InputError
        nothing is known to draw from
    """
    columns = known.schedule.workload.columns
    if error == 0 and history is None:
        exact = TaskTimes(*(getattr(columns, name) for name in COLUMNS))
        return lambda: exact
    guessed = {name: _guesses(known.schedule.workload, name, error, history, estimated) for name in COLUMNS}
    if not known.has_ended.any() and np.isnan(guessed["duration"].mean).all():
        is_record = known.order is not None  # which has no estimates
        others = "or an earlier run" if is_record else "an earlier run of the jobs, or durations as estimates"
        raise InputError(
            "no task has ended by then, so that nothing is known of how long tasks take; "
            f"take a later time, {others}"
        )
    random = np.random.default_rng(seed)
    fetches = columns.stages.has_parents[columns.stage]
    parts = {}
    for name in COLUMNS:
        column, some = getattr(known, name), np.ones(len(fetches), bool) if name == "duration" else fetches
        drawn = UnknownTimes(
            column.of(some), columns.stage[some], columns.stages.task_type, guessed[name], random
        )
        parts[name] = drawn, some

    def draw() -> TaskTimes:
        times = {name: _spread_out(drawn.draw(), some) for name, (drawn, some) in parts.items()}
        if known.copies is not None:
            of = dict(zip(("copy_shuffle", "copy"), known.of_copies, strict=True))
            for name, like in (("copy_shuffle", "typical_shuffle"), ("copy", "duration")):
                drawn, some = parts[like]
                times[name] = _spread_out(drawn.draw_others(of[name].of(some)), some)
        return TaskTimes(**times)

    return draw


def _spread_out(times: Floats, some: NDArray[np.bool_]) -> Floats:
    """Return the times of some tasks as those of all, 0 for the others, (tasks,)."""
    whole = np.zeros(len(some))
    whole[some] = times
    return whole


def _guesses(
    workload: Workload,
    name: str,
    error: float | None,
    history: Workload | None,
    estimated: Container[int],
) -> StageGuesses:
    """Return what is thought of one of the times of each stage before any task of it has ended."""
    stages = workload.columns.stages
    found = no_guesses(len(stages.job))
    attribute = {"duration": "durations"}.get(name, name)
    for number, job in enumerate(workload.jobs):
        ran = job if error is not None or number in estimated else None
        if history is not None and job.name in history.job_index:
            before = history.jobs[history.job_index[job.name]]
            ran = before if before.graph == job.graph else ran
        for place, stage in enumerate(ran.stages if ran is not None else ()):
            if stage.count:
                mean, spread = _logs(getattr(stage, attribute))
                found.mean[stages.begin[number] + place] = mean
                found.spread[stages.begin[number] + place] = spread
    return replace(found, error=spread_of(HISTORY_ERROR if error is None else error))


def _logs(seconds: Floats) -> tuple[float, float]:
    """Return the mean and the standard deviation of the logarithms; minus infinity and 0 of times of 0 s."""
    above = seconds[seconds > 0]
    if not len(above):
        return -np.inf, 0.0
    logs = np.log(above)
    return float(logs.mean()), float(logs.std())


def mean_times(times: Sequence[TaskTimes]) -> TaskTimes:
    """Return the mean of each time of each task."""
    return TaskTimes(*(np.mean([getattr(each, name) for each in times], axis=0) for name in COLUMNS))
