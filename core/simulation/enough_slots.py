"""Whether a cluster has a place for every kind of task that a workload has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.model.errors import InputError

if TYPE_CHECKING:
    from core.model.cluster import Cluster
    from core.model.workload import Workload


def check_slots(workload: Workload, cluster: Cluster) -> None:
    """Raise InputError with what to do if a kind of task can never run."""
    for kind, tasks, slots in zip(
        ("map", "reduce"), (workload.map_count, workload.reduce_count), cluster.stage_slots, strict=True
    ):
        if not tasks or slots:
            continue
        has = f"{workload.name} has {tasks} {kind} tasks and"
        if cluster.has_nodes:
            raise InputError(
                f"{has} no node has room for one; give it larger nodes, or let a {kind} task ask for less"
            )
        raise InputError(f"{has} the cluster no {kind} slot; give it at least one")
