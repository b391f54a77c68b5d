"""What each instant of slots is worth where jobs arrive: a bound on responses and tardiness, and a plan.

Prices of `core.optimize.slot_prices` never rise: they say what all jobs need from time 0 on. Where jobs
arrive, slots are dear whenever several are there at once, and cheap before the next ones come. Here every
stretch of time has a price of its own.

1. Let a stage run between its head and its end, and let A be any set of instants between, of m seconds. In
   these it does no more than all but H(m) of its work, H as of `slot_prices`: a task runs for m seconds at
   most, all of the stage together no more than the slots do. So H(m) is done in the other instants.
2. Let A be those of a price of y at most, and add up over all y: the stage pays at least what it does if it
   takes the cheapest instants first, each price for what H falls in its time (`instant_prices_loop`).
3. The costs of all jobs, each at the end that is cheapest with what its stages pay, less the price of all
   instants that there are, are no more than any schedule costs (Lagrange; weak duality), for any prices
   from 0 on. Between times where prices change, what a stage pays is convex in its end: two tangents hold
   it up.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.engine import jit
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.progress import cancelled_if, never_stop
from core.model.stages import Stage
from core.model.workload import Workload
from core.optimize import instant_prices_loop
from core.optimize.instant_prices_loop import Pays, Sold, all_pay
from core.optimize.job_costs import JobCosts
from core.optimize.slot_prices import QUARTERS, ROUNDING, priceable
from core.optimize.smooth_prices import climb

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FunctionType

    from numpy.typing import NDArray

    from core.optimize.slot_prices import Priceable, Prices

    Floats = NDArray[np.float64]

MAX_CELLS = 160
HEATS, COLDEST = (0.02, 0.002), 0.0005
"""Temperatures, in parts of what is proved of a job's response in the mean; at the last one it settles."""
STEPS, STRIDE, HELD, HELD_SQUARES = 600, 0.04, 0.9, 0.99
"""Of settling: how many, the first one in parts of usual prices, and how much of the mean slope and of its
square each step keeps."""
PARTS = 1.0, 0.3, 0.1, 0.03
"""Of the prices that never rise: it begins with the part that proves most."""


class InstantPrices(NamedTuple):
    """Prices of instants, and what they prove.

    Attributes
    ----------
    bound : no schedule costs less, of the costs of ends from time 0
    times : until each of which a price holds, s, ascending, (times,)
    prices : of a second of all slots of a kind, (kinds, times)
    ends : when jobs end at these prices, s, (cases, jobs): a plan each
    """

    bound: float
    times: Floats
    prices: Floats
    ends: Floats

    @property
    def proof(self) -> dict[str, Any]:
        """The rule and its numbers, from which `core.verify.check` works out the bound again."""
        return {"rule": "instants", "times": self.times.tolist(), "prices": self.prices.tolist()}


def has_instants(workload: Workload, costs: JobCosts) -> bool:
    """Whether prices of instants may prove more than others: jobs arrive, and nothing but seconds counts."""
    return bool(np.ptp(workload.columns.arrival) > 0 and not (costs.are_late_only or costs.late.any()))


@cache
def compiled_payments() -> Any:
    """Return the compiled twin of `core.optimize.instant_prices_loop.all_pay`; some seconds once."""
    return jit.compiled(named_payments())


def named_payments() -> FunctionType:
    """Return what is compiled there, under the name that it has in the cache."""
    return jit.named_by_sources(all_pay, instant_prices_loop)


def load_payments() -> None:
    """Bring the compiled code of payments into this process."""
    one = Workload("one", (Job("J1", Stage.of(1, 1.0)),))
    costs = JobCosts(np.ones(1), np.zeros(1), np.zeros(1), np.full(1, np.inf))
    _Market(priceable(one, Cluster(1, 1)), costs, np.array([0.0, 1.0])).pay(np.zeros((2, 1)), 1.0)


def price_instants(
    workload: Workload,
    cluster: Cluster,
    costs: JobCosts,
    known: Prices,
    should_stop: Callable[[], bool] = never_stop,
    is_enough: Callable[[], bool] = never_stop,
) -> InstantPrices:
    """Return prices of instants that prove much, of jobs that do not follow others.

    Parameters
    ----------
    costs : without any for late jobs as such (`has_instants`)
    known : prices that never rise, from which it begins
    is_enough : whether to look for better prices no further

    Raises
    ------
    Cancelled
        `should_stop` said so
    """
    look = cancelled_if(should_stop, "the search for prices")
    what = priceable(workload, cluster)
    look()
    market = _Market(what, costs, _edges(what, known))
    middle = (market.edges[1:] + market.edges[:-1]) / 2
    first = [np.interp(middle, known.times, each, right=0.0) for each in known.of_second]
    x = max((part * np.stack(first) for part in PARTS), key=market.proved)
    best, value = x, market.proved(x)
    when: list[Floats] = []
    each = max(value - market.came, 1e-9) / what.jobs
    usual = max(float(costs.weight.max()), float(x.max()))
    for heat in (*HEATS, COLDEST):
        if when and is_enough():
            break
        if heat == COLDEST:
            x = _settled(market.smooth(heat * each, 1.0, 1.0), best, usual, look)
        else:
            scale = max(float(x.max()), 1e-300)
            x = scale * climb(market.smooth(heat * each, scale, each * what.jobs), x / scale, look, is_enough)
        when.append(market.mean_ends())
        if (reached := market.proved(x)) > value:
            best, value = x, reached
    bound = instant_bound(what, costs, market.edges[1:], best)
    return InstantPrices(bound, market.edges[1:], best, np.stack(when))


def _settled(
    value_and_slope: Callable[[Floats], tuple[float, Floats]],
    x: Floats,
    usual: float,
    look: Callable[[], None],
) -> Floats:
    """Return the best of prices on a way of shorter and shorter steps (Kingma and Ba 2015).

    At good prices many instants cost the same, so that there is an edge wherever a climb looks: slopes of
    many steps in the mean lead along it.

    Parameters
    ----------
    usual : about what prices are
    """
    mean, square = np.zeros((2, *x.shape))
    best, most = x, -np.inf
    for step in range(STEPS):
        look()
        value, slope = value_and_slope(x)
        if value > most:
            best, most = x, value
        mean = HELD * mean + (1 - HELD) * slope
        square = HELD_SQUARES * square + (1 - HELD_SQUARES) * slope**2
        way = mean / (1 - HELD ** (step + 1))
        size = np.sqrt(square / (1 - HELD_SQUARES ** (step + 1))) + 1e-12
        x = np.maximum(x + STRIDE * usual * (1 - step / STEPS) * way / size, 0.0)
    return best


def _edges(what: Priceable, known: Prices) -> Floats:
    """Return times between which each price holds, from 0 on: where jobs come and end, and evenly."""
    ends, came = known.ends[-1], what.demands.arrival
    last = max(float(ends.max()), float(what.demands.ends.max()), 1e-9)
    parts = np.linspace(0, 1, MAX_CELLS // 3)
    busy = np.quantile(np.concatenate([came, ends]), np.linspace(0, 1, MAX_CELLS - len(parts)))
    edges = np.unique(np.concatenate([[0.0], last * parts, busy.clip(0, last)]))
    kept: Floats = edges[np.append(True, np.diff(edges) > 1e-6 * last)]
    return kept if len(kept) > 1 else np.array([0.0, last])


class _Market:
    """Jobs that pay for instants, at ends where prices change."""

    def __init__(self, what: Priceable, costs: JobCosts, edges: Floats, *, quarters: bool = False) -> None:
        self.edges, self.wide = edges, np.diff(edges)
        self.came = float((costs.second * what.demands.arrival).sum())
        self.sold = _sold(what, costs, edges, quarters=quarters)
        loads, cells, ends = len(what.loads), len(edges), len(self.sold.ends)
        self.pays = Pays(
            paid=np.zeros(ends),
            slope=np.zeros((2, ends)),
            used=np.zeros((what.machines, cells)),
            mean=np.zeros(what.jobs),
            order=np.zeros((loads, cells + 1), np.int64),
            until=np.zeros(loads, np.int64),
        )

    def pay(self, prices: Floats, heat: float) -> float:
        """Let all jobs pay, and return how much."""
        after = np.hstack([prices, np.zeros((len(prices), 1))])
        self.pays.used[:] = 0.0
        return float(compiled_payments()(self.sold, after, heat, self.pays))

    def proved(self, prices: Floats) -> float:
        """Return what prices prove, but for ends between those that are looked at."""
        return self.pay(prices, 0.0) - float((prices * self.wide).sum())

    def smooth(self, heat: float, scale: float, unit: float) -> Callable[[Floats], tuple[float, Floats]]:
        """Return what gives value and slope at a temperature, of prices in parts of a scale."""

        def value_and_slope(x: Floats) -> tuple[float, Floats]:
            value = self.pay(x * scale, heat) - scale * float((x * self.wide).sum()) - self.came
            slope = (self.pays.used[:, :-1] - self.wide) * scale
            return value / unit, slope / unit

        return value_and_slope

    def mean_ends(self) -> Floats:
        """Return when jobs ended on average when they paid last, s, (jobs,)."""
        return np.array(self.pays.mean, np.float64)


def _sold(what: Priceable, costs: JobCosts, edges: Floats, *, quarters: bool) -> Sold:
    """Return the jobs with ends at which their stages end where a price changes."""
    found, cost = [], []
    loads = what.loads
    heads = [next(s.heads for s in what.demands.stages if s.tails is load.tails) for load in loads]
    for j in range(what.jobs):
        some = [load for load in loads if load.work[j] > 0]
        far = edges[-1] + max((float(load.tails[j] + load.reach[j]) for load in some), default=0.0)
        least = float(what.demands.ends[j])
        points = [edges + load.tails[j] for load in some]
        ends = np.concatenate([*points, [least, max(least, far)], costs.due[j : j + 1]])
        ends = np.unique(np.maximum(ends[np.isfinite(ends)], least))
        if quarters:
            ends = np.append((ends[:-1, None] + np.diff(ends)[:, None] * QUARTERS).ravel(), ends[-1])
            ends = np.unique(ends)
        found.append(ends)
        cost.append(costs.at(j, ends))
    before = np.cumsum([0, *(len(load.lengths) + 1 for load in loads)])
    return Sold(
        edges=edges,
        machine=np.array([load.machine for load in loads]),
        share=np.array([load.share for load in loads]),
        heads=np.stack(heads),
        tails=np.stack([load.tails for load in loads]),
        work=np.stack([load.work for load in loads]),
        first=np.stack([load.first + at for load, at in zip(loads, before[:-1], strict=True)]),
        lengths=np.concatenate([np.append(load.lengths, np.inf) for load in loads]),
        behind=np.concatenate([load.behind for load in loads]),
        begins=np.cumsum([0, *map(len, found)]),
        ends=np.concatenate(found),
        cost=np.concatenate(cost),
    )


def instant_bound(what: Priceable, costs: JobCosts, times: Floats, prices: Floats) -> float:
    """Return what prices of instants prove, rounded down, without what the arrivals save.

    Parameters
    ----------
    times : until each of which a price holds, s, ascending from above 0, (times,)
    prices : from 0 on, (machines, times)
    """
    market = _Market(what, costs, np.append(0.0, times), quarters=True)
    spent = float((prices * market.wide).sum())
    market.pay(prices, 0.0)
    sold, (before, after), here = market.sold, market.pays.slope, market.pays.paid
    before, after = before.copy(), after.copy()
    for j in range(what.jobs):
        mine = slice(sold.begins[j], sold.begins[j + 1])
        before[mine] += costs.slope(j, sold.ends[mine], after=False)
        after[mine] += costs.slope(j, sold.ends[mine], after=True)
    wide = np.diff(sold.ends)
    wide[sold.begins[1:-1] - 1] = 0.0  # the next end is another job's
    fall, rise = np.minimum(after[:-1], 0.0), np.maximum(before[1:], 0.0)
    some = np.isfinite(here[1:]) & (wide > 0) & (fall < 0) & (rise > 0)
    steep = np.where(some, rise - fall, 1.0)
    with np.errstate(invalid="ignore"):
        at = np.clip((here[:-1] - here[1:] + rise * wide) / steep, 0.0, wide)
        between = np.where(some, here[:-1] + fall * at, np.inf)
    least = np.minimum.reduceat(np.minimum(here, np.append(between, np.inf)), sold.begins[:-1])
    return float(least.sum() - spent) - ROUNDING * float(np.abs(least).sum() + spent)
