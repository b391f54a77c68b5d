"""Labels that point: inside of the chart, beside their targets, and upon nothing that they point at."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPen

from core.charts.palette import contrast
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.stages import Stage
from core.model.workload import Workload
from explorer.document.time_axis import EndLine, TimeAxis, TimeCursor
from explorer.document.view_state import SelectedIdle
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.geometry.chart_content import Pointer
from explorer.gantt.layers.pointers import (
    PointersLayer,
    gap_around,
    place_label,
    placed_labels,
    target_of,
)
from explorer.widgets.theme import theme
from tests.core.charts.chart_builders import make_schedule

# on two slots: A's maps 0 to 10 and 0 to 4, then B's only map from 4 to 9; slot 1 idles from 9 on
WORKLOAD = Workload(
    "pointed at", (Job("A", Stage.of(2, [10.0, 4.0])), Job("B", Stage.of(1, 5.0))), Cluster(2, 0)
)


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


def target(view, **points):
    frame = view.frame()
    return target_of(frame.unveiled, view.content.rows, Pointer("here", **points))


def spans(view, rect):
    frame = view.frame()
    return round(frame.time(rect.left()), 1), round(frame.time(rect.right()), 1)


def test_a_label_has_room_for_its_text_whatever_pen_the_layers_below_leave(view):
    """Below tasks of one label a painter has no pen, and then measures every text as empty."""
    frame, layer, drawn = view.frame(), PointersLayer(), []
    frame = replace(frame, content=replace(frame.content, pointers=(Pointer("here it waits", task=2),)))
    for pen in (QPen(Qt.PenStyle.NoPen), QPen(Qt.GlobalColor.black)):
        drawn.append(QImage(view.size(), QImage.Format.Format_RGB32))
        drawn[-1].fill(0)
        with QPainter(drawn[-1]) as painter:
            painter.setPen(pen)
            layer.paint(painter, frame, view.content.rows)
    assert drawn[0] == drawn[1]


def test_tasks_jobs_and_gaps_are_found(view):
    assert spans(view, target(view, task=2)) == (4.0, 9.0)
    assert spans(view, target(view, job=0)) == (0.0, 10.0)
    assert spans(view, target(view, slot=1, seconds=9.5, is_gap=True)) == (9.0, 10.0)
    assert gap_around(view.content.rows, 1, 5.0) is None
    place = target(view, slot=0, seconds=5.0)
    assert place.center().x() == pytest.approx(view.frame().x(5.0))


def test_what_is_out_of_view_or_veiled_has_no_label(view):
    view.axis.show_span(5.0, 8.0)
    assert target(view, slot=1, seconds=9.5, is_gap=True) is None
    assert target(view, task=99) is None
    view.axis.fit()
    view.change(veil=3.0)
    assert target(view, task=2) is None
    assert spans(view, target(view, job=0))[1] == 3.0


def test_a_label_is_drawn_and_moves_with_the_zoom(view):
    bare = view.grab().toImage()
    view.change(pointers=(Pointer("A waits here for its last map to end", task=2),))
    drawn = view.grab().toImage()
    accent = view.scene.theme.accent.rgb()
    assert drawn != bare

    def first():
        image = view.grab().toImage()
        return next(x for x in range(700) if any(image.pixel(x, y) == accent for y in range(220)))

    before = first()
    view.axis.show_span(2.0, 10.0)
    assert first() != before


def test_the_line_of_the_time_cursor_does_not_cross_a_label(view):
    """It cut the words of a lesson's label in two."""
    view.change(pointers=(Pointer("A waits here for its last map to end", task=2),))
    frame, before = view.frame(), view.grab().toImage()
    ((_, _, rect),) = placed_labels(frame.unveiled, view.content.rows)
    cursor = TimeCursor()
    cursor.set_end(10.0)
    view.set_time_cursor(cursor, EndLine())
    cursor.show_at(frame.time(rect.center().x()))
    after = view.grab().toImage()
    x, inside = round(rect.center().x()), rect.toRect().adjusted(3, 3, -3, -3)
    assert before.pixel(x, inside.bottom() + 12) != after.pixel(x, inside.bottom() + 12)
    for y in range(inside.top(), inside.bottom()):
        assert contrast(before.pixel(x, y) & 0xFFFFFF, after.pixel(x, y) & 0xFFFFFF) < 1.3


def test_the_outline_of_an_offered_slot_does_not_cross_its_label(view):
    """To be the scheduler is to read "free": the outline of the slot went through the word."""
    view.set_schedule(make_schedule(replace(WORKLOAD, cluster=Cluster(30, 0))))
    view.change(pointers=(Pointer("free", slot=0, seconds=0.0),))
    ((_, _, rect),) = placed_labels(view.frame().unveiled, view.content.rows)
    before = view.grab().toImage()
    view.change(selected_idle=SelectedIdle(0, 0, 0.0, 10.0))
    after = view.grab().toImage()
    inside = rect.toRect().adjusted(4, 4, -4, -4)
    assert after != before
    for x, y in product(range(inside.left(), inside.right()), range(inside.top(), inside.bottom())):
        assert contrast(before.pixel(x, y) & 0xFFFFFF, after.pixel(x, y) & 0xFFFFFF) < 1.3


rects = st.builds(QRectF, st.floats(62, 600), st.floats(18, 180), st.floats(6, 90), st.floats(2, 24))


@given(st.lists(rects, min_size=1, max_size=4), st.tuples(st.floats(30, 220), st.floats(16, 60)))
@settings(max_examples=30)
def test_labels_are_never_cut_and_do_not_cover_a_lone_target(targets, size):
    whole = QRect(0, 0, 700, 220)
    for each in targets:
        rect = place_label(whole, each, size, targets)
        assert QRectF(whole).contains(rect)
    alone = place_label(whole, targets[0], size, targets[:1])
    assert not alone.intersects(targets[0])
