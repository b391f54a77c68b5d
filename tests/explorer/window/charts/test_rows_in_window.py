"""Rows by slot or by pool in the whole window: chosen, remembered, arranged in a thread if large."""

from __future__ import annotations

import threading
from functools import partial

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from core.charts import schedule_rows as schedule_rows_module
from core.charts.schedule_rows import schedule_rows
from core.model.schedule import PolicyChoice
from explorer.document.view_state import RowHeights, RowsBy, SelectedTask
from explorer.gantt.layers import task_marks, use_picture
from explorer.gantt.layers.drag_marks import DragPreview, place_rows
from explorer.gantt.raster import row_picture
from explorer.gantt.stage import Style, to_image
from explorer.window.charts import row_arrangement
from tests.explorer.window_fixtures import LEFT, block_point, open_window


@pytest.fixture
def window(qtbot, tmp_path):
    """Three pools under two policies that share the slots."""
    window = open_window(qtbot, tmp_path, "three-pools")
    first, second = (scenario.id for scenario in window.document.scenarios)
    window.editor.choose_policy(first, PolicyChoice("fair"))
    window.editor.choose_policy(second, PolicyChoice("dhfs-pi"))
    assert window.runner.wait_until_idle(60_000)
    return window


def choose(window, rows):
    menu = window.menus.menus["rows"]
    next(action for action in menu.actions() if action.data() == rows.value).trigger()


def shown(window):
    return [view.content.rows.by_pool is not None for view in window.charts.views.values()]


def test_the_menu_arranges_all_charts_and_is_remembered(window):
    assert shown(window) == [False, False]
    choose(window, RowsBy.POOL)
    assert shown(window) == [True, True]
    assert window.settings.rows is RowsBy.POOL
    choose(window, RowsBy.SLOT)
    assert shown(window) == [False, False]


def test_one_key_fits_the_rows_of_all_charts_and_of_those_that_come(window):
    def fitted():
        return [view.scene.layout.least == 0 for view in window.charts.views.values()]

    action = window.actions_by_id["fit_rows"]
    assert action.shortcut().toString() == "Ctrl+R"
    assert (fitted(), action.isChecked()) == ([True, True], True), "all is in view at first"
    action.trigger()
    window.actions_by_id["duplicate_scenario"].trigger()
    assert (fitted(), action.isChecked()) == ([False, False, False], False)
    assert window.settings.row_heights is RowHeights.SCROLLED
    action.trigger()
    assert (fitted(), action.isChecked()) == ([True, True, True], True)


def test_lanes_are_equally_high_in_all_charts_and_scroll_together(qtbot, tmp_path):
    window = open_window(qtbot, tmp_path)
    first, second = window.charts.views.values()
    slots = window.document.cluster.map_slots
    window.editor.edit_cluster(window.document.scenarios[1].id, map_slots=3 * slots)
    assert window.runner.wait_until_idle(60_000)
    assert [view.content.rows.pools[0].slots for view in (first, second)] == [slots, 3 * slots]
    assert first.frame().layout.pool_heights == second.frame().layout.pool_heights
    first.look.zoom_rows(6.0, 0.0)
    first.look.scroll(30.0)
    layouts = [view.frame().layout for view in (first, second)]
    assert layouts[0].scroll > 0
    assert (layouts[0].zoom, layouts[0].scroll) == (layouts[1].zoom, layouts[1].scroll)
    second.look.fit()
    assert first.frame().layout.zoom == 1.0


def test_a_large_schedule_is_sorted_in_a_thread(qtbot, tmp_path, monkeypatch):
    threads = []

    def noted(schedule):
        threads.append(threading.current_thread())
        return schedule_rows(schedule)

    monkeypatch.setattr(row_arrangement, "MAX_TASKS_AT_ONCE", 0)
    monkeypatch.setattr(row_arrangement, "schedule_rows", noted)
    window = open_window(qtbot, tmp_path)
    for scenario_id, view in window.charts.views.items():
        (rows,) = window.runner.outcome(scenario_id).rows
        assert view.content.rows is rows
    assert len(threads) == 2
    assert threading.main_thread() not in threads


HEAVY = (
    (schedule_rows_module, "schedule_rows"),
    (row_arrangement, "schedule_rows"),
    (use_picture, "_found"),
    (use_picture, "most_held"),
    (task_marks, "overlap_marks"),
    (row_picture, "paint_columns"),
)
"""What takes tens to hundreds of milliseconds of a million tasks."""


def test_nothing_that_takes_long_is_done_in_the_windows_thread_when_a_schedule_arrives(
    qtbot, tmp_path, monkeypatch
):
    threads = {}

    def noted(name, function, *arguments):
        threads.setdefault(name, set()).add(threading.current_thread())
        return function(*arguments)

    for place, name in HEAVY:
        monkeypatch.setattr(place, name, partial(noted, name, getattr(place, name)))
    monkeypatch.setattr(row_arrangement, "MAX_TASKS_AT_ONCE", 0)
    monkeypatch.setattr(use_picture, "MAX_TASKS_AT_ONCE", 0)
    monkeypatch.setattr(row_picture, "MANY_TASKS", 0)
    window = open_window(qtbot, tmp_path, "facebook")
    views, names = window.charts.views.values(), {name for _, name in HEAVY}
    qtbot.waitUntil(lambda: threads.keys() == names and all(view.is_drawn for view in views))
    assert threading.main_thread() not in set().union(*threads.values())


def test_a_new_schedule_keeps_the_arrangement(window):
    choose(window, RowsBy.POOL)
    steps = window.editor.undo_stack.count()
    window.editor.choose_policy(window.document.scenarios[0].id, PolicyChoice("capacity"))
    assert window.runner.wait_until_idle(60_000)  # a policy may have to be compiled first
    assert shown(window) == [True, True]
    assert window.editor.undo_stack.count() == steps + 1


def test_a_job_is_selected_by_a_click_in_its_pools_band(window):
    choose(window, RowsBy.POOL)
    view = window.charts.active_view
    job = window.document.workload.job_index["query A"]
    QTest.mouseClick(view, LEFT, pos=block_point(view, job))
    assert window.view_state.selected_job == "query A"


def test_pictures_have_the_rows_that_are_shown(window):
    by_slot = to_image(window.charts.contents(), Style(window.charts.theme, (900, 500)))
    choose(window, RowsBy.POOL)
    assert to_image(window.charts.contents(), Style(window.charts.theme, (900, 500))) != by_slot


def test_large_schedules_are_arranged_by_pool_in_a_thread(window, qtbot, monkeypatch):
    threads = []

    def noted(*arguments, **named):
        threads.append(threading.current_thread())
        return schedule_rows(*arguments, **named)

    monkeypatch.setattr(row_arrangement, "MAX_AT_ONCE", 10)
    for place in (row_arrangement, schedule_rows_module):
        monkeypatch.setattr(place, "schedule_rows", noted)
    choose(window, RowsBy.POOL)
    assert shown(window) == [False, False]
    qtbot.waitUntil(lambda: shown(window) == [True, True])
    assert threads
    assert threading.main_thread() not in threads
    count = len(threads)
    window.actions_by_id["duplicate_scenario"].trigger()
    assert window.runner.wait_until_idle(60_000)
    assert shown(window) == [True, True, True], "what another chart shows is known"
    assert len(threads) == count


def test_the_ghost_of_a_large_schedule_is_sorted_in_a_thread(qtbot, tmp_path, monkeypatch):
    monkeypatch.setattr(row_arrangement, "MAX_TASKS_AT_ONCE", 0)
    window = open_window(qtbot, tmp_path)
    scenario_id = window.document.scenarios[1].id
    order = window.charts.job_order(scenario_id)
    window.editor.drop_order(scenario_id, order[::-1], order)
    assert window.runner.wait_until_idle(60_000)
    content = window.charts.views[scenario_id].content
    rows, ghost = window.runner.outcome(scenario_id).rows
    assert content.rows is rows
    assert content.ghost is ghost


def in_band(view, job, pool):
    """Return a point on a block of a job, and one in the band of a pool, below it in time."""
    rows, frame = view.content.rows, view.frame()
    place = next(p for p in range(len(rows.task)) if rows.columns.code[p] >> 1 == job)
    top, bottom = frame.row(int(rows.row[rows.task[place]]))
    x = round(frame.x(float(rows.columns.start[place]))) + 3
    names = [rows.groups[band.group].name for band in rows.pools]
    target = frame.pool_rects[names.index(pool)].center().y()
    return QPoint(x, (top + bottom) // 2), QPoint(x, target)


def drag_to_band(window, job, pool, *, let_go=True):
    view = window.charts.active_view
    start, end = in_band(view, window.document.workload.job_index[job], pool)
    QTest.mousePress(view, LEFT, Qt.KeyboardModifier.ShiftModifier, start)
    for part in range(1, 9):
        QTest.mouseMove(view, start + (end - start) * part / 8)
    if let_go:
        QTest.mouseRelease(view, LEFT, pos=end)
    return view, end


def pool_of(window, job):
    workload = window.document.workload
    return workload.jobs[workload.job_index[job]].pool


def test_a_job_dropped_on_another_pools_band_belongs_to_it(window):
    choose(window, RowsBy.POOL)
    steps = window.editor.undo_stack.count()
    drag_to_band(window, "query A", "reports")
    assert window.runner.wait_until_idle()
    assert pool_of(window, "query A") == "reports"
    assert window.editor.undo_stack.count() == steps + 1
    assert window.editor.undo_stack.undoText() == "Move query A to pool reports"
    view = window.charts.active_view
    shown_pool = view.content.rows.group_of(window.document.workload.job_index["query A"])
    assert view.content.rows.groups[shown_pool].name == "reports"
    window.editor.undo_stack.undo()
    assert pool_of(window, "query A") == "analysts"


def test_while_it_is_dragged_the_schedule_follows_and_escape_takes_it_back(window):
    choose(window, RowsBy.POOL)
    before = window.charts.active_view.content.rows.schedule
    view, end = drag_to_band(window, "nightly load", "analysts", let_go=False)
    previewed = view.content.rows.schedule
    assert previewed is not before
    assert previewed.workload.jobs[0].pool == "analysts"
    assert pool_of(window, "nightly load") == "pipeline"
    assert "; pipeline ends at " in view._drag.text(), "with its effect on both pools"
    assert ", analysts at " in view._drag.text()
    where = DragPreview(before, view._drag.job, "", kind=view._drag.kind, group=view._drag.group)
    rects = [
        rect
        for pool, rect in zip(view.frame().layout.pools, view.frame().pool_rects, strict=True)
        if view.content.rows.groups[pool.group].name == "analysts"
    ]
    assert all(place_rows(view.frame(), where).contains(rect) for rect in rects), "all rows of the pool"
    QTest.keyClick(view, Qt.Key.Key_Escape)
    QTest.mouseRelease(view, LEFT, pos=end)
    assert window.charts.active_view.content.rows.schedule is before
    assert not window.editor.is_modified or pool_of(window, "nightly load") == "pipeline"


def test_back_in_its_own_band_nothing_has_changed(window):
    choose(window, RowsBy.POOL)
    steps = window.editor.undo_stack.count()
    view = window.charts.active_view
    before = view.content.rows.schedule
    start, _ = in_band(view, 0, "analysts")
    drag_to_band(window, "nightly load", "analysts", let_go=False)
    QTest.mouseMove(view, start)
    QTest.mouseRelease(view, LEFT, pos=start)
    assert window.editor.undo_stack.count() == steps
    assert view.content.rows.schedule.workload.jobs == before.workload.jobs


def test_the_menu_of_a_job_offers_the_pools_that_share_the_slots(window):
    menu = QMenu(window)
    view_id = window.document.scenarios[0].id
    window.pools.add_to_menu(menu, view_id, 0, QPointF(0, 0))
    entries = {action.text(): action for action in menu.actions()[0].menu().actions()}  # type: ignore[attr-defined]
    assert entries["pipeline"].isChecked()
    assert not entries["reports"].isChecked()
    entries["reports"].trigger()
    assert window.document.workload.jobs[0].pool == "reports"
    assert window.editor.undo_stack.undoText() == "Move nightly load to pool reports"


def test_collapsed_pools_are_kept_in_the_session_and_are_no_edit(qtbot, window, tmp_path):
    first, second = window.charts.views
    view = window.charts.views[second]
    band = view.frame().pool_rects[1]
    steps = window.editor.undo_stack.count()
    QTest.mouseClick(view, LEFT, pos=QPoint(12, band.center().y()))
    assert window.editor.undo_stack.count() == steps
    assert [window.charts.views[each].frame().layout.folded for each in (first, second)] == [set(), {1}]
    path = tmp_path / "folded.slotscope"
    assert window.files._write(path)
    QTest.mouseClick(view, LEFT, pos=QPoint(12, view.frame().pool_rects[1].center().y()))
    assert view.frame().layout.folded == set()
    with qtbot.waitSignal(window.files.opened):
        window.files.open(path)
    assert window.runner.wait_until_idle(60_000)
    assert [each.frame().layout.folded for each in window.charts.views.values()] == [set(), {1}]


def test_a_task_that_is_selected_elsewhere_comes_into_view(window):
    view = window.charts.active_view
    view.look.zoom_rows(12, 0.0)
    schedule = view.content.rows.schedule
    task = int(schedule.slot.argmax())
    slot = int(schedule.slot[task])
    assert view.frame().layout.slot_span(slot)[0] > view.frame().layout.height
    window.view_state.select_job(schedule.workload.jobs[schedule.workload.columns.job[task]].name)
    window.view_state.select_task(SelectedTask(window.view_state.active_scenario, task))
    top, bottom = view.frame().layout.slot_span(slot)
    assert 0 <= top < bottom <= view.frame().layout.height
