"""A text editor for policy files: line numbers, indents, comments, words that fit, the line of an error."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QRect, Qt, Signal
from PySide6.QtGui import (
    QFontDatabase,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QPainter,
    QStandardItem,
    QStandardItemModel,
    QTextCursor,
)
from PySide6.QtWidgets import QCompleter, QListView, QPlainTextEdit, QToolTip, QWidget
from typing_extensions import override

from core.policies.user_files.hook_help import help_after, is_narrow, meaning_of
from explorer.lab.code_marks import (
    INDENT,
    bracket_mark,
    commented,
    matching_brackets,
    underlined,
    unindented,
    whole_line,
)
from explorer.lab.number_drag import NUMBER_TIP, NumberDrag, number_at
from explorer.lab.python_colours import PythonColours
from explorer.widgets.plain_labels import tooltip
from explorer.widgets.theme import theme_of, translucent

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPaintEvent, QResizeEvent, QWheelEvent


MIN_POINTS, MAX_POINTS = 6.0, 32.0
AIR = 6
WORD_ROLE = Qt.ItemDataRole.UserRole
WRITTEN_ROLE = Qt.ItemDataRole.UserRole + 1
MAX_WORDS = 10
MIN_LETTERS = 2
"""Typed letters after which words are offered unasked; after a dot they are at once."""
CTRL, ALT, SHIFT, NO = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.NoModifier,
)
OWN_KEYS = {
    (Qt.Key.Key_S, CTRL): "save",
    (Qt.Key.Key_F, CTRL): "find",
    (Qt.Key.Key_H, CTRL): "find",
    (Qt.Key.Key_Slash, CTRL): "comment",
    (Qt.Key.Key_Space, CTRL): "complete",
    (Qt.Key.Key_F3, NO): "next",
    (Qt.Key.Key_F3, SHIFT): "previous",
    (Qt.Key.Key_0, CTRL): "usual_size",
    (Qt.Key.Key_Up, ALT): "more",
    (Qt.Key.Key_Down, ALT): "less",
}
"""Keys that belong to the pane while it has the focus, whatever they are elsewhere in the window."""
LINES_ABOVE = 2
"""Lines that stay above what begins on a line."""


class CodeText(QPlainTextEdit):
    """Edits Python; Tab indents, Return keeps the indent, Ctrl+/ takes comments away and puts them there.

    Attributes
    ----------
    error_line : the line that is marked as wrong, from 1; 0 for none

    Signals
    -------
    requested : a key asked for "save", "find", "next" or "previous"
    number_changed : a number was dragged, or changed by a key: the charts are to follow
    """

    requested = Signal(str)
    number_changed = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        self._usual_points = font.pointSizeF()
        self.setFont(font)
        self.error_line, self._error = 0, ""
        self._colours = PythonColours(self.document(), theme_of(self))
        self._numbers = _LineNumbers(self)
        self.numbers = NumberDrag(self)
        self.numbers.changed.connect(self.number_changed)
        self._completer = self._make_completer()
        self._words = QListView()
        self._words.setAccessibleName("Words that fit")
        self._words.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._completer.setPopup(self._words)
        self._completer.setMaxVisibleItems(MAX_WORDS)
        self._words.clicked.connect(self._insert)
        self.blockCountChanged.connect(self._make_room)
        self.updateRequest.connect(self._on_update_request)
        self.cursorPositionChanged.connect(self._mark)
        self._make_room()
        self._mark()

    def _make_completer(self) -> QCompleter:
        completer = QCompleter(QStandardItemModel(self), self)
        completer.setWidget(self)
        completer.setCompletionRole(WORD_ROLE)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        return completer

    # ---- what the pane sets

    def set_text(self, text: str) -> None:
        """Show another text; Undo does not bring back the one before."""
        self.setPlainText(text)
        self.document().setModified(False)

    def replace_text(self, text: str) -> None:
        """Show another text as one step that can be undone."""
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)

    def set_error(self, line: int, sentence: str) -> None:
        """Mark a line, from 1, as wrong; 0 for none."""
        self.error_line, self._error = line, sentence
        self._mark()
        self._numbers.update()

    def go_to_line(self, line: int, *, is_begin: bool = False) -> None:
        """Put the cursor on a line, from 1, and show it in the middle, or near the top where more follows."""
        cursor = QTextCursor(self.document().findBlockByNumber(line - 1))
        self.setTextCursor(cursor)
        if is_begin:
            self.verticalScrollBar().setValue(max(line - 1 - LINES_ABOVE, 0))
        else:
            self.centerCursor()

    def set_points(self, points: float) -> None:
        """Write in another size."""
        font = self.font()
        font.setPointSizeF(min(max(points, MIN_POINTS), MAX_POINTS))
        self.setFont(font)
        self.setTabStopDistance(QFontMetricsF(font).horizontalAdvance(" ") * INDENT)
        self._make_room()

    # ---- marks: the present line, brackets, the error

    def _mark(self) -> None:
        theme = theme_of(self)
        marks = []
        if not self.isReadOnly():
            marks.append(whole_line(self.textCursor(), translucent(theme.cursor, 22)))
        if 0 < self.error_line <= self.blockCount():
            block = self.document().findBlockByNumber(self.error_line - 1)
            marks.append(whole_line(QTextCursor(block), translucent(theme.worse, 46)))
            marks.append(underlined(block, theme.worse))
        brackets = matching_brackets((self.toPlainText(), self.textCursor().position()))
        marks += [bracket_mark(self.document(), place, theme.cursor) for place in brackets]
        self.setExtraSelections(marks)

    # ---- keys

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if _key_of(event) in OWN_KEYS:
                event.accept()
                return True
        elif event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._show_tip(event)
            return True
        return super().event(event)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._words.isVisible() and self._complete_with(event):
            return
        own = OWN_KEYS.get(_key_of(event))
        if own is not None:
            self._do(own)
        elif not self.isReadOnly() and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._new_line()
        elif not self.isReadOnly() and event.key() == Qt.Key.Key_Tab and event.modifiers() == NO:
            self._indent()
        elif not self.isReadOnly() and event.key() == Qt.Key.Key_Backtab:
            self.change_lines(unindented)
        elif not self.isReadOnly() and event.key() == Qt.Key.Key_Backspace and self._is_in_indent():
            self._unindent()
        else:
            super().keyPressEvent(event)
            if event.text().isprintable() and event.text() and not self.isReadOnly():
                self._offer()

    def _do(self, what: str) -> None:
        if what == "comment":
            if not self.isReadOnly():
                self.change_lines(commented)
        elif what == "complete":
            self._offer(on_request=True)
        elif what in ("more", "less"):
            self.numbers.step(1 if what == "more" else -1)
        elif what == "usual_size":
            self.set_points(self._usual_points)
        else:
            self.requested.emit(what)

    def _new_line(self) -> None:
        """Begin a line below with the same indent, one more after a colon or an open bracket."""
        cursor = self.textCursor()
        line = cursor.block().text()[: cursor.positionInBlock()]
        indent = line[: len(line) - len(line.lstrip())]
        code = line.split("#")[0].rstrip()
        if code.endswith((":", "(", "[", "{")):
            indent += " " * INDENT
        elif re.match(r"\s*(return|pass|break|continue|raise)\b", code):
            indent = indent[:-INDENT]
        cursor.insertText(f"\n{indent}")
        self.ensureCursorVisible()

    def _indent(self) -> None:
        cursor = self.textCursor()
        if cursor.hasSelection():
            self.change_lines(lambda lines: [" " * INDENT + line if line.strip() else line for line in lines])
        else:
            cursor.insertText(" " * (INDENT - cursor.positionInBlock() % INDENT))

    def _is_in_indent(self) -> bool:
        cursor = self.textCursor()
        before = cursor.block().text()[: cursor.positionInBlock()]
        return not cursor.hasSelection() and bool(before) and not before.strip(" ")

    def _unindent(self) -> None:
        cursor = self.textCursor()
        for _ in range((cursor.positionInBlock() - 1) % INDENT + 1):
            cursor.deletePreviousChar()

    def change_lines(self, change: Callable[[list[str]], list[str]]) -> None:
        """Let a function change the lines that are selected, as one step."""
        cursor = self.textCursor()
        first = self.document().findBlock(cursor.selectionStart())
        last = self.document().findBlock(max(cursor.selectionEnd() - 1, cursor.selectionStart()))
        cursor.setPosition(first.position())
        cursor.setPosition(last.position() + last.length() - 1, QTextCursor.MoveMode.KeepAnchor)
        lines = cursor.selectedText().split("\u2029")
        cursor.insertText("\n".join(change(lines)))
        if len(lines) > 1:
            cursor.setPosition(first.position(), QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)

    # ---- words that fit

    def _offer(self, *, on_request: bool = False) -> None:
        """Offer words after a dot, after some letters, or on request."""
        cursor = self.textCursor()
        before = cursor.block().text()[: cursor.positionInBlock()]
        letters = re.findall(r"\w*$", before)[0]
        if not on_request and ("#" in before or (len(letters) < MIN_LETTERS and not before.endswith("."))):
            self._words.hide()
            return
        model = self._completer.model()
        assert isinstance(model, QStandardItemModel)
        model.clear()
        for each in help_after(before, self.toPlainText()):
            item = QStandardItem(f"{each.word}    {each.meaning}")
            item.setData(each.word, WORD_ROLE)
            item.setData(each.written, WRITTEN_ROLE)
            item.setToolTip(tooltip(each.meaning))
            model.appendRow(item)
        self._completer.setCompletionPrefix(letters)
        count = self._completer.completionCount()
        if count == 0 or (count == 1 and self._completer.currentCompletion() == letters):
            self._words.hide()
            return
        popup = self._words
        # where many words may follow, Return begins a line and Tab takes the first one
        first = self._completer.completionModel().index(0, 0)
        popup.setCurrentIndex(first if on_request or is_narrow(before) else QModelIndex())
        place = self.cursorRect()
        place.translate(self.viewport().pos())
        place.setWidth(min(popup.sizeHintForColumn(0) + 30, 560))
        self._completer.complete(place)

    def _complete_with(self, event: QKeyEvent) -> bool:
        """Let Return or Tab write the word that is marked; whether the key was for that."""
        popup = self._words
        if event.key() == Qt.Key.Key_Escape:
            popup.hide()
            return True
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab):
            return False
        index = popup.currentIndex()
        if event.key() == Qt.Key.Key_Tab and not index.isValid():
            index = self._completer.completionModel().index(0, 0)
        popup.hide()
        if index.isValid():
            self._insert(index)
        return index.isValid()

    def _insert(self, index: QModelIndex) -> None:
        """Write a word that was offered in the place of its first letters."""
        cursor = self.textCursor()
        for _ in self._completer.completionPrefix():
            cursor.deletePreviousChar()
        cursor.insertText(str(index.data(WRITTEN_ROLE)))

    @property
    def offered(self) -> list[str]:
        """The words that are offered now."""
        if not self._words.isVisible():
            return []
        model = self._completer.completionModel()
        return [str(model.index(row, 0).data(WORD_ROLE)) for row in range(model.rowCount())]

    def _show_tip(self, event: QHelpEvent) -> None:
        """Show what the word under the pointer means, or what is wrong with its line."""
        cursor = self.cursorForPosition(event.pos())
        if cursor.blockNumber() + 1 == self.error_line:
            QToolTip.showText(event.globalPos(), tooltip(self._error), self)
            return
        line = cursor.block().text()
        if not self.isReadOnly() and number_at(line, cursor.positionInBlock()) is not None:
            QToolTip.showText(event.globalPos(), tooltip(NUMBER_TIP), self)
            return
        cursor.select(QTextCursor.SelectionType.WordUnderCursor)
        start = cursor.selectionStart() - cursor.block().position()
        meaning = meaning_of(line[:start], cursor.selectedText(), self.toPlainText())
        if meaning:
            QToolTip.showText(event.globalPos(), tooltip(f"{cursor.selectedText()}: {meaning}"), self)
        else:
            QToolTip.hideText()

    # ---- appearance

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & CTRL:
            step = 1 if event.angleDelta().y() > 0 else -1
            self.set_points(self.font().pointSizeF() + step)
            event.accept()
        else:
            super().wheelEvent(event)

    @override
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_colours"):
            self._colours.set_theme(theme_of(self))
            self._mark()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        inside = self.contentsRect()
        self._numbers.setGeometry(QRect(inside.left(), inside.top(), self._numbers_width(), inside.height()))

    def _numbers_width(self) -> int:
        digits = max(3, len(str(self.blockCount())))
        return self.fontMetrics().horizontalAdvance("9") * digits + 2 * AIR

    def _make_room(self) -> None:
        self.setViewportMargins(self._numbers_width(), 0, 0, 0)
        inside = self.contentsRect()
        self._numbers.setGeometry(QRect(inside.left(), inside.top(), self._numbers_width(), inside.height()))

    def _on_update_request(self, rect: QRect, dy: int) -> None:
        if dy:
            self._numbers.scroll(0, dy)
        else:
            self._numbers.update(0, rect.y(), self._numbers.width(), rect.height())

    def paint_numbers(self, painter: QPainter, rect: QRect) -> None:
        """Write the numbers of the lines in view; that of the error stands out."""
        theme = theme_of(self)
        painter.fillRect(rect, theme.surface)
        painter.setFont(self.font())
        block, width = self.firstVisibleBlock(), self._numbers.width() - AIR
        place = self.blockBoundingGeometry(block).translated(self.contentOffset())
        while block.isValid() and place.top() <= rect.bottom():
            if block.isVisible() and place.bottom() >= rect.top():
                number = block.blockNumber() + 1
                is_here = number == self.textCursor().blockNumber() + 1
                ink = theme.text if is_here else theme.third_text
                painter.setPen(theme.worse if number == self.error_line else ink)
                text = f"● {number}" if number == self.error_line else str(number)
                room = QRect(0, round(place.top()), width, round(place.height()))
                painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
            block = block.next()
            place = self.blockBoundingGeometry(block).translated(self.contentOffset())


class _LineNumbers(QWidget):
    """The margin with the numbers; the text paints it."""

    def __init__(self, text: CodeText) -> None:
        super().__init__(text)
        self._text = text

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self._text.paint_numbers(painter, event.rect())


def _key_of(event: QKeyEvent) -> tuple[Qt.Key, Qt.KeyboardModifier]:
    return Qt.Key(event.key()), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
