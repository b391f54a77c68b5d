"""What is done before the last edit is simulated, or with a button of the mouse still down."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tests.explorer.window_fixtures import LEFT, block_point, drag, x_of

pytestmark = pytest.mark.only_edits


def look(window):
    """Let the window simulate and draw everything."""
    assert window.runner.wait_until_idle()
    assert not window.grab().isNull()


@pytest.mark.only_looks
def test_a_press_makes_a_chart_the_active_one_and_nothing_less(window):
    view, state = window.charts.views[2], window.view_state
    QTest.mouseMove(view, block_point(view, 1))
    window.charts.views[2].order_previewed.emit(("J1", "J2", "J3", "J4", "J5"))
    window.runner.end_preview(2)
    view.setFocus(Qt.FocusReason.TabFocusReason)
    assert state.active_scenario == 1
    QTest.mousePress(view, LEFT, pos=block_point(view, 1))
    assert state.active_scenario == 2
    QTest.mouseRelease(view, LEFT, pos=block_point(view, 1))


@pytest.mark.only_looks
def test_panning_upon_blocks_edits_nothing(window):
    view = window.charts.views[1]
    window.axis.zoom(0.5, 20.0)
    before, start = window.axis.t0, block_point(view, 2)
    QTest.mousePress(view, LEFT, pos=start)
    for step in range(1, 6):
        QTest.mouseMove(view, start - QPoint(30 * step, 0))
    QTest.mouseRelease(view, LEFT, pos=start - QPoint(150, 0))
    assert window.axis.t0 > before
    assert window.editor.undo_stack.count() == 0
    assert window.view_state.selected_job is None


def test_a_picture_of_charts_that_do_not_have_the_selected_job_yet(window):
    window.actions_by_id["add_job"].trigger()  # which selects it
    view = window.charts.active_view
    assert (view.content.jobs, view.content.selected_job) == (5, -1)
    window.actions_by_id["copy_picture"].trigger()
    assert not QGuiApplication.clipboard().image().isNull()
    look(window)
    assert (view.content.jobs, view.content.selected_job) == (6, 5)


def test_undoing_the_job_that_is_dragged_ends_the_drag(window):
    window.actions_by_id["add_job"].trigger()
    look(window)
    view = window.charts.active_view
    start = block_point(view, 5)
    drag(view, start, x_of(view, 20), release=False)
    assert view.content.ghost is not None
    window.actions_by_id["undo"].trigger()
    drag_on = QPoint(x_of(view, 60), start.y())
    for _ in range(2):
        QTest.mouseMove(view, drag_on)
        look(window)
    QTest.mouseRelease(view, LEFT, pos=drag_on)
    look(window)
    assert view.content.ghost is None
    assert view.content.jobs == 5
    assert window.document.scenarios[0].order is None


@pytest.mark.parametrize("edit", ["add_job", "delete_job"])
def test_blocks_stay_where_they_are_until_an_edit_of_the_jobs_is_simulated(window, edit):
    window.editor.drop_order(1, ("J2", "J1", "J3", "J4", "J5"), shown=("J1", "J2", "J3", "J4", "J5"))
    look(window)
    window.view_state.select_job("J2")
    window.actions_by_id[edit].trigger()
    view, edited = window.charts.active_view, window.document.state
    drag(view, block_point(view, 3), x_of(view, 1))
    assert window.document.state == edited
    look(window)


def test_a_task_that_is_clicked_before_its_job_is_gone_for_good_is_not_selected(window):
    window.editor.delete_jobs([2])
    view = window.charts.active_view
    QTest.mouseClick(view, LEFT, pos=block_point(view, 4))
    assert (window.view_state.selected_job, window.view_state.selected_task) == ("J5", None)
    QTest.mouseClick(view, LEFT, pos=block_point(view, 2))
    assert window.view_state.selected_job is None
    look(window)


def test_a_chart_that_is_held_and_pointed_at_may_go(window):
    view = window.charts.views[2]
    window.view_state.activate_scenario(2)
    QTest.mouseMove(view, block_point(view, 1))
    QTest.mousePress(view, LEFT, pos=block_point(view, 1))
    window.actions_by_id["remove_scenario"].trigger()
    QTest.mouseMove(window.charts.views[1], QPoint(100, 100))
    look(window)
    assert list(window.charts.views) == [1]


def test_a_preview_of_a_job_more_has_its_colours(window):
    window.editor.add_job()
    names = list(window.document.workload.job_index)
    window.runner.preview(1, names[::-1])  # before the charts have the job
    look(window)
    assert window.charts.views[1].content.jobs == 6


def test_another_document_may_come_while_a_job_is_dragged(window):
    runner, state = window.runner, window.document.state
    runner.preview(1, order=("J2", "J1", "J3", "J4", "J5"))
    other = replace(state, scenarios=(replace(state.scenarios[1], id=7),), baseline=7, next_id=8)
    window.editor.load(other)
    look(window)
    assert list(window.charts.views) == [7]
