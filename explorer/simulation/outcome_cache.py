"""Outcomes by request, the least recently used leaving first: what makes undo instant."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from explorer.simulation.outcome import Outcome, Request

MOST_TASKS_KEPT = 10_000_000
"""Tasks of all kept schedules together: about 0.5 GB with what charts derive from them."""


class OutcomeCache:
    """A bounded memory of outcomes; the newest always stays, however large."""

    def __init__(self, most_tasks: int = MOST_TASKS_KEPT) -> None:
        self._most_tasks = most_tasks
        self._tasks = 0
        self._outcomes: OrderedDict[Request, Outcome] = OrderedDict()

    def __len__(self) -> int:
        return len(self._outcomes)

    def get(self, request: Request) -> Outcome | None:
        """Return the outcome of an equal request, or None."""
        outcome = self._outcomes.get(request)
        if outcome is not None:
            self._outcomes.move_to_end(request)
        return outcome

    def put(self, request: Request, outcome: Outcome) -> None:
        """Remember an outcome, and forget the oldest ones if there is no room."""
        if request not in self._outcomes:
            self._tasks += request.tasks
        self._outcomes[request] = outcome
        self._outcomes.move_to_end(request)
        while self._tasks > self._most_tasks and len(self._outcomes) > 1:
            forgotten, _ = self._outcomes.popitem(last=False)
            self._tasks -= forgotten.tasks
