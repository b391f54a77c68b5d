"""Functions of a policy are followed while they run: what their names stood for when they returned."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
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


def each_return(
    hooks: Mapping[int, str], note: Callable[[str, Left], None]
) -> Callable[[FrameType, str, Any], Any]:
    """Return what `Followed` may call so that each return of some functions is noted.

    Parameters
    ----------
    hooks : names of functions by the ids of their code: code itself is compared by all that it is made of
    note : called with such a name, and how the function returned
    """

    def leave(frame: FrameType, event: str, _value: Any) -> Any:
        if event == "return":
            note(hooks[id(frame.f_code)], Left(frame.f_lineno, dict(frame.f_locals), frame.f_globals))
        return leave

    def enter(frame: FrameType, _event: str, _value: Any) -> Any:
        if id(frame.f_code) not in hooks:
            return None
        frame.f_trace_lines = False  # its end alone is of interest
        return leave

    return enter


def left_when_called(code: CodeType, call: Callable[[], Any]) -> Left | None:
    """Call something, and return how a function that has this code returned; None if it did not run.

    Of calls inside each other it is the outermost, of several the last. What is raised is raised on.
    """
    left: list[Left] = []
    with Followed(each_return({id(code): ""}, lambda _hook, now: left.append(now))):
        call()
    return left[-1] if left else None
