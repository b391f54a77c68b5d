"""Idle slots: a slot stays free while a task could run on it, because the policy declines.

Counted are slots of a type (of a pool's own, where there are such; all containers together) that run nothing
while tasks for them are ready: the job has arrived and, for reduces, slowstart is reached. The cost is the
smaller of both numbers over time. A work-conserving policy has none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.explain.lints.finding import Finding, Limits, Rule, most_costly
from core.explain.lints.occupancy import Occupancy, job_waiting
from core.explain.words import amount, clock, place_noun

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.schedule import Schedule


def idle_slots(
    schedule: Schedule, occupancies: list[Occupancy], ready: NDArray[np.float64], limits: Limits
) -> tuple[Finding, ...]:
    """Return the spans of time in which slots idle while tasks wait, the most costly ones first."""
    spans = [
        (cost, begin, end, occupied)
        for occupied in occupancies
        for cost, begin, end in _spans(occupied, limits.least_share * schedule.makespan)
    ]
    worst = sorted(spans, key=lambda span: (-span[0], span[1]))[: limits.most]
    return most_costly((_finding(schedule, ready, *span) for span in worst), limits)


def _spans(occupied: Occupancy, least: float) -> list[tuple[float, float, float]]:
    """Return cost, begin and end of each unbroken span that costs enough."""
    idle = np.minimum(occupied.free, occupied.waiting)
    cost = np.concatenate([[0.0], np.cumsum(np.where(idle > 0, idle * occupied.lengths, 0.0))])
    edges = np.flatnonzero(np.diff(idle > 0, prepend=False, append=False))
    begins, ends = edges[::2], np.minimum(edges[1::2], len(idle) - 1)
    seconds = cost[ends] - cost[begins]
    return [
        (float(seconds[i]), float(occupied.times[begins[i]]), float(occupied.times[ends[i]]))
        for i in np.flatnonzero((seconds >= least) & (seconds > 0))
    ]


def _finding(
    schedule: Schedule,
    ready: NDArray[np.float64],
    cost: float,
    begin: float,
    end: float,
    occupied: Occupancy,
) -> Finding:
    job, kind = job_waiting(schedule, occupied.group, ready, begin)
    place = int(np.searchsorted(occupied.times, begin))
    noun = place_noun(kind, schedule.cluster)
    sentence = (
        f"From {clock(begin)} to {clock(end)} {noun}s stay free although tasks could run, "
        f"first of all {schedule.workload.jobs[job].name}'s: {amount(cost)} slot-seconds."
    )
    slot = _free_slot(schedule, occupied, begin) if occupied.free[place] else -1
    return Finding(Rule.IDLE_SLOT, begin, end, job, slot, kind, cost, sentence)


def _free_slot(schedule: Schedule, occupied: Occupancy, time: float) -> int:
    """Return the lowest slot of a group that runs nothing at a time."""
    runs = (schedule.start <= time) & (schedule.end > time)
    free = np.setdiff1d(np.array(occupied.group.slots), schedule.slot[runs])
    return int(free[0])
