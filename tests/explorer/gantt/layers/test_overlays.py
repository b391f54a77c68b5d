"""The card beside the pointer: names and values stand side by side, however long a value is."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest
from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QFont, QPainter, QPixmap

from explorer.gantt.geometry.chart_frame import ChartFonts, ChartFrame, draw_elided
from explorer.gantt.layers import overlays
from explorer.gantt.layers.stage_facts import StageFacts
from explorer.widgets.theme import theme


def chart():
    """Return a chart of 900 x 400 pixels, as far as cards need one, and its fonts."""
    fonts = ChartFonts(QFont())
    places = SimpleNamespace(whole=QRectF(0, 0, 900, 400))
    return cast("ChartFrame", SimpleNamespace(fonts=fonts, theme=theme("light"), places=places)), fonts


@pytest.mark.parametrize("value", ["8", "0.56 s after job 2: count at Truth.scala:36 (local-17), until 0:18"])
def test_a_value_stands_right_of_its_name(qapp, monkeypatch, value):
    places = {}
    frame, fonts = chart()
    monkeypatch.setattr(
        overlays, "draw_elided", lambda _, rect, text, *_a, **_k: places.update({text: QRectF(rect)})
    )
    facts = StageFacts("job 6 · stage 0", -1, -1, (("waited for driver", value),))
    picture = QPixmap(900, 400)
    painter = QPainter(picture)
    overlays.paint_card(painter, frame, facts, QPointF(100, 100), "")
    painter.end()
    name_end = places["waited for driver"].left() + fonts.small_metrics.horizontalAdvance("waited for driver")
    assert places[value].left() >= name_end + overlays.NAME_GAP - 1
    assert places[value].right() == places["waited for driver"].right()


class Noting(QPainter):
    """Notes which text is drawn where, and draws it."""

    def __init__(self, picture: QPixmap) -> None:
        super().__init__(picture)
        self.drawn: list[tuple[QRectF, str]] = []

    def drawText(self, rect: QRectF, flags: int, text: str) -> None:  # type: ignore[override]
        self.drawn.append((QRectF(rect), text))
        super().drawText(rect, flags, text)


def heights_of_card(monkeypatch, frame, hand):
    """Return the place of the card with what a drag would do, and what is written in it and where."""
    rects = []
    monkeypatch.setattr(overlays, "draw_panel", lambda _painter, _frame, rect: rects.append(rect))
    facts = StageFacts("job 6", -1, -1, (("waited", "17 s"),))
    picture = QPixmap(900, 400)
    painter = Noting(picture)
    overlays.paint_card(painter, frame, facts, QPointF(10, 10), hand)
    painter.end()
    return rects[0], painter.drawn


def test_what_a_drag_would_do_is_broken_into_lines_and_never_cut(qapp, monkeypatch):
    frame, fonts = chart()
    hand = (
        "Moves job 6 before job 2: its reduces begin 17 s sooner, and everything ends 1 min 04 s sooner " * 2
    )
    card, texts = heights_of_card(monkeypatch, frame, hand)
    place, text = texts[-1]
    assert text == hand  # all of it
    needed = fonts.small_metrics.boundingRect(QRect(0, 0, int(place.width()), 999), overlays.WRAPPED, hand)
    assert place.height() >= needed.height() - 1
    assert card.contains(place)
    short, _ = heights_of_card(monkeypatch, frame, "Moves job 6")
    assert card.height() > short.height()


@pytest.mark.parametrize("text", ["17 s", "2 h 04 min 32 s", "1 min 00 s", "42"])
def test_a_text_as_wide_as_its_place_keeps_its_letters(qapp, text):
    fonts = ChartFonts(QFont())
    picture = QPixmap(900, 400)
    painter = Noting(picture)
    painter.setFont(fonts.small)
    draw_elided(painter, QRectF(0, 0, fonts.small_metrics.horizontalAdvance(text), 17), text)
    painter.end()
    assert [drawn for _, drawn in painter.drawn] == [text]
