"""The keys of a chart, for the chart itself and for the list of shortcuts, and the ring of keyboard focus."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from shiboken6 import isValid
from typing_extensions import override

from explorer.gantt.gestures.arrival_gesture import step_arrival

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from explorer.gantt.gestures.task_steps import SteppedChart


Key = Qt.Key
ALT, SHIFT = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ShiftModifier
BACK = "Return to the view before"
PAN_STEP = 0.12
"""The part of the view that an arrow key moves it by in time."""


class KeyBinding(NamedTuple):
    """Keys, how they are called and what they do, in words and to a chart."""

    keys: tuple[Qt.Key, ...]
    text: str
    does: str
    call: Callable[[SteppedChart], None]
    modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier


KEY_BINDINGS: tuple[KeyBinding, ...] = (
    KeyBinding(
        (Key.Key_Left,), "Left", "Go to the task before on the slot", lambda chart: chart.steps.along(-1)
    ),
    KeyBinding(
        (Key.Key_Right,), "Right", "Go to the next task on the slot", lambda chart: chart.steps.along(1)
    ),
    KeyBinding((Key.Key_Up,), "Up", "Go to the slot above", lambda chart: chart.steps.across(-1)),
    KeyBinding((Key.Key_Down,), "Down", "Go to the slot below", lambda chart: chart.steps.across(1)),
    KeyBinding((Key.Key_Return, Key.Key_Enter), "Enter", "Select the task", lambda chart: chart.steps.take()),
    KeyBinding(
        (Key.Key_Left,), "Shift+Left", "Show earlier times", lambda chart: chart.look.pan(-PAN_STEP), SHIFT
    ),
    KeyBinding(
        (Key.Key_Right,), "Shift+Right", "Show later times", lambda chart: chart.look.pan(PAN_STEP), SHIFT
    ),
    KeyBinding(
        (Key.Key_PageUp,),
        "Shift+Page Up",
        "Show a page further up",
        lambda chart: chart.look.show_page(-1),
        SHIFT,
    ),
    KeyBinding(
        (Key.Key_PageDown,),
        "Shift+Page Down",
        "Show a page further down",
        lambda chart: chart.look.show_page(1),
        SHIFT,
    ),
    KeyBinding((Key.Key_Up,), "Shift+Up", "Mark the pool above", lambda chart: chart.look.mark(-1), SHIFT),
    KeyBinding((Key.Key_Down,), "Shift+Down", "Mark the pool below", lambda chart: chart.look.mark(1), SHIFT),
    KeyBinding(
        (Key.Key_C,), "C", "Collapse the marked pool, or open it", lambda chart: chart.look.fold_marked()
    ),
    KeyBinding(
        (Key.Key_C,),
        "Shift+C",
        "Collapse all pools, or open them",
        lambda chart: chart.look.fold_all(),
        SHIFT,
    ),
    KeyBinding((Key.Key_Plus, Key.Key_Equal), "+", "Zoom in", lambda chart: chart.look.zoom(2)),
    KeyBinding((Key.Key_Minus,), "−", "Zoom out", lambda chart: chart.look.zoom(-2)),
    KeyBinding(
        (Key.Key_F, Key.Key_0, Key.Key_Home),
        "F, 0 or Home",
        "Show all of the time",
        lambda chart: chart.look.fit(),
    ),
    KeyBinding(
        (Key.Key_Z,),
        "Z",
        "Zoom to the selected job",
        lambda chart: chart.look.zoom_to_job(chart.content.selected_job),
    ),
    KeyBinding((Key.Key_N,), "N", "Select the next job", lambda chart: chart.select_by(1)),
    KeyBinding((Key.Key_P,), "P", "Select the previous job", lambda chart: chart.select_by(-1)),
    KeyBinding(
        (Key.Key_S,), "S", "Select the stage that starts next", lambda chart: chart.stage_steps.along(1)
    ),
    KeyBinding(
        (Key.Key_S,),
        "Shift+S",
        "Select the stage that started before",
        lambda chart: chart.stage_steps.along(-1),
        SHIFT,
    ),
    KeyBinding(
        (Key.Key_W,),
        "W",
        "Select the stage that the selected one waited for",
        lambda chart: chart.stage_steps.across(up=True),
    ),
    KeyBinding(
        (Key.Key_W,),
        "Shift+W",
        "Select a stage that waits for the selected one",
        lambda chart: chart.stage_steps.across(up=False),
        SHIFT,
    ),
    KeyBinding(
        (Key.Key_E,),
        "E",
        "Let the submitted job of a forecast come earlier",
        lambda chart: step_arrival(chart, -1),
    ),
    KeyBinding(
        (Key.Key_L,),
        "L",
        "Let the submitted job of a forecast come later",
        lambda chart: step_arrival(chart, 1),
    ),
    KeyBinding((Key.Key_Backspace,), "Backspace", BACK, lambda chart: chart.axis.back()),
    KeyBinding((Key.Key_Left,), "Alt+Left", BACK, lambda chart: chart.axis.back(), ALT),
    KeyBinding((Key.Key_Right,), "Alt+Right", "Go forward again", lambda chart: chart.axis.forward(), ALT),
    KeyBinding((Key.Key_Escape,), "Escape, Ctrl+Z", "Give up a drag", lambda chart: chart.cancel_gesture()),
)


def binding_of(event: QKeyEvent) -> KeyBinding | None:
    """Return what a key does, if anything; Shift matters where there is something of its own with it.

    With Ctrl it is for the window: Ctrl+Z where nothing is left to undo is no zoom.
    """
    if event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.MetaModifier):
        return None
    modifier = event.modifiers() & ALT
    wanted = (event.modifiers() & (ALT | SHIFT), modifier)
    known = {each.modifier: each for each in reversed(KEY_BINDINGS) if event.key() in each.keys}
    return next((known[each] for each in wanted if each in known), None)


PASSING_REASONS = (
    Qt.FocusReason.ActiveWindowFocusReason,
    Qt.FocusReason.PopupFocusReason,
    Qt.FocusReason.MenuBarFocusReason,
)
"""The focus goes to something that opens, and comes back from there: what was shown before is shown again."""


class FocusRing(QObject):
    """Follows the focus of one widget.

    Attributes
    ----------
    is_shown : whether the ring is to be painted
    """

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.is_shown = self._was_shown = False
        self._widget = widget
        widget.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QFocusEvent):
            came, is_passing = event.type() == QEvent.Type.FocusIn, event.reason() in PASSING_REASONS
            if came:
                by_key = event.reason() != Qt.FocusReason.MouseFocusReason
                self.is_shown = self._was_shown if is_passing else by_key
            else:
                self._was_shown, self.is_shown = self.is_shown and is_passing, False
            if isValid(self._widget):  # one that has the focus loses it while it is destroyed
                self._widget.update()
        return super().eventFilter(watched, event)
