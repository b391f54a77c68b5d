"""How far makespans spread over draws of generated jobs, computed while they are shown."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from core.model.schedule import choices_of
from core.policies.user_files.source import is_policy_file
from core.simulation.engine_selection import all_is_loaded
from explorer.document.choices import searches_plan, searches_pools
from explorer.widgets.worker import Order, Worker

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.model.cluster import Cluster
    from core.model.document_state import Scenario
    from core.model.workload import Workload
    from core.study.spread import DrawnSpread
    from explorer.document.document import Document

    Key = tuple[Scenario, Cluster]

MAX_TASKS = 60_000
"""Of more tasks the draws of a scenario take more than some seconds."""


class DrawnSpreads(QObject):
    """Keeps the spreads of the scenarios as they are; of jobs that no generator made there are none.

    What takes long is left out: policies that search, users' own ones, and what is not compiled yet.

    Signals
    -------
    changed : `found` has other spreads
    """

    changed = Signal()

    def __init__(self, document: Document, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._workload: Workload | None = None
        self._known: dict[Key, DrawnSpread | None] = {}
        self._worker = Worker(self, Order.QUEUE, threads=1, ended=self._on_ended)
        document.reset.connect(self.forget)

    def forget(self) -> None:
        """Drop everything: other jobs are shown."""
        self._worker.cancel()
        self._known.clear()

    @property
    def found(self) -> Mapping[int, DrawnSpread]:
        """The spreads of scenarios as they are, by id."""
        known = {each.id: self._known.get(self._key(each)) for each in self._document.scenarios}
        return {scenario_id: spread for scenario_id, spread in known.items() if spread is not None}

    def look(self) -> None:
        """Have computed what is missing."""
        workload = self._document.workload
        if workload is not self._workload:
            self.forget()
            self._workload = workload
        tasks = workload.map_count + workload.reduce_count
        if workload.origin is None or tasks > MAX_TASKS:
            return
        for scenario in self._document.scenarios:
            key = self._key(scenario)
            if key not in self._known and _is_quick(*key):
                self._known[key] = None
                self._worker.follow(partial(_spread, workload, key), about=(workload, key))

    def _key(self, scenario: Scenario) -> Key:
        return replace(scenario, id=1, title="", cluster=None), self._document.state.cluster_of(scenario)

    def _on_ended(self, call: Any) -> None:
        workload, key = call.about
        if workload is self._workload and call.answer is not None:
            self._known[key] = call.answer
            self.changed.emit()


def _is_quick(scenario: Scenario, cluster: Cluster) -> bool:
    policies = [choice.id for choice in choices_of(scenario)]
    is_slow = any(searches_plan(each) or searches_pools(each) or is_policy_file(each) for each in policies)
    return not (is_slow or scenario.choice.is_record) and all_is_loaded(scenario, cluster)


def _spread(workload: Workload, key: Key, _progress: object, should_stop: Any) -> DrawnSpread:
    from core.study.spread import makespan_spreads  # only generated jobs have any

    return makespan_spreads(workload, [key], should_stop, engine="compiled")[0]
