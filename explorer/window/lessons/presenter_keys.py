"""The keys of presenter mode, and the foot that shows them for a while and fades."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QRect, Qt, QTimer, QVariantAnimation
from PySide6.QtGui import QFont, QFontMetrics, QPainter

from core.model.visible_text import NO_BREAK

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QWidget

    from explorer.widgets.theme import Theme

HELP_MS, FADE_MS = 7000, 1500
SMALLER, MIN_LETTERS = 0.75, 9
"""Letters of the help, against those of the rest, and their pixels at least."""


class PresenterKey(NamedTuple):
    """A key while presenting: how it is written, what it does, and which key it is, with Shift or not."""

    text: str
    does: str
    key: Qt.Key
    shift: bool = False


K = Qt.Key
KEYS: dict[str, PresenterKey] = {
    "play": PresenterKey("Space", "Play, or stand still", K.Key_Space),
    "next_event": PresenterKey("→", "Look at the next event", K.Key_Right),
    "previous_event": PresenterKey("←", "Look at the event before", K.Key_Left),
    "next_decision": PresenterKey("Shift+→", "Look at the next decision", K.Key_Right, shift=True),
    "previous_decision": PresenterKey("Shift+←", "Look at the decision before", K.Key_Left, shift=True),
    "next_step": PresenterKey("Page Down", "Next step of the lesson, or next caption", K.Key_PageDown),
    "previous_step": PresenterKey("Page Up", "Step or caption before", K.Key_PageUp),
    "lift": PresenterKey("V", "Lift the veil of the step", K.Key_V),
    "poll": PresenterKey("P", "Ask the class: phones answer; then show how many gave which answer", K.Key_P),
    "to_start": PresenterKey("Home", "Look at the beginning", K.Key_Home),
    "to_end": PresenterKey("End", "Look at the end", K.Key_End),
    "faster": PresenterKey("↑", "Play faster", K.Key_Up),
    "slower": PresenterKey("↓", "Play slower", K.Key_Down),
    "larger": PresenterKey("+", "Larger text", K.Key_Plus),
    "smaller": PresenterKey("−", "Smaller text", K.Key_Minus),
    "next_scenario": PresenterKey("Tab", "Next scenario", K.Key_Tab),
    "alone": PresenterKey("A", "One chart, or all that fit", K.Key_A),
    "fit": PresenterKey("0", "Show the whole schedule", K.Key_0),
    "help": PresenterKey("H", "Show the keys", K.Key_H),
    "leave": PresenterKey("Escape", "Leave; F5 does, too", K.Key_Escape),
}
STRIP = ("play", "next_event", "next_step", "faster", "larger", "alone", "leave")
"""Keys that the strip tells at first."""
OTHER_KEYS = {K.Key_F5: "leave", K.Key_Equal: "larger", K.Key_F1: "help", K.Key_Backtab: "next_scenario"}
MOVES = ("play", "event", "decision", "step", "lift", "to_start", "to_end")
"""Names of keys end so that change what there is to see: help makes room for the caption."""
ARROWS = (K.Key_Left, K.Key_Right)
KEY_HELP: tuple[tuple[str, str, str], ...] = (
    *(("While presenting", key.text, key.does) for key in KEYS.values()),
    ("While presenting", "Click", "Let a job stand out, or all again"),
    ("While presenting", "Drag", "Look at another instant"),
    ("While presenting", "Wheel", "Zoom in time at the pointer"),
)
"""(where, keys, what they do)."""


def name_of_key(event: QKeyEvent) -> str | None:
    """Return what a key does, as `KEYS` calls it; None for other keys."""
    key, shift = K(event.key()), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
    for name, known in KEYS.items():
        if known.key == key and (known.shift == shift or key not in ARROWS):
            return name
    return OTHER_KEYS.get(key)


class FadingHelp:
    """What the keys do, in the foot where captions are: for a while, then it fades."""

    def __init__(self, over: QWidget) -> None:
        self._over = over
        self._text = ""
        self._opacity = 0.0
        self._timer = QTimer(over, singleShot=True, interval=HELP_MS)
        self._fade = QVariantAnimation(over, duration=FADE_MS, startValue=1.0, endValue=0.0)
        self._fade.valueChanged.connect(self._set_opacity)
        self._timer.timeout.connect(self._fade.start)

    @property
    def text(self) -> str:
        """What is shown, or nothing."""
        return self._text if self._opacity > 0 else ""

    def show_for_a_while(self) -> None:
        """Show the most used keys."""
        self._show_keys(KEYS[name] for name in STRIP)

    def show_all(self) -> None:
        """Show all keys."""
        self._show_keys(KEYS.values())

    def _show_keys(self, keys: Iterable[PresenterKey]) -> None:
        """Show keys, each in one line with what it does."""
        told = (f"{key.text}  {key.does}".replace(" ", NO_BREAK) for key in keys)
        self.show_text("   ·   ".join(told))

    def show_text(self, text: str) -> None:
        """Show a text, for a while."""
        self._text = text
        self._fade.stop()
        self._set_opacity(1.0)
        self._timer.start()

    def stop(self) -> None:
        """Show nothing."""
        self._timer.stop()
        self._fade.stop()
        self._opacity = 0.0

    def _set_opacity(self, opacity: float) -> None:
        self._opacity = opacity
        self._over.update()

    def paint(self, painter: QPainter, foot: QRect, theme: Theme, text: float) -> None:
        """Draw it in the foot, over a caption, as far as it has not faded, in a size of text.

        Questions and charts above stay in sight; letters shrink to fit.
        """
        if not self.text:
            return
        air = round(8 * text)
        room = foot.adjusted(2 * air, 0, -2 * air, 0)
        flags = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter) | int(
            Qt.TextFlag.TextWordWrap
        )
        font = QFont(self._over.font())
        largest = round(QFontMetrics(font).height() * SMALLER * text)
        for size in range(max(largest, MIN_LETTERS), MIN_LETTERS - 1, -1):
            font.setPixelSize(size)
            needed = QFontMetrics(font).boundingRect(QRect(0, 0, room.width(), 10_000), flags, self.text)
            if needed.height() <= room.height():
                break
        painter.save()
        painter.setOpacity(self._opacity)
        painter.fillRect(foot.adjusted(0, 1, 0, 0), theme.surface)
        painter.setFont(font)
        painter.setPen(theme.text)
        painter.drawText(room, flags, self.text)
        painter.restore()
