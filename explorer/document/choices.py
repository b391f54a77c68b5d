"""What a scenario follows: a checked choice of policy, and job orders kept valid while jobs come and go."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from core.model.errors import InputError, UnknownName
from core.model.estimates import with_renamed_job
from core.model.parameters import check_parameters, names_in, names_text
from core.model.partition_edits import fitted_to_jobs, with_job_name
from core.model.plan_edits import plan_of_jobs, plan_with_job_name
from core.model.schedule import RECORDED, PolicyChoice
from core.policies.by_hand import PICKS, ByHand
from core.policies.by_hand import with_renamed_job as with_renamed_picks
from core.policies.own_policies import exact_id, own_policy
from core.policies.pools import BalancedPools
from core.policies.registry import describe, policy_class
from core.policies.user_files.source import is_policy_file

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from core.model.document_state import Scenario
    from core.model.parameters import Parameter
    from core.model.partition import Partition
    from core.model.schedule import Fork
    from core.model.workload import Workload


Forked = TypeVar("Forked", "Scenario", "Fork")
ORDER_PARAMETER = "order"
"""The text parameter by which a policy is given job names, separated by commas."""


def check_order(names: Sequence[str], workload: Workload) -> tuple[str, ...]:
    """Return the names as a tuple; InputError unless every job is named exactly once."""
    for name in names:
        if name not in workload.job_index:
            raise UnknownName("job", name, workload.job_index)
    if len(set(names)) != len(names):
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise InputError(f"the order names job '{twice}' twice; name every job once")
    named = set(names)
    missing = [job.name for job in workload.jobs if job.name not in named]
    if missing:
        raise InputError(f"the order leaves out {', '.join(missing[:5])}; name every job once")
    return tuple(names)


def moved(names: Sequence[str], name: str, place: int) -> tuple[str, ...]:
    """Return the names with one of them taken out and put at `place` (0 is first) among the others."""
    others = [other for other in names if other != name]
    place = min(max(place, 0), len(others))
    return (*others[:place], name, *others[place:])


def fitted(scenario: Forked, workload: Workload) -> Forked:
    """Return the scenario, or its fork, with orders and pools that name only the workload's jobs.

    A hand-made order, and the last of hand-made pools, get new jobs at the end; a policy's order text may
    leave jobs out anyway.
    """
    order, partition = scenario.order, scenario.partition
    if partition is not None:
        partition = fitted_to_jobs(partition, workload)
    if order is not None:
        kept: dict[str, None] = dict.fromkeys(name for name in order if name in workload.job_index)
        order = tuple(dict.fromkeys((*kept, *workload.job_index)))
    names = [name for name in named_in(scenario.choice) if name in workload.job_index]
    choice = _with_names(scenario.choice, names)
    fork = scenario.fork and fitted(scenario.fork, workload)
    plan = scenario.plan and plan_of_jobs(scenario.plan, workload)
    return replace(scenario, order=order, partition=partition, plan=plan, choice=choice, fork=fork)


def renamed(scenario: Forked, old: str, new: str) -> Forked:
    """Return the scenario with a job's new name in its orders, pools and earlier runs."""

    def rename(names: Sequence[str]) -> tuple[str, ...]:
        return tuple(new if name == old else name for name in names)

    order = None if scenario.order is None else rename(scenario.order)
    partition = scenario.partition and with_job_name(scenario.partition, old, new)
    choice = _with_names(scenario.choice, rename(named_in(scenario.choice)))
    if choice.id == ByHand.id and PICKS in choice.parameters:
        picks = with_renamed_picks(str(choice.parameters[PICKS]), old, new)
        choice = replace(choice, parameters={**choice.parameters, PICKS: picks})
    if choice.estimates is not None:
        choice = replace(choice, estimates=with_renamed_job(choice.estimates, old, new))
    fork = scenario.fork and renamed(scenario.fork, old, new)
    plan = scenario.plan and plan_with_job_name(scenario.plan, old, new)
    return replace(scenario, order=order, partition=partition, plan=plan, choice=choice, fork=fork)


def with_order(
    scenario: Scenario, workload: Workload, order: tuple[str, ...], moved: Collection[str] = ()
) -> Scenario:
    """Return the scenario with an order made by hand; in a plan the jobs that were moved get other dates."""
    if scenario.plan is None:
        return replace(scenario, order=order, partition=None)
    return replace(scenario, plan=scenario.plan.reordered(workload, order, moved))


def with_partition(
    scenario: Scenario, workload: Workload, partition: Partition, moved: Collection[str] = ()
) -> Scenario:
    """Return the scenario with pools made by hand; a plan holds in them, those moved get other dates."""
    if scenario.plan is None:
        return replace(scenario, order=None, partition=partition)
    return replace(scenario, plan=scenario.plan.with_partition(workload, partition, moved))


def named_in(choice: PolicyChoice) -> list[str]:
    """Return the job names in the order text of a policy choice; none for other policies."""
    text = choice.parameters.get(ORDER_PARAMETER)
    return names_in(text) if isinstance(text, str) else []


def _with_names(choice: PolicyChoice, names: Sequence[str]) -> PolicyChoice:
    if list(names) == named_in(choice):
        return choice
    return replace(choice, parameters={**choice.parameters, ORDER_PARAMETER: names_text(names)})


def checked_choice(choice: PolicyChoice) -> PolicyChoice:
    """Return the choice with checked parameters, only those that differ from the defaults.

    A policy that does not plan on durations has no estimates of them.

    Raises UnknownName and InputError, as sentences for the user.
    """
    if choice.is_record:
        return PolicyChoice(RECORDED)
    if not has_run(choice):
        return choice
    description = describe(choice.id)
    values = check_parameters(description.parameters, fitting_parameters(choice), description.title)
    defaults = {parameter.name: parameter.default for parameter in description.parameters}
    given = {name: value for name, value in values.items() if value != defaults[name]}
    return PolicyChoice(choice.id, given, choice.estimates if description.plans else None)


def has_run(choice: PolicyChoice) -> bool:
    """Whether the policy is known: a user's file may wait to be trusted, or be broken from the start."""
    return not is_policy_file(choice.id) or own_policy(choice.id) is not None


def with_parameter(choice: PolicyChoice, name: str, value: object) -> PolicyChoice:
    """Return the choice with one parameter changed and checked."""
    checked = {**fitting_parameters(choice), name: value}
    description = describe(choice.id)
    check_parameters(description.parameters, checked, description.title)
    return checked_choice(replace(choice, parameters=checked))


def all_parameters(choice: PolicyChoice) -> dict[str, bool | int | float | str]:
    """Return the value of every parameter of the policy, as a form shows them."""
    description = describe(choice.id)
    return check_parameters(description.parameters, fitting_parameters(choice), description.title)


def fitting_parameters(choice: PolicyChoice) -> Mapping[str, Any]:
    """Return the parameters that the policy takes: a user's file may have lost some since they were set."""
    if not is_policy_file(choice.id) or not has_run(choice):
        return choice.parameters
    known = {parameter.name: parameter for parameter in describe(choice.id).parameters}
    return {name: value for name, value in choice.parameters.items() if _fits(known.get(name), value)}


def _fits(parameter: Parameter | None, value: object) -> bool:
    try:
        return parameter is not None and parameter.check(value, "") == value
    except InputError:
        return False


def simulated_choice(choice: PolicyChoice) -> PolicyChoice:
    """Return the choice as it is simulated: just the version of a user's file that is known now."""
    if not is_policy_file(choice.id):
        return choice
    return replace(choice, id=exact_id(choice.id), parameters=fitting_parameters(choice))


def pools_of_choice(choice: PolicyChoice) -> int:
    """Return how many pools BalancedPools may make; for other policies as many as the paper has."""
    return int(choice.parameters.get("pools", 2)) if choice.id == BalancedPools.id else 2


def searches_plan(policy_id: str) -> bool:
    """Whether a policy searches a plan before the run, which takes thousands of simulations."""
    try:
        return hasattr(policy_class(policy_id), "search")
    except InputError:
        return False


def searches_pools(policy_id: str) -> bool:
    """Whether a policy makes pools before the run, which takes hundreds of simulations."""
    try:
        return hasattr(policy_class(policy_id), "partition")
    except InputError:
        return False
