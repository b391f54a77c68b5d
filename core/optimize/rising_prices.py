"""Prices of reduce slots that also rise: a bound that knows that a job's reduces follow its maps.

Prices that never rise say what jobs need by each time, as if reduce slots that idle early, while maps run,
could be used. A price that is low until some time, and high after it, says what has to be done in between:

1. Let X be the seconds of all reduce slots that a job has had by t since its maps were over, at S. By
   `core.optimize.slot_prices` X is no less than H of its end less t; and no more than G of t less S: what its
   tasks can run in so much time, each with the longer shuffle, and all no faster than the slots.
2. What a second of all reduce slots costs falls by a after some times and rises by b after others. Where
   it is above 0, all jobs together use no more of them than there are: the sum of a X less that of b X, over
   all jobs, is no more than what all reduce slots cost while there are prices. So each job pays a H and gets
   back b G, at the S and the end that are cheapest for it. S is no later than its end less its tail, and no
   sooner than its maps allow: before, they pay for map slots.
3. For a given end a job's reduces cost what they did. What is paid until S is convex between the times. It
   is the least up to some S, or goes on falling up to the last one: then S is the end less the tail, and all
   is convex. Tangents hold up both.

The best prices are those of a linear program over mixes of ends and of S (`core.optimize.linked_ends`).

Source: ours, from the dual of that program; of prices indexed by time as `core.optimize.slot_prices`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.optimize.slot_prices import (
    AT_ONCE,
    MAPS,
    REDUCES,
    RISES,
    ROUNDING,
    JobEnds,
    Load,
    bands,
    end_points,
    meet,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.optimize.job_costs import JobCosts
    from core.optimize.slot_prices import Priceable

    Floats = NDArray[np.float64]


class PaidAtEnds(NamedTuple):
    """What is paid at ends, and how that changes just before and just after each, (ends,) each."""

    at: Floats
    before: Floats
    after: Floats

    def plus(self, other: PaidAtEnds) -> PaidAtEnds:
        """Return the sum of both."""
        return PaidAtEnds(*(a + b for a, b in zip(self, other, strict=True)))


def backwards(what: Priceable) -> Load:
    """Return the reduces with the longer shuffles: H of it is what they cannot yet have had, G the rest."""
    load, group = what.loads[REDUCES], what.group[REDUCES]
    order = np.lexsort((what.longer[REDUCES], group))
    lengths = what.longer[REDUCES][order]
    first = np.searchsorted(group[order], np.arange(what.jobs + 1))
    work = load.share * np.asarray(np.bincount(group, what.longer[REDUCES], what.jobs), np.float64)
    longest = np.zeros(what.jobs)
    np.maximum.at(longest, group, what.longer[REDUCES])
    behind = np.append(np.cumsum(lengths[::-1])[::-1], 0.0)
    nothing = np.zeros(what.jobs)
    return Load(REDUCES, load.share, first, lengths, behind, work, nothing, np.maximum(longest, work))


def _paid(load: Load, j: int, ends: Floats, times: Floats, falls: Floats) -> PaidAtEnds:
    """Return what a job pays at ends for a load."""
    later, row, time, left = bands(load, j, ends, times)
    needs = load.needs(j, left)
    before, after = load.slopes(j, left, needs, AT_ONCE * abs(ends).max())
    rest = np.append(np.cumsum(falls[::-1])[::-1], 0.0)
    at, *slopes = (
        np.asarray(np.bincount(row, each * falls[time], len(ends)), np.float64)
        for each in (needs, before, after)
    )
    return PaidAtEnds(at + load.work[j] * rest[later], *slopes)


def _given_back(load: Load, j: int, over: Floats, times: Floats, rises: Floats) -> PaidAtEnds:
    """Return what a job gets back, below 0, where its maps are over at some times."""
    mirrored = _paid(load, j, -over[::-1], -times[::-1], rises[::-1])
    at, before, after = (each[::-1] for each in mirrored)
    return PaidAtEnds(at - load.work[j] * rises.sum(), -after, -before)


def rising_bound(
    what: Priceable,
    costs: JobCosts,
    times: Floats,
    prices: Floats,
    capacity: Floats,
    look: Callable[[], None],
    allowed: JobEnds,
) -> float:
    """Return what prices prove, rounded down, without what the arrivals save.

    Parameters
    ----------
    times : ascending
    prices : rows as of `MAPS`, `REDUCES` and `RISES`, from 0 on, (3, times)
    capacity : as of `core.optimize.slot_capacities.capacities`
    look : called for each job; what it raises is raised
    allowed : ends of jobs in this case
    """
    load, least = backwards(what), []
    for j in range(what.jobs):
        look()
        least.append(_cheapest(what, costs, load, j, times, prices, (allowed.after[j], allowed.by[j])))
    if not np.isfinite(least).all():  # no schedule is like that
        return np.inf
    cost = np.cumsum((prices[REDUCES] - prices[RISES])[::-1])[::-1]
    spent = float(prices[MAPS] @ capacity[MAPS] + np.maximum(cost, 0.0) @ np.diff(times, prepend=0.0))
    sums = float(np.abs(least).sum()) + spent + what.jobs * float(prices[RISES] @ times)
    return float(np.sum(least)) - spent - ROUNDING * sums


def _cheapest(
    what: Priceable,
    costs: JobCosts,
    back: Load,
    j: int,
    times: Floats,
    prices: Floats,
    between: tuple[float, float],
) -> float:
    """Return a cost that no end of a job after one time and by another is below; infinity without any."""
    ends = end_points(what, costs, j, times, quarters=True)
    after, by = between[0], max(between[1], float(ends[0]))
    marks = [each for each in (after, by) if ends[0] < each < np.inf]
    ends = np.union1d(ends, marks)
    ends = ends[ends <= by]
    maps, reduces = what.loads
    paid, sooner = PaidAtEnds(*np.zeros((3, len(ends)))), np.zeros(len(ends))
    within = sooner[1:]
    if maps.work[j] > 0:
        paid = paid.plus(_paid(maps, j, ends, times, prices[MAPS]))
    if reduces.work[j] > 0:
        over = ends - (what.demands.ends[j] - what.demands.heads[j])
        early = paid.plus(_given_back(back, j, over, times, prices[RISES]))
        paid = _paid(reduces, j, ends, times, prices[REDUCES])
        sooner, within = _least_so_far(early, np.diff(ends))
    begin = int(np.searchsorted(ends, after)) if after > ends[0] else 0
    at, beyond = costs.at(j, ends) + paid.at, costs.at(j, ends, after=True) + paid.at
    falls = paid.after + costs.slope(j, ends, after=True)
    rises = paid.before + costs.slope(j, ends, after=False)
    some = meet(beyond[:-1], falls[:-1], at[1:], rises[1:], np.diff(ends)) + within
    at, beyond = at + sooner, beyond + sooner
    at[begin : begin + (begin > 0)] = beyond[begin : begin + (begin > 0)]
    return float(min(at[begin:].min(initial=np.inf), some[begin:].min(initial=np.inf)))


def _least_so_far(early: PaidAtEnds, wide: Floats) -> tuple[Floats, Floats]:
    """Return what is paid at least up to each end, and up to anywhere between an end and the next one."""
    some = meet(early.at[:-1], early.after[:-1], early.at[1:], early.before[1:], wide)
    least = early.at.copy()
    least[1:] = np.minimum(least[1:], some)
    least = np.minimum.accumulate(least)
    return least, np.minimum(least[:-1], some)
