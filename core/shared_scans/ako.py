"""AKO's batching windows: one per dataset, optimised for Poisson arrivals (003 sections 1 and 2.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.shared_scans.scan_jobs import ScanJobs


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
