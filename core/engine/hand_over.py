"""Let another policy go on with a run: what has happened stays, what the policy decides begins afresh."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np

from core.engine.regions import free_slots, put_free_slots
from core.engine.state import INF, Row, State, snapshot
from core.workload import MAP, REDUCE

JOB_PROGRESS = ("running", "started", "done", "stage_end", "finish")
POOL_PAIRS = ("running", "waiting", "pending")
CLUSTER_PROGRESS = (
    *("now", "running", "lent", "waiting", "pending"),
    *("arrived", "active", "started", "released", "fillers"),
)


def hand_over(run: State, fresh: State) -> State:
    """Return the state in which `run` goes on under the policy that `fresh` was made for.

    Both are of one kind, columns or rows, of one workload and one cluster. Tasks, slots and counts come
    from `run`; ranks, parameters and whatever a plan writes from `fresh`. The free slots of this instant are
    offered again.
    """
    new = snapshot(run)._replace(
        arrivals=fresh.arrivals, job=fresh.job, pool=fresh.pool, cluster=fresh.cluster
    )
    _carry(run.job, new.job, JOB_PROGRESS)
    _carry(run.cluster, new.cluster, CLUSTER_PROGRESS)
    rank = new.job["rank"].tolist() if isinstance(new.job, np.ndarray) else [job.rank for job in new.job]
    counts = new.cluster["waiting"] if isinstance(new.cluster, np.void) else new.cluster.waiting
    for queue, count in zip(new.queue, counts, strict=True):
        queue[:count] = sorted(queue[:count], key=lambda j: rank[j])
    _count_pools(new, counts)
    put_free_slots(new, free_slots(run))
    return new


def _count_pools(state: State, waiting: Any) -> None:
    """Count anew what each pool has: the pools need not be those of the old policy."""
    is_columns = isinstance(state.job, np.ndarray)
    jobs = [Row(record) for record in state.job] if is_columns else state.job
    counts = [{"active": 0, **{name: [0, 0] for name in POOL_PAIRS}} for _ in state.pool]
    arrived = state.cluster["arrived"] if is_columns else state.cluster.arrived
    for j in state.arrivals[:arrived]:
        pool: Any = counts[jobs[j].pool]
        pool["active"] += jobs[j].finish == INF
        for kind in (MAP, REDUCE):
            pool["running"][kind] += jobs[j].running[kind]
    for kind in (MAP, REDUCE):
        for j in state.queue[kind][: waiting[kind]]:
            pool = counts[jobs[j].pool]
            pool["waiting"][kind] += 1
            pool["pending"][kind] += jobs[j].tasks[kind] - jobs[j].started[kind]
    for place, count in enumerate(counts):
        for name, value in count.items():
            if is_columns:
                state.pool[name][place] = value
            else:
                setattr(state.pool[place], name, value)


def _carry(source: Any, target: Any, names: tuple[str, ...]) -> None:
    """Copy fields of a record, or of all records."""
    if isinstance(source, np.ndarray | np.void):
        for name in names:
            target[name] = source[name]
        return
    pairs = zip(source, target, strict=True) if isinstance(source, list) else [(source, target)]
    for old, new in pairs:
        for name in names:
            setattr(new, name, deepcopy(getattr(old, name)))
