"""Check what people choose: a policy and its parameters, kept short by leaving out the defaults."""

from __future__ import annotations

from dataclasses import replace

from core.parameters import check_parameters
from core.policies.registry import describe
from core.schedule import PolicyChoice


def checked_choice(choice: PolicyChoice) -> PolicyChoice:
    """Return the choice with checked parameters, only those that differ from the defaults.

    Raises UnknownName and InputError, as sentences for people.
    """
    description = describe(choice.id)
    values = check_parameters(description.parameters, choice.parameters, description.title)
    defaults = {parameter.name: parameter.default for parameter in description.parameters}
    given = {name: value for name, value in values.items() if value != defaults[name]}
    return PolicyChoice(choice.id, given)


def with_parameter(choice: PolicyChoice, name: str, value: object) -> PolicyChoice:
    """Return the choice with one parameter changed and checked."""
    return checked_choice(replace(choice, parameters={**choice.parameters, name: value}))


def all_parameters(choice: PolicyChoice) -> dict[str, bool | int | float | str]:
    """Return the value of every parameter of the policy, as a form shows them."""
    description = describe(choice.id)
    return check_parameters(description.parameters, choice.parameters, description.title)
