"""Figures of every study that comes with Slotscope, as they are painted: labels, marks and legends."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pyqtgraph
import pytest
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QImage, QPainter

from core.charts.study.picture_data import PAINTED
from core.study.cells import Cells
from core.study.figure_data import figure_data
from core.study.figure_kinds import KINDS, PICTURES
from core.study.study_document import preset_paths, read_study
from explorer.study.figure_page import FigurePage, svg_of
from explorer.study.figure_report import ReportSection, report
from explorer.study.heading import Heading
from explorer.widgets.theme import theme
from tests import random_tests
from tests.core.study.study_examples import small_study
from tests.core.study.test_figure_data import rows

PRESETS = {name: read_study(path) for name, path in preset_paths().items()}
SIZES = (QSize(900, 540), QSize(480, 320))
MAGNITUDES = (0.9, 2e4, 2e5, 1.6e6)
"""Of what is made up: below a second, some hours, more than 10 h, and weeks."""
TOUCH_PX = 1.0


def made_up(study, magnitude):
    """Return rows of a study whose numbers are made up, two repetitions of each cell."""
    cells, shown = Cells(study), [axis.column for axis in study.axes]
    found = []
    for number, repetition in itertools.product(range(study.cell_count), range(2)):
        places = cells.position(number)
        row = {axis.name: shown[a][places[a]] for a, axis in enumerate(study.axes)}
        value = magnitude * (1.0 + number % 7 + 0.3 * repetition)
        found.append(row | {"repetition": repetition, **dict.fromkeys(study.measures, value)})
    return pd.DataFrame(found).assign(error=None)


def shown(name):
    """Yield figures of a study with a size and a magnitude in turn; with all where tests are thorough."""
    every = list(itertools.product(SIZES, MAGNITUDES))
    for place, figure in enumerate(PRESETS[name].figures, len(name)):
        some = every if random_tests.is_thorough else [every[3 * place % len(every)]]
        yield from ((figure, *each) for each in some)


def painted(data, size=SIZES[0]):
    page = FigurePage(data, theme(False), size)
    image = QImage(size, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    page.paint_export(painter, QRectF(0, 0, size.width(), size.height()))
    painter.end()
    return page


def areas_of(axis):
    return [(axis.mapRectToScene(area), text) for area, text in axis.areas]


def title_of(axis):
    area = axis.label.mapRectToScene(axis.label.boundingRect())
    return area.adjusted(4, 4, -4, -4), axis.label.toPlainText()  # the margin of the text


def overlap(one, other):
    both = one & other
    return min(both.width(), both.height()) > TOUCH_PX


def hidden(page):
    """Say what is wrong with the labels of the axes; nothing is."""
    found, plot = [], page.plot
    room = QRectF(plot.rect()).adjusted(-TOUCH_PX, -TOUCH_PX, TOUCH_PX, TOUCH_PX)
    texts = []
    for axis in (plot.bottom, plot.left):
        labels = areas_of(axis)
        if len({text for _, text in labels}) < (1 if axis.is_single else 2):
            found.append(f"{axis.orientation} has {[text for _, text in labels]}")
        texts += [*labels, title_of(axis)]
    found += [f"{text!r} is clipped" for area, text in texts if not room.contains(area)]
    pairs = itertools.combinations(texts, 2)
    return found + [f"{one[1]!r} lies on {other[1]!r}" for one, other in pairs if overlap(one[0], other[0])]


@pytest.mark.parametrize("name", PRESETS)
def test_every_axis_has_labels_and_none_is_clipped_or_overlaps_another(qapp, name):
    study = PRESETS[name]
    wrong = []
    for figure, size, magnitude in shown(name):
        page = painted(figure_data(study, figure, made_up(study, magnitude)), size)
        wrong += [f"{figure.title}, {size.width()}, {magnitude:g}: {what}" for what in hidden(page)]
        areas, _ = page.legend._lay_out(size.width())
        for one, other in itertools.combinations(areas, 2):
            assert not overlap(one, other), figure.title
    assert not wrong


@pytest.mark.parametrize("magnitude", MAGNITUDES)
def test_times_of_ten_hours_and_more_have_their_numbers(qapp, magnitude):
    study = PRESETS["000-figure-11"]
    page = painted(figure_data(study, study.figures[0], made_up(study, magnitude)))
    assert len(page.plot.left.areas) >= 4
    assert not hidden(page)


# ---- marks


def drawn(**changes):
    figure = {"kind": "lines", "x": "nodes", "y": "makespan", "by": "policy", "title": "Two orders"} | changes
    study = small_study(figures=[figure])
    return painted(figure_data(study, study.figures[0], rows()))


def marks(page):
    """Count what is painted: bars, symbols, lines through points, whiskers and bands."""
    items = page.plot.getPlotItem().items
    curves = [item for item in items if isinstance(item, pyqtgraph.PlotDataItem)]
    curves = [item for item in curves if item.xData is not None and len(item.xData)]
    return {
        "bars": sum(isinstance(item, pyqtgraph.BarGraphItem) for item in items),
        "symbols": sum(bool(item.opts["symbol"]) for item in curves),
        "lines": sum(item is not page.plot._ring and item.opts["pen"].style().value > 0 for item in curves),
        "whiskers": sum(
            isinstance(item, pyqtgraph.PlotCurveItem) and item.opts["connect"] == "pairs" for item in items
        ),
        "bands": sum(isinstance(item, pyqtgraph.FillBetweenItem) for item in items),
    }


def legend(page):
    return [entry.text for entry in page.legend.entries]


def test_every_kind_that_is_drawn_or_offered_is_painted():
    assert list(PAINTED) == [name for name, kind in KINDS.items() if kind.is_drawn or kind.title]
    assert [name for name, painted in PAINTED.items() if painted.make] == list(PICTURES)


def test_lines_have_whiskers_of_their_own_where_there_are_several(qapp):
    page = drawn()
    assert marks(page) == {"bars": 0, "symbols": 2, "lines": 2, "whiskers": 2, "bands": 0}
    assert legend(page) == ["johnson", "johnson-reverse", "least to most of 2 seeds"]


def test_one_line_has_a_filled_band(qapp):
    page = drawn(where={"policy": "johnson"})
    assert marks(page) == {"bars": 0, "symbols": 1, "lines": 1, "whiskers": 0, "bands": 1}
    assert legend(page) == ["least to most of 2 seeds"]


def test_the_line_that_is_pointed_at_has_its_band(qapp):
    page = drawn()
    plot = page.plot
    plot.point_at(plot.pixel(np.log10(4), 40.0))
    assert plot.spot.text.startswith("johnson, nodes 4")
    assert marks(page)["bands"] == 1
    plot.point_at(None)
    assert marks(page)["bands"] == 0


def test_bars_are_bars_from_zero_with_what_was_published_upon_them(qapp):
    published = [
        {"name": "johnson", "points": [[2, 90]]},
        {"name": "johnson-reverse", "points": [[4, 20, 30]]},
    ]
    page = drawn(kind="bars", published=published)
    assert marks(page) == {"bars": 3, "symbols": 1, "lines": 0, "whiskers": 2, "bands": 0}
    assert page.plot.getViewBox().viewRange()[1][0] == 0
    assert legend(page) == [
        "johnson",
        "johnson-reverse",
        "published",
        "published",
        "least to most of 2 seeds",
    ]
    bars = [item.opts for item in page.plot.getPlotItem().items if isinstance(item, pyqtgraph.BarGraphItem)]
    assert (list(bars[0]["y1"]), list(bars[2]["y0"]), list(bars[2]["y1"])) == ([70, 40, 20], [20], [30])


def test_parts_of_a_stack_stand_upon_one_another(qapp):
    page = drawn(kind="stacked-bars", by="", where={"policy": "johnson"}, also=["lower_bound"])
    below, above = [
        item.opts for item in page.plot.getPlotItem().items if isinstance(item, pyqtgraph.BarGraphItem)
    ]
    assert list(above["y0"]) == list(below["y1"]) == [70, 40, 20]
    assert list(above["y1"]) == [80, 50, 30]
    assert legend(page) == ["makespan", "lower bound"]


def test_words_are_not_joined_by_a_line(qapp):
    page = drawn(x="policy", by="nodes")
    assert marks(page)["lines"] == 0
    assert marks(page)["symbols"] == 3


def test_up_to_so_much_is_a_region_with_one_edge_and_names_no_size(qapp):
    page = drawn(published=[{"name": "johnson", "to": 55, "note": "up to 55 s"}])
    (region,) = [item for item in page.plot.getPlotItem().items if isinstance(item, pyqtgraph.BarGraphItem)]
    (left, right), (low, _) = page.plot.getViewBox().viewRange()
    assert [region.opts[name][0] for name in ("x0", "x1", "y0", "y1")] == [left, right, low, 55]
    assert "johnson (paper): up to 55 s" in legend(page)
    assert not any(curve.is_published for curve in page.plot.curves)
    between = drawn(published=[{"name": "johnson", "from": 25, "to": 30}, {"name": "johnson", "from": 3}])
    assert legend(between)[2:4] == ["johnson (paper): 25 s to 30 s", "johnson (paper): at least 3 s"]


def test_two_measures_of_one_order_have_its_colour_and_their_own_dashes(qapp):
    page = drawn(also=["lower_bound"])
    signs = page.legend.entries
    assert signs[0].pen.color() == signs[2].pen.color() != signs[1].pen.color()
    assert signs[0].pen.style() != signs[2].pen.style()


def test_the_worst_of_a_map_is_the_darkest_and_its_scale_has_units(qapp):
    page = drawn(kind="heat-map", y="policy", z="makespan", by="")
    values = [[field.value for field in row] for row in page.plot.fields]
    assert values == [[70, 40, 20], [100, 55, 25]]
    assert (
        page.plot.colour(0, 2).lightness()
        > page.plot.colour(0, 0).lightness()
        > page.plot.colour(1, 0).lightness()
    )
    (scale,) = page.legend.entries
    assert (scale.text, scale.high) == ("makespan 20 s (best)", "1 min 40 s (worst)")


def test_a_long_title_leaves_its_line_to_the_source(qapp):
    font = FigurePage(drawn().data, theme(False)).legend.font()
    for text in ("Short", "A title that is much longer than the line that it has in this picture " * 2):
        heading = Heading(text, "000, Figure 10a", font, font)
        title, source = heading.areas(500.0)
        assert not overlap(title, source)
        assert max(title.right(), source.right()) <= 500
        assert heading.height(500.0) >= title.height()


def test_a_curve_of_which_nothing_is_known_is_not_painted(qapp):
    frame = rows()
    frame.loc[frame["policy"] == "johnson", "makespan"] = float("nan")
    study = small_study(
        figures=[{"kind": "lines", "x": "nodes", "y": "makespan", "by": "policy", "title": "Half"}]
    )
    page = painted(figure_data(study, study.figures[0], frame))
    assert marks(page)["lines"] == 1
    assert b"Half" in svg_of(page)


def test_a_map_fills_in_as_rows_come(qapp):
    figure = {"kind": "heat-map", "x": "nodes", "y": "policy", "z": "makespan", "title": "Map"}
    study = small_study(figures=[figure])
    some = rows().iloc[[0, 1, 2, 3, 4]]  # both policies on 2 nodes, johnson on 4
    page = painted(figure_data(study, study.figures[0], some))
    values = np.array([[field.value for field in row] for row in page.plot.fields])
    assert values[0, :2].tolist() == [70, 30]
    assert values[1, 0] == 100
    assert np.isnan(values[[0, 1, 1], [2, 1, 2]]).all()


def test_what_a_paper_says_of_a_whole_curve_stands_in_tables(qapp):
    page = drawn(published=[{"name": "johnson", "to": 55, "note": "from the text"}])
    assert page.table().rows[-1] == ("johnson", "all", None, None, None, None, 55.0, "from the text")
    study = small_study(figures=[])
    text = report([ReportSection("small", study, [(page.data, b"<svg/>")], 12, 0, "Slotscope")])
    assert "<td>all nodes</td><td>up to 55 s</td><td></td><td>20 s to 1 min 10 s</td>" in text
