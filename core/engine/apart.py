"""The mark of functions that compiled code calls instead of inlining them; `core.engine.jit` reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
R = TypeVar("R")


def apart(function: Callable[P, R]) -> Callable[P, R]:
    """Mark a function as called, not inlined: large ones else take long to compile."""
    vars(function)["is_apart"] = True
    return function
