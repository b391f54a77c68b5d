"""A thin bar that moves while a dialog's worker is busy, and keeps its room while it is hidden."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar, QWidget

HEIGHT_PX = 6


class BusyBar(QProgressBar):
    """Says that something is under way, not how far it is."""

    def __init__(self, accessible_name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setRange(0, 0)
        self.setTextVisible(False)
        self.setFixedHeight(HEIGHT_PX)
        self.setAccessibleName(accessible_name)
        keep = self.sizePolicy()
        keep.setRetainSizeWhenHidden(True)
        self.setSizePolicy(keep)
