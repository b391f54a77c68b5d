"""What a run follows: a policy, or an order or pools made by hand; worked out before the run begins."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from core.engine.fresh_state import divide, fresh_state, with_selection_trees
from core.model.parameters import check_parameters
from core.model.partition import check_partition, pool_of_jobs
from core.policies.composing.kernel import hooks_of, numeric_parameters
from core.policies.orders import ExplicitOrder, order_of_names
from core.policies.pools import Partitioned
from core.policies.registry import policy_class
from core.simulation.before_run import (
    call_hook,
    order_of_policy,
    partition_of_policy,
    task_order_of_policy,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from core.engine.state import State
    from core.model.cluster import Cluster
    from core.model.parameters import ParameterValue
    from core.model.partition import Partition
    from core.model.pool import Pool
    from core.model.schedule import PolicyChoice
    from core.model.workload import TaskColumns, Workload
    from core.policies.policy import Policy, SearchControl
    from core.shared_scans.assignment import ScanAssignment


@dataclass(frozen=True)
class ResolvedPolicy:
    """What decides which job gets a slot.

    Attributes
    ----------
    policy : whose hooks run inside the simulator
    parameters : every parameter of the policy that was chosen, with its value
    order : the hand-made order, or None
    partition : the pools, made by hand or by the policy, or None
    rank : each job's place in the order in which queues hold them, int32 (jobs,)
    task_order : the tasks of every stage in the order in which they start, int32 (tasks,); None for by number
    """

    policy: type[Policy]
    parameters: Mapping[str, ParameterValue]
    order: tuple[str, ...] | None
    partition: Partition | None
    rank: NDArray[np.int32]
    task_order: NDArray[np.int32] | None = None

    def first_state(self, workload: Workload, cluster: Cluster) -> State:
        """Return the state, as columns, before anything has happened; its tasks lie as they start."""
        hooks = hooks_of(self.policy)
        known = {parameter.name: parameter for parameter in self.policy.parameters}
        numeric = {
            name: known[name].as_number(self.parameters[name]) for name in numeric_parameters(self.policy)
        }
        state = fresh_state(
            in_task_order(workload.columns, self.task_order),
            cluster,
            self.rank,
            pools=len(self.partition.pools if self.partition else workload.pools),
            lends=hooks.lends,
            parameters=numeric,
        )
        if self.partition is not None:
            slots = np.array([pool.slots for pool in self.partition.pools], np.int32)
            divide(state, pool_of_jobs(self.partition, workload), slots)
        else:
            _fill_pools(state.pool, workload.every_pool)
        plan = getattr(self.policy, "plan", None)
        if plan is not None:
            given = {"jobs": state.job, "pools": state.pool, "workload": workload, "cluster": cluster}
            call_hook(self.policy, plan, given, self.parameters)
        state.cluster["pinned"] = hooks.pinned
        return with_selection_trees(state, hooks.pooled, hooks.key_width) if hooks.uses_tree else state

    def replanner(self, workload: Workload, cluster: Cluster, *, compiled: bool) -> ScanAssignment | None:
        """Return what plans anew during the run, None for a policy that does not."""
        hook = getattr(self.policy, "replanner", None)
        if hook is None:
            return None
        given = {"workload": workload, "cluster": cluster, "compiled": compiled}
        planner: ScanAssignment = call_hook(self.policy, hook, given, self.parameters)
        return planner


def follow(
    choice: PolicyChoice,
    workload: Workload,
    cluster: Cluster,
    order: Sequence[str] | None,
    partition: Partition | None,
    effort: SearchControl,
) -> ResolvedPolicy:
    """Work out what a run follows; pools count more than an order, an order more than the policy.

    Raises
    ------
    InputError
        a parameter, the order or the pools are wrong
    PolicyError
        a hook of the policy that is called before the run returned nonsense or raised an exception
    Cancelled
        `effort` said so
    """
    is_by_hand = order is not None or partition is not None
    policy = ExplicitOrder if is_by_hand else policy_class(choice.id)
    given = {} if is_by_hand else choice.parameters
    parameters = check_parameters(policy.parameters, given, f"policy {policy.id}")
    if not is_by_hand:
        partition = partition_of_policy(policy, workload, cluster, parameters, effort)
    if partition is not None:
        check_partition(partition, workload, cluster)
        served = order_of_names(workload, partition.jobs)
        return ResolvedPolicy(Partitioned, parameters, None, partition, _ranks(served))
    if order is not None:
        served = order_of_names(workload, order)
        return ResolvedPolicy(policy, parameters, tuple(order), None, _ranks(served))
    served = order_of_policy(policy, workload, cluster, parameters)
    task_order = task_order_of_policy(policy, workload, parameters)
    return ResolvedPolicy(policy, parameters, None, None, _ranks(served), task_order)


def in_task_order(columns: TaskColumns, order: NDArray[np.int32] | None) -> TaskColumns:
    """Return the tasks' times as they start in their stages; what else the columns say does not change."""
    if order is None:
        return columns
    times = {name: getattr(columns, name)[order] for name in ("duration", "first_shuffle", "typical_shuffle")}
    for column in times.values():
        column.flags.writeable = False
    return replace(columns, **times)


def _fill_pools(records: NDArray[np.void], pools: Sequence[Pool]) -> None:
    """Write weight, minimum share, spending rate and budget of every pool into its record."""
    records["weight"] = [pool.weight for pool in pools]
    records["share"] = [(pool.min_map_slots, pool.min_reduce_slots) for pool in pools]
    records["rate"] = [pool.spending_rate for pool in pools]
    records["budget"] = [np.inf if pool.budget is None else pool.budget for pool in pools]


def _ranks(served: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return each job's place in the order, (jobs,)."""
    rank = np.empty(len(served), np.int32)
    rank[served] = np.arange(len(served), dtype=np.int32)
    rank.flags.writeable = False
    return rank
