"""The time that charts show: their common axis with its zooms, and the instant that is looked at."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from core.charts.fold import NO_FOLD, Fold

if TYPE_CHECKING:
    from collections.abc import Callable


COALESCE_SECONDS = 0.7
"""Steps of one wheel or drag that follow within this time are one entry of the history."""

MAX_HISTORY = 100
MARGIN = 0.03
"""Room after the last task, as a share of the extent, so that the makespan line has air."""

REVEALED_AT = 0.1
"""Where in the view a time comes to lie that was out of it."""

DEEPEST_ZOOM = 1e-6
"""Smallest span, as a share of the extent: pixels still have whole 64-bit positions below it."""


class TimeRange(NamedTuple):
    """A stretch of a time axis; the span is kept as it is: panning does not change the scale by a bit.

    Attributes
    ----------
    start, span : where it begins and how much it shows, in seconds of the axis
    fold : which place on the axis a time has; without a fold, places are times
    """

    start: float
    span: float
    fold: Fold = NO_FOLD

    @property
    def end(self) -> float:
        """The last place shown."""
        return self.start + self.span

    @property
    def times(self) -> tuple[float, float]:
        """The first and the last second shown."""
        return self.fold.seconds(self.start), self.fold.seconds(self.end)

    def refolded(self, fold: Fold) -> TimeRange:
        """Return the range that shows the same times with another fold."""
        if fold == self.fold:
            return self
        first, last = (fold.place(time) for time in self.times)
        return TimeRange(first, last - first, fold)


class TimeAxis(QObject):
    """What part of time the charts show; charts that share an axis are linked.

    Attributes
    ----------
    range : the range that is shown
    cursor : the time under the pointer, or None

    Signals
    -------
    range_changed : another range is shown
    cursor_changed : the time under the pointer changed
    history_changed : whether one can go back or forward may have changed
    """

    range_changed = Signal()
    cursor_changed = Signal()
    history_changed = Signal()

    def __init__(self, parent: QObject | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(parent)
        self._clock = clock
        self._extent = TimeRange(0.0, 1.0)
        self._asked: tuple[float, float, Fold] = 0.0, 1.0, NO_FOLD
        self._least_end = -math.inf
        self.range = self._fitted()
        self.cursor: float | None = None
        self._back: list[TimeRange] = []
        self._forward: list[TimeRange] = []
        self._last_gesture = ""
        self._last_moment = 0.0

    @property
    def t0(self) -> float:
        """First time shown."""
        return self.range.times[0]

    @property
    def t1(self) -> float:
        """Last time shown."""
        return self.range.times[1]

    @property
    def extent(self) -> tuple[float, float]:
        """First and last time of everything there is."""
        return self._extent.times

    @property
    def fold(self) -> Fold:
        """Which place on the axis a time has."""
        return self._extent.fold

    @property
    def full_range(self) -> TimeRange:
        """What `fit` shows: the extent with a margin after its end."""
        return self._fitted()

    @property
    def is_fitted(self) -> bool:
        """Whether everything is shown."""
        return self.range == self._fitted()

    def set_extent(self, t0: float, t1: float, fold: Fold = NO_FOLD) -> None:
        """Set how much time there is, and what is folded; an axis that showed everything still does."""
        self._asked = t0, t1, fold
        was_fitted = self.is_fitted
        first = fold.place(t0)
        extent = TimeRange(first, max(fold.place(max(t1, self._least_end)) - first, 1e-9), fold)
        if extent == self._extent:
            return
        self._extent = extent
        target = self._fitted() if was_fitted else self._within(self.range)
        self._show(target, always=True)

    def grow(self, seconds: float) -> None:
        """Let there be so much more time, whatever extent is set, until `settle`, and show the end of it."""
        was_fitted = self.is_fitted
        self._least_end = self.extent[1] + seconds
        self.set_extent(*self._asked)
        if not was_fitted:
            self._show(self._within(self.range._replace(start=self.range.start + seconds)))

    def settle(self) -> None:
        """Let there be as much time as was set last."""
        if self._least_end > -math.inf:
            self._least_end = -math.inf
            self.set_extent(*self._asked)

    def set_cursor(self, at: float | None) -> None:
        """Move the crosshair of all linked charts, or hide it."""
        if at != self.cursor:
            self.cursor = at
            self.cursor_changed.emit()

    def zoom(self, factor: float, at: float, gesture: str = "zoom") -> None:
        """Show `factor` times as much time; the time `at` stays where it is."""
        span = min(self._fitted().span, max(self._extent.span * DEEPEST_ZOOM, self.range.span * factor))
        if span == self.range.span:
            return
        place = self.fold.place(at)
        start = place - (place - self.range.start) * span / self.range.span
        self._go(TimeRange(start, span, self.fold), gesture)

    def pan(self, seconds: float, gesture: str = "pan") -> None:
        """Show what is so many seconds of the axis later (earlier below 0); the scale stays to the bit."""
        self._go(TimeRange(self.range.start + seconds, self.range.span, self.fold), gesture)

    def centre(self, at: float, gesture: str) -> None:
        """Show a time in the middle."""
        self.pan(self.fold.place(at) - self.range.span / 2 - self.range.start, gesture)

    def show_span(self, t0: float, t1: float, gesture: str = "") -> None:
        """Show a stretch of time; steps of one gesture are one entry of the history."""
        first, last = self.fold.place(t0), self.fold.place(t1)
        span = max(last - first, self._extent.span * DEEPEST_ZOOM)
        self._go(TimeRange(first, min(span, self._fitted().span), self.fold), gesture)

    def reveal(self, at: float) -> None:
        """Page to a time that is out of view; following something is no entry of the history."""
        place = self.fold.place(at)
        if not self.range.start <= place <= self.range.end:
            start = place - self.range.span * REVEALED_AT
            self._show(self._within(TimeRange(start, self.range.span, self.fold)))

    def fit(self) -> None:
        """Show everything."""
        self._go(self._fitted(), "")

    def back(self) -> None:
        """Return to the range before the last zoom."""
        self._travel(self._back, self._forward)

    def forward(self) -> None:
        """Take back the last `back`."""
        self._travel(self._forward, self._back)

    def _travel(self, source: list[TimeRange], other: list[TimeRange]) -> None:
        if not source:
            return
        other.append(self.range)
        self._last_gesture = ""
        self._show(self._within(source.pop()))
        self.history_changed.emit()

    def _go(self, target: TimeRange, gesture: str) -> None:
        target = self._within(target)
        if target == self.range:
            return
        self._remember(gesture)
        self._show(target)

    def _remember(self, gesture: str) -> None:
        now = self._clock()
        goes_on = bool(gesture) and gesture == self._last_gesture
        if not goes_on or now - self._last_moment > COALESCE_SECONDS:
            self._back.append(self.range)
            del self._back[:-MAX_HISTORY]
            self._forward.clear()
            self.history_changed.emit()
        self._last_gesture, self._last_moment = gesture, now

    def _show(self, target: TimeRange, always: bool = False) -> None:
        if target != self.range or always:
            self.range = target
            self.range_changed.emit()

    def _fitted(self) -> TimeRange:
        return TimeRange(self._extent.start, self._extent.span * (1 + MARGIN), self.fold)

    def _within(self, wanted: TimeRange) -> TimeRange:
        full, wanted = self._fitted(), wanted.refolded(self.fold)
        span = min(wanted.span, full.span)
        start = min(max(wanted.start, full.start), full.end - span)
        return TimeRange(start, span, self.fold)


class TimeCursor(QObject):
    """A time that is looked at, or none; outside undo.

    Several tasks may start at one time.

    Attributes
    ----------
    seconds : the time that is looked at, or None
    decision : how many of that time's decisions are over; 0 before the first one
    end : the last time it can stand at

    Signals
    -------
    moved : it stands at another time or decision, appeared, or went away
    end_changed : it can stand until another time
    """

    moved = Signal()
    end_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.seconds: float | None = None
        self.decision = 0
        self.end = 0.0

    @property
    def is_shown(self) -> bool:
        """Whether a time is looked at."""
        return self.seconds is not None

    def set_end(self, seconds: float) -> None:
        """Set when the last schedule ends; a cursor beyond it comes back."""
        if seconds != self.end:
            self.end = seconds
            self.end_changed.emit()
        if self.seconds is not None and self.seconds > seconds:
            self.show_at(seconds)

    def show_at(self, seconds: float, decision: int = 0) -> None:
        """Look at a time, after so many of its decisions."""
        seconds = min(max(seconds, 0.0), self.end)
        if (seconds, decision) != (self.seconds, self.decision):
            self.seconds, self.decision = seconds, decision
            self.moved.emit()

    def hide(self) -> None:
        """Look at no time in particular."""
        if self.seconds is not None:
            self.seconds, self.decision = None, 0
            self.moved.emit()


class EndLine(TimeCursor):
    """The time by which all is to end, if the user has set one; it may be later than any schedule.

    Signals
    -------
    dropped : the user has put it here: the seconds
    settled : it stands where it stays, or is gone
    """

    dropped = Signal(float)
    settled = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.end = math.inf

    def settle(self, seconds: float | None) -> None:
        """Stay at a time, or go for None."""
        if seconds is None:
            self.hide()
        else:
            self.show_at(seconds)
        self.settled.emit()
