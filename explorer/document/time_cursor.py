"""The instant that people look at: one line in all charts, which decision of it, and where time ends."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class TimeCursor(QObject):
    """A time that is looked at, or none; outside undo.

    Several tasks may start at one time. `decision` says how many of that time's decisions are over: 0 before
    the first one.

    Signals
    -------
    moved : it stands at another time or decision, appeared, or went away
    """

    moved = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._seconds: float | None = None
        self._decision = 0
        self._end = 0.0

    @property
    def seconds(self) -> float | None:
        """The time that is looked at, or None."""
        return self._seconds

    @property
    def decision(self) -> int:
        """How many decisions of that time are over."""
        return self._decision

    @property
    def is_shown(self) -> bool:
        """Whether a time is looked at."""
        return self._seconds is not None

    @property
    def end(self) -> float:
        """The last time it can stand at."""
        return self._end

    def set_end(self, seconds: float) -> None:
        """Say when the last schedule ends; a cursor beyond it comes back."""
        self._end = seconds
        if self._seconds is not None and self._seconds > seconds:
            self.show_at(seconds)

    def show_at(self, seconds: float, decision: int = 0) -> None:
        """Look at a time, after so many of its decisions."""
        seconds = min(max(seconds, 0.0), self._end)
        if (seconds, decision) != (self._seconds, self._decision):
            self._seconds, self._decision = seconds, decision
            self.moved.emit()

    def hide(self) -> None:
        """Look at no time in particular."""
        if self._seconds is not None:
            self._seconds, self._decision = None, 0
            self.moved.emit()
