"""Marks far away from a front stand at the edge, with their values; the front fills the picture."""

from __future__ import annotations

import pytest

from core.charts.study.marks import Dot
from core.model.plan import Plan
from core.simulation.plan_front import FrontPoint
from explorer.study.front_picture import FrontPicture, ScenarioMark, at_the_edge
from explorer.widgets.theme import theme


def dots_at(*places):
    return [Dot(x, y, 0, "", place, False) for place, (x, y) in enumerate(places)]


def point_at(makespan, response):
    return FrontPoint((makespan, response), (1.0, 0.5), 3000.0, 2950.0, 0.02, Plan.of_order((str(makespan),)))


def shown(places, framing=2):
    dots, far = at_the_edge(dots_at(*places), framing, lambda axis, value: f"{'xy'[axis]} {value:g}")
    return [(dot.x, dot.y) for dot in dots], far


FRONT = [(100, 60), (120, 50)]


def test_what_is_near_stays_where_it_is():
    near = [*FRONT, (130, 65), (90, 45), (110, 55)]  # half of 20 s beside it, half of 10 s
    assert shown(near) == (near, [])


def test_what_is_far_stands_at_the_edge_with_the_values_that_are_not_shown_there():
    places, far = shown([*FRONT, (400, 55), (110, 20), (50, 900)])
    assert places == [*FRONT, (pytest.approx(123), 55), (110, pytest.approx(48.5)), (97, pytest.approx(61.5))]
    assert [(mark, text) for mark, text in far] == [(2, "→ x 400"), (3, "↓ y 20"), (4, "↖ x 50, y 900")]


def test_several_at_one_corner_stand_apart():
    places, far = shown([*FRONT, (400, 800), (500, 700)])
    assert places[2:] == [(123, pytest.approx(61.5)), (123, pytest.approx(61.5 - 1.2))]
    assert [text for _, text in far] == ["↗ x 400, y 800", "↗ x 500, y 700"]


def test_one_plan_frames_nothing():
    places = [(100, 60), (400, 800)]
    assert shown(places, framing=1) == (places, [])


@pytest.fixture
def picture(qtbot):
    """A front from 40 min and 18 min 20 s to 42 min 10 s and 15 min 30 s."""
    picture = FrontPicture(theme(dark=False))
    qtbot.addWidget(picture)
    points = [point_at(2400, 1100), point_at(2450, 950), point_at(2530, 930)]
    picture.show_front(("makespan", "mean-response"), points, "FIFO")
    picture.resize(500, 300)
    picture.show()
    return picture


def written(picture):
    picture.grab()
    return next(item.written for item in picture.plot.getPlotItem().items if hasattr(item, "written"))


def test_the_front_fills_the_picture_however_far_scenarios_are(picture):
    before = picture.plot.pixel(2530, 930).x() - picture.plot.pixel(2400, 1100).x()
    picture.show_marks([ScenarioMark(1, "FIFO", (9000.0, 8000.0), None)])
    after = picture.plot.pixel(2530, 930).x() - picture.plot.pixel(2400, 1100).x()
    assert after > 0.8 * before
    assert written(picture) == ["↗ 2 h 30 min, 2 h 13 min"]
    picture.plot.point_at(picture.plot.pixel(*picture.plot.places[3]))
    assert picture.plot.spot.about == ("scenario", 1)
    assert "Makespan 2 h 30 min" in picture.plot.spot.text


def test_values_that_would_lie_over_one_another_are_left_out(picture):
    marks = [ScenarioMark(1, "FIFO", (9000.0, 1000.0), None), ScenarioMark(2, "Fair", (9500.0, 1001.0), None)]
    picture.show_marks(marks)
    assert written(picture) == ["→ 2 h 30 min"]
    picture.show_marks(marks[1:])
    assert written(picture) == ["→ 2 h 38 min"]
