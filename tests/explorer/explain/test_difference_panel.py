"""First difference: found by key, shown in both charts and as two lists of candidates side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from core.explain.start_cause import NOBODY, same_task
from core.model.cluster import Cluster
from core.model.schedule import PolicyChoice
from core.policies.registry import describe
from explorer.explain.decision_view import Replays, Side, difference_of
from explorer.explain.difference_panel import ONE_SCENARIO, SAME
from tests.builders import FIVE_JOBS, run, two_stage_workload

if TYPE_CHECKING:
    from explorer.explain.difference_panel import DifferencePanel

LEFT = Qt.MouseButton.LeftButton
FAIR = describe("fair").title


@pytest.fixture
def panel(window, qtbot) -> DifferencePanel:
    """The first difference between FIFO, the baseline, and fair sharing, which is active."""
    window.editor.choose_policy(2, PolicyChoice("fair"))
    assert window.runner.wait_until_idle(60_000)
    window.view_state.activate_scenario(2)
    window.actions_by_id["first_difference"].trigger()
    panel = window.why.difference_panel
    qtbot.waitUntil(lambda: window.view_state.selected_task is not None, timeout=20_000)
    return panel


# ---- comparing


def sides(first, second):
    workload = two_stage_workload(FIVE_JOBS)
    cluster = Cluster(30, 30, slowstart=1.0)
    return Side(1, run(workload, cluster, first)), Side(2, run(workload, cluster, second))


def test_both_policies_are_asked_about_the_same_slot():
    difference = difference_of(Replays(), *sides("fifo", "fair"))
    assert difference.divergence.start == 1
    one, other = difference.sides
    assert (one.reason.slot, other.reason.slot) == (1, 1)
    assert (one.reason.winner.job, other.reason.winner.job) == (0, 1)
    assert one.reason.sentences[0] == "M2 was free at 0:00; FIFO gave it to J1 for its next map."
    assert other.reason.sentences[0] == f"M2 was free at 0:00; {FAIR} gave it to J2 for its next map."
    assert "they part, at 0:00" in difference.sentences[0]


def test_equal_schedules_have_no_difference():
    difference = difference_of(Replays(), *sides("fifo", "fifo"))
    assert difference.divergence is None
    assert difference.sentences == ()


def test_a_task_is_the_same_in_schedules_of_the_same_jobs():
    one, other = sides("fifo", "fair")
    assert same_task(one.schedule, 77, other.schedule) == 77
    assert same_task(one.schedule, 299, run(two_stage_workload(FIVE_JOBS[:2]), Cluster(30, 30))) == NOBODY


# ---- in the window


def test_the_key_goes_to_the_decision_in_both_charts(panel, window):
    assert window.why.difference_dock.isVisible()
    cursor, task = window.view_state.time_cursor, window.view_state.selected_task
    assert (cursor.seconds, cursor.decision) == (0.0, 1)
    assert task.scenario_id == 2
    assert window.view_state.selected_job == "J2"
    schedule = window.runner.outcome(2).schedule
    assert int(schedule.slot[task.task]) == 1
    assert panel.sentence.text().startswith("The first start is the same; then they part, at 0:00.")


def test_both_candidate_lists_stand_side_by_side(panel):
    first, second = panel.sides
    assert (first.title.text(), second.title.text()) == (FAIR, "FIFO")
    assert first.candidates.texts(0)[:2] == ("J2", "✓ gets it")
    assert second.candidates.texts(0)[:2] == ("J1", "✓ gets it")
    assert first.mapTo(panel, first.rect().topRight()).x() < second.mapTo(panel, second.rect().topLeft()).x()
    assert f"{FAIR} gave it to J2" in first.sentence.text()


def test_a_click_on_a_candidate_selects_its_job(panel, window, qtbot):
    table = panel.sides[1].table
    qtbot.mouseClick(table.viewport(), LEFT, pos=table.visualRect(table.model().index(3, 0)).center())
    assert window.view_state.selected_job == "J4"


def test_it_follows_edits_without_moving_the_cursor(panel, window, qtbot):
    window.view_state.time_cursor.show_at(33.0)
    window.editor.drop_order(2, ("J2", "J1", "J3", "J4", "J5"))
    qtbot.waitUntil(lambda: panel.sides[0].title.text() == f"{FAIR}, edited")
    assert window.view_state.time_cursor.seconds == 33.0


def test_the_baseline_is_compared_with_the_next_scenario(panel, window, qtbot):
    window.view_state.activate_scenario(1)
    qtbot.waitUntil(lambda: panel.sides[0].title.text() == "FIFO")
    assert panel.compared() == (1, 2)
    assert panel.sides[1].title.text() == FAIR


def test_equal_scenarios_are_said_to_be_equal(panel, window, qtbot):
    window.editor.choose_policy(2, PolicyChoice("fifo"))
    qtbot.waitUntil(lambda: panel.empty.isVisible())
    assert panel.empty.text() == SAME.format("FIFO", "FIFO")
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
    assert window.why.difference_panel.difference.divergence.start > 60


def test_everything_is_copied_as_text(panel, qtbot):
    qtbot.mouseClick(panel.copy_button, LEFT)
    text = QGuiApplication.clipboard().text()
    assert f"\n\n{FAIR}\nM2 was free at 0:00; {FAIR} gave it to J2 for its next map.\n" in text
    assert "J1\t✓ gets it\t0:00\t29" in text.splitlines()
