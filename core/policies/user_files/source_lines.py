"""Where in a user's policy file something stands: the line of a function, or of what raised an exception."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import FrameType

    from core.model.errors import SourcePlace
    from core.policies.user_files.policy_file import PolicySource


def place_of_error(error: BaseException, source: PolicySource | None) -> SourcePlace | None:
    """Return the innermost line of a user's file that an exception passed through; None without a file."""
    if source is None:
        return None
    lines = [line for frame, line in frames_of(error) if frame.f_code.co_filename == str(source.path)]
    return source.place(lines[-1] if lines else 0)


def place_of_function(function: Any, source: PolicySource | None) -> SourcePlace | None:
    """Return where a function of a user's file begins; None without a file."""
    if source is None:
        return None
    code = getattr(function, "__code__", None)
    if code is None or code.co_filename != str(source.path):
        return source.place()
    return source.place(code.co_firstlineno)


def place_of_file(source: PolicySource | None) -> SourcePlace | None:
    """Return the file as a place where no line is to blame; None without a file."""
    return None if source is None else source.place()


def frames_of(error: BaseException) -> list[tuple[FrameType, int]]:
    """Return the frames that an exception passed through with their lines, the innermost last."""
    return list(traceback.walk_tb(error.__traceback__))
