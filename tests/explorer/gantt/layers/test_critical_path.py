"""The critical path in a chart: its waits are dashes, of which those in view are painted."""

from __future__ import annotations

from typing import Any, cast

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor

from explorer.gantt.layers.critical_path import DASH, SPACE, PathStep, _paint_run

INK = QColor("black")


class Pen:
    """Stands for a painter of a chart 800 pixels wide; notes where it paints."""

    def __init__(self) -> None:
        self.places: list[int] = []

    def clipBoundingRect(self) -> QRectF:
        return QRectF(100, 0, 800, 400)

    def fillRect(self, x: int, *_more: object) -> None:
        self.places.append(x)


@pytest.mark.parametrize("left", [-40_000_000, 300])
def test_of_a_wait_that_is_longer_than_the_chart_only_dashes_in_view_are_painted(left):
    pen = Pen()
    _paint_run(cast("Any", pen), PathStep(left, 90_000_000, 20, INK, True), INK, 0, dashed=True)
    assert len(pen.places) <= 800 // (DASH + SPACE) + 2
    assert {(x - left) % (DASH + SPACE) for x in pen.places} == {0}, "they stay where they were"
    assert min(pen.places) <= max(left, 100)
    assert max(pen.places) > 900 - DASH - SPACE - 1
