"""Text for a room, painted: a caption on a strip, a page of Markdown, each as large as its place allows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, QSizeF, Qt, QUrl
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QFont,
    QFontInfo,
    QFontMetrics,
    QGuiApplication,
    QPainter,
    QTextCursor,
    QTextDocument,
    QTextTable,
)
from typing_extensions import override

from explorer.widgets.theme import application_palette, write_with

if TYPE_CHECKING:
    from collections.abc import Sequence

    from explorer.widgets.theme import Theme

CAPTION_LARGER, CAPTION_LINES, CAPTION_AIR = 1.4, 2, 7
"""Letters against those of the window; lines of a caption; pixels above and below them."""
MIN_SHARE, MAX_SHARE = 0.6, 1.4
"""Letters of a caption or a page shrink so far before anything is cut; those of a page grow so far."""
PAGE_LARGER, PAGE_AIR = 1.2, 12
READABLE = 0.8
"""Letters of a page, against those that were asked for; where it has more to say, it says less instead."""
MAX_PICTURE = 0.55
"""Of a page's height, for the picture below."""
PARAGRAPH_AIR = 0.5
"""Below a paragraph, in heights of letters."""


def caption_height(text: float) -> int:
    """Return the pixels that a caption takes in a size of text, where 1 is as in the window."""
    spacing = QFontMetrics(_font(CAPTION_LARGER)).lineSpacing()
    return round((spacing * CAPTION_LINES + 2 * CAPTION_AIR) * text)


def paint_caption(painter: QPainter, rect: QRect, theme: Theme, text: float, sentence: str) -> None:
    """Draw a sentence on a strip, in a size of text; letters shrink before anything is cut."""
    painter.fillRect(rect, theme.surface)
    painter.fillRect(rect.left(), rect.top(), rect.width(), 1, theme.line)
    air = round(2 * CAPTION_AIR * text)
    room = rect.adjusted(air, 0, -air, 0)
    flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft) | int(Qt.TextFlag.TextWordWrap)
    for share in _shares():
        font = _font(CAPTION_LARGER * text * share, is_bold=True)
        needed = QFontMetrics(font).boundingRect(QRect(0, 0, room.width(), 10_000), flags, sentence)
        if needed.height() <= rect.height():
            break
    write_with(painter, font, theme.text)
    painter.drawText(room, flags, sentence)


class PictureBelow(Protocol):
    """A picture that paints itself in a size of its own, as charts do that are exported."""

    def width(self) -> int:
        """Pixels."""

    def height(self) -> int:
        """Pixels."""

    def paint_export(self, painter: QPainter) -> None:
        """Draw it from the corner on."""


def paint_page(
    painter: QPainter,
    rect: QRect,
    theme: Theme,
    text: float,
    markdown: str,
    picture: PictureBelow | None = None,
    shorter: Sequence[str] = (),
) -> None:
    """Draw Markdown on a page, about in a size of text, as large as there is room; a picture stands below.

    Where its letters would be smaller than `READABLE`, the first of `shorter` that fits takes its place.
    """
    painter.fillRect(rect, theme.surface)
    painter.fillRect(rect.right(), rect.top(), 1, rect.height(), theme.line)
    air = round(PAGE_AIR * text)
    room = rect.adjusted(air, air, -air, -air)
    if picture is not None:
        larger = min(
            room.width() / max(1, picture.width()),
            MAX_PICTURE * room.height() / max(1, picture.height()),
        )
        room.setBottom(room.bottom() - round(larger * picture.height()) - air)
        painter.save()
        painter.translate(room.left(), room.bottom() + air)
        painter.scale(larger, larger)
        painter.setClipRect(0, 0, picture.width(), picture.height())
        picture.paint_export(painter)
        painter.restore()
    for each in (markdown, *shorter):
        document, share = _fitting(each, text, room.size())
        if share >= READABLE:
            break
    paint_markdown(painter, document, room.topLeft().toPointF(), room.size().toSizeF(), theme)


def _fitting(markdown: str, text: float, room: QSize) -> tuple[QTextDocument, float]:
    """Return Markdown in the largest letters that fit, and their share; 0 where the smallest do not."""
    for share in _shares(MAX_SHARE):
        document = markdown_of(markdown, text * share)
        document.setTextWidth(room.width())
        if document.size().height() <= room.height():
            return document, share
    return document, 0.0


class _Sealed(QTextDocument):
    """A text that loads nothing: neither a picture of a file nor one of the net."""

    @override
    def loadResource(self, kind: int, name: QUrl | str) -> Any:  # Any: as Qt has it
        return None


def markdown_of(markdown: str, text: float) -> QTextDocument:
    """Return Markdown as a document, in a size of text; HTML in it is text."""
    features = QTextDocument.MarkdownFeature
    document = _Sealed()
    document.setDocumentMargin(0)
    document.setDefaultFont(_font(PAGE_LARGER * text))
    both = features.MarkdownDialectGitHub | features.MarkdownNoHTML
    document.setMarkdown(markdown, QTextDocument.MarkdownFeature(both))
    block = document.begin()
    while block.isValid():  # Markdown as Qt reads it has no air between paragraphs
        pen, form = QTextCursor(block), block.blockFormat()
        form.setBottomMargin(PARAGRAPH_AIR * document.defaultFont().pixelSize())
        pen.setBlockFormat(form)
        block = block.next()
    for table in document.rootFrame().childFrames():
        if isinstance(table, QTextTable):
            around = table.format()
            around.setTopMargin(PARAGRAPH_AIR * document.defaultFont().pixelSize())
            around.setBottomMargin(2 * PARAGRAPH_AIR * document.defaultFont().pixelSize())
            table.setFormat(around)
    return document


def paint_markdown(
    painter: QPainter, document: QTextDocument, at: QPointF, size: QSizeF, theme: Theme
) -> None:
    """Draw a document at a place, cut to a size."""
    context = QAbstractTextDocumentLayout.PaintContext()
    context.palette = application_palette(theme)
    context.clip = QRectF(QPointF(), size)
    painter.save()
    painter.translate(at)
    painter.setClipRect(context.clip)
    document.documentLayout().draw(painter, context)
    painter.restore()


def small_font(text: float) -> QFont:
    """Return the type of a foot line, in a size of text."""
    return _font(0.9 * text)


def _shares(most: float = 1.0) -> list[float]:
    """Return the sizes that are tried, the largest first."""
    return [most - step / 20 for step in range(round(20 * (most - MIN_SHARE)) + 1)]


def _font(larger: float, is_bold: bool = False) -> QFont:
    font = QFont(QGuiApplication.font())
    font.setPixelSize(round(QFontInfo(font).pixelSize() * larger))
    font.setBold(is_bold)
    return font
