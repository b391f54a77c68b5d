"""What a plan costs, from when its jobs end: plain functions over columns, compiled with the annealing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.engine.apart import apart
from core.optimize.numbers_loop import smallest
from core.optimize.search_columns import TRIED

if TYPE_CHECKING:
    from core.optimize.levers import PlanColumns
    from core.optimize.search_columns import Passes, Tasks

MAKESPAN, RESPONSE, TARDINESS, LATE, STRETCH = 0, 1, 2, 3, 4
"""Of `Goal.mix`."""


class Goal(NamedTuple):
    """What a plan costs, from when its jobs end.

    Attributes
    ----------
    mix : weight of the makespan, of the sum of weighted responses, of the sum of seconds after deadlines, of
        the number of late jobs, and of the largest stretch, (5,)
    weight : of each job's response, (jobs,)
    deadline : seconds, infinity where a job has none, (jobs,)
    must : what it costs besides to end after a deadline that must hold, (jobs,)
    alone : how long each job takes alone, seconds, (jobs,)
    pull : guidance beside the value: cost of a second by which reduce slots are in use longer than `ideal` on
        average, and of a second after `aim` at which a job ends, (2,)
    ideal, aim : seconds
    judged : of the copies of the durations, from 0 by value, which one counts; -1 for their mean
    """

    mix: Any
    weight: Any
    deadline: Any
    must: Any
    alone: Any
    pull: Any
    ideal: float
    aim: float
    judged: int

    @classmethod
    def of_makespan(cls, jobs: int) -> Goal:
        """Return that nothing counts but when the last of so many jobs ends."""
        none = np.zeros(jobs)
        never = np.full(jobs, np.inf)
        return cls(np.eye(5)[MAKESPAN], none, never, none, none, np.zeros(2), 0.0, 0.0, -1)


class PlanTrial(NamedTuple):
    """How a plan is run: what differs from the accepted one, and when to give up.

    Attributes
    ----------
    moved, other : jobs whose plan differs, -1 for none
    copy : which of the durations are the true ones
    ends_by : give up as soon as a job can only end later, seconds
    goal, most : give up as soon as the plan can only cost more than so much
    """

    moved: int
    other: int
    copy: int
    ends_by: float
    goal: Goal
    most: float


@apart
def value_of(arrival: Any, finish: Any, g: Goal) -> float:
    """Return the value of a schedule whose jobs arrive and end at these times, seconds, (jobs,) each."""
    makespan, responses, tardiness, late, stretch, forbidden = 0.0, 0.0, 0.0, 0, 0.0, 0.0
    for j in range(len(arrival)):
        response = finish[j] - arrival[j]
        makespan = max(makespan, finish[j])
        if g.weight[j] > 0:  # a plan that stalls has no end: 0 times infinity is no number
            responses += g.weight[j] * response
        if g.alone[j] > 0:
            stretch = max(stretch, response / g.alone[j])
        if finish[j] > g.deadline[j]:
            late += 1
            tardiness += finish[j] - g.deadline[j]
            forbidden += g.must[j]
    value = forbidden
    if g.mix[MAKESPAN] > 0:
        value += g.mix[MAKESPAN] * makespan
    if g.mix[RESPONSE] > 0:
        value += g.mix[RESPONSE] * responses
    if g.mix[TARDINESS] > 0:
        value += g.mix[TARDINESS] * tardiness
    value += g.mix[LATE] * late
    if g.mix[STRETCH] > 0:
        value += g.mix[STRETCH] * stretch
    return float(value)


def value_of_copies(g: Goal, values: Any, copies: int) -> float:
    """Return the value of a plan from its values on all copies of the durations."""
    if g.judged >= 0:
        return smallest(values, copies, g.judged)
    total = 0.0
    for copy in range(copies):
        total += values[copy]
    return total / copies


@apart
def guidance(t: Tasks, plans: PlanColumns, row: int, p: Passes, g: Goal) -> float:
    """Return what a plan costs beside its value: it leads to plans from which better ones are near."""
    cost = 0.0
    if g.pull[0] > 0:
        busy, slots, task_type = 0.0, 0, t.task_type[t.child]
        for q in range(plans.slots.shape[1]):
            busy += p.busy[TRIED, q]
            slots += plans.slots[row, q, task_type]
        cost += g.pull[0] * max(0.0, busy / max(slots, 1) - g.ideal)
    if g.pull[1] > 0:
        for j in range(len(t.count)):
            cost += g.pull[1] * max(0.0, p.finish[TRIED, j] - g.aim)
    return cost
