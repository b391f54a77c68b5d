"""Where the parts of a chart lie: one below the other, inside of it, as wide as one another."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from explorer.gantt.geometry.chart_frame import MIN_PLOT, ChartPlaces, colour
from explorer.widgets.theme import translucent

if TYPE_CHECKING:
    from PySide6.QtCore import QRect

SIZES = [(800, 600), (801, 301), (640, 300), (640, 299), (300, 180), (1900, 1000)]


def sides(rect: QRect) -> tuple[int, int, int, int]:
    return rect.x(), rect.y(), rect.width(), rect.height()


@pytest.mark.parametrize("compact", [False, True])
@pytest.mark.parametrize("size", SIZES)
def test_the_parts_of_a_chart_follow_one_another_without_overlap(
    size: tuple[int, int], compact: bool
) -> None:
    places = ChartPlaces.of(*size, compact)
    parts = [places.title, places.flags, places.plot, places.axis, places.overview]
    parts = [part for part in parts if part.height()]
    assert sides(places.whole) == (0, 0, *size)
    assert all(places.whole.contains(part) for part in parts)
    assert all(above.bottom() < below.top() for above, below in pairwise(parts))
    assert {part.left() for part in parts} == {62 if compact else 80}
    assert (places.overview.height() > 0) == (not compact and size[1] >= 300)
    assert {part.width() for part in parts if part is not places.flags} == {places.plot.width()}
    assert (places.plot.right(), places.flags.right()) == (size[0] - 15, size[0] - 3)  # 14 and 2 are free


def test_a_chart_on_a_screen() -> None:
    """Of 600 lines: 5 free, 22 title, 18 flags, the rows, 11 of strips, 20 axis, 6 free, 50 overview."""
    places = ChartPlaces.of(800, 600, compact=False)
    assert sides(places.title) == (80, 5, 706, 22)
    assert sides(places.flags) == (80, 27, 718, 18)
    assert sides(places.plot) == (80, 45, 706, 460)
    assert sides(places.axis) == (80, 516, 706, 20)
    assert sides(places.overview) == (80, 542, 706, 50)
    assert ChartPlaces.of(800, 2000, compact=False).overview.height() == 54  # and no more


def test_a_compact_chart() -> None:
    places = ChartPlaces.of(300, 200, compact=True)
    assert sides(places.title) == (62, 3, 224, 19)
    assert sides(places.flags) == (62, 22, 236, 18)
    assert sides(places.plot) == (62, 40, 224, 127)
    assert sides(places.axis) == (62, 178, 224, 20)


def test_a_chart_of_a_stack_has_rows_and_its_axis_and_overview_below_all() -> None:
    assert ChartPlaces.in_stack(500, 300, rows_scroll=True).plot.width() == 436  # a bar stands beside them
    assert ChartPlaces.in_stack(500, 300, has_pennants=True).plot.height() == 289  # of deadlines
    places = ChartPlaces.in_stack(500, 300)
    assert sides(places.plot) == (50, 0, 444, 294)
    assert all(part.isEmpty() for part in (places.title, places.flags, places.axis))
    axis = places.with_axis(500)
    assert sides(axis.whole) == (0, 0, 500, 36)
    assert sides(axis.plot) == (50, 0, 444, 0)
    assert sides(axis.axis) == (50, 4, 444, 14)
    assert sides(axis.overview) == (50, 18, 444, 17)
    assert axis.flags.isEmpty()


def test_marks_of_decisions_have_room_above_the_rows() -> None:
    places = ChartPlaces.in_stack(500, 300, has_decisions=True)
    assert sides(places.plot) == (50, 7, 444, 287)
    assert sides(ChartPlaces.in_stack(500, 300, bands=40, has_decisions=True).plot) == (50, 71, 444, 223)


def test_rows_are_as_tall_as_they_may_be_and_never_nothing() -> None:
    assert ChartPlaces.of(800, 600, compact=False, tallest=100).plot.height() == 100
    assert ChartPlaces.in_stack(800, 600, tallest=100).plot.height() == 100
    for narrow in (ChartPlaces.of(10, 10, compact=True), ChartPlaces.in_stack(10, 10)):
        assert (narrow.plot.height(), narrow.plot.width()) == (MIN_PLOT, 1)
    assert ChartPlaces.of(10, 10, compact=True).flags.width() == 1


def test_a_colour_of_a_theme() -> None:
    assert colour(0x12AB34).getRgb() == (0x12, 0xAB, 0x34, 255)
    assert colour(0xFF0001, 40).getRgb() == (255, 0, 1, 40)
    opaque = colour(0x0A0B0C)
    assert translucent(opaque, 7).getRgb() == (10, 11, 12, 7)
    assert opaque.alpha() == 255
