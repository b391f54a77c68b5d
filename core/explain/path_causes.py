"""What the time until a run ends was spent on, and by which causes two runs differ, in figures that add up.

Both come from the path of stages (`core.explain.stage_path`), which is contiguous from 0 to the end: the
seconds of its causes sum to the makespan, and so do the differences of the causes of two runs to the
difference of their makespans. What a log recorded has causes of its own: failed attempts of the stage that
waits, setup of its job, and clean-up behind a job.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING

import numpy as np

from core.explain.causes import TimeCause
from core.explain.stage_path import PartKind, StagePath, stage_path
from core.model.stages import MAP_REDUCE
from core.model.task_types import OUTCOMES, SETUP
from core.model.time_text import adding_up, in_steps, time_in_steps

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from core.explain.stage_path import PathPart
    from core.model.recorded_run import RecordedRun
    from core.model.schedule import Schedule

    Spans = Sequence[tuple[float, float]]

FAILED = OUTCOMES.index("failed")


OF_WAITS = {
    PartKind.SLOT: TimeCause.SLOTS,
    PartKind.AWAY: TimeCause.NODES,
    PartKind.LOST: TimeCause.LOST,
}


@dataclass(frozen=True, slots=True)
class SpentTime:
    """What the time until the end of a run was spent on.

    Attributes
    ----------
    path : the stages and waits on the way
    seconds : of each cause, all of them in their order; they sum to the makespan
    """

    path: StagePath
    seconds: Mapping[TimeCause, float]


def spent_time(schedule: Schedule) -> SpentTime:
    """Return what the time until the end of a complete schedule, simulated or recorded, was spent on."""
    path = stage_path(schedule)
    spent: dict[TimeCause, list[float]] = {cause: [] for cause in TimeCause}
    for part in path.parts:
        for cause, seconds in _causes_of(schedule, part).items():
            spent[cause].append(seconds)
    return SpentTime(path, {cause: fsum(parts) for cause, parts in spent.items()})


def _causes_of(schedule: Schedule, part: PathPart) -> dict[TimeCause, float]:
    """Return as what the seconds of a part of the path count."""
    if part.kind is PartKind.STAGE:
        return {_work_of(schedule, part): part.seconds}
    if part.kind in (PartKind.DRIVER, PartKind.ARRIVAL):
        cause = TimeCause.DRIVER if part.kind is PartKind.DRIVER else TimeCause.ARRIVAL
        return {cause: part.seconds}
    if part.begin >= _end_of_stage(schedule, part.stage):
        return {TimeCause.CLEAN_UP: part.seconds}
    if schedule.record is not None:
        return _recorded_wait(schedule, schedule.record.run, part)
    return {OF_WAITS.get(part.kind, TimeCause.LAUNCH): part.seconds}


def _work_of(schedule: Schedule, part: PathPart) -> TimeCause:
    if schedule.workload.jobs[part.job].graph != MAP_REDUCE:
        return TimeCause.STAGES
    return (TimeCause.MAPS, TimeCause.REDUCES)[schedule.workload.columns.stages.number[part.stage]]


def _end_of_stage(schedule: Schedule, stage: int) -> float:
    stages = schedule.workload.columns.stages
    first, count = int(stages.first[stage]), int(stages.count[stage])
    return float(schedule.end[first : first + count].max(initial=-np.inf))


def _recorded_wait(schedule: Schedule, run: RecordedRun, part: PathPart) -> dict[TimeCause, float]:
    """Split a wait of a record: its failed attempts, then the setup of its job, then the rest."""
    job = run.jobs.index(schedule.workload.jobs[part.job].name)
    mine = (run.job == job) & run.has_ended
    number = int(schedule.workload.columns.stages.number[part.stage])
    failed = _within(run, mine & (run.stage == number) & (run.outcome == FAILED), part)
    either = _within(
        run, mine & ((run.kind == SETUP) | ((run.stage == number) & (run.outcome == FAILED))), part
    )
    lost, known = _covered(failed), _covered(either)
    return {
        TimeCause.FAILED: lost,
        TimeCause.SETUP: known - lost,
        TimeCause.LAUNCH: part.seconds - known,
    }


def _within(run: RecordedRun, attempts: NDArray[np.bool_], part: PathPart) -> Spans:
    """Return from when to when attempts ran during a part, those that did."""
    begin = np.clip(run.start[attempts], part.begin, part.end)
    end = np.clip(run.end[attempts], part.begin, part.end)
    ran = end > begin
    return list(zip(begin[ran].tolist(), end[ran].tolist(), strict=True))


def _covered(spans: Spans) -> float:
    """Return how many seconds lie in any of some spans."""
    seconds, until = 0.0, float("-inf")
    for begin, end in sorted(spans):
        seconds += max(end - max(begin, until), 0.0)
        until = max(until, end)
    return seconds


@dataclass(frozen=True, slots=True)
class Shares:
    """A time and what it consists of, as they are shown: the parts add up to the whole.

    Attributes
    ----------
    whole : seconds, rounded as they are shown
    parts : causes with their seconds, rounded so that they sum to it, the largest first; none is 0
    """

    whole: float
    parts: tuple[tuple[TimeCause, float], ...]


def shares_of(spent: SpentTime, step: float) -> Shares:
    """Return what a makespan consists of, in steps of so many seconds."""
    return _in_steps(spent.seconds, in_steps(fsum(spent.seconds.values()), step), step)


def shares_of_difference(spent: SpentTime, before: SpentTime, step: float) -> Shares:
    """Return how much longer a run takes than another one, and by which causes; less is negative.

    Waits are of one kind where only one of the runs is a record: which slot an attempt held is not in a log.
    """
    change = {cause: spent.seconds[cause] - before.seconds[cause] for cause in TimeCause}
    whole = sum(
        sign * in_steps(fsum(each.seconds.values()), step) for each, sign in ((spent, 1), (before, -1))
    )
    return _in_steps(change, whole, step)


def as_of_records(spent: SpentTime) -> SpentTime:
    """Return the same with all waits of one kind, as records have them."""
    seconds = dict(spent.seconds)
    seconds[TimeCause.LAUNCH] += seconds[TimeCause.SLOTS]
    seconds[TimeCause.SLOTS] = 0.0
    return SpentTime(spent.path, seconds)


def _in_steps(seconds: Mapping[TimeCause, float], whole: int, step: float) -> Shares:
    counts = adding_up([each / step for each in seconds.values()], whole)
    parts = [
        (cause, time_in_steps(count, step)) for cause, count in zip(seconds, counts, strict=True) if count
    ]
    parts.sort(key=lambda each: -abs(each[1]))
    return Shares(time_in_steps(whole, step), tuple(parts))
