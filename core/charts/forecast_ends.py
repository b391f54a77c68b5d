"""When jobs will end by a forecast, job by job: what its picture and the chart of its schedule draw."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from core.forecast.advice import TriedRelief
    from core.forecast.forecast import Forecast
    from core.forecast.submitted import Submission
    from core.model.schedule import Schedule


class EndRow(NamedTuple):
    """When a job ends, seconds: the middle, both bands, when it is due and how often it is in time.

    `is_new` says that it is submitted now, `delay` how much later it ends for those that are, in most draws.
    `then` is how often it is in time if something is done that is looked at, nan for nothing.
    """

    job: str
    middle: float
    half: tuple[float, float]
    most: tuple[float, float]
    deadline: float | None
    in_time: float
    is_new: bool = False
    delay: float = 0.0
    then: float = float("nan")


class LikelyTasks(NamedTuple):
    """What runs from now on in the draw whose last job ends in the middle of all, a task an entry.

    Attributes
    ----------
    slot, kind : where it runs, and MAP or REDUCE, (tasks,)
    start, end : seconds, the start now or later, (tasks,)
    job : which of `jobs`, (tasks,)
    jobs : names
    """

    slot: NDArray[np.int32]
    kind: NDArray[np.int8]
    start: NDArray[np.float64]
    end: NDArray[np.float64]
    job: NDArray[np.int32]
    jobs: tuple[str, ...]

    def last_slots(self, place: Mapping[str, int]) -> NDArray[np.int64]:
        """Return where the last task of each job ends, -1 for a job of which none does.

        Parameters
        ----------
        place : of each job, by name, from 0
        """
        of_jobs = np.full(len(self.jobs), -1)
        order = np.argsort(self.end, kind="stable")
        of_jobs[self.job[order]] = self.slot[order]
        found = np.full(len(place), -1)
        for name, slot in zip(self.jobs, of_jobs.tolist(), strict=True):
            if name in place:
                found[place[name]] = slot
        return found


class ForecastEnds(NamedTuple):
    """The time from which on all is a forecast, in seconds, and the jobs that had not ended then.

    And what is likely to run, None where that is not known.
    """

    now: float
    rows: tuple[EndRow, ...]
    likely: LikelyTasks | None = None


def likely_tasks(likely: Schedule, now: float) -> LikelyTasks:
    """Return what of a schedule runs after a time."""
    columns = likely.workload.columns
    after = np.flatnonzero((likely.end > now) & (likely.slot >= 0))
    return LikelyTasks(
        likely.slot[after],
        columns.kind[after],
        np.maximum(likely.start[after], now),
        likely.end[after],
        columns.job[after],
        tuple(job.name for job in likely.workload.jobs),
    )


def with_relief(ends: ForecastEnds, tried: TriedRelief | None) -> ForecastEnds:
    """Return the same with how often jobs are in time if something is done; as they are for None."""
    if tried is None:
        return ends
    then = dict(zip(tried.jobs, tried.in_time.tolist(), strict=True))
    return ends._replace(rows=tuple(row._replace(then=then.get(row.job, row.then)) for row in ends.rows))


def ends_of(found: Forecast, submission: Submission | None = None) -> ForecastEnds:
    """Return when jobs end that have not ended, the first to end first."""
    others = len(found.known.job_has_ended) if submission is None else submission.others
    later = np.zeros(others) if submission is None else submission.middle_delay
    known, half, most = found.known, found.band(0.5), found.band(0.9)
    jobs = known.schedule.workload.jobs
    rows = tuple(
        EndRow(
            jobs[j].name,
            float(found.middle[j]),
            (float(half[0][j]), float(half[1][j])),
            (float(most[0][j]), float(most[1][j])),
            jobs[j].deadline,
            float(found.in_time[j]),
            j >= others,
            float(later[j]) if j < others else 0.0,
        )
        for j in found.open_jobs
    )
    return ForecastEnds(known.time, rows, likely_tasks(found.likely, known.time))
