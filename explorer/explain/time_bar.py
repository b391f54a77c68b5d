"""The bar of the time cursor: signs to play and step through time, where it stands, what to ask there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QComboBox, QLabel, QSizePolicy, QToolBar, QWidget
from typing_extensions import override

from core.model.time_text import clock_step, clock_text
from explorer.explain.player import SWEEPS
from explorer.widgets.plain_labels import PlainLabel
from explorer.widgets.theme import icon

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from PySide6.QtGui import QAction

    from explorer.document.time_axis import TimeAxis, TimeCursor
    from explorer.explain.player import Player


STEPS = (
    "to_start",
    "previous_event",
    "previous_decision",
    "play",
    "next_decision",
    "next_event",
    "to_end",
)
"""Actions with a sign, in this order."""
NOWHERE = "drag along a time axis, or play"
LONGEST = "at 0:00:00.00 · decision 000 of 000"
SIDE = 16
"""Pixels of an icon."""


class TimeBar(QToolBar):
    """Actions of the time cursor; what has no room is behind the arrow at the end."""

    def __init__(
        self,
        player: Player,
        cursor: TimeCursor,
        axis: TimeAxis,
        actions: Mapping[str, QAction],
        questions: Sequence[str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("Time bar", parent)
        self._player, self._cursor, self._axis, self._actions = player, cursor, axis, actions
        self.setObjectName("time bar")
        self.setAccessibleName("Time bar")
        self.setIconSize(QSize(SIDE, SIDE))
        for name in STEPS:
            self.addAction(actions[name])
        self.place = _PlaceLabel()
        self.addWidget(self.place)
        self.speed = self._speed_box()
        self.addWidget(self.speed)
        self.addSeparator()
        for name in questions:
            actions[name].setIconText(actions[name].text().replace("&", "").rstrip("…"))
            self.addAction(actions[name])
        cursor.moved.connect(self.refresh)
        axis.range_changed.connect(self.refresh)
        player.playing_changed.connect(self._show_playing)
        for name in STEPS:
            actions[name].setIcon(icon(name))
        self.refresh()

    def _speed_box(self) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName("Speed of playing")
        box.setToolTip("How many seconds playing takes from one border of the charts to the other")
        for seconds in SWEEPS:
            box.addItem(f"view in {seconds} s", seconds)
        box.setCurrentIndex(SWEEPS.index(self._player.sweep))
        box.currentIndexChanged.connect(lambda place: self._player.set_sweep(SWEEPS[place]))
        self._player.sweep_changed.connect(lambda seconds: box.setCurrentIndex(SWEEPS.index(seconds)))
        return box

    def refresh(self) -> None:
        """Say where the cursor stands."""
        self.place.setText(self._place_text())

    def _place_text(self) -> str:
        seconds = self._cursor.seconds
        if seconds is None:
            return NOWHERE
        span = self._axis.range.span
        text = f"at {clock_text(seconds, clock_step(span), self._cursor.end)}"
        decisions = 0 if self._player.is_playing else self._player.decisions_here()
        if decisions:
            text += f" · decision {min(self._cursor.decision, decisions - 1) + 1} of {decisions}"
        return text

    def _show_playing(self, is_playing: bool) -> None:
        self._actions["play"].setIcon(icon("pause" if is_playing else "play"))
        self.refresh()


class _PlaceLabel(PlainLabel):
    """Text that keeps its width while the time runs."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Time cursor")
        self.setMargin(4)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    @override
    def sizeHint(self) -> QSize:
        own = QLabel.sizeHint(self)
        width = max(self.fontMetrics().horizontalAdvance(text) for text in (LONGEST, NOWHERE)) + 10
        return QSize(max(width, own.width()), own.height())
