"""Which of the policies that come with Slotscope end a workload soonest: each is simulated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.model.errors import InputError, SlotscopeError
from core.model.progress import no_progress
from core.model.schedule import PolicyChoice
from core.policies.by_hand import ByHand
from core.policies.orders import ExplicitOrder
from core.policies.registry import POLICIES
from core.simulation.simulate import simulate

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.cluster import Cluster
    from core.model.schedule import Schedule
    from core.model.workload import Workload

NEEDS_A_HAND = (ByHand.id, ExplicitOrder.id)
"""What somebody has to make by hand first."""
MAX_POLICIES = 3


def best_policies(
    workload: Workload,
    cluster: Cluster,
    *,
    progress: Callable[[float], None] = no_progress,
) -> list[Schedule]:
    """Return the schedules of the policies that end soonest, the best first; of equal ones the first named.

    They are three at most. Those that search before the run are left out, as they may take minutes, and those
    that cannot serve such a workload. A policy that does the same as a better-placed one is no other policy.

    Parameters
    ----------
    workload, cluster : what to run, and where
    progress : called with the fraction of the policies that are done, 0 to 1
    """
    found: dict[bytes, Schedule] = {}
    tried = [
        policy
        for policy in POLICIES
        if policy.id not in NEEDS_A_HAND and not (hasattr(policy, "search") or hasattr(policy, "partition"))
    ]
    for number, policy in enumerate(tried):
        progress(number / len(tried))
        try:
            schedule = simulate(workload, cluster, PolicyChoice(policy.id))
        except (InputError, SlotscopeError):
            continue
        found.setdefault(schedule.start.tobytes(), schedule)
    return sorted(found.values(), key=lambda schedule: schedule.makespan)[:MAX_POLICIES]
