"""When jobs of a dataset arrive, board and leave, and how many share meanwhile (003 Figures 1 and 2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class DatasetTimeline:
    """One dataset; the jobs by arrival.

    Attributes
    ----------
    dataset : its number
    jobs : numbers of the jobs that scan it, (k,)
    arrival, boarded, finish : of each, seconds, (k,); between arrival and boarding a job waits for its window
    times : when the number of sharing jobs changes, ascending, (steps,)
    sharing : sharing jobs from ``times[i]`` to ``times[i + 1]``, (steps,)
    """

    dataset: int
    jobs: NDArray[np.int64]
    arrival: NDArray[np.float64]
    boarded: NDArray[np.float64]
    finish: NDArray[np.float64]
    times: NDArray[np.float64]
    sharing: NDArray[np.int64]

    @property
    def waited(self) -> float:
        """Seconds that all its jobs together waited for their windows to end."""
        return float(np.sum(self.boarded - self.arrival))


def scan_timelines(
    dataset: NDArray[np.int32],
    arrival: NDArray[np.float64],
    boarded: NDArray[np.float64],
    finish: NDArray[np.float64],
) -> tuple[DatasetTimeline, ...]:
    """Return one timeline per dataset that has jobs, by number; all arrays are (jobs,), times in seconds."""
    return tuple(
        _timeline(int(d), np.flatnonzero(dataset == d), arrival, boarded, finish) for d in np.unique(dataset)
    )


def _timeline(
    dataset: int,
    members: NDArray[np.int64],
    arrival: NDArray[np.float64],
    boarded: NDArray[np.float64],
    finish: NDArray[np.float64],
) -> DatasetTimeline:
    jobs = members[np.argsort(arrival[members], kind="stable")]
    times = np.unique(np.concatenate([boarded[jobs], finish[jobs]]))
    sharing = np.searchsorted(np.sort(boarded[jobs]), times, "right")
    sharing = sharing - np.searchsorted(np.sort(finish[jobs]), times, "right")
    return DatasetTimeline(dataset, jobs, arrival[jobs], boarded[jobs], finish[jobs], times, sharing)
