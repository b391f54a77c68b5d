"""Numbers of a policy's text that are dragged: Ctrl and the mouse, or Alt with Up and Down at the cursor."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QMouseEvent, QTextCursor
from typing_extensions import override

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint
    from PySide6.QtWidgets import QPlainTextEdit

NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d*)?(?![\w.])")
TEXTS = re.compile(r"#.*|'[^']*'|\"[^\"]*\"")
"""Comments, and texts that begin and end on the line: their digits are no numbers of the program."""
STEP_PX = 6
"""Pixels that a number is dragged by for each step of its last digit."""
NUMBER_TIP = "Hold Ctrl and drag a number, or press Alt+Up and Alt+Down on it: the charts follow"


class NumberPlace(NamedTuple):
    """A number in a line: its text, and where it begins."""

    text: str
    begin: int


def number_at(line: str, place: int) -> NumberPlace | None:
    """Return the number of a line of Python that a place is in, or just behind; None if there is none."""
    if any(each.start() <= place <= each.end() for each in TEXTS.finditer(line)):
        return None
    found = (each for each in NUMBER.finditer(line) if each.start() <= place <= each.end())
    return next((NumberPlace(each[0], each.start()) for each in found), None)


def stepped(text: str, steps: int) -> str:
    """Return a number so many steps of its last digit larger, with as many digits; 0 is the least.

    Below 1 a step of the last digit that is left keeps it a number with a point: 0.5 becomes 0.4, and 2 is 1.
    """
    number = Decimal(text)
    digits = len(text.partition(".")[2])
    step = Decimal(1).scaleb(-digits)
    return f"{max(number + steps * step, Decimal(0)):.{digits}f}" + ("." if text.endswith(".") else "")


class NumberDrag(QObject):
    """Changes numbers of an editor; a drag is one step of Undo.

    Signals
    -------
    changed : a number is another one by now
    """

    changed = Signal()

    def __init__(self, code: QPlainTextEdit) -> None:
        super().__init__(code)
        self._code = code
        self._number: NumberPlace | None = None
        self._block = 0
        self._shown, self._began_at, self._is_joined = "", 0, False
        code.viewport().setMouseTracking(True)
        code.viewport().installEventFilter(self)

    @property
    def is_dragging(self) -> bool:
        """Whether a number is being dragged."""
        return self._number is not None

    def step(self, by: int) -> bool:
        """Change the number at the cursor by so many steps; whether there is one."""
        cursor = self._code.textCursor()
        number = number_at(cursor.block().text(), cursor.positionInBlock())
        if number is None or self._code.isReadOnly():
            return False
        self._begin(number, cursor.blockNumber(), 0)
        self._show(stepped(number.text, by))
        self._number = None
        return True

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QMouseEvent) and not self._code.isReadOnly():
            kind = event.type()
            if kind == QEvent.Type.MouseButtonPress and event.button() == Qt.MouseButton.LeftButton:
                return self._press(event)
            if kind == QEvent.Type.MouseMove:
                return self._move(event)
            if kind == QEvent.Type.MouseButtonRelease and self.is_dragging:
                self._number = None
                return True
        return super().eventFilter(watched, event)

    def _press(self, event: QMouseEvent) -> bool:
        found = self._number_below(event.position().toPoint(), event)
        if found is None:
            return False
        self._begin(*found, round(event.position().x()))
        return True

    def _move(self, event: QMouseEvent) -> bool:
        if self._number is not None:
            steps = int((event.position().x() - self._began_at) / STEP_PX)
            self._show(stepped(self._number.text, steps))
            return True
        is_there = self._number_below(event.position().toPoint(), event) is not None
        shape = Qt.CursorShape.SizeHorCursor if is_there else Qt.CursorShape.IBeamCursor
        self._code.viewport().setCursor(shape)
        return False

    def _number_below(self, point: QPoint, event: QMouseEvent) -> tuple[NumberPlace, int] | None:
        """Return the number under the pointer and its line, where Ctrl is held."""
        if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return None
        cursor = self._code.cursorForPosition(point)
        number = number_at(cursor.block().text(), cursor.positionInBlock())
        return None if number is None else (number, cursor.blockNumber())

    def _begin(self, number: NumberPlace, block: int, x: int) -> None:
        self._number, self._block, self._shown, self._began_at = number, block, number.text, x
        self._is_joined = False

    def _show(self, text: str) -> None:
        """Write another number in the place of the one that is shown."""
        assert self._number is not None
        if text == self._shown:
            return
        block = self._code.document().findBlockByNumber(self._block)
        cursor = QTextCursor(block)
        begin = block.position() + self._number.begin
        cursor.setPosition(begin)
        cursor.setPosition(begin + len(self._shown), QTextCursor.MoveMode.KeepAnchor)
        (cursor.joinPreviousEditBlock if self._is_joined else cursor.beginEditBlock)()
        cursor.insertText(text)
        cursor.endEditBlock()
        cursor.setPosition(begin + len(text))
        self._code.setTextCursor(cursor)
        self._shown, self._is_joined = text, True
        self.changed.emit()
