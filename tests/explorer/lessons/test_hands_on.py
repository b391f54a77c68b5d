"""What steps say is to be done with keys and mouse does what they say, with nothing selected before."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from core.lessons.lesson_document import lesson_paths, read_lesson
from tests.explorer.lessons.conftest import check, go, leave_all, open_lesson
from tests.explorer.window_fixtures import drag

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def on_step(window_of_module, qtbot):
    """Show a step of a lesson that has something to be done."""

    def show(name, number):
        leave_all(window_of_module)
        lesson = read_lesson(lesson_paths()[name])
        assert lesson.steps[number - 1].hands_on
        open_lesson(qtbot, window_of_module, lesson_paths()[name])
        go(qtbot, window_of_module, number)
        window_of_module.view_state.select_job(None)
        return window_of_module

    yield show
    leave_all(window_of_module)


def chart_of(window, scenario=1):
    return window.charts.views[scenario]


def spot_of(chart, job, number=0):
    """Return the middle of a map of a job."""
    frame, schedule = chart.frame(), chart.content.rows.schedule
    columns = schedule.workload.columns
    task = int(columns.first[schedule.workload.job_index[job], 0]) + number
    top, bottom = frame.row(int(chart.content.rows.row[task]))
    seconds = (schedule.start[task] + schedule.end[task]) / 2
    return QPoint(round(frame.x(float(seconds))), round((top + bottom) / 2))


def test_a_map_of_j2_is_dragged_in_front_of_j1(on_step, qtbot):
    window = on_step("why-order-matters", 4)
    chart = chart_of(window)
    drag(chart, spot_of(chart, "J2"), round(chart.frame().x(0.5)))
    assert window.runner.wait_until_idle(60_000)
    active = window.view_state.active_scenario
    assert window.charts.job_order(active) == ("J2", "J1")
    assert window.runner.outcome(active).schedule.makespan == 24
    check(qtbot, window)
    assert window.lessons.steps.pane.question.verdict.text().startswith("✔ Right.")


@pytest.mark.parametrize("number", [1, 3])
def test_a_map_of_one_job_is_dragged_in_front_of_another(on_step, number):
    window = on_step("johnson-and-where-he-fails", number)
    chart = chart_of(window)
    drag(chart, spot_of(chart, "J5"), round(chart.frame().x(0.5)))
    assert window.runner.wait_until_idle(60_000)
    order = window.charts.job_order(window.view_state.active_scenario)
    assert order == ("J5", "J1", "J2", "J3", "J4")


def test_the_edge_between_two_pools_is_dragged(on_step):
    window = on_step("johnson-and-where-he-fails", 7)
    chart = chart_of(window, 2)
    before = chart.content.rows.schedule.makespan
    layout, frame = chart.frame().layout, chart.frame()
    groups = [pool.group for pool in layout.pools]
    assert len(set(groups)) == 2
    rects = frame.pool_rects
    edge = QPoint(frame.places.plot.center().x(), rects[0].bottom() + 1)
    QTest.mousePress(chart, LEFT, NONE, edge)
    for step in range(1, 9):
        QTest.mouseMove(chart, edge + QPoint(0, -3 * step))
    QTest.mouseRelease(chart, LEFT, NONE, edge + QPoint(0, -24))
    assert window.runner.wait_until_idle(60_000)
    assert chart.content.rows.schedule.makespan != before
    assert window.editor.undo_stack.count() == 1


@pytest.mark.parametrize(
    ("name", "number", "row", "seconds", "reason"),
    [
        ("why-order-matters", 3, 45, 5.0, "no reduce is ready"),
        ("why-order-matters", 3, 14, 30.0, "every map has started"),
        ("overlap-done-right", 4, 2, 30.0, "Lazy start held it back"),
    ],
)
def test_what_was_clicked_is_explained(on_step, qtbot, name, number, row, seconds, reason):
    window = on_step(name, number)
    chart = chart_of(window)
    frame = chart.frame()
    top, bottom = frame.row(row)
    spot = QPoint(round(frame.x(seconds)), round((top + bottom) / 2))
    QTest.mouseMove(chart, spot)
    QTest.mouseClick(chart, LEFT, NONE, spot)
    panel, why = window.why.why_panel, window.actions_by_id["why_task"]
    assert not panel.isVisible()
    assert why.shortcut().toString() == "Ctrl+Shift+W"
    why.trigger()
    qtbot.waitUntil(panel.isVisible, timeout=5_000)
    qtbot.waitUntil(lambda: reason in panel.to_text(), timeout=10_000)
    why.trigger()


def test_keys_that_steps_name_are_those_of_the_window(window_of_module):
    keys = {action.shortcut().toString() for action in window_of_module.actions_by_id.values()}
    for path in lesson_paths().values():
        for step in read_lesson(path).steps:
            assert set(re.findall(r"(?:Ctrl|Alt|Shift)\+[\w+]+", step.hands_on)) <= keys, step.title
