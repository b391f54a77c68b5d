"""What prices of single instants of slots prove, for `core.verify.check`: by arithmetic of its own.

A stage lies between its head and the end of its job less its tail. In any m seconds of these it leaves so
much undone, in seconds of all slots: of each task what is longer than m, and all of its work but m. So it
pays at least what it does when it takes the cheapest instants first. The costs of the jobs, each at the end
that is cheapest with that, less the price of all instants, are no more than any schedule's: whatever the
prices are, if none is below 0.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from core.verify.jobs_of_document import MAX
from core.verify.price_rule import (
    MAX_TIMES,
    MIX,
    QUARTERS,
    ROUNDS,
    Cost,
    Floats,
    StageOfJob,
    costs_of,
    held_up,
)

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
    market = np.hstack([prices, np.zeros((kinds, 1))])
    costs, came = costs_of(checker, weights)
    jobs = zip(costs, checker.ends.tolist(), own, strict=True)
    least = [_cheapest(*job, edges, market) for job in jobs]
    spent = float((prices * np.diff(edges)).sum())
    return float(sum(least) - spent - ROUNDS * (sum(least) + spent) - came)


def _cheapest(cost: Cost, soonest: float, stages: list[StageOfJob], edges: Floats, market: Floats) -> float:
    """Return a cost that no end of a job is below, with what its stages pay.

    Between an end at which a stage ends where a price changes, or the job at its deadline, and the next one,
    the cost is convex: two lines that touch it from below at both ends of each quarter hold it up.
    """
    last = [edges[-1] + s.tail + s.reach for s in stages]
    marks = np.concatenate([[soonest, *last], *(edges + s.tail for s in stages), [cost.due]])
    ends = np.unique(np.maximum(marks[marks < np.inf], soonest))
    ends = np.append((ends[:-1, None] + np.diff(ends)[:, None] * QUARTERS).ravel(), ends[-1])
    least = np.inf
    for begin in range(0, len(ends), AT_ONCE):
        some = ends[begin : begin + AT_ONCE + 1]
        if cost.at(some[:1], some[:1] > cost.due)[0] > least:  # as all that are later
            break
        needs = (_paid(stage, some, edges, market[stage.kind]) for stage in stages)
        here, _, cross = held_up(cost, some, *np.add.reduce([np.zeros((3, len(some))), *needs]))
        least = min(least, float(here.min()), float(cross.min(initial=np.inf)))
    return least


def _paid(stage: StageOfJob, ends: Floats, edges: Floats, price: Floats) -> Floats:
    """Return what a stage pays at ends of its job at least, and how that changes before and after each.

    One second more is an instant of the price that is right there: as much less is left for all that are
    dearer.
    """
    over, order = (ends - stage.tail)[:, None], np.argsort(price, kind="stable")
    until = np.append(edges[1:], np.inf)
    stretch = np.maximum(np.minimum(until, over) - np.maximum(edges, stage.head), 0.0)[:, order]
    had = np.hstack([np.zeros((len(ends), 1)), np.cumsum(stretch, axis=1)])
    longer = len(stage.length) - np.searchsorted(stage.length, had, "right")
    tasks = stage.share * (stage.behind[len(stage.length) - longer] - longer * had)
    undone = np.maximum(np.maximum(tasks, stage.seconds - had), 0.0)
    rate = np.where(stage.seconds - had >= tasks, 1.0, stage.share * longer) * (undone > 0)
    ascending = price[order]
    paid = -(np.diff(undone, axis=1) * ascending).sum(axis=1)
    below, slopes = np.append(-np.inf, ascending[:-1]), []
    for side in ("left", "right"):
        cell = np.maximum(np.searchsorted(edges, over[:, 0], side) - 1, 0)
        dearer = np.maximum(ascending - np.maximum(below, price[cell][:, None]), 0.0)
        slopes.append(-(dearer * rate[:, :-1]).sum(axis=1))
    return np.stack([paid, *slopes])
