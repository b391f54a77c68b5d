"""When jobs board and who shares their scans: on arrival, or at the end of a batching window.

FLEX and CIRCUMFLEX serve jobs on arrival. BATCH has one window for all datasets, AKO one for each, optimised
for Poisson arrivals (003 sections 1, 2.1 and 4).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from core.model.schedule import ScanSharing

if TYPE_CHECKING:
    from numpy.typing import NDArray

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


def windows_of(
    jobs: ScanJobs, slots: float, policy: ScanPolicy, window: float, load: float
) -> Windows | None:
    """Return the windows of each dataset; None if the policy has none.

    BATCH offsets its windows evenly, dataset by dataset (003 section 4); AKO's begin at 0 (section 2.1).
    """
    if policy not in ("batch", "ako"):
        return None
    datasets = int(jobs.dataset.max()) + 1
    if policy == "batch":
        begin: NDArray[np.float64] = np.arange(datasets) * np.float64(window / datasets)
        return Windows(begin, np.full(datasets, window))
    return Windows(np.zeros(datasets), ako_windows(jobs, slots, load))


def window_ends(
    jobs: ScanJobs, slots: float, policy: ScanPolicy, window: float, load: float
) -> NDArray[np.float64] | None:
    """Return the end of the window in which each job arrives; None if the policy has no windows."""
    windows = windows_of(jobs, slots, policy, window, load)
    if windows is None:
        return None
    begin, length = windows.begin[jobs.dataset], windows.length[jobs.dataset]
    ends: NDArray[np.float64] = begin + (np.floor((jobs.arrival - begin) / length) + 1) * length
    return ends


def sharing_groups(jobs: ScanJobs, policy: ScanPolicy, ends: NDArray[np.float64] | None) -> NDArray[np.int64]:
    """Return which jobs share: nobody, those of a dataset or, with windows, of a dataset and window."""
    if policy == "flex":
        return np.arange(len(jobs.arrival))
    if ends is None:
        return jobs.dataset.astype(np.int64)
    _, group = np.unique(np.stack([jobs.dataset, ends], axis=1), axis=0, return_inverse=True)
    return group.reshape(-1).astype(np.int64)


class BoardingTimes(NamedTuple):
    """When each job can first be served, whom it may share with, and the jobs in the order of boarding.

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
    jobs: ScanJobs, slots: float, policy: ScanPolicy, window: float, load: float
) -> BoardingTimes:
    """Return when jobs board under a policy, and who shares."""
    ends = window_ends(jobs, slots, policy, window, load)
    boards = jobs.arrival if ends is None else ends
    return BoardingTimes(boards, sharing_groups(jobs, policy, ends), np.argsort(boards, kind="stable"))


def scan_sharing(
    boarding: BoardingTimes, index: NDArray[np.int64], *, shares: bool = True, **blocks: Any
) -> ScanSharing:
    """Return who may share with whom, for a schedule.

    Parameters
    ----------
    boarding : of the scans of a workload
    index : the workload's job of each scan, (jobs,)
    shares : whether anybody shares
    blocks : `block` and `wanted` of `ScanSharing`, where jobs scan some of the blocks only
    """
    count = len(index)
    group, boards, place = np.empty(count, np.int32), np.empty(count), np.empty(count, np.int64)
    group[index], boards[index] = boarding.group, boarding.boards
    place[index[boarding.order]] = np.arange(count)
    return ScanSharing(group, boards, place, shares, **blocks)


def ako_windows(jobs: ScanJobs, slots: float, load: float) -> NDArray[np.float64]:
    """Return the window of each dataset in seconds, (datasets,).

    Minimises the mean wait ``sum(rate_d * T_d / 2)`` while the scans fit: ``sum(work_d / T_d) <= slots *
    load``. Lagrange's rule gives T_d in proportion to ``sqrt(work_d / rate_d)``. The rates are those of the
    workload itself; the work of a dataset is that of the job that scans most of it. A dataset that no job
    scans gets no window (nan).
    """
    count = np.bincount(jobs.dataset).astype(np.float64)
    work = np.full(len(count), np.nan)
    np.fmax.at(work, jobs.dataset, jobs.work)
    span = max(float(jobs.arrival[-1]), float(np.nansum(work)) / slots)
    used = count > 0
    shape = np.full(len(count), np.nan)
    shape[used] = np.sqrt(work[used] / (count[used] / span))
    windows: NDArray[np.float64] = shape * float(np.sum(work[used] / shape[used])) / (slots * load)
    return windows
