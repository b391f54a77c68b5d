"""Six scenarios side by side: each is in every tab, and every column sorts."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from core.model.schedule import PolicyChoice
from explorer.comparison.comparison_panel import ComparisonPanel
from explorer.comparison.completion_chart import columns_for
from explorer.comparison.metrics_table import figures_of
from explorer.widgets.theme import theme

MAKESPAN, METRICS, ENDS, JOBS, RESPONSES, USAGE, RELEASE = range(7)
MORE = ("sjf", "longest-task", "johnson-reverse", "fair")


@pytest.fixture
def panel(shown, document, view_state, axis, editor, outcome):
    panel = ComparisonPanel(document, view_state, axis, theme(False))
    panel.resize(900, 420)
    for policy in MORE:
        editor.add_scenario(PolicyChoice(policy))
    for scenario in document.scenarios:
        panel.results.put(scenario.id, *outcome(scenario.id))
    axis.set_extent(0, max(row.metrics.makespan for row in panel.results.rows))
    return shown(panel)


def opened(qtbot, panel, place):
    panel.tabs.setCurrentIndex(place)
    qtbot.waitUntil(lambda: hasattr(panel.tabs.widget(place), "paint_export"))
    return panel.tabs.widget(place)


def click_heading(table, column):
    header = table.horizontalHeader()
    x = header.sectionViewportPosition(column) + header.sectionSize(column) // 2
    table.horizontalScrollBar().setValue(0)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, header.height() // 2))


def test_metrics_are_sorted_by_every_column(qtbot, panel, view_state):
    table = opened(qtbot, panel, METRICS)
    given = [row.title for row in panel.results.rows]
    table.setFixedWidth(4000)
    for column, figure in enumerate(figures_of(panel.results.workload), start=1):
        read = {row.title: figure.read(row) for row in panel.results.rows}
        values = {title: math.nan if value is None else value for title, value in read.items()}
        for turn in range(2):
            click_heading(table, column)
            titles = [row.title for row in table.figures.rows]
            shown = [values[title] for title in titles]
            known: list[float] = [value for value in shown if not math.isnan(value)]
            assert known == sorted(known, reverse=bool(turn)), figure.heading
            unknown = list(map(math.isnan, shown))
            assert unknown == sorted(unknown), "what is not known comes last"
        click_heading(table, column)
        assert [row.title for row in table.figures.rows] == given
    click_heading(table, 0)
    assert [row.title for row in table.figures.rows] == sorted(given)


def test_the_active_scenario_stays_so_while_rows_move(qtbot, panel, view_state):
    table = opened(qtbot, panel, METRICS)
    view_state.activate_scenario(2)
    for _ in range(3):
        click_heading(table, 1)
        assert view_state.active_scenario == 2
        (index,) = table.selectionModel().selectedRows()
        assert table.figures.rows[index.row()].scenario_id == 2
        bold = [
            row for row in range(6) if table.figures.index(row, 0).data(Qt.ItemDataRole.FontRole) is not None
        ]
        assert bold == [index.row()]
    panel.results.forget(1)
    assert len(table.figures.rows) == 5


def test_ends_and_changes_of_every_job_in_every_scenario(qtbot, panel):
    table = opened(qtbot, panel, ENDS)
    rows = panel.results.rows
    header, *lines = [line.split("\t") for line in table.ends.to_text().splitlines()]
    assert header[:4] == ["Job", "FIFO (baseline)", "Johnson", "Change"]
    assert header.count("Change") == 5
    assert [line[0] for line in lines] == ["J1", "J2", "J3", "J4", "J5"]
    first, johnson = (rows[place].schedule.finish.tolist() for place in (0, 1))
    numbers = table.table().rows
    assert [row[1] for row in numbers] == first
    assert [row[2] for row in numbers] == johnson
    assert [row[3] for row in numbers] == [b - a for a, b in zip(first, johnson, strict=True)]
    # J3 ends at 0:39 under FIFO and last of all, at 0:47, under Johnson
    assert lines[2][1:4] == ["0:39", "0:47", "+8 s"]
    look = table.ends.index(2, 3).data(Qt.ItemDataRole.ForegroundRole)
    assert look == theme(False).worse


def test_ends_are_sorted_by_every_column_and_select_jobs(qtbot, panel, view_state):
    table = opened(qtbot, panel, ENDS)
    table.setFixedWidth(4000)
    for column in range(1, table.ends.columnCount()):
        for turn in range(2):
            click_heading(table, column)
            shown = [row[column] for row in table.table().rows]
            assert shown == sorted(shown, reverse=bool(turn))
        click_heading(table, column)
    click_heading(table, 2)
    last = table.ends.rowCount() - 1
    QTest.mouseClick(
        table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(table.ends.index(last, 1)).center()
    )
    assert view_state.selected_job == "J3"
    view_state.select_job("J2")
    (index,) = table.selectionModel().selectedRows()
    assert index.data() == "J2"
    view_state.select_job(None)
    assert not table.selectionModel().selectedRows()


def test_every_scenario_has_bars_of_its_own_on_one_scale(qtbot, panel, view_state):
    chart = opened(qtbot, panel, JOBS)
    assert [each.title for each in chart.panels] == [row.title for row in panel.results.rows[1:]]
    assert len({tuple(each.plot.viewRange()[1]) for each in chart.panels}) == 1
    view_state.select_job("J4")
    assert all(each.plot._mark.isVisible() for each in chart.panels)
    assert len(chart.table().rows) == 5 * 5
    panel.results.forget(3)
    assert len(chart.panels) == 4


@pytest.mark.parametrize(
    ("count", "width", "height", "columns"),
    [(5, 960, 120, 5), (5, 250, 500, 1), (4, 900, 450, 2), (0, 9, 9, 1)],
)
def test_bars_of_scenarios_are_as_large_as_they_can_be(count, width, height, columns):
    assert columns_for(count, width, height) == columns


def test_every_scenario_is_in_the_use_of_slots(qtbot, panel):
    chart = opened(qtbot, panel, USAGE)
    qtbot.waitUntil(lambda: len(chart._curves[0].others) == 5)
    for row in panel.results.rows:
        assert row.title in chart.legend.text()
    looks = {each.opts["pen"].color().rgb() for each in chart._curves[0].others.values()}
    assert len(looks) == 5
    assert {row[0] for row in chart.table().rows} == {row.title for row in panel.results.rows}


def test_response_curves_say_which_share_has_ended(qtbot, panel):
    chart = opened(qtbot, panel, RESPONSES)
    qtbot.waitUntil(lambda: len(chart.curves) == 6)
    for place, row in enumerate(panel.results.rows):
        x, y = chart.curves[place].getData()
        # all jobs arrive at 0, so that a response is an end: counted one by one
        ends = row.schedule.finish.tolist()
        for seconds, share in zip(x[2::2], y[2::2], strict=True):
            assert share == pytest.approx(100 * sum(end <= seconds + 1e-9 for end in ends) / 5)
        assert y[-1] == 100
    spot = chart.plot.getViewBox().mapViewToScene(QPointF(50.0, 50.0))
    QTest.mouseMove(chart.plot.viewport(), chart.plot.mapFromScene(spot))
    qtbot.waitUntil(lambda: "within 50 s" in chart.legend.text())
    assert "100.0 %" in chart.legend.text()  # Johnson ends at 47 s
    assert len(chart.table().rows) == 6 * 5
