"""Differences: found by key, listed, marked in both charts, with both lists of candidates side by side."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication

from core.explain.start_cause import NO_TASK, same_task
from core.model.cluster import Cluster
from core.model.schedule import PolicyChoice
from core.policies.registry import describe
from explorer.explain.comparing import Against
from explorer.explain.difference_panel import NONE_FITS, ONE_SCENARIO
from tests.builders import FIVE_JOBS, run, two_stage_workload

if TYPE_CHECKING:
    from explorer.explain.difference_panel import DifferencePanel

LEFT = Qt.MouseButton.LeftButton
FAIR = describe("fair").title


def choose_fair(window):
    window.editor.choose_policy(2, PolicyChoice("fair"))
    assert window.runner.wait_until_idle(60_000)


@pytest.fixture(scope="module")
def window_of_module(window_of_module):
    choose_fair(window_of_module)
    window_of_module.editor.undo_stack.clear()
    return window_of_module


@pytest.fixture
def panel(request, window, qtbot) -> DifferencePanel:
    """The first difference between FIFO, the baseline, and fair sharing, which is active."""
    if request.node.get_closest_marker("only_looks") is None:
        choose_fair(window)
    window.view_state.activate_scenario(2)
    window.actions_by_id["first_difference"].trigger()
    panel = window.why.difference_panel
    qtbot.waitUntil(lambda: window.view_state.selected_task is not None)
    return panel


# ---- comparing


def schedule(policy):
    return run(two_stage_workload(FIVE_JOBS), Cluster(30, 30, slowstart=1.0), policy)


def test_a_task_is_the_same_in_schedules_of_the_same_jobs():
    one = schedule("fifo")
    assert same_task(one, 77, schedule("fair")) == 77
    assert same_task(one, 299, run(two_stage_workload(FIVE_JOBS[:2]), Cluster(30, 30))) == NO_TASK


# ---- in the window


@pytest.mark.only_looks
def test_the_key_goes_to_the_decision_in_both_charts(panel, window):
    assert window.why.difference_page.isVisible()
    cursor, task = window.view_state.time_cursor, window.view_state.selected_task
    assert (cursor.seconds, cursor.decision) == (0.0, 1)
    assert task.scenario_id == 2
    assert window.view_state.selected_job == "J2"
    schedule = window.runner.outcome(2).schedule
    assert int(schedule.slot[task.task]) == 1
    assert panel.sentence.text().startswith("1 of ")
    assert "of 300 decisions differ, first at 0:00." in panel.sentence.text()


@pytest.mark.only_looks
def test_both_candidate_lists_stand_side_by_side_where_there_is_room(panel, window, qtbot):
    first, second = panel.sides
    assert (first.title.text(), second.title.text()) == (FAIR, "FIFO")
    assert first.candidates.texts(0)[:2] == ("J2", "✓ gets it")
    assert second.candidates.texts(0)[:2] == ("J1", "✓ gets it")
    assert first.mapTo(panel, first.rect().bottomLeft()).y() < second.mapTo(panel, QPoint()).y()
    side = window.settings.details_side
    window.details.choose_side("below")
    qtbot.waitUntil(
        lambda: first.mapTo(panel, first.rect().topRight()).x() < second.mapTo(panel, QPoint()).x()
    )
    window.details.choose_side(side)
    assert first.sentence.text().startswith(f"{FAIR}: map 1 of J2 starts at 0:00 on M2, ")
    assert "runs 0 maps for its weight of 1" in first.sentence.text()


@pytest.mark.only_looks
def test_a_click_on_a_candidate_selects_its_job(panel, window, qtbot):
    table = panel.sides[1].table
    qtbot.mouseClick(table.viewport(), LEFT, pos=table.visualRect(table.model().index(3, 0)).center())
    assert window.view_state.selected_job == "J4"


def test_it_follows_edits_without_moving_the_cursor(panel, window, qtbot):
    window.view_state.time_cursor.show_at(33.0)
    window.editor.drop_order(2, ("J2", "J1", "J3", "J4", "J5"))
    qtbot.waitUntil(lambda: panel.sides[0].title.text() == f"{FAIR}, edited")
    assert window.view_state.time_cursor.seconds == 33.0


@pytest.mark.only_looks
def test_the_baseline_is_compared_with_the_next_scenario(panel, window, qtbot):
    window.view_state.activate_scenario(1)
    qtbot.waitUntil(lambda: panel.sides[0].title.text() == "FIFO")
    assert panel.compared_with() == Against(2)
    assert panel.sides[1].title.text() == FAIR


def test_equal_scenarios_are_said_to_be_equal(panel, window, qtbot):
    window.editor.choose_policy(2, PolicyChoice("fifo"))
    qtbot.waitUntil(lambda: panel.empty.isVisible())
    assert panel.empty.text() == "Both schedules are the same, start by start."
    assert panel.to_text() == panel.empty.text()


def test_one_scenario_alone_says_what_to_do(panel, window, qtbot):
    window.editor.remove_scenario(2)
    qtbot.waitUntil(lambda: panel.empty.isVisible())
    assert panel.empty.text() == ONE_SCENARIO


def test_a_later_difference_is_gone_to_where_the_earlier_of_both_happens(window, qtbot):
    """From 30 s on Johnson decides; nothing is decided between 13 s and 35 s."""
    fork = window.editor.fork_scenario(1, 30.0, PolicyChoice("johnson"))
    assert window.runner.wait_until_idle(60_000)
    window.view_state.activate_scenario(fork)
    window.actions_by_id["first_difference"].trigger()
    qtbot.waitUntil(lambda: window.view_state.time_cursor.seconds is not None)
    assert window.view_state.time_cursor.seconds == 35.0
    assert window.why.difference_panel.compared.differences.same > 60


def marks(window, scenario_id):
    return window.charts.views[scenario_id].content.decisions


def test_both_charts_are_marked(panel, window, qtbot):
    assert marks(window, 2)[0] == marks(window, 1)[0] == 0.0
    assert len(marks(window, 2)) > 3
    window.editor.remove_scenario(1)
    qtbot.waitUntil(lambda: marks(window, 2) is None)


def test_keys_step_through_the_differences(panel, window, qtbot):
    of = len(panel.compared.rows)
    qtbot.keyClick(window, Qt.Key.Key_F4)
    assert panel.number == 1
    assert panel.sentence.text().startswith(f"2 of {of}. ")
    place = window.view_state.time_cursor
    assert (place.seconds, place.decision) == panel.compared.place(1)[:2]
    qtbot.keyClick(window, Qt.Key.Key_F4, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(window, Qt.Key.Key_F4, Qt.KeyboardModifier.ShiftModifier)
    assert panel.number == 0
    qtbot.mouseClick(panel.next_button, LEFT)
    assert panel.number == 1


def test_the_list_is_narrowed_by_words_and_leads_to_a_difference(panel, window, qtbot):
    qtbot.keyClicks(panel.filter, "map J4")
    listed = panel.rows.rows
    assert 0 < len(listed) < len(panel.compared.rows)
    assert all("J4" in row.here + row.there for row in listed)
    qtbot.mouseClick(
        panel.table.viewport(), LEFT, pos=panel.table.visualRect(panel.rows.index(1, 0)).center()
    )
    assert panel.number == listed[1].number
    assert window.view_state.time_cursor.seconds == listed[1].seconds
    qtbot.keyClicks(panel.filter, " nobody")
    assert panel.rows.rowCount() == 0
    assert panel.table.empty_text == NONE_FITS


def test_a_policy_is_asked_in_each_state(panel, window, qtbot):
    """Fair runs; FIFO is asked what it would have done there."""
    texts = [panel.against.itemText(place) for place in range(panel.against.count())]
    assert texts[0] == "With FIFO"
    assert "Ask FIFO" in texts
    assert not any("FLEX" in text or "Balanced" in text for text in texts)
    window.view_state.time_cursor.show_at(33.0)
    panel.against.setCurrentIndex(texts.index("Ask FIFO"))
    panel.against.activated.emit(texts.index("Ask FIFO"))
    qtbot.waitUntil(lambda: "FIFO would have decided" in panel.sentence.text())
    qtbot.waitUntil(lambda: panel.sides[1].title.text() == "FIFO, asked there")
    assert panel.rows.texts(0)[:2] == ("0:00", "map 1 of J2 on M2")
    assert panel.rows.texts(0)[2] == "would have taken J1: before J2 in its queue"
    assert panel.sides[1].candidates.texts(0)[:2] == ("J1", "✓ gets it")
    assert (window.view_state.time_cursor.seconds, window.view_state.time_cursor.decision) == (0.0, 1)
    assert marks(window, 1) is None
    assert len(marks(window, 2)) > 3
    assert panel.against.currentText() == "Ask FIFO"


@pytest.mark.only_looks
def test_everything_is_copied_as_text(panel, qtbot):
    qtbot.mouseClick(panel.copy_button, LEFT)
    text = QGuiApplication.clipboard().text()
    assert f"\n\n{FAIR}\n{FAIR}: map 1 of J2 starts at 0:00 on M2, " in text
    assert "J1\t✓ gets it\t0:00\t29" in text.splitlines()


@pytest.mark.only_looks
def test_marks_go_with_the_panel(panel, window, qtbot):
    window.why.difference_page.shut()
    assert marks(window, 2) is None
    window.why.difference_page.bring()
    qtbot.waitUntil(lambda: marks(window, 2) is not None)


def test_an_equal_schedule_that_was_simulated_anew_is_compared_again(window, panel, monkeypatch):
    """To tell by its values whether it is another one would compare arrays, which raises."""
    again = {scenario: replace(window.runner.outcome(scenario).schedule) for scenario in (1, 2)}
    monkeypatch.setattr(panel, "_schedule_of", again.get)
    panel.refresh()
    assert panel._known[:2] == (again[2], again[1])
