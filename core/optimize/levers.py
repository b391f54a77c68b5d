"""The levers of a search: their columns of plans, how a pass obeys them, their moves, and how often.

How levers are called and what plans say of jobs is in `core.model.levers`, how the engine obeys a plan in
`core.policies.critical`. From `first_task` on these are plain functions over columns; `core.engine.jit` makes
their compiled twins, and where the engine judges plans they run as they stand. Nothing is allocated in them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.engine.apart import apart
from core.model.levers import (
    AS_THE_CLUSTER,
    JOB_FIELDS,
    NO_CAP,
    STAGE_FIELDS,
    TASK_ORDERS,
)
from core.model.partition import Partition, SlotPool, pool_of_jobs
from core.model.plan import Plan
from core.model.plan_columns import blank_columns, jobs_of_columns
from core.optimize.numbers_loop import draw, replace_least, smallest
from core.optimize.search_columns import (
    HIGH,
    HORIZON,
    INF,
    JOB,
    KEPT,
    LAST,
    LOW,
    NOW,
    OTHER,
    POOL,
    TIED,
    TRIED,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from core.model.workload import Workload
    from core.optimize.constraints import Constraints
    from core.optimize.search_columns import Chain, Passes, Tasks

    Ints = NDArray[np.int64]

GIVEN, LONGEST, LATEST_START = range(len(TASK_ORDERS))
"""Which task of a stage starts first, as numbers."""
PLAN_FIELDS = (*STAGE_FIELDS, *JOB_FIELDS)
"""The columns of what plans say of each job."""


# ---- columns


class PlanColumns(NamedTuple):
    """One plan in each row.

    Attributes
    ----------
    served : the jobs, of equal keys the first one first, (rows, jobs)
    due : of each stage, seconds, (rows, jobs, stages)
    tasks : GIVEN, LONGEST or LATEST_START of each stage, (rows, jobs, stages)
    cap : so many slots does a job hold at most for each of its stages, NO_CAP for any number, (rows, jobs,
        stages)
    reduces_after : so many complete maps let the reduces start, (rows, jobs)
    room : 1 where free room on nodes is kept for tasks that go first, (rows, jobs)
    pool : of each job, (rows, jobs)
    slots : of each type in each pool, (rows, pools, types); one pool with all of them is no partition
    """

    served: Any
    due: Any
    tasks: Any
    cap: Any
    reduces_after: Any
    room: Any
    pool: Any
    slots: Any


def blank_plans(rows: int, tasks: Tasks, pools: int = 1) -> PlanColumns:
    """Return rows of plans that serve the jobs as they stand, reduces after all maps, on all slots."""
    jobs = len(tasks.count)
    slots = np.zeros((rows, pools, len(tasks.slots)), np.int64)
    slots[:, 0] = tasks.slots
    columns = {name: np.repeat(column[None], rows, axis=0) for name, column in blank_columns(jobs).items()}
    columns["due"] = np.zeros((rows, *tasks.count.shape))
    columns["reduces_after"] = np.tile(tasks.count[:, tasks.root], (rows, 1))
    served = np.tile(np.arange(jobs), (rows, 1))
    return PlanColumns(served=served, pool=np.zeros((rows, jobs), np.int64), slots=slots, **columns)


def copied_row(plans: PlanColumns, row: int) -> PlanColumns:
    """Return a plan as the only row of plans of its own."""
    return PlanColumns(*(column[row : row + 1].copy() for column in plans))


def columns_of(plans: Sequence[Plan], workload: Workload, usual: Ints, t: Tasks) -> PlanColumns:
    """Return plans as rows; jobs that a plan does not name come last, as they arrive."""
    pools = max((len(plan.partition.pools) for plan in plans if plan.partition), default=1)
    rows = blank_plans(len(plans), t, pools)
    for row, plan in enumerate(plans):
        rows.served[row], columns = plan.columns(workload)
        for name, column in columns.items():
            getattr(rows, name)[row] = column
        after = rows.reduces_after[row]
        left = np.clip(after - t.done, 0, t.count[:, t.root])
        after[:] = np.where(after == AS_THE_CLUSTER, usual, left)
        if plan.partition is not None:
            rows.pool[row] = pool_of_jobs(plan.partition, workload)
            rows.slots[row] = 0
            rows.slots[row, : len(plan.partition.pools)] = [pool.slots for pool in plan.partition.pools]
    return rows


def plan_of(row: PlanColumns, workload: Workload, usual: Ints, pinned: Collection[int] = ()) -> Plan:
    """Return the only row of plans as a plan; `usual` complete maps are left out."""
    columns = {name: getattr(row, name)[0] for name in PLAN_FIELDS}
    after = columns["reduces_after"]
    columns["reduces_after"] = np.where(after == usual, AS_THE_CLUSTER, after)
    served, names = row.served[0].tolist(), [job.name for job in workload.jobs]
    jobs = jobs_of_columns(columns, names, served, pinned)
    if row.slots.shape[1] == 1:
        return Plan(jobs)
    pools = [
        SlotPool(f"Pool {q + 1}", maps, reduces, tuple(names[j] for j in served if row.pool[0, j] == q))
        for q, (maps, reduces) in enumerate(row.slots[0].tolist())
    ]
    used = tuple(pool for pool in pools if any(pool.slots) or pool.jobs)
    return Plan(jobs, Partition(used) if len(used) > 1 else None)


def holds_maps_back(rows: PlanColumns, t: Tasks) -> bool:
    """Whether maps may have to wait for something else than a slot: they do not start by their keys then."""
    return bool((rows.cap[:, :, t.root] < t.count[:, t.root]).any())


# ---- which moves there are


EVERY = range(8)


class Move(NamedTuple):
    """A move that changes something else than when the maps of a job are due.

    Attributes
    ----------
    name : a lever's that it belongs to, or its own where searches may do without it
    lever : that allows it
    share : of all moves, in annealings that make it
    turns, turns_of_many : of eight annealings, those that make it, of few jobs and of many
    frees : whether a job may then go before one that is to come before it, or leave the pool that it is given
    is_typed : whether it only makes sense on map and reduce slots
    holds_back : whether plans then need `holds_maps_back`
    """

    name: str
    lever: str
    share: float
    turns: Collection[int] = EVERY
    turns_of_many: Collection[int] = EVERY
    frees: bool = False
    is_typed: bool = False
    holds_back: bool = False


MOVES = (
    Move("slowstart", "slowstart", 0.15),
    Move("across", "across", 0.15),
    Move("pools", "pools", 0.2, (3, 7), (3, 7), frees=True, is_typed=True),
    Move("caps", "pools", 0.2, (1, 7), (), frees=True, holds_back=True),
)
TO_SLOWSTART, TO_ACROSS, TO_POOLS, TO_CAPS = range(len(MOVES))
"""The moves as numbers; each draws anew what it changes. All others are of when maps are due."""
TO_TASKS, GUIDED = len(MOVES), len(MOVES) + 1
"""Behind them in `Chain.chance`: how many moves also change the order of a stage's tasks, and how many choose
a job that ends late."""
TASKS_SHARE, GUIDED_SHARE = 0.1, 0.35


def moves_of(
    levers: Collection[str], constraints: Constraints, *, by_engine: bool, has_graphs: bool = False
) -> frozenset[str]:
    """Return the levers, and the moves that they allow, without those that a search has to do without.

    Plans say nothing of when the stages of a graph may start: their edges do.
    """
    is_fixed = constraints.partition is not None or len(constraints.before) > 0
    moves = {move.name for move in MOVES if move.lever in levers}
    return (frozenset(levers) | moves) - {
        move.name
        for move in MOVES
        if (is_fixed and move.frees)
        or (by_engine and move.is_typed)
        or (has_graphs and move is MOVES[TO_SLOWSTART])
    }


# ---- how a pass obeys what a plan says


def first_task(t: Tasks, plans: PlanColumns, row: int, j: int, stage: int) -> int:
    """Return where the tasks of a stage begin, in the order in which the plan starts them."""
    first = t.first[j, stage]
    if plans.tasks[row, j, stage] > 0:
        first += t.tasks
    return int(first)


@apart
def key_of(t: Tasks, plans: PlanColumns, row: int, j: int, stage: int, i: int) -> float:
    """Return the key of the i-th task of a stage to start."""
    if plans.tasks[row, j, stage] == LATEST_START:
        return float(plans.due[row, j, stage] - t.length[t.tasks + t.first[j, stage] + i])
    return float(plans.due[row, j, stage])


@apart
def reduces_may_start(t: Tasks, plans: PlanColumns, row: int, p: Passes, j: int) -> float:
    """Return when enough maps of a job are complete, seconds."""
    after, maps = plans.reduces_after[row, j], t.count[j, t.root]
    if after <= 0 or t.begun[j, t.child] > 0:
        return float(t.arrival[j])
    if after >= maps:
        return float(p.stage_end[TRIED, j])
    first = first_task(t, plans, row, j, t.root)
    for i in range(maps):
        p.seconds[i] = p.end[KEPT if i < p.same[j] else TRIED, first + i]
    return smallest(p.seconds, maps, after - 1)


def let_go(t: Tasks, plans: PlanColumns, row: int, p: Passes, j: int, stage: int) -> None:
    """Begin a pass over a stage: nothing holds its tasks back yet."""
    if plans.cap[row, j, stage] < t.count[j, stage]:
        for lane in range(plans.cap[row, j, stage]):
            p.lanes[t.first[j, stage] + lane] = 0.0


def hold_back(t: Tasks, plans: PlanColumns, row: int, p: Passes, j: int, stage: int, end: float) -> None:
    """Note when a job may start its next task, after one that ends then."""
    if plans.cap[row, j, stage] < t.count[j, stage]:
        first = t.first[j, stage]
        replace_least(p.lanes[first : first + plans.cap[row, j, stage]], end)
        p.ready[j] = p.lanes[first]


# ---- moves


@apart
def make_move(t: Tasks, plans: PlanColumns, c: Chain, j: int) -> None:
    """Change something of the plan of a job: one of `MOVES`, else when its maps are due."""
    choice = draw(c)
    if choice < c.chance[TO_SLOWSTART]:
        move_slowstart(t, plans, c, j)
    elif choice < c.chance[TO_ACROSS]:
        move_reduces(t, plans, c, j)
    elif choice < c.chance[TO_POOLS]:
        move_pools(t, plans, c, j)
    elif choice < c.chance[TO_CAPS]:
        move_cap(t, plans, c, j)
    else:
        move_maps(t, plans, c, j)


@apart
def move_slowstart(t: Tasks, plans: PlanColumns, c: Chain, j: int) -> None:
    """Let the reduces of a job start at another number of complete maps."""
    choice = draw(c)
    usual, maps = c.usual[j], t.count[j, t.root]
    plans.reduces_after[NOW, j] = usual if choice < 0.4 else maps
    if choice >= 0.8:
        plans.reduces_after[NOW, j] = usual + int(draw(c) * (maps - usual + 1))


@apart
def move_reduces(t: Tasks, plans: PlanColumns, c: Chain, j: int) -> None:
    """Let the reduces of a job have another due date than its maps."""
    if draw(c) < c.chance[TO_TASKS]:
        other_tasks(plans, c, j, t.child)
    k = c.movable[int(draw(c) * len(c.movable))]
    new_due(plans, c, j, k, t.child, 0.2)


@apart
def move_maps(t: Tasks, plans: PlanColumns, c: Chain, j: int) -> None:
    """Let the maps of a job have another due date, and its reduces with them while they are tied."""
    k = c.movable[int(draw(c) * len(c.movable))]
    lower_floor(t, plans, c, j)
    lower_floor(t, plans, c, k)
    if draw(c) < c.chance[TO_TASKS]:
        other_tasks(plans, c, j, t.root)
    new_due(plans, c, j, k, t.root, 0.3)
    if c.count[TIED] > 0:
        plans.due[NOW, j, t.child] = plans.due[NOW, j, t.root]
        plans.due[NOW, k, t.child] = plans.due[NOW, k, t.root]
        c.moved[OTHER] = k
    lower_floor(t, plans, c, j)
    lower_floor(t, plans, c, k)


def other_tasks(plans: PlanColumns, c: Chain, j: int, stage: int) -> None:
    """Let the tasks of a stage start in the other one of the two orders that moves choose from."""
    is_high = plans.tasks[NOW, j, stage] == c.count[HIGH]
    plans.tasks[NOW, j, stage] = c.count[LOW] if is_high else c.count[HIGH]


@apart
def new_due(plans: PlanColumns, c: Chain, j: int, k: int, stage: int, far: float) -> None:
    """Exchange the due dates of two jobs, put one right beside the other, or shift it."""
    choice = draw(c)
    due = plans.due[NOW, j, stage]
    if choice < 0.3:
        plans.due[NOW, j, stage] = plans.due[NOW, k, stage]
        plans.due[NOW, k, stage] = due
        c.moved[OTHER] = k
    elif choice < 0.7:
        plans.due[NOW, j, stage] = plans.due[NOW, k, stage] + (draw(c) - 0.5) * 1e-3 * c.level[HORIZON]
    else:
        plans.due[NOW, j, stage] = due + (draw(c) - 0.5) * far * c.level[HORIZON]


@apart
def move_pools(t: Tasks, plans: PlanColumns, c: Chain, j: int) -> None:
    """Put a job into another pool, or give a slot of a pool to another one, if work still finds slots."""
    pools = plans.slots.shape[1]
    old, new = plans.pool[NOW, j], int(draw(c) * pools)
    if draw(c) < 0.5:
        plans.pool[NOW, j] = new
        c.moved[POOL] = min(old, new)
        c.floor[0] = key_of(t, plans, NOW, j, t.root, 0)
    else:
        task_type = int(draw(c) * plans.slots.shape[2])
        given = min(1, plans.slots[NOW, old, task_type])
        plans.slots[NOW, old, task_type] -= given
        plans.slots[NOW, new, task_type] += given
        if task_type == t.task_type[t.root]:
            c.moved[POOL] = min(old, new)
            c.floor[0] = -INF
    for stage in range(t.count.shape[1]):
        for i in range(len(t.count)):
            slots = plans.slots[NOW, plans.pool[NOW, i], t.task_type[stage]]
            if t.count[i, stage] > 0 and slots < 1:
                take_back(plans, c)


@apart
def move_cap(t: Tasks, plans: PlanColumns, c: Chain, j: int) -> None:
    """Let a stage hold another number of slots at most, or any number."""
    stage = int(draw(c) * t.count.shape[1])
    most = min(t.count[j, stage], plans.slots[NOW, plans.pool[NOW, j], t.task_type[stage]]) - 1
    if most < 1:
        return
    choice, cap = draw(c), NO_CAP
    if choice < 0.3:
        cap = min(most, (t.count[j, stage] - 1) // (2 + int(draw(c) * 4)) + 1)  # in two to five equal waves
    elif choice < 0.5:
        cap = 1 + int(draw(c) * most)
    elif choice < 0.7 and plans.cap[NOW, j, stage] <= most:
        cap = min(max(plans.cap[NOW, j, stage] + 2 * int(draw(c) * 2) - 1, 1), most)
    plans.cap[NOW, j, stage] = cap
    if stage == t.root:
        lower_floor(t, plans, c, j)


@apart
def lower_floor(t: Tasks, plans: PlanColumns, c: Chain, j: int) -> None:
    """Note that the maps of a job start differently."""
    if t.count[j, t.root] == 0:
        return
    pool = plans.pool[NOW, j]
    key = key_of(t, plans, NOW, j, t.root, 0)
    if pool < c.moved[POOL]:
        c.moved[POOL], c.floor[0] = pool, key
    elif pool == c.moved[POOL]:
        c.floor[0] = min(c.floor[0], key)


@apart
def differs(plans: PlanColumns, c: Chain) -> bool:
    """Whether a move changed anything."""
    for j in (c.moved[JOB], c.moved[OTHER]):
        same = plans.reduces_after[NOW, j] == plans.reduces_after[LAST, j]
        same &= plans.room[NOW, j] == plans.room[LAST, j]
        same &= plans.pool[NOW, j] == plans.pool[LAST, j]
        for stage in range(plans.due.shape[2]):
            same &= plans.due[NOW, j, stage] == plans.due[LAST, j, stage]
            same &= plans.tasks[NOW, j, stage] == plans.tasks[LAST, j, stage]
            same &= plans.cap[NOW, j, stage] == plans.cap[LAST, j, stage]
        if not same:
            return True
    for q in range(plans.slots.shape[1]):
        for task_type in range(plans.slots.shape[2]):
            if plans.slots[NOW, q, task_type] != plans.slots[LAST, q, task_type]:
                return True
    return False


# ---- what moves may have changed, put back or taken over


def take_back(plans: PlanColumns, c: Chain) -> None:
    """Put the plan that is tried back to the one that was kept last."""
    if c.moved[JOB] >= 0:
        copy_moved(plans, c, LAST, NOW)


@apart
def copy_moved(plans: PlanColumns, c: Chain, source: int, target: int) -> None:
    """Copy what a move may have changed from one row to another."""
    copy_job(plans, source, target, c.moved[JOB])
    copy_job(plans, source, target, c.moved[OTHER])
    copy_slots(plans, source, target)


@apart
def copy_job(plans: PlanColumns, source: int, target: int, j: int) -> None:
    """Copy the plan of one job from one row to another."""
    plans.reduces_after[target, j] = plans.reduces_after[source, j]
    plans.room[target, j] = plans.room[source, j]
    plans.pool[target, j] = plans.pool[source, j]
    for stage in range(plans.due.shape[2]):
        plans.due[target, j, stage] = plans.due[source, j, stage]
        plans.tasks[target, j, stage] = plans.tasks[source, j, stage]
        plans.cap[target, j, stage] = plans.cap[source, j, stage]


@apart
def copy_row(plans: PlanColumns, source: int, target: int) -> None:
    """Copy a whole plan."""
    for j in range(plans.reduces_after.shape[1]):
        plans.served[target, j] = plans.served[source, j]
        copy_job(plans, source, target, j)
    copy_slots(plans, source, target)


def copy_slots(plans: PlanColumns, source: int, target: int) -> None:
    """Copy the slots of all pools from one row to another."""
    for q in range(plans.slots.shape[1]):
        for task_type in range(plans.slots.shape[2]):
            plans.slots[target, q, task_type] = plans.slots[source, q, task_type]
