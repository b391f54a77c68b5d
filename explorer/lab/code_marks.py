"""Marks in the editor pane - a line, a wave, brackets - and what is done to several lines at once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor, QTextFormat
from PySide6.QtWidgets import QTextEdit

from explorer.widgets.theme import translucent

if TYPE_CHECKING:
    from PySide6.QtGui import QTextBlock, QTextDocument

INDENT = 4
"""Blanks."""
EDITOR_KEYS: tuple[tuple[str, str, str], ...] = tuple(
    ("Policy editor", *each)
    for each in (
        ("Ctrl+S", "Write the file; it runs if you let it"),
        ("Ctrl+Space", "Offer words that fit, with what they mean"),
        ("Ctrl+/", "Put # in front of the selected lines, or take it away"),
        ("Alt+Up", "Make the number at the cursor a step larger; the charts follow"),
        ("Alt+Down", "Make the number at the cursor a step smaller"),
        ("Tab, Shift+Tab", "Indent the selected lines, or take an indent away"),
        ("Ctrl+F, F3, Shift+F3", "Find and replace; the next one, the one before"),
        ("Ctrl+Wheel, Ctrl+0", "Write larger or smaller; in the usual size"),
    )
)
"""(where, keys, what they do)."""
BRACKETS = {"(": ")", "[": "]", "{": "}"}


def whole_line(cursor: QTextCursor, back: QColor) -> QTextEdit.ExtraSelection:
    """Return a background of the whole line in which a cursor stands."""
    selection, shape = QTextEdit.ExtraSelection(), QTextCharFormat()
    shape.setBackground(back)
    shape.setProperty(QTextFormat.Property.FullWidthSelection, True)
    cursor.clearSelection()
    selection.cursor, selection.format = cursor, shape
    return selection


def bracket_mark(document: QTextDocument, place: int, ink: QColor) -> QTextEdit.ExtraSelection:
    """Return the mark of a bracket at a place."""
    cursor = QTextCursor(document)
    cursor.setPosition(place)
    cursor.setPosition(place + 1, QTextCursor.MoveMode.KeepAnchor)
    selection, shape = QTextEdit.ExtraSelection(), QTextCharFormat()
    shape.setBackground(translucent(ink, 90))
    selection.cursor, selection.format = cursor, shape
    return selection


def underlined(block: QTextBlock, ink: QColor) -> QTextEdit.ExtraSelection:
    """Return a wave below the words of a line."""
    text = block.text()
    cursor = QTextCursor(block)
    cursor.setPosition(block.position() + len(text) - len(text.lstrip()))
    cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
    selection, shape = QTextEdit.ExtraSelection(), QTextCharFormat()
    shape.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
    shape.setUnderlineColor(ink)
    selection.cursor, selection.format = cursor, shape
    return selection


def matching_brackets(near: tuple[str, int]) -> tuple[int, ...]:
    """Return the places of the bracket beside a cursor and of the one that it belongs to; none for neither.

    `near` is a text and the place of the cursor in it.
    """
    text, at = near
    backwards = {close: opened for opened, close in BRACKETS.items()}
    for place in (at - 1, at):
        mark = text[place : place + 1] if place >= 0 else ""
        if mark in BRACKETS or mark in backwards:
            other = BRACKETS.get(mark) or backwards[mark]
            step, depth, found = (1 if mark in BRACKETS else -1), 0, place
            while 0 <= found < len(text):
                depth += (text[found] == mark) - (text[found] == other)
                if depth == 0:
                    return place, found
                found += step
    return ()


def commented(lines: list[str]) -> list[str]:
    """Put "# " in front of lines, or take it away where all of them have it."""
    code = [line for line in lines if line.strip()]
    if code and all(line.lstrip().startswith("#") for line in code):
        return [re.sub(r"^(\s*)# ?", r"\1", line) for line in lines]
    least = min((len(line) - len(line.lstrip()) for line in code), default=0)
    return [f"{line[:least]}# {line[least:]}" if line.strip() else line for line in lines]


def unindented(lines: list[str]) -> list[str]:
    """Take an indent away from lines that have one."""
    return [re.sub(rf"^ {{1,{INDENT}}}", "", line) for line in lines]
