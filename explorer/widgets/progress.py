"""Bars that say how far a worker is, or that it is busy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QProgressBar

if TYPE_CHECKING:
    from explorer.widgets.worker import Worker

BUSY_HEIGHT_PX = 6


class ProgressLine(QProgressBar):
    """How much of its work a worker has done."""

    def __init__(self, accessible_name: str, worker: Worker) -> None:
        super().__init__()
        self.setRange(0, 1000)
        self.setTextVisible(False)
        self.setAccessibleName(accessible_name)
        worker.progressed.connect(lambda fraction: self.setValue(round(1000 * fraction)))


class BusyBar(QProgressBar):
    """A thin bar that moves while a worker is busy, and keeps its room while it is hidden."""

    def __init__(self, accessible_name: str) -> None:
        super().__init__()
        self.setRange(0, 0)
        self.setTextVisible(False)
        self.setFixedHeight(BUSY_HEIGHT_PX)
        self.setAccessibleName(accessible_name)
        keep = self.sizePolicy()
        keep.setRetainSizeWhenHidden(True)
        self.setSizePolicy(keep)
