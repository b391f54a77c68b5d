"""Policies as they may be given: by id, as a class of one's own, or as a file."""

from __future__ import annotations

import inspect
import os
from pathlib import Path
from typing import TYPE_CHECKING

from core.model.errors import InputError, PolicyNotRun, shorten_repr
from core.policies.policy import Policy

if TYPE_CHECKING:
    PolicyGiven = str | os.PathLike[str] | type[Policy]


def policy_id(policy: PolicyGiven, *, trust: bool) -> str:
    """Return the id under which a policy is known; a class of the user's own, or a file, is made known.

    Parameters
    ----------
    policy : an id, a class, or the path of a file
    trust : whether the code of a file may be run

    Raises
    ------
    PolicyNotRun
        it is a file, and is not trusted
    InputError, PolicyFault
        it is none of these, or something is wrong with it
    """
    from core.policies.user_files.own_class import register_class
    from core.policies.user_files.source import ENDING

    if inspect.isclass(policy) and issubclass(policy, Policy):
        is_ours = policy.__module__.startswith("core.policies.")
        return policy.id if is_ours else register_class(policy)
    if not isinstance(policy, str | os.PathLike):
        raise InputError(
            f"a policy cannot be {shorten_repr(policy)}; give the id of one, a class that derives from "
            "slotscope.Policy, or the path of a policy file"
        )
    path = os.fspath(policy)
    if not path.endswith(ENDING):
        return path
    if not trust:
        raise PolicyNotRun(
            f"{path} is a program, and nobody has said that it may run; if you trust what it does, and the "
            "files beside it that it imports, give trust=True"
        )
    from core.policies.user_files.policy_process import register_file

    return register_file(Path(path)).id
