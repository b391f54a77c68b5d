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

from typing import TYPE_CHECKING

import numpy as np

from core.model.progress import cancelled_if, never_stop

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from core.optimize.stage_demands import Demands

    Floats = NDArray[np.float64]

SETS_AT_ONCE = 1 << 13
"""Between two looks at whether to stop: some milliseconds."""


def bound_of_sets(demands: Demands, should_stop: Callable[[], bool] = never_stop) -> float:
    """Return the bound in seconds; time and memory double with each job.

    Raises
    ------
    Cancelled
        `should_stop` said so
    """
    by_arrival = np.argsort(demands.arrival, kind="stable")
    map_seconds, reduce_seconds = demands.areas
    heads, tails, arrival, areas, of_reduces = (
        each[by_arrival]
        for each in (demands.heads, demands.tails, demands.arrival, map_seconds, reduce_seconds)
    )
    look = cancelled_if(should_stop, "the bound over sets of jobs")
    ended = _earliest_ends(arrival, areas, heads, look)
    outside = _sums(of_reduces, look)[::-1]  # the set of the others has all bits turned
    least = np.full(len(ended), np.inf)
    least[0] = 0.0
    look()
    jobs = np.arange(len(heads))
    for sets in _by_size(len(heads)):
        look()
        after = ended[sets, None] + np.maximum(tails, outside[sets, None] + of_reduces)
        is_in = (sets[:, None] >> jobs & 1).astype(np.bool_)
        after = np.maximum(after, least[sets[:, None] & ~(1 << jobs)])
        least[sets] = np.where(is_in, after, np.inf).min(axis=1)
    return float(least[-1])


def _earliest_ends(arrival: Floats, areas: Floats, heads: Floats, look: Callable[[], None]) -> Floats:
    """Return when the map stages of each set of jobs can all have ended, in s, (sets,); jobs by arrival."""
    done, latest = np.empty(1 << len(heads)), np.empty(1 << len(heads))
    done[0] = latest[0] = 0.0
    for j, (each, area, head) in enumerate(zip(arrival, areas, heads, strict=True)):
        look()
        without, with_it = slice(0, 1 << j), slice(1 << j, 2 << j)
        np.maximum(done[without], each, out=done[with_it])
        done[with_it] += area
        look()
        np.maximum(latest[without], head, out=latest[with_it])
    look()
    return np.maximum(done, latest, out=done)


def _sums(values: Floats, look: Callable[[], None]) -> Floats:
    """Return the sum of each set of values, (sets,)."""
    sums = np.empty(1 << len(values))
    sums[0] = 0.0
    for j, value in enumerate(values):
        look()
        np.add(sums[: 1 << j], value, out=sums[1 << j : 2 << j])
    return sums


def _by_size(jobs: int) -> Iterator[NDArray[np.int64]]:
    """Yield all sets but the empty one as bits, smaller ones first, some at once."""
    size = np.bitwise_count(np.arange(1 << jobs, dtype=np.int32))
    for wanted in range(1, jobs + 1):
        sets = np.flatnonzero(size == wanted)
        yield from np.split(sets, range(SETS_AT_ONCE, len(sets), SETS_AT_ONCE))
