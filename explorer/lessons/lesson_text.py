"""Text of a lesson, in Markdown; nothing in it is loaded, and no link leaves this machine."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QFont, QPainter, QTextDocument
from PySide6.QtWidgets import QStyle, QStyleOptionFocusRect, QTextBrowser
from typing_extensions import override

from core.model.visible_text import kept_together

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QPaintEvent, QResizeEvent

FIGURE = re.compile(r"\{\{[^{}]*\}\}")
MARKUP = re.compile(r"[\\`*_{}\[\]<>#|~]")
PENDING = "…"
"""In the place of a figure that is not simulated yet."""
AIR_PX, INDENT_PX, MIN_LINES = 4, 16, 3


class LessonText(QTextBrowser):
    """Shows Markdown; a link only shows where it leads, and HTML is text."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._most, self._has_ring = 0, False
        self.setOpenLinks(False)
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.setAccessibleName(name)
        self.document().setDocumentMargin(AIR_PX)
        self.document().setIndentWidth(INDENT_PX)
        self.viewport().setAutoFillBackground(False)
        self.setCursorWidth(0)
        flag = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flag.TextSelectableByMouse | flag.TextSelectableByKeyboard)

    def show_text(self, text: str) -> None:
        """Show a text; figures that are not filled in yet are left open."""
        kept = self.verticalScrollBar().value()
        features = QTextDocument.MarkdownFeature
        self.document().setMarkdown(
            kept_together(FIGURE.sub(PENDING, text)),
            QTextDocument.MarkdownFeature(features.MarkdownDialectGitHub | features.MarkdownNoHTML),
        )
        self.document().setDefaultFont(QFont(self.font()))
        self.verticalScrollBar().setValue(kept)
        self._fit()

    def follow_height(self, most: int) -> None:
        """Be as high as the text, up to so many pixels; what has less room scrolls."""
        self._most = most
        self._fit()

    def _fit(self) -> None:
        if self._most:
            document = self.document().clone(self)
            document.setTextWidth(max(self.contentsRect().width(), 40))
            self.setMaximumHeight(min(math.ceil(document.size().height()) + 1, self._most))
            document.deleteLater()
            self.updateGeometry()

    @override
    def sizeHint(self) -> QSize:
        return QSize(200, self.maximumHeight()) if self._most else super().sizeHint()

    @override
    def minimumSizeHint(self) -> QSize:
        least = MIN_LINES * self.fontMetrics().height() + 2 * AIR_PX
        return QSize(80, min(least, self.maximumHeight()))

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        if self._most:  # a bar that comes without need would make the text narrower, and so need itself
            has_room, policy = self.height() >= self.maximumHeight() < self._most, Qt.ScrollBarPolicy
            self.setVerticalScrollBarPolicy(
                policy.ScrollBarAlwaysOff if has_room else policy.ScrollBarAsNeeded
            )
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._fit()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._has_ring:
            option = QStyleOptionFocusRect()
            option.initFrom(self.viewport())
            option.state |= QStyle.StateFlag.State_KeyboardFocusChange
            with QPainter(self.viewport()) as painter:
                self.style().drawPrimitive(QStyle.PrimitiveElement.PE_FrameFocusRect, option, painter, self)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._show_ring(event.reason() is not Qt.FocusReason.MouseFocusReason)

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._show_ring(False)

    def _show_ring(self, has_ring: bool) -> None:
        self._has_ring = has_ring
        self.viewport().update()

    @override
    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        return None  # neither a picture of a file nor one of the net


def literal(text: str) -> str:
    """Return a text that Markdown shows as it is: names of jobs may hold stars and underscores."""
    return MARKUP.sub(r"\\\g<0>", text)
