"""What is edited and undone, as one frozen value: workload, cluster, scenarios and the baseline."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from core.model.errors import InputError
from core.model.partition_edits import fitted_to_cluster
from core.model.plan_edits import plan_on_cluster
from core.model.schedule import forks_of, is_made_by_hand

if TYPE_CHECKING:
    from core.model.cluster import Cluster
    from core.model.partition import Partition
    from core.model.plan import Plan
    from core.model.schedule import Fork, PolicyChoice
    from core.model.workload import Workload

MAX_SCENARIOS = 6
MAX_NOTES = 100_000
"""Characters."""


@dataclass(frozen=True)
class Scenario:
    """One chart: a policy with its parameters, hand edits and an optional cluster of its own.

    Attributes
    ----------
    id : never reused in a document
    choice : the policy and its parameters
    order : job names in the order made by hand, or None while the policy's own order holds
    partition : pools made by hand; on a cluster of another size their slots count in proportion. Or None. At
        most one of order and partition is made by hand.
    fork : where this policy takes over from another one, or None if it decides from the beginning
    cluster : a cluster that replaces the document's in this scenario, or None
    title : what the user calls it; empty for the policy's title
    """

    id: int
    choice: PolicyChoice
    order: tuple[str, ...] | None = None
    cluster: Cluster | None = None
    title: str = ""
    partition: Partition | None = None
    fork: Fork | None = None
    plan: Plan | None = None

    @property
    def given_order(self) -> tuple[str, ...] | None:
        """The jobs as an order, pools or a plan that is given has them, some perhaps missing; else None."""
        partition = self.partition if self.plan is None else self.plan.partition
        if partition is not None:
            return partition.jobs
        return self.order if self.plan is None else self.plan.names

    @property
    def is_by_hand(self) -> bool:
        """Whether an order, pools or a plan hold instead of the policy's own."""
        return is_made_by_hand(self)


@dataclass(frozen=True)
class DocumentState:
    """The whole document.

    Attributes
    ----------
    workload, cluster : what is scheduled and on what
    scenarios : 1 to `MAX_SCENARIOS`, in display order
    baseline : id of the scenario that others are compared to
    next_id : the id that the next new scenario gets
    notes : what the user wrote about it, as plain text
    """

    workload: Workload
    cluster: Cluster
    scenarios: tuple[Scenario, ...]
    baseline: int
    next_id: int = field(default=1)
    notes: str = ""

    def __post_init__(self) -> None:
        ids = [scenario.id for scenario in self.scenarios]
        if not 1 <= len(ids) <= MAX_SCENARIOS:
            raise InputError(f"a document has 1 to {MAX_SCENARIOS} scenarios; this one has {len(ids)}")
        if len(set(ids)) != len(ids) or max(ids) >= self.next_id:
            raise InputError(f"scenario ids {ids} must differ and be below next_id {self.next_id}")
        if self.baseline not in ids:
            raise InputError(f"the baseline {self.baseline} is not one of the scenarios {ids}")

    @classmethod
    def new(cls, workload: Workload, choices: tuple[PolicyChoice, ...]) -> DocumentState:
        """Put a workload on its suggested cluster, one scenario per policy; the first is the baseline."""
        scenarios = tuple(Scenario(i + 1, choice) for i, choice in enumerate(choices))
        return cls(workload, workload.cluster, scenarios, baseline=1, next_id=len(choices) + 1)

    def scenario(self, scenario_id: int) -> Scenario:
        """Return the scenario with this id; KeyError if there is none."""
        for scenario in self.scenarios:
            if scenario.id == scenario_id:
                return scenario
        raise KeyError(scenario_id)

    def with_scenario(self, changed: Scenario) -> DocumentState:
        """Return the document with the scenario of the same id replaced."""
        return replace(self, scenarios=tuple(changed if s.id == changed.id else s for s in self.scenarios))

    def partition_of(self, scenario: Scenario) -> Partition | None:
        """Return the pools made by hand as they are on the scenario's cluster, or None."""
        if scenario.partition is None:
            return None
        return fitted_to_cluster(scenario.partition, self.workload, self.cluster_of(scenario))

    def plan_of(self, scenario: Scenario) -> Plan | None:
        """Return the plan with its pools as they are on the scenario's cluster, or None."""
        return scenario.plan and plan_on_cluster(scenario.plan, self.workload, self.cluster_of(scenario))

    def fork_of(self, scenario: Scenario) -> Fork | None:
        """Return the scenario's fork with the pools of its earlier policies as they are on its cluster."""
        cluster, fitted = self.cluster_of(scenario), None
        for fork in forks_of(scenario):
            partition = fork.partition and fitted_to_cluster(fork.partition, self.workload, cluster)
            plan = fork.plan and plan_on_cluster(fork.plan, self.workload, cluster)
            fitted = replace(fork, partition=partition, plan=plan, fork=fitted)
        return fitted

    def cluster_of(self, scenario: Scenario) -> Cluster:
        """Return the cluster that a scenario runs on."""
        return scenario.cluster or self.cluster
