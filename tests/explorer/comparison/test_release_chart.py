"""The release chart: what it draws of OMO, what it says of others, and how it follows the cursor."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from core.measures.metrics import measure
from core.measures.release_rate import release_rates
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.simulation.simulate import simulate
from explorer.comparison.comparison_panel import ComparisonPanel
from explorer.comparison.release_chart import ReleaseChart
from explorer.widgets.theme import theme

RELEASE = 6


@pytest.fixture
def omo(document, outcome):
    """An outcome of OMO on the document's jobs, with tasks of several lengths."""
    workload = document.workload
    jobs = [
        replace(job, maps=Stage.of(60, [1.0, 2.0, 4.0]), reduces=Stage.of(4, 3.0, 1.0, 20.0))
        for job in workload.jobs
    ]
    choice = PolicyChoice("omo", {"window": 5.0})
    schedule = simulate(workload.with_jobs(jobs), document.cluster, choice, engine="interpreted")
    return schedule, measure(schedule)


@pytest.fixture
def chart(qtbot, shown, results, axis):
    chart = ReleaseChart(results, axis, theme(False))
    chart.resize(900, 260)
    return shown(chart)


@pytest.fixture
def filled(qtbot, chart, results, axis, omo):
    results.put(1, *omo)
    axis.set_extent(0, omo[0].makespan)
    qtbot.waitUntil(lambda: chart.plot.isVisible() and not chart._calculation.is_busy)
    return chart


def painted(chart):
    picture = QImage(900, 260, QImage.Format.Format_RGB32)
    picture.fill(chart.background)
    painter = QPainter(picture)
    chart.paint_export(painter, QRectF(picture.rect()))
    painter.end()
    return picture


def colours_in(picture):
    return {picture.pixel(x, y) for x in range(0, picture.width(), 2) for y in range(picture.height())}


def test_before_anything_is_simulated(chart):
    assert chart.nothing.isVisible()
    assert "as soon as" in chart.nothing.text()


def test_a_policy_that_predicts_nothing_shows_what_it_releases(qtbot, chart, results, outcome):
    results.put(1, *outcome(1))
    qtbot.waitUntil(lambda: chart.plot.isVisible() and bool(chart.table().rows))
    assert "predicts nothing" in chart.legend.text()
    assert {row[3] for row in chart.table().rows} == {""}
    window = 10.0
    schedule = outcome(1)[0]
    ends = schedule.end.tolist()
    for _, begin, rate, _ in chart.table().rows[:-1]:  # the last window has what ends at its end, too
        assert rate == pytest.approx(sum(begin <= end < begin + window for end in ends) / window)


def test_every_scenario_has_its_line_and_its_rows(qtbot, filled, results, outcome):
    results.put(2, *outcome(2))
    qtbot.waitUntil(lambda: len({row[0] for row in filled.table().rows}) == 2)
    assert list(filled._others) == [1]
    assert results.rows[1].title in filled.legend.text()
    assert results.rows[1].title in filled.export_heading()


def test_the_curves_are_those_of_the_schedule(filled, omo):
    rates = release_rates(omo[0])
    rows = filled.table().rows
    assert [row[1:3] for row in rows] == list(zip(rates.times.tolist(), rates.real.tolist(), strict=True))
    known = [row[3] for row in rows if row[3] != ""]
    assert known == [value for value in rates.predicted.tolist() if not math.isnan(value)]
    assert {theme(False).map_band.rgb(), theme(False).accent.rgb()} <= colours_in(painted(filled))


def test_the_legend_says_what_is_under_the_cursor(filled, axis, omo):
    assert "windows of 5 s" in filled.legend.text()
    assert " at " not in filled.legend.text()
    rates = release_rates(omo[0])
    axis.set_cursor(12.0)
    assert f"released {rates.real[2]:.3g} " in filled.legend.text()
    assert f"predicted {rates.predicted[2]:.3g}&" in filled.legend.text()
    axis.set_cursor(0.5)
    assert "predicted –&" in filled.legend.text()


def test_zooming_shows_a_part(filled, axis):
    before = painted(filled)
    axis.zoom(0.25, 10.0)
    filled.draw()
    assert painted(filled) != before
    shown = filled.plot.viewRange()[0]
    assert shown == pytest.approx([axis.t0, axis.t1])


def test_another_theme_has_other_colours(filled):
    filled.set_theme(theme(True))
    assert theme(True).accent.rgb() in colours_in(painted(filled))


def test_what_fails_is_said(qtbot, chart, results, omo, monkeypatch):
    def broken(*_arguments):
        raise ValueError("the schedule cannot be simulated again")

    monkeypatch.setattr("explorer.comparison.release_chart.release_rates", broken)
    results.put(1, *omo)
    qtbot.waitUntil(lambda: "cannot be simulated again" in chart.nothing.text())


def test_nothing_is_calculated_while_nobody_looks(chart, results, omo):
    chart.hide()
    results.put(1, *omo)
    assert not chart._calculation.is_busy


def test_it_is_a_tab_of_the_comparison(qtbot, shown, document, view_state, axis, omo):
    panel = ComparisonPanel(document, view_state, axis, theme(False))
    panel.resize(900, 320)
    shown(panel)
    panel.results.put(1, *omo)
    assert panel.tabs.tabText(RELEASE) == "Release rate"
    panel.tabs.setCurrentIndex(RELEASE)
    qtbot.waitUntil(lambda: hasattr(panel.tabs.widget(RELEASE), "plot"))
    chart = panel.tabs.widget(RELEASE)
    qtbot.waitUntil(lambda: chart.plot.isVisible())
    assert panel.export_button.isEnabled()
    assert chart.focusPolicy() == Qt.FocusPolicy.NoFocus
