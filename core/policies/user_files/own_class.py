"""Policies that are classes of the program that runs: in a notebook or a script, beside what calls them.

Who wrote the class wrote what calls it, so there is nobody to be asked, and it runs in this process. Policy
files, which others may have written, run in processes of their own (`policy_process`).
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from core.model.errors import InputError, PolicyError, shorten
from core.policies.composing.kernel import kernel_name
from core.policies.own_policies import register_policy
from core.policies.policy import HOOKS
from core.policies.registry import POLICIES
from core.policies.user_files.policy_file import check_policy, name_policy
from core.policies.user_files.source import source_of

if TYPE_CHECKING:
    from core.policies.policy import Policy


def register_class(policy: type[Policy]) -> str:
    """Make a class of the running program known as a policy, until another one has its id; return the id.

    An id and a title are made from the name of the class if need be.

    Raises
    ------
    InputError
        the text of a hook cannot be found
    PolicyError
        something is wrong with the class, or a policy of Slotscope has its id
    """
    name_policy(policy)
    for name in HOOKS:
        hook = getattr(policy, name, None)
        if inspect.isfunction(hook):
            _check_text(policy, name)
    check_policy(policy)
    if any(policy.id == known.id for known in POLICIES):
        rule = "belongs to a built-in policy; give the class another name, or an id of its own"
        raise PolicyError(f"the id {shorten(policy.id)} {rule}")
    register_policy(policy.id, _as_it_is_now(policy))
    return policy.id


_as_it_was: dict[type[Policy], tuple[str, type[Policy]]] = {}
"""What ran for each class, and the hash of all that it was made of."""


def _as_it_is_now(policy: type[Policy]) -> type[Policy]:
    """Return a class with the same hooks, another one whenever constants or functions that they use changed.

    Compiled code holds the numbers of its program, and is kept by the class that it was made of.
    """
    made_of = kernel_name(policy)
    before, ran = _as_it_was.get(policy, ("", policy))
    if before != made_of:
        facts = {"id": policy.id, "title": policy.title, "__doc__": policy.__doc__}
        ran = type(policy.__name__, (policy,), facts | {"__module__": policy.__module__})
        _as_it_was[policy] = made_of, ran
    return ran


def _check_text(policy: type[Policy], name: str) -> None:
    try:
        source_of(getattr(policy, name))
    except OSError as error:
        raise InputError(
            f"policy {policy.id}: the text of {name} cannot be found, and it is needed to compile it; write "
            "the class into a file that is imported or run, or into a cell of a notebook"
        ) from error
