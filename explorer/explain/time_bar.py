"""Buttons that play and step through time, and where the time cursor stands."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton, QWidget
from typing_extensions import override

from core.explain.explanation_words import decision_words
from core.model.time_text import clock_step, clock_text
from explorer.explain.player import SWEEPS
from explorer.widgets.flat_button import FlatButton
from explorer.widgets.layouts import NO_MARGINS, row
from explorer.widgets.plain_labels import ElidedLabel, tooltip
from explorer.widgets.theme import icon

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QAction

    from explorer.document.time_axis import TimeAxis, TimeCursor
    from explorer.explain.player import Player


STEPS = ("to_start", "previous_event", "play", "next_event", "to_end")
"""Actions with a sign, in this order."""


class TimeBar(QWidget):
    """Actions of the time cursor, and its place while it stands anywhere.

    Attributes
    ----------
    buttons : by the name of their action
    place : where the cursor stands, as text
    speeds : how fast to play, a menu
    """

    def __init__(
        self,
        player: Player,
        cursor: TimeCursor,
        axis: TimeAxis,
        actions: Mapping[str, QAction],
        speeds: QMenu,
    ) -> None:
        super().__init__(accessibleName="Time")
        self._player, self._cursor, self._axis, self._actions = player, cursor, axis, actions
        self.speeds = speeds
        self.buttons: dict[str, FlatButton] = {}
        for name in STEPS:
            button = self.buttons[name] = FlatButton()
            actions[name].setIcon(icon(name))
            button.take(actions[name])
        play = self.buttons["play"]
        play.setMenu(speeds)
        play.setPopupMode(QToolButton.ToolButtonPopupMode.DelayedPopup)
        play.setToolTip(tooltip(f"{play.toolTip()}; keep it pressed for the speed"))
        self.place = ElidedLabel()
        self.place.setAccessibleName("Time cursor")
        self.place.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.place.setMinimumWidth(1)
        row(*self.buttons.values(), (self.place, 1), parent=self, margins=NO_MARGINS, spacing=0)
        cursor.moved.connect(self.refresh)
        cursor.end_changed.connect(self.refresh)
        axis.range_changed.connect(self.refresh)
        player.playing_changed.connect(self._show_playing)
        self.refresh()

    def refresh(self) -> None:
        """Show where the cursor stands."""
        self.place.setText(self._place_text())

    def _place_text(self) -> str:
        seconds = self._cursor.seconds
        if seconds is None:
            return ""
        span = self._axis.range.span
        text = f"at {clock_text(seconds, clock_step(span), self._cursor.end)}"
        is_shown = not self._player.is_playing and seconds < self._cursor.end  # a veil hides them
        decisions = self._player.decisions_here() if is_shown else 0
        return text + decision_words(self._cursor.decision, decisions)

    def _show_playing(self, is_playing: bool) -> None:
        self._actions["play"].setIcon(icon("pause" if is_playing else "play"))
        self.refresh()

    @override
    def minimumSizeHint(self) -> QSize:
        buttons = list(self.buttons.values())
        return QSize(sum(button.sizeHint().width() for button in buttons), buttons[0].sizeHint().height())


def speed_menu(player: Player, parent: QWidget) -> QMenu:
    """Return a menu that sets how fast a player plays."""
    menu = QMenu("Speed of playing", parent)
    group = QActionGroup(menu)
    for seconds in SWEEPS:
        action = menu.addAction(f"Play what is in view in {seconds} s")
        action.setCheckable(True)
        action.setChecked(seconds == player.sweep)
        action.triggered.connect(partial(player.set_sweep, seconds))
        group.addAction(action)
    return menu
