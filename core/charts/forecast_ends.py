"""When jobs will end by a forecast, job by job: what its picture and the chart of its schedule draw."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.model.number_text import grouped
from core.model.time_text import clock_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from core.forecast.forecast import Forecast
    from core.forecast.relief import TriedRelief
    from core.forecast.submitted import Submission
    from core.model.cluster import Cluster
    from core.model.schedule import Schedule


class Promise(NamedTuple):
    """How likely a job, or the batch, ends by a time in seconds: 0 to 1, now and if something is done.

    `then` is nan where nothing is looked at that could be done. `cost` is what it costs to be later, of a
    service level; nan for a deadline, whose time the chart marks by itself.
    """

    name: str
    due: float
    chance: float
    then: float = float("nan")
    cost: float = float("nan")

    @property
    def is_level(self) -> bool:
        """Whether it is a service level."""
        return not np.isnan(self.cost)

    @property
    def percent(self) -> str:
        """Return the chance as "72 %", or as "72 → 94 %" with what it then is."""
        now = f"{100 * self.chance:.0f}"
        return f"{now} %" if np.isnan(self.then) else f"{now} → {100 * self.then:.0f} %"

    @property
    def text(self) -> str:
        """Return "J4 by 2:30: 72 %", of a service level "J4 by 2:30, else cost 5: 72 %"."""
        otherwise = f", else cost {grouped(self.cost)}" if self.is_level else ""
        return f"{self.name} by {clock_text(self.due)}{otherwise}: {self.percent}"


class EndRow(NamedTuple):
    """When a job ends, seconds: the middle, both bands, when it is due and how often it is in time.

    `is_new` says that it is submitted now, `delay` how much later it ends for those that are, in most draws.
    `then` is how often it is in time if something is done that is looked at, or now that something was moved;
    nan for nothing. `arrival` is when it comes, and `was` the middle before that move, nan for none. `levels`
    has how likely each of its service levels is kept.
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
    arrival: float = 0.0
    was: float = float("nan")
    levels: tuple[Promise, ...] = ()

    @property
    def chance(self) -> float:
        """How often it is in time with what is done or was moved."""
        return self.in_time if np.isnan(self.then) else self.then


class LikelyTasks(NamedTuple):
    """What runs from now on in the draw whose last job ends in the middle of all, a task an entry.

    Attributes
    ----------
    slot, kind : where it runs, and its type, (tasks,)
    start, end : seconds, the start now or later, (tasks,)
    job : which of `jobs`, (tasks,)
    jobs : names
    last_slots : where the last task of each job ends that has some, by name
    cluster : on which they run, with what happens to its nodes in that draw
    """

    slot: NDArray[np.int32]
    kind: NDArray[np.int8]
    start: NDArray[np.float64]
    end: NDArray[np.float64]
    job: NDArray[np.int32]
    jobs: tuple[str, ...]
    last_slots: Mapping[str, int]
    cluster: Cluster


class ForecastEnds(NamedTuple):
    """The time from which on all is a forecast, in seconds, and the jobs that had not ended then.

    And what is likely to run, and how likely all ends by a time; None where that is not known.
    """

    now: float
    rows: tuple[EndRow, ...]
    likely: LikelyTasks | None = None
    batch: Promise | None = None

    @property
    def promises(self) -> list[Promise]:
        """How likely each job that is due is in time, and each service level is kept, and the batch.

        What is due first comes first.
        """
        of_jobs = [
            Promise(row.job, row.deadline, row.in_time, row.then)
            for row in self.rows
            if row.deadline is not None
        ]
        levels = [level for row in self.rows for level in row.levels]
        batch = [] if self.batch is None else [self.batch]
        return sorted([*of_jobs, *levels, *batch], key=lambda each: each.due)


def likely_tasks(likely: Schedule, now: float) -> LikelyTasks:
    """Return what of a schedule runs after a time."""
    columns = likely.workload.columns
    after = np.flatnonzero((likely.end > now) & (likely.slot >= 0))
    after = after[np.argsort(likely.end[after], kind="stable")]
    names = tuple(job.name for job in likely.workload.jobs)
    last = dict(zip(columns.job[after].tolist(), likely.slot[after].tolist(), strict=True))
    return LikelyTasks(
        likely.slot[after],
        columns.kind[after],
        np.maximum(likely.start[after], now),
        likely.end[after],
        columns.job[after],
        names,
        {names[job]: slot for job, slot in last.items()},
        likely.cluster,
    )


def with_relief(ends: ForecastEnds, tried: TriedRelief | None) -> ForecastEnds:
    """Return the same with how often jobs are in time if something is done; as they are for None.

    What is done is tried on fewer draws, so that of those it says what is now, too.
    """
    if tried is None:
        return ends
    both = zip(tried.in_time_before.tolist(), tried.in_time.tolist(), strict=True)
    found = dict(zip(tried.jobs, both, strict=True))
    rows = []
    for row in ends.rows:
        before, then = found.get(row.job, (row.in_time, row.then))
        levels = tuple(_with_relief(level, *tried.done_by(row.job, level.due)) for level in row.levels)
        rows.append(row._replace(in_time=before, then=then, levels=levels))
    batch = ends.batch
    if batch is not None:
        batch = _with_relief(batch, *tried.over_by(batch.due))
    return ends._replace(rows=tuple(rows), batch=batch)


def _with_relief(promise: Promise, before: float, after: float) -> Promise:
    """Return a promise with how likely it is kept without and with something done; as it is for nan."""
    return promise if np.isnan(after) else promise._replace(chance=before, then=after)


def moved_from(ends: ForecastEnds, before: Forecast | None) -> ForecastEnds:
    """Return the same with when jobs ended, and how often in time, before a submitted one was moved.

    Parameters
    ----------
    before : of as many draws, and the same; None where nothing was moved
    """
    if before is None:
        return ends
    index = before.known.schedule.workload.job_index
    rows = [_moved_from(row, before, index[row.job]) if row.job in index else row for row in ends.rows]
    batch = ends.batch
    if batch is not None:
        batch = _with_relief(batch, before.over_by(batch.due), batch.chance)
    return ends._replace(rows=tuple(rows), batch=batch)


def _moved_from(row: EndRow, before: Forecast, job: int) -> EndRow:
    levels = (_with_relief(level, before.done_by(job, level.due), level.chance) for level in row.levels)
    was, in_time = float(before.middle[job]), float(before.in_time[job])
    return row._replace(was=was, in_time=in_time, then=row.in_time, levels=tuple(levels))


def ends_of(found: Forecast, submission: Submission | None = None, by: float | None = None) -> ForecastEnds:
    """Return when jobs end that have not ended, the first to end first; `by` is when all is to end."""
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
            arrival=jobs[j].arrival,
            levels=tuple(
                Promise(jobs[j].name, due, found.done_by(j, due), cost=cost)
                for due, cost in jobs[j].service_levels
            ),
        )
        for j in found.open_jobs
    )
    batch = None if by is None else Promise("all", by, found.over_by(by))
    return ForecastEnds(known.time, rows, likely_tasks(found.likely, known.time), batch)
