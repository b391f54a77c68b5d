"""The veil over what comes after a time, while it is to be guessed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from core.charts.chart import round_end

if TYPE_CHECKING:
    from collections.abc import Iterable


class Veil(QObject):
    """Hides what comes after a time, in some scenarios or in all, in charts and wherever results are shown.

    Signals
    -------
    changed : it came down, was lifted, or hides from another time on
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._seconds = math.inf
        self._scenarios: frozenset[int] | None = None

    @property
    def is_down(self) -> bool:
        """Whether it hides something."""
        return self._seconds < math.inf

    def hide_from(self, seconds: float, scenarios: Iterable[int] | None = None) -> None:
        """Hide what comes after a time, in these scenarios (by id) or in all."""
        wanted = seconds, None if scenarios is None else frozenset(scenarios)
        if wanted != (self._seconds, self._scenarios):
            self._seconds, self._scenarios = wanted
            self.changed.emit()

    def lift(self) -> None:
        """Hide nothing."""
        self.hide_from(math.inf)

    def since(self, scenario_id: int) -> float:
        """Return from when on nothing of a scenario is shown, in seconds; infinite for never."""
        is_hidden = self._scenarios is None or scenario_id in self._scenarios
        return self._seconds if is_hidden else math.inf

    def visible_end(self, seconds: float) -> float:
        """Return how far one may look while the last schedule ends at this time."""
        return min(self._seconds, seconds)

    def visible_extent(self, seconds: float) -> float:
        """Return where an axis ends that does not show when the last schedule does."""
        return round_end(seconds) if self.is_down else seconds
