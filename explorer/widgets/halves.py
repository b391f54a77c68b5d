"""Parts of a panel side by side or, where that is too narrow, one above the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QWidget
from typing_extensions import override

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

MIN_SIDE_BY_SIDE = 600
"""Pixels from which parts are side by side."""


class Halves(QSplitter):
    """A splitter that turns as its width demands."""

    def __init__(self, *parts: QWidget, shares: Sequence[int]) -> None:
        """Take parts and their shares of the room: ``Halves(list, text, shares=(3, 2))``."""
        super().__init__(Qt.Orientation.Horizontal, childrenCollapsible=False)
        for place, (part, share) in enumerate(zip(parts, shares, strict=True)):
            self.addWidget(part)
            self.setStretchFactor(place, share)
        self.setSizes([100 * share for share in shares])

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        is_wide = event.size().width() >= MIN_SIDE_BY_SIDE
        self.setOrientation(Qt.Orientation.Horizontal if is_wide else Qt.Orientation.Vertical)
        super().resizeEvent(event)
