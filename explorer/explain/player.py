"""Moves the time cursor: playing, stepping to events and decisions, jumping to the ends; and its keys."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from core.explain.instant import DecisionPlace, decision_beside, decisions_at, event_beside

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.schedule import Schedule
    from explorer.document.time_axis import TimeAxis, TimeCursor


FRAME_MS = 16
SWEEPS = (5, 10, 20, 40, 80)
"""Seconds that the cursor may take from one border of the view to the other."""
DEFAULT_SWEEP = 20


class ChartKey(NamedTuple):
    """A key that acts while a chart has the focus, and the action that it triggers."""

    key: str
    action: str
    does: str


CHART_KEYS = (
    ChartKey("Space", "play", "Let the time cursor run, or stand still"),
    ChartKey(",", "previous_event", "Look at the event before"),
    ChartKey(".", "next_event", "Look at the next event"),
    ChartKey("Shift+Left", "previous_decision", "Look at the decision before"),
    ChartKey("Shift+Right", "next_decision", "Look at the next decision"),
)
KEY_HELP: tuple[tuple[str, str, str], ...] = tuple(
    ("Time cursor, in a chart", key.key, key.does) for key in CHART_KEYS
)
"""(where, keys, what they do)."""


class Player(QObject):
    """Lets the time cursor of a window run and step, by the events of the active scenario.

    Playing crosses what is in view in a given time, whatever the zoom; beyond the border it pages on.

    Attributes
    ----------
    sweep : seconds from one border of the view to the other

    Signals
    -------
    playing_changed : whether the cursor runs
    sweep_changed : how fast
    """

    playing_changed = Signal(bool)
    sweep_changed = Signal(int)

    def __init__(
        self,
        cursor: TimeCursor,
        axis: TimeAxis,
        schedule: Callable[[], Schedule | None],
        parent: QObject | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(parent)
        self._cursor, self._axis, self._schedule, self._clock = cursor, axis, schedule, clock
        self.sweep = DEFAULT_SWEEP
        self._last = 0.0
        self._timer = QTimer(self, interval=FRAME_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._advance)
        cursor.moved.connect(self._on_moved)

    # ---- playing

    @property
    def is_playing(self) -> bool:
        """Whether the cursor runs."""
        return self._timer.isActive()

    def set_sweep(self, seconds: int) -> None:
        """Choose how fast to play."""
        if seconds != self.sweep:
            self.sweep = seconds
            self.sweep_changed.emit(seconds)

    def toggle(self) -> None:
        """Play, or pause."""
        if self.is_playing:
            self.pause()
        else:
            self.play()

    def play(self) -> None:
        """Run from where the cursor is, or from the start if there is nothing left to play."""
        seconds = self._cursor.seconds
        if self._cursor.end <= 0 or self.is_playing:
            return
        if seconds is None or seconds >= self._cursor.end:
            self._cursor.show_at(0.0)
        self._last = self._clock()
        self._timer.start()
        self.playing_changed.emit(True)

    def pause(self) -> None:
        """Stand still."""
        if self.is_playing:
            self._timer.stop()
            self.playing_changed.emit(False)

    def _advance(self) -> None:
        now = self._clock()
        seconds = (self._cursor.seconds or 0.0) + (now - self._last) * self._axis.range.span / self.sweep
        self._last = now
        self._cursor.show_at(seconds)
        if seconds >= self._cursor.end:
            self.pause()

    def _on_moved(self) -> None:
        if self._cursor.seconds is None:
            self.pause()
        else:
            self._axis.reveal(self._cursor.seconds)

    # ---- stepping

    def to_start(self) -> None:
        """Look at the beginning."""
        self._show(0.0)

    def to_end(self) -> None:
        """Look at the end of the active scenario."""
        schedule = self._schedule()
        if schedule is not None:
            self._show(schedule.makespan)

    def step_event(self, step: int) -> None:
        """Look at the next time something happens in the active scenario, or the last before for -1.

        Where decisions are taken that is twice: before them and after them.
        """
        schedule, cursor = self._schedule(), self._cursor
        if schedule is None:
            return
        here = self.decisions_here()
        over = min(cursor.decision, here)
        if cursor.seconds is not None and over != (here if step > 0 else 0):
            self._show(DecisionPlace(cursor.seconds, here if step > 0 else 0))
            return
        seconds = event_beside(schedule, self._from(step), step)
        if seconds is not None:
            self._show(DecisionPlace(seconds, 0 if step > 0 else decisions_at(schedule, seconds)))

    def step_decision(self, step: int) -> None:
        """Look at the next task that got a slot in the active scenario, or the last before for -1."""
        schedule = self._schedule()
        if schedule is not None:
            self._show(decision_beside(schedule, self._from(step), self._cursor.decision, step))

    def decisions_here(self) -> int:
        """Return how many tasks of the active scenario start at the cursor's time."""
        schedule = self._schedule()
        if schedule is None or self._cursor.seconds is None:
            return 0
        return decisions_at(schedule, self._cursor.seconds)

    def _from(self, step: int) -> float:
        """Return where a step begins: at the cursor, or beyond the end that it comes from."""
        beyond = -1.0 if step > 0 else float("inf")
        return beyond if self._cursor.seconds is None else self._cursor.seconds

    def _show(self, place: DecisionPlace | float | None) -> None:
        """Look at a time or a decision; where there is none, stay."""
        self.pause()
        if isinstance(place, DecisionPlace):
            self._cursor.show_at(*place)
        elif place is not None:
            self._cursor.show_at(place)
