"""What reading from another node added to a map: drawn at the end of its bar, explained in the legend."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.charts.page_marks import remote_places
from core.charts.schedule_rows import schedule_rows
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.nodes import NodeGroup, Request
from core.model.stages import Stage
from core.model.workload import Workload
from explorer.document.time_axis import TimeAxis
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.layers.chart_layers import legend_signs
from explorer.gantt.layers.remote_reads import SIGNS
from explorer.widgets.theme import theme
from tests.core.charts.chart_builders import make_schedule

ASK = Request(1, 1)
CLUSTER = Cluster(0, 0, 1.0, nodes=(NodeGroup(2, 1, 1),), map_request=ASK, reduce_request=ASK)
JOB = Job("J1", Stage.of(2, 10.0), input_nodes=((1,), (1,)), remote_read=20.0)
"""Both inputs lie on the second of two nodes for one map each: the map on the first one runs until 30 s."""
SCHEDULE = make_schedule(Workload("located", (JOB,), CLUSTER))


def test_those_that_read_longer_are_found():
    assert SCHEDULE.end.tolist() == [10, 30] or SCHEDULE.end.tolist() == [30, 10]
    rows = schedule_rows(SCHEDULE)
    assert [rows.schedule.end[rows.task[place]] for place in remote_places(rows)] == [30]
    assert SIGNS[0] in legend_signs([rows])
    for changed in ({"remote_read": 0.0}, {"remote_read": 0.0, "input_nodes": ()}):
        other = schedule_rows(make_schedule(Workload("other", (replace(JOB, **changed),), CLUSTER)))
        assert not len(remote_places(other))
        assert SIGNS[0] not in legend_signs([other])


@pytest.mark.parametrize("dark", [False, True])
def test_the_end_of_its_bar_has_lines(qtbot, dark):
    view = GanttView(TimeAxis(), theme(dark))
    qtbot.addWidget(view)
    view.resize(700, 420)
    view.axis.set_extent(0.0, 40.0)
    view.set_schedule(SCHEDULE)
    view.show()
    image, frame = view.grab().toImage(), view.frame()

    def colours(slot, begin, end):
        top, bottom = frame.row(slot)
        left, right = (round(frame.x(time)) for time in (begin, end))
        return {image.pixel(x, y) for x in range(left + 2, right - 2) for y in range(top + 2, bottom - 4)}

    assert len(colours(0, 6.0, 9.0)) == 1
    assert len(colours(1, 6.0, 9.0)) == 1
    assert len(colours(0, 11.0, 14.0)) >= 2
    assert not colours(0, 6.0, 9.0) & colours(0, 11.0, 14.0)
