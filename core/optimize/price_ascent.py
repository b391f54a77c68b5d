"""Prices of slots that prove much: an ascent from the prices of work that may be cut in any way.

It gets cooler step by step (`core.optimize.smooth_prices`). Where jobs are few, or deadlines count, a program
finds better ones then (`core.optimize.finer_prices`), and cases of when jobs end have prices of their own
(`core.optimize.end_cases`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.progress import cancelled_if, never_stop
from core.optimize.end_cases import MAX_FEW, cases_of_ends
from core.optimize.finer_prices import FinerPrices, finer_prices
from core.optimize.first_prices import first_prices
from core.optimize.job_ends import ends_of
from core.optimize.linked_ends import rising_prices
from core.optimize.mixed_ends import Mix
from core.optimize.rounded_ends import rounded_ends
from core.optimize.slot_capacities import capacities
from core.optimize.slot_prices import JobEnds, Prices, cheapest_ends, price_bound, priceable, proved
from core.optimize.smooth_prices import Smooth, climb

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import Workload
    from core.optimize.job_costs import JobCosts
    from core.optimize.job_ends import Ends
    from core.optimize.slot_prices import Priceable
    from core.optimize.worst_job import WorstJob

    Floats = NDArray[np.float64]

HEATS = 0.02, 0.002, 0.0002
"""Temperatures, in parts of what is proved for a job in the mean."""
PARTS = 1.0, 0.5, 0.25, 0.1
"""Of the first prices where only late jobs count: it begins with the part that proves most."""
CUTS = 3
"""Times that cases of what counts by the worst job are cut at most."""


def price_slots(
    workload: Workload,
    cluster: Cluster,
    costs: JobCosts,
    should_stop: Callable[[], bool] = never_stop,
    *,
    spare: float = 0.0,
    worst: WorstJob | None = None,
    until: float = np.inf,
    is_enough: Callable[[], bool] = never_stop,
    with_cases: bool = False,
) -> Prices:
    """Return prices that prove much, of jobs that do not follow others.

    The bound counts times of arrival as costs do: it is of the costs of the ends, seconds from time 0.

    Parameters
    ----------
    spare : prices are to prove much where there are so many slots more of each kind; the bound is without
        them. Where many prices prove the same, these are the least
    worst : what counts by the worst job besides
    until : the bound is of schedules alone that are over by then, s: no sooner than each job alone
    is_enough : whether to look for better prices no further
    with_cases : whether to look at mixes of ends and at cases of them, too, where jobs are few, or have
        deadlines and nothing counts by the worst

    Raises
    ------
    Cancelled
        `should_stop` said so
    """
    look = cancelled_if(should_stop, "the search for prices")
    what = priceable(workload, cluster)
    look()
    times, falls = first_prices(what, costs)
    capacity, looks = capacities(what, times)
    ends = ends_of(what, costs, times, look, worst, until)
    scale = _scale(falls)
    slots = np.array([machine.slots or np.inf for machine in what.demands.machines])
    wanted = capacity * (1 + spare / slots)[:, None]
    best, when = _ascend(ends, falls / scale, scale, wanted, look, is_enough, costs.are_late_only)
    falls = best * scale
    has_choices = costs.has_deadlines and spare == 0 and until == np.inf
    if has_choices:
        when = np.concatenate([rounded_ends(ends, costs, falls, capacity, when, look), when])
    allowed = JobEnds.any_of(what.jobs, until)
    worst, least = _finer(worst, what, costs, times, falls, capacity, look, allowed)
    bound = proved(least, falls * capacity, worst)
    cases, rises = dict[str, Any](), np.zeros(0)
    if with_cases and bound > 0 and (what.jobs <= MAX_FEW or (has_choices and worst is None)):
        found = FinerPrices(bound, times, capacity, looks, ends, Mix(falls, np.zeros(len(ends.job))))
        bound, cases, found = _with_cases(found, what, costs, scale, look, is_enough, worst, until)
        times, looks, (falls, rises) = found.times, found.looks, np.split(found.mix.falls, [what.machines])
    names = tuple(machine.name for machine in what.demands.machines)
    if worst is not None and not cases:
        worst = worst.fewest(least.sum(axis=0))
        bound = min(bound, price_bound(what, costs, times, falls, capacity, look, worst, allowed))
    levels = [] if worst is None else worst.finite
    return Prices(bound, times, falls, looks, names, when, levels, cases, rises.ravel())


def _scale(falls: Floats) -> Floats:
    """Return by what prices after each time are measured, so that steps are alike, (machines, times)."""
    scale = np.maximum(falls.sum(axis=0), falls.max(initial=0.0) * 1e-4)
    return np.tile(np.where(scale > 0, scale, 1.0), (len(falls), 1))


def _finer(
    worst: WorstJob | None,
    what: Priceable,
    costs: JobCosts,
    times: Floats,
    falls: Floats,
    capacity: Floats,
    look: Callable[[], None],
    allowed: JobEnds,
) -> tuple[WorstJob | None, Floats]:
    """Return the worst job's levels with more of them where that proves more, and what jobs cost by each."""
    least = cheapest_ends(what, costs, times, falls, look, worst, allowed)
    for _ in range(CUTS if worst is not None else 0):
        assert worst is not None
        finer = worst.finer(least.sum(axis=0) - (falls * capacity).sum())
        if len(finer.levels) == len(worst.levels):
            break
        worst, least = finer, cheapest_ends(what, costs, times, falls, look, finer, allowed)
    return worst, least


def _with_cases(
    found: FinerPrices,
    what: Priceable,
    costs: JobCosts,
    scale: Floats,
    look: Callable[[], None],
    is_enough: Callable[[], bool],
    worst: WorstJob | None,
    until: float,
) -> tuple[float, dict[str, Any], FinerPrices]:
    """Return what better prices and cases of ends prove, the cases, and the prices without any.

    Of few jobs, prices of reduce slots that rise are another row of them, where these prove more.
    """
    if worst is None and until == np.inf:
        found = finer_prices(what, costs, (found.bound, found.times, found.mix.falls), look, is_enough)
    about = what, costs, scale, look, is_enough, worst, until
    rising = None
    if worst is None and what.jobs <= MAX_FEW:
        rising = rising_prices(what, costs, found, until, look)
    if rising is None:
        return *cases_of_ends(found, *about), found
    bound, cases = cases_of_ends(rising[0], *about, rising[1])
    return (bound, cases, rising[0]) if bound > found.bound else (found.bound, {}, found)


def _ascend(
    ends: Ends,
    begin: Floats,
    scale: Floats,
    capacity: Floats,
    look: Callable[[], None],
    is_enough: Callable[[], bool],
    is_late_only: bool,
) -> tuple[Floats, Floats]:
    """Return the best prices, in parts of the scale, and when jobs end at the last ones, (cases, jobs)."""

    def hard(x: Floats) -> float:
        return float(ends.least(ends.paid(x * scale)).min() - (x * scale * capacity).sum())

    parts = PARTS if is_late_only else PARTS[:1]
    x = max((begin * part for part in parts), key=hard)
    best, value = x, hard(x)
    unit = max(abs(value), 1e-12)
    when: list[Floats] = []
    for heat in HEATS:
        if when and is_enough():
            break
        smooth = Smooth(ends, scale, capacity, heat * unit / len(ends.first), unit)
        x = climb(smooth, x, look, is_enough)
        when.append(smooth.ends(x))
        if (reached := hard(x)) > value:
            best, value = x, reached
    return best, np.concatenate(when)
