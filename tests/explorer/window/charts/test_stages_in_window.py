"""Stages above the rows in the whole window: selected everywhere, folded in all charts, remembered."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.model.document_state import DocumentState
from core.model.schedule import PolicyChoice
from explorer.document.view_state import SelectedStage, StagesAbove
from explorer.session.settings import WindowSettings
from explorer.widgets.theme import theme
from explorer.window.main_window import MainWindow
from tests.explorer.gantt.gestures.test_stage_gestures import place_of
from tests.explorer.gantt.layers.test_stage_bands import TWO
from tests.explorer.window_fixtures import LEFT, forget_changes

NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def window(qtbot, tmp_path):
    """Two queries of three stages one after the other, under FIFO and the fair policy."""
    workload = replace(TWO.schedule.workload, cluster=TWO.schedule.cluster)
    state = DocumentState.new(workload, (PolicyChoice("fifo"), PolicyChoice("fair")))
    window = MainWindow(state, WindowSettings(tmp_path / "settings.ini"), theme(dark=False))
    qtbot.addWidget(window, before_close_func=forget_changes)
    window.resize(1400, 900)
    window.show()
    assert QTest.qWaitForWindowExposed(window, 60_000)
    assert window.runner.wait_until_idle(60_000)
    return window


def views(window):
    return list(window.charts.views.values())


def remembered(window) -> StagesAbove:
    return window.settings.stages


def test_all_charts_have_them(window):
    assert [view.frame().bands is not None for view in views(window)] == [True, True]


def test_a_click_selects_a_stage_in_all_charts(window):
    first, second = views(window)
    QTest.mouseClick(first, LEFT, NONE, place_of(first, 4))
    assert window.view_state.selected_stage == SelectedStage("Q2", 1)
    assert window.view_state.selected_job == "Q2"
    assert [view.content.selected_stage for view in (first, second)] == [4, 4]
    QTest.mouseClick(second, LEFT, NONE, place_of(second, 1))
    assert [view.content.selected_stage for view in (first, second)] == [1, 1]
    QTest.mouseClick(second, LEFT, NONE, place_of(second, 1))
    assert (window.view_state.selected_stage, window.view_state.selected_job) == (None, None)
    assert [view.content.selected_stage for view in (first, second)] == [-1, -1]


def test_a_stage_goes_with_its_job(window):
    state = window.view_state
    state.select_stage(SelectedStage("Q2", 1))
    state.select_job("Q1")
    assert state.selected_stage is None
    state.select_stage(SelectedStage("Q2", 9))
    assert state.selected_stage is None
    state.select_stage(SelectedStage("Q2", 2))
    window.editor.edit_job(1, "name", "Q9")
    assert state.selected_stage == SelectedStage("Q9", 2)
    window.editor.delete_jobs((1,))
    assert state.selected_stage is None


def test_they_are_folded_by_key_or_click_in_all_charts_and_that_is_remembered(window):
    action = window.actions_by_id["stages"]
    assert action.shortcut().toString() == "Ctrl+Shift+P"
    action.trigger()
    assert [view.frame().places.bands.height() for view in views(window)] == [0, 0]
    assert remembered(window) is StagesAbove.FOLDED
    window.actions_by_id["duplicate_scenario"].trigger()
    assert all(view.content.folds_stages for view in views(window))
    first = views(window)[0]
    QTest.mouseClick(first, LEFT, NONE, first.frame().fold_rect.center())
    assert [view.content.folds_stages for view in views(window)] == [False] * 3
    assert remembered(window) is StagesAbove.SHOWN


def test_exported_charts_are_as_those_in_the_window(window):
    assert [content.folds_stages for content in window.charts.contents()] == [False, False]
    window.view_state.stages = StagesAbove.FOLDED
    assert [content.folds_stages for content in window.charts.contents()] == [True, True]
