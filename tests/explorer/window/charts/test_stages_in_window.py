"""Stages above the rows in the whole window: selected everywhere, folded in all charts, remembered."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from core.model.cluster import Cluster
from core.model.document_state import DocumentState
from core.model.job import Job
from core.model.schedule import PolicyChoice
from core.model.stages import Edge, Stage, StageGraph
from core.model.workload import Workload
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


SIBLINGS = StageGraph((0,) * 4, (Edge(2, 3, 1.0),))
"""Of stages of 6, 6, 2 and 8 s the last waits for the third: on two slots 16 s, 14 s if that goes first."""


@pytest.fixture
def siblings(qtbot, tmp_path):
    stages = tuple(Stage.of(1, seconds) for seconds in (6.0, 6.0, 2.0, 8.0))
    workload = Workload("test", (Job("Q1", stages=stages, graph=SIBLINGS),), Cluster(0, 0, 1.0, containers=2))
    window = MainWindow(
        DocumentState.new(workload, (PolicyChoice("fifo"),)),
        WindowSettings(tmp_path / "settings.ini"),
        theme(dark=False),
    )
    qtbot.addWidget(window, before_close_func=forget_changes)
    window.resize(1400, 900)
    window.show()
    assert QTest.qWaitForWindowExposed(window, 60_000)
    assert window.runner.wait_until_idle(60_000)
    return window


def test_a_stage_is_dragged_before_its_siblings_with_a_preview(qtbot, siblings):
    (view,) = views(siblings)
    assert view.content.rows.schedule.makespan == 16.0
    start, shift = place_of(view, 2), Qt.KeyboardModifier.ShiftModifier
    QTest.mousePress(view, LEFT, shift, start)
    for x in (start.x() - 60, round(view.frame().x(0.5))):
        QTest.mouseMove(view, QPoint(x, start.y()))
    qtbot.waitUntil(lambda: view.content.rows.schedule.makespan == 14.0)
    assert siblings.document.workload.jobs[0].graph == SIBLINGS
    QTest.mouseRelease(view, LEFT, NONE, QPoint(round(view.frame().x(0.5)), start.y()))
    assert siblings.runner.wait_until_idle(60_000)
    assert siblings.document.workload.jobs[0].graph.names == ("0", "2", "1", "3")
    assert siblings.editor.undo_stack.undoText() == "Serve the stages of Q1 in another order"
    assert view.content.rows.schedule.makespan == 14.0
    siblings.editor.undo_stack.undo()
    assert siblings.runner.wait_until_idle(60_000)
    assert view.content.rows.schedule.makespan == 16.0


def test_escape_puts_a_dragged_stage_back(qtbot, siblings):
    (view,) = views(siblings)
    start = place_of(view, 2)
    QTest.mousePress(view, LEFT, Qt.KeyboardModifier.ShiftModifier, start)
    QTest.mouseMove(view, start - QPoint(60, 0))
    QTest.mouseMove(view, QPoint(round(view.frame().x(0.5)), start.y()))
    qtbot.waitUntil(lambda: view.content.rows.schedule.makespan == 14.0)
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert view.content.rows.schedule.makespan == 16.0
    assert siblings.editor.undo_stack.count() == 0


def test_a_stage_stays_behind_what_it_waits_for(siblings):
    (view,) = views(siblings)
    start, dropped = place_of(view, 3), []
    view.stages_previewed.connect(lambda *order: dropped.append(order))
    QTest.mousePress(view, LEFT, Qt.KeyboardModifier.ShiftModifier, start)
    QTest.mouseMove(view, start - QPoint(60, 0))
    QTest.mouseMove(view, QPoint(round(view.frame().x(0.5)), start.y()))
    QTest.mouseRelease(view, LEFT, NONE, start)
    assert dropped == []
    assert siblings.editor.undo_stack.count() == 0
