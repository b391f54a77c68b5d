"""Let another policy go on with a run: what has happened stays, what the policy decides begins afresh."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np

from core.engine.state import State, snapshot

JOB_PROGRESS = ("running", "started", "done", "stage_end", "finish")
POOL_PROGRESS = ("active", "running", "waiting", "pending")
CLUSTER_PROGRESS = (
    *("now", "free", "running", "lent", "waiting", "pending"),
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
    _carry(run.pool, new.pool, POOL_PROGRESS)
    _carry(run.cluster, new.cluster, CLUSTER_PROGRESS)
    rank = new.job["rank"].tolist() if isinstance(new.job, np.ndarray) else [job.rank for job in new.job]
    counts = new.cluster["waiting"] if isinstance(new.cluster, np.void) else new.cluster.waiting
    for queue, count in zip(new.queue, counts, strict=True):
        queue[:count] = sorted(queue[:count], key=lambda j: rank[j])
    return new


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
