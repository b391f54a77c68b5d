"""What a record shows and no simulator: how late tasks start, and jobs end after their tasks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.model.error_factors import COMMON_SHARE
from core.simulation.standing_record import slots_there

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.random import Generator
    from numpy.typing import NDArray

    from core.forecast.known import KnownRun
    from core.model.schedule import Schedule
    from core.simulation.other_times import TaskTimes

    Floats = NDArray[np.float64]

RECORD_ERROR = 0.55
"""Standard deviation of the logarithm of the factor by which simulations of what is left of jobs on a real
cluster are wrong, beside what is not known of durations; chosen by `benchmarks.forecast`."""


@dataclass(frozen=True)
class SeenDelays:
    """Delays of a record up to a time, seconds, each.

    Attributes
    ----------
    first : of tasks that started on slots that had been free when they could start, of stages that wait for
        no other one and of those that do
    later : of those whose slots another one gave free when they could have started
    tail : of jobs that have ended, from their last task's end to their own
    """

    first: tuple[Floats, Floats]
    later: Floats
    tail: Floats


def seen_delays(record: Schedule, time: float) -> SeenDelays:
    """Return the delays that a record of a log shows up to a time."""
    columns = record.workload.columns
    could = np.maximum(record.arrival[columns.job], record.parents_end[columns.stage])
    free = _free_since(record)
    counts = (record.start <= time) & (could <= record.start)
    is_first = could >= free
    late = np.maximum(record.start - np.maximum(could, free), 0.0)
    last = record.arrival.copy()
    np.maximum.at(last, columns.job, record.end)
    ended, waits = record.finish <= time, columns.stages.has_parents[columns.stage]
    return SeenDelays(
        (late[counts & is_first & ~waits], late[counts & is_first & waits]),
        late[counts & ~is_first],
        np.maximum(record.finish - last, 0.0)[ended],
    )


def _free_since(record: Schedule) -> Floats:
    """Return since when the slot of each task was free when it started, minus infinity for ever, (tasks,)."""
    slot, begin, end = record.slot, record.start, record.end
    if record.record is not None:
        begins, ends = record.record.extra_times
        slot = np.concatenate([slot, record.record.extra_slot])
        begin, end = np.concatenate([begin, begins]), np.concatenate([end, ends])
    order = np.lexsort((end, begin, slot))
    before = np.full(len(order), -np.inf)
    same = slot[order][1:] == slot[order][:-1]
    before[1:][same] = end[order][:-1][same]
    found = np.empty(len(order))
    found[order] = before
    tasks: Floats = found[: record.tasks]
    return tasks


def with_delays(
    draw: Callable[[], TaskTimes], known: KnownRun, seen: SeenDelays, random: Generator
) -> Callable[[], TaskTimes]:
    """Return what draws times as `draw` does, those of tasks that have not started longer by their delays.

    The first tasks of a stage that has not begun, as many as there are slots, start on free ones.
    """
    schedule = known.schedule
    columns = schedule.workload.columns
    has_begun = np.zeros(len(columns.stages.job), bool)
    has_begun[columns.stage[known.has_started]] = True
    waits = ~known.has_started
    is_first = waits & ~has_begun[columns.stage] & (columns.number < sum(slots_there(schedule, known.time)))
    has_parents = columns.stages.has_parents[columns.stage]
    kinds = (
        (np.flatnonzero(is_first & ~has_parents), seen.first[0]),
        (np.flatnonzero(is_first & has_parents), seen.first[1]),
        (np.flatnonzero(waits & ~is_first), seen.later),
    )

    def longer() -> TaskTimes:
        times = draw()
        duration = times.duration.copy()
        for tasks, delays in kinds:
            duration[tasks] += _some(delays, len(tasks), random)
        return replace(times, duration=duration)

    return longer


def _some(seen: Floats, count: int | tuple[int, int], random: Generator) -> Floats:
    """Return so many of the values that were seen, drawn with replacement; 0 where none was."""
    drawn: Floats = random.choice(seen, count) if len(seen) else np.zeros(count)
    return drawn


def as_wrong_as_simulators(finish: Floats, time: float, seen: SeenDelays, random: Generator) -> Floats:
    """Return ends of jobs that are simulated from a time on as they may be on a real cluster, (draws, jobs).

    Each ends as much later than its last task as jobs of the record do, and what is left of it takes longer
    or shorter by a factor, a part of which is common to all jobs of a draw. What is drawn of a job does not
    depend on how many come behind it.

    Parameters
    ----------
    finish : when the last task of each job ends, seconds, (draws, jobs)
    """
    draws, jobs = finish.shape
    common = random.standard_normal((draws, 1))
    own = random.standard_normal((jobs, draws)).T
    tail = _some(seen.tail, (jobs, draws), random).T
    wrong: Floats = COMMON_SHARE**0.5 * common + (1 - COMMON_SHARE) ** 0.5 * own
    left = np.maximum(finish + tail - time, 0.0)
    ends: Floats = time + left * np.exp(RECORD_ERROR * wrong)
    return ends
