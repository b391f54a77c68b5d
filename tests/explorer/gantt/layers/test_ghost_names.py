"""The name of the strip that shows the schedule before: whole below every lane, also below the last one."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFont

from core.charts.schedule_rows import schedule_rows
from explorer.document.time_axis import TimeRange
from explorer.gantt.chart_scene import ChartScene
from explorer.gantt.geometry.chart_content import ChartContent
from explorer.gantt.geometry.chart_frame import BAND_LEFT, BAND_WIDTH
from explorer.gantt.layers.row_bands import has_slot_names
from explorer.widgets.theme import theme
from tests.core.charts.chart_builders import make_schedule


@pytest.mark.parametrize("height", [200, 300])
def test_the_name_below_the_last_lane_is_as_whole_as_that_below_the_first(qapp, height):
    rows = schedule_rows(make_schedule(jobs=2, slots=100))
    scene = ChartScene(theme(False), QFont(), ChartContent(rows=rows, ghost=rows), in_stack=True)
    scene.resize(500, height)
    frame = scene.frame(TimeRange(0.0, 10.0), TimeRange(0.0, 10.0))
    image = scene.still(frame).toImage()
    assert len(frame.pool_rects) == 2
    assert not has_slot_names(frame.layout, 1)
    ground, shapes = image.pixel(BAND_LEFT + BAND_WIDTH + 2, frame.pool_rects[0].center().y()), []
    for rect in frame.pool_rects:
        lines = range(rect.bottom() - 8, min(rect.bottom() + 14, height))
        columns = range(BAND_LEFT + BAND_WIDTH + 2, frame.places.plot.left() - 5)
        inked = [[image.pixel(x, y) != ground for x in columns] for y in lines]
        shapes.append([line for line in inked if any(line)])
    assert len(shapes[0]) > 5
    assert shapes[0] == shapes[1]
