"""What happens before a run: the slots are checked, and a policy's `order`, `plan` and so on are called."""

from __future__ import annotations

import inspect
from contextlib import contextmanager
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.errors import InputError, PolicyError, SlotscopeError, did_you_mean, shorten
from core.model.partition import Partition
from core.policies.user_files.loop_budget import EndlessLoop
from core.policies.user_files.source import place_of_error, place_of_file, place_of_function

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.parameters import ParameterValue
    from core.model.workload import Workload
    from core.policies.policy import Policy, SearchControl


def order_of_policy(
    policy: type[Policy], workload: Workload, cluster: Cluster, parameters: Mapping[str, ParameterValue]
) -> NDArray[np.int64]:
    """Return the jobs in the policy's order, first served first, (jobs,).

    Raises
    ------
    PolicyError
        `order` is not "arrival", "deadline" or a function that names each job once, or it raised an exception
    """
    columns = workload.columns
    if callable(policy.order):
        given = {"workload": workload, "cluster": cluster}
        served = call_hook(policy, policy.order, given, parameters)
        return _each_job_once(policy, served, len(workload.jobs))
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
            f"policy {name_of(policy)}: partition returned {shorten(found)}; return a Partition"
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
        raise PolicyError(f"policy {name_of(policy)}: task_key is not for policies that share scans")
    columns = workload.columns
    stage_of = 2 * columns.job.astype(np.int64) + columns.kind
    number = np.arange(len(stage_of)) - columns.first[columns.job, columns.kind]
    names = ("duration", "first_shuffle", "typical_shuffle", "kind")
    offered = {"number": number.tolist(), **{name: getattr(columns, name).tolist() for name in names}}
    known = offered | {name: repeat(value) for name, value in parameters.items()}
    asked = _asked(policy, hook, known)
    with _sentences_of(policy, hook):
        given = zip(range(len(number)), *(known[name] for name in asked), strict=False)  # parameters repeat
        keys = [hook(*values) for _, *values in given]
        by_key = np.array(sorted(range(len(keys)), key=keys.__getitem__), np.int32)
    order = by_key[np.argsort(stage_of[by_key], kind="stable")]
    order.flags.writeable = False
    return None if np.array_equal(order, np.arange(len(order))) else order


def call_hook(
    policy: type[Policy],
    hook: Callable[..., Any],
    offered: Mapping[str, Any],
    parameters: Mapping[str, ParameterValue],
) -> Any:
    """Call a hook with those of `offered` and of the parameters that it asks for by name.

    Raises
    ------
    PolicyError
        it asks for something else, or raised an exception that is not a sentence of ours
    """
    known = {**offered, **parameters}
    asked = _asked(policy, hook, known)
    with _sentences_of(policy, hook):
        return hook(**{argument: known[argument] for argument in asked})


def _asked(policy: type[Policy], hook: Callable[..., Any], known: Iterable[str]) -> list[str]:
    """Return the names of the arguments of a hook, each of which is known."""
    asked = list(inspect.signature(hook).parameters)
    for argument in asked:
        if argument not in known:
            raise PolicyError(
                f"policy {name_of(policy)}: {hook.__name__} asks for '{argument}', "
                f"which it cannot be given{did_you_mean(argument, known)}",
                place_of_function(hook, policy.source),
            )
    return asked


@contextmanager
def _sentences_of(policy: type[Policy], hook: Callable[..., Any]) -> Iterator[None]:
    """Turn what a hook raises into a sentence."""
    try:
        yield
    except SlotscopeError:
        raise
    except (Exception, SystemExit) as error:
        endless = isinstance(error, EndlessLoop)
        what = "does not come to an end" if endless else f"raised {type(error).__name__}"
        raise PolicyError(
            f"policy {name_of(policy)}: {hook.__name__} {what}: {error}",
            place_of_error(error, policy.source),
        ) from error


def name_of(policy: type[Policy]) -> str:
    """Return what messages call a policy: its id, or its class while it has none."""
    return policy.id or policy.__name__


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
