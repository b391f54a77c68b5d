"""What can be done in a night under way, the best first, each with what it saves and a button."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QWidget
from typing_extensions import override

from core.model.time_text import duration_text
from explorer.widgets.layouts import NO_MARGINS, column, named, push_button, row
from explorer.widgets.plain_labels import PlainLabel, tooltip

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.forecast.relief import TriedRelief

MAX_SHOWN, MAX_PROMISES = 5, 2
NOTHING = "Nothing that was tried saves anything."
DO = "Do it"
DO_TIP = "Adds a scenario beside this one in which it is done from now on; undo takes it away again"
WEIGHT_TIP = (
    "Writes it into the jobs and pools, of every scenario; before now it changes nothing here; undo it"
)


class ReliefList(QWidget):
    """The steps that save most for each minute of disturbance.

    Attributes
    ----------
    buttons : one for each step, from top to bottom

    Signals
    -------
    wanted : a step is to be done
    pointed : a step is looked at, or none any more
    """

    wanted = Signal(object)
    pointed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.buttons: list[QWidget] = []
        self._lines: list[tuple[QWidget, TriedRelief | None]] = []
        self._column = column(parent=self, margins=(6, 4, 6, 4), spacing=4)
        self.hide()

    def show_steps(self, steps: Sequence[TriedRelief] | None, *, can_be_done: bool = True) -> None:
        """Show some steps; that nothing helps for an empty list, and nothing for None."""
        for line, _ in self._lines:
            self._column.removeWidget(line)
            line.hide()
            line.deleteLater()
        self._lines, self.buttons = [], []
        for tried in (steps or ())[:MAX_SHOWN]:
            self._lines.append((self._line(tried, can_be_done=can_be_done), tried))
        if steps is not None and not steps:
            self._lines.append((PlainLabel(NOTHING, wraps=True), None))
        for line, _ in self._lines:
            self._column.addWidget(line)
        self.setVisible(steps is not None)

    def _line(self, tried: TriedRelief, *, can_be_done: bool) -> QWidget:
        words = tried.relief.words
        saves, disturbs = duration_text(tried.saved), duration_text(tried.disturbance)
        said = f"{words[0].upper()}{words[1:]}: saves {saves}, disturbs {disturbs}"
        text = PlainLabel("; ".join((said, *tried.promises[:MAX_PROMISES])), wraps=True)
        text.setToolTip(tooltip(tried.sentence))
        line = QWidget()
        parts: list[QWidget | tuple[QWidget, int]] = [(text, 1)]
        if can_be_done:
            does = WEIGHT_TIP if tried.relief.kind == "weight" else DO_TIP
            button = named(push_button(DO, tooltip(f"{tried.sentence}\n{does}")), f"{DO}: {words}")
            button.clicked.connect(partial(self.wanted.emit, tried))
            button.installEventFilter(self)
            self.buttons.append(button)
            parts.append(button)
        row(*parts, parent=line, margins=NO_MARGINS, spacing=4)
        line.installEventFilter(self)
        return line

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Report which step the pointer or the focus is at."""
        if event.type() in (QEvent.Type.Enter, QEvent.Type.FocusIn):
            lines = (each for each in self._lines if watched is each[0] or watched.parent() is each[0])
            self.pointed.emit(next((tried for _, tried in lines), None))
        elif event.type() == QEvent.Type.FocusOut or (
            event.type() == QEvent.Type.Leave and isinstance(watched, QWidget) and watched.parent() is self
        ):
            self.pointed.emit(None)
        return super().eventFilter(watched, event)
