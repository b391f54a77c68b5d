"""Simulations: one policy, or several beside one another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from slotscope.policies import policy_id
from slotscope.schedules import ComparisonResult, ScheduleResult
from slotscope.sentences import in_sentences
from slotscope.workloads import ClusterChanges, changed, opened

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence

    from core.model.cluster import Cluster
    from core.model.plan import Plan
    from core.model.workload import Workload
    from slotscope.policies import PolicyGiven
    from slotscope.workloads import Source


@in_sentences
def simulate(
    workload: Source,
    policy: PolicyGiven | None = None,
    *,
    parameters: Mapping[str, Any] | None = None,  # Any: each policy has its own
    order: Sequence[str] | None = None,
    plan: Plan | str | os.PathLike[str] | None = None,
    estimates: str | None = None,
    trust: bool = False,
    **cluster: Unpack[ClusterChanges],
) -> ScheduleResult:
    """Run one policy on a workload, and return the schedule.

    Parameters
    ----------
    workload : the name of a sample, the path of a document or of a log, or a `Workload`
    policy : the id of one (``slotscope policies`` lists them), a class that derives from `slotscope.Policy`,
        or the path of a policy file; by default what the log's configuration names, or fifo
    parameters : of the policy, by name; the rest take their defaults
    order : names of jobs, which are served in this order instead of the policy's
    plan : what a search found (`optimize`), or the path of a plan that was written
    estimates : let the policy plan on guesses while tasks take their true durations: ``"error=0.3,per=job"``
    trust : whether the code of a policy file may run, in a process of its own; without it a file is refused.
        A class is code of your program already, and runs in it
    cluster : what differs from the workload's cluster: map_slots, reduce_slots, containers, nodes, slowstart

    Raises
    ------
    InputError
        something that is given is wrong
    PolicyFault
        the policy did something wrong

    Examples
    --------
    >>> import slotscope
    >>> slotscope.simulate("five-jobs", "johnson").makespan
    47.0
    >>> slotscope.simulate("five-jobs", "johnson", map_slots=60, reduce_slots=60).makespan
    39.0

    A policy of your own is a class with the hooks that it needs; the job with the smallest key goes first:

    >>> class LastComeFirstServed(slotscope.Policy):
    ...     def key(job, kind):
    ...         return -job.rank
    >>> slotscope.simulate("five-jobs", LastComeFirstServed).makespan
    51.0
    """
    from core.policies.registry import describe
    from core.policies.spark import policy_of_log

    by_hand = _made_by_hand(order, plan)
    named = None if policy is None else policy_id(policy, trust=trust)
    found = opened(workload)
    chosen = named or by_hand or policy_of_log(found.scheduler)
    run = RunWishes(parameters=dict(parameters or {}), order=order, plan=_plan(plan))
    run["estimates"] = estimates_of_runs(found.workload, [chosen], estimates)
    describe(chosen)
    return run_policy(found.workload, changed(found.workload.cluster, cluster), chosen, **run)


def _made_by_hand(order: object, plan: object) -> str | None:
    """Return the policy that follows an order or a plan; None where there is neither."""
    if order is not None and plan is not None:
        from core.model.errors import InputError

        raise InputError("plan and order both say who goes first; give one of them")
    return "order" if order is not None else "critical" if plan is not None else None


class RunWishes(TypedDict, total=False):
    """What else there is to say of a run."""

    parameters: Mapping[str, Any]
    order: Sequence[str] | None
    plan: Plan | None
    estimates: Any


@in_sentences
def compare(
    workload: Source,
    policies: Iterable[PolicyGiven | ScheduleResult],
    *,
    parameters: Mapping[str, Any] | None = None,  # Any: each policy has its own
    recorded: bool = False,
    estimates: str | None = None,
    trust: bool = False,
    **cluster: Unpack[ClusterChanges],
) -> ComparisonResult:
    """Run several policies on a workload; the first one is the baseline.

    Parameters
    ----------
    workload : as of `simulate`
    policies : ids, classes and files, as of `simulate`, and schedules that there are already: of an order
        made by hand, or of the best that a search found
    parameters : each goes to the policies that have it
    recorded : begin with what really ran, as the log recorded it
    estimates, trust, cluster : as of `simulate`

    Raises
    ------
    InputError
        something that is given is wrong, or there is nothing to compare
    PolicyFault
        a policy did something wrong

    Examples
    --------
    >>> import slotscope
    >>> by_hand = slotscope.simulate("five-jobs", order=["J5", "J4", "J3", "J2", "J1"])
    >>> slotscope.compare("five-jobs", ["fifo", "johnson", by_hand]).table["makespan"].tolist()
    [74.0, 47.0, 51.0]
    """
    from core.fidelity.history_schedule import recorded_schedule
    from core.model.errors import InputError
    from core.policies.registry import describe, parameters_by_policy

    opening = opened(workload).workload
    on = changed(opening.cluster, cluster)
    given = list(policies)
    fresh = {i: policy_id(p, trust=trust) for i, p in enumerate(given) if not isinstance(p, ScheduleResult)}
    if not given and not recorded:
        raise InputError("policies is empty; give ids of policies, the baseline first")
    known = [describe(each) for each in fresh.values()]
    own = parameters_by_policy(parameters or {}, known)
    guesses = estimates_of_runs(opening, list(fresh.values()), estimates)
    results = [ScheduleResult(recorded_schedule(opening, "recorded=True"))] if recorded else []
    for i, each in enumerate(given):
        if isinstance(each, ScheduleResult):
            results.append(each)
            continue
        name = policy_id(each, trust=trust) if isinstance(each, type) else fresh[i]
        told = guesses if describe(name).plans else None
        results.append(run_policy(opening, on, name, parameters=own[fresh[i]], estimates=told))
    return ComparisonResult(results)


def _plan(given: Plan | str | os.PathLike[str] | None) -> Plan | None:
    from core.files.plan_document import read_plan
    from core.model.plan import Plan

    return given if given is None or isinstance(given, Plan) else read_plan(given)


def estimates_of_runs(workload: Workload, policies: Sequence[str], text: str | None) -> Any:
    """Return the estimates of durations that policies have, None for the true ones."""
    from core.policies.registry import describe
    from core.trace_database.recorded_profile import estimates_for

    return None if text is None else estimates_for(workload, map(describe, policies), text)


def run_policy(
    workload: Workload, cluster: Cluster, policy: str, **wishes: Unpack[RunWishes]
) -> ScheduleResult:
    """Run a policy that is known."""
    from core.model.schedule import PolicyChoice
    from core.simulation.simulate import simulate as run

    choice = PolicyChoice(policy, wishes.get("parameters", {}), wishes.get("estimates"))
    return ScheduleResult(run(workload, cluster, choice, order=wishes.get("order"), plan=wishes.get("plan")))
