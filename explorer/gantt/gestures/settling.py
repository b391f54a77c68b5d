"""An overview of very many tasks lags while things change; when nothing changes any more it catches up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

if TYPE_CHECKING:
    from explorer.gantt.gantt_view import GanttView

SETTLE_MS = 120
"""After so long without a change, an overview that lags catches up."""


class Settling(QTimer):
    """Started whenever the overview was painted as it was before."""

    def __init__(self, view: GanttView) -> None:
        super().__init__(view, singleShot=True, interval=SETTLE_MS)
        self._view = view
        self.timeout.connect(self._on_timeout)

    def _on_timeout(self) -> None:
        self._view.scene.painter.overview_may_lag = False
        self._view.scene.invalidate()
        self._view.update()
