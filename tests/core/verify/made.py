"""Certificates of schedules that any policy makes, whether they are optimal or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.engine.fresh_state import planned_needs
from core.optimize.bounds import Bound, makespan_bound
from core.verify.certificate import Certificate, optimal_certificate

if TYPE_CHECKING:
    from core.model.schedule import Schedule

OPEN = "is excluded"
"""How the only problem ends of a good schedule that is above its bound."""
MAKESPAN = {"makespan": 1.0}


def certificate_of(schedule: Schedule, bound: Bound | None = None) -> Certificate:
    """Claim that a schedule is the shortest, by a bound; the checker may not agree."""
    bound = bound or makespan_bound(schedule.workload, schedule.cluster)
    after = planned_needs(schedule.workload.columns, schedule.cluster, schedule.reduce_after)
    proof: list[dict[str, Any]] = [{"of": "makespan", **bound.proof}]
    return optimal_certificate(schedule, after, schedule.makespan, bound.seconds, MAKESPAN, proof, bound.why)
