"""Rows by slot or by pool in the whole window: chosen, remembered, arranged in a thread if large."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest

from core.rows_by_pool import has_rows_by_pool
from core.schedule import PolicyChoice
from explorer import row_arrangement
from explorer.document.view_state import RowsBy
from explorer.gantt.export import to_image
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


def test_a_new_schedule_keeps_the_arrangement(window):
    choose(window, RowsBy.POOL)
    steps = window.editor.undo_stack.count()
    window.editor.choose_policy(window.document.scenarios[0].id, PolicyChoice("capacity"))
    assert window.runner.wait_until_idle()
    assert shown(window) == [True, True]
    assert window.editor.undo_stack.count() == steps + 1


def test_a_job_is_selected_by_a_click_in_its_pools_band(window):
    choose(window, RowsBy.POOL)
    view = window.charts.active_view
    job = window.document.workload.job_index["query A"]
    QTest.mouseClick(view, LEFT, pos=block_point(view, job))
    assert window.view_state.selected_job == "query A"


def test_pictures_have_the_rows_that_are_shown(window):
    by_slot = to_image(window.charts.contents(), (900, 500), window.charts.theme)
    choose(window, RowsBy.POOL)
    assert to_image(window.charts.contents(), (900, 500), window.charts.theme) != by_slot


def test_large_schedules_are_arranged_in_a_thread(window, qtbot, monkeypatch):
    monkeypatch.setattr(row_arrangement, "MOST_AT_ONCE", 10)
    monkeypatch.setattr(row_arrangement, "MOST_AT_ONCE_COMPILED", 10)
    schedules = [view.content.rows.schedule for view in window.charts.views.values()]
    choose(window, RowsBy.POOL)
    assert shown(window) == [False, False]
    qtbot.waitUntil(lambda: shown(window) == [True, True])
    assert all(has_rows_by_pool(schedule) for schedule in schedules)
