"""Continue from here under another policy: asked at the cursor, one undoable scenario, marked in charts."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox

from core.model.errors import InputError
from core.model.schedule import Fork, PolicyChoice
from core.policies.registry import describe
from explorer.document.titles import scenario_title
from explorer.gantt.layers.time_marks import marks_of
from explorer.panels.policy_list import ID_ROLE
from explorer.simulation.request import request_of
from explorer.window.scenarios.why_area import ForkDialog, fork_sentence

pytestmark = pytest.mark.only_edits

LEFT = Qt.MouseButton.LeftButton
FAIR = describe("fair").title


def ask(window) -> ForkDialog:
    window.actions_by_id["fork"].trigger()
    return window.findChild(ForkDialog)


def mark(dialog, policy):
    rows = [dialog.list.item(row).data(ID_ROLE) for row in range(dialog.list.count())]
    dialog.list.setCurrentRow(rows.index(policy))


# ---- the document


def test_a_fork_is_one_step_that_keeps_the_cluster_and_says_what_it_is(editor, document):
    before = document.state
    editor.edit_cluster(1, map_slots=10)
    fork = editor.fork_scenario(1, 12.0, PolicyChoice("fair"), 3)
    scenario = document.scenario(fork)
    assert scenario.fork == Fork(12.0, 3, PolicyChoice("fifo"))
    assert scenario.cluster == document.scenario(1).cluster
    assert document.place_of(fork) == 1
    assert scenario_title(scenario) == f"FIFO to 0:12, then {FAIR}"
    assert editor.undo_stack.undoText() == f"Continue FIFO to 0:12, then {FAIR}"
    editor.undo_stack.undo()
    editor.undo_stack.undo()
    assert document.state.scenarios == before.scenarios


def test_a_fork_of_a_fork_names_all_who_decide(editor, document):
    first = editor.fork_scenario(1, 12.0, PolicyChoice("fair"))
    second = editor.fork_scenario(first, 70.0, PolicyChoice("johnson"))
    assert scenario_title(document.scenario(second)) == f"FIFO to 0:12, {FAIR} to 1:10, then Johnson"
    earlier = editor.fork_scenario(second, 5.0, PolicyChoice("sjf"))
    assert document.scenario(earlier).fork == Fork(5.0, 0, PolicyChoice("fifo"))


def test_orders_before_a_fork_follow_the_jobs(editor, document):
    editor.make_baseline(2)
    editor.drop_order(1, ("J5", "J4", "J3", "J2", "J1"))
    fork = editor.fork_scenario(1, 12.0, PolicyChoice("fair"))
    editor.edit_job(0, "name", "First")
    assert document.scenario(fork).fork.order == ("J5", "J4", "J3", "J2", "First")
    editor.delete_jobs([3])
    assert document.scenario(fork).fork.order == ("J5", "J3", "J2", "First")
    editor.undo_stack.undo()
    assert document.scenario(fork).fork.order == ("J5", "J4", "J3", "J2", "First")


def test_forks_are_part_of_what_is_asked_for(editor, document):
    one = editor.fork_scenario(1, 12.0, PolicyChoice("fair"))
    other = editor.fork_scenario(1, 13.0, PolicyChoice("fair"))
    state = document.state
    requests = {request_of(state, state.scenario(i)) for i in (one, other)}
    assert len(requests) == 2
    assert request_of(state, state.scenario(one)) == request_of(state, state.scenario(one))


def test_a_wrong_time_is_refused(editor):
    with pytest.raises(InputError, match="0 s or later"):
        editor.fork_scenario(1, -1.0, PolicyChoice("fair"))


# ---- in the window


def test_from_the_cursor_on_another_policy_decides(window, qtbot):
    window.view_state.time_cursor.show_at(11.0)
    dialog = ask(window)
    mark(dialog, "fair")
    qtbot.mouseClick(dialog.ok_button, LEFT)
    assert window.runner.wait_until_idle(60_000)
    active = window.view_state.active_scenario
    assert active == 3
    first, fork = (window.runner.outcome(i).schedule for i in (1, active))
    before = first.start < 11.0
    assert np.array_equal(fork.start[before], first.start[before])
    assert np.array_equal(fork.slot[before], first.slot[before])
    assert not np.array_equal(fork.start, first.start)
    view = window.charts.views[active]
    assert view.content.title == f"FIFO to 0:11, then {FAIR}"
    window.actions_by_id["undo"].trigger()
    assert list(window.charts.views) == [1, 2]


def test_the_chart_marks_the_instant(window):
    fork = window.editor.fork_scenario(1, 30.0, PolicyChoice("fair"))
    assert window.runner.wait_until_idle(60_000)
    view = window.charts.views[fork]
    flags = {found.text: found.seconds for found in marks_of(view.frame())}
    assert flags[f"{FAIR} from 0:30"] == 30.0
    picture, frame = view.grab().toImage(), view.frame()
    column = [
        picture.pixelColor(round(frame.x(30.0)), y).rgb()
        for y in range(frame.places.plot.top(), frame.places.plot.bottom())
    ]
    assert column.count(window.charts.theme.cursor.rgb()) > len(column) / 2


def test_decisions_of_that_time_before_the_cursor_stay(window, qtbot):
    window.view_state.time_cursor.show_at(4.0, 10)
    dialog = ask(window)
    mark(dialog, "johnson-reverse")
    qtbot.keyClick(dialog.list, Qt.Key.Key_Return)
    assert window.runner.wait_until_idle(60_000)
    scenario = window.document.scenario(3)
    assert scenario.fork.decisions == 10
    first, fork = (window.runner.outcome(i).schedule for i in (1, 3))
    begin = int((first.start < 4.0).sum())
    assert first.sequence[: begin + 10].tolist() == fork.sequence[: begin + 10].tolist()


def test_a_policy_gets_the_parameters_of_the_form(window, qtbot):
    window.view_state.time_cursor.show_at(11.0)
    dialog = ask(window)
    mark(dialog, "order")
    assert not dialog.form.isHidden()
    dialog.form.set_values({"order": "J5, J4"})
    dialog.findChild(QDialogButtonBox).accepted.emit()
    assert window.document.scenario(3).choice.parameters == {"order": "J5, J4"}
    assert window.document.scenario(3).choice.id == "order"


@pytest.mark.only_looks
def test_return_on_what_is_no_policy_waits_for_one(window, qtbot):
    window.view_state.time_cursor.show_at(11.0)
    dialog = ask(window)
    QTest.keyClicks(dialog.list.field, "nonsense")
    QTest.keyClick(dialog.list.field, Qt.Key.Key_Return)
    assert dialog.isVisible()
    assert not dialog.ok_button.isEnabled()
    before = len(window.document.scenarios)
    qtbot.mouseClick(dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Cancel), LEFT)
    assert len(window.document.scenarios) == before


def test_cancel_changes_nothing(window, qtbot):
    window.view_state.time_cursor.show_at(11.0)
    dialog = ask(window)
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert window.editor.undo_stack.count() == 0


@pytest.mark.only_looks
@pytest.mark.parametrize("seconds", [None, 74.0])
def test_where_nothing_can_go_on_it_says_so(window, seconds):
    if seconds is not None:
        window.view_state.time_cursor.show_at(seconds)
    assert ask(window) is None
    assert "nothing to continue from" in window.messages.message.sentence


def test_a_seventh_scenario_is_refused_with_a_sentence(window, qtbot):
    for _ in range(4):
        window.actions_of_window.add_policy("sjf")
    assert window.runner.wait_until_idle(60_000)
    window.view_state.activate_scenario(1)
    window.view_state.time_cursor.show_at(11.0)
    qtbot.mouseClick(ask(window).ok_button, LEFT)
    assert "6 scenarios already" in window.messages.message.sentence


def test_the_question_says_what_stays():
    assert fork_sentence("FIFO", 12.0, 0) == "FIFO decides up to 0:12. From there on decides:"
    assert fork_sentence("FIFO", 12.0, 1) == (
        "FIFO decides up to 0:12, and its first 1 decision of that time. From there on decides:"
    )


def test_everything_is_explained_after_a_fork_too(window, qtbot):
    fork = window.editor.fork_scenario(1, 30.0, PolicyChoice("fair"))
    assert window.runner.wait_until_idle(60_000)
    window.view_state.activate_scenario(fork)
    for name in ("why_makespan", "at_instant"):
        window.actions_by_id[name].trigger()
    panel = window.why.instant_panel
    window.view_state.time_cursor.show_at(35.0)
    qtbot.waitUntil(lambda: panel.decision_view is not None and panel.decision_view.instant.time == 35.0)
    assert f"{FAIR} gave it to" in panel.text.toPlainText()
    window.view_state.time_cursor.show_at(4.0)
    qtbot.waitUntil(lambda: panel.decision_view.instant.time == 4.0)
    assert "FIFO gave it to" in panel.text.toPlainText()
    qtbot.waitUntil(lambda: window.charts.views[fork].content.shown_critical_path is not None)
