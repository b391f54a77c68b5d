"""Check what people choose: a policy and its parameters, kept short by leaving out the defaults."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from core.model.errors import InputError
from core.model.execution_history import RECORDED
from core.model.parameters import check_parameters
from core.model.schedule import PolicyChoice
from core.policies.registry import describe, exact_id, own_policy, policy_class
from core.policies.user_files.source import is_policy_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.model.parameters import Parameter


def checked_choice(choice: PolicyChoice) -> PolicyChoice:
    """Return the choice with checked parameters, only those that differ from the defaults.

    Raises UnknownName and InputError, as sentences for people.
    """
    if choice.id == RECORDED:
        return PolicyChoice(RECORDED)
    if not has_run(choice):
        return choice
    description = describe(choice.id)
    values = check_parameters(description.parameters, fitting_parameters(choice), description.title)
    defaults = {parameter.name: parameter.default for parameter in description.parameters}
    given = {name: value for name, value in values.items() if value != defaults[name]}
    return PolicyChoice(choice.id, given)


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
    return PolicyChoice(exact_id(choice.id), fitting_parameters(choice))


def searches_pools(policy_id: str) -> bool:
    """Whether a policy makes pools before the run, which takes hundreds of simulations."""
    try:
        return hasattr(policy_class(policy_id), "partition")
    except InputError:
        return False
