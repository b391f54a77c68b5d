"""Labels of an axis: where they stand, that none covers another, and that the axis has room for them."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF

from explorer.plots.fitted_axis import GAP_PX, MAX_LABEL_PX, MAX_ROWS, OVERHANG_PX, FittedAxis
from explorer.plots.plot import Plot
from explorer.widgets.theme import theme


class Marked(FittedAxis):
    """An axis with the marks that it is given."""

    def __init__(self, orientation: str, marks: list[tuple[float, str]], *, staggers: bool = False) -> None:
        self.marks, self._staggers = marks, staggers
        super().__init__(orientation)

    @property
    def staggers(self) -> bool:
        return self._staggers

    def ticks(self, length: float) -> list[tuple[float, str]]:
        return self.marks


def made(marks, orientation="bottom", low=0.0, high=10.0, **options) -> Marked:
    axis = Marked(orientation, marks, **options)
    axis.setRange(low, high)
    return axis


def width_of(axis, text) -> float:
    return QFontMetricsF(axis.font()).horizontalAdvance(text)


def test_labels_stand_where_their_values_lie(qapp):
    axis = made([(0.0, "0"), (5.0, "5"), (10.0, "10")])
    assert [(label.at, label.text, label.row) for label in axis.labels(200.0)] == [
        (0.0, "0", 0),
        (100.0, "5", 0),
        (200.0, "10", 0),
    ]
    axis.setRange(5.0, 25.0)
    assert [label.at for label in axis.labels(200.0)] == [0.0, 50.0]  # 0 would lie 50 pixels before the axis


def test_a_label_that_would_reach_far_beyond_an_end_is_left_out(qapp):
    long = "a label of many letters"
    axis = made([(0.0, long), (5.0, long), (10.0, "x")])
    assert width_of(axis, long) / 2 > OVERHANG_PX
    assert [label.at for label in axis.labels(600.0)] == [300.0, 600.0]


def test_of_crowded_labels_those_are_left_that_stand_apart(qapp):
    axis = made([(value / 2, f"{value} tasks") for value in range(21)])
    labels = axis.labels(300.0)
    assert 2 < len(labels) < 21
    for before, after in pairwise(labels):
        assert after.at - before.at >= (width_of(axis, before.text) + width_of(axis, after.text)) / 2 + GAP_PX
    upright = made([(value / 2, f"{value} tasks") for value in range(21)], "left").labels(100.0)
    high = QFontMetricsF(axis.font()).height()
    assert 2 < len(upright) < 21
    assert all(after.at - before.at >= high for before, after in pairwise(upright))


def test_labels_that_take_turns_stand_in_as_few_rows_as_will_do(qapp):
    """Of five labels 60 pixels apart, each about twice as wide, neighbours stand in other rows."""
    text = "h" * 12
    marks = [(value, text) for value in (1.0, 3.0, 5.0, 7.0, 9.0)]
    probe = made(marks, staggers=True)
    wide = width_of(probe, text) + GAP_PX
    alone, both = wide * 5 * 1.1, wide * 5 * 0.6  # a step is a fifth of the axis
    assert [label.row for label in probe.labels(alone)] == [0] * 5
    assert [label.row for label in probe.labels(both)] == [0, 1, 0, 1, 0]
    assert [label.row for label in made(marks).labels(both)] != [0, 1, 0, 1, 0]
    three = probe.labels(wide * 5 * 0.4)
    assert [label.row for label in three] == [0, 1, 2, 0, 1]
    assert max(label.row for label in three) == MAX_ROWS - 1


def test_long_labels_are_cut_with_a_sign(qapp):
    (label,) = made([(5.0, "n" * 300)]).labels(900.0)
    assert label.text.endswith("…")
    assert MAX_LABEL_PX / 2 < width_of(made([]), label.text) <= MAX_LABEL_PX


def test_where_all_values_are_one_the_label_stands_at_the_low_end(qapp):
    assert [label.at for label in made([(3.0, "3")], low=3.0, high=3.0).labels(100.0)] == [0.0]


@pytest.fixture
def plot(qtbot):
    """A plot with names on the left and times below."""
    left = made([(1.0, "a"), (2.0, "b")], "left")
    bottom = made([(0.0, "0:00"), (5.0, "5:00"), (10.0, "10:00")])
    widget = Plot(theme(False), axisItems={"left": left, "bottom": bottom})
    qtbot.addWidget(widget)
    widget.resize(400, 300)
    widget.setXRange(0, 10)
    widget.setYRange(0, 3)
    widget.show()
    settle(widget)
    return widget


def settle(widget) -> None:
    """Let the parts of a plot take their places, as Qt does before it paints."""
    for _ in range(3):
        widget.getPlotItem().layout.activate()
    widget.grab()


def test_an_axis_is_as_wide_as_its_longest_label_before_it_is_painted(plot):
    left = plot.getAxis("left")
    before = left.width()
    left.marks = [(1.0, "a"), (2.0, "a much longer name than that")]
    left.make_room()
    settle(plot)
    assert left.width() - before == pytest.approx(
        width_of(left, "a much longer name than that") - width_of(left, "a"), abs=2
    )


def test_an_axis_has_room_for_its_title_in_as_many_lines_as_it_takes(plot):
    bottom = plot.getAxis("bottom")
    bare = bottom.height()
    bottom.show_title("seconds")
    settle(plot)
    one = bottom.height()
    assert one > bare + 5
    bottom.show_title("seconds of a title that is far too long for one line of a narrow plot " * 2)
    settle(plot)
    assert bottom.height() > one + 10


def test_what_is_painted_is_inside_and_apart(plot):
    for side, texts in (("left", ["a", "b"]), ("bottom", ["0:00", "5:00", "10:00"])):
        axis = plot.getAxis(side)
        assert [text for _, text in axis.areas] == texts
        places = [axis.mapRectToScene(rect) for rect, _ in axis.areas]
        assert not any(one.intersects(other) for one, other in combinations(places, 2))
        assert all(QRectF(plot.rect()).contains(place) for place in places)
    box = plot.getViewBox()
    below = [plot.getAxis("bottom").mapRectToScene(rect) for rect, _ in plot.getAxis("bottom").areas]
    assert all(rect.top() >= box.sceneBoundingRect().bottom() for rect in below)
    middle = box.mapViewToScene(QPointF(5.0, 0.0)).x()
    assert below[1].center().x() == pytest.approx(middle, abs=1.5)
