"""What is missing of the logs that a command opens, for what it prints and for its JSON, as ``cut``."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_OPENED: ContextVar[tuple[str, ...] | None] = ContextVar("opened", default=None)
"""What is missing of each workload that the command has opened, "" if nothing is; None before the first."""


@contextmanager
def kept_apart() -> Iterator[None]:
    """Keep what one command opens apart from what another one does."""
    before = _OPENED.set(None)
    try:
        yield
    finally:
        _OPENED.reset(before)


def new_among(cuts: Iterable[str]) -> list[str]:
    """Keep what is missing of workloads that were opened; return the sentences that were not there before."""
    known = _OPENED.get() or ()
    found = tuple(cuts)
    _OPENED.set(known + found)
    return [each for each in dict.fromkeys(found) if each and each not in known]


def with_cuts(record: Any) -> Any:  # Any: JSON
    """Return a record of JSON with what is missing of the logs that it follows from, None if nothing is."""
    opened = _OPENED.get()
    if opened is None or not isinstance(record, dict):
        return record
    return record | {"cut": " ".join(dict.fromkeys(filter(None, opened))) or None}
