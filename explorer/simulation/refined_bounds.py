"""Bounds that take a second: computed beside the window, once for the same jobs on the same slots."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.optimize.bounds import Bound, can_be_refined, refined_bound
from core.optimize.premise import premise_of
from explorer.widgets.worker import Order, Worker, give_way

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.cluster import Cluster
    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from explorer.simulation.outcome import Outcome
    from explorer.widgets.worker import Call

    Facts = tuple[Workload, Cluster]

MAX_KEPT = 64


class RefinedBounds(QObject):
    """Gives outcomes the best bound that is known, and has better ones computed.

    Signals
    -------
    found : a bound is better than the one that was known
    """

    found = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._known: dict[Facts, Bound | None] = {}
        self._worker = Worker(self, Order.QUEUE, threads=1, ended=self._on_ended)

    def refined(self, outcome: Outcome) -> Outcome:
        """Return the outcome with the best bound that is known; the same one where that is its own."""
        bound = self._known.get(_facts(outcome.schedule))
        if bound is None or outcome.schedule.has_copies or bound.seconds <= outcome.metrics.lower_bound:
            return outcome
        return replace(outcome, metrics=outcome.metrics.with_bound(bound.seconds), bound_why=bound.why)

    def look_at(self, outcome: Outcome) -> None:
        """Have the bound of an outcome refined, unless it is known already or cannot be better."""
        facts, schedule = _facts(outcome.schedule), outcome.schedule
        if facts in self._known or schedule.record is not None or not premise_of(schedule).is_plain:
            return
        if not can_be_refined(*facts):
            return
        while len(self._known) >= MAX_KEPT:
            del self._known[next(iter(self._known))]
        self._known[facts] = None
        self._worker.follow(partial(_refine, facts), about=facts)

    def _on_ended(self, run: Call) -> None:
        if isinstance(run.answer, Bound):
            self._known[run.about] = run.answer
            self.found.emit()


def _facts(schedule: Schedule) -> Facts:
    """Return what a bound depends on."""
    return schedule.given, replace(schedule.cluster, slowstart=0.0, overheads=None, events=None)


def _refine(facts: Facts, _progress: Callable[[float], None], should_stop: Callable[[], bool]) -> Bound:
    give_way()
    return refined_bound(*facts, should_stop)
