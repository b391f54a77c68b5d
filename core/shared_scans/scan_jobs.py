"""Jobs that scan datasets, as read-only columns: what the fluid model of shared scans works on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from core.model.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, eq=False)
class ScanJobs:
    """Every array has one entry per job, by arrival.

    Attributes
    ----------
    arrival : seconds, ascending
    dataset : which dataset the job scans, int32
    work : slot-seconds of the dataset's scan for one job alone
    scan_fraction : part of that work which sharing jobs share; the rest is each rider's own, 0 to 1
    weight : above 0
    minimum, maximum : slots the job should hold at least while it runs, and may hold at most
    deadline : seconds, infinity for none
    step_times, step_costs : service level agreement: responses later than the i-th time cost the i-th cost
    """

    arrival: NDArray[np.float64]
    dataset: NDArray[np.int32]
    work: NDArray[np.float64]
    scan_fraction: NDArray[np.float64]
    weight: NDArray[np.float64]
    minimum: NDArray[np.float64]
    maximum: NDArray[np.float64]
    deadline: NDArray[np.float64]
    step_times: tuple[float, ...] = field(default=())
    step_costs: tuple[float, ...] = field(default=())

    @classmethod
    def of(
        cls,
        arrival: ArrayLike,
        dataset: ArrayLike,
        work: ArrayLike,
        *,
        scan_fraction: ArrayLike = 1.0,
        weight: ArrayLike = 1.0,
        minimum: ArrayLike = 0.0,
        maximum: ArrayLike = np.inf,
        deadline: ArrayLike = np.inf,
        steps: tuple[tuple[float, float], ...] = (),
    ) -> ScanJobs:
        """Build the columns from sequences; a single number holds for every job.

        Raises
        ------
        InputError
            arrivals are not ascending, or a value is out of its range
        """
        times = np.array(arrival, np.float64, ndmin=1)

        def column(values: ArrayLike) -> NDArray[np.float64]:
            whole = np.array(np.broadcast_to(np.asarray(values, np.float64), times.shape))
            whole.flags.writeable = False
            return whole

        times.flags.writeable = False
        which = np.array(np.broadcast_to(np.asarray(dataset, np.int32), times.shape))
        which.flags.writeable = False
        jobs = cls(
            times,
            which,
            column(work),
            column(scan_fraction),
            column(weight),
            column(minimum),
            column(maximum),
            column(deadline),
            tuple(time for time, _ in steps),
            tuple(cost for _, cost in steps),
        )
        _check(jobs)
        return jobs

    def shortest_response(self, slots: float) -> NDArray[np.float64]:
        """Return how long each job takes alone on the cluster, seconds, (jobs,)."""
        shortest: NDArray[np.float64] = self.work / np.minimum(self.maximum, slots)
        return shortest


def _check(jobs: ScanJobs) -> None:
    rules = (
        (np.diff(jobs.arrival, prepend=0.0) >= 0, "arrivals must be 0 s or later and ascending"),
        (jobs.work > 0, "work must be above 0 slot-seconds"),
        ((jobs.scan_fraction >= 0) & (jobs.scan_fraction <= 1), "a scan fraction is from 0 to 1"),
        (jobs.weight > 0, "weights must be above 0"),
        ((jobs.minimum >= 0) & (jobs.minimum <= jobs.maximum), "minimum slots are from 0 to the maximum"),
        (jobs.maximum > 0, "maximum slots must be above 0"),
        (
            np.array([list(pair) == sorted(pair) for pair in (jobs.step_times, jobs.step_costs)]),
            "the times and the costs of service levels must both ascend",
        ),
    )
    for holds, rule in rules:
        if not np.all(holds):
            raise InputError(f"scan job {int(np.argmin(holds))}: {rule}")
