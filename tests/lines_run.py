"""Counts the lines of code that something runs: how work grows, which no neighbour on the machine changes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def lines_run(act: Callable[[], Any]) -> int:
    """Return how many lines of Python an action runs, rounds of comprehensions among them."""
    lines, before = 0, sys.gettrace()

    def on_event(_frame: Any, event: str, _argument: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return on_event

    sys.settrace(on_event)
    try:
        act()
    finally:
        sys.settrace(before)
    return lines
