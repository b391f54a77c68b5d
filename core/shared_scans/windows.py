"""When jobs board, which share their scans, and the columns of what boards.

FLEX and CIRCUMFLEX serve jobs on arrival, BATCH and AKO at the end of a batching window: BATCH has one length
for all datasets, AKO one for each, optimised for Poisson arrivals (003 sections 1, 2.1 and 4).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from core.shared_scans.plan_columns import Boarding

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.shared_scans.metric import ScanMetric
    from core.shared_scans.scan_jobs import ScanJobs

ScanPolicy = Literal["flex", "circumflex", "batch", "ako"]
SCAN_POLICIES: tuple[ScanPolicy, ...] = ("flex", "circumflex", "batch", "ako")


@dataclass(frozen=True, eq=False)
class Windows:
    """The batching windows of each dataset, by its number: when the first begins, and how long each lasts.

    Attributes
    ----------
    begin, length : seconds, (datasets,); nan for a dataset that no job scans
    """

    begin: NDArray[np.float64]
    length: NDArray[np.float64]

    def around(self, dataset: int, time: float) -> tuple[float, float]:
        """Return the window of a dataset in which a time is, seconds: when it begins, and when it ends."""
        begin, length = float(self.begin[dataset]), float(self.length[dataset])
        which = np.floor((time - begin) / length)
        return float(begin + which * length), float(begin + (which + 1) * length)


MAX_DEFAULT_WINDOW = 120.0
"""Seconds of BATCH's windows in 003 section 4."""


def usual_window(last_arrival: float) -> float:
    """Return BATCH's window where none is given, seconds: a quarter of the last arrival, at most two minutes.

    Two minutes too where all arrive at once. Arrivals up to 90 s give 22.5 s.
    """
    return min(last_arrival / 4, MAX_DEFAULT_WINDOW) or MAX_DEFAULT_WINDOW


def windows_of(
    jobs: ScanJobs, slots: float, policy: ScanPolicy, metric: ScanMetric, window: float, load: float
) -> Windows | None:
    """Return the windows of each dataset; None if the policy has none.

    BATCH offsets its windows evenly, dataset by dataset (003 section 4); AKO's begin at 0 (section 2.1) and
    keep the mean wait small or, where the metric is a maximum, the longest one. `window` is 0 for the usual
    one.
    """
    if policy not in ("batch", "ako"):
        return None
    datasets = int(jobs.dataset.max()) + 1
    if policy == "batch":
        window = window or usual_window(float(jobs.arrival[-1]))
        begin: NDArray[np.float64] = np.arange(datasets) * np.float64(window / datasets)
        return Windows(begin, np.full(datasets, window))
    return Windows(np.zeros(datasets), ako_windows(jobs, slots, load, longest=metric.combine == "max"))


def window_ends(
    jobs: ScanJobs, slots: float, policy: ScanPolicy, metric: ScanMetric, window: float, load: float
) -> NDArray[np.float64] | None:
    """Return the end of the window in which each job arrives; None if the policy has no windows."""
    windows = windows_of(jobs, slots, policy, metric, window, load)
    if windows is None:
        return None
    begin, length = windows.begin[jobs.dataset], windows.length[jobs.dataset]
    ends: NDArray[np.float64] = begin + (np.floor((jobs.arrival - begin) / length) + 1) * length
    return ends


def sharing_groups(jobs: ScanJobs, policy: ScanPolicy, ends: NDArray[np.float64] | None) -> NDArray[np.int64]:
    """Return which jobs share: none, those of a dataset or, with windows, of a dataset and window."""
    if policy == "flex":
        return np.arange(len(jobs.arrival))
    if ends is None:
        return jobs.dataset.astype(np.int64)
    _, group = np.unique(np.stack([jobs.dataset, ends], axis=1), axis=0, return_inverse=True)
    return group.reshape(-1).astype(np.int64)


class BoardingTimes(NamedTuple):
    """When each job can first be served, which it may share with, and the jobs in the order of boarding.

    Attributes
    ----------
    boards : its arrival, or the end of its window, seconds, (jobs,)
    group : jobs of one group share their scans, (jobs,)
    order : jobs by boarding, then by number, (jobs,)
    """

    boards: NDArray[np.float64]
    group: NDArray[np.int64]
    order: NDArray[np.int64]


def boarding_times(
    jobs: ScanJobs, slots: float, policy: ScanPolicy, metric: ScanMetric, window: float, load: float
) -> BoardingTimes:
    """Return when jobs board under a policy, and which share."""
    ends = window_ends(jobs, slots, policy, metric, window, load)
    boards = jobs.arrival if ends is None else ends
    return BoardingTimes(boards, sharing_groups(jobs, policy, ends), np.argsort(boards, kind="stable"))


def boarding_of(
    jobs: ScanJobs,
    slots: float,
    metric: ScanMetric,
    chain: NDArray[np.int64] | NDArray[np.int32],
    batches: tuple[NDArray[np.int64], NDArray[np.int64]] | None = None,
    boards: NDArray[np.float64] | None = None,
) -> Boarding:
    """Return the columns of what boards: every job by itself, or batches of jobs.

    Parameters
    ----------
    jobs, slots, metric : what is scheduled, and what for
    chain : entries of one chain share their scans, (entries,)
    batches : the jobs of all entries one after the other, and where each entry begins among them
    boards : when each entry can first be served; None for the jobs' arrivals
    """
    count = len(jobs.arrival)
    members, first = (np.arange(count), np.arange(count)) if batches is None else batches
    leader = members[first]
    cost = metric.penalties(jobs, slots)
    place = np.empty(count, np.int64)
    place[members] = np.arange(count)
    step_place = place[cost.step_job]
    by_member = np.argsort(step_place, kind="stable")
    first_step = np.searchsorted(step_place[by_member], np.arange(count + 1))
    return Boarding(
        arrival=np.array(jobs.arrival if boards is None else boards),
        chain=chain.astype(np.int32),
        length=jobs.work[leader],
        fraction=jobs.scan_fraction[leader],
        sharing_jobs=np.diff(np.r_[first, count]).astype(np.int32),
        weight=np.add.reduceat(cost.factor[members], first),
        lowest=np.maximum.reduceat(jobs.minimum[members], first),
        highest=np.minimum.reduceat(np.minimum(jobs.maximum, slots)[members], first),
        first_member=np.r_[first, count].astype(np.int32),
        due=cost.due[members],
        floor=cost.floor[members],
        factor=cost.factor[members],
        first_step=first_step.astype(np.int32),
        step_time=cost.step_time[by_member],
        step_cost=cost.step_cost[by_member],
    )


def ako_windows(jobs: ScanJobs, slots: float, load: float, *, longest: bool = False) -> NDArray[np.float64]:
    """Return the window of each dataset in seconds, (datasets,).

    Minimises the mean wait ``sum(rate_d * T_d / 2)`` while the scans fit: ``sum(work_d / T_d) <= slots *
    load``. Lagrange's rule gives T_d in proportion to ``sqrt(work_d / rate_d)``. The rates are those of the
    workload itself; the work of a dataset is that of the job that scans most of it. A dataset that no job
    scans gets no window (nan). With `longest` the longest wait is minimised, ``max(T_d)``: by equal windows.
    """
    count = np.bincount(jobs.dataset).astype(np.float64)
    work = np.full(len(count), np.nan)
    np.fmax.at(work, jobs.dataset, jobs.work)
    span = max(float(jobs.arrival[-1]), float(np.nansum(work)) / slots)
    used = count > 0
    shape = np.full(len(count), np.nan)
    shape[used] = 1.0 if longest else np.sqrt(work[used] / (count[used] / span))
    windows: NDArray[np.float64] = shape * float(np.sum(work[used] / shape[used])) / (slots * load)
    return windows
