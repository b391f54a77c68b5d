"""The row of tools: buttons to play and step through time, the cursor's place, the most used actions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QActionGroup, QKeySequence
from PySide6.QtWidgets import QLabel, QMenu, QSizePolicy, QToolBar, QToolButton, QWidget
from typing_extensions import override

from core.explain.explanation_words import decision_words
from core.model.time_text import clock_step, clock_text
from explorer.explain.player import SWEEPS
from explorer.widgets.plain_labels import PlainLabel, tooltip
from explorer.widgets.theme import icon

if TYPE_CHECKING:
    from collections.abc import Mapping

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
TOOLS = {
    "search": ("Search everything…  Ctrl+K", "search"),
    "add_scenario": ("Scenario", "add"),
    "comparison": ("Compare", "compare"),
    "why_task": ("Why", "why"),
    "findings": ("Findings", "findings"),
    "optimize": ("Optimise", "optimise"),
}
"""Actions with a word and a sign; in a narrow window the last ones are behind the arrow at the end."""
QUESTIONS = ("why_task", "at_instant", "why_makespan", "first_difference", "fork")
"""What "Why" offers."""
NOWHERE = "drag a time axis, or play"
LONGEST = "at 0:00:00, before 000 decisions"
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
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("Tools", parent)
        self._player, self._cursor, self._axis, self._actions = player, cursor, axis, actions
        self.setObjectName("time bar")
        self.setAccessibleName("Tools")
        self.setIconSize(QSize(SIDE, SIDE))
        self.setMovable(False)
        for name in STEPS:
            self.addAction(actions[name])
        self.speeds = self._speed_menu()
        self._add_menu("play", self.speeds, QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.place = _PlaceLabel()
        self.addWidget(self.place)
        rest = QWidget()
        rest.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(rest)
        for name, (text, sign) in TOOLS.items():
            self._add_tool(actions[name], text, sign)
        self.questions = QMenu(self)
        self.questions.setToolTipsVisible(True)
        self.questions.addActions([actions[name] for name in QUESTIONS])
        self._add_menu("why_task", self.questions, QToolButton.ToolButtonPopupMode.InstantPopup)
        cursor.moved.connect(self.refresh)
        cursor.end_changed.connect(self.refresh)
        axis.range_changed.connect(self.refresh)
        player.playing_changed.connect(self._show_playing)
        for name in STEPS:
            actions[name].setIcon(icon(name))
        more = self.findChild(QToolButton, "qt_toolbar_ext_button")  # Qt paints it black upon black
        assert isinstance(more, QToolButton)
        more.setIcon(icon("right"))
        more.setToolTip("Tools that have no room here")
        self.refresh()

    def _add_tool(self, action: QAction, text: str, sign: str) -> None:
        key = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        action.setIcon(icon(sign))
        action.setIconText(text)
        self.addAction(action)
        button = self.widgetForAction(action)
        assert isinstance(button, QToolButton)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setToolTip(tooltip(f"{action.toolTip()} ({key})" if key else action.toolTip()))

    def _add_menu(self, name: str, menu: QMenu, mode: QToolButton.ToolButtonPopupMode) -> None:
        """Let the button of an action have a menu."""
        button = self.widgetForAction(self._actions[name])
        assert isinstance(button, QToolButton)
        button.setMenu(menu)
        button.setPopupMode(mode)

    def _speed_menu(self) -> QMenu:
        menu = QMenu("Speed of playing", self)
        group = QActionGroup(menu)
        for seconds in SWEEPS:
            action = menu.addAction(f"Play what is in view in {seconds} s")
            action.setCheckable(True)
            action.setChecked(seconds == self._player.sweep)
            action.triggered.connect(partial(self._player.set_sweep, seconds))
            group.addAction(action)
        return menu

    def refresh(self) -> None:
        """Show where the cursor stands."""
        self.place.setText(self._place_text())

    def _place_text(self) -> str:
        seconds = self._cursor.seconds
        if seconds is None:
            return NOWHERE
        span = self._axis.range.span
        text = f"at {clock_text(seconds, clock_step(span), self._cursor.end)}"
        is_shown = not self._player.is_playing and seconds < self._cursor.end  # a veil hides them
        decisions = self._player.decisions_here() if is_shown else 0
        return text + decision_words(self._cursor.decision, decisions)

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

    @override
    def minimumSizeHint(self) -> QSize:
        return QLabel.sizeHint(self)  # in a narrow window tools need the rest
