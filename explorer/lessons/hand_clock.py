"""The clock of a game: seconds for each decision or for the whole game, paused while one looks elsewhere."""

from __future__ import annotations

import time
from typing import NamedTuple

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QComboBox, QProgressBar, QWidget

from core.model.time_text import duration_text
from explorer.widgets.layouts import NO_MARGINS, named, row
from explorer.widgets.plain_labels import PlainLabel

TICK_MS = 100
HURRY = 5.0
"""Seconds from which on the clock stands out."""


class Limit(NamedTuple):
    """How long there is: seconds for each decision, or for all of them; 0 for no clock."""

    seconds: float
    is_per_decision: bool

    @property
    def text(self) -> str:
        """As a list shows it."""
        if not self.seconds:
            return "No clock"
        return f"{duration_text(self.seconds)} {'a decision' if self.is_per_decision else 'in all'}"


LIMITS = (
    Limit(0.0, False),
    *(Limit(seconds, True) for seconds in (5.0, 10.0, 20.0)),
    *(Limit(seconds, False) for seconds in (60.0, 120.0, 300.0)),
)
TIP = (
    "Play against the clock: when the time of a decision is over, the job in front gets the slot; when the "
    "time of the game is over, FIFO goes on to the end. It stands still while another window is in front."
)


class HandClock(QWidget):
    """Counts down while its window is in front.

    Signals
    -------
    decision_over : the time of this decision is over
    game_over : the time of the whole game is over
    """

    decision_over = Signal()
    game_over = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.choice = named(QComboBox(), "Clock", TIP)
        self.choice.addItems([limit.text for limit in LIMITS])
        self.bar = named(QProgressBar(), "Time left")
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(90)
        self.label = PlainLabel()
        self.label.setMinimumWidth(self.label.fontMetrics().horizontalAdvance("59 min 59 s"))
        row(self.choice, self.bar, self.label, parent=self, margins=NO_MARGINS)
        self.left = 0.0
        self._is_counting = False
        self._seen = 0.0
        self._timer = QTimer(self, interval=TICK_MS)
        self._timer.timeout.connect(self._tick)
        self.choice.currentIndexChanged.connect(self.wind_up)
        self.wind_up()

    @property
    def limit(self) -> Limit:
        """What is chosen."""
        return LIMITS[self.choice.currentIndex()]

    def wind_up(self) -> None:
        """Begin with all the time there is."""
        self.left = self.limit.seconds
        self._show()
        self._run()

    def begin(self, is_counting: bool, *, is_new: bool = True) -> None:
        """Count while something has to be decided; a new decision has its own time."""
        if is_new and self.limit.is_per_decision:
            self.left = self.limit.seconds
        self._is_counting = is_counting
        self._show()
        self._run()

    def pass_time(self, seconds: float) -> None:
        """Let so much time pass, and notify when it is over."""
        if not self.limit.seconds or not self._is_counting:
            return
        before, self.left = self.left, max(0.0, self.left - seconds)
        self._show()
        if before > 0 and self.left == 0:
            self._run()
            (self.decision_over if self.limit.is_per_decision else self.game_over).emit()

    def stop(self) -> None:
        """Count no more."""
        self.begin(False, is_new=False)

    def _run(self) -> None:
        """Let the clock go, or stand still."""
        self._seen = time.monotonic()
        if self.limit.seconds and self._is_counting and self.left > 0:
            self._timer.start()
        else:
            self._timer.stop()

    def _tick(self) -> None:
        now = time.monotonic()
        passed, self._seen = now - self._seen, now
        if self.window().isActiveWindow():
            self.pass_time(passed)

    def _show(self) -> None:
        has_clock = self.limit.seconds > 0
        self.bar.setVisible(has_clock)
        self.label.setVisible(has_clock)
        self.bar.setValue(round(1000 * self.left / self.limit.seconds) if has_clock else 0)
        self.label.setText(duration_text(self.left) if self.left >= 0.05 else "over")
        font = self.label.font()
        font.setBold(self.left <= HURRY)
        self.label.setFont(font)
