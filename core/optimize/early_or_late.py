"""No map stage ends both early and late: a bound of both kinds of slots for any number of jobs (ours).

The bound of windows takes every map stage to end as late as it may where it looks at maps, and as early as it
may where it looks at reduces. Here each job has to choose.

Take any schedule that is over at T, and let C be when the map stage of a job ends: no sooner than its head h,
no later than T - q with its tail q. Take a time u before the end and a time s from the beginning, u + s <= T.

- C <= T - u: all its maps, m seconds spread evenly over the map slots, are done by T - u; and of its reduces
  there is left at s what is left if they begin at h. This is ``early(s)`` <= r, all of them.
- C > T - u: at s all its reduces are to come; and of its maps there is done by T - u what must be if they
  need not be over before T - q. This is ``late(u)`` <= m.

Map slots do no more than T - u seconds by T - u, and reduce slots no more than T - s from s on. With the
first counted by a weight w from 0 to 1, and the second by 1 - w,

    T >= w u + (1 - w) s + sum over jobs of min(w m + (1 - w) early(s), w late(u) + (1 - w) r).

With w = 1 or 0 it is the bound of windows of one kind. The linear program indexed by time leads to it: in its
dual nearly all weight is on one such u and one such s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.model.progress import cancelled_if, never_stop

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.optimize.stage_demands import Demands, Pieces

    Floats = NDArray[np.float64]

POINTS = 64
"""Times that are tried from either end; more of them gain little."""


class EarlyOrLate(NamedTuple):
    """How long all takes at least, and what no job can have both of.

    Attributes
    ----------
    seconds : the bound; 0 if there are no maps or no reduces
    early : reduces in so many seconds from the beginning, or
    late : maps in so many seconds before the end
    weight : of the map slots, from 0 to 1; the reduce slots have the rest
    """

    seconds: float
    early: float = 0.0
    late: float = 0.0
    weight: float = 0.0


def early_or_late_bound(
    demands: Demands, known: float, should_stop: Callable[[], bool] = never_stop
) -> EarlyOrLate:
    """Return the best bound that the times tried give.

    Parameters
    ----------
    demands : of map slots and reduce slots
    known : a bound, in s: times from both ends that are no more than it do not overlap

    Raises
    ------
    Cancelled
        `should_stop` said so
    """
    look = cancelled_if(should_stop, "the bound over early and late map stages")
    maps, reduces = demands.stages
    (map_share, reduce_share), (of_maps, of_reduces) = demands.shares, demands.areas
    lefts, begins = _points(maps), _points(reduces.mirrored)
    late = _due(maps, map_share, lefts, look)
    early = _due(reduces.mirrored, reduce_share, begins, look)
    best = EarlyOrLate(0.0)
    for s, left in zip(begins.tolist(), early, strict=True):
        look()
        apart = lefts + s <= known
        if not apart.any():
            break
        all_late, all_early = lefts[apart] + of_maps.sum(), s + of_reduces.sum()
        seconds, weight = _best_weight(all_late, all_early, of_maps - late[apart], of_reduces - left)
        nth = int(seconds.argmax())
        best = max(best, EarlyOrLate(float(seconds[nth]), s, float(lefts[apart][nth]), float(weight[nth])))
    return best


def _points(pieces: Pieces) -> Floats:
    """Return some times before the end at which the work that must be done may bound most: tails."""
    tails = np.unique(pieces.tails[pieces.work > 0])
    return (
        tails[np.unique(np.linspace(0, len(tails) - 1, POINTS).round().astype(int))] if len(tails) else tails
    )


def _due(pieces: Pieces, share: float, points: Floats, look: Callable[[], None]) -> Floats:
    """Return the seconds of each group that must be done by times before the end, (points, groups).

    What can still run in the `late` seconds between such a time and the tail is at most so much of each task,
    and no more than the machine does.
    """
    due = np.empty((len(points), len(pieces.tails)))
    for row, point in zip(due, points.tolist(), strict=True):
        look()
        late = np.maximum(point - pieces.tails, 0.0)
        left = np.maximum(pieces.lengths - late[pieces.group], 0.0)
        tasks = np.bincount(pieces.group, left, len(late)) + np.where(late > 0, 0.0, pieces.fluid)
        np.maximum(tasks * share, pieces.work * share - late, out=row)
    return due


def _best_weight(
    all_late: Floats, all_early: float, spared_late: Floats, spared_early: Floats
) -> tuple[Floats, Floats]:
    """Return the bound with the best weight for each of some times before the end, and it, (points,) each.

    A job spares the larger of w times `spared_late` and 1 - w times `spared_early`. In w the bound is concave
    and bends where these are equal for a job, so it is looked at there only.
    """
    both = spared_late + spared_early
    bends = np.divide(spared_early, both, out=np.zeros_like(both), where=both > 0)
    order = np.argsort(bends, axis=1)
    weight = np.take_along_axis(bends, order, axis=1)
    spared = np.cumsum(np.take_along_axis(spared_late, order, axis=1), axis=1) * weight
    early = np.broadcast_to(spared_early, both.shape)
    behind = np.cumsum(np.take_along_axis(early, order, axis=1)[:, ::-1], axis=1)[:, ::-1]
    spared[:, :-1] += behind[:, 1:] * (1 - weight[:, :-1])
    bound: Floats = weight * all_late[:, None] + (1 - weight) * all_early - spared
    best = bound.argmax(axis=1)[:, None]
    return np.take_along_axis(bound, best, axis=1)[:, 0], np.take_along_axis(weight, best, axis=1)[:, 0]
