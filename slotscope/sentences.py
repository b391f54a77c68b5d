"""Errors of the public functions: their sentence, without the frames that it came through."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from core.model.errors import SlotscopeError

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
R = TypeVar("R")


def in_sentences(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function whose errors end at its call, where it is what was given that is wrong."""

    @wraps(function)
    def called(*given: P.args, **named: P.kwargs) -> R:
        try:
            return function(*given, **named)
        except SlotscopeError as error:
            raise error.with_traceback(None) from None

    return called
