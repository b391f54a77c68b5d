"""Counts the lines of code that something runs: how work grows, which no neighbour on the machine changes."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def lines_run(act: Callable[[], Any]) -> int:
    """Return how many lines of Python an action runs, rounds of comprehensions among them."""
    lines, before, collects = 0, sys.gettrace(), gc.isenabled()

    def on_event(_frame: Any, event: str, _argument: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return on_event

    gc.disable()  # what others left behind would be finished here, line by line
    sys.settrace(on_event)
    try:
        act()
    finally:
        sys.settrace(before)
        if collects:
            gc.enable()
    return lines
