"""Stand-ins: the attributes of a policy whose code runs in another one.

A stand-in says what the policy says of itself, and which hooks it has with which arguments; none of them can
be called here.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, ClassVar

from core.model.errors import PolicyError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from core.policies.policy import Policy

FACTS = ("id", "title", "parameters", "pool_first", "watches_time", "reads_durations", "explains", "source")
"""What a stand-in has of a policy beside its functions; `order` where it is a text."""


class StandIn:
    """Base of all stand-ins, beside the policy of ours that the user's derives from.

    Attributes
    ----------
    home : calls a function where the policies live that its arguments follow; set by who starts that process
    """

    home: ClassVar[Callable[[Callable[..., Any], tuple[Any, ...], dict[str, Any]], Any]]


def stand_in(name: str, base: type[Policy], facts: Mapping[str, Any]) -> type[Policy]:
    """Make a stand-in; `facts` has its attributes, and its functions as `not_here` makes them."""
    return type(name, (StandIn, base), dict(facts))


def policy_facts(policy: type[Policy]) -> tuple[str, type[Policy], dict[str, Any]]:
    """Return the arguments that make a policy's `stand_in`."""
    base = next(each for each in policy.__mro__ if each.__module__.startswith("core.policies"))
    facts = {name: getattr(policy, name) for name in FACTS}
    facts["__doc__"] = policy.__doc__
    for name in dir(policy):
        value = getattr(policy, name)
        if not name.startswith("_") and (name == "order" or (callable(value) and name not in facts)):
            facts[name] = value
    return policy.__name__, base, facts


def not_here(name: str, arguments: tuple[str, ...]) -> Callable[..., Any]:
    """Return a function in the place of one of a user's file: it has its arguments, and is never called."""

    def function(*_given: Any, **_named: Any) -> Any:
        raise PolicyError(f"{name} of a policy file was called outside of its process")

    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    function.__name__ = function.__qualname__ = name
    function.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter(argument, kind) for argument in arguments]
    )
    return function


def arguments_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of a function's arguments; none for one without a signature."""
    try:
        return tuple(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return ()
