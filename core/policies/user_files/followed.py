"""Functions of a policy are followed while they run: what their names stood for when they returned."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType


class Left(NamedTuple):
    """Where a function returned, on which line, and what its names and those of its module stood for."""

    line: int
    names: dict[str, Any]
    globals: dict[str, Any]


class Followed:
    """Calls `enter` for each function that is called meanwhile, as `sys.settrace` does; nothing for None.

    A class, since a hook is followed for each job that waits, at each decision.
    """

    def __init__(self, enter: Callable[[FrameType, str, Any], Any] | None) -> None:
        self._enter, self._before = enter, sys.gettrace()

    def __enter__(self) -> None:
        sys.settrace(self._enter)

    def __exit__(self, *_raised: object) -> None:
        sys.settrace(self._before)


def left_when_called(code: CodeType, call: Callable[[], Any]) -> Left | None:
    """Call something, and return how a function that has this code returned; None if it did not run.

    Of calls inside each other it is the outermost, of several the last. What is raised is raised on.
    """
    left: Left | None = None

    def leave(frame: FrameType, event: str, _value: Any) -> Any:
        nonlocal left
        if event == "return":
            left = Left(frame.f_lineno, dict(frame.f_locals), frame.f_globals)
        return leave

    def enter(frame: FrameType, _event: str, _value: Any) -> Any:
        if frame.f_code is not code:
            return None
        frame.f_trace_lines = False  # its end alone is of interest
        return leave

    with Followed(enter):
        call()
    return left
