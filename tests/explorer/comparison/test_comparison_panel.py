"""The comparison panel: look at every tab, click, press keys, change the theme, export."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QHelpEvent, QImage, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QToolTip

from core.model.cluster import Cluster
from core.model.schedule import PolicyChoice
from core.model.time_text import signed_duration
from explorer.comparison.comparison_panel import ComparisonPanel
from explorer.comparison.completion_chart import coarse_change
from explorer.comparison.makespan_bars import bar_places
from explorer.comparison.usage_chart import MAP, REDUCE
from explorer.document.view_state import EstimateMarks
from explorer.widgets.plain_labels import tooltip
from explorer.widgets.theme import theme

MAKESPAN, METRICS, ENDS, JOBS, RESPONSES, USAGE, RELEASE = range(7)
TABS = range(7)


@pytest.fixture
def panel(shown, document, view_state, axis):
    panel = ComparisonPanel(document, view_state, axis, theme(False))
    panel.resize(900, 320)
    return shown(panel)


@pytest.fixture
def filled(panel, outcome, axis):
    for scenario_id in (1, 2):
        panel.results.put(scenario_id, *outcome(scenario_id))
    axis.set_extent(0, max(row.metrics.makespan for row in panel.results.rows))
    return panel


def opened(qtbot, panel, place):
    panel.tabs.setCurrentIndex(place)
    qtbot.waitUntil(lambda: hasattr(panel.tabs.widget(place), "paint_export"))
    return panel.tabs.widget(place)


def usage_chart(qtbot, panel):
    chart = opened(qtbot, panel, USAGE)
    qtbot.waitUntil(lambda: chart.plots[0].isVisible())
    chart.draw()
    return chart


# Results


def test_results_follow_the_document(results, both, editor, view_state):
    assert [row.title for row in both.rows] == ["FIFO", "Johnson"]
    assert both.rows[1].change == pytest.approx(
        both.rows[1].metrics.makespan / both.rows[0].metrics.makespan - 1
    )
    editor.make_baseline(2)
    assert both.rows[1].change == 0
    editor.rename_scenario(1, "Mine")
    editor.move_scenario(1, 1)
    assert [row.title for row in both.rows] == ["Johnson", "Mine"]
    editor.remove_scenario(2)
    assert [row.title for row in both.rows] == ["Mine"]
    both.forget(1)
    assert both.rows == []


def test_another_document_forgets_the_results(both, editor, two_scenarios):
    editor.load(two_scenarios)
    assert both.rows == []


# Empty


def test_nothing_to_compare_is_said_and_cannot_be_exported(qtbot, panel):
    assert not panel.export_button.isEnabled()
    assert "as soon as" in panel.bars.accessibleName()
    for place in TABS:
        panel.tabs.setCurrentIndex(place)
        panel.grab()
    assert opened(qtbot, panel, JOBS).nothing.isVisible()
    assert opened(qtbot, panel, USAGE).nothing.isVisible()


def test_one_scenario_alone_has_bars_but_no_differences(qtbot, panel, outcome):
    panel.results.put(1, *outcome(1))
    panel.grab()
    chart = opened(qtbot, panel, JOBS)
    assert chart.nothing.isVisible()
    assert chart.table().rows == ()


# Makespans


def test_bars_are_as_long_as_the_makespans(filled):
    picture = filled.bars.grab().toImage()
    rows = filled.results.rows
    places = bar_places(filled.bars.rect().toRectF(), rows, filled.bars.font())
    for place, (row, colour) in enumerate(
        zip(rows, (theme(False).second_text, theme(False).better), strict=True)
    ):
        # near the lower edge of the bar, away from the whisker
        y = int(places.row_rect(place).center().y() + places.row * 0.22)
        assert picture.pixelColor(int(places.scale.x(row.metrics.makespan)) - 3, y) == colour
        assert picture.pixelColor(int(places.scale.x(row.metrics.makespan)) + 3, y) != colour


def test_a_click_or_arrow_makes_a_scenario_active(filled, view_state):
    bars = filled.bars
    places = bar_places(bars.rect().toRectF(), filled.results.rows, bars.font())
    QTest.mouseClick(bars, Qt.MouseButton.LeftButton, pos=QPoint(200, int(places.row_rect(1).center().y())))
    assert view_state.active_scenario == 2
    QTest.keyClick(bars, Qt.Key.Key_Up)
    assert view_state.active_scenario == 1
    QTest.keyClick(bars, Qt.Key.Key_Up)
    assert view_state.active_scenario == 1


def test_a_bar_tells_all_about_itself(filled, view_state, editor, outcome):
    view_state.estimate_marks = EstimateMarks.SHOWN
    editor.rename_scenario(1, "<b>one</b>")
    y = int(
        bar_places(filled.bars.rect().toRectF(), filled.results.rows, filled.bars.font())
        .row_rect(0)
        .center()
        .y()
    )
    QApplication.sendEvent(
        filled.bars, QHelpEvent(QEvent.Type.ToolTip, QPoint(100, y), filled.bars.mapToGlobal(QPoint(100, y)))
    )
    assert tooltip("<b>one</b>") in QToolTip.text()
    assert "estimated: Min" in QToolTip.text()
    QToolTip.hideText()


# Metrics


def test_the_table_marks_the_best_and_the_active(filled, view_state):
    model = filled.metrics.figures
    assert model.index(0, 0).data() == "FIFO (baseline)"
    assert model.index(1, 1).data().startswith("● ")
    assert not model.index(0, 1).data().startswith("● ")
    assert model.index(1, 1).data(Qt.ItemDataRole.ForegroundRole) == theme(False).better
    assert model.index(1, 1).data(Qt.ItemDataRole.AccessibleTextRole).endswith(", the best")
    assert model.index(0, 2).data() == "–"
    filled.tabs.setCurrentIndex(METRICS)
    filled.metrics.selectRow(1)
    assert view_state.active_scenario == 2
    view_state.activate_scenario(1)
    assert filled.metrics.currentIndex().row() == 0


# Completion


def test_a_click_on_a_bar_selects_its_job(qtbot, filled, view_state):
    chart = opened(qtbot, filled, JOBS).panels[0]
    assert chart.heading.text().startswith("Johnson against FIFO: ")
    names = chart.bars.names
    box = chart.plot.getViewBox()
    for bar in (0, 3):
        scene = box.mapViewToScene(QPointF(bar, 0))
        place = chart.plot.mapFromScene(scene)
        press = (QPointF(place), chart.plot.mapToGlobal(QPointF(place)))
        left = Qt.MouseButton.LeftButton
        event = QMouseEvent(
            QEvent.Type.MouseButtonRelease, *press, left, left, Qt.KeyboardModifier.NoModifier
        )
        QApplication.sendEvent(chart.plot.viewport(), event)
        assert view_state.selected_job == names[bar]
    assert chart.plot._mark.isVisible()
    assert chart.text_of(0) == chart.bars.text(0)
    assert chart.text_of(99) == ""


def test_arrow_keys_walk_along_the_jobs(qtbot, filled, view_state):
    chart = opened(qtbot, filled, JOBS).panels[0]
    for expected in (0, 1, 2):
        QTest.keyClick(chart.plot, Qt.Key.Key_Right)
        assert view_state.selected_job == chart.bars.names[expected]
    QTest.keyClick(chart.plot, Qt.Key.Key_Left)
    assert view_state.selected_job == chart.bars.names[1]


def test_earlier_and_later_have_their_colours(qtbot, filled):
    chart = opened(qtbot, filled, JOBS).panels[0]
    for dark in (False, True):
        filled.set_theme(theme(dark))
        picture = chart.plot.grab().toImage()
        box = chart.plot.getViewBox()
        for bar, colour in ((0, theme(dark).better), (chart.bars.count - 1, theme(dark).worse)):
            middle = box.mapViewToScene(QPointF(bar, chart.bars.heights[bar] / 2))
            assert picture.pixelColor(chart.plot.mapFromScene(middle)) == colour


@pytest.mark.parametrize(
    ("width", "height", "angle"), [(900, 400, 0), (330, 400, 90), (150, 400, None), (330, 70, None)]
)
def test_every_bar_has_its_value_where_all_of_them_fit(qtbot, filled, width, height, angle):
    chart = opened(qtbot, filled, JOBS).panels[0]
    chart.plot.setFixedSize(width, height)
    QTest.qWait(0)
    values = chart.plot._values
    if angle is None:
        assert not values
        return
    changes = [signed_duration(float(each)) for each in chart.bars.heights]
    assert [value.toPlainText() for value in values] == changes
    chart.plot.grab()
    rects = [value.textItem.mapRectToScene(value.textItem.boundingRect()) for value in values]
    inside = chart.plot.getViewBox().sceneBoundingRect().adjusted(-2, -2, 2, 2)
    for place, rect in enumerate(rects):
        assert (rect.height() > rect.width()) == (angle == 90)
        assert inside.contains(rect)
        assert not any(rect.intersects(other) for other in rects[place + 1 :])
        foot = chart.plot.getViewBox().mapViewToScene(QPointF(place, 0)).y()
        assert (rect.center().y() > foot) == (chart.bars.heights[place] < 0)


def test_values_lose_their_smaller_unit_where_there_is_little_room(qtbot, filled):
    assert [coarse_change(each) for each in (-870.0, 5400.0, 172_800.0, -53.0, 0.0)] == [
        "−14 min",
        "+1.5 h",
        "+2.0 d",
        "−53 s",
        "±0 s",
    ]
    chart = opened(qtbot, filled, JOBS).panels[0]
    chart.plot.setFixedSize(330, 150)
    QTest.qWait(0)
    assert chart.plot._values[0].toPlainText() == "−1 min"


# Slots in use


def test_curves_are_linked_to_the_shared_axis(qtbot, filled, axis):
    chart = usage_chart(qtbot, filled)
    axis.show_span(5, 20)
    for plot in chart.plots:
        assert plot.viewRange()[0] == pytest.approx([axis.t0, axis.t1])
    box = chart.plots[MAP].getViewBox()
    axis.set_cursor(10.0)
    assert all(plot.cursor_line.isVisible() and plot.cursor_line.value() == 10 for plot in chart.plots)
    assert "at 0:10" in chart.legend.text()
    QTest.mouseMove(
        chart.plots[MAP].viewport(), chart.plots[MAP].mapFromScene(box.mapViewToScene(QPointF(15, 5)))
    )
    qtbot.waitUntil(lambda: axis.cursor is not None and abs(axis.cursor - 15) < 0.1)
    axis.set_cursor(None)
    assert not chart.plots[REDUCE].cursor_line.isVisible()


def test_the_curves_are_the_counts(qtbot, filled):
    chart = usage_chart(qtbot, filled)
    x, y = chart._curves[MAP]._areas[0].getData()
    assert y.max() == 30
    assert x[-1] == pytest.approx(chart._axis.t1)
    assert chart._curves[MAP]._capacity.value() == 30
    rows = chart.table().rows
    assert rows[0][:3] == ("FIFO", 0.0, 30)


def test_the_wheel_zooms_the_shared_axis(qtbot, filled, axis):
    from PySide6.QtGui import QWheelEvent

    chart = usage_chart(qtbot, filled)
    span = axis.range.span
    place = QPointF(chart.plots[MAP].viewport().rect().center())
    event = QWheelEvent(
        place,
        chart.plots[MAP].viewport().mapToGlobal(place),
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(chart.plots[MAP].viewport(), event)
    assert axis.range.span < span


def test_the_active_scenario_is_drawn_and_the_baseline_beside_it(qtbot, filled, view_state):
    chart = usage_chart(qtbot, filled)
    assert list(chart._curves[MAP].others) == [1]
    view_state.activate_scenario(2)
    qtbot.waitUntil(lambda: list(chart._curves[MAP].others) == [0])
    assert "<b>Johnson</b>" in chart.legend.text()
    assert "FIFO" in chart.legend.text()


def test_titles_are_never_markup(qtbot, filled, editor):
    editor.rename_scenario(1, "<u>x</u>")
    chart = usage_chart(qtbot, filled)
    assert "&lt;u&gt;x&lt;/u&gt;" in chart.legend.text()


def test_a_new_schedule_is_counted_again(qtbot, filled, editor, outcome):
    chart = usage_chart(qtbot, filled)
    editor.set_cluster(Cluster(12, 30, 1.0))
    filled.results.put(1, *outcome(1))
    qtbot.waitUntil(lambda: not chart._calculation.is_busy)
    chart.draw()
    assert chart._curves[MAP]._areas[0].getData()[1].max() == 12
    assert chart._curves[MAP]._capacity.value() == 12


# Themes and exports


@pytest.mark.parametrize("dark", [False, True])
def test_every_tab_follows_the_theme(qtbot, filled, dark):
    usage_chart(qtbot, filled)
    filled.set_theme(theme(dark))
    for place in (MAKESPAN, JOBS, RESPONSES, USAGE):
        filled.tabs.setCurrentIndex(place)
        part = filled.tabs.widget(place)
        assert part.background == theme(dark).plot
        corner = part.grab().toImage().pixelColor(part.width() - 3, part.height() - 3)
        assert corner == theme(dark).plot


@pytest.mark.parametrize("place", range(6))
def test_every_chart_is_exported_as_png_svg_and_csv(qtbot, filled, tmp_path, place):
    chart = usage_chart(qtbot, filled) if place == USAGE else opened(qtbot, filled, place)
    said = []
    filled.written.connect(said.append)
    for ending in ("png", "svg", "csv"):
        filled.export_button.save(str(tmp_path / f"chart.{ending}"))
    picture = QImage(str(tmp_path / "chart.png"))
    assert picture.size() == chart.export_size() * 2
    colours = {
        QColor(picture.pixel(x, y)).name()
        for x in range(0, picture.width(), 7)
        for y in range(0, picture.height(), 7)
    }
    assert len(colours) > 3
    root = ElementTree.parse(tmp_path / "chart.svg").getroot()
    assert root.tag.endswith("svg")
    assert len(list(root.iter())) > 20
    lines = (tmp_path / "chart.csv").read_text().splitlines()
    assert len(lines) > 2
    assert len(said) == 3


def test_copies_go_to_the_clipboard(filled):
    filled.export_button.copy_table_action.trigger()
    assert QGuiApplication.clipboard().text().startswith("scenario\tmakespan (s)\t")
    filled.export_button.copy_picture_action.trigger()
    assert not QGuiApplication.clipboard().image().isNull()


def test_a_file_is_asked_for_and_gets_its_ending(filled, tmp_path, monkeypatch):
    asked = []

    def choose(_parent, _title, suggested, kind, *_options):
        asked.append((suggested, kind))
        return str(tmp_path / "mine"), kind

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    for action in (
        filled.export_button.png_action,
        filled.export_button.svg_action,
        filled.export_button.csv_action,
    ):
        action.trigger()
    assert [Path(suggested).name for suggested, _ in asked] == [
        "makespans.png",
        "makespans.svg",
        "makespans.csv",
    ]
    assert sorted(path.suffix for path in tmp_path.iterdir() if path.is_file()) == [".csv", ".png", ".svg"]


def test_an_export_that_fails_says_why(filled, tmp_path):
    said = []
    filled.refused.connect(said.append)
    filled.export_button.save(str(tmp_path / "missing" / "chart.png"))
    filled.export_button.save(str(tmp_path / "chart.doc"))
    assert "cannot write" in said[0]
    assert "use .png, .svg or .csv" in said[1]


def test_a_cluster_with_containers_and_many_scenarios(qtbot, panel, editor, outcome):
    editor.set_cluster(Cluster(0, 0, 0.05, containers=20))
    for policy in ("sjf", "johnson-reverse", "fair", "edf-max"):
        editor.add_scenario(PolicyChoice(policy))
    for scenario in editor.document.scenarios:
        panel.results.put(scenario.id, *outcome(scenario.id))
    for place in TABS:
        opened(qtbot, panel, place)
        panel.grab()
    chart = usage_chart(qtbot, panel)
    assert chart._curves[REDUCE]._capacity.value() == 20


def test_results_without_estimates(panel, outcome):
    schedule, metrics, _ = outcome(1)
    panel.results.put(1, schedule, metrics)
    panel.grab()
    assert panel.bars.table().rows[0][-6:] == (None,) * 6


def test_zero_makespan_draws(panel, editor, outcome):
    for i, job in enumerate(editor.document.workload.jobs):
        nothing = replace(job, maps=replace(job.maps, durations=job.maps.durations * 0))
        editor.replace_job(
            i, replace(nothing, reduces=replace(job.reduces, durations=job.reduces.durations * 0))
        )
    panel.results.put(1, *outcome(1))
    panel.grab()


def test_pyqtgraph_is_not_needed_at_the_start():
    import subprocess

    code = "import sys, explorer.comparison.comparison_panel; sys.exit('pyqtgraph' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
