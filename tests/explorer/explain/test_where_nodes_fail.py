"""Critical path, idle slots, findings and differences in the window, on a night whose rack fails."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.model.schedule import PolicyChoice
from explorer.document.view_state import SelectedIdle
from tests.explorer.window.scenarios.test_node_menu import place_at
from tests.explorer.window_fixtures import open_window, settle


@pytest.fixture
def window(qtbot, tmp_path):
    window = open_window(qtbot, tmp_path, "failed-rack")
    window.editor.choose_policy(1, PolicyChoice("fair"))
    window.view_state.activate_scenario(1)
    assert window.runner.wait_until_idle(60_000)
    return window


def test_all_panels_say_what_the_night_was(window, qtbot):
    why = window.why
    window.actions_by_id["why_makespan"].trigger()
    qtbot.waitUntil(lambda: window.charts.active_view.content.shown_critical_path is not None)
    text = why.critical_path_panel.to_text()
    assert "waiting for a node 5 s" in text
    assert "reduce 2 of logs waits for node N3" in text
    assert "a map slot idles 1 min 03 s (no task is left)" in text
    why.findings_page.bring()
    settle(window)
    assert "From 1:45 to 2:55 map slots idle: every map has started" in why.findings_panel.to_text()
    why.difference_page.bring()
    settle(window)
    assert "17 of 39 decisions differ" in why.difference_panel.to_text()


def test_a_slot_that_is_away_is_not_selected_as_idle_and_one_that_is_there_is(window, qtbot):
    view = window.charts.views[1]
    state = window.view_state
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=place_at(view, 5, 80))
    assert state.selected_idle is None
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=place_at(view, 5, 120))
    assert state.selected_idle == SelectedIdle(1, 5, 105.0, 175.0)
