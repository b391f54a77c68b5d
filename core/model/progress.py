"""What long work calls by default: its progress goes nowhere, and it is never stopped."""

from __future__ import annotations


def no_progress(_news: object) -> None:
    """Do nothing with the fraction that is done, or with what was found."""


def never_stop() -> bool:
    """Return False: the work goes on to its end."""
    return False
