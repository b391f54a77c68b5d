"""The window of shared scans as a person uses it: look, drag a job, change fields, undo."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from explorer.scans.scan_column import value_text
from explorer.scans.subjob_chart import describe as describe_bar
from tests.explorer.window_fixtures import LEFT, open_window

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from explorer.main_window import MainWindow
    from explorer.scans.boarding_chart import BoardingChart, Row
    from explorer.scans.scan_window import ScanWindow


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> MainWindow:
    main = open_window(qtbot, tmp_path, "ten-scans")
    main.actions_by_id["shared_scans"].trigger()
    main.scans.resize(1300, 850)
    qtbot.waitUntil(lambda: bool(main.scans.stories))
    return main


@pytest.fixture
def scans(window: MainWindow) -> ScanWindow:
    return window.scans


def boarding(scans: ScanWindow) -> BoardingChart:
    return scans.columns["circumflex"].boarding


def row_of(chart: BoardingChart, job: int) -> Row:
    return next(row for row in chart.rows() if row.job == job)


def point(place: QPointF) -> QPoint:
    return place.toPoint()


def value(scans: ScanWindow, policy: str) -> float:
    return next(s for s in scans.stories if s.policy == policy).schedule.value


def test_three_policies_are_compared(scans: ScanWindow) -> None:
    assert [story.policy for story in scans.stories] == ["flex", "batch", "circumflex"]
    assert value(scans, "circumflex") < value(scans, "flex")
    text = scans.columns["circumflex"].figures.text()
    assert "Average response" in text
    assert "scans saved" in text
    assert "waited for windows" in scans.columns["batch"].figures.text()


def test_a_bar_says_what_it_is(scans: ScanWindow) -> None:
    chart = scans.columns["circumflex"].subjobs
    shared = max(scans.stories[2].bars, key=lambda bar: (bar.concurrency, bar.end - bar.start))
    middle = chart.x_of((shared.start + shared.end) / 2)
    y = chart.plot.bottom() - (shared.bottom + shared.slots / 2) / 10 * chart.plot.height()
    assert chart.bar_at(middle, y) == shared
    assert "serves" in describe_bar(scans.stories[2], shared)
    assert chart.bar_at(1, 1) is None


def test_dragging_a_row_moves_the_arrival_and_shows_it_live(qtbot: QtBot, window: MainWindow) -> None:
    chart = boarding(window.scans)
    row, before = row_of(chart, 9), window.scans.stories
    start = point(row.box.center())
    QTest.mousePress(chart, LEFT, pos=start)
    QTest.mouseMove(chart, start - QPoint(30, 0))
    qtbot.waitUntil(lambda: window.scans.stories is not before)
    assert window.document.workload.jobs[9].arrival == 96, "the document waits for the drop"
    QTest.mouseRelease(chart, LEFT, pos=start - QPoint(30, 0))
    moved = window.document.workload.jobs[9].arrival
    assert moved == pytest.approx(96 - 30 / chart.plot.width() * chart.end, abs=1)
    assert window.view_state.selected_job == "J10"
    window.editor.undo_stack.undo()
    assert window.document.workload.jobs[9].arrival == 96


def test_dragging_a_row_to_another_lane_moves_the_dataset(qtbot: QtBot, window: MainWindow) -> None:
    chart = boarding(window.scans)
    row = row_of(chart, 0)
    other = next(lane for line, lane in chart.lanes() if line.dataset != row.dataset)
    start = point(row.box.center())
    QTest.mousePress(chart, LEFT, pos=start)
    target = QPoint(start.x(), int(other.center().y()))
    QTest.mouseMove(chart, target)
    QTest.mouseRelease(chart, LEFT, pos=target)
    job = window.document.workload.jobs[0]
    assert job.dataset == "sales"
    assert job.maps.durations.tolist() == [3.0]
    assert window.runner.wait_until_idle()


def test_escape_ends_a_drag_without_a_drop(qtbot: QtBot, window: MainWindow) -> None:
    chart = boarding(window.scans)
    start = point(row_of(chart, 9).box.center())
    QTest.mousePress(chart, LEFT, pos=start)
    QTest.mouseMove(chart, start - QPoint(40, 0))
    QTest.keyClick(chart, Qt.Key.Key_Escape)
    QTest.mouseRelease(chart, LEFT, pos=start - QPoint(40, 0))
    assert window.document.workload.jobs[9].arrival == 96
    assert not window.editor.undo_stack.canUndo()


def test_fields_edit_the_selected_job(qtbot: QtBot, window: MainWindow) -> None:
    fields = window.scans.job_fields
    assert not fields.arrival.isEnabled()
    window.view_state.select_job("J3")
    assert fields.arrival.value() == 22
    fields.most.setValue(3)
    assert window.document.workload.jobs[2].max_slots == 3
    fields.dataset.setCurrentText("clicks")
    assert window.document.workload.jobs[2].dataset == "clicks"
    assert window.document.workload.jobs[2].maps.count == 60
    fields.least.setValue(5)
    assert window.document.workload.jobs[2].min_slots == 0, "more than the maximum is refused"
    assert fields.least.value() == 0


def test_the_metric_and_the_window_are_chosen(qtbot: QtBot, scans: ScanWindow) -> None:
    before = scans.stories
    scans.metric_field.setCurrentText("Maximum stretch")
    qtbot.waitUntil(lambda: scans.stories is not before)
    assert scans.stories[0].schedule.metric.id == "max-stretch"
    before = scans.stories
    scans.window_field.setValue(60)
    qtbot.waitUntil(lambda: scans.stories is not before)
    assert scans.stories[1].waited > 200


def test_clocks_follow_the_time_that_is_clicked(qtbot: QtBot, scans: ScanWindow) -> None:
    chart = scans.columns["circumflex"].subjobs
    QTest.mouseClick(chart, LEFT, pos=QPoint(int(chart.x_of(33)), int(chart.plot.top()) + 5))
    clocks = {clock.dataset: clock for clock in scans.columns["circumflex"].circles.clocks()}
    riders = [hand.job for hand in clocks[0].hands]
    assert 3 in riders, "J4 arrived at 28 s and rides"
    scans.slider.setValue(0)
    assert all(not clock.hands for clock in scans.columns["circumflex"].circles.clocks())


def test_without_datasets_it_says_what_to_do(qtbot: QtBot, tmp_path: Path) -> None:
    window = open_window(qtbot, tmp_path, "five-jobs")
    window.scans.show_in_front()
    assert window.scans.pages.currentIndex() == 1
    window.scans.close()


def test_values_have_units(scans: ScanWindow) -> None:
    metric = scans.stories[0].schedule.metric
    assert value_text(metric, 12.5) == "12.5 s"


def test_the_wheel_zooms_and_a_double_click_shows_all(qtbot: QtBot, scans: ScanWindow) -> None:
    chart = scans.columns["flex"].subjobs
    scans.zoom(0.25, 60.0)
    assert chart.end - chart.start == pytest.approx(scans.end / 4)
    assert boarding(scans).start == chart.start
    assert chart.start < 60 < chart.end
    QTest.mouseDClick(chart, LEFT, pos=QPoint(100, 40))
    assert (chart.start, chart.end) == (0, scans.end)


def test_the_picture_is_copied(qtbot: QtBot, scans: ScanWindow) -> None:
    QTest.mouseClick(scans.copy_button, LEFT)
    assert QGuiApplication.clipboard().image().width() > 1000
