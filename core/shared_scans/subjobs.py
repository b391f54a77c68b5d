"""Cyclic piggybacking: the remaining scans of a dataset's jobs, cut into subjobs that form a chain.

Source: 003 sections 2.2 and 3.1. A dataset is a circle of blocks; a job that arrives starts where the
running scan is. Of the K jobs on a dataset, the oldest first, the k-th still needs R_k of it, and
R_1 <= R_2 <= ... <= R_K. Subjob k is what the k-th job needs beyond the one before; the jobs k to K ride.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Subjob:
    """A part of a scan that serves the same jobs from its first block to its last.

    Attributes
    ----------
    sharing_jobs : the jobs it serves
    completes : the job that is complete with it, or None (sets of blocks: no job in particular)
    length : the scan's work for one rider alone, in slot-seconds
    work : slot-seconds it takes with all its sharing jobs
    minimum, maximum : slots
    """

    sharing_jobs: tuple[int, ...]
    completes: int | None
    length: float
    work: float
    minimum: float
    maximum: float

    @property
    def concurrency(self) -> int:
        """How many jobs it serves at once."""
        return len(self.sharing_jobs)


def shared_work(length: float, scan_fraction: float, concurrency: int) -> float:
    """Return the slot-seconds of a scan that serves several jobs: only the scan fraction is shared."""
    return length * (scan_fraction + (1 - scan_fraction) * concurrency)


def shared_limits(
    sharing_jobs: Sequence[int], minimum: NDArray[np.float64], maximum: NDArray[np.float64]
) -> tuple[float, float]:
    """Return the slots for sharing jobs together: the largest minimum, the least maximum."""
    lowest = max(float(minimum[j]) for j in sharing_jobs)
    return lowest, max(lowest, min(float(maximum[j]) for j in sharing_jobs))


def chain_of_subjobs(
    jobs: Sequence[int],
    remaining: Sequence[float],
    scan_fraction: float,
    minimum: NDArray[np.float64],
    maximum: NDArray[np.float64],
) -> list[Subjob]:
    """Cut the remaining scans of one dataset's jobs into its chain (d, 1), (d, 2) and so on.

    Parameters
    ----------
    jobs : the jobs that scan the dataset, the oldest first
    remaining : slot-seconds that each job of the workload still needs, ascending along `jobs`
    scan_fraction : part of the work that sharing jobs share
    minimum, maximum : slots of each job of the workload
    """
    chain = []
    before = 0.0
    for k, job in enumerate(jobs):
        sharing_jobs = tuple(jobs[k:])
        length = remaining[job] - before
        lowest, highest = shared_limits(sharing_jobs, minimum, maximum)
        work = shared_work(length, scan_fraction, len(sharing_jobs))
        chain.append(Subjob(sharing_jobs, job, length, work, lowest, highest))
        before = remaining[job]
    return chain
