"""What is drawn of a schedule wherever it is drawn: in a window, on a page, on paper."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.charts.schedule_rows import schedule_rows
from core.measures.job_classes import job_classes

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from core.charts.schedule_rows import ScheduleRows
    from core.measures.job_classes import JobClasses
    from core.model.schedule import Schedule

ROUND_ENDS = (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
"""Times at which an axis may end that tells nothing, times a power of ten."""
MIN_MORE = 1.25
"""So much longer than the longest schedule such an axis is at least."""


@dataclass(frozen=True, eq=False)
class DrawnChart:
    """A chart: rows, how its jobs are coloured, and what it is called.

    Attributes
    ----------
    rows : the schedule's rows, or None while there is nothing to show
    title : what the chart is called
    classes : as what the jobs of the document are coloured; None for what tells its own jobs apart
    places : of a schedule whose jobs are not those of the document any more: how many the document has,
        and the place of each job of the schedule among them, -1 for none, (jobs,); else None
    veil : seconds from which on nothing is shown or told, for whoever is to guess it first
    """

    rows: ScheduleRows | None = None
    title: str = ""
    classes: JobClasses | None = None
    places: tuple[int, NDArray[np.int64]] | None = None
    veil: float = math.inf

    @property
    def jobs(self) -> int:
        """Number of jobs in the workload."""
        return len(self.rows.schedule.workload.jobs) if self.rows else 0

    @property
    def is_veiled(self) -> bool:
        """Whether what comes later is hidden."""
        return self.veil < math.inf

    @property
    def end(self) -> float:
        """When the last task ends, in seconds; under a veil a round time that does not reveal it."""
        end = self.rows.schedule.makespan if self.rows else 0.0
        return round_end(end) if self.is_veiled else end


def charts_of(titled: Sequence[tuple[str, Schedule]], *, by_pool: bool = False) -> list[DrawnChart]:
    """Return the charts of schedules that are beside one another, coloured by the jobs of the first one.

    Parameters
    ----------
    titled : what each schedule is called, and the schedule; the first one is the baseline
    by_pool : whether a row is a place in the band of a pool that shares slots, instead of a slot
    """
    classes = baseline_classes(titled[0][1]) if titled else None
    return [DrawnChart(schedule_rows(schedule, by_pool), title, classes) for title, schedule in titled]


def baseline_classes(baseline: Schedule) -> JobClasses:
    """Return as what jobs are coloured beside a baseline: hues go on in the order in which it serves them."""
    return job_classes(baseline.given, places=baseline.rank.astype("int64"))


def round_end(seconds: float) -> float:
    """Return a round time well after this one, for an axis that does not show the end."""
    if seconds <= 0:
        return seconds
    power = 10.0 ** math.floor(math.log10(seconds * MIN_MORE))
    return next(end * power for end in ROUND_ENDS if end * power >= seconds * MIN_MORE)
