"""What prices of single instants of slots prove, for `core.verify.check`: by arithmetic of its own.

A stage lies between its head and the end of its job less its tail. In any m seconds of these it leaves so
much undone, in seconds of all slots: of each task what is longer than m, and all of its work but m. So it
pays at least what it does when it takes the cheapest instants first. The costs of the jobs, each at the end
that is cheapest with that, less the price of all instants, are no more than any schedule's: whatever the
prices are, if none is below 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from core.verify.price_rule import MAX, MAX_TIMES, MIX, QUARTERS, ROUNDS, Cost, StageOfJob

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

AT_ONCE = 64
"""Ends that are looked at together: those behind them cost more by themselves, as a rule."""


def rule_of_instants(checker: Any, part: dict[str, Any]) -> float:  # Any: of `check`
    """Return what the prices of instants of a part of a proof prove of all schedules."""
    if len(checker.links.think):
        raise ValueError("prices say nothing of jobs that follow others")
    weights = checker.document["objective"] if part["of"] == MIX else {part["of"]: 1.0}
    if not {*weights} <= {"mean-response", "weighted-response", "tardiness"}:
        raise ValueError("prices of instants say something of responses and tardiness only")
    times, prices = np.array(part["times"], float), np.array(part["prices"], float)
    own, kinds = checker.stages_of_jobs, 2 if checker.is_typed else 1
    if times.ndim != 1 or not 0 < len(times) <= MAX_TIMES or prices.shape != (kinds, len(times)):
        raise ValueError("there is not one price of each kind of slots until each time")
    edges = np.append(0.0, times)
    if not ((np.diff(edges) > 0).all() and times[-1] <= MAX and ((prices >= 0) & (prices <= MAX)).all()):
        raise ValueError("times of prices do not ascend from 0, or a price is below 0")
    each = weights.get("mean-response", 0.0) / len(own) + np.zeros(len(own))
    each += weights.get("weighted-response", 0.0) * checker.weight / checker.weight.sum()
    late = weights.get("tardiness", 0.0)
    market = np.hstack([prices, np.zeros((kinds, 1))])
    costs = [Cost(float(w), late, 0.0, float(due)) for w, due in zip(each, checker.deadline, strict=True)]
    least = [
        _cheapest(cost, soonest, [stage for stage in stages if stage.seconds > 0], edges, market)
        for cost, soonest, stages in zip(costs, checker.ends.tolist(), own, strict=True)
    ]
    spent = float((prices * np.diff(edges)).sum())
    return float(sum(least) - spent - ROUNDS * (sum(least) + spent) - (each * checker.fixed).sum())


def _cheapest(cost: Cost, soonest: float, stages: list[StageOfJob], edges: Floats, market: Floats) -> float:
    """Return a cost that no end of a job is below, with what its stages pay.

    Between an end at which a stage ends where a price changes, or the job at its deadline, and the next one,
    the cost is convex: two lines that touch it from below at both ends of each quarter hold it up.
    """
    last = [edges[-1] + s.tail + max(s.length.max(initial=0.0), s.seconds) for s in stages]
    marks = np.concatenate([[soonest, *last], *(edges + s.tail for s in stages), [cost.due]])
    ends = np.unique(np.maximum(marks[marks < np.inf], soonest))
    ends = np.append((ends[:-1, None] + np.diff(ends)[:, None] * QUARTERS).ravel(), ends[-1])
    least = np.inf
    for begin in range(0, len(ends), AT_ONCE):
        some = ends[begin : begin + AT_ONCE + 1]
        late, soon_late = some > cost.due, some >= cost.due
        here = cost.at(some, late)
        if here[0] > least:  # as all that are later
            break
        left = cost.second + cost.late_second * late
        right = cost.second + cost.late_second * soon_late
        for stage in stages:
            paid, before, after = _paid(stage, some, edges, market[stage.kind])
            here, left, right = here + paid, left + before, right + after
        a, b, c, d, wide = here[:-1], right[:-1], here[1:], left[1:], np.diff(some)
        steep = np.where((b < 0) & (d > 0), d - b, np.inf)
        cross = a + b * np.minimum(np.maximum((a - c + d * wide) / steep, 0.0), wide)
        least = min(
            least, float(here.min()), float(np.where(steep < np.inf, cross, np.inf).min(initial=np.inf))
        )
    return least


def _paid(stage: StageOfJob, ends: Floats, edges: Floats, price: Floats) -> tuple[Floats, Floats, Floats]:
    """Return what a stage pays at ends of its job at least, and how that changes before and after each.

    One second more is an instant of the price that is right there: as much less is left for all that are
    dearer.
    """
    over, order = (ends - stage.tail)[:, None], np.argsort(price, kind="stable")
    until = np.append(edges[1:], np.inf)
    stretch = np.maximum(np.minimum(until, over) - np.maximum(edges, stage.head), 0.0)[:, order]
    had = np.hstack([np.zeros((len(ends), 1)), np.cumsum(stretch, axis=1)])
    length = np.sort(stage.length)
    behind = np.append(np.cumsum(length[::-1])[::-1], 0.0)
    longer = len(length) - np.searchsorted(length, had, "right")
    tasks = stage.share * (behind[len(length) - longer] - longer * had)
    undone = np.maximum(np.maximum(tasks, stage.seconds - had), 0.0)
    rate = np.where(stage.seconds - had >= tasks, 1.0, stage.share * longer) * (undone > 0)
    ascending = price[order]
    paid = -(np.diff(undone, axis=1) * ascending).sum(axis=1)
    below, slopes = np.append(-np.inf, ascending[:-1]), []
    for side in ("left", "right"):
        cell = np.maximum(np.searchsorted(edges, over[:, 0], side) - 1, 0)
        dearer = np.maximum(ascending - np.maximum(below, price[cell][:, None]), 0.0)
        slopes.append(-(dearer * rate[:, :-1]).sum(axis=1))
    return paid, slopes[0], slopes[1]
