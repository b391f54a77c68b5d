"""Plans and tasks as columns: what the passes and the search read, and what a search changes.

A plan is a row of `PlanColumns`; `columns_of` and `plan_of` go back and forth between rows and `Plan` values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.model.estimates import COMMON_SHARE, spread_of
from core.model.job import MAP, REDUCE
from core.model.partition import Partition, SlotPool, pool_of_jobs
from core.model.plan import TASK_ORDERS, JobPlan, Plan, StagePlan

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import TaskColumns, Workload

GIVEN, LONGEST, LATEST_START = 0, 1, 2
"""Which task of a stage starts first, as numbers."""

NO_CAP = 2**31 - 1
"""Of a stage that may hold any number of slots."""


class Tasks(NamedTuple):
    """What is to be scheduled; read only.

    The columns of tasks hold every task twice: first as given, then, from `tasks` on, the longest first of
    each stage. Those with a first axis have one row for each copy of the durations that a plan is judged by.

    Attributes
    ----------
    tasks : number of tasks
    count, first : number of tasks of each stage and the index of its first one as given, (jobs, 2)
    arrival : seconds, (jobs,)
    released : whether jobs arrive at different times, so that a task may have to wait for its job
    overlap : whether a filler's own shuffle may end later than its first shuffle (model "overlap")
    length : seconds that the policy is told, (2 tasks,)
    duration, first_shuffle, typical_shuffle : true seconds, (copies, 2 tasks)
    tail : the least time that a job takes after its map stage, seconds, (copies, jobs)
    slots : map and reduce slots of the cluster, (2,)
    block : so many maps are between two snapshots
    """

    tasks: int
    count: Any
    first: Any
    arrival: Any
    released: int
    overlap: int
    length: Any
    duration: Any
    first_shuffle: Any
    typical_shuffle: Any
    tail: Any
    slots: Any
    block: int


class PlanColumns(NamedTuple):
    """One plan in each row.

    Attributes
    ----------
    served : the jobs, of equal keys the first one first, (rows, jobs)
    due : of each stage, seconds, (rows, jobs, 2)
    tasks : GIVEN, LONGEST or LATEST_START of each stage, (rows, jobs, 2)
    after : so many complete maps let the reduces start, (rows, jobs)
    pool : of each job, (rows, jobs)
    slots : map and reduce slots of each pool, (rows, pools, 2); one pool with all of them is no partition
    cap : so many slots does a job hold at most for each of its stages, NO_CAP for any number, (rows, jobs, 2)
    """

    served: Any
    due: Any
    tasks: Any
    after: Any
    pool: Any
    slots: Any
    cap: Any


MAX_BLOCKS = 512
"""Snapshots of one pass at most: each holds the ends of all slots and map stages."""
BLOCK = 128


def tasks_of(workload: Workload, cluster: Cluster, told: Workload | None = None) -> Tasks:
    """Return the tasks of a workload on typed slots; keys are made from the lengths of `told`."""
    columns = workload.columns
    order = longest_first((told or workload).columns)
    without_shuffle = cluster.shuffle_model == "mumak"
    first, typical = (
        np.zeros_like(each) if without_shuffle else each
        for each in (columns.first_shuffle, columns.typical_shuffle)
    )
    length = lengths_of((told or workload).columns)
    return Tasks(
        tasks=len(order),
        count=columns.count.astype(np.int64),
        first=columns.first.astype(np.int64),
        arrival=columns.arrival.copy(),
        released=int(columns.arrival.any()),
        overlap=int(cluster.shuffle_model == "overlap"),
        length=_twice(length, order),
        duration=_twice(columns.duration, order)[None],
        first_shuffle=_twice(first, order)[None],
        typical_shuffle=_twice(typical, order)[None],
        tail=_tails(columns, first, typical, overlap=cluster.shuffle_model == "overlap")[None],
        slots=np.array(cluster.stage_slots, np.int64),
        block=max(BLOCK, -(-int(columns.count[:, MAP].sum()) // MAX_BLOCKS)),
    )


def usual_after(t: Tasks, cluster: Cluster) -> NDArray[np.int64]:
    """Return how many complete maps let the reduces of each job start on this cluster, (jobs,)."""
    # NOTE: the small term keeps 0.05 * 20 from needing two maps.
    after: NDArray[np.int64] = np.ceil(cluster.slowstart * t.count[:, MAP] - 1e-9).astype(np.int64)
    return after


def lengths_of(columns: TaskColumns) -> NDArray[np.float64]:
    """Return how long each task is for its key: its duration and its typical shuffle, seconds, (tasks,)."""
    lengths: NDArray[np.float64] = columns.duration + columns.typical_shuffle
    return lengths


def longest_first(columns: TaskColumns) -> NDArray[np.int64]:
    """Return the tasks with the longest of each stage first, of equal ones the first one given, (tasks,)."""
    stage = 2 * columns.job.astype(np.int64) + columns.kind
    return np.lexsort((-lengths_of(columns), stage))


def _twice(seconds: NDArray[np.float64], order: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.concatenate([seconds, seconds[order]])


def _tails(
    columns: TaskColumns, first: NDArray[np.float64], typical: NDArray[np.float64], *, overlap: bool
) -> NDArray[np.float64]:
    """Return how long the longest reduce of each job takes at least after its map stage, (jobs,)."""
    least = np.minimum(first, typical)
    least = columns.duration + np.where(columns.count[columns.job, MAP] > 0, least, typical)
    tails = np.zeros(len(columns.count))
    reduces = columns.kind == REDUCE
    np.maximum.at(tails, columns.job[reduces], least[reduces])
    return tails


def blank_plans(rows: int, tasks: Tasks, pools: int = 1) -> PlanColumns:
    """Return rows of plans that serve the jobs as they stand, on all slots."""
    jobs = len(tasks.count)
    slots = np.zeros((rows, pools, 2), np.int64)
    slots[:, 0] = tasks.slots
    return PlanColumns(
        served=np.tile(np.arange(jobs), (rows, 1)),
        due=np.zeros((rows, jobs, 2)),
        tasks=np.zeros((rows, jobs, 2), np.int64),
        after=np.tile(tasks.count[:, MAP], (rows, 1)),
        pool=np.zeros((rows, jobs), np.int64),
        slots=slots,
        cap=np.full((rows, jobs, 2), NO_CAP),
    )


def copied_row(plans: PlanColumns, row: int) -> PlanColumns:
    """Return a plan as the only row of plans of its own."""
    return PlanColumns(*(column[row : row + 1].copy() for column in plans))


def noisy_tasks(t: Tasks, copies: int, sigma: float, seed: int, per: str = "job") -> Tasks:
    """Return the tasks with several copies of their true durations; the keys' lengths stay.

    Every task takes a log-normal factor of mean 1 and standard deviation `sigma` times as long, its shuffles
    too; `per` says which tasks share a factor, as `DurationEstimates` has it.
    """
    draw = np.random.default_rng(seed).normal
    jobs = np.repeat(np.arange(len(t.count)), t.count.sum(axis=1))
    normal = draw(size=(copies, t.tasks if per == "task" else len(t.count)))
    normal = normal if per == "task" else normal[:, jobs]
    if per == "correlated":
        normal = np.sqrt(1 - COMMON_SHARE) * normal + np.sqrt(COMMON_SHARE) * draw(size=(copies, 1))
    spread = spread_of(sigma)
    given = np.exp(spread * normal - spread**2 / 2)
    stage = 2 * jobs + (np.arange(t.tasks) >= t.first[jobs, REDUCE])
    order = np.lexsort((-t.length[: t.tasks], stage))
    factor = np.concatenate([given, given[:, order]], axis=1)
    drawn_anew = {
        name: np.multiply(getattr(t, name), factor, order="C")  # else it would be compiled once more
        for name in ("duration", "first_shuffle", "typical_shuffle")
    }
    return t._replace(**drawn_anew, tail=np.zeros((copies, len(t.count))))


def columns_of(plans: Sequence[Plan], workload: Workload, usual: NDArray[np.int64], t: Tasks) -> PlanColumns:
    """Return plans as rows; jobs that a plan does not name come last, as they arrive."""
    pools = max((len(plan.partition.pools) for plan in plans if plan.partition), default=1)
    rows = blank_plans(len(plans), t, pools)
    index = workload.job_index
    for row, plan in enumerate(plans):
        named = [index[name] for name in plan.names]
        rows.served[row] = [
            *named,
            *(index[name] for name in workload.input_order if name not in plan.known),
        ]
        rows.due[row], rows.after[row] = np.inf, usual
        for j, job in zip(named, plan.jobs, strict=True):
            for kind, stage in enumerate(job.stages):
                rows.due[row, j, kind] = stage.due
                rows.tasks[row, j, kind] = TASK_ORDERS.index(stage.tasks)
                rows.cap[row, j, kind] = NO_CAP if stage.cap is None else stage.cap
            if job.reduces_after is not None:
                rows.after[row, j] = min(job.reduces_after, t.count[j, MAP])
        if plan.partition is not None:
            rows.pool[row] = pool_of_jobs(plan.partition, workload)
            rows.slots[row] = 0
            rows.slots[row, : len(plan.partition.pools)] = [pool.slots for pool in plan.partition.pools]
    return rows


def plan_of(
    row: PlanColumns, workload: Workload, usual: NDArray[np.int64], pinned: Collection[int] = ()
) -> Plan:
    """Return the only row of plans as a plan; `usual` complete maps are not said."""
    served = row.served[0].tolist()
    names = [job.name for job in workload.jobs]
    due, tasks, caps = (column[0].tolist() for column in (row.due, row.tasks, row.cap))
    is_usual, after = (row.after[0] == usual).tolist(), row.after[0].tolist()

    def stage(j: int, kind: int) -> StagePlan:
        cap = caps[j][kind]
        return StagePlan(due[j][kind], TASK_ORDERS[tasks[j][kind]], None if cap == NO_CAP else cap)

    jobs = tuple(
        JobPlan(names[j], stage(j, MAP), stage(j, REDUCE), None if is_usual[j] else after[j], j in pinned)
        for j in served
    )
    if row.slots.shape[1] == 1:
        return Plan(jobs)
    pools = [
        SlotPool(
            f"Pool {q + 1}", slots[MAP], slots[REDUCE], tuple(names[j] for j in served if row.pool[0, j] == q)
        )
        for q, slots in enumerate(row.slots[0].tolist())
    ]
    used = tuple(pool for pool in pools if any(pool.slots) or pool.jobs)
    return Plan(jobs, Partition(used) if len(used) > 1 else None)
