"""The critical paths of all scenarios, computed in a worker while they are shown."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from core.explain.critical_path import CriticalPath, critical_path
from core.explain.lints.idle_slots import IdleTime, idle_times
from core.model.errors import InputError
from explorer.widgets.worker import Worker

if TYPE_CHECKING:
    from core.model.schedule import Schedule


class Explained(NamedTuple):
    """A schedule, its critical path, and how long its slots idle."""

    schedule: Schedule
    path: CriticalPath
    idle: tuple[IdleTime, ...]


class CriticalPaths(QObject):
    """Keeps the critical path of every scenario's newest schedule.

    Attributes
    ----------
    is_wanted : whether critical paths are shown

    Signals
    -------
    changed : critical paths were computed or left; ask `of`
    failed : the exception that computing them ended with
    """

    changed = Signal()
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._schedules: dict[int, Schedule] = {}
        self._known: dict[int, tuple[Schedule, Explained | InputError]] = {}
        self.is_wanted = False
        self._calculation = Worker(self, finished=self._on_finished, failed=self.failed)

    def want(self, wanted: bool) -> None:
        """Compute critical paths from now on, or stop showing them."""
        if wanted != self.is_wanted:
            self.is_wanted = wanted
            self.changed.emit()
            self._compute()

    def put(self, scenario_id: int, schedule: Schedule | None) -> None:
        """Take a scenario's newest schedule; None when there is none any more."""
        self._schedules.pop(scenario_id, None)
        if schedule is not None:
            self._schedules[scenario_id] = schedule
        self._compute()

    def keep(self, scenario_ids: set[int]) -> None:
        """Forget all other scenarios."""
        self._schedules = {i: schedule for i, schedule in self._schedules.items() if i in scenario_ids}
        self._compute()

    def of(self, scenario_id: int) -> Explained | None:
        """Return a schedule with its critical path; None while it is computed or has none."""
        found = self._known_of(scenario_id)
        return found if isinstance(found, Explained) else None

    def why_none(self, scenario_id: int) -> str:
        """Return why a schedule has no critical path, or nothing."""
        found = self._known_of(scenario_id)
        return str(found) if isinstance(found, InputError) else ""

    def _known_of(self, scenario_id: int) -> Explained | InputError | None:
        of, found = self._known.get(scenario_id, (None, None))
        return found if self.is_wanted and of is self._schedules.get(scenario_id) else None

    def _compute(self) -> None:
        self._known = {i: known for i, known in self._known.items() if known[0] is self._schedules.get(i)}
        missing = {i: schedule for i, schedule in self._schedules.items() if i not in self._known}
        if self.is_wanted and missing:
            self._calculation.start(partial(_paths_of, missing))

    def _on_finished(self, found: object) -> None:
        assert isinstance(found, dict)  # what `_paths_of` returns
        self._known.update(found)
        self.changed.emit()


def _paths_of(schedules: dict[int, Schedule]) -> dict[int, tuple[Schedule, Explained | InputError]]:
    return {i: (schedule, _path_of(schedule)) for i, schedule in schedules.items()}


def _path_of(schedule: Schedule) -> Explained | InputError:
    """Return a critical path, or why there is none."""
    try:
        return Explained(schedule, critical_path(schedule), idle_times(schedule))
    except InputError as error:
        return error
