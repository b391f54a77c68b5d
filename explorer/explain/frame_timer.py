"""Something that changes faster than anybody looks is shown once per frame, also while it keeps changing."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer

FRAME_MS = 33


class FrameTimer(QTimer):
    """Fires once, a frame after `soon` was called first; more calls before that change nothing.

    A timer that is started again by every call would never fire while time plays.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setSingleShot(True)
        self.setInterval(FRAME_MS)

    def soon(self, *_ignored: object) -> None:
        """Fire a frame from now, unless it is to fire already."""
        if not self.isActive():
            self.start()
