"""Due dates of map stages by which both stages look feasible, found without running anything.

With a due date for each job's map stage, its maps have to be done by then and its reduces cannot begin
before. Either stage alone then passes the test for preemptive machines on nested windows: by each time t,
what cannot wait is done, sum of max(0, p - (due - t)+) <= slots x t, and the reduces likewise seen from the
end. The sum of what is too much is annealed. A job's demand is a table, so that a move costs as much as there
are times to look at, whatever the number of tasks.

Source of the test: W. A. Horn, Some simple scheduling algorithms, Naval Research Logistics Quarterly 21
(1974); that one set of due dates has to serve both stages, and the search, are ours.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.optimize.numbers_loop import draw

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.optimize.search_columns import Tasks

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]

CELLS = 64
TIMES = 40
"""At which a test looks."""
WARM, COLD = 0.01, 1e-6
"""Temperatures at the beginning and the end, parts of the horizon."""
NOW, BEST = 0, 1
STEP, STEPS = 0, 1
COST, MIN, NEXT = 0, 1, 2


class Demand(NamedTuple):
    """How much of each stage cannot wait; read only.

    Attributes
    ----------
    root : the stage that has to be done by a job's due date; the other one begins there
    left : slot-seconds left of a stage when each of its tasks has had so many seconds, in cells, (stages,
        jobs, CELLS + 2)
    longest : task of each stage, seconds, (stages, jobs)
    cells : per second, (stages, jobs)
    times : at which the test looks, seconds, (stages, TIMES)
    slots : that each stage runs on, (stages,)
    earliest, latest : due date that a job's map stage may have, seconds, (jobs,)
    horizon : by which all should be done, seconds
    worst : weight of the worst excess beside the mean one
    """

    root: int
    left: Any
    longest: Any
    cells: Any
    times: Any
    slots: Any
    earliest: Any
    latest: Any
    horizon: float
    worst: float


class DueDates(NamedTuple):
    """What the annealing of due dates writes.

    Attributes
    ----------
    due : of each job's map stage, tried and best, seconds, (2, jobs)
    load, tried : slot-seconds that cannot wait, at each time, (stages, TIMES)
    count : steps done and in all, state of the random numbers, (3,)
    level : cost now, of the best, and of what is tried, (3,)
    """

    due: Any
    load: Any
    tried: Any
    count: Any
    level: Any


def demand_of(t: Tasks, horizon: float, *, fills: bool, worst: float) -> Demand:
    """Return the demand of tasks.

    Parameters
    ----------
    t : the tasks
    horizon : seconds by which all should be done
    fills : whether reduces are taken to start before their map stage ends, so that their shuffle costs them
        the first one only
    worst : weight of the worst excess beside the mean one
    """
    seconds = t.duration[0] + (t.first_shuffle[0] if fills else t.typical_shuffle[0])
    stages = [
        left_over(seconds[: t.tasks], first, count) for first, count in zip(t.first.T, t.count.T, strict=True)
    ]
    left, longest = (np.stack(columns) for columns in zip(*stages, strict=True))
    grid = np.arange(1, TIMES + 1) / TIMES
    times = np.tile(grid**1.5, (len(longest), 1))
    times[t.root] = grid
    earliest = t.arrival + longest[t.root]
    return Demand(
        root=t.root,
        left=left,
        longest=longest,
        cells=np.divide(CELLS, longest, out=np.zeros_like(longest), where=longest > 0),
        times=horizon * times,
        slots=np.array([max(t.slots[task_type], 1) for task_type in t.task_type], np.float64),
        earliest=earliest,
        latest=np.maximum(earliest, horizon - longest[t.child]),
        horizon=horizon,
        worst=worst,
    )


def left_over(seconds: Floats, first: Ints, count: Ints) -> tuple[Floats, Floats]:
    """Return how much of each job's tasks of one stage is left after each cell of the longest one.

    Parameters
    ----------
    seconds : of all tasks, (tasks,)
    first, count : of each job's tasks of this stage, (jobs,)

    Returns
    -------
    tuple
        slot-seconds, (jobs, CELLS + 2), the last of them 0; and the seconds of the longest, (jobs,)
    """
    jobs = len(count)
    job = np.repeat(np.arange(jobs), count)
    task = seconds[np.arange(len(job)) + np.repeat(first - (np.cumsum(count) - count), count)]
    longest = np.zeros(jobs)
    np.maximum.at(longest, job, task)
    parts = np.divide(task, longest[job], out=np.zeros_like(task), where=longest[job] > 0)
    place = job * (CELLS + 1) + np.ceil(parts * CELLS).astype(
        np.int64
    )  # the cell at the end of which it ends
    shape = jobs, CELLS + 1
    works, tasks = (
        np.bincount(place, weights, jobs * (CELLS + 1)).reshape(shape)
        for weights in (task, np.ones(len(task)))
    )
    longer = [np.cumsum(each[:, ::-1], axis=1)[:, ::-1] - each for each in (works, tasks)]
    left = np.zeros((jobs, CELLS + 2))
    left[:, :-1] = longer[0] - longer[1] * np.arange(CELLS + 1) / CELLS * longest[:, None]
    return left, longest


def fresh_due_dates(d: Demand, seed: int, steps: int) -> DueDates:
    """Return due dates drawn from a seed, to be annealed in so many steps."""
    drawn = np.random.default_rng(seed).random(len(d.earliest))
    due = d.earliest + (d.latest - d.earliest) * drawn
    return DueDates(
        due=np.stack([due, due]),
        load=np.zeros(d.times.shape),
        tried=np.zeros(d.times.shape),
        count=np.array([0, steps, 1 + seed % 2147483646], np.int64),
        level=np.full(3, np.inf),
    )


def anneal_due_dates(d: Demand, s: DueDates, steps: int) -> int:
    """Go on by at most so many steps; return how many were done."""
    done = 0
    if s.count[STEP] == 0:
        all_loads(d, s)
    while done < steps and s.count[STEP] < s.count[STEPS] and s.level[MIN] > 1e-9 * d.horizon:
        move_due_date(d, s)
        s.count[STEP] += 1
        done += 1
    return done


def all_loads(d: Demand, s: DueDates) -> None:
    """Add up what cannot wait at each time."""
    for stage in range(len(d.times)):
        for g in range(TIMES):
            s.tried[stage, g] = 0.0
            for j in range(len(d.earliest)):
                s.tried[stage, g] += cannot_wait(d, stage, j, s.due[NOW, j], d.times[stage, g])
    s.level[NEXT] = excess(d, s)
    keep(d, s)


def move_due_date(d: Demand, s: DueDates) -> None:
    """Try another due date for a job, or exchange those of two, and keep it unless it costs too much."""
    jobs = len(d.earliest)
    cooling = (COLD / WARM) ** (s.count[STEP] / s.count[STEPS])
    limit = s.level[COST] - WARM * cooling * d.horizon * math.log(draw(s))
    j, choice = int(draw(s) * jobs), draw(s)
    k = j
    due = s.due[NOW, j]
    if choice < 0.25:
        due = d.earliest[j] + draw(s) * (d.latest[j] - d.earliest[j])
    elif choice < 0.6:
        due += (draw(s) - 0.5) * 0.1 * d.horizon
    elif choice < 0.8:
        due = s.due[NOW, int(draw(s) * jobs)] + (draw(s) - 0.5) * 0.01 * d.horizon
    else:
        k = int(draw(s) * jobs)
        due = s.due[NOW, k]
    due = min(max(due, d.earliest[j]), d.latest[j])
    others = min(max(s.due[NOW, j], d.earliest[k]), d.latest[k])
    for stage in range(len(d.times)):
        for g in range(TIMES):
            time = d.times[stage, g]
            load = cannot_wait(d, stage, j, due, time) - cannot_wait(d, stage, j, s.due[NOW, j], time)
            if k != j:
                load += cannot_wait(d, stage, k, others, time) - cannot_wait(d, stage, k, s.due[NOW, k], time)
            s.tried[stage, g] = s.load[stage, g] + load
    s.level[NEXT] = excess(d, s)
    if s.level[NEXT] <= limit:
        if k != j:
            s.due[NOW, k] = others
        s.due[NOW, j] = due
        keep(d, s)


def keep(d: Demand, s: DueDates) -> None:
    """Keep what was tried, and note whether it is the best."""
    s.level[COST] = s.level[NEXT]
    for stage in range(len(d.times)):
        for g in range(TIMES):
            s.load[stage, g] = s.tried[stage, g]
    if s.level[NEXT] < s.level[MIN]:
        s.level[MIN] = s.level[NEXT]
        for j in range(len(d.earliest)):
            s.due[BEST, j] = s.due[NOW, j]


def cannot_wait(d: Demand, stage: int, j: int, due: float, time: float) -> float:
    """Return the slot-seconds of a stage that must be done before a time (maps) or after it (reduces)."""
    had = due - time if stage == d.root else time - due
    if had >= d.longest[stage, j]:
        return 0.0
    cell = max(had, 0.0) * d.cells[stage, j]
    i = int(cell)
    part = cell - i
    return float(d.left[stage, j, i] * (1 - part) + d.left[stage, j, i + 1] * part)


def excess(d: Demand, s: DueDates) -> float:
    """Return by how many seconds the stages do not fit: the mean over all times, and the worst weighted."""
    total, worst = 0.0, 0.0
    for stage in range(len(d.times)):
        for g in range(TIMES):
            there = d.times[stage, g] if stage == d.root else d.horizon - d.times[stage, g]
            over = s.tried[stage, g] / d.slots[stage] - there
            if over > 0:
                total += over
                worst = max(worst, over)
    return total / (len(d.times) * TIMES) + d.worst * worst
