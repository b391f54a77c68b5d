"""Load a user's policy file: a Python file with one class that looks like a built-in policy."""

from __future__ import annotations

import importlib.util
import inspect
import re
import sys
from typing import TYPE_CHECKING

from core.errors import PolicyError
from core.policies.kernel import pieces_of
from core.policies.policy import Policy

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType


def load_policy_file(path: Path) -> type[Policy]:
    """Run the file and return its policy; an id and a title are made from the class name if it has none.

    Raises
    ------
    PolicyError
        the file cannot be read or run, or does not hold exactly one policy class, or its pieces are wrong
    """
    module = _run(path)
    found = [
        value
        for value in vars(module).values()
        if inspect.isclass(value) and issubclass(value, Policy) and value.__module__ == module.__name__
    ]
    if len(found) != 1:
        raise PolicyError(
            f"{path} holds {len(found)} policies; it must define exactly one class that derives from "
            "core.policies.policy.Policy"
        )
    policy = found[0]
    policy.title = policy.title or policy.__name__
    policy.id = policy.id or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", policy.__name__).lower()
    pieces_of(policy)
    return policy


def _run(path: Path) -> ModuleType:
    name = f"slotscope_policy_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise PolicyError(f"{path} is not a Python file that can be read")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # compiled functions find their own module by this name
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        sys.modules.pop(name, None)
        raise PolicyError(f"{path}: {type(error).__name__}: {error}") from error
    return module
