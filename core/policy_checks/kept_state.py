"""What a policy's file keeps outside the memo, before and after a run: such numbers outlive it.

The memo belongs to a run: it begins with zeros, is copied at a fork and wound back with the time cursor. A
global counter is none of that, though two runs that follow one another may well be equal.
"""

from __future__ import annotations

import itertools
import random
import sys
import types
from collections import deque
from collections.abc import Mapping, Set
from typing import TYPE_CHECKING, Any

import numpy as np

from core.policies.user_files.source import RUN_TEXT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.policies.policy import Policy

MAX_DEPTH, MAX_ITEMS = 6, 100_000
"""How deep values in values are looked at, and how many of them."""
State = dict[str, Any]
"""What names stand for, by name: values that can be compared."""


def kept_state(policy: type[Policy]) -> State:
    """Return what the files of a policy keep: global names, attributes of classes and functions, by name.

    Only of users' files; of a policy that comes with Slotscope it is empty. Values that cannot be looked
    into, such as those of a library, do not count.
    """
    seen = _Looked()
    return {name: seen.frozen(value) for name, value in _names_of(policy)}


def what_changed(before: State, after: State) -> str:
    """Return the first name whose value has changed, or that is new; empty for none."""
    return next((name for name in after if name not in before or before[name] != after[name]), "")


def _names_of(policy: type[Policy]) -> Iterator[tuple[str, Any]]:
    """Yield what may hold a value from one run to the next."""
    if policy.source is None:
        return
    for module in _modules_of(policy):
        for name, value in vars(module).items():
            if name.startswith(("__", "_slotscope")) or isinstance(value, types.ModuleType):
                continue
            yield name, value
            if isinstance(value, types.FunctionType) and RUN_TEXT in value.__globals__:
                yield from _names_in_function(name, value)
            elif isinstance(value, type) and value.__module__ == module.__name__:
                for attribute, item in vars(value).items():
                    function = getattr(item, "__func__", item)
                    if isinstance(function, types.FunctionType):
                        yield from _names_in_function(f"{name}.{attribute}", function)
                    elif not attribute.startswith("__"):
                        yield f"{name}.{attribute}", item


def _names_in_function(name: str, function: types.FunctionType) -> Iterator[tuple[str, Any]]:
    yield f"a default of {name}", (function.__defaults__, function.__kwdefaults__)
    for attribute, value in vars(function).items():
        yield f"{name}.{attribute}", value
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    for free, cell in cells:
        try:
            yield f"{free} of {name}", cell.cell_contents
        except ValueError:  # it has no value yet
            continue


def _modules_of(policy: type[Policy]) -> list[types.ModuleType]:
    """Return the module of a policy's file, and those of its helpers, the file first."""
    first = sys.modules.get(policy.__module__)
    if first is None:
        return []
    package = policy.__module__.rpartition(".")[0]
    helpers = [
        module
        for name, module in sorted(sys.modules.items())
        if package and name.startswith(f"{package}.") and module is not first and RUN_TEXT in vars(module)
    ]
    return [first, *helpers]


class _Looked:
    """Makes values comparable; what is too deep or too much is left out."""

    def __init__(self) -> None:
        self._left = MAX_ITEMS

    def frozen(self, value: Any, depth: int = 0) -> Any:
        """Return something that is equal as long as the value has not changed."""
        self._left -= 1
        if self._left < 0 or depth > MAX_DEPTH:
            return "…"
        if value is None or isinstance(value, bool | int | float | complex | str | bytes):
            return type(value).__name__, repr(value)
        if isinstance(value, np.ndarray):
            return value.shape, value.dtype.str, value.tobytes() if value.dtype != object else len(value)
        if isinstance(value, itertools.count | itertools.cycle | range | np.generic):
            return repr(value)
        if isinstance(value, random.Random):
            return value.getstate()
        if isinstance(value, np.random.Generator):
            return repr(value.bit_generator.state)
        return self._of_many(value, depth)

    def _of_many(self, value: Any, depth: int) -> Any:
        if isinstance(value, Mapping):
            return [(self.frozen(k, depth + 1), self.frozen(v, depth + 1)) for k, v in value.items()]
        if isinstance(value, Set):
            return sorted(repr(self.frozen(each, depth + 1)) for each in value)
        if isinstance(value, list | tuple | deque):
            return [type(value).__name__, *(self.frozen(each, depth + 1) for each in value)]
        owner = sys.modules.get(type(value).__module__)
        if owner is not None and RUN_TEXT in vars(owner) and hasattr(value, "__dict__"):
            return self.frozen(vars(value), depth + 1)
        return type(value).__name__
