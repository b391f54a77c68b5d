"""The keys of a chart, for the chart itself and for the list of shortcuts, and the ring of keyboard focus."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent
from typing_extensions import override

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QWidget


Key = Qt.Key
ALT = Qt.KeyboardModifier.AltModifier


class KeyBinding(NamedTuple):
    """Keys, and the method of the chart (or of a part of it) that they call."""

    keys: tuple[Qt.Key, ...]
    text: str
    method: str
    does: str
    modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier


KEY_BINDINGS: tuple[KeyBinding, ...] = (
    KeyBinding((Key.Key_Left,), "Left", "look.pan_left", "Show earlier times"),
    KeyBinding((Key.Key_Right,), "Right", "look.pan_right", "Show later times"),
    KeyBinding((Key.Key_Up,), "Up", "look.scroll_up", "Show slots further up"),
    KeyBinding((Key.Key_Down,), "Down", "look.scroll_down", "Show slots further down"),
    KeyBinding((Key.Key_Plus, Key.Key_Equal), "+", "look.zoom_in", "Zoom in"),
    KeyBinding((Key.Key_Minus,), "−", "look.zoom_out", "Zoom out"),
    KeyBinding((Key.Key_F, Key.Key_0, Key.Key_Home), "F, 0 or Home", "look.fit", "Show everything"),
    KeyBinding((Key.Key_Z,), "Z", "look.zoom_to_selected", "Zoom to the selected job"),
    KeyBinding((Key.Key_N,), "N", "select_next", "Select the next job"),
    KeyBinding((Key.Key_P,), "P", "select_previous", "Select the previous job"),
    KeyBinding((Key.Key_Backspace,), "Backspace", "look.zoom_back", "Return to the view before"),
    KeyBinding((Key.Key_Left,), "Alt+Left", "look.zoom_back", "Return to the view before", ALT),
    KeyBinding((Key.Key_Right,), "Alt+Right", "look.zoom_forward", "Go forward again", ALT),
    KeyBinding((Key.Key_Escape,), "Escape", "cancel_gesture", "Give up a drag"),
)


def method_of(event: QKeyEvent) -> str:
    """Return the name of the method that a key calls, or nothing."""
    modifier = event.modifiers() & ALT
    for binding in KEY_BINDINGS:
        if event.key() in binding.keys and modifier == binding.modifier:
            return binding.method
    return ""


QUIET_REASONS = (Qt.FocusReason.MouseFocusReason, Qt.FocusReason.ActiveWindowFocusReason)


class FocusRing(QObject):
    """Follows the focus of one widget.

    Attributes
    ----------
    is_shown : whether the ring is to be painted
    """

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.is_shown = False
        self._widget = widget
        widget.installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QFocusEvent):
            came = event.type() == QEvent.Type.FocusIn
            self.is_shown = came and event.reason() not in QUIET_REASONS
            self._widget.update()
        return super().eventFilter(watched, event)
