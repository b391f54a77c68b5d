"""The veil in a whole chart: nothing right of it can be seen, heard, pointed at, or read from a flag."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import QPointF

from core.charts.schedule_rows import schedule_rows
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.stages import Stage
from core.model.workload import Workload
from explorer.document.time_axis import TimeAxis
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.geometry.chart_content import ChartContent
from explorer.gantt.gestures.accessible_tasks import TasksInView
from explorer.gantt.layers.time_marks import marks_of
from explorer.gantt.layers.veil import veiled_facts
from explorer.gantt.stage import Style, to_image
from explorer.widgets.theme import theme
from tests.core.charts.chart_builders import make_schedule

# two slots: A from 0 to 10, B from 10 to 30, C from 30 to 40
WORKLOAD = Workload(
    "veiled",
    (Job("A", Stage.of(2, 10.0)), Job("B", Stage.of(2, 20.0)), Job("C", Stage.of(2, 10.0))),
    Cluster(2, 0),
)
VEIL = 15.0


@pytest.fixture(params=[False, True], ids=["light", "dark"])
def view(qtbot, request):
    schedule = make_schedule(WORKLOAD)
    axis = TimeAxis()
    axis.set_extent(0.0, 50.0)
    axis.fit()
    view = GanttView(axis, theme(request.param))
    qtbot.addWidget(view)
    view.resize(900, 200)
    view.set_schedule(schedule, veil=VEIL)
    return view


def row_colours(view, start, end):
    image, frame = view.grab().toImage(), view.frame().unveiled
    y = frame.row(0)[0] + 4
    return {
        image.pixelColor(x, y).rgb() & 0xFFFFFF for x in range(round(frame.x(start)), round(frame.x(end)))
    }


def tones(view):
    return {int(tone) & 0xFFFFFF for tone in view.frame().tones.ravel()}


def test_tasks_end_at_the_veil_to_the_eye(view):
    assert row_colours(view, 11, 14) & tones(view)
    assert not row_colours(view, 16, 29) & tones(view)  # B goes on there
    assert not row_colours(view, 31, 39) & tones(view)
    view.change(veil=math.inf)
    assert row_colours(view, 31, 39) & tones(view)


def test_a_picture_of_the_chart_is_veiled_too():
    drawn = [
        to_image(
            [ChartContent(rows=schedule_rows(make_schedule(_ending(last))), title="FIFO", veil=VEIL)],
            Style(theme(False), (800, 300)),
        )
        for last in (6.0, 8.0)
    ]
    assert drawn[0] == drawn[1]


def _ending(last: float) -> Workload:
    """The same until the veil: only what C takes differs."""
    return Workload("veiled", (*WORKLOAD.jobs[:2], Job("C", Stage.of(2, last))), Cluster(2, 0))


def test_flags_tell_of_no_end(view):
    view.change(selected_job=1, lower_bound=40.0, estimates=(("estimated", 12.0),))
    assert [mark.text for mark in marks_of(view.frame())] == ["B"]


def test_under_the_veil_nothing_is_pointed_at(view):
    frame = view.frame().unveiled
    y = float(sum(frame.row(0)) / 2)
    assert view.job_at(QPointF(frame.x(35.0), y)) == -1
    assert view.job_at(QPointF(frame.x(12.0), y)) == 1
    view.point_at(QPointF(frame.x(12.0), y), view._hit(QPointF(frame.x(12.0), y)))
    assert [name for name, _ in view.facts.lines()] == ["slot", "wave", "start"]
    view.point_at(QPointF(frame.x(5.0), y), view._hit(QPointF(frame.x(5.0), y)))
    assert ("end", "0:10") in view.facts.lines()


def test_keys_stop_at_what_has_begun(view):
    for _ in range(4):
        view.steps.along(1)
    assert view.facts.title == "B · map 1 of 2"


def test_who_hears_the_chart_hears_no_end(view):
    assert "40" not in view.accessibleDescription()
    assert "hidden" in view.accessibleDescription()
    model = TasksInView(view, view)
    model.refresh()
    texts = [model.data(model.index(0, column)) for column in range(model.columnCount())]
    assert ["A" in text for text in texts] == [True, False]
    assert "end" not in texts[1]


def test_a_veil_before_the_view_hides_all_of_it(view):
    view.axis.show_span(20.0, 40.0)
    frame = view.frame().unveiled
    assert not row_colours(view, 20, 40) & tones(view)
    assert veiled_facts(view.facts, VEIL, 30.0) is None
    assert view.job_at(QPointF(frame.x(35.0), float(frame.row(0)[0] + 5))) == -1


def test_zooming_to_a_job_ends_at_the_veil(view):
    view.look.zoom_to_job(1)
    assert view.axis.t1 <= VEIL + 1.0


def test_without_a_veil_the_frame_is_whole(view):
    view.change(veil=math.inf)
    assert view.frame().unveiled is view.frame()
