"""The part of a kernel that is asked which running task a policy gives up; see `templates`."""

from __future__ import annotations

from typing import Any

NONE = -1
ASK = -3  # as in core.engine.preemption


def preempt(
    job: Any,
    kind: int,
    rival: Any,
    rival_kind: int,
    elapsed: float,
    remaining: float,
    pool: Any,
    rival_pool: Any,
    cluster: Any,
) -> float:
    """Let every task go on."""
    return 0.0


def decided(slot: int, queue: Any, trees: Any, keys: Any, job: Any, pool: Any, cluster: Any) -> int:
    """Decide as ever; the form of the policy takes this place."""
    return NONE


def giving_up(slot: int, queue: Any, trees: Any, keys: Any, job: Any, pool: Any, cluster: Any) -> int:
    """Decide as usual or, on request, write the worth of giving up a running task."""
    if slot != ASK:
        return decided(slot, queue, trees, keys, job, pool, cluster)
    row = job[cluster.victim]
    rival = job[cluster.rival]
    cluster.worth = preempt(
        row,
        cluster.victim_kind,
        rival,
        cluster.rival_kind,
        cluster.elapsed,
        cluster.remaining,
        pool[row.pool],
        pool[rival.pool],
        cluster,
    )
    return NONE
