"""Which policy decided which starts of a schedule, and what of the order of starts is known afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.model.execution_history import RECORDED
from core.model.schedule import forks_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.schedule import Forkable, PolicyChoice, Schedule


class DecidedPart(NamedTuple):
    """A stretch of a schedule in which one policy decides.

    Attributes
    ----------
    choice : the policy with its parameters
    first, last : the starts it decides: places ``first`` to ``last - 1`` of `Schedule.sequence`
    begin, end : the time in which it decides, seconds; the last part has no end
    """

    choice: PolicyChoice
    first: int
    last: int
    begin: float
    end: float


def decided_parts(schedule: Schedule) -> tuple[DecidedPart, ...]:
    """Return the stretches in which a policy decides, the earliest first.

    An order or pools made by hand decide instead of a policy, and a log's run was decided by nobody we know:
    such stretches are left out.
    """
    if schedule.choice.id == RECORDED:
        return ()
    forks = forks_of(schedule)
    starts = schedule.start[schedule.sequence]
    edges = [int(np.searchsorted(starts, fork.time)) + fork.decisions for fork in forks]
    firsts, lasts = [0, *edges], [*edges, len(starts)]
    begins, ends = [0.0, *(fork.time for fork in forks)], [*(fork.time for fork in forks), np.inf]
    followed: tuple[Forkable, ...] = (*forks, schedule)
    return tuple(
        DecidedPart(part.choice, first, last, begin, end)
        for part, first, last, begin, end in zip(followed, firsts, lasts, begins, ends, strict=True)
        if part.order is None and part.partition is None
    )


def places_of(schedule: Schedule) -> NDArray[np.int64]:
    """Return how many tasks started before each task, (tasks,)."""
    places = np.empty(schedule.tasks, np.int64)
    places[schedule.sequence] = np.arange(len(schedule.sequence))
    return places


def at_timeless_instants(schedule: Schedule, times: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return which times are the start of a task that takes no time.

    What ran at the single decisions of such an instant cannot be told from the finished schedule.
    """
    timeless = schedule.start[schedule.start == schedule.end]
    return np.isin(times, timeless)
