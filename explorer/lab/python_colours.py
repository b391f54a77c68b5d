"""Colours of Python in the editor pane: keywords, texts, comments, numbers, and the words of policies."""

from __future__ import annotations

import builtins
import keyword
import re
from typing import TYPE_CHECKING

from PySide6.QtGui import QColor, QFont, QSyntaxHighlighter, QTextCharFormat
from typing_extensions import override

from core.policies.policy import HOOKS
from core.policies.user_files.hook_help import FIELDS, WORDS

if TYPE_CHECKING:
    from PySide6.QtGui import QTextDocument

    from explorer.widgets.theme import Theme

PLAIN, IN_SINGLE, IN_DOUBLE = -1, 1, 2
"""What a line ends in: nothing, or a long text in quotes of one of both kinds."""
COLOURS = {
    "keyword": ("#c792ea", "#8b2fb3"),
    "hook": ("#82b1ff", "#1552b5"),
    "record": ("#7fdbca", "#0b6b62"),
    "text": ("#c3e88d", "#3f6f12"),
    "number": ("#f7b267", "#9a4a00"),
    "comment": ("#8a95a5", "#667080"),
}
"""Of each kind of word, for dark and for light windows."""
TOKEN = re.compile(
    r"(?P<comment>#.*)"
    r"|(?P<long>[rRbBfFuU]{0,2}(\"\"\"|'''))"
    r"|(?P<text>[rRbBfFuU]{0,2}(\"(\\.|[^\"\\])*\"?|'(\\.|[^'\\])*'?))"
    r"|(?P<number>\b(?:0[xXoObB]\w+|\d(?:[eE][-+]\d|[\w.])*))"
    r"|(?P<word>\b[^\W\d]\w*)"
)
KEYWORDS = frozenset((*keyword.kwlist, *(name for name in dir(builtins) if name.islower())))
RECORDS = frozenset((*FIELDS, *WORDS))


class PythonColours(QSyntaxHighlighter):
    """Colours a document; texts over several lines are followed from line to line."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self._formats: dict[str, QTextCharFormat] = {}
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of light or dark windows."""
        for kind, colours in COLOURS.items():
            self._formats[kind] = QTextCharFormat()
            self._formats[kind].setForeground(QColor(colours[not theme.is_dark]))
        self._formats["hook"].setFontWeight(QFont.Weight.Bold)
        self._formats["comment"].setFontItalic(True)
        self.rehighlight()

    @override
    def highlightBlock(self, text: str) -> None:
        self.setCurrentBlockState(PLAIN)
        at = 0
        if self.previousBlockState() in (IN_SINGLE, IN_DOUBLE):
            at = self._long_text(text, 0, 0, self.previousBlockState())
        while found := TOKEN.search(text, at):
            kind = found.lastgroup or ""
            if found["long"] is not None:
                state = IN_DOUBLE if found["long"].endswith('"') else IN_SINGLE
                at = self._long_text(text, found.start(), found.end(), state)
                continue
            kind = next(name for name in ("comment", "text", "number", "word") if found[name] is not None)
            self._colour(found.start(), found.end() - found.start(), self._kind_of(found.group(), kind))
            at = found.end()

    def _long_text(self, text: str, start: int, inside: int, state: int) -> int:
        """Colour a text in three quotes from a place on; return where it ends, and note if it goes on."""
        end = text.find('"""' if state == IN_DOUBLE else "'''", inside)
        if end < 0:
            self.setCurrentBlockState(state)
        until = len(text) if end < 0 else end + 3
        self._colour(start, until - start, "text")
        return until

    def _kind_of(self, word: str, kind: str) -> str:
        if kind != "word":
            return kind
        if word in KEYWORDS:
            return "keyword"
        if word in HOOKS:
            return "hook"
        return "record" if word in RECORDS else ""

    def _colour(self, start: int, length: int, kind: str) -> None:
        if kind:
            self.setFormat(start, length, self._formats[kind])
