"""Flags upon the axis: no two texts in one picture of it say the same time."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.document.time_axis import EndLine, TimeAxis, TimeCursor
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.pinned_axis import CROSSHAIR_AIR, HEIGHT, PinnedAxis, _time_flag
from explorer.widgets.theme import theme
from tests.core.charts.chart_builders import make_schedule


@pytest.mark.parametrize("span", [0.4, 2.0, 5.0, 9.0, 17.0, 40.0, 600.0, 9000.0, 90_000.0])
def test_a_flag_has_the_text_of_a_label_only_where_it_covers_it(qtbot, span):
    axis = TimeAxis()
    axis.set_extent(0.0, 200_000.0)
    axis.show_span(1.0, 1.0 + span)
    view = GanttView(axis, theme(dark=False))
    qtbot.addWidget(view)
    view.resize(900, 300)
    view.set_schedule(make_schedule())
    pinned = PinnedAxis(axis, TimeCursor(), EndLine())
    qtbot.addWidget(pinned)
    pinned.resize(900, HEIGHT)
    pinned.follow(view)
    frame = pinned.frame()
    assert frame is not None
    labels = [text for _, _, text in frame.tick_labels]
    assert len(set(labels)) == len(labels) > 1
    for seconds in np.linspace(axis.t0, axis.t1, 400).tolist():
        flag, said = _time_flag(frame, seconds, CROSSHAIR_AIR)
        around = flag.adjusted(-3, 0, 3, 0)
        left = [text for _, label, text in frame.tick_labels if not label.intersects(around)]
        assert said not in left
