"""The plot of fits is drawn for any durations, and its lines lie where the numbers say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.model.job import Job
from core.model.stages import Stage
from explorer.dialogs.fit_dialog import curves_of, fit_colour, fit_panel, fit_table
from explorer.plots.cdf_picture import CdfPicture
from explorer.widgets.theme import application_palette, theme

EXTREMES = st.floats(0, 1e12) | st.floats(0, 1e-3) | st.sampled_from([0.0, 1.0, 1e12, 1e-9, 5e-324])


@pytest.fixture
def picture(qtbot):
    picture = CdfPicture("distributions", has_legend=True)
    qtbot.addWidget(picture)
    picture.setPalette(application_palette(theme(False)))
    picture.resize(500, 400)
    return picture


def curves(times):
    return curves_of(Job("J", Stage.of(len(times), times)))[0]


def show(picture, shown, lines, chosen, *, is_log=False):
    picture.set_log(is_log)
    panel = fit_panel(shown, lines, chosen, "title")
    picture.show_panels((panel,), lambda: fit_table(shown, lines))


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    max_examples=20,
    deadline=None,
)
@given(st.lists(EXTREMES, min_size=1, max_size=8))
def test_any_durations_are_drawn_and_tabled(picture, times):
    shown = curves(times)
    for is_log in {False, shown.may_be_log}:
        show(picture, shown, shown.curves[:3], shown.curves[0], is_log=is_log)
        assert not picture.grab().isNull()
    table = picture.table()
    assert [row[0] for row in table.rows] == sorted(0.0 if time < 1e-9 else time for time in times)
    assert table.rows[-1][1] == 1


def test_the_curve_of_a_uniform_distribution_is_straight(picture):
    """From 0 to 10 s, whatever the axis: the chosen line's pixels lie on the diagonal of the plot."""
    shown = curves(10 * np.linspace(0.0, 1.0, 101) ** 3)  # far from uniform: the lines do not cover another
    uniform = next(curve for curve in shown.curves if curve.fit.distribution.kind == "uniform")
    show(picture, shown, [uniform], uniform)
    image = picture.grab().toImage()
    colour = fit_colour(0, theme(False)).rgb()
    points = [(x, y) for y in range(40, 250) for x in range(60, 480) if image.pixel(x, y) == colour]
    xs, ys = np.array(points, float).T
    assert len(points) > 100
    assert abs(np.corrcoef(xs, ys)[0, 1]) > 0.999


def test_the_gap_is_marked_where_the_distance_is_measured(picture):
    shown = curves([1.0, 1.0, 1.0, 2.0, 9.0, 9.0])
    worst = shown.curves[-1]
    assert worst.gap is not None
    at, found, expected = worst.gap
    assert abs(found - expected) == pytest.approx(worst.fit.distance)
    assert at in shown.part.samples
    show(picture, shown, [worst], worst)
    accent = theme(False).accent.rgb()
    image = picture.grab().toImage()
    marked = [x for x in range(60, 480) for y in range(30, 250) if image.pixel(x, y) == accent]
    assert marked
    assert max(marked) - min(marked) <= 4
    assert picture.legend_texts()[0] == "recorded (6 samples)"


def test_without_a_part_there_is_an_empty_plot(picture):
    assert picture.legend_texts() == []
    assert picture.table().rows == ()
    image = picture.grab().toImage()
    assert {image.pixel(x, y) for x in range(5, 490, 7) for y in range(5, 390, 7)} == {
        theme(False).plot.rgb()
    }
