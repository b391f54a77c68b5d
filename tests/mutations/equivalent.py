"""Faults that no test can catch, each with the reason: what they change is not seen, or the same."""

from __future__ import annotations

from typing import NamedTuple


class Equivalent(NamedTuple):
    """A fault: the module, its lines without and with the fault, and why nothing can see it."""

    module: str
    right: str
    wrong: str
    reason: str


EQUIVALENT: tuple[Equivalent, ...] = ()
