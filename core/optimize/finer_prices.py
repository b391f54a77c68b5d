"""Prices at more times, where they fall: what is proved between two times is less than at each of them.

Prices prove little of a job that would end between two times after which slots are cheaper. So where slots
are cheaper after a time, halfway to its neighbours they may be, too, and a program says by how much
(`core.optimize.mixed_ends`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.optimize.job_ends import ends_of
from core.optimize.mixed_ends import Mix, cheapest_mix
from core.optimize.slot_capacities import capacities
from core.optimize.slot_prices import price_bound

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.optimize.job_costs import JobCosts
    from core.optimize.job_ends import Ends
    from core.optimize.slot_prices import Priceable

    Floats = NDArray[np.float64]

MAX_SPLITS, MAX_TIMES = 1, 128
"""So often times are looked for, and no more where there would be more than so many times."""
MIN_GAIN = 2e-3
"""Part by which more times are to raise what is proved: else no more are looked for."""
PRICED = 1e-6
"""Part of the largest price, for a smaller one to count."""


class FinerPrices(NamedTuple):
    """Prices, and the mix of ends that implies them.

    Attributes
    ----------
    bound : what they prove, rounded down
    times, capacity : after which slots are cheaper, s, and the seconds of each machine by each, (machines,
        times)
    looks : as of `core.optimize.slot_capacities`
    ends, mix : of the jobs
    """

    bound: float
    times: Floats
    capacity: Floats
    looks: list[float]
    ends: Ends
    mix: Mix


def finer_prices(
    what: Priceable,
    costs: JobCosts,
    known: tuple[float, Floats, Floats],
    look: Callable[[], None],
    is_enough: Callable[[], bool],
) -> FinerPrices:
    """Return prices that prove no less than known ones, where nothing counts by the worst job.

    Parameters
    ----------
    known : what is proved, above 0, by which times, s, and falls, (machines, times)
    look : called now and then; what it raises is raised
    is_enough : whether to look for better ones no further
    """
    bound, times, falls = known
    found = None
    for _ in range(1 + MAX_SPLITS):
        capacity, looks = capacities(what, times)
        ends = ends_of(what, costs, times, look, None)
        begin = Mix(falls, np.zeros(len(ends.job)))
        mix = cheapest_mix(ends, capacity, begin, bound, look, is_enough)
        value = price_bound(what, costs, times, mix.falls, capacity, look)
        if found is None and value < bound:  # between the ends that are looked at some may be cheaper
            mix, value = mix._replace(falls=falls), bound
        is_of_use = found is None or value > bound * (1 + MIN_GAIN)
        if found is None or value > bound:
            found = FinerPrices(value, times, capacity, looks, ends, mix)
        bound = found.bound
        times, falls = _split(times, mix.falls)
        if not is_of_use or len(times) > MAX_TIMES or is_enough():
            break
    assert found is not None
    return found


def _split(times: Floats, falls: Floats) -> tuple[Floats, Floats]:
    """Return times with those halfway between each that has a price and its neighbours, and the prices."""
    price = falls.sum(axis=0)
    priced = price > PRICED * price.max(initial=0.0)
    middle = ((times[1:] + times[:-1]) / 2)[priced[1:] | priced[:-1]]
    finer = np.unique(np.append(times, middle))
    at = np.zeros((len(falls), len(finer)))
    at[:, np.searchsorted(finer, times)] = falls
    return finer, at
