"""The stages of a schedule as boxes in bands above the rows: one band for each thread of a driver.

A box stands in the row of the parent that ended last, or in the first row that is free; the first row of a
job is kept for the stages that decide when the job ends.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.charts.row_columns import kept_with_rows
from core.explain.stage_path import deciding_stages
from core.measures.stage_spans import NO_JOB, driver_threads, followed_jobs, stage_spans
from core.model.visible_text import short_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from core.charts.schedule_rows import ScheduleRows
    from core.model.schedule import Schedule

DRIVER = "Driver"


class StageBoxes(NamedTuple):
    """The stages that have run, by band, job and start; arrays are (boxes,).

    Attributes
    ----------
    stage : number of each in the whole workload
    start, end : when its first task starts and its last one ends, in s
    band, row : where it stands
    """

    stage: NDArray[np.int64]
    start: NDArray[np.float64]
    end: NDArray[np.float64]
    band: NDArray[np.int64]
    row: NDArray[np.int64]


class ThinkTime(NamedTuple):
    """The time between two jobs of a band in which their driver thinks: seconds, and the job that follows."""

    band: int
    begin: float
    end: float
    job: int


class StageBand(NamedTuple):
    """Some jobs one after the other: what it is called, its jobs in that order, and how many rows it has."""

    name: str
    jobs: tuple[int, ...]
    rows: int

    @property
    def short_name(self) -> str:
        """Where that has no room, of one driver among several its number: "D2"."""
        number = self.name.removeprefix(f"{DRIVER} ")
        return f"D{number}" if number.isdecimal() else self.name


@dataclass(frozen=True, eq=False)
class StageBands:
    """All bands of a schedule.

    Attributes
    ----------
    bands : top to bottom
    boxes : the stages
    links : the boxes of each stage and of one that waits for it, int64 (links, 2)
    thinks : the think times
    box_of : the place among the boxes of each stage of the workload, -1 for none, (stages,)
    """

    bands: tuple[StageBand, ...]
    boxes: StageBoxes
    links: NDArray[np.int64]
    thinks: tuple[ThinkTime, ...]
    box_of: NDArray[np.int64]


@kept_with_rows
def stage_bands(rows: ScheduleRows) -> StageBands | None:
    """Return the bands of a schedule; None where there is no graph to show."""
    return _placed(rows.schedule) if rows.has_stages_to_show else None


def long_name(name: str) -> str:
    """Return the name of a stage with what it is, where that is a mere number: "Stage 5"."""
    return f"Stage {name}" if name.isdecimal() else name


def _placed(schedule: Schedule) -> StageBands:
    spans, decides = stage_spans(schedule), deciding_stages(schedule)
    stages = schedule.workload.columns.stages
    runs = (stages.count > 0) & np.isfinite(spans.start)
    start, end = spans.start, np.where(np.isfinite(spans.end), spans.end, schedule.makespan)
    parents = _running_parents(schedule, runs)
    bands: list[StageBand] = []
    places: list[tuple[int, int, int]] = []  # stage, band, row
    for name, jobs in _named(schedule, _packed(schedule, driver_threads(schedule))):
        rows: dict[int, int] = {}
        for job in jobs:
            members = np.flatnonzero(runs[slice(*stages.begin[job : job + 2])]) + stages.begin[job]
            members = members[np.argsort(start[members], kind="stable")]
            rows |= _rows_of(members.tolist(), start, end, decides, parents)
        places += [(stage, len(bands), row) for stage, row in rows.items()]
        bands.append(StageBand(name, jobs, 1 + max(rows.values(), default=0)))
    stage, band, row = np.array(places, np.int64).reshape(-1, 3).T
    box_of = np.full(len(runs), -1)
    box_of[stage] = np.arange(len(stage))
    links = [(parent, child) for child in np.flatnonzero(runs).tolist() for parent in parents[child]]
    return StageBands(
        tuple(bands),
        StageBoxes(stage, start[stage], end[stage], band, row),
        box_of[np.array(links, np.int64).reshape(-1, 2)],
        tuple(_thinks(schedule, bands)),
        box_of,
    )


def _running_parents(schedule: Schedule, runs: NDArray[np.bool_]) -> list[tuple[int, ...]]:
    """Return which stages with tasks each stage waits for, through those that have none."""
    stages = schedule.workload.columns.stages
    found: list[tuple[int, ...]] = []
    for stage in range(len(stages.job)):  # what a stage waits for has lower numbers
        parents = stages.parents_of(stage).tolist()
        through = ((parent,) if runs[parent] else found[parent] for parent in parents)
        found.append(tuple(dict.fromkeys(each for several in through for each in several)))
    return found


def _rows_of(
    members: Sequence[int],
    start: NDArray[np.float64],
    end: NDArray[np.float64],
    decides: NDArray[np.bool_],
    parents: Sequence[tuple[int, ...]],
) -> dict[int, int]:
    """Return the row of each stage of a job, given in the order in which they start."""
    row_of: dict[int, int] = {}
    free = [-np.inf]  # from when on each row is
    for stage in members:
        last = max((p for p in parents[stage] if p in row_of), key=lambda each: end[each], default=None)
        wanted = [0] if decides[stage] else [row_of[last]] if last is not None else []
        places = [*(row for row in wanted if row or decides[stage]), *range(1, len(free))]
        row = next((row for row in places if free[row] <= start[stage]), len(free))
        free += [-np.inf] * (row == len(free))
        free[row] = float(end[stage])
        row_of[stage] = row
    return row_of


def _packed(schedule: Schedule, threads: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return the jobs of each band: a thread of several jobs, or single jobs that do not overlap in time."""
    bands: list[list[int]] = []
    shared: list[int] = []  # the bands of single jobs
    for thread in threads:
        arrival = schedule.arrival[thread[0]]
        free = (place for place in shared if schedule.finish[bands[place][-1]] <= arrival)
        place = next(free, None) if len(thread) == 1 else None
        if place is not None:
            bands[place] += thread
            continue
        if len(thread) == 1:
            shared.append(len(bands))
        bands.append(list(thread))
    return [tuple(band) for band in bands]


def _named(schedule: Schedule, bands: Sequence[tuple[int, ...]]) -> list[tuple[str, tuple[int, ...]]]:
    """Name bands: "Driver 1" for jobs that follow one another, "J1" or "3 jobs" for others."""
    names = short_names(tuple(schedule.workload.job_index))
    linked = set(np.flatnonzero(followed_jobs(schedule) != NO_JOB).tolist())
    drivers = [jobs for jobs in bands if len(jobs) > 1 and jobs[1] in linked]
    named = []
    for jobs in bands:
        if jobs in drivers:
            name = f"{DRIVER} {drivers.index(jobs) + 1}" if len(drivers) > 1 else DRIVER
        else:
            name = names[jobs[0]] if len(jobs) == 1 else f"{len(jobs)} jobs"
        named.append((name, jobs))
    return named


def _thinks(schedule: Schedule, bands: Sequence[StageBand]) -> Iterable[ThinkTime]:
    """Yield the time between each job of a thread and the one that follows it."""
    followed = followed_jobs(schedule)
    for place, band in enumerate(bands):
        for before, job in zip(band.jobs, band.jobs[1:], strict=False):
            begin, end = float(schedule.finish[before]), float(schedule.arrival[job])
            if followed[job] == before and np.isfinite(end) and end > begin:
                yield ThinkTime(place, begin, end, job)
