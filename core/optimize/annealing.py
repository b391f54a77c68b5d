"""Simulated annealing of plans, each judged by running it: what a move changes, and whether it is kept.

A chain has three rows of plans. Plain functions over columns; `core.engine.jit` makes their compiled twins,
and where the engine judges plans `propose` and `settle` run as they stand. Nothing is allocated here.

Source: Kirkpatrick, Gelatt and Vecchi, Optimization by Simulated Annealing, Science 220 (1983); the moves and
the guidance of makespans are ours.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from core.engine.jit import apart
from core.optimize.plan_columns import NO_CAP
from core.optimize.plan_costs import MAKESPAN, guidance, value_of, value_of_copies
from core.optimize.released_tasks import INF, KEPT, MAP, REDUCE, TRIED, key_of
from core.optimize.stage_passes import accept, run_from

if TYPE_CHECKING:
    from core.optimize.plan_columns import PlanColumns, Tasks
    from core.optimize.plan_costs import Goal
    from core.optimize.released_tasks import Passes

NOW, LAST, BEST = 0, 1, 2
"""Rows of a chain's plans: tried, kept last, best."""
STEP, LENGTH, TIED, LOW, HIGH, RANDOM, EVALUATIONS, FOUND = 0, 1, 2, 3, 4, 5, 6, 7
"""Of `Chain.count`: steps done and in all; whether reduces are due as their maps; the two orders of tasks
that moves choose from; state of the random numbers; plans that were run; the step that found the best one."""
TEMPERATURE, COOLING, COST, VALUE, MIN, STOP, HORIZON, SCALE = 0, 1, 2, 3, 4, 5, 6, 7
"""Of `Chain.level`: now, and by what it falls in a step, parts of the scale; cost of the plan kept last;
value of the plan tried and of the best one; value that need not be improved; seconds that moves of due dates
are measured by; and the value that temperatures are measured by."""
TO_SLOWSTART, TO_REDUCES, TO_POOLS, TO_CAPS, TO_TASKS, GUIDED = 0, 1, 2, 3, 4, 5
"""Of `Chain.chance`: how many of the moves change that (the first four together with those before them), and
how many choose a job that ends late."""
JOB, OTHER, POOL = 0, 1, 2
"""Of `Chain.moved`."""


class Chain(NamedTuple):
    """What an annealing knows of itself.

    Attributes
    ----------
    count, level, chance : numbers with names, see above
    moved : the job whose plan was changed, another one or the same, and the first pool that differs, (3,)
    floor : [key from which on maps start differently]
    movable : jobs that may be changed
    before, behind : pairs of jobs: all tasks of one go before those of the other
    usual : complete maps that let the reduces of each job start on this cluster, (jobs,)
    values : scratch, one for each copy of the durations
    """

    count: Any
    level: Any
    chance: Any
    moved: Any
    floor: Any
    movable: Any
    before: Any
    behind: Any
    usual: Any
    values: Any


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
    return c.count[STEP] >= c.count[LENGTH] or c.level[MIN] <= c.level[STOP]  # type: ignore[no-any-return]


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
    ends_by = limit / g.mix[MAKESPAN] if copies == 1 and g.mix[MAKESPAN] > 0 else INF
    for copy in range(copies):
        floor = c.floor[0] if copies == 1 else -INF
        pool = c.moved[POOL] if copies == 1 else 0
        if not run_from(t, plans, row, p, pool, floor, c.moved[JOB], c.moved[OTHER], copy, ends_by):
            return False
        c.values[copy] = value_of(t, p.finish[TRIED], g)
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


def take_back(plans: PlanColumns, c: Chain) -> None:
    """Put the plan that is tried back to the one that was kept last."""
    if c.moved[JOB] >= 0:
        copy_moved(plans, c, LAST, NOW)


def next_limit(c: Chain) -> float:
    """Cool down a step and return the cost up to which a plan is kept."""
    c.level[TEMPERATURE] *= c.level[COOLING]
    worse = -c.level[TEMPERATURE] * c.level[SCALE] * math.log(draw(c))
    return c.level[COST] + worse  # type: ignore[no-any-return]


@apart
def draw(c: Chain) -> float:
    """Return a random number above 0 and below 1 (Lehmer's generator: the same numbers interpreted)."""
    c.count[RANDOM] = c.count[RANDOM] * 48271 % 2147483647
    return c.count[RANDOM] / 2147483647.0  # type: ignore[no-any-return]


# ---- moves


def propose(t: Tasks, plans: PlanColumns, p: Passes, c: Chain) -> bool:
    """Change the plan that is tried a little; False if nothing came of it, or jobs are out of order."""
    c.floor[0] = INF
    c.moved[POOL] = plans.slots.shape[1]
    j = some_job(p, c)
    c.moved[JOB] = c.moved[OTHER] = j
    choice = draw(c)
    if choice < c.chance[TO_SLOWSTART]:
        move_slowstart(t, plans, c, j)
    elif choice < c.chance[TO_REDUCES]:
        move_reduces(t, plans, c, j)
    elif choice < c.chance[TO_POOLS]:
        move_pools(t, plans, c, j)
    elif choice < c.chance[TO_CAPS]:
        move_cap(t, plans, c, j)
    else:
        move_maps(t, plans, c, j)
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
    return j  # type: ignore[no-any-return]


@apart
def move_slowstart(t: Tasks, plans: PlanColumns, c: Chain, j: int) -> None:
    """Let the reduces of a job start at another number of complete maps."""
    choice = draw(c)
    usual, maps = c.usual[j], t.count[j, MAP]
    plans.after[NOW, j] = usual if choice < 0.4 else maps
    if choice >= 0.8:
        plans.after[NOW, j] = usual + int(draw(c) * (maps - usual + 1))


@apart
def move_reduces(t: Tasks, plans: PlanColumns, c: Chain, j: int) -> None:
    """Let the reduces of a job have another due date than its maps."""
    if draw(c) < c.chance[TO_TASKS]:
        other_tasks(plans, c, j, REDUCE)
    k = c.movable[int(draw(c) * len(c.movable))]
    new_due(plans, c, j, k, REDUCE, 0.2)


@apart
def move_maps(t: Tasks, plans: PlanColumns, c: Chain, j: int) -> None:
    """Let the maps of a job have another due date, and its reduces with them while they are tied."""
    k = c.movable[int(draw(c) * len(c.movable))]
    lower_floor(t, plans, c, j)
    lower_floor(t, plans, c, k)
    if draw(c) < c.chance[TO_TASKS]:
        other_tasks(plans, c, j, MAP)
    new_due(plans, c, j, k, MAP, 0.3)
    if c.count[TIED] > 0:
        plans.due[NOW, j, REDUCE] = plans.due[NOW, j, MAP]
        plans.due[NOW, k, REDUCE] = plans.due[NOW, k, MAP]
        c.moved[OTHER] = k
    lower_floor(t, plans, c, j)
    lower_floor(t, plans, c, k)


def other_tasks(plans: PlanColumns, c: Chain, j: int, kind: int) -> None:
    """Let the tasks of a stage start in the other one of the two orders that moves choose from."""
    is_high = plans.tasks[NOW, j, kind] == c.count[HIGH]
    plans.tasks[NOW, j, kind] = c.count[LOW] if is_high else c.count[HIGH]


@apart
def new_due(plans: PlanColumns, c: Chain, j: int, k: int, kind: int, far: float) -> None:
    """Exchange the due dates of two jobs, put one right beside the other, or shift it."""
    choice = draw(c)
    due = plans.due[NOW, j, kind]
    if choice < 0.3:
        plans.due[NOW, j, kind] = plans.due[NOW, k, kind]
        plans.due[NOW, k, kind] = due
        c.moved[OTHER] = k
    elif choice < 0.7:
        plans.due[NOW, j, kind] = plans.due[NOW, k, kind] + (draw(c) - 0.5) * 1e-3 * c.level[HORIZON]
    else:
        plans.due[NOW, j, kind] = due + (draw(c) - 0.5) * far * c.level[HORIZON]


@apart
def move_pools(t: Tasks, plans: PlanColumns, c: Chain, j: int) -> None:
    """Put a job into another pool, or give a slot of a pool to another one, if work still finds slots."""
    pools = plans.slots.shape[1]
    old, new = plans.pool[NOW, j], int(draw(c) * pools)
    if draw(c) < 0.5:
        plans.pool[NOW, j] = new
        c.moved[POOL] = min(old, new)
        c.floor[0] = key_of(t, plans, NOW, j, MAP, 0)
    else:
        kind = int(draw(c) * 2)
        given = min(1, plans.slots[NOW, old, kind])
        plans.slots[NOW, old, kind] -= given
        plans.slots[NOW, new, kind] += given
        if kind == MAP:
            c.moved[POOL] = min(old, new)
            c.floor[0] = -INF
    for kind in range(2):
        for i in range(len(t.count)):
            if t.count[i, kind] > 0 and plans.slots[NOW, plans.pool[NOW, i], kind] < 1:
                take_back(plans, c)


@apart
def move_cap(t: Tasks, plans: PlanColumns, c: Chain, j: int) -> None:
    """Let a stage hold another number of slots at most, or any number."""
    kind = int(draw(c) * 2)
    most = min(t.count[j, kind], plans.slots[NOW, plans.pool[NOW, j], kind]) - 1
    if most < 1:
        return
    choice, cap = draw(c), NO_CAP
    if choice < 0.3:
        cap = min(most, (t.count[j, kind] - 1) // (2 + int(draw(c) * 4)) + 1)  # in two to five equal waves
    elif choice < 0.5:
        cap = 1 + int(draw(c) * most)
    elif choice < 0.7 and plans.cap[NOW, j, kind] <= most:
        cap = min(max(plans.cap[NOW, j, kind] + 2 * int(draw(c) * 2) - 1, 1), most)
    plans.cap[NOW, j, kind] = cap
    if kind == MAP:
        lower_floor(t, plans, c, j)


@apart
def lower_floor(t: Tasks, plans: PlanColumns, c: Chain, j: int) -> None:
    """Note that the maps of a job start differently."""
    if t.count[j, MAP] == 0:
        return
    pool = plans.pool[NOW, j]
    key = key_of(t, plans, NOW, j, MAP, 0)
    if pool < c.moved[POOL]:
        c.moved[POOL], c.floor[0] = pool, key
    elif pool == c.moved[POOL]:
        c.floor[0] = min(c.floor[0], key)


@apart
def differs(plans: PlanColumns, c: Chain) -> bool:
    """Whether a move changed anything."""
    for j in (c.moved[JOB], c.moved[OTHER]):
        if plans.after[NOW, j] != plans.after[LAST, j] or plans.pool[NOW, j] != plans.pool[LAST, j]:
            return True
        for kind in range(2):
            if plans.due[NOW, j, kind] != plans.due[LAST, j, kind]:
                return True
            has_other_tasks = plans.tasks[NOW, j, kind] != plans.tasks[LAST, j, kind]
            if has_other_tasks or plans.cap[NOW, j, kind] != plans.cap[LAST, j, kind]:
                return True
    for q in range(plans.slots.shape[1]):
        for kind in range(2):
            if plans.slots[NOW, q, kind] != plans.slots[LAST, q, kind]:
                return True
    return False


@apart
def in_order(t: Tasks, plans: PlanColumns, c: Chain) -> bool:
    """Whether all tasks of jobs that must go first have smaller keys than those of the jobs behind them."""
    for i in range(len(c.before)):
        for kind in range(2):
            if t.count[c.before[i], kind] == 0 or t.count[c.behind[i], kind] == 0:
                continue
            last = key_of(t, plans, NOW, c.before[i], kind, t.count[c.before[i], kind] - 1)
            if last >= key_of(t, plans, NOW, c.behind[i], kind, 0):
                return False
    return True


@apart
def copy_moved(plans: PlanColumns, c: Chain, source: int, target: int) -> None:
    """Copy what a move may have changed from one row to another."""
    copy_job(plans, source, target, c.moved[JOB])
    copy_job(plans, source, target, c.moved[OTHER])
    for q in range(plans.slots.shape[1]):
        for kind in range(2):
            plans.slots[target, q, kind] = plans.slots[source, q, kind]


@apart
def copy_job(plans: PlanColumns, source: int, target: int, j: int) -> None:
    """Copy the plan of one job from one row to another."""
    plans.after[target, j] = plans.after[source, j]
    plans.pool[target, j] = plans.pool[source, j]
    for kind in range(2):
        plans.due[target, j, kind] = plans.due[source, j, kind]
        plans.tasks[target, j, kind] = plans.tasks[source, j, kind]
        plans.cap[target, j, kind] = plans.cap[source, j, kind]


@apart
def copy_row(plans: PlanColumns, source: int, target: int) -> None:
    """Copy a whole plan."""
    for j in range(plans.after.shape[1]):
        plans.served[target, j] = plans.served[source, j]
        copy_job(plans, source, target, j)
    for q in range(plans.slots.shape[1]):
        for kind in range(2):
            plans.slots[target, q, kind] = plans.slots[source, q, kind]
