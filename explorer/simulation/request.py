"""A request to the simulator: frozen values that any thread may hold."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from core.model.execution_history import SlotsBy
from core.model.schedule import choices_of, forks_of, is_made_by_hand
from core.planning.estimated_workload import estimated_workload
from core.planning.pool_searches import known_search
from core.policies.critical import known_plan
from core.policies.user_files.source import is_policy_file
from core.simulation.engine_selection import all_is_loaded, is_worth_loading
from explorer.document.choices import (
    pools_of_choice,
    searches_plan,
    searches_pools,
    simulated_choice,
    with_order,
    with_partition,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from core.model.cluster import Cluster
    from core.model.document_state import DocumentState, Scenario
    from core.model.partition import Partition
    from core.model.plan import Plan
    from core.model.schedule import Fork, Forkable, PolicyChoice
    from core.model.workload import Workload


@dataclass(frozen=True)
class SimulationRequest:
    """Everything that one schedule, its record and its exports depend on; equal requests have equal ones.

    Every field is compared, with all that is in it. A policy with an order made by hand ignores its
    parameters, but the schedule carries its choice.
    """

    workload: Workload
    cluster: Cluster
    choice: PolicyChoice
    order: tuple[str, ...] | None
    partition: Partition | None = None
    fork: Fork | None = None
    plan: Plan | None = None
    slots_by: SlotsBy = SlotsBy.HOST

    @property
    def own_files(self) -> frozenset[str]:
        """The versions of users' own policies that decide at some time, by id."""
        return frozenset(choice.id for choice in choices_of(self) if is_policy_file(choice.id))

    @property
    def runs_own_files(self) -> bool:
        """Whether a user's own policy decides at some time."""
        return bool(self.own_files)

    @property
    def is_by_hand(self) -> bool:
        """Whether an order, pools or a plan are followed instead of the policy."""
        return is_made_by_hand(self)

    @property
    def is_loaded(self) -> bool:
        """Whether this process has all compiled code that the answer needs."""
        return all(part.choice.is_record or all_is_loaded(part, self.cluster) for part in self._parts)

    @property
    def is_worth_loading(self) -> bool:
        """Whether that is in the cache at least, and loading it takes less time than interpreting."""
        followed = [part for part in self._parts if not part.choice.is_record]
        return all(is_worth_loading(part, self.cluster, self.tasks) for part in followed)

    @property
    def _parts(self) -> tuple[Forkable, ...]:
        """What is followed at some time."""
        return (self, *forks_of(self))

    @property
    def searches(self) -> bool:
        """Whether it may take hundreds of simulations: pools or a plan are searched, and not found yet."""
        if any(
            known_plan(
                estimated_workload(self.workload, part.choice.estimates),
                self.cluster,
                part.choice.parameters,
            )
            is None
            for part in self._parts
            if not is_made_by_hand(part) and searches_plan(part.choice.id)
        ):
            return True
        return any(
            known_search(
                estimated_workload(self.workload, part.choice.estimates),
                self.cluster,
                pools_of_choice(part.choice),
            )
            is None
            for part in self._parts
            if not is_made_by_hand(part) and searches_pools(part.choice.id)
        )

    @cached_property
    def tasks(self) -> int:
        """Number of tasks: what the answer costs in time and memory."""
        return self.workload.map_count + self.workload.reduce_count


def request_of(
    state: DocumentState,
    scenario: Scenario,
    order: Sequence[str] | None = None,
    partition: Partition | None = None,
    workload: Workload | None = None,
    moved: Collection[str] = (),
    slots_by: SlotsBy = SlotsBy.HOST,
) -> SimulationRequest:
    """Return the request of a scenario as it is, or with another order, other pools or other jobs.

    `moved` are the jobs that were dragged to get there: a plan gives them other due dates. `slots_by` is what
    the slots of a record are numbered by.
    """
    if scenario.choice.is_record:
        # what really ran: no cluster and no order of ours matters
        return SimulationRequest(
            state.workload, state.workload.cluster, scenario.choice, None, slots_by=slots_by
        )
    if order is not None:
        scenario = with_order(scenario, state.workload, tuple(order), moved)
    elif partition is not None:
        scenario = with_partition(scenario, state.workload, partition, moved)
    return SimulationRequest(
        workload or state.workload,
        state.cluster_of(scenario),
        simulated_choice(scenario.choice),
        scenario.order,
        state.partition_of(scenario),
        _simulated_fork(state.fork_of(scenario)),
        state.plan_of(scenario),
    )


def _simulated_fork(fork: Fork | None) -> Fork | None:
    """Return the fork with each policy as it is simulated."""
    if fork is None:
        return None
    return replace(fork, choice=simulated_choice(fork.choice), fork=_simulated_fork(fork.fork))
