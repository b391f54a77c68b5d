"""Mixes of ends whose maps have room, too, by a linear program: the best prices of reduce slots that rise.

Of each job it mixes ends, and when its maps are over: each end takes a choice that is early enough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.optimize.finer_prices import FinerPrices
from core.optimize.job_ends import ends_of
from core.optimize.mixed_ends import MORE_SLOTS, NEVER, SOLVED, Mix
from core.optimize.rising_prices import backwards, rising_bound
from core.optimize.slot_capacities import capacities
from core.optimize.slot_prices import MAPS, REDUCES, JobEnds

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.optimize.job_costs import JobCosts
    from core.optimize.job_ends import Ends
    from core.optimize.slot_prices import Priceable

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Flags = NDArray[np.bool_]

MAX_TIMES, BEHIND = 40, 1.05
"""At which prices change; the last one in parts of when all can be over."""
NEAR = 1e-9
"""Part of the last time by which sums of times may differ in the program."""


class LinkedEnds(NamedTuple):
    """Ends of all jobs, and times at which maps of those with reduces may be over, job by job: choices.

    Attributes
    ----------
    ends : of jobs, with what they cost
    needs : seconds of both kinds of slots that each end needs by each time, but for maps that a choice has,
        (2, ends, times)
    job : of each choice, (choices,)
    maps : seconds of all map slots that it needs by each time, (choices, times)
    room : seconds of all reduce slots that it leaves for the job's reduces by each time, (choices, times)
    latest : the latest choice that each end can have, -1 where it needs none, (ends,)
    times : s
    room_of_maps : seconds of all map slots by each time
    """

    ends: Ends
    needs: Floats
    job: Ints
    maps: Floats
    room: Floats
    latest: Ints
    times: Floats
    room_of_maps: Floats

    def with_cost(self, cost: Floats) -> LinkedEnds:
        """Return the same ends at other costs, `NEVER` for those that are not allowed."""
        return self._replace(ends=self.ends._replace(cost=cost))


def linked_ends(
    what: Priceable, costs: JobCosts, times: Floats, until: float, look: Callable[[], None]
) -> LinkedEnds:
    """Gather the ends that are looked at, by a time alone, s, and choices for them."""
    ends, back, soonest = ends_of(what, costs, times, look, None, until), backwards(what), what.demands.heads
    (maps, reduces), lag = what.loads, what.demands.ends - soonest
    capacity, _ = capacities(what, times)
    needs = np.moveaxis(
        ends.needed(np.arange(len(ends.job)), capacity.shape).reshape(-1, *capacity.shape), 1, 0
    )
    latest, before = np.full(len(ends.job), -1), 0
    job, of_maps, room = [np.zeros(0, np.int64)], [np.zeros((0, len(times)))], [np.zeros((0, len(times)))]
    for j in np.flatnonzero(reduces.work > 0).tolist():
        over = soonest[j : j + 1]
        if maps.work[j] > 0:
            marks = np.union1d(times, times - lag[j])
            over = np.append(over, marks[marks > over])
        left = over[:, None] - times
        need, gone = (
            f(j, np.maximum(u, 0.0).ravel()).reshape(left.shape)
            for f, u in ((maps.needs, left), (back.needs, -left))
        )
        mine = ends.job == j
        found = np.searchsorted(over, ends.seconds[mine] - lag[j] + NEAR * times[-1], "right") - 1
        latest[mine], needs[MAPS, mine] = before + np.maximum(found, 0), 0.0
        before += len(over)
        job.append(np.full(len(over), j))
        of_maps.append(np.where(left < 0, maps.work[j], need))
        room.append(back.work[j] - gone)
    columns = np.concatenate(job), np.concatenate(of_maps), np.concatenate(room)
    return LinkedEnds(ends, needs, *columns, latest, times, capacity[MAPS])


def rising_prices(
    what: Priceable, costs: JobCosts, known: FinerPrices, until: float, look: Callable[[], None]
) -> tuple[FinerPrices, LinkedEnds] | None:
    """Return prices that rise, with what they prove, and a mix of ends; None where they are of no use.

    Parameters
    ----------
    known : prices that never rise, which prove more than 0
    until : all ends are by then, s: no sooner than each job alone
    look : called now and then; what it raises is raised
    """
    if not what.is_two_stage or not np.logical_and(*(load.work > 0 for load in what.loads)).any():
        return None
    work = max(float(load.work.sum()) for load in what.loads) + float(what.demands.ends.min())
    top = min(BEHIND * max(work, float(what.demands.ends.max())), until)
    times = np.linspace(0.0, top, MAX_TIMES + 1)[1:]
    capacity, looks = capacities(what, times)
    linked = linked_ends(what, costs, times, until, look)
    mix = cheapest_linked_mix(linked, known.bound)
    if mix is None or mix.part @ linked.ends.cost < known.bound:
        return None
    allowed = JobEnds.any_of(what.jobs, until)
    value = rising_bound(what, costs, times, mix.falls, capacity, look, allowed)
    return FinerPrices(value, times, capacity, looks, linked.ends, mix), linked


def cheapest_linked_mix(linked: LinkedEnds, known: float) -> Mix | None:
    """Return the mix of ends that costs least if both stages have room, and prices; None if none is found.

    Parameters
    ----------
    known : what is proved, above 0
    """
    from scipy.optimize import linprog  # 0.2 s, and few need it
    from scipy.sparse import block_array, csr_array, diags_array, eye_array

    ends, unit = linked.ends, float(linked.times[-1])
    some = np.flatnonzero(ends.cost < NEVER)
    jobs, number, grid = len(ends.first), len(linked.job), len(linked.times)
    wide, had, before = np.diff(linked.times, prepend=0.0), eye_array(grid), eye_array(grid, k=-1)
    upper = [
        [linked.needs[MAPS, some].T, linked.maps.T, None, None, -linked.room_of_maps[:, None]],
        [linked.needs[REDUCES, some].T, None, None, -unit * had, None],
        [None, -linked.room.T, None, unit * had, None],
        [None, None, None, unit * (had - before), -wide[:, None]],
    ]
    # what is chosen waits, choice by choice, until an end takes it: the latest one that the end can have
    place = np.flatnonzero(linked.latest[some] >= 0)
    takes = csr_array((np.ones(len(place)), (linked.latest[some[place]], place)), shape=(number, len(some)))
    waits = (np.diff(linked.job, append=-1) == 0).astype(float)
    waiting = (eye_array(number) - eye_array(number, k=-1)) @ diags_array(waits)
    of_job = csr_array((np.ones(len(some)), (ends.job[some], np.arange(len(some)))), shape=(jobs, len(some)))
    equal: list[list[Any]] = [
        [of_job, None, None, None, None],
        [takes, -eye_array(number), waiting, None, None],
    ]
    width: list[list[Any]] = [[csr_array((0, size)) for size in (len(some), number, number, grid, 1)]]
    rows: list[list[Any]] = [
        [None if each is None else csr_array(each) / unit for each in row] for row in upper
    ]
    limits: Any = block_array([*rows, *width], format="csr")
    sums: Any = block_array([*equal, *width], format="csr")
    solved: Any = linprog(
        np.concatenate([ends.cost[some] / known, np.zeros(2 * number + grid), [MORE_SLOTS]]),
        A_ub=limits,
        b_ub=np.concatenate([linked.room_of_maps, np.zeros(2 * grid), wide]) / unit,
        A_eq=sums,
        b_eq=np.append(np.ones(jobs), np.zeros(number)),
        method="highs-ds",
    )
    if solved.status != SOLVED:
        return None
    part, prices = np.zeros(len(ends.job)), -solved.ineqlin.marginals[: 3 * grid]
    part[some] = np.maximum(solved.x[: len(some)], 0.0)
    return Mix(np.maximum(prices, 0.0).reshape(3, grid) * known / unit, part)
