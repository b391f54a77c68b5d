"""For work that can tell how far it is and be asked to stop: what is called where nobody listens."""

from __future__ import annotations


def tell_nobody(_news: object) -> None:
    """Take note of nothing: no progress, nothing found."""


def never_stop() -> bool:
    """Go on to the end."""
    return False
