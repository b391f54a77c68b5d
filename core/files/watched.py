"""Go through many things, say how far it is, and stop when that is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from core.model.errors import Cancelled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

Thing = TypeVar("Thing")
STEP = 2048
"""Things between two reports."""


def _nothing(_fraction: float) -> None:
    """Tell nobody."""


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Watch:
    """Whom to tell how far a piece of work is, and whom to ask whether it should go on.

    Attributes
    ----------
    progress : told the fraction done
    should_stop : whether the user gave up
    """

    progress: Callable[[float], None] = _nothing
    should_stop: Callable[[], bool] = _never

    def over(self, things: Sequence[Thing], begin: float = 0.0, end: float = 1.0) -> Iterator[Thing]:
        """Yield each thing, as the part of the work from one fraction to another; may raise Cancelled."""
        for place, thing in enumerate(things):
            if place % STEP == 0:
                self.check(begin + (end - begin) * place / len(things))
            yield thing

    def check(self, fraction: float) -> None:
        """Tell how much is done; raise Cancelled if nobody wants the rest."""
        if self.should_stop():
            raise Cancelled
        self.progress(fraction)


UNWATCHED = Watch()
