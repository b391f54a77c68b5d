"""The source of a function as it was when its file was run, not as the file is now."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

RUN_TEXT = "_slotscope_text"
"""Global of a user's module that holds the text that was run: its file may be edited any time."""


def source_of(function: Callable[..., Any]) -> str:
    """Return the source lines of a function."""
    text = function.__globals__.get(RUN_TEXT)
    if text is None:
        return inspect.getsource(function)
    lines = text.splitlines(keepends=True)
    return "".join(inspect.getblock(lines[function.__code__.co_firstlineno - 1 :]))
