"""What a run follows, worked out before it begins: a policy, or an order or pools made by hand.

The slots are checked, and the policy's hooks that are called before a run are called and checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine.fresh_state import divide, fresh_state, with_selection_trees
from core.model.errors import InputError, PolicyError, shorten
from core.model.parameters import check_parameters
from core.model.partition import Partition, check_partition, pool_of_jobs
from core.planning.estimated_workload import estimated_workload
from core.policies.composing.hook_calls import asked_names, call_hook, sentences_of
from core.policies.composing.kernel import hooks_of, numeric_parameters
from core.policies.orders import ExplicitOrder, order_of_names
from core.policies.policy import Policy, name_of
from core.policies.pools import Partitioned
from core.policies.registry import policy_class
from core.policies.user_files.source import place_of_file, place_of_function

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.engine.state import State
    from core.model.cluster import Cluster
    from core.model.parameters import ParameterValue
    from core.model.pool import Pool
    from core.model.schedule import PolicyChoice
    from core.model.workload import TaskColumns, Workload
    from core.policies.policy import SearchControl
    from core.shared_scans.assignment import ScanAssignment


@dataclass(frozen=True)
class ResolvedPolicy:
    """What decides which job gets a slot.

    Attributes
    ----------
    policy : whose hooks run inside the simulator
    parameters : every parameter of the policy that was chosen, with its value
    told : the workload as the policy is told it: its durations may be estimates
    order : the hand-made order, or None
    partition : the pools, made by hand or by the policy, or None
    rank : each job's place in the order in which queues hold them, int32 (jobs,)
    chosen : whose plan is followed: the policy, or the one that found the pools; it says why
    figures : what the plan is made from, by name, (jobs,) each
    task_order : the tasks of every stage in the order in which they start, int32 (tasks,); None for by number
    """

    policy: type[Policy]
    parameters: Mapping[str, ParameterValue]
    told: Workload
    order: tuple[str, ...] | None
    partition: Partition | None
    rank: NDArray[np.int32]
    chosen: type[Policy]
    figures: dict[str, NDArray[Any]]
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
            records = {"jobs": state.job, "pools": state.pool}
            before = {name: record.copy() for name, record in records.items()}
            given = records | {"workload": self.told, "cluster": cluster}
            call_hook(self.policy, plan, given | self.figures, self.parameters)
            _check_plan(self.policy, before, records)
        state.cluster["pinned"] = hooks.pinned
        return with_selection_trees(state, hooks.pooled, hooks.key_width) if hooks.uses_tree else state

    def replanner(self, cluster: Cluster, *, compiled: bool) -> ScanAssignment | None:
        """Return what plans anew during the run, None for a policy that does not."""
        hook = getattr(self.policy, "replanner", None)
        if hook is None:
            return None
        given = {"workload": self.told, "cluster": cluster, "compiled": compiled}
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
    told = workload if is_by_hand else estimated_workload(workload, choice.estimates)
    if not is_by_hand:
        partition = partition_of_policy(policy, told, cluster, parameters, effort)
    if partition is not None:
        check_partition(partition, workload, cluster)
        served = order_of_names(workload, partition.jobs)
        by_policy = hasattr(policy_class(choice.id), "partition")
        chosen = policy_class(choice.id) if by_policy else Partitioned
        told = estimated_workload(workload, choice.estimates) if by_policy else workload
        offered = {"workload": told, "cluster": cluster, "partition": partition}
        figures = figures_of_policy(chosen, offered, parameters)
        return ResolvedPolicy(Partitioned, parameters, told, None, partition, _ranks(served), chosen, figures)
    if order is not None:
        served = order_of_names(workload, order)
        return ResolvedPolicy(policy, parameters, told, tuple(order), None, _ranks(served), policy, {})
    offered = {"workload": told, "cluster": cluster}
    figures = figures_of_policy(policy, offered, parameters)
    served = order_of_policy(policy, offered | figures, parameters)
    task_order = task_order_of_policy(policy, told, parameters)
    return ResolvedPolicy(policy, parameters, told, None, None, _ranks(served), policy, figures, task_order)


def in_task_order(columns: TaskColumns, order: NDArray[np.int32] | None) -> TaskColumns:
    """Return the tasks' times as they start in their stages; what else the columns say does not change."""
    if order is None:
        return columns
    times = {name: getattr(columns, name)[order] for name in ("duration", "first_shuffle", "typical_shuffle")}
    for column in times.values():
        column.flags.writeable = False
    return replace(columns, **times)


PLANNED = {"jobs": ("wanted", "memo"), "pools": ("weight", "share", "cap", "rate", "budget", "memo")}
"""The fields of the records that `plan` may write."""


def _check_plan(
    policy: type[Policy],
    before: Mapping[str, NDArray[np.void]],
    after: Mapping[str, NDArray[np.void]],
) -> None:
    """Raise PolicyError if `plan` wrote to other fields: they show how the run stands."""
    for records, names in PLANNED.items():
        for field in before[records].dtype.names or ():
            same = np.array_equal(before[records][field], after[records][field], equal_nan=True)
            if field not in names and not same:
                raise PolicyError(
                    f"policy {name_of(policy)}: plan writes {records}[{field!r}], the simulator's own; "
                    f"of the {records} it may write {', '.join(names)}",
                    place_of_function(getattr(policy, "plan", None), policy.source),
                )


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


def figures_of_policy(
    policy: type[Policy], offered: Mapping[str, Any], parameters: Mapping[str, ParameterValue]
) -> dict[str, NDArray[Any]]:
    """Return what the policy knows of every job before the run, by name; nothing if it has no such hook.

    Raises
    ------
    PolicyError
        `figures` returned something else than a number for every job, or raised an exception
    """
    hook = getattr(policy, "figures", None)
    if hook is None:
        return {}
    found, jobs = call_hook(policy, hook, offered, parameters), len(offered["workload"].jobs)
    columns = {n: np.asarray(column) for n, column in found.items()} if isinstance(found, Mapping) else {}
    if not columns or any(column.shape[:1] != (jobs,) for column in columns.values()):
        raise PolicyError(
            f"policy {name_of(policy)}: figures returned {shorten(found)}; "
            f"return a dict of names, each with a number for every one of the {jobs} jobs",
            place_of_function(hook, policy.source),
        )
    return columns


def order_of_policy(
    policy: type[Policy], offered: Mapping[str, Any], parameters: Mapping[str, ParameterValue]
) -> NDArray[np.int64]:
    """Return the jobs in the policy's order, first served first, (jobs,).

    Parameters
    ----------
    offered : what a function may ask for: workload, cluster and the policy's figures

    Raises
    ------
    PolicyError
        `order` is not "arrival", "deadline" or a function that names each job once, or it raised an exception
    """
    columns = offered["workload"].columns
    if callable(policy.order):
        served = call_hook(policy, policy.order, offered, parameters)
        return _each_job_once(policy, served, len(columns.arrival))
    keys = {"arrival": columns.arrival, "deadline": columns.deadline}
    if policy.order not in keys:
        raise PolicyError(
            f"policy {name_of(policy)}: order is {shorten(policy.order)}; "
            "give 'arrival', 'deadline' or a function of workload and cluster",
            place_of_file(policy.source),
        )
    return np.lexsort((columns.arrival, keys[policy.order]))  # ties: earlier arrival, then input order


def partition_of_policy(
    policy: type[Policy],
    workload: Workload,
    cluster: Cluster,
    parameters: Mapping[str, ParameterValue],
    effort: SearchControl,
) -> Partition | None:
    """Return the pools that a policy makes before the run; None for a policy that makes none.

    Raises
    ------
    PolicyError
        `partition` returned something else, or raised an exception
    """
    hook = getattr(policy, "partition", None)
    if hook is None:
        return None
    given = {"workload": workload, "cluster": cluster, "effort": effort}
    found = call_hook(policy, hook, given, parameters)
    if not isinstance(found, Partition):
        raise PolicyError(
            f"policy {name_of(policy)}: partition returned {shorten(found)}; return a Partition",
            place_of_function(hook, policy.source),
        )
    return found


def task_order_of_policy(
    policy: type[Policy], workload: Workload, parameters: Mapping[str, ParameterValue]
) -> NDArray[np.int32] | None:
    """Return the tasks of every stage in the order in which they start, (tasks,); None for by number.

    `task_key` is asked about every task, by the names of its arguments: ``duration``, ``first_shuffle`` and
    ``typical_shuffle`` in seconds, ``kind`` (MAP or REDUCE), ``number`` (from 0 in its stage) and parameters.
    The task with the smallest key starts first, of equal ones that with the lowest number.

    Raises
    ------
    PolicyError
        `task_key` asks for something else, or raised an exception; or the policy shares scans
    """
    hook = getattr(policy, "task_key", None)
    if hook is None:
        return None
    if hasattr(policy, "replanner"):
        raise PolicyError(
            f"policy {name_of(policy)}: task_key is not for policies that share scans",
            place_of_function(hook, policy.source),
        )
    columns = workload.columns
    stage_of = 2 * columns.job.astype(np.int64) + columns.kind
    number = np.arange(len(stage_of)) - columns.first[columns.job, columns.kind]
    names = ("duration", "first_shuffle", "typical_shuffle", "kind")
    offered = {"number": number.tolist(), **{name: getattr(columns, name).tolist() for name in names}}
    known = offered | {name: repeat(value) for name, value in parameters.items()}
    asked = asked_names(policy, hook, known)
    with sentences_of(policy, hook):
        given = zip(range(len(number)), *(known[name] for name in asked), strict=False)  # parameters repeat
        keys = [hook(*values) for _, *values in given]
        by_key = np.array(sorted(range(len(keys)), key=keys.__getitem__), np.int32)
    order = by_key[np.argsort(stage_of[by_key], kind="stable")]
    order.flags.writeable = False
    return None if np.array_equal(order, np.arange(len(order))) else order


def _each_job_once(policy: type[Policy], served: Any, jobs: int) -> NDArray[np.int64]:
    try:
        order = np.asarray(served, np.int64)
        fits = order.shape == (jobs,) and bool(np.all(np.sort(order) == np.arange(jobs)))
    except (TypeError, ValueError, OverflowError):
        fits = False
    if not fits:
        raise PolicyError(
            f"policy {name_of(policy)}: order returned {shorten(served)}; "
            f"it must hold each job's index, 0 to {jobs - 1}, once",
            place_of_function(policy.order, policy.source),
        )
    return order


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
    spent = cluster.overheads
    if spent is not None and spent.setup + spent.cleanup > 0 and cluster.map_slots == 0:
        raise InputError(
            "setup and cleanup of a job run on map slots, and the cluster has none; give it at least one, or "
            "set the overheads setup and cleanup to 0"
        )
