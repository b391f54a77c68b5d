"""A job that is submitted, dragged in the chart itself, by mouse and by key, and given another place."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from core.model.cluster import Cluster
from explorer.forecast.forecast_panel import ForecastPanel
from explorer.gantt.layers.arrival_mark import likely_boxes, tag_box
from explorer.widgets.theme import theme
from explorer.widgets.worker import shutdown_workers
from tests.builders import FIVE_JOBS, make_job, run, two_stage_workload
from tests.explorer.window.scenarios.test_forecast_in_window import opened
from tests.explorer.window_fixtures import LEFT


@pytest.fixture
def night(qtbot, tmp_path):
    """Five jobs under FIFO at 0:30 with a job that comes; the window, the panel and the chart."""
    window, panel = opened(qtbot, tmp_path)
    window.show()
    window.editor.edit_job(4, "deadline", "600")
    assert window.runner.wait_until_idle(60_000)
    window.view_state.time_cursor.show_at(30.0)
    panel.submit([make_job("late", (30, 9.0))])
    wait_for(qtbot, panel, 30.0)
    return window, panel, window.charts.active_view


def arrival(panel):
    """Return when the submitted job of what is shown comes, in seconds; None for no such job."""
    found = panel.submission
    return None if found is None else found.forecast.known.schedule.workload.jobs[-1].arrival


def wait_for(qtbot, panel, seconds):
    """Wait until it is known what becomes of it, and of every place in the order."""
    qtbot.waitUntil(
        lambda: (
            not panel.is_busy
            and not panel.place.is_held
            and arrival(panel) == pytest.approx(seconds)
            and bool(panel.place.places.rows)
        ),
        timeout=30_000,
    )


def held(view, seconds=0.0):
    """Return the pixel of the tag in a chart, and that of so many seconds later."""
    frame, box = view.frame(), tag_box(view.frame())
    by = frame.x(seconds) - frame.x(0.0)
    return box.center().toPoint(), (box.center() + QPointF(by, 0)).toPoint()


def test_it_is_dragged_in_the_chart_with_before_and_after_and_undone(qtbot, night):
    window, panel, view = night
    before, steps = panel.found.middle[-1], window.editor.undo_stack.count()
    start, end = held(view, 20.0)
    QTest.mouseMove(view, start)
    assert view.cursor().shape() is Qt.CursorShape.SizeHorCursor
    assert view.facts.title == "late"
    assert view.facts.lines()[0] == ("comes", "0:30")
    QTest.mousePress(view, LEFT, pos=start)
    QTest.mouseMove(view, end)
    assert view._drag.text() == "late comes at 0:50: …"
    qtbot.waitUntil(lambda: arrival(panel) == 50.0 and not panel.is_busy, timeout=30_000)
    assert view._drag.text().startswith("late comes at 0:50: ends at about ")
    assert view._drag.text().endswith("; delays nobody")
    assert list(likely_boxes(view.frame(), view._drag.before))  # the ghost
    rows = {row.job: row for row in view.content.forecast.rows}
    assert rows["late"].was == before
    assert rows["J5"].in_time == rows["J5"].chance == 1.0  # before and after, on the same draws
    assert "J5 by 10:00: 100 → 100 %" in [each.text for each in view.content.forecast.promises]
    view.grab()
    QTest.mouseRelease(view, LEFT, pos=end)
    assert panel.place.value.later == 20.0
    wait_for(qtbot, panel, 50.0)
    assert window.editor.undo_stack.count() == steps  # the document has no such job
    window.actions_by_id["undo"].trigger()
    wait_for(qtbot, panel, 30.0)
    window.actions_by_id["undo"].trigger()
    qtbot.waitUntil(lambda: panel.submission is None and not panel.is_busy, timeout=30_000)
    window.actions_by_id["redo"].trigger()
    window.actions_by_id["redo"].trigger()
    wait_for(qtbot, panel, 50.0)


@pytest.mark.parametrize("is_zoomed", [False, True])
def test_held_at_the_edge_it_goes_beyond_the_end_and_escape_brings_the_view_back(qtbot, night, is_zoomed):
    """Time goes on as long as the pointer rests there; what is shown of it moves along."""
    window, panel, view = night
    axis = window.axis
    if is_zoomed:
        axis.show_span(25.0, 60.0)
    extent, span = axis.extent, axis.range.span
    start, _ = held(view)
    edge = QPoint(view.frame().places.plot.right() - 2, start.y())
    QTest.mousePress(view, LEFT, pos=start)
    QTest.mouseMove(view, edge)
    qtbot.waitUntil(lambda: view._drag.seconds > 2 * extent[1], timeout=30_000)
    assert axis.t1 >= view._drag.seconds
    assert axis.range.span == span if is_zoomed else axis.range.span > span
    QTest.keyClick(view, Qt.Key.Key_Escape)
    QTest.mouseRelease(view, LEFT, pos=edge)
    wait_for(qtbot, panel, 30.0)
    assert axis.extent == extent
    assert axis.t1 <= axis.full_range.times[1]


def test_escape_gives_it_up_it_never_comes_before_now_and_keys_move_it_too(qtbot, night):
    window, panel, view = night
    start, end = held(view, 20.0)
    QTest.mousePress(view, LEFT, pos=start)
    QTest.mouseMove(view, end)
    assert panel.place.is_held
    assert panel.place.value.later == 20.0
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert (panel.place.value.later, panel.place.is_held) == (0.0, False)
    QTest.mouseRelease(view, LEFT, pos=end)
    wait_for(qtbot, panel, 30.0)
    QTest.mousePress(view, LEFT, pos=start)
    QTest.mouseMove(view, start - QPoint(60, 0))
    assert view._drag.text().startswith("late comes at 0:30: ")
    QTest.mouseRelease(view, LEFT, pos=start - QPoint(60, 0))
    assert window.actions_by_id["undo"].text() == "&Undo: Submit late"
    box = max(likely_boxes(view.frame(), view.content.forecast), key=lambda box: box.left())
    QTest.mouseMove(view, (box.topLeft() + QPointF(2, 1)).toPoint())  # what it runs can be held as well
    assert view.facts.title == "late"
    assert view.hands.words(view._grip) == "drag, or keys E and L: let it come earlier or later"
    for _ in range(3):
        QTest.keyClick(view, Qt.Key.Key_L)
    step = panel.place.value.later / 3
    assert step > 0
    QTest.keyClick(view, Qt.Key.Key_E)
    assert panel.place.value.later == pytest.approx(2 * step)
    wait_for(qtbot, panel, 30.0 + 2 * step)


def test_a_place_is_taken_by_a_click_and_all_is_undone_in_turn(qtbot, night):
    window, panel, _ = night
    table, rows = panel.place.places.table, panel.place.places.rows
    assert [row.place for row in rows] == list(range(1, len(rows) + 1))
    assert rows[-1].is_own
    assert rows[-1].end == panel.found.middle[-1]  # the same draws
    rect = table.visualRect(table.model().index(0, 1))
    QTest.mouseClick(table.viewport(), LEFT, pos=rect.center())
    assert panel.place.value.place == 1
    qtbot.waitUntil(lambda: not panel.is_busy and panel.found.middle[-1] == rows[0].end, timeout=30_000)
    undo, redo = window.actions_by_id["undo"], window.actions_by_id["redo"]
    assert undo.text() == "&Undo: Serve late first"
    jobs = window.document.workload.jobs
    window.editor.edit_job(0, "deadline", "70")  # an edit of the document comes after it
    undo.trigger()
    assert [window.document.workload.jobs, panel.place.value.place] == [jobs, 1]
    undo.trigger()
    assert [panel.place.value.place] == [None]
    redo.trigger()
    assert [window.document.workload.jobs, panel.place.value.place] == [jobs, 1]
    redo.trigger()
    assert window.document.workload.jobs != jobs
    undo.trigger()
    undo.trigger()
    qtbot.waitUntil(lambda: not panel.is_busy and panel.found.middle[-1] == rows[-1].end, timeout=30_000)


def test_a_policy_without_an_order_says_so(qtbot):
    panel = ForecastPanel(theme(False))
    qtbot.addWidget(panel)
    panel.runs_field.setValue(10)
    panel.submit([make_job("late", (3, 9.0))])
    panel.compute(run(two_stage_workload(FIVE_JOBS), Cluster(30, 30), "fair"), 30.0, "Fair")
    places = panel.place.places
    qtbot.waitUntil(lambda: "by no order in which" in places.why.text(), timeout=30_000)
    assert places.rows == ()
    shutdown_workers(panel)
