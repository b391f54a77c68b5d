"""Show names that users or files gave as they are: never as markup, never as a mnemonic."""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from textwrap import wrap
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import QCursor, QHelpEvent, QPainter
from PySide6.QtWidgets import QLabel, QSizePolicy, QToolTip, QWidget
from typing_extensions import override

from core.model.visible_text import NO_BREAK, kept_together, visible

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent


UNSEEN = "\N{ZERO WIDTH NON-JOINER}"
UNKNOWN, VEILED = "–", "?"
"""In place of a number: there is none yet; it is to be guessed."""
TIP_LETTERS = 72
"""A line of a tooltip is that long at most."""


@lru_cache(2000)  # the same ones are set at every result
def tooltip(text: str) -> str:
    """Return a tooltip of short lines that shows the text as it is, for screen readers too.

    Qt takes some texts for markup; a character that nobody sees keeps names like "<b>" from being that.
    """
    lines = (
        wrap(kept_together(line), TIP_LETTERS, break_long_words=False) or [""] for line in text.splitlines()
    )
    seen = visible("\n".join(chain.from_iterable(lines)).replace(NO_BREAK, " "), "\n")
    return seen.replace("<", f"<{UNSEEN}").replace("&", f"&{UNSEEN}")


def say_at_pointer(text: str) -> None:
    """Say something beside the pointer for a while: why what was done there is refused."""
    QToolTip.showText(QCursor.pos(), tooltip(text))


def without_mnemonic(text: str) -> str:
    """Return a text for a button or menu in which an ampersand is an ampersand."""
    return visible(text).replace("&", "&&")


class TipWidget(QWidget):
    """A widget that says in a tooltip what is under the pointer; a subclass has `tip_at`."""

    def tip_at(self, place: QPointF) -> str:
        """Return what is at a place; empty where there is nothing to say."""
        return ""

    @override
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), tooltip(self.tip_at(event.pos().toPointF())), self)
            return True
        return super().event(event)


PARTING = "\n\t\u200b"
"""What may stand in a label: it parts lines, columns, and words that are too long for a line."""


class PlainLabel(QLabel):
    """A label that never takes its text for markup; optionally long texts wrap, and letters are faint."""

    def __init__(
        self, text: str = "", parent: QWidget | None = None, *, wraps: bool = False, is_faint: bool = False
    ) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wraps)
        if is_faint:
            self.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        self.setText(text)

    @override
    def setText(self, text: str) -> None:
        """Show another text; what would be cut off is written out, and no line ends before a unit."""
        shown = visible(text, PARTING)
        super().setText(kept_together(shown) if self.wordWrap() else shown)

    @override
    def text(self) -> str:
        """Return the text as it was given, with plain spaces."""
        return super().text().replace(NO_BREAK, " ")


class ElidedLabel(PlainLabel):
    """A label of one line that is cut with an ellipsis where the room ends; its tooltip has all of it."""

    def __init__(self, text: str = "", parent: QWidget | None = None, *, is_faint: bool = False) -> None:
        super().__init__(text, parent, is_faint=is_faint)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def setText(self, text: str) -> None:
        """Show another text."""
        super().setText(text)
        self.setToolTip(tooltip(text))

    def minimumSizeHint(self) -> QSize:
        """Request room for a few letters only."""
        return QSize(self.fontMetrics().horizontalAdvance("MMM…"), super().minimumSizeHint().height())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setPen(self.palette().color(self.foregroundRole()))
            text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())
            # the letters of the text decide its direction, not its markup
            painter.drawText(self.rect(), self.alignment() | Qt.TextFlag.TextSingleLine, text)
