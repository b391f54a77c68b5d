"""Call a policy's functions outside the simulator, by the names of their arguments; errors are sentences."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from core.model.errors import PolicyError, SlotscopeError
from core.policies.composing.every_task import with_every_task
from core.policies.composing.hooks import not_offered
from core.policies.policy import name_of
from core.policies.user_files.loop_budget import failure_phrase
from core.policies.user_files.slips import words_of
from core.policies.user_files.source import arguments_of, place_of_error, place_of_function

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from core.model.parameters import ParameterValue
    from core.policies.policy import Policy


def call_hook(
    policy: type[Policy],
    hook: Callable[..., Any],
    offered: Mapping[str, Any],
    parameters: Mapping[str, ParameterValue],
) -> Any:
    """Call a hook with those of `offered` and of the parameters that its arguments name.

    A hook of a user's file gets the workload with the times of every task, see `every_task`.

    Raises
    ------
    PolicyError
        it asks for something else, or raised an exception that is not a sentence of ours
    """
    known = {**offered, **parameters}
    if policy.source is not None and "workload" in offered and "workload" in arguments_of(hook):
        known["workload"] = with_every_task(offered["workload"])
    names = argument_names(policy, hook, known)
    with sentences_of(policy, hook):
        return hook(**{argument: known[argument] for argument in names})


def argument_names(policy: type[Policy], hook: Callable[..., Any], known: Iterable[str]) -> list[str]:
    """Return the names of the arguments of a hook, each of which is known."""
    names = list(arguments_of(hook))
    for argument in names:
        if argument not in known:
            raise PolicyError(
                f"policy {name_of(policy)}: {not_offered(hook.__name__, argument, known)}",
                place_of_function(hook, policy.source),
            )
    return names


@contextmanager
def sentences_of(policy: type[Policy], hook: Callable[..., Any]) -> Iterator[None]:
    """Turn what a hook raises into a sentence."""
    try:
        yield
    except SlotscopeError:
        raise
    except (Exception, SystemExit) as error:
        what = f"policy {name_of(policy)}: {hook.__name__} {failure_phrase(error)}"
        raise PolicyError(
            f"{what}: {words_of(policy, error)}".rstrip(": "), place_of_error(error, policy.source)
        ) from error
