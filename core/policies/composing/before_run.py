"""What a policy decides before a run: figures, the order of jobs and of tasks, pools; each checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from core.model.errors import PolicyError, shorten_repr
from core.model.partition import Partition
from core.model.plan import Plan
from core.model.task_types import KIND_WORDS
from core.policies.composing.hook_calls import call_hook
from core.policies.policy import name_of
from core.policies.user_files.source import place_of_file, place_of_function

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.parameters import ParameterValue
    from core.model.workload import Workload
    from core.policies.policy import Policy, SearchControl


Made = TypeVar("Made", Partition, Plan)


class TaskKey(NamedTuple):
    """The keys of the tasks from `task_key`.

    Attributes
    ----------
    order : the tasks of every stage in the order in which they start, int32 (tasks,)
    key : what jobs are told of their next task: the first number of each key, by task number, (tasks,)
    """

    order: NDArray[np.int32]
    key: NDArray[np.float64]

    @property
    def task_order(self) -> NDArray[np.int32] | None:
        """The order, None where it is by number."""
        return None if np.array_equal(self.order, np.arange(len(self.order))) else self.order


def figures_of_policy(
    policy: type[Policy], offered: Mapping[str, Any], parameters: Mapping[str, ParameterValue]
) -> dict[str, NDArray[Any]]:
    """Return the figures of jobs that are computed before the run, by name; nothing if it has no such hook.

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
            f"policy {name_of(policy)}: figures returned {shorten_repr(found)}; "
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
            f"policy {name_of(policy)}: order is {shorten_repr(policy.order)}; "
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
    given = {"workload": workload, "cluster": cluster, "effort": effort}
    return _made_by(policy, "partition", Partition, given, parameters)


def plan_of_policy(
    policy: type[Policy],
    workload: Workload,
    cluster: Cluster,
    parameters: Mapping[str, ParameterValue],
    effort: SearchControl,
) -> Plan | None:
    """Return the plan that a policy searches before the run; None for a policy that searches none.

    Raises
    ------
    PolicyError
        `search` returned something else, or raised an exception
    """
    given = {"workload": workload, "cluster": cluster, "effort": effort}
    return _made_by(policy, "search", Plan, given, parameters)


def _made_by(
    policy: type[Policy],
    name: str,
    kind: type[Made],
    given: Mapping[str, Any],
    parameters: Mapping[str, ParameterValue],
) -> Made | None:
    hook = getattr(policy, name, None)
    if hook is None:
        return None
    found = call_hook(policy, hook, given, parameters)
    if not isinstance(found, kind):
        raise PolicyError(
            f"policy {name_of(policy)}: {name} returned {shorten_repr(found)}; return a {kind.__name__}",
            place_of_function(hook, policy.source),
        )
    return found


def task_key_of_policy(
    policy: type[Policy], offered: Mapping[str, Any], parameters: Mapping[str, ParameterValue]
) -> TaskKey | None:
    """Return the order of the tasks in their stages, and the key of each; None for by number.

    Parameters
    ----------
    offered : what a function may ask for beside columns of tasks: workload, cluster and the policy's figures

    Raises
    ------
    PolicyError
        `task_key` asks for something else, returned no numbers, or raised an exception; or the policy shares
        scans
    """
    hook = getattr(policy, "task_key", None)
    if hook is None:
        return None
    if hasattr(policy, "replanner"):
        raise PolicyError(
            f"policy {name_of(policy)}: task_key is not for policies that share scans",
            place_of_function(hook, policy.source),
        )
    columns = offered["workload"].columns
    names = ("duration", "first_shuffle", "typical_shuffle", "kind", "job", "stage", "number")
    of_tasks = {name: getattr(columns, name) for name in names}
    found = call_hook(policy, hook, {**offered, **of_tasks}, parameters)

    def named(task: int) -> str:
        number, job = int(columns.number[task]), offered["workload"].jobs[columns.job[task]]
        if offered["workload"].is_map_reduce:
            return f"{KIND_WORDS[columns.kind[task]]} {number} of {job.name}"
        return f"task {number} of stage {columns.stages.number[columns.stage[task]]} of {job.name}"

    keys = _keys_of(policy, hook, found, len(columns.job), "tasks", named)
    order = np.lexsort([*reversed(keys), columns.stage]).astype(np.int32)
    return TaskKey(order, np.array(keys[0]))


def stage_places_of_policy(
    policy: type[Policy], offered: Mapping[str, Any], parameters: Mapping[str, ParameterValue]
) -> NDArray[np.int32] | None:
    """Return the place of each stage among those of its job, from 0, (stages,); None for by number.

    Parameters
    ----------
    offered : what a function may ask for beside columns of stages: workload, cluster and the policy's figures

    Raises
    ------
    PolicyError
        `stage_key` asks for something else, returned no numbers, or raised an exception
    """
    hook = getattr(policy, "stage_key", None)
    if hook is None:
        return None
    workload: Workload = offered["workload"]
    columns, stages = workload.columns, workload.columns.stages
    present = np.flatnonzero(stages.count)
    length, begins = columns.duration + columns.typical_shuffle, stages.first[present]
    work, longest = np.zeros(len(stages.job)), np.zeros(len(stages.job))
    work[present] = np.add.reduceat(length, begins)
    longest[present] = np.maximum.reduceat(length, begins)
    of_stages = {"job": stages.job, "number": stages.number, "kind": stages.task_type, "tasks": stages.count}
    found = call_hook(policy, hook, {**offered, **of_stages, "work": work, "longest": longest}, parameters)

    def named(stage: int) -> str:
        return f"stage {int(stages.number[stage])} of {workload.jobs[stages.job[stage]].name}"

    keys = _keys_of(policy, hook, found, len(stages.job), "stages", named)
    order = np.lexsort([*reversed(keys), stages.job])
    places = np.empty(len(order), np.int32)
    places[order] = np.arange(len(order)) - stages.begin[stages.job]
    return places


def _keys_of(
    policy: type[Policy],
    hook: Callable[..., Any],
    found: Any,
    count: int,
    what: str,
    named: Callable[[int], str],
) -> list[NDArray[Any]]:
    """Return what a hook gave for each of the tasks or stages as columns of numbers, (count,) each."""
    keys: list[NDArray[Any]] = []
    try:
        keys += [
            np.broadcast_to(np.asarray(key, np.float64), count)
            for key in (found if isinstance(found, tuple) else (found,))
        ]
    except (TypeError, ValueError):
        keys.clear()
    nowhere = next((int(np.isnan(key).argmax()) for key in keys if np.isnan(key).any()), -1)
    if not keys or nowhere >= 0:
        returned = shorten_repr(found)
        if keys and found is not None:  # which numpy takes for nan
            returned = f"nan, which is no number, for {named(nowhere)}"
        raise PolicyError(
            f"policy {name_of(policy)}: {hook.__name__} returned {returned}; "
            f"return a number for every one of the {count} {what}, or a tuple of such columns",
            place_of_function(hook, policy.source),
        )
    return keys


def _each_job_once(policy: type[Policy], served: Any, jobs: int) -> NDArray[np.int64]:
    try:
        order = np.asarray(served, np.int64)
        fits = order.shape == (jobs,) and bool(np.all(np.sort(order) == np.arange(jobs)))
    except (TypeError, ValueError, OverflowError):
        fits = False
    if not fits:
        raise PolicyError(
            f"policy {name_of(policy)}: order returned {shorten_repr(served)}; "
            f"it must hold each job's index, 0 to {jobs - 1}, once",
            place_of_function(policy.order, policy.source),
        )
    return order
