"""When a Spark application asks for executors and gives them up, by its settings and its first tasks."""

from __future__ import annotations

import re
from heapq import heappush, heappushpop
from typing import TYPE_CHECKING

from core.logs.json_values import fields_of
from core.logs.logged_job import milliseconds, plain_text
from core.model.executors_on_demand import ExecutorsOnDemand

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.logs.json_values import Fields

SETTING = "spark.dynamicAllocation."
_TIME = re.compile(r"\s*(\d{1,12})\s*([a-z]*)\s*\Z")
_UNITS = {"us": 1e-6, "ms": 1e-3, "": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
MAX_START = 120.0
"""An executor is not taken to start for longer, s: the application may have begun long before it asked."""


class ExecutorDemand:
    """The settings of an application for executors on demand, and how long new ones take to be of use."""

    def __init__(self) -> None:
        self._settings: Mapping[str, object] = {}
        self._began: int | None = None
        self._first_added: int | None = None
        self._firsts: dict[str, list[tuple[int, float]]] = {}
        self._slots: dict[str, int] = {}
        self._tasks, self._overheads = 0, 0.0

    @property
    def is_on(self) -> bool:
        """Whether executors are asked for and given up at all."""
        return plain_text(self._settings.get(f"{SETTING}enabled")).lower() == "true"

    def take_settings(self, properties: Mapping[str, object]) -> None:
        """Take the settings of the application."""
        self._settings = properties

    def take_start(self, time: int | None) -> None:
        """Take when the application began, ms."""
        self._began = time

    def take_executor(self, name: str, slots: int, added: int) -> None:
        """Take an executor of so many slots, added at a time, ms."""
        self._slots[name] = slots
        self._firsts[name] = []
        if self._first_added is None or added < self._first_added:
            self._first_added = added

    def take_task(self, fields: Fields, start: int | None, finish: int | None) -> None:
        """Take a task that has ended, for what it took beside its run; times in ms."""
        if not self.is_on:
            return
        info, metrics = fields_of(fields.get("Task Info")), fields_of(fields.get("Task Metrics"))
        name, ran = plain_text(info.get("Executor ID")), milliseconds(metrics.get("Executor Run Time"))
        if start is None or finish is None or ran is None or name not in self._slots:
            return
        overhead = max(finish - start - ran, 0) / 1000
        self._tasks, self._overheads = self._tasks + 1, self._overheads + overhead
        firsts = self._firsts[name]  # as many as it has slots, the one launched last on top
        if len(firsts) < self._slots[name]:
            heappush(firsts, (-start, overhead))
        elif firsts and -start > firsts[0][0]:
            heappushpop(firsts, (-start, overhead))

    def found(self) -> ExecutorsOnDemand | None:
        """Return when executors are asked for and given up, None where they are not."""
        if not self.is_on:
            return None
        least = self._number("minExecutors", 0)
        given = milliseconds(self._settings.get("spark.executor.instances")) or 0
        backlog = self._seconds("schedulerBacklogTimeout", 1.0)
        has_service = plain_text(self._settings.get("spark.shuffle.service.enabled")).lower() == "true"
        demand = ExecutorsOnDemand(
            least=least,
            initial=max(least, given, self._number("initialExecutors", least)),
            backlog=backlog,
            sustained=self._seconds("sustainedSchedulerBacklogTimeout", backlog),
            idle=self._seconds("executorIdleTimeout", 60.0),
            keeps_shuffles=not has_service and not self._given("shuffleTracking.timeout"),
            start=self._start(),
            warm_up=self._warm_up(),
        )
        return demand if demand.is_sound else None

    def _given(self, name: str) -> str:
        return plain_text(self._settings.get(f"{SETTING}{name}")).lower()

    def _number(self, name: str, usual: int) -> int:
        number = milliseconds(self._given(name))
        return usual if number is None else number

    def _seconds(self, name: str, usual: float) -> float:
        """Return a setting such as 60s or 2min in seconds; without a unit it is in seconds."""
        found = _TIME.match(self._given(name))
        return int(found[1]) * _UNITS[found[2]] if found and found[2] in _UNITS else usual

    def _start(self) -> float:
        """Return how long the first executor took until it was there, s."""
        usual = ExecutorsOnDemand().start
        if self._began is None or self._first_added is None:
            return usual
        took = (self._first_added - self._began) / 1000
        return took if 0 < took <= MAX_START else usual

    def _warm_up(self) -> float:
        """Return how much longer the first tasks of executors took beside their run than others did, s."""
        firsts = [overhead for each in self._firsts.values() for _, overhead in each]
        others = self._tasks - len(firsts)
        if not firsts or others <= 0:
            return 0.0
        usual = (self._overheads - sum(firsts)) / others
        return round(max(sum(firsts) / len(firsts) - usual, 0.0), 3)
