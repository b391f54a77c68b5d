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

from core.optimize.linked_ends import cheapest_linked_mix
from core.optimize.mixed_ends import NEVER, Mix, cheapest_mix
from core.optimize.rising_prices import rising_bound
from core.optimize.slot_prices import RISES, JobEnds, price_bound
from core.optimize.smooth_prices import Smooth, climb

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.optimize.finer_prices import FinerPrices
    from core.optimize.job_costs import JobCosts
    from core.optimize.job_ends import Ends
    from core.optimize.linked_ends import LinkedEnds
    from core.optimize.slot_prices import Priceable
    from core.optimize.worst_job import WorstJob

    Floats = NDArray[np.float64]

MAX_CASES, MAX_LINKED, MAX_FEW = 16, 48, 12
"""Cases, and cases with prices that rise; and jobs that are few: of more, mixes cost about what whole jobs
do, but where deadlines count."""
HEAT = 0.0002
"""Temperature where the worst job counts, in parts of what is proved for a job in the mean."""
MIN_MIXED = 1e-3
"""A case is not cut where no job is mixed by this part of what is proved."""
MIN_GAIN, CUTS = 2e-3, 2
"""Part by which so many cuts are to raise what is proved: else none is made."""
MIN_PART = 0.01
"""Of a job in a mix, for an end to count."""
MAX_PRICE = 1e6
"""In parts of the scale: more means that no end is left to a job that slots could be paid for."""


class Case(NamedTuple):
    """A case; they are ordered by what is proved, those of the same by number.

    Attributes
    ----------
    value : that prices prove about
    number : of the case
    mix : of ends, with the prices
    allowed : ends of jobs
    node : what the proof says of it, to be filled in
    """

    value: float
    number: int
    mix: Mix
    allowed: JobEnds
    node: dict[str, Any]


def cases_of_ends(
    known: FinerPrices,
    what: Priceable,
    costs: JobCosts,
    scale: Floats,
    look: Callable[[], None],
    is_enough: Callable[[], bool],
    worst: WorstJob | None = None,
    until: float = np.inf,
    linked: LinkedEnds | None = None,
) -> tuple[float, dict[str, Any]]:
    """Return what is proved by cases, rounded down, and the tree of them; what is known if that is no less.

    A case that is cut has `job`, `at`, and two cases: the job ends by then (`sooner`), or after it (`later`).
    One that is not has `falls`, as of `core.optimize.slot_prices.Prices`.

    Parameters
    ----------
    known : prices without cases, which prove more than 0
    what, costs : jobs, and what their ends cost
    scale : by which prices are measured where the worst job counts, (machines, times)
    look : called now and then; what it raises is raised
    is_enough : whether to cut no further
    worst : what counts by the worst job besides
    until : all ends are by then, s
    linked : ends with times at which maps are over, where prices of reduce slots rise
    """
    tree = _Cases(known, what, costs, scale, look, is_enough, worst, until, linked)
    if not tree.grow():
        return known.bound, {}
    bound = tree.bound()
    return (bound, tree.root) if bound > known.bound and "job" in tree.root else (known.bound, {})


class _Cases:
    """A tree of cases that grows; arguments as of `cases_of_ends`."""

    def __init__(
        self,
        known: FinerPrices,
        what: Priceable,
        costs: JobCosts,
        scale: Floats,
        look: Callable[[], None],
        is_enough: Callable[[], bool],
        worst: WorstJob | None,
        until: float,
        linked: LinkedEnds | None,
    ) -> None:
        self._what, self._costs, self._look, self._is_enough = what, costs, look, is_enough
        self._scale, self._worst = scale, worst
        self._known, self._times, self._capacity, _, self._ends, mix = known
        self.root: dict[str, Any] = {}
        self._number = 0
        self._linked = linked
        allowed = JobEnds.any_of(what.jobs, until)
        first = Case(self._known, 0, mix, allowed, self.root)
        self._cases = [first if worst is None else self._found(first, allowed, self.root)]

    def grow(self) -> bool:
        """Cut cases; whether that is of use."""
        first, cases = self._cases[0].value, self._cases
        most = MAX_CASES if self._linked is None else MAX_LINKED
        while len(cases) < most and not self._is_enough():
            case = cases[0]
            job, at = self._cut(case)
            if job < 0:
                break
            heappop(cases)
            case.node.update(job=job, at=at, sooner={}, later={})
            for name in ("sooner", "later"):
                allowed = case.allowed.cut(job, at, later=name == "later")
                heappush(cases, self._found(case, allowed, case.node[name]))
            if len(cases) == CUTS + 1 and self._linked is None and cases[0].value < first * (1 + MIN_GAIN):
                return False
        return True

    def bound(self) -> float:
        """Return what all cases prove, rounded down, and fill in their prices."""
        for case in self._cases:
            rows = case.mix.falls.tolist()
            case.node["falls"] = rows[: self._what.machines]
            if self._linked is not None:
                case.node["rises"] = rows[RISES]
        return min(case.value for case in self._cases)

    def _found(self, above: Case, allowed: JobEnds, node: dict[str, Any]) -> Case:
        """Return a case of another one, with the cheapest mix of its ends, and prices that prove no less."""
        self._number += 1
        ends = self._ends._replace(cost=self._cost(allowed))
        mix = self._mix(ends, above.mix)
        value = self._proved(mix.falls, allowed)
        if value < above.value:  # between the ends that are looked at some may be cheaper
            mix = mix._replace(falls=above.mix.falls)
            value = max(self._proved(mix.falls, allowed), above.value)
        return Case(value, self._number, mix, allowed, node)

    def _mix(self, ends: Ends, begin: Mix) -> Mix:
        """Return a cheap mix of ends: a program has no levels of the worst job, a climb has."""
        given = self._look, self._is_enough
        if self._linked is not None:
            linked = self._linked.with_cost(ends.cost)
            self._look()
            return cheapest_linked_mix(linked, self._known) or begin
        if self._worst is None:
            return cheapest_mix(ends, self._capacity, begin, self._known, *given)
        smooth = Smooth(ends, self._scale, self._capacity, HEAT * self._known / self._what.jobs, self._known)
        x = climb(smooth, begin.falls / self._scale, *given)
        falls = x * self._scale if float(x.max(initial=0.0)) < MAX_PRICE else begin.falls
        return Mix(falls, smooth.mean(ends.paid(falls))[1])

    def _proved(self, falls: Floats, allowed: JobEnds) -> float:
        given = self._what, self._costs, self._times, falls, self._capacity, self._look
        if self._linked is not None:
            return rising_bound(*given, allowed)
        return price_bound(*given, self._worst, allowed)

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
        ends, part = self._ends, case.mix.part
        cost = np.where(part > 0, self._cost(case.allowed), 0.0)
        mean, middle = (np.add.reduceat(part * each, ends.first) for each in (cost, ends.seconds))
        spread = np.sqrt(np.add.reduceat(part * (cost - mean[ends.job]) ** 2, ends.first))
        for job in np.argsort(-spread, kind="stable").tolist():
            if spread[job] <= MIN_MIXED * self._known:
                break
            mine = ends.job == job
            seconds, some = ends.seconds[mine], np.flatnonzero(part[mine] > MIN_PART)
            if len(some) == 0:
                continue
            begin = max(some[0], np.searchsorted(seconds, case.allowed.after[job], "right"))
            if begin < some[-1]:
                between = seconds[begin : some[-1]]
                return job, float(between[np.abs(between - middle[job]).argmin()])
        return -1, 0.0
