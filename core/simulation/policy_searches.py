"""What policies may try before a run: pools of jobs, and the search of the best schedule."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from core.model.errors import Cancelled
from core.model.levers import levers_in
from core.policies.critical import usual_steps
from core.policies.policy import SearchControl
from core.policies.rolling import Rolling

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.cluster import Cluster
    from core.model.plan import Plan
    from core.model.workload import Workload
    from core.policies.critical import Wishes
    from core.policies.resolved_policy import ResolvedPolicy
    from core.simulation.fifo_trials import PoolTrials
    from core.simulation.planning_anew import PlansOfRun

SLICES = 50
"""Of a search by steps; progress is told between them."""


def search_control(
    compiled: bool,
    progress: Callable[[float], None],
    should_stop: Callable[[], bool],
    announce_compiling: Callable[[], None],
) -> SearchControl:
    """Return how a policy may search before a run.

    Parameters
    ----------
    compiled, progress, should_stop : as of `SearchControl`
    tell_compiling : called before trials are made, which may have to be compiled
    """

    def trials(estimated: Workload, slots: Cluster) -> list[PoolTrials]:
        from core.simulation.fifo_trials import pool_trials

        announce_compiling()
        return pool_trials(estimated, slots, compiled)

    return SearchControl(compiled, progress, should_stop, trials, find_plan)


def plans_of_run(
    followed: ResolvedPolicy, cluster: Cluster, should_stop: Callable[[], bool]
) -> PlansOfRun | None:
    """Return the plans of a run that has not begun; None for a policy that does not plan anew as it goes."""
    if not issubclass(followed.policy, Rolling):
        return None
    from core.simulation.planning_anew import PlansOfRun

    return PlansOfRun.of(followed.assumed, cluster, followed.parameters, should_stop)


def find_plan(
    workload: Workload,
    cluster: Cluster,
    wishes: Wishes,
    progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> Plan:
    """Return the plan of the best schedule that is found.

    The search is compiled in any case: interpreted it takes a hundred times as long.

    Raises
    ------
    InputError
        there is no such lever
    Cancelled
        `should_stop` said so
    """
    from core.optimize.objectives import Objective
    from core.optimize.search import Search

    objective, levers = Objective.of(wishes.objective), levers_in(wishes.levers)
    if wishes.seconds > 0:
        plan = _by_the_clock(workload, cluster, wishes, levers, progress, should_stop)
    else:
        steps = wishes.steps or usual_steps(workload)
        search = Search(
            workload, cluster, objective=objective, levers=levers, seed=wishes.seed, horizon=steps
        )
        share = -(-steps // SLICES)
        for done in range(0, steps, share):
            search.go_on(min(share, steps - done), should_stop)
            progress((done + share) / steps)
            if search.is_over or should_stop():
                break
        plan = search.found.plan
    if should_stop():
        raise Cancelled(f"the search for the best schedule of {workload.name} was cancelled")
    return plan


def _by_the_clock(
    workload: Workload,
    cluster: Cluster,
    wishes: Wishes,
    levers: tuple[str, ...],
    progress: Callable[[float], None],
    should_stop: Callable[[], bool],
) -> Plan:
    from core.optimize.objectives import Objective
    from core.optimize.search import optimize

    began = time.monotonic()

    def is_stopped() -> bool:
        progress(min(1.0, (time.monotonic() - began) / wishes.seconds))
        return should_stop()

    found = optimize(
        workload,
        cluster,
        seconds=wishes.seconds,
        should_stop=is_stopped,
        objective=Objective.of(wishes.objective),
        levers=levers,
        seed=wishes.seed,
    )
    progress(1.0)
    return found.plan
