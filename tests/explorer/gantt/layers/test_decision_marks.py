"""Marks of decisions above the rows: where they are, how they grow together, and that a veil hides them."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRect

from core.model.cluster import Cluster
from core.model.job import Job
from core.model.stages import Stage
from core.model.workload import Workload
from explorer.document.time_axis import TimeAxis
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.layers.decision_marks import BAR, HEIGHT, merged
from explorer.widgets.theme import theme
from tests.core.charts.chart_builders import make_schedule

WORKLOAD = Workload("marked", (Job("A", Stage.of(2, [10.0, 4.0])), Job("B", Stage.of(1, 5.0))), Cluster(2, 0))


@pytest.fixture(params=[False, True], ids=["light", "dark"])
def view(qtbot, request):
    axis = TimeAxis()
    axis.set_extent(0.0, 10.0)
    axis.fit()
    view = GanttView(axis, theme(request.param))
    qtbot.addWidget(view)
    view.resize(700, 220)
    view.set_schedule(make_schedule(WORKLOAD))
    return view


def marked(view, above=HEIGHT // 2) -> list[int]:
    """Return the pixels so far above the rows that have the colour of marks."""
    frame, image = view.frame(), view.grab().toImage()
    ratio = image.devicePixelRatio()
    if frame.content.decisions is None:
        assert frame.places.plot.top() == 0  # without marks there is no room above the rows
        return []
    y = round((frame.places.plot.top() - above) * ratio)
    ink = frame.theme.accent.rgb()
    return [x for x in range(QRect(frame.places.plot).right()) if image.pixel(round(x * ratio), y) == ink]


def test_a_triangle_points_at_each_time(view):
    assert marked(view) == []
    view.change(decisions=np.array([2.0, 6.0]))
    found = marked(view)
    for seconds in (2.0, 6.0):
        x = view.frame().x(seconds)
        assert any(abs(x - each) <= 1 for each in found)
    assert len(found) <= 2 * HEIGHT
    view.change(decisions=None)
    assert marked(view) == []


def test_many_become_a_bar(view):
    view.change(decisions=np.linspace(2.0, 6.0, 500))
    left, right = (round(view.frame().x(seconds)) for seconds in (2.0, 6.0))
    assert set(range(left, right + 1)) <= set(marked(view, above=BAR - 1))


def test_a_veil_hides_what_comes_after_it(view):
    view.change(decisions=np.array([2.0, 6.0]), veil=4.0)
    near, far = (view.frame().unveiled.x(seconds) for seconds in (2.0, 6.0))
    assert [each for each in marked(view) if abs(each - near) < 8]
    assert not [each for each in marked(view) if abs(each - far) < 8]


def test_groups():
    assert merged(np.array([1.0]), 8) == [(1.0, 1.0)]
    assert merged(np.array([1.0, 5.0, 30.0, 38.0, 45.0]), 8) == [(1.0, 5.0), (30.0, 30.0), (38.0, 45.0)]
