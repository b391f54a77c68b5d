"""What a run follows, worked out before it begins: a policy, or an order or pools made by hand.

The slots are checked, and the policy's hooks that are called before a run are called and checked.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine.copies import with_copies
from core.engine.fresh_state import (
    divide,
    fresh_state,
    serve_stages_in_order,
    wait_as_planned,
    with_selection_trees,
    with_task_keys,
    with_wakes,
)
from core.engine.given_up import with_giving_up
from core.engine.hosts import with_hosts
from core.engine.inputs import with_inputs
from core.engine.node_failures import with_failures
from core.engine.placement import show_nodes
from core.engine.state import records_of
from core.model.circumstances import NO_CIRCUMSTANCES
from core.model.copied_tasks import killed_tasks
from core.model.errors import InputError, PolicyError, shorten
from core.model.input_nodes import check_input_nodes
from core.model.kept_read_only import read_only
from core.model.parameters import check_parameters
from core.model.partition import Partition, check_partition, pool_of_jobs
from core.model.plan import Plan, check_plan
from core.model.slots_that_stay import check_slots_stay
from core.model.task_types import KIND_WORDS
from core.planning.estimated_workload import estimated_workload
from core.policies.composing.before_run import (
    figures_of_policy,
    order_of_policy,
    partition_of_policy,
    plan_of_policy,
    stage_places_of_policy,
    task_key_of_policy,
)
from core.policies.composing.hook_calls import call_hook
from core.policies.composing.hooks import hooks_of, numeric_parameters
from core.policies.critical_by_starts import planned_policy
from core.policies.orders import ExplicitOrder, order_of_names
from core.policies.policy import Policy, name_of
from core.policies.pools import Partitioned
from core.policies.registry import policy_class
from core.policies.rolling import planned_at
from core.policies.user_files.source import place_of_function

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from core.engine.state import State
    from core.model.circumstances import Circumstances
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
    assumed : the workload as the policy assumes it: its durations may be estimates
    order : the hand-made order, or None
    partition : the pools, made by hand or by the policy, or None
    rank : each job's place in the order in which queues hold them, int32 (jobs,)
    chosen : whose plan is followed: the policy, or the one that found the pools; it says why
    figures : what the plan is made from, by name, (jobs,) each
    task_order : the tasks of every stage in the order in which they start, int32 (tasks,); None for by number
    task_key : of each task by its number the key that jobs have of their next one, (tasks,); None for nothing
    plan : the plan that is replayed, or None
    stage_places : the place of each stage among those of its job, int32 (stages,); None for by number
    """

    policy: type[Policy]
    parameters: Mapping[str, ParameterValue]
    assumed: Workload
    order: tuple[str, ...] | None
    partition: Partition | None
    rank: NDArray[np.int32]
    chosen: type[Policy]
    figures: dict[str, NDArray[Any]]
    task_order: NDArray[np.int32] | None = None
    task_key: NDArray[np.float64] | None = None
    plan: Plan | None = None
    stage_places: NDArray[np.int32] | None = None

    def first_state(
        self, workload: Workload, cluster: Cluster, circumstances: Circumstances = NO_CIRCUMSTANCES
    ) -> State:
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
            linked=True,
        )
        if self.partition is not None:
            slots = np.array([pool.slots for pool in self.partition.pools], np.int32)
            divide(state, pool_of_jobs(self.partition, workload), slots)
        else:
            pools: Any = state.pool
            _fill_pools(pools, workload.every_pool)
        plan = getattr(self.policy, "plan", None)
        if plan is not None:
            records: dict[str, Any] = {"jobs": state.job, "pools": state.pool}
            before = {name: record.copy() for name, record in records.items()}
            given = records | {"workload": self.assumed, "cluster": cluster}
            call_hook(self.policy, plan, given | self.figures, self.parameters)
            _check_plan(self.policy, before, records)
            wait_as_planned(state)
        state = with_wakes(state, self.plan.wakes if self.plan else ())
        if self.task_key is not None and not hooks.is_plain:
            order = self.task_order
            state = with_task_keys(state, self.task_key if order is None else self.task_key[order])
        if self.stage_places is not None:
            serve_stages_in_order(state, self.stage_places)
        by_arrival = self.policy.order == "arrival" and self.partition is None
        state.cluster["numbers"] = by_arrival and state.cluster["linked"]
        state.cluster["pinned"] = hooks.pinned or hooks.gives_up  # jobs then enter queues any number of times
        state.cluster["watched"] = self.policy.watches_time
        state.cluster["settles"] = hooks.settles
        state.cluster["shows_node"] = hooks.reads_node
        state.cluster["shows_slot"] = hooks.reads_slot
        if hooks.reads_node and cluster.has_nodes:
            show_nodes(records_of(state))
        state = self._with_others(state, workload, cluster, circumstances)
        if not hooks.uses_tree:
            return state
        return with_selection_trees(state, hooks.pooled, hooks.key_width, hooks.outlook_width)

    def _with_others(
        self, state: State, workload: Workload, cluster: Cluster, circumstances: Circumstances
    ) -> State:
        """Return a fresh state with what only some runs have: parts given up, failures, hosts, inputs."""
        hooks = hooks_of(self.policy)
        if hooks.gives_up or hooks.copies:
            if hooks.copies:
                state = with_copies(state, self._kills(workload, cluster))
            else:
                state = with_giving_up(state, suspends=self.policy.suspends)
        if cluster.events is not None:
            state = with_failures(state, cluster)
        if cluster.overheads is not None:
            state = with_hosts(state, cluster.overheads, circumstances)
        if workload.inputs is not None:
            state = with_inputs(state, workload.inputs, self.task_order)
        return state

    def _kills(self, workload: Workload, cluster: Cluster) -> list[tuple[float, int]]:
        """Return when the second copy of which task is killed, as tasks lie before the run."""
        kills = killed_tasks(cluster.killed_copies, workload)
        if self.task_order is None or not kills:
            return kills
        place = np.argsort(self.task_order)
        return [(time, int(place[task])) for time, task in kills]

    def planned_anew(self, plan: Plan, assumed: Workload, cluster: Cluster, time: float) -> ResolvedPolicy:
        """Return what is followed after a plan that was made at a time, by what is believed of the workload.

        Parameters
        ----------
        plan : one of due dates: it has no pools, and no starts
        assumed : the workload with the durations that are believed
        time : seconds
        """
        after = _resolved(self.policy, self.parameters, assumed, cluster, plan)
        return replace(after, plan=None, figures=planned_at(time, after.figures))

    def replanner(self, cluster: Cluster, *, compiled: bool) -> ScanAssignment | None:
        """Return what plans anew during the run, None for a policy that does not."""
        hook = getattr(self.policy, "replanner", None)
        if hook is None:
            return None
        given = {"workload": self.assumed, "cluster": cluster, "compiled": compiled}
        planner: ScanAssignment = call_hook(self.policy, hook, given, self.parameters)
        return planner


def follow(
    choice: PolicyChoice,
    workload: Workload,
    cluster: Cluster,
    order: Sequence[str] | None,
    partition: Partition | None,
    effort: SearchControl,
    plan: Plan | None = None,
) -> ResolvedPolicy:
    """Work out what a run follows: a plan or pools or an order that is given, in this turn, else the policy.

    Raises
    ------
    InputError
        a parameter, the plan, the order or the pools are wrong
    PolicyError
        a hook of the policy that is called before the run returned nonsense or raised an exception
    Cancelled
        `effort` said so
    """
    if plan is not None:
        return _planned(choice, workload, cluster, plan)
    is_by_hand = order is not None or partition is not None
    policy = ExplicitOrder if is_by_hand else policy_class(choice.id)
    given = {} if is_by_hand else choice.parameters
    parameters = check_parameters(policy.parameters, given, f"policy {policy.id}")
    _check_search(policy, cluster)
    if policy.needs_map_reduce or hasattr(policy, "replanner"):
        check_map_reduce(workload, policy.title)
    assumed = workload if is_by_hand else estimated_workload(workload, choice.estimates)
    found = None if is_by_hand else plan_of_policy(policy, assumed, cluster, parameters, effort)
    if found is not None:
        replayed = _planned(choice, workload, cluster, found)
        return replace(replayed, parameters=parameters, chosen=policy)
    if not is_by_hand:
        partition = partition_of_policy(policy, assumed, cluster, parameters, effort)
    if partition is not None:
        check_partition(partition, workload, cluster)
        served = order_of_names(workload, partition.jobs)
        by_policy = hasattr(policy_class(choice.id), "partition")
        chosen = policy_class(choice.id) if by_policy else Partitioned
        assumed = estimated_workload(workload, choice.estimates) if by_policy else workload
        offered = {"workload": assumed, "cluster": cluster, "partition": partition}
        figures = figures_of_policy(chosen, offered, parameters)
        return ResolvedPolicy(
            Partitioned, parameters, assumed, None, partition, _ranks(served), chosen, figures
        )
    if order is not None:
        served = order_of_names(workload, order)
        return ResolvedPolicy(policy, parameters, assumed, tuple(order), None, _ranks(served), policy, {})
    return _resolved(policy, parameters, assumed, cluster, None)


def check_map_reduce(workload: Workload, what: str) -> None:
    """Raise InputError where something is for MapReduce jobs, and the workload has others.

    Parameters
    ----------
    what : what it is, as the beginning of a sentence: the policy's title
    """
    if not workload.columns.stages.are_map_reduce:
        other = next(job for job in workload.jobs if not job.graph.is_map_reduce)
        raise InputError(
            f"{what} is for jobs of maps and of reduces that wait for them, and {shorten(other.name)} has "
            "other stages; choose another policy, for instance Critical path first"
        )


def _check_search(policy: type[Policy], cluster: Cluster) -> None:
    """Raise InputError where a policy searches before the run, by slots that are always there."""
    if hasattr(policy, "search") or hasattr(policy, "partition"):
        check_slots_stay(cluster, f"what {policy.title} searches before the run")


def _planned(choice: PolicyChoice, workload: Workload, cluster: Cluster, plan: Plan) -> ResolvedPolicy:
    """Return what replays a plan, by the durations that a scenario gives its policy."""
    check_plan(plan, workload, cluster)
    assumed = estimated_workload(workload, choice.estimates)
    policy = planned_policy(plan)
    return _resolved(policy, {}, assumed, cluster, plan)


def _resolved(
    policy: type[Policy],
    parameters: Mapping[str, ParameterValue],
    assumed: Workload,
    cluster: Cluster,
    plan: Plan | None,
) -> ResolvedPolicy:
    """Call the hooks that are called before a run, and return what they give."""
    offered = {"workload": assumed, "cluster": cluster}
    figures = figures_of_policy(policy, offered | {"plan": plan}, parameters)
    served = order_of_policy(policy, offered | figures, parameters)
    tasks = task_key_of_policy(policy, offered | figures, parameters)
    return ResolvedPolicy(
        policy=policy,
        parameters=parameters,
        assumed=assumed,
        order=None,
        partition=None if plan is None else plan.partition,
        rank=_ranks(served),
        chosen=policy,
        figures=figures,
        task_order=None if tasks is None else tasks.task_order,
        task_key=None if tasks is None else tasks.key,
        plan=plan,
        stage_places=stage_places_of_policy(policy, offered | figures, parameters),
    )


def in_task_order(columns: TaskColumns, order: NDArray[np.int32] | None) -> TaskColumns:
    """Return the tasks' times as they start in their stages; the other columns do not change."""
    if order is None:
        return columns
    times = {name: getattr(columns, name)[order] for name in ("duration", "first_shuffle", "typical_shuffle")}
    for column in times.values():
        column.flags.writeable = False
    return replace(columns, **times)


PLANNED = {
    "jobs": ("wanted", "reduce_after", "memo"),
    "pools": ("weight", "share", "cap", "rate", "budget", "memo"),
}
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
    needed = after["jobs"]["reduce_after"]
    is_new = needed != before["jobs"]["reduce_after"]
    maps, _ = after["jobs"]["tasks"].T
    if (is_new & ((needed < 0) | (needed > maps))).any():
        raise PolicyError(
            f"policy {name_of(policy)}: plan writes a jobs['reduce_after'] that no job reaches; "
            "give a number of its maps, from 0 to all of them",
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
    return read_only(rank)


def check_slots(workload: Workload, cluster: Cluster) -> None:
    """Raise InputError with what to do if a kind of task can never run, or not where its input lies."""
    check_input_nodes(workload.jobs, cluster)
    for kind, tasks, slots in zip(
        KIND_WORDS, (workload.map_count, workload.reduce_count), cluster.stage_slots, strict=True
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
    maps, _ = cluster.typed_slots
    if spent is not None and spent.setup + spent.cleanup > 0 and maps == 0:
        raise InputError(
            "setup and cleanup of a job run on map slots, and the cluster has none; give it at least one, or "
            "set the overheads setup and cleanup to 0"
        )
