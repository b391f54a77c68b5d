"""A worksheet of a lesson as PDF: its questions with charts and lines to write on; the answers come last."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QMarginsF, QPointF, QRect, QSizeF, Qt
from PySide6.QtGui import QPageLayout, QPageSize, QPainter, QPdfWriter

from core.model.errors import InputError, UnknownName
from explorer.gantt.export import headless_application
from explorer.gantt.stage import Style
from explorer.widgets.export import written_by
from explorer.widgets.painted_text import markdown_of, paint_markdown, small_font
from explorer.widgets.theme import theme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QIODevice
    from PySide6.QtGui import QTextDocument

    from core.lessons.lesson import Lesson
    from explorer.lessons.lesson_pages import LessonPage

PAPERS = {"A4": QPageSize.PageSizeId.A4, "Letter": QPageSize.PageSizeId.Letter}
DOTS_PER_INCH = 120
TEXT = DOTS_PER_INCH / 96
"""Size of text, so that it is on paper as large as on a screen."""
MARGIN_MM = 15.0
CHART_HEIGHT, LEGEND_HEIGHT, MIN_CHART = 170, 40, 110
LINE_HEIGHT, LINES = 36, 3
AIR = 14
"""Dots between blocks."""


@dataclass(frozen=True)
class _Block:
    """What stays together on a page: text, charts, text and lines, each may be missing; heights in dots."""

    above: QTextDocument
    page: LessonPage | None = None
    below: QTextDocument | None = None

    @property
    def text_height(self) -> int:
        """Of everything but the charts."""
        texts = (self.above, *(() if self.below is None else (self.below,)))
        lines = LINES * LINE_HEIGHT if self.page is not None else 0
        heights: list[int] = [round(text.size().height()) + AIR for text in texts]
        return sum(heights) + lines + AIR

    def charts_height(self, room: int) -> int:
        """Of the charts: less where there is no more room."""
        if self.page is None:
            return 0
        count, most = len(self.page.charts), room - self.text_height
        usual = round((LEGEND_HEIGHT + CHART_HEIGHT * count) * TEXT)
        return max(round((LEGEND_HEIGHT + MIN_CHART * count) * TEXT), min(usual, most))


def worksheet(lesson: Lesson, pages: Sequence[LessonPage], paper: str = "A4") -> bytes:
    """Return a worksheet as PDF: every step with a question, and all answers on pages of their own.

    Raises
    ------
    InputError
        the lesson asks nothing, or the paper is not known
    """
    with_question = [page for page in pages if page.read.question is not None]
    if not with_question:
        raise InputError(f"{lesson.name} asks nothing, so there is no worksheet; its slides tell it all")
    if paper not in PAPERS:
        raise UnknownName("paper", paper, PAPERS)

    def write(device: QIODevice) -> None:
        headless_application()
        writer = QPdfWriter(device)
        writer.setPageSize(QPageSize(PAPERS[paper]))
        writer.setPageMargins(QMarginsF(*[MARGIN_MM] * 4), QPageLayout.Unit.Millimeter)
        writer.setResolution(DOTS_PER_INCH)
        writer.setCreator("Slotscope")
        writer.setTitle(f"{lesson.name}: worksheet")
        with QPainter(writer) as painter:
            sheet = _Sheet(writer, painter, lesson.name)
            head = f"# {lesson.name}\n\n{lesson.summary}\n\nName: " + "\\_" * 32
            sheet.put(_Block(sheet.text(head)))
            for number, page in enumerate(with_question, 1):
                above = sheet.text(f"## {number}. {page.title}\n\n{page.read.text}")
                sheet.put(_Block(above, page, sheet.text(page.question)))
            sheet.turn()
            sheet.put(_Block(sheet.text("# Answers")))
            for number, page in enumerate(with_question, 1):
                sheet.put(_Block(sheet.text(f"### {number}. {page.title}\n\n{page.answer}")))

    return written_by(write)


class _Sheet:
    """Puts blocks below one another, on a new page where there is no room left."""

    def __init__(self, writer: QPdfWriter, painter: QPainter, name: str) -> None:
        self._writer, self._painter, self._name = writer, painter, name
        self._theme = theme(False)
        area = writer.pageLayout().paintRectPixels(DOTS_PER_INCH).size()
        self._width, self._height = area.width(), area.height() - round(24 * TEXT)
        self._top, self._number = 0, 1
        self._foot()

    def text(self, markdown: str) -> QTextDocument:
        """Return a text as wide as the page."""
        document = markdown_of(markdown, TEXT)
        document.setTextWidth(self._width)
        return document

    def turn(self) -> None:
        """Go on at the top of a new page."""
        self._writer.newPage()
        self._number += 1
        self._top = 0
        self._foot()

    def _foot(self) -> None:
        rect = QRect(0, self._height, self._width, round(24 * TEXT))
        self._painter.setFont(small_font(TEXT))
        self._painter.setPen(self._theme.second_text)
        self._painter.drawText(
            rect, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom), self._name
        )
        right = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom)
        self._painter.drawText(rect, right, str(self._number))

    def put(self, block: _Block) -> None:
        """Draw a block below the last one."""
        left = self._height - self._top
        charts = block.charts_height(left)
        if block.text_height + charts > left and self._top:
            self.turn()
            charts = block.charts_height(self._height)
        self._put_text(block.above)
        if block.page is not None:
            self._put_charts(block.page, charts)
        if block.below is not None:
            self._put_text(block.below)
        if block.page is not None:
            self._put_lines()
        self._top += AIR

    def _put_text(self, document: QTextDocument) -> None:
        size = document.size()
        paint_markdown(self._painter, document, QPointF(0, self._top), QSizeF(size), self._theme)
        self._top += round(size.height()) + AIR

    def _put_charts(self, page: LessonPage, height: int) -> None:
        self._painter.save()
        self._painter.translate(0, self._top)
        style = Style(self._theme, (self._width, height), TEXT)
        page.paint_charts(self._painter, style, is_vector=True)
        self._painter.restore()
        self._top += height

    def _put_lines(self) -> None:
        for _ in range(LINES):
            self._top += LINE_HEIGHT
            self._painter.fillRect(0, self._top, self._width, 1, self._theme.third_text)
