"""A worksheet of a lesson as PDF: its questions with charts and lines to write on; the answers come last."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QMarginsF, QPointF, QRect, QSize, QSizeF, Qt
from PySide6.QtGui import QPageLayout, QPageSize, QPainter, QPdfWriter

from core.model.errors import InputError, UnknownName
from explorer.gantt.stage import Style
from explorer.lessons.lesson_pages import no_picture
from explorer.lessons.worksheet_blocks import answer_text, asking, head_text, question_text, step_text, tells
from explorer.widgets.export import written_by
from explorer.widgets.painted_text import markdown_of, paint_markdown, small_font
from explorer.widgets.theme import theme, write_with
from explorer.widgets.type_face import headless_application

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from PySide6.QtCore import QIODevice
    from PySide6.QtGui import QTextDocument

    from core.lessons.lesson import Lesson
    from explorer.lessons.lesson_pages import LessonPage
    from explorer.widgets.painted_text import PictureBelow
    from explorer.widgets.theme import Theme

    PictureOf = Callable[[LessonPage, Theme], PictureBelow | None]

PAPERS = {"A4": QPageSize.PageSizeId.A4, "Letter": QPageSize.PageSizeId.Letter}
DOTS_PER_INCH = 120
TEXT = DOTS_PER_INCH / 96
"""Size of text, so that it is on paper as large as on a screen."""
MARGIN_MM = 15.0
FOOT = round(24 * TEXT)
LEGEND = round(40 * TEXT)
MIN_CHART, MAX_CHART = round(190 * TEXT), round(330 * TEXT)
CHARTS_SHARE = 0.6
"""Of a page at most, for charts that have no more than their least height."""
LINE_HEIGHT, MIN_LINES, MAX_LINES = 36, 2, 10
ANSWER_SHARES = (1.0, 0.95, 0.9, 0.85)
"""Letters of the answers shrink so far if that saves a page."""
AIR = 14
"""Dots between blocks."""


@dataclass(frozen=True)
class _Block:
    """What stays together on a page: text, and perhaps a picture, charts, text and lines."""

    above: QTextDocument
    page: LessonPage | None = None
    below: QTextDocument | None = None
    picture: PictureBelow | None = None

    @property
    def chart_count(self) -> int:
        """How many charts it has."""
        return 0 if self.page is None else len(self.page.rows)

    @property
    def picture_height(self) -> int:
        """Dots of the picture, without the air below it."""
        return 0 if self.picture is None else round(self.picture.height() * TEXT)

    @cached_property
    def other_height(self) -> int:
        """Dots of all but charts and lines."""
        texts = [self.above] if self.below is None else [self.above, self.below]
        heights = [round(text.size().height()) + AIR for text in texts]
        picture = 0 if self.picture is None else self.picture_height + AIR
        return sum(heights) + picture + (0 if self.page is None else LEGEND + AIR) + AIR

    def least_height(self, room: int) -> int:
        """Return the dots that it takes on a page of so many, with low charts and few lines."""
        lines = 0 if self.page is None else MIN_LINES * LINE_HEIGHT
        return self.other_height + self.chart_count * self.least_chart(room) + lines

    def least_chart(self, room: int) -> int:
        """Return the least height of a chart."""
        return min(MIN_CHART, round(CHARTS_SHARE * room) // max(1, self.chart_count))

    def may_follow(self, others: Sequence[_Block]) -> bool:
        """Whether it shows no answer to a question of these blocks."""
        own = self.page
        return own is None or not any(each.page is not None and tells(own, each.page) for each in others)


@dataclass(frozen=True)
class _Placed:
    """A block with the dots of each of its charts, and its lines."""

    block: _Block
    chart: int
    lines: int


def worksheet(
    lesson: Lesson, pages: Sequence[LessonPage], paper: str = "A4", picture_of: PictureOf = no_picture
) -> bytes:
    """Return a worksheet as PDF: every step with a question, and all answers on pages of their own.

    `picture_of` returns what stands below the text of a step, or None.

    Raises
    ------
    InputError
        the lesson asks nothing, or the paper is not known
    """
    if not asking(pages):
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
        area = writer.pageLayout().paintRectPixels(DOTS_PER_INCH).size()
        with QPainter(writer) as painter:
            paint_worksheet(painter, area, lesson, pages, writer.newPage, picture_of)

    return written_by(write)


def paint_worksheet(
    painter: QPainter,
    area: QSize,
    lesson: Lesson,
    pages: Sequence[LessonPage],
    turn: Callable[[], object],
    picture_of: PictureOf = no_picture,
) -> None:
    """Draw a worksheet on pages of a size; `turn` goes on at the next one."""
    sheet = Sheet(area, lesson, pages, picture_of)
    for number, page in enumerate(sheet.pages(), 1):
        if number > 1:
            turn()
        sheet.paint(painter, page, number)


class Sheet:
    """Lays blocks out on pages, and draws them."""

    def __init__(
        self,
        area: QSize,
        lesson: Lesson,
        pages: Sequence[LessonPage],
        picture_of: PictureOf = no_picture,
    ) -> None:
        self._lesson, self._pages, self._picture_of = lesson, asking(pages), picture_of
        self._theme = theme(False)
        self._width, self._room = area.width(), area.height() - FOOT
        self._top = 0

    def pages(self) -> Iterator[list[_Placed]]:
        """Yield what stands on each page: the questions, and then the answers."""
        questions = [_Block(self._text(head_text(self._lesson)))]
        for number, page in enumerate(self._pages, 1):
            questions += self._question(number, page)
        yield from self._laid_out(questions)
        yield from min((self._answers(share) for share in ANSWER_SHARES), key=len)

    # ---- what stands on it

    def _answers(self, share: float) -> list[list[_Placed]]:
        """Return the pages of the answers, in letters of a share of their size."""
        answers = (answer_text(number, page) for number, page in enumerate(self._pages, 1))
        return list(self._laid_out([_Block(self._text(each, share)) for each in ("# Answers", *answers)]))

    def _text(self, markdown: str, share: float = 1.0) -> QTextDocument:
        """Return a text as wide as the page."""
        document = markdown_of(markdown, share * TEXT)
        document.setTextWidth(self._width)
        return document

    def _question(self, number: int, page: LessonPage) -> Iterator[_Block]:
        """Yield a question as one block, or as several where its text takes more than a page."""
        whole, picture = step_text(number, page), self._picture_of(page, self._theme)
        below = self._text(question_text(page))
        block = _Block(self._text(whole), page, below, picture)
        if block.least_height(self._room) <= self._room:
            yield block
            return
        *before, last = whole.split("\n\n")
        yield from (_Block(self._text(paragraph)) for paragraph in before)
        yield _Block(self._text(last), page, below, picture)

    # ---- how it is laid out

    def _laid_out(self, blocks: Sequence[_Block]) -> Iterator[list[_Placed]]:
        """Yield the blocks of each page, stretched until it is full."""
        page: list[_Block] = []
        used = 0
        for block in blocks:
            needed = block.least_height(self._room)
            if page and (used + needed > self._room or not block.may_follow(page)):
                yield self._stretched(page, self._room - used)
                page, used = [], 0
            page.append(block)
            used += needed
        yield self._stretched(page, self._room - used)

    def _stretched(self, blocks: Sequence[_Block], spare: int) -> list[_Placed]:
        """Return the blocks of a page with higher charts and more lines, in the dots that are left."""
        asked = [block for block in blocks if block.page is not None]
        charts = sum(block.chart_count for block in asked)
        higher = 0 if not charts else max(0, min(spare // charts, MAX_CHART - MIN_CHART))
        left = max(0, spare - higher * charts)
        lines = MIN_LINES + (min(left // (len(asked) * LINE_HEIGHT), MAX_LINES - MIN_LINES) if asked else 0)
        return [
            _Placed(block, block.least_chart(self._room) + higher, 0 if block.page is None else lines)
            for block in blocks
        ]

    # ---- how it is drawn

    def paint(self, painter: QPainter, page: Sequence[_Placed], number: int) -> None:
        """Draw a page with its foot."""
        self._paint_foot(painter, number)
        self._top = 0
        for placed in page:
            block = placed.block
            self._put_text(painter, block.above)
            if block.picture is not None:
                self._put_picture(painter, block.picture, block.picture_height)
            if block.page is not None:
                self._put_charts(painter, block.page, LEGEND + placed.chart * block.chart_count)
            if block.below is not None:
                self._put_text(painter, block.below)
            self._put_lines(painter, placed.lines)
            self._top += AIR

    def _paint_foot(self, painter: QPainter, number: int) -> None:
        rect = QRect(0, self._room, self._width, FOOT)
        write_with(painter, small_font(TEXT), self._theme.second_text)
        left, right = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight
        for side, words in ((left, self._lesson.name), (right, str(number))):
            painter.drawText(rect, int(side | Qt.AlignmentFlag.AlignBottom), words)

    def _put_text(self, painter: QPainter, document: QTextDocument) -> None:
        size = document.size()
        paint_markdown(painter, document, QPointF(0, self._top), QSizeF(size), self._theme)
        self._top += round(size.height()) + AIR

    def _put_picture(self, painter: QPainter, picture: PictureBelow, height: int) -> None:
        painter.save()
        painter.translate(0, self._top)
        painter.scale(TEXT, TEXT)
        picture.paint_export(painter)
        painter.restore()
        self._top += height + AIR

    def _put_charts(self, painter: QPainter, page: LessonPage, height: int) -> None:
        painter.save()
        painter.translate(0, self._top)
        page.paint_charts(painter, Style(self._theme, (self._width, height), TEXT), is_vector=True)
        painter.restore()
        self._top += height + AIR

    def _put_lines(self, painter: QPainter, count: int) -> None:
        for _ in range(count):
            self._top += LINE_HEIGHT
            painter.fillRect(0, self._top, self._width, 1, self._theme.third_text)
