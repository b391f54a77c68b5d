"""A bound over all orders of few jobs, by a dynamic program over sets of them (after Held and Karp 1962).

Take the jobs as their map stages end in any schedule. When the map stage of a job j ends, with the set S of
those that have ended (j among them), the time is at least

- C(S): when all maps of S can be done, spread evenly over the slots from their arrivals on, and none of their
  stages before it could end with all slots for itself;

and from then on j still has its tail, the reduces that come behind its map stage, and the slots still have
the reduces of j and of all jobs outside S, spread evenly. So that schedule ends no sooner than the largest
``C(S) + max(tail of j, reduces of j and of all outside S)`` over all j, and no schedule ends before the
smallest such number over all orders. Of orders that begin with the same set, the best beginning is kept:
``V(S) = min over j in S of max(V(S without j), that number)``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from core.model.errors import Cancelled
from core.model.progress import never_stop

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.optimize.stage_demands import Demands

    Floats = NDArray[np.float64]

SETS_AT_ONCE = 1 << 14
"""Between two looks at whether to stop: some milliseconds."""


def bound_of_sets(demands: Demands, should_stop: Callable[[], bool] = never_stop) -> float:
    """Return the bound in seconds; time and memory double with each job.

    Raises
    ------
    Cancelled
        `should_stop` said so
    """
    maps, reduces = demands.machines
    by_arrival = np.argsort(demands.arrival, kind="stable")
    map_seconds, reduce_seconds = demands.maps.work * maps.of_map, demands.reduces.work * reduces.of_reduce
    heads, tails, arrival, areas, of_reduces = (
        each[by_arrival]
        for each in (demands.heads, demands.tails, demands.arrival, map_seconds, reduce_seconds)
    )
    ended = _earliest_ends(arrival, areas, heads)
    outside = _sums(of_reduces)[::-1]  # the set of the others has all bits turned
    least = np.full(len(ended), np.inf)
    least[0] = 0.0
    jobs = np.arange(len(heads))
    for sets in _by_size(len(heads)):
        if should_stop():
            raise Cancelled("the bound over sets of jobs was cancelled")
        after = ended[sets, None] + np.maximum(tails, outside[sets, None] + of_reduces)
        is_in = (sets[:, None] >> jobs & 1).astype(np.bool_)
        after = np.maximum(after, least[sets[:, None] & ~(1 << jobs)])
        least[sets] = np.where(is_in, after, np.inf).min(axis=1)
    return float(least[-1])


def _earliest_ends(arrival: Floats, areas: Floats, heads: Floats) -> Floats:
    """Return when the map stages of each set of jobs can all have ended, in s, (sets,); jobs by arrival."""
    done, latest = np.zeros(1), np.zeros(1)
    for each, area, head in zip(arrival, areas, heads, strict=True):
        done = np.concatenate([done, np.maximum(done, each) + area])
        latest = np.concatenate([latest, np.maximum(latest, head)])
    return np.maximum(done, latest)


def _sums(values: Floats) -> Floats:
    """Return the sum of each set of values, (sets,)."""
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate([sums, sums + value])
    return sums


@lru_cache(maxsize=2)
def _by_size(jobs: int) -> tuple[NDArray[np.int64], ...]:
    """Return all sets but the empty one as bits, smaller ones first, some at once."""
    sets = np.arange(1, 1 << jobs)
    size = np.bitwise_count(sets)
    order = np.argsort(size, kind="stable")
    of_size = np.split(sets[order], np.cumsum(np.bincount(size)[1:-1]))
    return tuple(
        part for one in of_size for part in np.split(one, range(SETS_AT_ONCE, len(one), SETS_AT_ONCE))
    )
