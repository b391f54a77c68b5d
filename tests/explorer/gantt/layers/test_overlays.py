"""The card beside the pointer: names and values stand side by side, however long a value is."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QPainter, QPixmap

from explorer.gantt.geometry.chart_frame import ChartFonts, ChartFrame
from explorer.gantt.layers import overlays
from explorer.gantt.layers.stage_facts import StageFacts
from explorer.widgets.theme import theme


@pytest.mark.parametrize("value", ["8", "0.56 s after job 2: count at Truth.scala:36 (local-17), until 0:18"])
def test_a_value_stands_right_of_its_name(qapp, monkeypatch, value):
    places = {}
    monkeypatch.setattr(
        overlays, "draw_elided", lambda _, rect, text, *_a, **_k: places.update({text: QRectF(rect)})
    )
    fonts = ChartFonts(QFont())
    places_of_chart = SimpleNamespace(whole=QRectF(0, 0, 900, 400))
    frame = cast("ChartFrame", SimpleNamespace(fonts=fonts, theme=theme("light"), places=places_of_chart))
    facts = StageFacts("job 6 · stage 0", -1, -1, (("waited for driver", value),))
    picture = QPixmap(900, 400)
    painter = QPainter(picture)
    overlays.paint_card(painter, frame, facts, QPointF(100, 100), "")
    painter.end()
    name_end = places["waited for driver"].left() + fonts.small_metrics.horizontalAdvance("waited for driver")
    assert places[value].left() >= name_end + overlays.NAME_GAP - 1
    assert places[value].right() == places["waited for driver"].right()
