"""Pictures of a study, on numbers made up: what is drawn where, pointed at, clicked and said."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from core.charts.study.marks import Curve, Dot, MapField
from core.charts.study.values import along, value_text
from explorer.plots.curve_looks import colour_of
from explorer.study.curves_plot import BarValues, CurvesPlot, FrontPlot, bar_values, short_text
from explorer.study.legend import StudyLegend
from explorer.study.map_plot import MapPlot
from explorer.widgets.layouts import NO_MARGINS, column
from explorer.widgets.theme import theme

NAN = float("nan")
NODES = along("nodes", [16, 32, 64, 128], "node")


@pytest.fixture
def sized(shown):
    def show(plot):
        plot.resize(600, 400)
        shown(plot)
        return plot

    return show


def curve(name="Johnson", ys=(100.0, 60.0, 40.0, NAN), colour=0, **more):
    ys = np.array(ys)
    texts = [f"{name} at {label}" for label in NODES.labels]
    return Curve(
        name, NODES.places, ys, (ys - 5, ys + 5), texts, [(name, k) for k in range(4)], colour, **more
    )


def image_of(plot):
    return plot.grab().toImage()


def colour_at(plot, x, y):
    place = plot.pixel(x, y).toPoint()
    return image_of(plot).pixelColor(place)


def test_numbers_that_grow_by_factors_stand_evenly_and_words_one_after_the_other():
    assert np.ptp(np.diff(NODES.places)) < 1e-9
    rounded = along("map slots", [8, 15, 30, 60, 120]).places
    assert rounded[1] - rounded[0] > 0.2, "a quarter of 30 is no whole number: it still grows by factors"
    assert along("runs", [1, 2, 5, 10]).places.tolist() == [1, 2, 5, 10]
    assert NODES.title == "nodes"
    assert along("slowstart", [0.05, 0.5, 1.0]).places.tolist() == [0.05, 0.5, 1.0]
    policies = along("policy", ["fifo", "johnson"])
    assert (policies.labels, policies.places.tolist()) == (("fifo", "johnson"), [0.0, 1.0])
    assert along("wait", [1, 2, 5], "s").title == "wait (s)"
    assert along("between arrivals", [1, 2, 5], "s").title == "between arrivals (s)"


def test_values_have_their_units():
    assert value_text(125.0, "s") == "2 min 05 s"
    assert value_text(12.5, "%") == "12.5 %"
    assert value_text(NAN, "s") == "–"


def test_curves_are_pointed_at_and_clicked(sized, qtbot):
    plot = sized(CurvesPlot(theme(False)))
    plot.show_curves([curve(), curve("FIFO", (120.0, 80.0, 50.0, 30.0), 1)], NODES, ("Makespan", "s"))
    heard = []
    plot.chosen.connect(heard.append)
    place = plot.pixel(NODES.places[1], 80.0).toPoint()
    QTest.mouseMove(plot.viewport(), place)
    qtbot.waitUntil(lambda: plot.spot is not None)
    assert plot.spot.text == "FIFO at 32"
    QTest.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert [spot.about for spot in heard] == [("FIFO", 1)]
    plot.point_at(plot.pixel(NODES.places[3], 100.0))
    assert plot.spot is None, "the point without a value is nowhere, and others are far"


def test_all_of_curves_and_bands_is_in_view(sized):
    plot = sized(CurvesPlot(theme(True)))
    plot.show_curves([curve(ys=(1000.0, 960.0, 950.0, 940.0))], NODES, ("Makespan", "s"))
    (left, right), (low, high) = plot.getViewBox().viewRange()
    assert 900 < low < 935, "far from 0 the axis does not begin there"
    assert high > 1005
    assert left < NODES.places[0] < NODES.places[-1] < right
    plot.show_curves([curve(ys=(10.0, 96.0, 95.0, 94.0))], NODES, ("Makespan", "s"))
    assert plot.getViewBox().viewRange()[1][0] == 0


def test_points_without_an_order_are_not_joined_and_have_whiskers(sized):
    plot = sized(CurvesPlot(theme(False)))
    apart = curve(ys=(100.0, 60.0, 40.0, 30.0))._replace(mark="points")
    (entry, spread) = plot.show_curves([apart], NODES, ("Makespan", "s"), spread="of 2 seeds")
    middle, light = (NODES.places[0] + NODES.places[1]) / 2, theme(False)
    assert colour_at(plot, middle, 80.0) == light.plot, "no line from one point to the next"
    assert colour_at(plot, NODES.places[0], 104.0) != light.plot, "the whisker from 95 to 105"
    assert spread.text == "of 2 seeds"
    assert entry.pen.style() == Qt.PenStyle.NoPen


def test_legend_tells_published_points_from_ours(sized):
    plot = sized(CurvesPlot(theme(False)))
    published = curve("Johnson, published", is_published=True)._replace(band=None)
    entries = plot.show_curves([curve(), published], NODES, ("Makespan", "s"))
    assert [entry.text for entry in entries] == ["Johnson", "Johnson, published"]
    assert [entry.pen.style() for entry in entries] == [Qt.PenStyle.SolidLine, Qt.PenStyle.DashLine]
    assert entries[0].colours != entries[1].colours


def test_legend_takes_the_lines_that_it_needs(sized):
    legend = StudyLegend()
    plot = sized(CurvesPlot(theme(False)))
    legend.show_entries(
        plot.show_curves([curve(f"policy number {i}", colour=i) for i in range(6)], NODES, ("", "s"))
    )
    assert legend.heightForWidth(250) > 2 * legend.heightForWidth(2000)
    page = QWidget()
    column(legend, (QWidget(), 1), parent=page, margins=NO_MARGINS)
    sized(page)
    for width in (250, 400, 900):
        page.resize(width, 400)
        assert legend.height() >= legend.heightForWidth(width), "no line is cut off"


def test_map_has_the_colour_of_the_best_and_a_line_where_it_changes(sized):
    plot = sized(MapPlot(theme(False)))
    slowstart = along("slowstart", [0.05, 1.0])
    best = [[0, 0, 1, 1], [0, 1, 1, -1]]
    rows = [[MapField(1.0, "", f"{row} {place}", (row, place), place) for place in row] for row in best]
    entries = plot.show_fields(rows, NODES, slowstart, bests=("Johnson", "FIFO"))
    assert [entry.text for entry in entries[:2]] == ["Johnson is best", "FIFO is best"]
    light = theme(False)
    assert colour_at(plot, 0.25, 0.3) == colour_of(0, light)
    assert colour_at(plot, 2.25, 0.3) == colour_of(1, light)
    assert colour_at(plot, 1.5, 0.3) == light.text, "the line between the two"
    assert colour_at(plot, 0.5, 0.3) != light.text


def test_fields_are_pointed_at_and_clicked(sized, qtbot):
    plot = sized(MapPlot(theme(True)))
    rows = [[MapField(float(k), f"{k}", f"{k} s", k) for k in range(4)], [MapField(NAN, "", "", None)] * 4]
    plot.show_fields(rows, NODES, along("slowstart", [0.05, 1.0]), ends=("0 s", "3 s"))
    heard = []
    plot.chosen.connect(heard.append)
    QTest.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=plot.pixel(2, 0).toPoint())
    QTest.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=plot.pixel(2, 1).toPoint())
    QTest.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
    assert [spot.about for spot in heard] == [2], "a field that is not known yet, and the axis, open nothing"
    assert plot.colour(0, 0) != plot.colour(0, 3)
    assert plot.colour(1, 0) is None


def test_what_is_lost_is_the_fuller_the_more(sized):
    plot = sized(MapPlot(theme(False)))
    rows = [[MapField(0.1 * k, "", f"{k}", k) for k in range(4)]]
    plot.show_fields(rows, NODES, along("policy", ["a"]), ends=("0 %", "30 %"), most=0.3)
    lightness = [plot.colour(0, k).lightness() for k in range(4)]
    assert lightness == sorted(lightness, reverse=True)
    assert lightness[0] > lightness[3]


def test_front_goes_through_the_points_that_no_other_beats(sized):
    plot = sized(FrontPlot(theme(False)))
    dots = [Dot(1, 9, 0, "a", "a", True), Dot(5, 5, 0, "b", "b", False), Dot(4, 2, 1, "c", "c", True)]
    entries = plot.show_dots(dots, {0: "FIFO", 1: "OMO"}, ("Makespan", "s"), ("Late jobs", "jobs"))
    assert [entry.text for entry in entries] == ["FIFO", "OMO", "no other is better in both"]
    plot.point_at(plot.pixel(4, 2))
    assert plot.spot.about == "c"
    (left, right), (low, high) = plot.getViewBox().viewRange()
    assert left < 1 < 5 < right
    assert low < 2 < 9 < high


def test_points_beside_their_place_are_in_view(sized):
    plot = sized(CurvesPlot(theme(False)))
    policies = along("policy", ["fifo", "johnson"])
    ys = np.array([1.0, 2.0])
    beside = Curve("a", policies.places - 0.4, ys, None, ["", ""], [None, None], 0, mark="points")
    plot.show_curves([beside], policies, ("Makespan", "s"))
    left, right = plot.getViewBox().viewRange()[0]
    assert left < -0.4
    assert right >= 1.5, "half of the place of the last word"


def test_arrow_keys_go_from_cell_to_cell_and_return_opens(sized):
    plot = sized(MapPlot(theme(False)))
    rows = [[MapField(float(k), "", f"{row} {k}", (row, k)) for k in range(4)] for row in range(2)]
    rows[0][2] = MapField(NAN, "", "", None)
    plot.show_fields(rows, NODES, along("slowstart", [0.05, 1.0]))
    heard, pointed = [], []
    plot.chosen.connect(heard.append)
    plot.pointed.connect(lambda spot, place: pointed.append(place if spot is not None else None))
    QTest.keyClick(plot, Qt.Key.Key_Return)
    assert heard == [], "nothing is pointed at"
    for key, text in (("Left", "0 0"), ("Right", "0 1"), ("Right", "0 3"), ("Up", "1 3"), ("Up", "1 3")):
        QTest.keyClick(plot, getattr(Qt.Key, f"Key_{key}"))
        assert plot.spot.text == text
    assert pointed[-1] == plot.pixel(3, 1), "the card stands at the cell"
    assert plot.accessibleDescription() == "1 3"
    QTest.keyClick(plot, Qt.Key.Key_Return)
    assert [spot.about for spot in heard] == [(1, 3)]
    QTest.keyClick(plot, Qt.Key.Key_Escape)
    assert pointed[-1] is None
    QTest.keyClick(plot, Qt.Key.Key_Left)
    assert plot.accessibleDescription() == "1 3", "it goes on where it was"


def test_arrow_keys_follow_a_curve_and_go_to_the_next_one(sized):
    plot = sized(CurvesPlot(theme(False)))
    same = curve("FIFO", (120.0, 60.0, 50.0, 30.0), 1)
    plot.show_curves([curve(), same], NODES, ("Makespan", "s"))
    QTest.mouseMove(plot.viewport(), plot.pixel(NODES.places[0], 100.0).toPoint())
    plot.point_at(plot.pixel(NODES.places[0], 100.0))
    for key, text in (
        ("Right", "Johnson at 32"),
        ("Down", "FIFO at 32"),
        ("Right", "FIFO at 64"),
        ("Right", "FIFO at 128"),
        ("Right", "FIFO at 128"),
        ("Left", "FIFO at 64"),
        ("Down", "Johnson at 64"),
    ):
        QTest.keyClick(plot, getattr(Qt.Key, f"Key_{key}"))
        assert plot.spot.text == text


def test_arrow_keys_go_to_the_next_dot_that_way(sized):
    plot = sized(FrontPlot(theme(False)))
    dots = [Dot(1, 9, 0, "a", "a", True), Dot(5, 5, 0, "b", "b", False), Dot(4, 2, 1, "c", "c", True)]
    plot.show_dots(dots, {0: "FIFO", 1: "OMO"}, ("Makespan", "s"), ("Late jobs", "jobs"))
    plot.point_at(plot.pixel(1, 9))
    QTest.keyClick(plot, Qt.Key.Key_Right)
    QTest.keyClick(plot, Qt.Key.Key_Down)
    assert plot.spot.about == "c"


# ---- values upon bars


def bars(ys, width=0.8, **more):
    xs = np.arange(len(ys), dtype=float)
    texts = ["" for _ in ys]
    return Curve("FIFO", xs, np.array(ys), None, texts, texts, 0, mark="bars", width=width, **more)


def written(plot):
    plot.grab()
    return next(item for item in plot.getPlotItem().items if isinstance(item, BarValues)).written


WORDS = along("what", ["a", "b", "c"])


def test_every_bar_has_its_value(sized):
    plot = CurvesPlot(theme(dark=False))
    plot.show_curves([bars([125.0, 40.0, NAN])], WORDS, ("makespan", "s"))
    sized(plot)
    assert written(plot) == ["2 min 05 s", "40 s"]


def test_narrow_bars_have_short_values_and_the_narrowest_none(sized):
    plot = CurvesPlot(theme(dark=False))
    sized(plot)
    for width, texts in ((0.3, ["2:05", "40", "1:01:01"]), (0.05, [])):
        plot.show_curves([bars([125.0, 40.0, 3661.0], width)], WORDS, ("makespan", "s"))
        assert written(plot) == texts


@pytest.mark.parametrize(("value", "text"), [(12.345, "12.3"), (540_000, "540k"), (2.4e6, "2.4M"), (0, "0")])
def test_short_values_have_three_digits(value, text):
    assert short_text(value, "tasks") == text


def test_no_value_lies_over_what_was_published_upon_its_bar(sized):
    plot = CurvesPlot(theme(dark=False))
    published = Curve(
        "published", np.array([0.0]), np.array([1.0]), None, [""], [""], 0, True, "points", on_bars=True
    )
    plot.show_curves([bars([50.0])], along("what", ["a"]), ("makespan", "%"))
    sized(plot)
    without = ink_rows(plot)
    for y in (50.5, 51.5, 52.5):
        curves = [bars([50.0]), published._replace(ys=np.array([y]))]
        values = bar_values(curves, "%", theme(dark=False))
        assert values[0].marks == (y,)
        plot.show_curves(curves, along("what", ["a"]), ("makespan", "%"))
        assert ink_rows(plot) < without, "it stands higher"


def ink_rows(plot):
    """Return the uppermost row of pixels of the value of the one bar, beside the middle."""
    image = image_of(plot)
    middle = round(plot.pixel(0.0, 0.0).x())
    across = range(middle - 14, middle - 7)
    return next(
        y for y in range(image.height()) if any(image.pixelColor(x, y).lightness() < 90 for x in across)
    )
