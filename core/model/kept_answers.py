"""Answers that are kept for the workloads of the last calls, until what they belong to is closed."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from functools import _lru_cache_wrapper

Answer = TypeVar("Answer")
_functions: list[_lru_cache_wrapper[Any]] = []  # Any: each gives another answer


def kept(maxsize: int) -> Callable[[Callable[..., Answer]], _lru_cache_wrapper[Answer]]:
    """Return what keeps the last answers of a function whose arguments are as large as a workload."""

    def keep(function: Callable[..., Answer]) -> _lru_cache_wrapper[Answer]:
        keeping = lru_cache(maxsize)(function)
        _functions.append(keeping)
        return keeping

    return keep


def forget_answers() -> None:
    """Keep no answer: another document was opened, and what belonged to the one before may go."""
    for function in _functions:
        function.cache_clear()
