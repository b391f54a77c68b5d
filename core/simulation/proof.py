"""What is known of whether a result is proved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.verify.certificate import Certificate

AT_BOUND = 1e-9
"""A gap that is nothing: sums of durations may be wrong by that."""


@dataclass(frozen=True)
class Proof:
    """Whether something is proved.

    Attributes
    ----------
    certificate : that the checker has confirmed; None where there is none
    why_not : why there is none, where the search says that a plan meets its bound; else empty
    """

    certificate: Certificate | None = None
    why_not: str = ""

    def __bool__(self) -> bool:
        return self.certificate is not None


NOT_PROVED = Proof()
