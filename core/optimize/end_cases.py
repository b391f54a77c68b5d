"""Cases of when jobs end, with prices of slots for each: where few jobs are late, choices that mixes hide.

What one list of prices proves is no more than the least cost of mixes: half of a schedule in which a large
job is in time, and half of one in which it is late. But in each schedule it ends by some time, or later. So
there are two cases, in each of which the job has fewer ends to choose from, and slots have other prices; no
schedule costs less than what the cheaper case proves (`core.optimize.slot_prices`). A case is cut in two
again, the cheapest first, at the mean end of the job whose costs are the most mixed in it.

Source: branch and bound (Land and Doig 1960) with Lagrange's bounds (Geoffrion 1974; Fisher 1981).
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.optimize.slot_prices import JobEnds, price_bound
from core.optimize.smooth_prices import Smooth, climb

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.optimize.job_costs import JobCosts
    from core.optimize.job_ends import Ends
    from core.optimize.slot_prices import Priceable

    Floats = NDArray[np.float64]

MAX_CASES = 16
HEAT = 0.0002
"""Temperature, in parts of what is proved for a job in the mean."""
LEAST_MIXED = 1e-3
"""A case is not cut where no job's costs are spread by this part of what is proved."""
MIN_GAIN, MIN_CUTS = 1e-3, 2
"""Part by which each cut is to raise what is proved on average, once there are so many: else none is made."""
LEAST_PART = 0.01
"""Of a job on both sides of a cut."""
NEVER = 1e30
"""What an end costs that a case does not allow."""


class Case(NamedTuple):
    """A case; they are ordered by what is proved, those of the same by number.

    Attributes
    ----------
    value : that prices prove about
    number : of the case
    x : the prices, in parts of a scale, (machines, times)
    cost : of each end, without slots, (ends,)
    part : of each end in the mix that is cheapest, (ends,)
    ends : that it allows
    node : what the proof says of it, to be filled in
    """

    value: float
    number: int
    x: Floats
    cost: Floats
    part: Floats
    ends: JobEnds
    node: dict[str, Any]


def cases_of_ends(
    ends: Ends,
    about: tuple[Priceable, JobCosts, Floats],
    prices: tuple[Floats, Floats, Floats],
    known: float,
    look: Callable[[], None],
    is_enough: Callable[[], bool],
) -> tuple[float, dict[str, Any]]:
    """Return what is proved by cases, rounded down, and the tree of them; what is known if that is no less.

    A case that is cut has `job`, `at`, and two cases: the job ends by then (`sooner`), or after it (`later`).
    One that is not has `falls`, as of `core.optimize.slot_prices.Prices`.

    Parameters
    ----------
    ends : that there are
    about : jobs, what their ends cost, and times
    prices : in parts of a scale, the scale, and the seconds of each machine by each time, (machines, times)
    known : what is proved without cases, above 0
    look : called now and then; what it raises is raised
    is_enough : whether to cut no further
    """
    what, costs, times = about
    x, scale, capacity = prices

    def found(number: int, x: Floats, cost: Floats, allowed: JobEnds, node: dict[str, Any]) -> Case:
        own = ends._replace(cost=cost)
        smooth = Smooth(own, scale, capacity, HEAT * known / what.jobs, known)
        better = climb(smooth, x, look, is_enough)
        values = [
            float(own.least(own.paid(y * scale))[0] - (y * scale * capacity).sum()) for y in (x, better)
        ]
        x = better if values[1] > values[0] else x
        part = smooth.mean(own.paid(better * scale))[1]
        return Case(max(values), number, x, cost, part, allowed, node)

    root: dict[str, Any] = {}
    cases = [found(0, x, ends.cost, JobEnds.any_of(what.jobs), root)]
    first, number = cases[0].value, 0
    while len(cases) < MAX_CASES and not is_enough():
        case, cuts = cases[0], len(cases) - 1
        if cuts >= MIN_CUTS and case.value < first * (1 + MIN_GAIN * cuts):
            return known, {}
        job, at = _cut(ends, case, known)
        if job < 0:
            break
        heappop(cases)
        case.node.update(job=job, at=at, sooner={}, later={})
        for name in ("sooner", "later"):
            number += 1
            cost = _costs(ends, costs, case.cost, job, at, later=name == "later")
            allowed = case.ends.cut(job, at, later=name == "later")
            heappush(cases, found(number, case.x, cost, allowed, case.node[name]))
    bound = np.inf
    for case in cases:
        falls = case.x * scale
        case.node["falls"] = falls.tolist()
        bound = min(bound, price_bound(what, costs, times, falls, capacity, look, allowed=case.ends))
    return (float(bound), root) if bound > known and "job" in root else (known, {})


def _cut(ends: Ends, case: Case, unit: float) -> tuple[int, float]:
    """Return the job whose costs are the most mixed, and the end to cut at; -1 for no job."""
    part, first = case.part, ends.first
    cost = np.where(part > 0, case.cost, 0.0)
    mean = np.add.reduceat(part * cost, first)
    spread = np.sqrt(np.add.reduceat(part * (cost - mean[ends.job]) ** 2, first))
    job = int(spread.argmax())
    if spread[job] <= LEAST_MIXED * unit:
        return -1, 0.0
    mine = ends.job == job
    seconds, part = ends.seconds[mine], part[mine]
    by = np.cumsum(part)
    some = (by > LEAST_PART) & (by < 1 - LEAST_PART)
    if not some.any():
        return -1, 0.0
    seconds = seconds[some]
    return job, float(
        seconds[np.abs(seconds - np.add.reduceat(case.part * ends.seconds, first)[job]).argmin()]
    )


def _costs(ends: Ends, costs: JobCosts, cost: Floats, job: int, at: float, *, later: bool) -> Floats:
    """Return what ends cost where a job ends by a time, or later."""
    mine = ends.job == job
    cost = np.where(mine & (ends.seconds < at if later else ends.seconds > at), NEVER, cost)
    if later:
        cost[mine & (ends.seconds == at)] = costs.at(job, np.array([at]), after=True)[0]
    return cost
