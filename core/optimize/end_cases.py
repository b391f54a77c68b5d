"""Cases of when jobs end, with prices of slots for each: of few jobs, choices that mixes hide.

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
    from core.optimize.worst_job import WorstJob

    Floats = NDArray[np.float64]

MAX_CASES, MAX_FEW = 16, 12
"""Cases; and jobs that are few: of more, mixes cost about what whole jobs do, but where deadlines count."""
HEAT = 0.0002
"""Temperature, in parts of what is proved for a job in the mean."""
MIN_MIXED = 1e-3
"""A case is not cut where no job is mixed by this part of what is proved."""
MIN_GAIN, CUTS = 2e-3, 2
"""Part by which so many cuts are to raise what is proved: else none is made."""
MIN_PART = 0.01
"""Of a job in a mix, for an end to count."""
MAX_PRICE = 1e6
"""In parts of the scale: more means that no end is left to a job that slots could be paid for."""
NEVER = 1e30
"""What an end costs that a case does not allow."""


class Case(NamedTuple):
    """A case; they are ordered by what is proved, those of the same by number.

    Attributes
    ----------
    value : that prices prove about
    number : of the case
    x : the prices, in parts of a scale, (machines, times)
    allowed : ends of jobs
    node : what the proof says of it, to be filled in
    """

    value: float
    number: int
    x: Floats
    allowed: JobEnds
    node: dict[str, Any]


def cases_of_ends(
    ends: Ends,
    about: tuple[Priceable, JobCosts, Floats],
    prices: tuple[Floats, Floats, Floats],
    known: float,
    look: Callable[[], None],
    is_enough: Callable[[], bool],
    worst: WorstJob | None = None,
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
    worst : what counts by the worst job besides
    """
    tree = _Cases(ends, about, prices, known, look, is_enough, worst)
    if not tree.grow():
        return known, {}
    bound = tree.bound()
    return (bound, tree.root) if bound > known and "job" in tree.root else (known, {})


class _Cases:
    """A tree of cases that grows; arguments as of `cases_of_ends`."""

    def __init__(
        self,
        ends: Ends,
        about: tuple[Priceable, JobCosts, Floats],
        prices: tuple[Floats, Floats, Floats],
        known: float,
        look: Callable[[], None],
        is_enough: Callable[[], bool],
        worst: WorstJob | None,
    ) -> None:
        self._worst = worst
        self._ends, self._known, self._look, self._is_enough = ends, known, look, is_enough
        self._what, self._costs, self._times = about
        x, self._scale, self._capacity = prices
        self._number = 0
        self.root: dict[str, Any] = {}
        self._cases = [self._found(x, JobEnds.any_of(self._what.jobs), self.root, known)]

    def grow(self) -> bool:
        """Cut cases; whether that is of use."""
        first, cases = self._cases[0].value, self._cases
        while len(cases) < MAX_CASES and not self._is_enough():
            case = cases[0]
            job, at = self._cut(case)
            if job < 0:
                break
            heappop(cases)
            case.node.update(job=job, at=at, sooner={}, later={})
            for name in ("sooner", "later"):
                allowed = case.allowed.cut(job, at, later=name == "later")
                heappush(cases, self._found(case.x, allowed, case.node[name], case.value))
            if len(cases) == CUTS + 1 and cases[0].value < first * (1 + MIN_GAIN):
                return False
        return True

    def bound(self) -> float:
        """Return what all cases prove, rounded down, and fill in their prices."""
        for case in self._cases:
            case.node["falls"] = (case.x * self._scale).tolist()
        return min(case.value for case in self._cases)

    def _found(self, x: Floats, allowed: JobEnds, node: dict[str, Any], least: float) -> Case:
        """Return a case with prices that prove much, from others on, that prove `least` without it."""
        self._number += 1
        better = climb(self._smooth(allowed), x, self._look, self._is_enough)
        is_sound = (
            float(better.max(initial=0.0)) < MAX_PRICE
        )  # none where no end that is looked at is allowed
        if is_sound and (value := self._proved(better, allowed)) > least:
            return Case(value, self._number, better, allowed, node)
        return Case(max(self._proved(x, allowed), least), self._number, x, allowed, node)

    def _proved(self, x: Floats, allowed: JobEnds) -> float:
        given = self._what, self._costs, self._times, x * self._scale, self._capacity, self._look
        return price_bound(*given, self._worst, allowed)

    def _smooth(self, allowed: JobEnds) -> Smooth:
        ends = self._ends._replace(cost=self._cost(allowed))
        return Smooth(ends, self._scale, self._capacity, HEAT * self._known / self._what.jobs, self._known)

    def _cost(self, allowed: JobEnds) -> Floats:
        """Return what ends cost, without slots, (ends,)."""
        ends, by = self._ends, np.maximum(allowed.by, self._what.demands.ends)
        some = (ends.seconds >= allowed.after[ends.job]) & (ends.seconds <= by[ends.job])
        cost = np.where(some, ends.cost, NEVER)
        for job in np.flatnonzero(allowed.after >= 0).tolist():
            at = allowed.after[job : job + 1]
            cost[(ends.job == job) & (ends.seconds == at)] = self._costs.at(job, at, after=True)[0]
        return cost

    def _cut(self, case: Case) -> tuple[int, float]:
        """Return the job whose costs are the most mixed, and the end to cut at; -1 for no job."""
        ends = self._ends._replace(cost=self._cost(case.allowed))
        part = self._smooth(case.allowed).mean(ends.paid(case.x * self._scale))[1]
        cost = np.where(part > 0, ends.cost, 0.0)
        mean, middle = (np.add.reduceat(part * each, ends.first) for each in (cost, ends.seconds))
        spread = np.sqrt(np.add.reduceat(part * (cost - mean[ends.job]) ** 2, ends.first))
        for job in np.argsort(-spread, kind="stable").tolist():
            if spread[job] <= MIN_MIXED * self._known:
                break
            mine = ends.job == job
            seconds, some = ends.seconds[mine], np.flatnonzero(part[mine] > MIN_PART)
            begin = max(some[0], np.searchsorted(seconds, case.allowed.after[job], "right"))
            if begin < some[-1]:
                between = seconds[begin : some[-1]]
                return job, float(between[np.abs(between - middle[job]).argmin()])
        return -1, 0.0
