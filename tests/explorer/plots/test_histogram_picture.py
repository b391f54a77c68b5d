"""Small histograms: what they say, and what they draw where."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtGui import QPalette

from core.charts.palette import contrast
from core.measures.histogram import histogram
from explorer.plots.axis import ValueScale, tick_text, value_text
from explorer.plots.histogram_picture import HistogramPicture, ink_upon
from explorer.widgets.theme import application_palette, theme


@pytest.fixture
def picture(qtbot):
    picture = HistogramPicture("Maps per job", "tasks", "jobs")
    qtbot.addWidget(picture)
    picture.resize(240, 130)
    picture.setPalette(application_palette(theme(False)))
    return picture


def bar_heights(picture) -> np.ndarray:
    """Return how many pixels of each column have the bars' colour."""
    image = picture.grab().toImage()
    colour = picture.colour().rgb()
    return np.array(
        [sum(image.pixel(x, y) == colour for y in range(image.height())) for x in range(image.width())]
    )


def test_bars_are_as_high_as_their_counts(picture):
    picture.show_histogram(histogram(np.array([1, 1, 1, 1, 2, 2, 5, 8])))
    heights = bar_heights(picture)
    bars = [int(group.max()) for group in np.split(heights, np.flatnonzero(heights == 0)) if group.any()]
    tallest = max(bars)
    assert len(bars) == 4
    assert tallest > picture.height() / 2
    assert bars == pytest.approx([tallest, tallest / 2, tallest / 4, tallest / 4], abs=1)
    assert picture.summary() == picture.accessibleDescription() == "1 to 8"


def test_counts_stand_on_the_bars_where_all_of_them_have_room(picture):
    few = histogram(np.array([1, 1, 1, 1, 2, 2, 5, 8]))
    picture.show_histogram(few)
    values = picture.values(few)
    assert [value.text for value in values] == ["4", "2", "1", "1"]
    assert [value.is_inside for value in values] == [True, False, False, False]
    assert all(picture.rect().toRectF().contains(value.place) for value in values)
    assert not any(one.place.intersects(other.place) for one, other in pairwise(values))
    many = histogram(np.repeat(np.arange(1.0, 400.0), 1000))
    picture.show_histogram(many)
    assert picture.values(many) == []


@pytest.mark.parametrize("dark", [False, True])
def test_what_stands_in_a_bar_can_be_read(picture, dark):
    picture.setPalette(application_palette(theme(dark)))
    ground = picture.colour()
    ink = ink_upon(ground)
    assert contrast(ink.rgb() & 0xFFFFFF, ground.rgb() & 0xFFFFFF) >= 4.5


def test_one_value_is_a_bar_in_the_middle(picture):
    picture.show_histogram(histogram(np.full(9, 20)))
    columns = np.flatnonzero(bar_heights(picture))
    assert 20 < len(columns) < 60
    assert abs(columns.mean() - 120) < 12
    assert picture.summary() == "all 20"


def test_zeros_stand_apart_from_a_logarithmic_axis(picture):
    picture.show_histogram(histogram(np.array([0, 0, 0, 1, 10, 100, 1000])))
    assert picture.summary() == "0 to 1\N{NARROW NO-BREAK SPACE}000"
    columns = np.flatnonzero(bar_heights(picture))
    gap = np.flatnonzero(np.diff(columns) > 3)[0]
    assert picture.text_at(float(columns[gap] - 3)) == "0: 3 jobs"
    assert picture.text_at(float(columns[gap + 1] + 2)).endswith(": 1 job")


def test_without_values_it_says_so(picture):
    picture.show_histogram(histogram(np.zeros(0)))
    assert picture.summary() == "none"
    assert not bar_heights(picture).any()
    assert picture.text_at(100) == ""
    picture.show_histogram(None)
    assert picture.accessibleDescription() == ""


def test_it_follows_the_theme(picture):
    picture.show_histogram(histogram(np.array([1, 2, 3])))
    light = picture.grab().toImage().pixelColor(120, 5)
    picture.setPalette(application_palette(theme(True)))
    dark = picture.grab().toImage().pixelColor(120, 5)
    assert picture.palette().color(QPalette.ColorRole.Window) == theme(True).window
    assert (light, dark) == (theme(False).plot, theme(True).plot)


def test_scales_go_both_ways():
    for scale in (ValueScale(2, 200, 10, 110), ValueScale(2, 200, 10, 110, is_log=True)):
        assert scale.x(2) == pytest.approx(10)
        assert scale.x(200) == pytest.approx(110)
        assert scale.value(scale.x(50)) == pytest.approx(50)
    assert ValueScale(2, 200, 10, 110, is_log=True).x(20) == pytest.approx(60)
    assert ValueScale(3, 3, 10, 110).x(3) == 60


def test_axes_are_marked_at_round_values():
    assert ValueScale(0, 100, 0, 400).ticks("tasks") == [0, 20, 40, 60, 80, 100]
    assert ValueScale(0, 3600, 0, 400).ticks("s") == [0, 900, 1800, 2700, 3600]
    assert ValueScale(0.5, 5000, 0, 500, is_log=True).ticks("s") == [1, 10, 60, 600, 3600]
    assert ValueScale(5, 5000, 0, 500, is_log=True).ticks("tasks") == [10, 100, 1000]
    assert ValueScale(2, 3, 0, 100, is_log=True).ticks("tasks") == [2]


def test_values_are_written_short():
    assert [tick_text(v, "s") for v in (0.1, 30, 60, 90, 600, 7200, 172_800)] == [
        "0.1 s",
        "30 s",
        "1 min",
        "1 min 30 s",
        "10 min",
        "2 h",
        "2 d",
    ]
    assert value_text(4800, "tasks") == "4\N{NARROW NO-BREAK SPACE}800"


def test_bars_stand_out_from_their_background(qtbot):
    """Three to one is what readers with weak sight need of shapes."""

    def luminance(colour):
        parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour.getRgbF()[:3]]
        return float(np.dot(parts, [0.2126, 0.7152, 0.0722]))

    for is_reduce in (False, True):
        picture = HistogramPicture("Maps per job", "tasks", "jobs", is_reduce=is_reduce)
        qtbot.addWidget(picture)
        for colours in (theme(False), theme(True)):
            light, dark = sorted(map(luminance, (picture.colour(), colours.plot)), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 3
