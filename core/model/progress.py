"""What long work calls by default: its progress goes nowhere, and it is never stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.model.errors import Cancelled

if TYPE_CHECKING:
    from collections.abc import Callable


def no_progress(_news: object) -> None:
    """Do nothing with the fraction that is done, or with what was found."""


def never_stop() -> bool:
    """Return False: the work goes on to its end."""
    return False


def cancelled_if(should_stop: Callable[[], bool], what: str) -> Callable[[], None]:
    """Return a function that raises Cancelled, "`what` was cancelled", once the work has to stop."""

    def look() -> None:
        if should_stop():
            raise Cancelled(f"{what} was cancelled")

    return look
