"""Ends of jobs that are looked at where slots have prices, and what each needs of the slots by each time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.optimize.slot_prices import bands, end_points

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.optimize.job_costs import JobCosts
    from core.optimize.slot_prices import Priceable
    from core.optimize.worst_job import WorstJob

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

BEYOND = 6
"""Ends that are looked at behind the last time."""


class Ends(NamedTuple):
    """All ends of all jobs that are looked at, one after the other.

    Attributes
    ----------
    first : where those of each job begin, (jobs,)
    job : of each end, (ends,)
    seconds : the ends, (ends,)
    cost : of each, without slots, (ends,)
    needs : seconds of each machine that they need by each time, where not all, as a sparse matrix, (ends,
        machines times)
    back : the same the other way round
    later, work : of each load: from which time on an end needs all of the work, and how much that is,
        (loads, ends) each
    machine : of each load
    level : the first level of the worst job that allows each end, 0 where it does not count, (ends,)
    level_cost : what each level costs, (levels,)
    """

    first: Ints
    job: Ints
    seconds: Floats
    cost: Floats
    needs: Any  # scipy.sparse.csr_array
    back: Any
    later: Ints
    work: Floats
    machine: tuple[int, ...]
    level: Ints
    level_cost: Floats

    @property
    def levels_of_jobs(self) -> tuple[Ints, Ints]:
        """Where ends begin that are of another job or level than those before, and these in one number."""
        number = self.job * len(self.level_cost) + self.level
        begins = np.flatnonzero(np.diff(number, prepend=-1))
        return begins, number[begins]

    def least(self, paid: Floats) -> Floats:
        """Return what all jobs and the worst one cost by each level, at the cheapest ends, (levels,)."""
        begins, number = self.levels_of_jobs
        table = np.full((len(self.first), len(self.level_cost)), np.inf)
        table.ravel()[number] = np.minimum.reduceat(paid, begins)
        least: Floats = self.level_cost + np.minimum.accumulate(table, axis=1).sum(axis=0)
        return least

    def paid(self, falls: Floats) -> Floats:
        """Return what each end costs with its slots, (ends,)."""
        rest = np.zeros((len(falls), falls.shape[1] + 1))
        rest[:, :-1] = np.cumsum(falls[:, ::-1], axis=1)[:, ::-1]
        paid: Floats = self.cost + self.needs @ falls.ravel()
        for later, work, machine in zip(self.later, self.work, self.machine, strict=True):
            paid += work * rest[machine, later]
        return paid

    def needed(self, some: Ints, shape: tuple[int, int]) -> Floats:
        """Return the seconds of each machine that some ends need by each time, (some, machines times)."""
        needed = self.needs[some].toarray().reshape(len(some), *shape)
        for later, work, machine in zip(self.later, self.work, self.machine, strict=True):
            needed[:, machine] += work[some, None] * (np.arange(shape[1]) >= later[some, None])
        return np.asarray(needed.reshape(len(some), -1), np.float64)

    def used(self, part: Floats, shape: tuple[int, int]) -> Floats:
        """Return the seconds of each machine that are needed by each time, with parts of ends."""
        used = np.asarray(self.back @ part).reshape(shape)
        for later, work, machine in zip(self.later, self.work, self.machine, strict=True):
            used[machine] += np.cumsum(np.bincount(later, work * part, shape[1] + 1)[:-1])
        return used


def ends_of(
    what: Priceable,
    costs: JobCosts,
    times: Floats,
    look: Callable[[], None],
    worst: WorstJob | None,
    until: float = np.inf,
) -> Ends:
    """Gather the ends that are looked at, those by a time alone, s."""
    from scipy.sparse import csr_array  # 0.1 s, and only prices need it

    found, cost, rows, places, needs = [], [], [], [], []
    later: list[list[Ints]] = [[] for _ in what.loads]
    begin, first, level = 0, [], []
    limits = np.zeros((0, what.jobs)) if worst is None else worst.limits[:-1]
    for j in range(what.jobs):
        look()
        ends = end_points(what, costs, j, times, quarters=False)
        beyond = np.linspace(times[-1], ends[-1], BEYOND + 1)[1:-1]
        inside = limits[np.isfinite(limits[:, j]) & (limits[:, j] > ends[0]), j]
        ends = np.unique(np.concatenate([ends, beyond[beyond > ends[0]], inside]))
        if until < ends[-1]:
            ends = np.append(ends[ends < until], max(until, ends[0]))
        level.append(np.searchsorted(limits[:, j], ends, "left"))
        level[-1][0] = 0  # the least that the worst job costs lets each job end at its earliest
        first.append(begin)
        found.append(ends)
        cost.append(costs.at(j, ends))
        for load, all_later in zip(what.loads, later, strict=True):
            after, row, time, left = bands(load, j, ends, times)
            all_later.append(after)
            rows.append(begin + row)
            places.append(load.machine * len(times) + time)
            needs.append(load.needs(j, left))
        begin += len(ends)
    shape = begin, what.machines * len(times)
    pairs = np.concatenate(needs), (np.concatenate(rows), np.concatenate(places))
    matrix = csr_array(pairs, shape=shape)
    job = np.repeat(np.arange(what.jobs), [len(each) for each in found])
    return Ends(
        first=np.array(first),
        job=job,
        seconds=np.concatenate(found),
        cost=np.concatenate(cost),
        needs=matrix,
        back=csr_array(matrix.T),
        later=np.stack([np.concatenate(each) for each in later]),
        work=np.stack([load.work[job] for load in what.loads]),
        machine=tuple(load.machine for load in what.loads),
        level=np.concatenate(level),
        level_cost=np.zeros(1) if worst is None else worst.costs,
    )
