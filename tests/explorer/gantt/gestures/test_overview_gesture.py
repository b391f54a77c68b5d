"""Drags in the overview: the frame moves, its sides zoom, and a drag over everything shows a part of it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from explorer.document.time_axis import EndLine, TimeAxis, TimeCursor
from explorer.gantt.gantt_view import GanttView
from explorer.gantt.pinned_axis import HEIGHT, PinnedAxis
from explorer.widgets.theme import theme
from tests.core.charts.chart_builders import make_schedule

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture(params=[False, True], ids=["light", "dark"])
def pinned(qtbot, request):
    schedule = make_schedule()
    axis = TimeAxis()
    axis.set_extent(0.0, schedule.makespan)
    axis.fit()
    view = GanttView(axis, theme(request.param))
    qtbot.addWidget(view)
    view.resize(900, 300)
    view.set_schedule(schedule)
    shown = PinnedAxis(axis, TimeCursor(), EndLine())
    qtbot.addWidget(shown)
    shown.resize(900, HEIGHT)
    shown.follow(view)
    shown.show()
    return shown


def at(pinned, share) -> QPoint:
    """The pixel at a share of all that time."""
    place = pinned.frame().places.overview
    return QPoint(round(place.left() + share * place.width()), place.center().y())


def drag(pinned, first, last):
    QTest.mousePress(pinned, LEFT, pos=at(pinned, first))
    QTest.mouseMove(pinned, at(pinned, (first + last) / 2))
    QTest.mouseMove(pinned, at(pinned, last))
    QTest.mouseRelease(pinned, LEFT, pos=at(pinned, last))


def seen(pinned) -> tuple[float, float]:
    """What is in view, as shares of everything."""
    axis = pinned._axis
    whole = axis.full_range.span
    return axis.range.start / whole, axis.range.end / whole


def test_a_drag_over_everything_shows_what_it_went_over(pinned):
    drag(pinned, 0.25, 0.75)
    assert seen(pinned) == pytest.approx((0.25, 0.75), abs=0.003)
    pinned._axis.back()
    assert pinned._axis.is_fitted


def test_the_frame_moves_with_the_pointer_that_holds_it(pinned):
    drag(pinned, 0.2, 0.6)
    drag(pinned, 0.3, 0.5)
    assert seen(pinned) == pytest.approx((0.4, 0.8), abs=0.005)
    drag(pinned, 0.5, 1.2)
    assert seen(pinned) == pytest.approx((0.6, 1.0), abs=0.005)


@pytest.mark.parametrize(
    ("drag_from", "drag_to", "shown"),
    [(0.2, 0.4, (0.4, 0.6)), (0.6, 0.9, (0.2, 0.9)), (0.2, 0.9, (0.6, 0.6)), (0.6, 0.0, (0.2, 0.2))],
)
def test_a_side_of_the_frame_zooms_and_stops_at_the_other_one(pinned, drag_from, drag_to, shown):
    drag(pinned, 0.2, 0.6)
    drag(pinned, drag_from, drag_to)
    assert seen(pinned) == pytest.approx(shown, abs=0.012)
    assert pinned._axis.range.span > 0


def test_a_press_beside_the_frame_moves_it_there(pinned):
    drag(pinned, 0.1, 0.3)
    QTest.mousePress(pinned, LEFT, pos=at(pinned, 0.7))
    assert seen(pinned) == pytest.approx((0.6, 0.8), abs=0.005)
    QTest.keyClick(pinned, Qt.Key.Key_Escape)
    assert seen(pinned) == pytest.approx((0.1, 0.3), abs=0.005)
    QTest.mouseRelease(pinned, LEFT, pos=at(pinned, 0.7))


def test_a_double_click_shows_everything(pinned):
    drag(pinned, 0.2, 0.6)
    QTest.mouseDClick(pinned, LEFT, pos=at(pinned, 0.4))
    assert pinned._axis.is_fitted


def test_the_pointer_and_the_tip_say_what_a_drag_does(pinned):
    drag(pinned, 0.2, 0.6)
    shapes = Qt.CursorShape
    for share, shape, words in (
        (0.2, shapes.SizeHorCursor, "zoom"),
        (0.4, shapes.OpenHandCursor, "move"),
        (0.6, shapes.SizeHorCursor, "zoom"),
        (0.8, shapes.PointingHandCursor, "here"),
    ):
        QTest.mouseMove(pinned, at(pinned, share))
        assert pinned.cursor().shape() is shape
        assert words in pinned.toolTip()


def test_the_frame_stands_around_what_is_in_view(pinned):
    drag(pinned, 0.25, 0.75)
    picture, link = pinned.grab().toImage(), pinned.frame().theme.link.rgb()
    top = pinned.frame().places.overview.top()
    framed = [x for x in range(picture.width()) if picture.pixel(x, top) == link]
    assert (framed[0], framed[-1]) == pytest.approx((at(pinned, 0.25).x(), at(pinned, 0.75).x()), abs=3)
    assert len(framed) == framed[-1] - framed[0] + 1
