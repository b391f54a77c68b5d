"""The part of a kernel that is asked which running task gets a second copy; see `templates`."""

from __future__ import annotations

from typing import Any

from core.policies.composing.giving_up import decided

NONE = -1
ASK = -3  # as in core.engine.speculation


def speculate(
    job: Any,
    kind: int,
    slot: int,
    elapsed: float,
    remaining: float,
    usual: float,
    faster: float,
    pool: Any,
    cluster: Any,
) -> float:
    """Let no copy run."""
    return 0.0


def speculating(slot: int, queue: Any, trees: Any, keys: Any, job: Any, pool: Any, cluster: Any) -> int:
    """Decide as usual or, on request, write the worth of a copy of a running task."""
    if slot != ASK:
        return decided(slot, queue, trees, keys, job, pool, cluster)
    row = job[cluster.victim]
    cluster.worth = speculate(
        row,
        cluster.victim_kind,
        cluster.rival_kind,
        cluster.elapsed,
        cluster.remaining,
        cluster.usual,
        cluster.faster,
        pool[row.pool],
        cluster,
    )
    return NONE
