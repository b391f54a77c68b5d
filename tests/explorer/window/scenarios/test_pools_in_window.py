"""Pools in the whole window: found, resized and filled by hand, undone, saved."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtTest import QTest

from core.files.session_document import Session, session_from_bytes, session_to_bytes
from core.model.schedule import PolicyChoice
from explorer.gantt.layers.row_bands import header_rect
from tests.explorer.window_fixtures import LEFT, block_point

NONE = Qt.KeyboardModifier.NoModifier


pytestmark = pytest.mark.only_edits
SAMPLE = "five-jobs-pools"


@pytest.fixture
def window(window_edited):
    """Five jobs of two sizes; the second scenario follows BalancedPools."""
    window = window_edited
    window.editor.choose_policy(2, PolicyChoice("balanced-pools"))
    window.view_state.activate_scenario(2)
    assert window.runner.wait_until_idle(60_000)
    return window


def drag_edge(window, rows, *, release=True):
    view = window.charts.views[2]
    start = header_rect(view.frame(), 1).center()
    end = start + QPoint(0, round(rows * view.frame().layout.row_height))
    QTest.mousePress(view, LEFT, NONE, start)
    for part in range(1, 9):
        QTest.mouseMove(view, start + (end - start) * part / 8)
    if release:
        QTest.mouseRelease(view, LEFT, NONE, end)
    return view


def slots(window):
    return [pool.slots for pool in window.runner.pools(2).pools]


def test_found_pools_are_shown(window):
    view = window.charts.views[2]
    assert view.content.rows.schedule.makespan == 40
    assert [pool.group for pool in view.content.rows.pools] == [0, 1, 0, 1]
    assert window.headers.header(2).facts.standing[0] == "−14.9 % vs FIFO"
    assert window.jobs_panel.model.order == ("J4", "J3", "J2", "J5", "J1")


def test_dragging_an_edge_simulates_live_and_dropping_it_is_one_step(window):
    steps = window.editor.undo_stack.count()
    view = drag_edge(window, -8, release=False)
    assert view.content.rows.schedule.makespan == 80
    assert view.content.ghost.schedule.makespan == 40
    assert window.editor.undo_stack.count() == steps
    QTest.mouseRelease(view, LEFT, NONE, QPoint(300, 300))
    window.runner.wait_until_idle()
    assert slots(window) == [(12, 12), (18, 18)]
    assert window.editor.undo_stack.count() == steps + 1
    assert window.editor.undo_stack.undoText() == "Resize Small jobs to 12 + 12 slots in BalancedPools"
    assert view.content.title == "BalancedPools, edited"
    assert view.content.rows.schedule.makespan == 80
    window.actions_by_id["undo"].trigger()
    window.runner.wait_until_idle()
    assert slots(window) == [(20, 20), (10, 10)]
    assert view.content.rows.schedule.makespan == 40
    assert view.content.title == "BalancedPools"


def test_escape_restores_what_was_there(window):
    steps = window.editor.undo_stack.count()
    view = drag_edge(window, -8, release=False)
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert view.content.rows.schedule.makespan == 40
    assert view.content.ghost is None
    assert window.editor.undo_stack.count() == steps
    QTest.mouseRelease(view, LEFT, NONE, QPoint(300, 300))
    assert slots(window) == [(20, 20), (10, 10)]


def test_a_job_dragged_into_another_pool(window):
    view = window.charts.views[2]
    start = block_point(view, 0)
    end = QPoint(start.x(), view.frame().pool_rects[0].center().y())
    QTest.mousePress(view, LEFT, Qt.KeyboardModifier.ShiftModifier, start)
    for part in range(1, 9):
        QTest.mouseMove(view, start + (end - start) * part / 8)
    QTest.mouseRelease(view, LEFT, NONE, end)
    window.runner.wait_until_idle()
    assert "J1" in window.runner.pools(2).pools[0].jobs
    assert window.editor.undo_stack.undoText() == "Move J1 to Small jobs in BalancedPools"
    assert window.document.scenario(1).partition is None


def test_alt_up_and_down_carry_a_job_through_the_pools(window):
    """Out of its own pool through the border into the other one."""
    panel = window.jobs_panel
    window.view_state.select_job("J3")
    expected = ["J4|J2 J3 J5 J1", "J4|J3 J2 J5 J1", "J3 J4|J2 J5 J1"]
    for keys, pools in zip((Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Up), expected, strict=True):
        QTest.keyClick(panel.table, keys, Qt.KeyboardModifier.AltModifier)
        window.runner.wait_until_idle()
        assert "|".join(" ".join(p.jobs) for p in window.document.scenario(2).partition.pools) == pools
        assert panel.model.order == tuple(pools.replace("|", " ").split())


def test_the_first_edit_of_pools_in_the_baseline_stands_beside_it(window):
    window.editor.make_baseline(2)
    before = window.document.scenarios
    view = drag_edge(window, -8)
    assert window.runner.wait_until_idle()
    edited = window.view_state.active_scenario
    assert [scenario.id for scenario in window.document.scenarios] == [*(s.id for s in before), edited]
    assert [pool.slots for pool in window.runner.pools(edited).pools] == [(12, 12), (18, 18)]
    assert window.charts.views[edited].content.rows.schedule.makespan == 80
    assert (view.content.rows.schedule.makespan, view.content.ghost) == (40, None)
    assert slots(window) == [(20, 20), (10, 10)]
    window.actions_by_id["undo"].trigger()
    assert window.document.scenarios == before
    assert window.view_state.active_scenario == 2


def test_dragging_rows_of_the_jobs_list_previews_the_pools(window):
    window.jobs_panel.table.dragged = ("J1",)
    window.jobs_panel.order_previewed.emit(("J1", "J4", "J3", "J2", "J5"))
    shown = window.charts.views[2].content.rows.schedule.partition
    assert [pool.jobs for pool in shown.pools] == [("J1", "J4", "J3"), ("J2", "J5")]
    window.jobs_panel.preview_ended.emit()
    assert window.charts.views[2].content.rows.schedule.makespan == 40


def test_back_to_what_was_found(window):
    drag_edge(window, -4)
    window.runner.wait_until_idle()
    assert window.jobs_panel.back_action.isEnabled()
    window.actions_by_id["reset_order"].trigger()
    window.runner.wait_until_idle()
    assert slots(window) == [(20, 20), (10, 10)]
    assert window.document.scenario(2).partition is None


def test_pools_are_saved_with_the_session(window):
    drag_edge(window, -4)
    state = window.document.state
    assert session_from_bytes(session_to_bytes(Session(state)), "x").state == state
    assert state.scenario(2).partition is not None


def menu_at(window, view, point):
    """Open the context menu of a chart and return its entries by text."""
    from PySide6.QtWidgets import QMenu

    window.charts.context_requested.emit(2, view.mapToGlobal(point), view.job_at(point.toPointF()))
    menu = next(m for m in window.findChildren(QMenu) if m.isVisible())
    entries = {}
    for action in menu.actions():
        entries[action.text()] = action
        if action.menu() is not None:
            entries |= {f"{action.text()} > {inner.text()}": inner for inner in action.menu().actions()}
    menu.close()
    return entries


def test_a_job_is_moved_by_menu(window):
    view = window.charts.views[2]
    entries = menu_at(window, view, block_point(view, 0))
    assert entries["Move to &pool > Large jobs"].isChecked()
    entries["Move to &pool > Small jobs"].trigger()
    window.runner.wait_until_idle()
    assert window.runner.pools(2).pools[0].jobs == ("J4", "J3", "J1")
    menu_at(window, view, block_point(view, 0))["Move to &pool > &New pool with slots of its own"].trigger()
    window.runner.wait_until_idle()
    assert [pool.jobs for pool in window.runner.pools(2).pools] == [("J4", "J3"), ("J2", "J5"), ("J1",)]
    assert window.editor.undo_stack.undoText() == "Move J1 to Pool 3 in BalancedPools, edited"


def test_a_pool_is_removed_and_added_by_menu(window):
    view = window.charts.views[2]
    name = header_rect(view.frame(), 1).center() - QPoint(200, 0)
    entries = menu_at(window, view, name)
    assert "Re&name Large jobs…" in entries
    entries["Remo&ve Large jobs"].trigger()
    window.runner.wait_until_idle()
    assert window.runner.pools(2).names == ("Small jobs",)
    entries = menu_at(window, view, header_rect(view.frame(), 0).center() - QPoint(200, 0))
    assert not entries["Remo&ve Small jobs"].isEnabled()
    entries["Add &pool"].trigger()
    assert window.runner.pools(2).names == ("Small jobs", "Pool 2")


def test_a_note_says_where_the_slots_of_a_new_pool_come_from(window):
    window.pools.panel.add_action.trigger()
    taken = "10 map and 10 reduce from Small jobs"
    assert window.centre.foot.note.text() == f"Pool 3 has 10 map and 10 reduce slots: {taken}"


def test_a_pool_is_renamed_in_a_dialog(window):
    from PySide6.QtWidgets import QInputDialog

    window.pools.ask_name(2, 0)
    dialog = window.findChild(QInputDialog)
    dialog.setTextValue("Tiny ones")
    dialog.accept()
    assert window.runner.pools(2).names == ("Tiny ones", "Large jobs")
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert window.findChild(QInputDialog) is None, "it is not kept until the window closes"


def test_the_panel_is_a_section_of_the_side_bar(window):
    assert not window.pools.panel.isVisible()
    window.actions_by_id["pools"].trigger()
    assert window.pools.panel.isVisible()
    assert window.actions_by_id["pools"].isChecked()
    names = [pool.name for pool in window.pools.panel.slot_model.pools]
    assert names == ["Small jobs", "Large jobs"]


def test_the_panel_follows_a_drag_of_an_edge(window):
    window.actions_by_id["pools"].trigger()
    view = drag_edge(window, -8, release=False)
    model = window.pools.panel.slot_model
    assert model.index(0, 4).data() == "1:20"
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert model.index(0, 4).data() == "0:40"
    QTest.mouseRelease(view, LEFT, NONE, QPoint(300, 300))


def search_of(window, qtbot):
    from explorer.pool_search.search_dialog import SearchDialog

    window.actions_by_id["pool_search"].trigger()
    dialog = window.findChildren(SearchDialog)[-1]
    qtbot.waitUntil(lambda: not dialog.is_searching)
    return dialog


def test_pools_of_a_search_stand_beside_the_baseline(window, qtbot):
    window.view_state.activate_scenario(1)
    dialog = search_of(window, qtbot)
    dialog.take_best()
    window.runner.wait_until_idle(60_000)
    assert window.runner.outcome(1).makespan == 47
    assert window.runner.outcome(window.view_state.active_scenario).makespan == 40
    assert window.editor.undo_stack.undoText() == "Take pools with 2 small jobs in FIFO, edited"
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    QTest.keyClick(dialog, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)  # the dialog stays open
    assert [scenario.id for scenario in window.document.scenarios] == [1, 2]
    QTest.keySequence(dialog, "Ctrl+Shift+Z")
    assert [scenario.id for scenario in window.document.scenarios] == [1, 3, 2]
    dialog.reject()


def test_pools_of_an_old_search_are_refused(window, qtbot):
    dialog = search_of(window, qtbot)
    window.editor.edit_cluster(map_slots=20)
    steps = window.editor.undo_stack.count()
    dialog.take_best()
    assert window.editor.undo_stack.count() == steps
    assert "search again" in window.messages.message.sentence
    dialog.reject()


def test_a_search_follows_the_theme(window, qtbot):
    from explorer.widgets.theme import theme

    dialog = search_of(window, qtbot)
    before = dialog.picture.grab().toImage()
    window.set_theme(theme(dark=True))
    assert dialog.picture.grab().toImage() != before
    dialog.reject()
