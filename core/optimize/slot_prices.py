"""What slots are worth, second by second: the strongest bound on responses and deadlines, and a plan.

Each instant of each kind of slots has a price, from 0 on. A job that is over at C must have had so many
slot-seconds by each time before it, and pays for them; what all pay for more than there is, any schedule
saves at least. `core.optimize.price_ascent` finds prices that prove much. Any prices prove something.

1. Let a stage of a job end at E. In the u = E - t seconds that are left at t, a task of p seconds runs u at
   most, and all of the stage together no more than the slots do. With a the seconds of all its work spread
   over all slots, and s the part of the slots that one task holds, by t there is done at least

       H(E - t) = max(s sum of max(0, p - u), a - u, 0),  or all of a for u < 0.

   H falls, and the stage ends by C less its tail: so for every schedule and every t, in seconds of all slots,
   the sum over all jobs of H(C - tail - t) is no more than there is by t (`capacities`).
2. With any d >= 0 for each such t, the sum of the costs f(C) of all jobs is at least the sum over the jobs of
   the smallest f(c) + sum of d H(c - tail - t) over all c, less the sum of d times what there is by t
   (Lagrange; weak duality). f may be any cost that does not fall when a job ends later.
3. Between neighbours of the times t, t + tail and the deadline, H is convex or constant, so the smallest is
   no less than where the tangents at both ends meet (`_cheapest`).

Source: prices of a linear program indexed by time go back to Dyer and Wolsey (1990); that they need no
program, for stages of whole tasks, is ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.optimize.stage_demands import Demands, alike

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.optimize.job_costs import JobCosts
    from core.optimize.worst_job import WorstJob

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

ROUNDING = 1e-10
"""The part of all that is summed by which the sum may be wrong: the bound is so much less."""
AT_ONCE = 4e-15
"""The part of the last end by which a sum of times may be wrong: times that are so near may be one."""
QUARTERS = np.arange(4) / 4
MAPS, REDUCES, RISES = range(3)
"""Rows of prices of two kinds of slots: by how much each is cheaper after each time, and reduces dearer."""


def no_look() -> None:
    """Do nothing: the callback of a bound that is computed to its end."""


class Prices(NamedTuple):
    """Prices of slots, and what they prove.

    Attributes
    ----------
    bound : no schedule costs less
    times : after which slots are cheaper, s, (times,)
    falls : by how much all slots of a kind are cheaper after each time, for a second of theirs, (kinds,
        times)
    looks : after which times it was counted that less can have been done before, s
    kinds : what the kinds are called
    ends : when jobs end at these prices, s, (cases, jobs): a plan each
    levels : of the worst job, without the last one, if it counts
    cases : of when jobs end, with prices of their own, as of `core.optimize.end_cases`; empty for one case
    rises : by how much all reduce slots are dearer after each time (`core.optimize.rising_prices`), (times,);
        empty where they never are
    """

    bound: float
    times: Floats
    falls: Floats
    looks: list[float]
    kinds: tuple[str, ...]
    ends: Floats
    levels: list[float]
    cases: dict[str, Any]
    rises: Floats = np.zeros(0)

    @property
    def proof(self) -> dict[str, Any]:
        """The rule and its numbers, from which `core.verify.check` works out the bound again."""
        falls = self.falls.tolist()
        proof = {"rule": "prices", "times": self.times.tolist(), "falls": falls, "looks": self.looks}
        proof |= {"levels": self.levels} if self.levels else {}
        proof |= {"rises": self.rises.tolist()} if len(self.rises) else {}
        return proof | ({"cases": self.cases} if self.cases else {})

    @property
    def of_second(self) -> Floats:
        """The price of a second of all slots of a kind until each time, (kinds, times)."""
        falls = self.falls.copy()
        falls[REDUCES:] -= self.rises if len(self.rises) else 0.0
        return np.maximum(np.cumsum(falls[:, ::-1], axis=1)[:, ::-1], 0.0)


class JobEnds(NamedTuple):
    """When jobs may end in a case: after one time, by another, s, (jobs,) each; any time from -1 on.

    A job that ends by a time before its earliest end ends at that.
    """

    after: Floats
    by: Floats

    @classmethod
    def any_of(cls, jobs: int, until: float = np.inf) -> JobEnds:
        """Return that so many jobs may end at any time until one, s."""
        return cls(np.full(jobs, -1.0), np.full(jobs, until))

    def cut(self, job: int, at: float, *, later: bool) -> JobEnds:
        """Return the ends of those cases in which a job ends by a time, or later."""
        changed = (self.after if later else self.by).copy()
        changed[job] = at
        return self._replace(after=changed) if later else self._replace(by=changed)


class Load(NamedTuple):
    """The work of a stage of all jobs on one machine, in seconds of that machine.

    Attributes
    ----------
    machine : which one
    share : the part of it that a task holds
    first : where the tasks of each job begin, (jobs + 1,)
    lengths : of tasks, ascending in each job, (tasks,)
    behind : sum of each length and all behind it, 0 at the end, (tasks + 1,)
    work : of each job, (jobs,)
    tails : what follows the stage at least, s, (jobs,)
    reach : so long before the stage ends none of it must be done, s, (jobs,)
    """

    machine: int
    share: float
    first: Ints
    lengths: Floats
    behind: Floats
    work: Floats
    tails: Floats
    reach: Floats

    def needs(self, j: int, left: Floats) -> Floats:
        """Return H: the seconds of the machine that a job needs so long before the stage ends."""
        begin, end = self.first[j], self.first[j + 1]
        place = begin + np.searchsorted(self.lengths[begin:end], left, "right")
        tasks = self.behind[place] - self.behind[end] - (end - place) * left
        needs: Floats = np.maximum(np.maximum(self.share * tasks, self.work[j] - left), 0.0)
        return needs

    def slopes(self, j: int, left: Floats, needs: Floats, nothing: float) -> tuple[Floats, Floats]:
        """Return what a second more changes, counted before and after, where `needs` does.

        All is needed until no more than `nothing` is left: then nothing changes before, and perhaps after.
        Where else it bends, it is convex: as little as sums may be wrong by makes as little of a difference.
        """
        begin, end = self.first[j], self.first[j + 1]
        lengths, slots = self.lengths[begin:end], self.work[j] - left
        later = -self.share * (end - begin - np.searchsorted(lengths, left + nothing, "right"))
        sooner = -self.share * (end - begin - np.searchsorted(lengths, left - nothing, "left"))
        by_slots = needs <= slots + nothing
        after = np.where(by_slots, np.where(slots > nothing, -1.0, 0.0), later)
        before = np.where(by_slots, -1.0, sooner)
        return np.where(left > nothing, before, 0.0), after


class Bands(NamedTuple):
    """Where ends of a job fall among the times, for one load.

    Attributes
    ----------
    later : the first time after the end of the stage, (ends,)
    row, time : of which end and time each pair is that needs something to be done but not all, (pairs,)
    left : from the time to the end of the stage, s, (pairs,)
    """

    later: Ints
    row: Ints
    time: Ints
    left: Floats


def bands(load: Load, j: int, ends: Floats, times: Floats) -> Bands:
    """Return where ends of a job fall among the times."""
    stage, nothing = ends - load.tails[j], AT_ONCE * np.abs(ends).max()
    later = np.searchsorted(times, stage + nothing, "right")
    sooner = np.minimum(np.searchsorted(times, stage - load.reach[j] - nothing, "left"), later)
    count = later - sooner
    row = np.repeat(np.arange(len(ends)), count)
    time = np.arange(len(row)) + np.repeat(sooner - (np.cumsum(count) - count), count)
    return Bands(later, row, time, np.maximum(stage[row] - times[time], 0.0))


class Priceable(NamedTuple):
    """What can be priced: demands as loads of machines.

    Attributes
    ----------
    demands : of the jobs
    loads : of each stage on each machine
    longer : lengths of the tasks of each load if all shuffles are the longer ones, by job as in `group`
    group : the jobs of these
    is_two_stage : whether there are two kinds of slots, and jobs of maps and reduces
    rises : whether what there is at the beginning may be counted: nothing but shuffles changes lengths
    """

    demands: Demands
    loads: tuple[Load, ...]
    longer: tuple[Floats, ...]
    group: tuple[Ints, ...]
    is_two_stage: bool
    rises: bool

    @property
    def jobs(self) -> int:
        """How many there are."""
        return len(self.demands.arrival)

    @property
    def machines(self) -> int:
        """How many kinds of slots have prices."""
        return len(self.demands.machines)


def priceable(workload: Workload, cluster: Cluster) -> Priceable:
    """Return what can be priced of jobs that do not follow others."""
    demands = Demands.of(workload, cluster)
    columns = workload.columns
    shuffle = np.maximum(columns.first_shuffle, columns.typical_shuffle)
    whole = columns.duration + (0 * shuffle if cluster.shuffle_model == "mumak" else shuffle)
    loads: list[Load] = []
    longer: list[Floats] = []
    group: list[Ints] = []
    for stage in demands.stages:
        order = np.lexsort((stage.lengths, stage.group))
        jobs, lengths = stage.group[order].astype(np.int64), stage.lengths[order]
        first = np.searchsorted(jobs, np.arange(len(demands.arrival) + 1))
        behind = np.append(np.cumsum(lengths[::-1])[::-1], 0.0)
        for place, machine in enumerate(demands.machines):
            if share := machine.shares[stage.task_type]:
                work = stage.work * share
                reach = np.maximum(stage.longest, work)
                loads.append(Load(place, share, first, lengths, behind, work, stage.tails, reach))
    for each, stage in zip(alike(columns), demands.stages, strict=True):
        longer += [whole[each.tasks]] * sum(bool(m.shares[stage.task_type]) for m in demands.machines)
        group += [columns.job[each.tasks].astype(np.int64)] * (len(longer) - len(group))
    plain = cluster.overheads is None and not cluster.has_nodes and cluster.map_speed(1) == 1
    two = columns.stages.are_map_reduce and len(demands.machines) == len(loads) == 2
    return Priceable(demands, tuple(loads), tuple(longer), tuple(group), two, plain)


def price_bound(
    what: Priceable,
    costs: JobCosts,
    times: Floats,
    falls: Floats,
    capacity: Floats,
    look: Callable[[], None] = no_look,
    worst: WorstJob | None = None,
    allowed: JobEnds | None = None,
) -> float:
    """Return what prices prove, rounded down, without what the arrivals save.

    Parameters
    ----------
    times : ascending
    falls : from 0 on, (machines, times)
    capacity : as of `capacities`
    look : called for each job; what it raises is raised
    worst : what counts by the worst job besides
    allowed : ends of jobs in this case
    """
    return proved(cheapest_ends(what, costs, times, falls, look, worst, allowed), falls * capacity, worst)


def proved(least: Floats, spent: Floats, worst: WorstJob | None = None) -> float:
    """Return what prices prove, as of `price_bound`.

    Parameters
    ----------
    least : what jobs cost at least, as of `cheapest_ends`
    spent : what slots cost after each time, (machines, times)
    """
    of_worst = 0.0
    if worst is not None:
        place = int(worst.cases(least.sum(axis=0)).argmin())
        of_worst, least = float(worst.costs[place]), least[:, place + 1]
    if not np.isfinite(least).all():  # no schedule is like that
        return np.inf
    total = of_worst + float(np.sum(least) - spent.sum())
    return total - ROUNDING * float(of_worst + np.abs(least).sum() + spent.sum())


def cheapest_ends(
    what: Priceable,
    costs: JobCosts,
    times: Floats,
    falls: Floats,
    look: Callable[[], None] = no_look,
    worst: WorstJob | None = None,
    allowed: JobEnds | None = None,
) -> Floats:
    """Return costs below which no end of each job by each level is, (jobs, levels); one for any end."""
    after, by = allowed or JobEnds.any_of(what.jobs)
    limits = np.maximum(by, what.demands.ends)[None]
    limits = limits if worst is None else np.minimum(worst.limits, limits)
    least = []
    for j in range(what.jobs):
        look()
        least.append(_cheapest(what, costs, j, times, falls, limits[:, j], after[j]))
    return np.stack(least)


def end_points(what: Priceable, costs: JobCosts, j: int, times: Floats, *, quarters: bool) -> Floats:
    """Return ends of a job between which what it pays is convex, ascending, from the earliest one on.

    Behind the last one it pays nothing more for slots.
    """
    some = [load for load in what.loads if load.work[j] > 0]
    tails = {float(load.tails[j]) for load in some}
    earliest = float(what.demands.ends[j])
    far = times[-1] + max((load.tails[j] + load.reach[j] for load in some), default=0.0)
    points = [times + tail for tail in tails]
    near = np.concatenate([*points, [earliest, max(earliest, far)]])
    if np.isfinite(costs.due[j]):
        near = np.append(near, costs.due[j])
    near = np.unique(np.maximum(near, earliest))
    if quarters:
        parts = near[:-1, None] + np.diff(near)[:, None] * QUARTERS
        return np.unique(np.append(parts, near[-1]))
    return near


def _cheapest(
    what: Priceable,
    costs: JobCosts,
    j: int,
    times: Floats,
    falls: Floats,
    limits: Floats,
    after_all: float = -1.0,
) -> Floats:
    """Return costs below which no end of a job by each limit is, (limits,); infinity if it ends later.

    Between neighbouring points tangents at both meet there. It ends after `after_all`, s.
    """
    ends = end_points(what, costs, j, times, quarters=True)
    if is_cut := after_all > ends[0]:
        ends = np.append(after_all, ends[ends > after_all])
    if len(inside := limits[(limits > ends[0]) & (limits < np.inf)]):
        ends = np.unique(np.append(ends, inside))
    paid, before, after = np.zeros((3, len(ends)))
    for load in what.loads:
        if load.work[j] <= 0:
            continue
        some = falls[load.machine]
        later, row, time, left = bands(load, j, ends, times)
        needs = load.needs(j, left)
        sooner, then = load.slopes(j, left, needs, AT_ONCE * ends[-1])
        rest = np.append(np.cumsum(some[::-1])[::-1], 0.0)
        paid += np.bincount(row, needs * some[time], len(ends)) + load.work[j] * rest[later]
        before += np.bincount(row, sooner * some[time], len(ends))
        after += np.bincount(row, then * some[time], len(ends))
    at, beyond = costs.at(j, ends) + paid, costs.at(j, ends, after=True) + paid
    after += costs.slope(j, ends, after=True)
    before += costs.slope(j, ends, after=False)
    between = meet(beyond[:-1], after[:-1], at[1:], before[1:], np.diff(ends))
    at[: int(is_cut)] = beyond[: int(is_cut)]
    least = np.minimum.accumulate(np.minimum(at, np.append(np.inf, between)))
    last = np.searchsorted(ends, limits, "right")
    return np.append(np.inf, least)[last]


def meet(begin: Floats, falls: Floats, end: Floats, rises: Floats, width: Floats) -> Floats:
    """Return the height at which the tangents at both ends of each cell meet, infinity if at an end."""
    meets = (falls < 0) & (rises > 0)
    slopes = np.where(meets, rises - falls, 1.0)
    part = np.clip((begin - end + rises * width) / slopes, 0.0, width)
    return np.where(meets, begin + falls * part, np.inf)
