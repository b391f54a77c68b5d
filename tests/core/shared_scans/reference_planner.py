"""The planner of 003 appendix B from plain parts: chains of subjobs, Smith's rule, ready-list packing.

What the compiled loop of the fluid model is tested against.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.shared_scans.scan_jobs import shared_work

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

INFINITY = float("inf")


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


def smith_order(
    chains: Sequence[Sequence[tuple[float, float]]],
) -> list[tuple[int, int]]:
    """Order the links of chains by the generalized Smith's rule (003 B.1).

    From every chain take the prefix with the smallest ratio of summed work to summed weight; schedule the
    best prefix of all, and repeat.

    Parameters
    ----------
    chains : for each chain the (work, weight) of its subjobs, first to last

    Returns
    -------
    (chain, place in the chain), first to last; minimises the sum of weight times completion time
    """
    begin = [0] * len(chains)
    order: list[tuple[int, int]] = []
    while any(begin[d] < len(chain) for d, chain in enumerate(chains)):
        prefixes = [
            (_ratio(chain[begin[d] : k + 1]), d, k)
            for d, chain in enumerate(chains)
            for k in range(begin[d], len(chain))
        ]
        _, best, last = min(prefixes)
        order += [(best, k) for k in range(begin[best], last + 1)]
        begin[best] = last + 1
    return order


def _ratio(links: Sequence[tuple[float, float]]) -> float:
    return sum(work for work, _ in links) / sum(weight for _, weight in links)


@dataclass(frozen=True, slots=True)
class Interval:
    """From one completion to the next: every ready subjob with its slots (by number)."""

    start: float
    end: float
    slots: Mapping[int, float]


def allocate(ready: Sequence[int], subjobs: Mapping[int, Subjob], slots: float) -> dict[int, float]:
    """Give each ready subjob its minimum, then the rest in priority order up to the maxima.

    Parameters
    ----------
    ready : by priority
    slots : of the cluster; minima that exceed them together are scaled down
    """
    wanted = sum(subjobs[j].minimum for j in ready)
    scale = min(1.0, slots / wanted) if wanted > 0 else 1.0
    given = {j: subjobs[j].minimum * scale for j in ready}
    slack = slots - sum(given.values())
    for j in ready:
        more = max(0.0, min(slack, subjobs[j].maximum - given[j]))
        given[j] += more
        slack -= more
    return given


def pack(
    priority: Sequence[int],
    subjobs: Mapping[int, Subjob],
    successors: Mapping[int, set[int]],
    slots: float,
    *,
    start: float = 0.0,
    until: float = INFINITY,
) -> list[Interval]:
    """Follow a priority order, interval by interval, to its end or to the time `until`.

    Parameters
    ----------
    priority : the subjobs, first served first
    successors : subjobs that may begin only when the key is complete
    start, until : seconds
    """
    left = {j: subjobs[j].work for j in priority}
    intervals: list[Interval] = []
    now = start
    while left and now < until:
        behind = {follower for j in left for follower in successors[j]}
        ready = [j for j in priority if j in left and j not in behind]
        given = allocate(ready, subjobs, slots)
        ends = {j: now + left[j] / given[j] for j in ready if given[j] > 0}
        end = min(min(ends.values()), until)
        if end > now:
            intervals.append(Interval(now, end, given))
        for j in ready:
            left[j] -= given[j] * (end - now)
            if ends.get(j, INFINITY) <= end:
                del left[j]
        now = end
    return intervals
