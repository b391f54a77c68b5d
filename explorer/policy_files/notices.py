"""Puts a notice upon every chart whose policy file needs one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRect, Signal
from shiboken6 import isValid

from core.model.schedule import choices_of
from explorer.policy_files.notice import notice_of
from explorer.policy_files.notice_card import NoticeCard
from explorer.policy_files.policy_files import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtWidgets import QWidget

    from core.model.document_state import Scenario
    from explorer.document.document import Document
    from explorer.policy_files.policy_files import PolicyFiles
    from explorer.simulation.runner import Runner

    Charts = Callable[[], Mapping[int, QWidget]]


class Notices(QObject):
    """One card per chart, made when it is first needed.

    Signals
    -------
    look_wanted : people want to look at the file with this policy id
    editor_wanted : people want the file with this policy id in their editor
    """

    look_wanted = Signal(str)
    editor_wanted = Signal(str)

    def __init__(
        self, document: Document, runner: Runner, files: PolicyFiles, charts: Charts, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._document, self._runner, self._files, self._charts = document, runner, files, charts
        self._cards: dict[int, NoticeCard] = {}
        self._failures: dict[int, Exception] = {}
        runner.outcome_ready.connect(self._on_outcome_ready)
        runner.failed.connect(self._on_failed)
        files.changed.connect(self.refresh)
        for signal in (document.scenarios_changed, document.scenario_changed, document.reset):
            signal.connect(self.refresh)

    def card(self, scenario_id: int) -> NoticeCard | None:
        """Return the card upon a scenario's chart, None if it never needed one."""
        return self._cards.get(scenario_id)

    def _on_outcome_ready(self, scenario_id: int, _outcome: object) -> None:
        self._failures.pop(scenario_id, None)
        self.refresh()

    def _on_failed(self, scenario_id: int, error: Exception) -> None:
        self._failures[scenario_id] = error
        self.refresh()

    def refresh(self) -> None:
        """Say on every chart what is to be said now."""
        self._cards = {i: card for i, card in self._cards.items() if isValid(card)}
        for scenario in self._document.scenarios:
            chart = self._charts().get(scenario.id)
            if chart is not None:
                self._refresh(scenario, chart)

    def _refresh(self, scenario: Scenario, chart: QWidget) -> None:
        state = self._files.state(self._policy_of(scenario.id))
        notice = None
        if state is not None and state.status is Status.RUNNING and not state.is_slow:
            return  # in a moment there is something new to say
        if state is not None and scenario.order is None:
            has_schedule = self._runner.outcome(scenario.id) is not None
            notice = notice_of(state, self._failures.get(scenario.id), has_schedule=has_schedule)
        card = self._cards.get(scenario.id)
        if card is None or card.parent() is not chart:
            if notice is None:
                return
            card = self._cards[scenario.id] = self._new_card(scenario.id, chart)
        card.show_notice(notice)

    def _new_card(self, scenario_id: int, chart: QWidget) -> NoticeCard:
        card = NoticeCard(chart, lambda: _plot_of(chart))
        card.look_wanted.connect(lambda: self.look_wanted.emit(self._policy_of(scenario_id)))
        card.editor_wanted.connect(lambda: self.editor_wanted.emit(self._policy_of(scenario_id)))
        return card

    def _policy_of(self, scenario_id: int) -> str:
        """Return which of a scenario's policies to speak of: before a fork another one decides."""
        ids = [choice.id for choice in choices_of(self._document.scenario(scenario_id))]
        states = [(i, self._files.state(i)) for i in reversed(ids)]
        waiting = (i for i, state in states if state is not None and state.status is not Status.GOOD)
        return next(waiting, ids[-1])


def _plot_of(chart: QWidget) -> QRect:
    """Return where a chart shows its slots; of any other widget all of it."""
    frame = getattr(chart, "frame", None)
    return chart.rect() if frame is None else QRect(frame().places.plot)
