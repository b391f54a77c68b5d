"""Cells: what jobs over overlapping sets of blocks still need, one subjob per set of jobs (003 Figure 4).

A cell comes before another if it serves a proper superset of the other's jobs. Smith's rule needs chains, so
only the largest of the jobs' penalties can be optimised here (003 sections 3.2 and 3.3). Jobs that scan whole
datasets have the cells of a chain, and the same plan as in `core.shared_scans.fluid_loop`, which is compiled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.shared_scans.metric import PROGRAM
from core.shared_scans.plan_columns import Boarding
from core.shared_scans.priority_loop import penalty_at
from core.shared_scans.scan_jobs import shared_work
from core.shared_scans.windows import boarding_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from core.shared_scans.metric import ScanMetric
    from core.shared_scans.scan_jobs import ScanJobs

Cell = tuple[int, tuple[int, ...]]
"""A group of jobs that may share, and the jobs of it that need these blocks, the first to board first."""
INFINITY = float("inf")


@dataclass(frozen=True)
class CellPlan:
    """Cells by number, what they need, and the order in which they should get slots.

    Attributes
    ----------
    jobs, slots : whose minima and maxima hold, and the slots of the cluster
    keys : the cells
    work : slot-seconds that each takes
    successors : cells that may begin only when the key is complete
    priority : the cells, first served first
    """

    jobs: ScanJobs
    slots: float
    keys: tuple[Cell, ...]
    work: Mapping[int, float]
    successors: Mapping[int, set[int]]
    priority: tuple[int, ...]

    def ready(self, left: Iterable[int]) -> list[int]:
        """Return those of the cells left that no other one left must precede, by priority."""
        behind = {follower for cell in left for follower in self.successors[cell]}
        return [cell for cell in self.priority if cell in left and cell not in behind]

    def places(self) -> dict[int, int]:
        """Return the place of each cell among those of its group, by priority, from 1."""
        seen: dict[int, int] = {}
        places = {}
        for cell in self.priority:
            group = self.keys[cell][0]
            places[cell] = seen[group] = seen.get(group, 0) + 1
        return places

    def minima(self, ready: Sequence[int]) -> dict[int, float]:
        """Return the slots that each ready cell should have at least: what its jobs' minima still lack.

        A job may share several cells at once; its minimum and maximum concern all of them together.
        """
        held = self._nothing_held(ready)
        least: dict[int, float] = {}
        for cell in ready:
            least[cell] = max(0.0, *(float(self.jobs.minimum[job]) - held[job] for job in self.keys[cell][1]))
            self._hold(held, cell, least[cell])
        return least

    def allocate(self, ready: Sequence[int]) -> dict[int, float]:
        """Give ready cells, by priority, their minima, then the rest up to the jobs' maxima (003 B.3).

        Minima that exceed the cluster's slots together are scaled down: two cells that need at least 6 and 2
        of 4 slots get 3 and 1.
        """
        given = self.minima(ready)
        wanted = sum(given.values())
        scale = min(1.0, self.slots / wanted) if wanted > 0 else 1.0
        held = self._nothing_held(ready)
        for cell in ready:
            given[cell] *= scale
            self._hold(held, cell, given[cell])
        slack = self.slots - sum(given.values())
        for cell in ready:
            room = min(float(self.jobs.maximum[job]) - held[job] for job in self.keys[cell][1])
            more = max(0.0, min(slack, room))
            given[cell] += more
            slack -= more
            self._hold(held, cell, more)
        return given

    def _nothing_held(self, ready: Iterable[int]) -> dict[int, float]:
        return dict.fromkeys((job for cell in ready for job in self.keys[cell][1]), 0.0)

    def _hold(self, held: dict[int, float], cell: int, more: float) -> None:
        for job in self.keys[cell][1]:
            held[job] += more


class CellPlanner:
    """Plans the cells of some jobs, again whenever something has happened.

    Attributes
    ----------
    jobs, slots : what scans, on how many slots
    """

    def __init__(self, jobs: ScanJobs, metric: ScanMetric, slots: float) -> None:
        self.jobs, self.slots = jobs, slots
        columns = boarding_of(jobs, slots, metric, jobs.dataset)
        self._boarding = Boarding(*(column.tolist() for column in columns))

    def cost(self, cell: Cell) -> float:
        """Return the slot-seconds that a cell takes per slot-second of scan for one job alone."""
        return shared_work(1.0, float(self.jobs.scan_fraction[cell[1][0]]), len(cell[1]))

    def plan(self, cells: Mapping[Cell, float], now: float) -> CellPlan:
        """Put cells in order of priority by the backwards dynamic program (003 B.2).

        Parameters
        ----------
        cells : the length of each in slot-seconds, above 0
        now : seconds
        """
        keys = tuple(sorted(cells, key=lambda cell: (cell[1], cell[0])))  # ties: the cell of older jobs first
        successors = _successors(keys)
        work = {c: cells[key] * self.cost(key) for c, key in enumerate(keys)}

        def penalty(cell: int, end: float, later: Sequence[int]) -> float:
            closed = {job for c in later for job in keys[c][1]}
            ending = (job for job in keys[cell][1] if job not in closed)
            costs = (penalty_at(self._boarding, job, now + end, PROGRAM) for job in ending)
            return max(costs, default=-INFINITY)

        seconds = {c: each / self.slots for c, each in work.items()}
        priority = tuple(backwards_order(seconds, successors, penalty))
        return CellPlan(self.jobs, self.slots, keys, work, successors, priority)


def backwards_order(
    work: Mapping[int, float],
    successors: Mapping[int, set[int]],
    penalty: Callable[[int, float, Sequence[int]], float],
) -> list[int]:
    """Order subjobs so that the largest penalty is as small as possible (003 B.2).

    From the end backwards: last comes the one that costs least there, among those without a successor left.
    (Line 2 of the paper's listing says predecessor, which would build the order forwards.)

    Parameters
    ----------
    work : time of each subjob on the whole cluster, by its number
    successors : the subjobs that must come after each one
    penalty : what it costs to end a subjob at a time, given the subjobs that come later; never falls with
        time

    Returns
    -------
    The subjobs, first to last; of two that cost the same the one with the larger number comes later.
    """
    left = set(work)
    later: list[int] = []
    end = sum(work.values())
    while left:
        free = [j for j in left if not successors[j] & left]
        best = min(free, key=lambda j: (penalty(j, end, later), -j))
        later.append(best)
        left.remove(best)
        end -= work[best]
    return later[::-1]


def _successors(keys: Sequence[Cell]) -> dict[int, set[int]]:
    """More-shared cells come before less-shared ones that they contain."""
    sets = [(group, set(sharing_jobs)) for group, sharing_jobs in keys]
    return {
        a: {b for b in range(len(keys)) if sets[a][0] == sets[b][0] and sets[a][1] > sets[b][1]}
        for a in range(len(keys))
    }
