"""Simulated annealing of plans, each judged by running it: which job a move changes, and whether it is kept.

A chain has three rows of plans; `core.optimize.levers` has the moves. Plain functions over columns;
`core.engine.jit` makes their compiled twins, and where the engine judges plans `propose` and `settle` run as
they stand. Nothing is allocated here.

Source: Kirkpatrick, Gelatt and Vecchi, Optimization by Simulated Annealing, Science 220 (1983); the moves and
the guidance of makespans are ours.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from core.engine.apart import apart
from core.optimize.gentle_moves import move_gently
from core.optimize.levers import GUIDED, copy_moved, copy_row, differs, key_of, make_move, take_back
from core.optimize.numbers_loop import draw
from core.optimize.plan_costs import MAKESPAN, PlanTrial, guidance, value_of, value_of_copies
from core.optimize.search_columns import (
    BEST,
    COOLING,
    COST,
    EVALUATIONS,
    FOUND,
    INF,
    JOB,
    KEPT,
    LAST,
    LENGTH,
    MIN,
    NOW,
    OTHER,
    POOL,
    RANDOM,
    SCALE,
    STEP,
    STOP,
    STRIDE,
    TEMPERATURE,
    TRIED,
    VALUE,
)
from core.optimize.stage_passes import accept, run_from

if TYPE_CHECKING:
    from core.optimize.levers import PlanColumns
    from core.optimize.plan_costs import Goal
    from core.optimize.search_columns import Chain, Passes, Tasks


def search_plans(
    t: Tasks,
    plans: PlanColumns,
    p: Passes,
    g: Goal,
    c: Chain,
    worth: Any,
    finish: Any,
    rows: int,
    steps: int,
) -> int:
    """Run plans, or anneal; the one compiled entry to both.

    Parameters
    ----------
    worth, finish : value of each row, (rows,), and when its jobs end, seconds, (rows, jobs); written where
        rows are run
    rows : so many rows to run; 0 to anneal
    steps : of the annealing at most

    Returns
    -------
    int
        steps done; one that is stopped in the middle is as if it had not begun
    """
    done = 0
    while done < steps + rows:
        if rows == 0 and is_over(c):
            break
        limit, row = INF, NOW
        random, temperature = c.count[RANDOM], c.level[TEMPERATURE]
        if rows > 0 or c.count[STEP] == 0:
            row = done if rows > 0 else NOW
            all_anew(c)
            tries = True
        else:
            limit = next_limit(c)
            tries = propose(t, plans, p, c)
        kept = tries and try_plan(t, plans, row, p, g, c, limit)
        if not kept and p.stop[0] > 0:
            c.count[RANDOM], c.level[TEMPERATURE] = random, temperature
            take_back(plans, c)
            break
        c.count[EVALUATIONS] += tries
        if rows > 0:
            worth[done] = c.level[VALUE]
            for j in range(len(t.count)):
                finish[done, j] = p.finish[TRIED, j]
        else:
            if kept:
                accept(t, plans, row, p, c.moved[POOL], c.floor[0])
            settle(plans, c, kept)
        done += 1
    return done


def is_over(c: Chain) -> bool:
    """Whether the cycle is over, or nothing better is needed."""
    return bool(c.count[STEP] >= c.count[LENGTH] or c.level[MIN] <= c.level[STOP])


def all_anew(c: Chain) -> None:
    """Let the next plan be run from the beginning."""
    c.moved[JOB] = c.moved[OTHER] = -1
    c.moved[POOL] = 0
    c.floor[0] = -INF


@apart
def try_plan(t: Tasks, plans: PlanColumns, row: int, p: Passes, g: Goal, c: Chain, limit: float) -> bool:
    """Run a plan; whether it costs no more than the limit: its cost and value are noted then."""
    c.level[VALUE] = INF
    copies = len(t.duration)
    most = limit if copies == 1 else INF
    ends_by = most / g.mix[MAKESPAN] if g.mix[MAKESPAN] > 0 else INF
    for copy in range(copies):
        floor = c.floor[0] if copies == 1 else -INF
        pool = c.moved[POOL] if copies == 1 else 0
        trial = PlanTrial(c.moved[JOB], c.moved[OTHER], copy, ends_by, g, most)
        if not run_from(t, plans, row, p, pool, floor, trial):
            return False
        c.values[copy] = value_of(t.arrival, p.finish[TRIED], g)
    value = c.values[0] if copies == 1 else value_of_copies(g, c.values, copies)
    cost = value + guidance(t, plans, row, p, g)
    if cost > limit:
        return False
    c.level[VALUE], c.level[COST] = value, cost
    return True


@apart
def settle(plans: PlanColumns, c: Chain, kept: bool) -> None:
    """Keep the plan that was tried, and note whether it is the best one, or go back to the last one."""
    if c.count[STEP] == 0:
        copy_row(plans, NOW, LAST)
    elif kept:
        copy_moved(plans, c, NOW, LAST)
    else:
        take_back(plans, c)
    if kept and c.level[VALUE] < c.level[MIN]:
        c.level[MIN] = c.level[VALUE]
        c.count[FOUND] = c.count[STEP]
        copy_row(plans, NOW, BEST)
    c.count[STEP] += 1


def next_limit(c: Chain) -> float:
    """Cool down a step and return the cost up to which a plan is kept."""
    c.level[TEMPERATURE] *= c.level[COOLING]
    worse = -c.level[TEMPERATURE] * c.level[SCALE] * math.log(draw(c))
    return float(c.level[COST] + worse)


def propose(t: Tasks, plans: PlanColumns, p: Passes, c: Chain) -> bool:
    """Change the plan that is tried a little; False if nothing came of it, or jobs are out of order."""
    c.floor[0] = INF
    c.moved[POOL] = plans.slots.shape[1]
    j = some_job(p, c)
    c.moved[JOB] = c.moved[OTHER] = j
    if c.level[STRIDE] > 0:
        move_gently(t, plans, c, j)
    else:
        make_move(t, plans, c, j)
    return differs(plans, c) and in_order(t, plans, c)


@apart
def some_job(p: Passes, c: Chain) -> int:
    """Choose a job, often one that ends late."""
    j = c.movable[int(draw(c) * len(c.movable))]
    if draw(c) < c.chance[GUIDED]:
        for _ in range(2):
            other = c.movable[int(draw(c) * len(c.movable))]
            if p.finish[KEPT, other] > p.finish[KEPT, j]:
                j = other
    return int(j)


@apart
def in_order(t: Tasks, plans: PlanColumns, c: Chain) -> bool:
    """Whether all tasks of jobs that must go first have smaller keys than those of the jobs behind them."""
    for i in range(len(c.before)):
        for stage in range(t.count.shape[1]):
            if t.count[c.before[i], stage] == 0 or t.count[c.behind[i], stage] == 0:
                continue
            last = key_of(t, plans, NOW, c.before[i], stage, t.count[c.before[i], stage] - 1)
            if last >= key_of(t, plans, NOW, c.behind[i], stage, 0):
                return False
    return True
