"""Calls go where the policies live that they are about: here, or into the process of users' policy files."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from core.model.schedule import Fork, PolicyChoice, Schedule, choices_of, forks_of
from core.policies.own_policies import own_policy
from core.policies.policy import Policy
from core.policies.user_files.stand_in import StandIn

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.schedule import Forkable

P = ParamSpec("P")
R = TypeVar("R")


class Elsewhere:
    """Something about a schedule that is made in the process of policy files when it is needed there."""

    schedule: Schedule
    should_stop: Callable[[], bool]

    def here(self, should_stop: Callable[[], bool]) -> Any:
        """Make it."""
        raise NotImplementedError


def where_policies_live(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function be called in the process of policy files where one of its arguments follows one of them.

    Its arguments `progress` and `should_stop` work there as well, and it may ask for them alone.
    """

    @wraps(function)
    def called(*given: P.args, **named: P.kwargs) -> R:
        if not any(_is_apart(value, named) for value in (*given, *named.values())):
            return function(*given, **named)
        answer: R = StandIn.home(function, given, named)
        return answer

    return called


def _is_apart(value: object, named: dict[str, Any]) -> bool:
    if isinstance(value, PolicyChoice):
        return lives_apart(Fork(0.0, 0, value, named.get("order"), named.get("partition")))
    return isinstance(value, Elsewhere) or (isinstance(value, Fork | Schedule) and lives_apart(value))


def lives_apart(followed: Forkable) -> bool:
    """Whether the code of a policy that decides at some time runs in another process.

    An order made by hand asks no policy; pools made by hand may, for what the policy knows of the jobs.
    """
    return any(
        issubclass(own_policy(part.choice.id) or Policy, StandIn)
        for part in (*forks_of(followed), followed)
        if part.order is None or part.partition is not None
    )


def followed_ids(value: object) -> tuple[str, ...]:
    """Return the policies that an argument follows."""
    if isinstance(value, PolicyChoice):
        return (value.id,)
    followed = value.schedule if isinstance(value, Elsewhere) else value
    return (
        tuple(choice.id for choice in choices_of(followed)) if isinstance(followed, Fork | Schedule) else ()
    )
