"""What a room sees of a poll: the code that phones read, how many gave each answer, and which is right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QGuiApplication

from explorer.gantt.geometry.chart_frame import draw_elided
from explorer.lessons.step_reader import RIGHT_MARK

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from core.lessons.poll import PollRow
    from explorer.widgets.theme import Theme

WIDTH = 250
QUIET = 4
"""Modules without ink around a code, without which phones do not find it."""
LINE, BAR, GAP = 22, 12, 6
INK, PAPER = QColor(0, 0, 0), QColor(255, 255, 255)
"""Of a code, in every theme: phones read dark on light."""


def answers_text(count: int) -> str:
    """Return how many answers are in."""
    return f"{count} answer{'' if count == 1 else 's'}"


class CodePicture:
    """The code of an address, the address to type, and how many answers are in."""

    def __init__(self, url: str, answers: int, theme: Theme) -> None:
        import segno  # only who polls loads it

        self.url, self.answers, self.theme = url, answers, theme
        self._modules = segno.make(url, error="m", micro=False).matrix

    def width(self) -> int:
        """Pixels."""
        return WIDTH

    def height(self) -> int:
        """Pixels."""
        return WIDTH + 2 * LINE

    def paint_export(self, painter: QPainter) -> None:
        """Draw it from the corner on."""
        size = len(self._modules) + 2 * QUIET
        pixels = WIDTH / size
        painter.fillRect(0, 0, WIDTH, WIDTH, PAPER)
        for y, line in enumerate(self._modules):
            for x, is_dark in enumerate(line):
                if is_dark:
                    left, top = round((QUIET + x) * pixels), round((QUIET + y) * pixels)
                    right, bottom = round((QUIET + x + 1) * pixels), round((QUIET + y + 1) * pixels)
                    painter.fillRect(left, top, right - left, bottom - top, INK)
        texts = (self.url.removeprefix("http://"), answers_text(self.answers))
        for place, text in enumerate(texts):
            rect = QRect(0, WIDTH + place * LINE, WIDTH, LINE)
            _write(painter, rect, text, self.theme.text, is_bold=place == 1, shrinks=True)


@dataclass(frozen=True)
class BarsPicture:
    """A histogram: a line and a bar for each answer, those that are right are marked once that is known.

    Attributes
    ----------
    bars : the rows
    theme : colours
    right : places of the rows that are right; None until that is to be seen
    right_count : how many of the answers are right
    """

    bars: tuple[PollRow, ...]
    theme: Theme
    right: frozenset[int] | None = None
    right_count: int = 0

    def width(self) -> int:
        """Pixels."""
        return WIDTH

    def height(self) -> int:
        """Pixels."""
        return LINE + len(self.bars) * (LINE + BAR + GAP)

    @property
    def total(self) -> int:
        """How many answers there are."""
        return sum(bar.votes for bar in self.bars)

    @property
    def heading(self) -> str:
        """How many answers there are, and how many of them are right."""
        told = answers_text(self.total)
        return told if self.right is None else f"{told}, {self.right_count} right"

    def row_text(self, place: int) -> str:
        """Return what stands above the bar of a row."""
        is_right = self.right is not None and place in self.right
        return f"{RIGHT_MARK} {self.bars[place].text}" if is_right else self.bars[place].text

    def paint_export(self, painter: QPainter) -> None:
        """Draw it from the corner on."""
        _write(painter, QRect(0, 0, WIDTH, LINE), self.heading, self.theme.text, is_bold=True)
        most = max((bar.votes for bar in self.bars), default=0)
        for place, bar in enumerate(self.bars):
            top = LINE + place * (LINE + BAR + GAP)
            is_right = self.right is not None and place in self.right
            share = f"{bar.votes}  ({round(100 * bar.votes / max(1, self.total))} %)"
            wide = QFontMetrics(_font(is_right)).horizontalAdvance(share) + 8
            text = QRect(0, top, WIDTH - wide, LINE)
            _write(painter, text, self.row_text(place), self.theme.text, is_bold=is_right)
            counted = QRect(WIDTH - wide, top, wide, LINE)
            _write(painter, counted, share, self.theme.text, is_bold=is_right, is_right=True)
            rail = QRectF(0, top + LINE, WIDTH, BAR)
            painter.fillRect(rail, self.theme.line)
            if most:
                rail.setWidth(WIDTH * bar.votes / most)
                painter.fillRect(rail, self.theme.better if is_right else self.theme.accent)


def _font(is_bold: bool) -> QFont:
    font = QFont(QGuiApplication.font())
    font.setPixelSize(15)
    font.setBold(is_bold)
    return font


def _write(
    painter: QPainter,
    rect: QRect,
    text: str,
    ink: QColor,
    *,
    is_bold: bool = False,
    is_right: bool = False,
    shrinks: bool = False,
) -> None:
    font = _font(is_bold)
    while shrinks and QFontMetrics(font).horizontalAdvance(text) > rect.width() and font.pixelSize() > 8:
        font.setPixelSize(font.pixelSize() - 1)
    painter.setFont(font)
    painter.setPen(ink)
    side = Qt.AlignmentFlag.AlignRight if is_right else Qt.AlignmentFlag.AlignLeft
    draw_elided(painter, rect, text, side | Qt.AlignmentFlag.AlignVCenter)
