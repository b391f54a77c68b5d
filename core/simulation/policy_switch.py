"""Let another policy go on with a run: what has happened stays, what the policy decides begins afresh."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine.copies import Copies
from core.engine.given_up import GivenUp, noted_lines
from core.engine.placement import show_nodes
from core.engine.stage_steps import NO_NEED, find_next_stage, take_number
from core.engine.state import (
    INF,
    UNCHANGED,
    RecordViews,
    State,
    as_rows,
    begun_jobs,
    free_slots,
    put_free_slots,
    records_of,
    snapshot,
    stage_column,
    waiting_jobs,
)
from core.engine.variants import EngineVariant
from core.model.errors import InputError
from core.model.task_types import REDUCE, TASK_TYPES
from core.policies.composing.hooks import hooks_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import TaskColumns, Workload
    from core.policies.policy import Policy
    from core.policies.resolved_policy import ResolvedPolicy

JOB_PROGRESS = (
    "arrival",
    "not_before",
    "before",
    "cleans",
    "running",
    "started",
    "done",
    "stages_left",
    "parents_left",
    "stage_end",
    "finish",
    "slot_time",
)
POOL_PAIRS = ("running", "waiting", "pending")
CLUSTER_PROGRESS = (
    "now",
    "slots",
    "change",
    "running",
    "lent",
    "copies",
    "room",
    "free",
    "arrived",
    "unknown",
    "active",
    "started",
    "released",
    "fillers",
    "backlog",
)


def check_may_switch(policies: Sequence[type[Policy]]) -> None:
    """Raise InputError where a run cannot go on under another policy.

    Parameters
    ----------
    policies : the one so far, and the other one
    """
    if any(hasattr(policy, "replanner") for policy in policies):
        raise InputError("a run that shares scans cannot go on under another policy, nor another so")
    if any(hooks_of(policy).gives_up and policy.suspends for policy in policies):
        raise InputError(
            "a run that suspends running tasks cannot go on under another policy, nor another so"
        )


def check_kept(run: State, policy: type[Policy]) -> None:
    """Raise InputError where what was done with running tasks is not modelled with what a policy does."""
    hooks, has_copies = hooks_of(policy), isinstance(run.given_up, Copies)
    if (isinstance(run.given_up, GivenUp) and hooks.copies) or (has_copies and hooks.gives_up):
        raise InputError(
            "a run in which tasks were killed cannot go on with second copies of tasks, "
            "nor the other way round"
        )


def engine_kind(run: State) -> EngineVariant | None:
    """Return which engine goes on with what was done with tasks or slots; None for the policy's own."""
    if isinstance(run.given_up, Copies):
        return EngineVariant.COPIES
    if isinstance(run.given_up, GivenUp):
        return EngineVariant.GIVING_UP
    comes_and_goes = len(run.change) and not (run.given_up or run.beats or run.inputs)
    return EngineVariant.GENERAL if comes_and_goes else None


def go_on_under(
    before: ResolvedPolicy, after: ResolvedPolicy, run: State, workload: Workload, cluster: Cluster
) -> tuple[ResolvedPolicy, State]:
    """Return what a run follows from now on, and its state under it; tasks lie as they have started.

    Parameters
    ----------
    before, after : what was followed so far, and what is from now on
    run : the state, in columns or rows

    Raises
    ------
    InputError
        the order of tasks would change where jobs say on which nodes their input lies, or tasks were killed
        before and would have second copies now, or the other way round
    """
    check_kept(run, after.policy)
    orders = before.task_order, after.task_order
    if run.inputs and any(order is not None for order in orders):
        raise InputError(
            "where jobs say on which nodes their input lies, a run cannot go on under another policy if "
            "one of both has an order of tasks of its own"
        )
    if run.given_up:
        lie, switched = tasks_that_go_on(run, workload.columns, *orders), before.task_order
    else:
        lie, switched = None, switched_task_order(workload.columns, *orders, stage_column(run, "started"))
    after = replace(after, task_order=switched)
    fresh = after.first_state(workload, cluster)
    return after, hand_over(run, fresh if isinstance(run.duration, np.ndarray) else as_rows(fresh), lie)


def hand_over(run: State, fresh: State, lie: NDArray[np.int32] | None = None) -> State:
    """Return the state in which `run` goes on under the policy that `fresh` was made for.

    Both are of one kind, columns or rows, of one workload and one cluster, with the tasks in one order.
    Tasks, slots and counts come from `run`; ranks, parameters and whatever a plan writes from `fresh`. The
    free slots of this instant are offered again.

    Parameters
    ----------
    lie : where nodes fail, tasks were killed or had second copies: which task of `fresh` lies at each place
        from now on, see `tasks_that_go_on`
    """
    of_tasks = ("duration", "first_shuffle", "typical_shuffle", "task_key")
    theirs = ("arrivals", "queue", "trees", "keys", "job", "edge", "pool", "cluster", *of_tasks)
    new = snapshot(run)._replace(**{name: getattr(fresh, name) for name in theirs})
    if lie is not None:
        new = _with_tasks_at(new, of_tasks, lie)
    old_records, new_records = records_of(run), records_of(new)
    _carry(old_records.job, new_records.job, JOB_PROGRESS)
    _carry([old_records.cluster], [new_records.cluster], CLUSTER_PROGRESS)
    if any(each.slot >= 0 for each in old_records.change):
        new_records.cluster.changes = old_records.cluster.changes
    new = _with_given_up(new, fresh)
    for given, stage in zip(records_of(fresh).stage, new_records.stage, strict=True):
        stage.place = given.place
    _let_go_on(old_records, new_records)
    if new_records.cluster.linked or new.beats:
        new.arrivals[:] = run.arrivals  # they stand in line like that, whatever their ranks
    if new_records.cluster.numbers:
        for place, j in enumerate(list(new.arrivals)[: new_records.cluster.arrived]):
            take_number(new_records, int(j), place)
    for j in begun_jobs(new).tolist():
        _open_stages(new_records, j)
    waiting = [waiting_jobs(new, kind) for kind in TASK_TYPES]
    for queue, jobs in zip(new.queue, waiting, strict=True):
        queue[: len(jobs)] = jobs
        _link(new_records, jobs)
    _count_waiting(new_records, waiting)
    _count_pools(new_records, waiting, begun_jobs(new).tolist())
    put_free_slots(new, free_slots(run))
    _offer_again(new_records, old_records.cluster.now)
    return new


def _offer_again(records: State, now: float) -> None:
    """Let nodes and hosts be offered from the first one on."""
    if records.beats:
        clock = records.beats.clock
        clock.changed = now
        if clock.heartbeat == 0:
            clock.host, clock.requesting = -1, 0  # all hosts ask again
        records.cluster.node[:] = [clock.host] * len(TASK_TYPES)
    elif records.cluster.shows_node and records.cluster.nodes:
        show_nodes(records)


def switched_task_order(
    columns: TaskColumns,
    before: NDArray[np.int32] | None,
    after: NDArray[np.int32] | None,
    started: NDArray[np.int32],
) -> NDArray[np.int32] | None:
    """Return the tasks of every stage: first those that have started, as they did, then the others.

    Parameters
    ----------
    before, after : the orders of the old policy, and of the new one, (tasks,); None for by number
    started : how many tasks of each stage have started, (stages,)
    """
    if before is None and after is None:
        return None
    by_number = np.arange(len(columns.job), dtype=np.int32)
    before, after = by_number if before is None else before, by_number if after is None else after
    begun = before[columns.number < started[columns.stage]]
    place = np.empty(len(after), np.int64)
    place[after] = by_number
    place[begun] = np.arange(-len(begun), 0)  # before all others
    return np.lexsort((place, columns.stage)).astype(np.int32)


def tasks_that_go_on(
    run: State,
    columns: TaskColumns,
    before: NDArray[np.int32] | None,
    after: NDArray[np.int32] | None,
) -> NDArray[np.int32]:
    """Return which task lies at each place, as they lay before a run that killed, lost or copied tasks.

    Of every stage first those that have started, as they lie, then those that were killed, or lost with their
    node, and wait again, the last one first, then the others in the new policy's order.

    Parameters
    ----------
    run : of either form
    before, after : the orders of the old policy, and of the new one, (tasks,); None for by number
    """
    lie = np.array(run.given_up.task, np.int32)
    if before is None and after is None:
        return lie
    by_number = np.arange(len(lie), dtype=np.int32)
    place = np.empty(len(lie), np.int64)
    place[by_number if after is None else after] = by_number
    number = lie if before is None else before[lie]
    was_lost = np.isin(lie, noted_lines(run)["task"])
    has_started = np.asarray(run.slot) >= 0
    turn = np.where(has_started, 0, np.where(was_lost, 1, 2))
    within = np.where(turn < 2, by_number, place[number])
    return lie[np.lexsort((within, turn, columns.stage))]


def _with_tasks_at(state: State, of_tasks: Iterable[str], lie: NDArray[np.int32]) -> State:
    """Return a state with a task of it at each place, of those as they lay before the run."""
    columns: dict[str, Any] = {}
    for name in of_tasks:
        column = getattr(state, name)
        at = np.array(column)[lie] if len(column) else np.array(column)
        columns[name] = at.tolist() if isinstance(column, list) else at
    given = state.given_up
    if isinstance(given, Copies):
        _put_copies(given, lie)
    given.task[:] = lie if isinstance(given.task, np.ndarray) else lie.tolist()
    return state._replace(**columns)


def _put_copies(copies: Copies, lie: NDArray[np.int32]) -> None:
    """Put what is kept of each task where it lies from now on; those that have started stay."""
    where = np.argsort(np.asarray(copies.task))
    for name in ("copy_shuffle", "copy", "faster", "alone"):
        column = getattr(copies, name)
        at = np.asarray(column)[where[lie]]
        column[:] = at if isinstance(column, np.ndarray) else at.tolist()
    place = np.argsort(lie)
    kills = RecordViews(copies.kill) if isinstance(copies.kill, np.ndarray) else copies.kill
    for kill in kills:
        kill.task = int(place[int(copies.task[int(kill.task)])])


def _with_given_up(state: State, fresh: State) -> State:
    """Return a state that keeps what a policy may do with running tasks, and what others did with them."""
    kept = state.given_up or fresh.given_up
    state = state._replace(given_up=kept)
    if kept and kept is fresh.given_up:
        _know_what_runs(state)
    elif isinstance(kept, Copies | GivenUp):
        records_of(state).given_up.now.asks = int(bool(fresh.given_up))
    return state


def _know_what_runs(state: State) -> None:
    """Write where tasks run into what is kept of them, for a policy that may kill or copy them."""
    s = records_of(state)
    kept, started = s.given_up, int(s.cluster.started)
    for place, task in enumerate(list(state.sequence[:started])):
        kept.began[int(task)], kept.on[int(state.slot[int(task)])] = place, int(task)
    kept.now.starts = started
    if isinstance(kept, Copies):
        kept.now.kills = sum(bool(kill.at <= s.cluster.now) for kill in kept.kill)


def _let_go_on(before: State, records: State) -> None:
    """Let stages that have begun before their parents ended go on, whatever the new policy requires."""
    for old, edge in zip(before.edge, records.edge, strict=True):
        if records.stage[edge.child].started:
            edge.need = min(edge.need, old.need)
        edge.met = int(edge.met or (old.met and edge.need <= old.need))  # also if tasks were lost since
    for old, job in zip(before.job, records.job, strict=True):
        if job.started[REDUCE]:
            job.reduce_after = min(job.reduce_after, old.reduce_after)


def _open_stages(records: State, j: int) -> None:
    """Work out which stages of a job that has begun may start, by what the new policy says that they need."""
    job = records.job[j]
    stages = range(job.first_stage, job.end_stage)
    closed = dict.fromkeys(stages, 0)
    for g in stages:
        parent = records.stage[g]
        edges = [records.edge[e] for e in range(parent.edge, parent.edge + parent.edges)]
        for edge in edges:
            edge.met = int(edge.met or edge.need <= parent.done)
            closed[int(edge.child)] += 1 - edge.met
        parent.next_need = min((int(edge.need) for edge in edges if not edge.met), default=NO_NEED)
    for g in stages:
        records.stage[g].closed = closed[g]
    for kind in TASK_TYPES:
        find_next_stage(records, j, kind)


def _count_waiting(records: State, waiting: list[list[int]]) -> None:
    """Count anew what waits: reduces that the old policy would have let start may not now, or may now."""
    for kind, jobs in enumerate(waiting):
        records.cluster.waiting[kind] = len(jobs)
        records.cluster.pending[kind] = sum(_pending(records, j, kind) for j in jobs)


def _pending(records: State, j: int, kind: int) -> int:
    """Return how many tasks of a kind of a job could start now."""
    stages = (records.stage[g] for g in range(records.job[j].first_stage, records.job[j].end_stage))
    may_start = (stage for stage in stages if stage.task_type == kind and stage.closed == 0)
    return int(sum(stage.tasks - stage.started for stage in may_start))


def _count_pools(records: State, waiting: list[list[int]], begun: list[int]) -> None:
    """Count anew what each pool has: the pools need not be those of the old policy."""
    for pool in records.pool:
        pool.active, pool.slot_time = 0, 0.0
        for name in POOL_PAIRS:
            getattr(pool, name)[:] = [0, 0]
    for j in begun:
        job = records.job[j]
        pool = records.pool[job.pool]
        pool.active += int(job.finish == INF)
        pool.slot_time += job.slot_time
        for kind in TASK_TYPES:
            pool.running[kind] += job.running[kind]
    for kind, jobs in enumerate(waiting):
        for j in jobs:
            pool = records.pool[records.job[j].pool]
            pool.waiting[kind] += 1
            pool.pending[kind] += _pending(records, j, kind)


def _carry(source: Iterable[Any], target: Iterable[Any], names: tuple[str, ...]) -> None:
    """Copy fields of records."""
    for old, new in zip(source, target, strict=True):
        for name in names:
            setattr(new, name, deepcopy(getattr(old, name)))


def _link(records: State, jobs: list[int]) -> None:
    """Renew the answers that a policy keeps of these jobs, as `core.engine.loop.note_change` does."""
    for j in jobs:
        if records.job[j].changed == UNCHANGED:
            records.job[j].changed = records.cluster.changed
            records.cluster.changed = j
