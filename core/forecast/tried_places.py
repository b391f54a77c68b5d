"""What every place in the order would do to jobs that come, and to all others: each on the same draws."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from core.forecast.forecast import DEFAULT_RUNS
from core.forecast.futures import drawn_futures, engine_for_draws, gone_on
from core.forecast.queue_places import ordinal
from core.forecast.submitted import JoinedEnds, joined_at
from core.model.draw_bands import band_of
from core.model.progress import never_stop, no_progress
from core.model.time_text import clock_text
from core.policies.user_files.apart import where_policies_live

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from core.model.job import Job
    from core.model.schedule import PolicyChoice, Schedule
    from core.model.workload import Workload
    from core.simulation.simulate import Engine

    Floats = NDArray[np.float64]

MAX_PLACES = 12
"""Of more places the first, the last, the policy's own and some between are tried."""


@dataclass(frozen=True, eq=False)
class TriedPlace(JoinedEnds):
    """A place in the order, and what comes of it.

    Attributes
    ----------
    place : from 1, of `places`
    is_own : whether the policy puts them there
    """

    place: int
    places: int
    is_own: bool

    @cached_property
    def ends(self) -> Floats:
        """When the last of those that come ends in each draw, seconds, (draws,)."""
        last: Floats = self.finish[:, self.others :].max(axis=1)
        return last

    @property
    def end(self) -> float:
        """The time before which it ends in half of the draws, seconds."""
        return float(np.median(self.ends))

    @property
    def end_band(self) -> tuple[float, float]:
        """From when to when it ends with a chance of 90 %, seconds."""
        low, high = band_of(self.ends, 0.9)
        return float(low), float(high)

    @property
    def in_time(self) -> tuple[tuple[str, float], ...]:
        """In which part of the draws each job that has a deadline is in time, by name."""
        return tuple(
            (job.name, float((self.finish[:, j] <= job.deadline).mean()))
            for j, job in enumerate(self.jobs)
            if job.deadline is not None
        )

    @property
    def sentence(self) -> str:
        """What it does: "Third of 7 in the order: ends at about 2:10, delays J4 by about 3 min."."""
        which = f"{ordinal(self.place).capitalize()} of {self.places} in the order"
        own = ", as the policy has it" if self.is_own else ""
        delays = f"delays {self.delay_words or 'no other job'}"
        verb = "ends" if len(self.jobs) == self.others + 1 else "the last one ends"
        return f"{which}{own}: {verb} at about {clock_text(self.end)}, {delays}."


@where_policies_live
def try_places(
    schedule: Schedule,
    jobs: Sequence[Job],
    time: float,
    *,
    policy: PolicyChoice | None = None,
    comes: float | None = None,
    error: float | None = None,
    history: Workload | None = None,
    runs: int = DEFAULT_RUNS,
    seed: int = 1,
    at_most: int = MAX_PLACES,
    engine: Engine = "auto",
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
) -> tuple[TriedPlace, ...]:
    """Return what each place in the order of what waits would do, the first one first.

    A place is one before, between or behind the jobs that have come and have tasks to start when the new ones
    come; all places have the same draws.

    Parameters
    ----------
    at_most : so many places are tried, 3 or more: the first, the last, the policy's own and some between
    schedule, jobs, time, policy, comes, error, history, runs, seed : as of `submit`

    Raises
    ------
    InputError
        as of `submit`; or the policy serves by no order
    Cancelled
        `should_stop` returned True
    """
    drawing = error, history, runs, seed
    engine = engine_for_draws(engine, schedule, (at_most + 1) * runs)
    joining = joined_at(schedule, jobs, time, policy, comes, drawing, engine, should_stop)
    queue, begin = joining.queue, joining.begin
    chosen = queue.chosen(at_most)
    runs_at = [joining.run_at(place) for place in chosen]
    finish: list[list[Floats]] = [[] for _ in chosen]
    alone: list[Floats] = []
    for each in drawn_futures(begin, joining.draw, runs, seed, progress, should_stop):
        alone.append(joining.alone(each, should_stop))
        for found, run in zip(finish, runs_at, strict=True):
            found.append(gone_on(run, each, should_stop).finish)
    every, without = tuple(begin.known.schedule.workload.jobs), joining.before.ends(np.array(alone), seed)
    return tuple(
        TriedPlace(every, begin.ends(np.array(found), seed), without, place, queue.places, place == queue.own)
        for place, found in zip(chosen, finish, strict=True)
    )
