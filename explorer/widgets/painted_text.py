"""Text for a room, painted: a caption on a strip, a page of Markdown, each as large as its place allows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QFont,
    QFontInfo,
    QFontMetrics,
    QGuiApplication,
    QPainter,
    QTextDocument,
)

from explorer.widgets.theme import application_palette

if TYPE_CHECKING:
    from explorer.widgets.theme import Theme

CAPTION_LARGER, CAPTION_LINES, CAPTION_AIR = 1.4, 2, 7
"""Letters against those of the window; lines of a caption; pixels above and below them."""
LEAST_SHARE = 0.6
"""Letters of a caption or a page shrink so far before anything is cut."""
PAGE_LARGER, PAGE_AIR = 1.2, 12


def caption_height(text: float) -> int:
    """Return the pixels that a caption takes in a size of text, where 1 is as in the window."""
    spacing = QFontMetrics(_font(CAPTION_LARGER)).lineSpacing()
    return round((spacing * CAPTION_LINES + 2 * CAPTION_AIR) * text)


def paint_caption(painter: QPainter, rect: QRect, theme: Theme, text: float, sentence: str) -> None:
    """Draw a sentence on a strip, in a size of text; letters shrink before anything is cut."""
    painter.fillRect(rect, theme.panel)
    painter.fillRect(rect.left(), rect.top(), rect.width(), 1, theme.line)
    air = round(2 * CAPTION_AIR * text)
    room = rect.adjusted(air, 0, -air, 0)
    flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft) | int(Qt.TextFlag.TextWordWrap)
    for share in _shares():
        font = _font(CAPTION_LARGER * text * share, is_bold=True)
        needed = QFontMetrics(font).boundingRect(QRect(0, 0, room.width(), 10_000), flags, sentence)
        if needed.height() <= rect.height():
            break
    painter.setFont(font)
    painter.setPen(theme.text)
    painter.drawText(room, flags, sentence)


def paint_page(painter: QPainter, rect: QRect, theme: Theme, text: float, markdown: str) -> None:
    """Draw Markdown on a page, in a size of text; letters shrink before anything is cut."""
    painter.fillRect(rect, theme.panel)
    painter.fillRect(rect.right(), rect.top(), 1, rect.height(), theme.line)
    air = round(PAGE_AIR * text)
    room = rect.adjusted(air, air, -air, -air)
    document = QTextDocument()
    document.setDocumentMargin(0)
    for share in _shares():
        document.setDefaultFont(_font(PAGE_LARGER * text * share))
        document.setMarkdown(markdown)
        document.setTextWidth(room.width())
        if document.size().height() <= room.height():
            break
    context = QAbstractTextDocumentLayout.PaintContext()
    context.palette = application_palette(theme)
    context.clip = QRectF(0, 0, room.width(), room.height())
    painter.save()
    painter.translate(room.topLeft())
    painter.setClipRect(context.clip)
    document.documentLayout().draw(painter, context)
    painter.restore()


def _shares() -> list[float]:
    """Return the sizes that are tried, the largest first."""
    return [1 - step / 20 for step in range(round(20 * (1 - LEAST_SHARE)) + 1)]


def _font(larger: float, is_bold: bool = False) -> QFont:
    font = QFont(QGuiApplication.font())
    font.setPixelSize(round(QFontInfo(font).pixelSize() * larger))
    font.setBold(is_bold)
    return font
