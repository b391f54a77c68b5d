"""Cells: what jobs over overlapping sets of blocks still need, one subjob per set of jobs (003 Figure 4).

A cell comes before another if it serves a proper superset of the other's jobs. Smith's rule needs chains, so
only the largest of the jobs' penalties can be optimised here (003 sections 3.2 and 3.3).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.shared_scans.metric import penalties
from core.shared_scans.priority import backwards_order
from core.shared_scans.subjobs import Subjob, shared_limits, shared_work

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.shared_scans.metric import Metric
    from core.shared_scans.scan_jobs import ScanJobs

Cell = tuple[int, tuple[int, ...]]
"""A group of jobs that may share, and the jobs of it that need these blocks, the first to board first."""
INFINITY = float("inf")


@dataclass(frozen=True)
class CellPlan:
    """Cells by number, the order in which they should get slots, and who must follow whom."""

    keys: tuple[Cell, ...]
    subjobs: Mapping[int, Subjob]
    successors: Mapping[int, set[int]]
    priority: tuple[int, ...]

    def ready(self) -> list[int]:
        """Return the cells that no other one must precede, by priority."""
        behind = {follower for cell in self.priority for follower in self.successors[cell]}
        return [cell for cell in self.priority if cell not in behind]

    def places(self) -> dict[int, int]:
        """Return the place of each cell among those of its group, by priority, from 1."""
        seen: dict[int, int] = {}
        places = {}
        for cell in self.priority:
            group = self.keys[cell][0]
            places[cell] = seen[group] = seen.get(group, 0) + 1
        return places


def plan_cells(
    cells: Mapping[Cell, float], jobs: ScanJobs, metric: Metric, slots: float, now: float
) -> CellPlan:
    """Put cells in order of priority by the backwards dynamic program (003 B.2).

    Parameters
    ----------
    cells : the length of each in slot-seconds, above 0
    jobs : whose numbers the cells' sharing jobs are
    metric : one that the dynamic program optimises
    slots, now : of the cluster; seconds
    """
    keys = tuple(sorted(cells, key=lambda cell: (cell[1], cell[0])))  # ties: the cell of older jobs first
    subjobs = {c: _subjob(jobs, key[1], cells[key]) for c, key in enumerate(keys)}
    successors = _successors(keys)
    work = {c: subjob.work / slots for c, subjob in subjobs.items()}
    factor = metric.weights(jobs, slots)

    def penalty(cell: int, end: float, later: Sequence[int]) -> float:
        closed = {job for c in later for job in subjobs[c].sharing_jobs}
        ending = [job for job in subjobs[cell].sharing_jobs if job not in closed]
        if not ending:
            return -INFINITY
        times = np.full(len(jobs.arrival), now + end)
        return float((factor * penalties(metric.penalty, jobs, times))[ending].max())

    return CellPlan(keys, subjobs, successors, tuple(backwards_order(work, successors, penalty)))


def minima_of(ready: Sequence[int], subjobs: Mapping[int, Subjob], jobs: ScanJobs) -> dict[int, float]:
    """Return the slots that each ready cell should have at least: what its sharing jobs' minima still lack.

    A job may ride several cells at once; its minimum and maximum concern all of them together.
    """
    held = dict.fromkeys((job for cell in ready for job in subjobs[cell].sharing_jobs), 0.0)
    least: dict[int, float] = {}
    for cell in ready:
        least[cell] = max(0.0, *(float(jobs.minimum[job]) - held[job] for job in subjobs[cell].sharing_jobs))
        _hold(held, subjobs[cell], least[cell])
    return least


def allocate_cells(
    ready: Sequence[int], subjobs: Mapping[int, Subjob], slots: float, jobs: ScanJobs
) -> dict[int, float]:
    """Give ready cells their minima, then the rest by priority up to the sharing jobs' maxima (003 B.3).

    Parameters
    ----------
    ready : by priority
    slots : of the cluster; minima that exceed them together are scaled down
    jobs : minima and maxima of the sharing jobs
    """
    given = minima_of(ready, subjobs, jobs)
    wanted = sum(given.values())
    scale = min(1.0, slots / wanted) if wanted > 0 else 1.0
    held = dict.fromkeys((job for cell in ready for job in subjobs[cell].sharing_jobs), 0.0)
    for cell in ready:
        given[cell] *= scale
        _hold(held, subjobs[cell], given[cell])
    slack = slots - sum(given.values())
    for cell in ready:
        room = min(float(jobs.maximum[job]) - held[job] for job in subjobs[cell].sharing_jobs)
        more = max(0.0, min(slack, room))
        given[cell] += more
        slack -= more
        _hold(held, subjobs[cell], more)
    return given


def _hold(held: dict[int, float], subjob: Subjob, more: float) -> None:
    for job in subjob.sharing_jobs:
        held[job] += more


def _subjob(jobs: ScanJobs, sharing_jobs: tuple[int, ...], length: float) -> Subjob:
    work = shared_work(length, float(jobs.scan_fraction[sharing_jobs[0]]), len(sharing_jobs))
    lowest, highest = shared_limits(sharing_jobs, jobs.minimum, jobs.maximum)
    return Subjob(sharing_jobs, None, length, work, lowest, highest)


def _successors(keys: Sequence[Cell]) -> dict[int, set[int]]:
    """More-shared cells come before less-shared ones that they contain."""
    sets = [(group, set(sharing_jobs)) for group, sharing_jobs in keys]
    return {
        a: {b for b in range(len(keys)) if sets[a][0] == sets[b][0] and sets[a][1] > sets[b][1]}
        for a in range(len(keys))
    }
