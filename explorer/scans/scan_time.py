"""The time of the shared scans: a slider, and the keys of the main window to play and to step."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QSlider, QToolButton, QWidget

from core.model.time_text import clock_text
from explorer.scans.arrival_strip import ArrivalStrip
from explorer.widgets.layouts import NO_MARGINS, column, row
from explorer.widgets.theme import icon

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from explorer.scans.scan_story import ScanStory


SLIDER_STEPS = 2000
FRAME_MS = 16
SWEEP = 20
"""Seconds that playing takes from 0 to the end."""
ICON_SIDE = 16


class ScanTime(QWidget):
    """Shows and sets which instant the clocks show.

    Signals:
        moved: there is another instant; read `seconds`
    """

    moved = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, SLIDER_STEPS)
        self.slider.setAccessibleName("Time cursor")
        self.slider.setToolTip("The instant that the circles show; drag, or use the arrow keys")
        self.slider.valueChanged.connect(self.refresh)
        self.label = QLabel("0:00")
        self.label.setMinimumWidth(90)
        self._events = np.zeros(1)
        self._timer = QTimer(self, interval=FRAME_MS)
        self._timer.timeout.connect(self._tick)
        self._played_at, self._played_from, self._exact = 0.0, 0.0, 0.0
        self.actions_by_id = self._make_actions()
        buttons = []
        for action in self.actions_by_id.values():
            button = QToolButton(autoRaise=True)
            button.setDefaultAction(action)
            button.setIconSize(QSize(ICON_SIDE, ICON_SIDE))
            button.setToolTip(f"{action.toolTip()} ({action.shortcut().toString()})")
            buttons.append(button)
        self.arrivals = ArrivalStrip()
        track = column(self.arrivals, self.slider, spacing=0)
        row(*buttons, (track, 1), self.label, parent=self, margins=NO_MARGINS)

    def _make_actions(self) -> dict[str, QAction]:
        """Return the actions of the keys, in their order, with the shortcuts of the main window."""
        actions: dict[str, QAction] = {}
        specs: tuple[tuple[str, str, str, str, Callable[[], None]], ...] = (
            ("to_start", "To the &start", "Ctrl+Home", "Look at time 0", partial(self.look_at, 0.0)),
            (
                "previous_event",
                "Pre&vious event",
                "Ctrl+Left",
                "Look at the event before",
                partial(self._step, -1),
            ),
            ("play", "&Play or pause", "Ctrl+Space", "Let the time run, or stand still", self.toggle),
            ("next_event", "&Next event", "Ctrl+Right", "Look at what is next", partial(self._step, 1)),
            ("to_end", "To the &end", "Ctrl+End", "Look at the end", lambda: self.look_at(self.end)),
        )
        for name, text, key, tip, does in specs:
            actions[name] = action = QAction(icon(name), text, self)
            action.setShortcut(key)
            action.setToolTip(tip)
            action.triggered.connect(does)
        return actions

    # ---- where it stands

    @property
    def end(self) -> float:
        """When the last of the schedules ends, seconds."""
        return float(self._events[-1])

    @property
    def seconds(self) -> float:
        """The instant that is looked at: as it was asked for, or where the slider was moved to."""
        if self.end > 0 and self._step_of(self._exact) == self.slider.value():
            return self._exact
        return self.slider.value() / SLIDER_STEPS * self.end

    def _step_of(self, seconds: float) -> int:
        return round(seconds / self.end * SLIDER_STEPS)

    @property
    def is_playing(self) -> bool:
        """Whether the time runs."""
        return self._timer.isActive()

    def show_stories(self, stories: Sequence[ScanStory]) -> None:
        """Take the time of other schedules; what happens in them is stepped through."""
        schedules = [story.schedule for story in stories]
        times = (each for s in schedules for each in (s.jobs.arrival, s.boarded, s.finish))
        self._events = np.unique(np.concatenate([np.zeros(1), *times]))
        self.arrivals.show_story(next(iter(stories), None), self.end)
        self.refresh()

    def refresh(self) -> None:
        """Show where it stands."""
        self.label.setText(clock_text(self.seconds, largest=self.end))
        self.moved.emit()

    # ---- moving it

    def look_at(self, seconds: float) -> None:
        """Show an instant."""
        if self.end > 0:
            self._exact = min(max(seconds, 0.0), self.end)
            if self._step_of(self._exact) == self.slider.value():
                self.refresh()
            else:
                self.slider.setValue(self._step_of(self._exact))

    def toggle(self) -> None:
        """Let the time run, from the start where it stands at the end; or stop it."""
        if self.is_playing:
            self.stop()
            return
        self._played_at, self._played_from = (
            time.monotonic(),
            self.seconds if self.seconds < self.end else 0.0,
        )
        self._timer.start()
        self._show_playing()

    def stop(self) -> None:
        """Let it stand still."""
        self._timer.stop()
        self._show_playing()

    def _tick(self) -> None:
        passed = (time.monotonic() - self._played_at) / SWEEP * self.end
        self.look_at(min(self._played_from + passed, self.end))
        if self.seconds >= self.end:
            self.stop()

    def _step(self, direction: int) -> None:
        """Go to the next arrival, boarding or end of a job, or to the one before."""
        self.stop()
        near = self.end / SLIDER_STEPS  # finer than that the slider does not tell events apart
        later = self._events[self._events > self.seconds + near]
        before = self._events[self._events < self.seconds - near]
        found = later[:1] if direction > 0 else before[-1:]
        if len(found):
            self.look_at(float(found[0]))

    def _show_playing(self) -> None:
        self.actions_by_id["play"].setIcon(icon("pause" if self.is_playing else "play"))
