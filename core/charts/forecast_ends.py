"""When jobs will end by a forecast, job by job: what its picture and the chart of its schedule draw."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from core.forecast.advice import TriedRelief
    from core.forecast.forecast import Forecast
    from core.forecast.submitted import Submission


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


class ForecastEnds(NamedTuple):
    """The time from which on all is a forecast, in seconds, and the jobs that had not ended then."""

    now: float
    rows: tuple[EndRow, ...]


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
    return ForecastEnds(known.time, rows)
