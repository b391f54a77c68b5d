"""A wrong answer gets the hint and a second try before the solution, whatever the type of the question."""

from __future__ import annotations

import json
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.lessons.questions.question import HandAnswer, ListAnswer, NumberAnswer, OrderAnswer
from core.lessons.questions.question_types import QUESTION_TYPES
from explorer.lessons.question_box import ONCE_MORE
from tests.core.lessons.lesson_examples import question_of, right_answer, wrong_answer
from tests.explorer.lessons.conftest import TINY, leave_all, open_lesson

OWN: dict[str, dict[str, Any]] = {
    "time": {"of": {"job": "b", "event": "ends"}},
    "choice": {"choices": ["yes", "no"], "right": 1, "why": "It is so."},
    "idle-first": {"slots": "map"},
}
TURNED = {"policy": "order", "order": ["b", "a"]}
HINT = "Look at the jobs."


@pytest.fixture(params=QUESTION_TYPES)
def window(window_of_module, request, qtbot, tmp_path):
    """The window on the one step of a lesson that asks a question of a type, all veiled."""
    kind = request.param
    scenarios = [{"policy": "fifo"}, *([TURNED] if kind == "ends-first" else [])]
    step = {
        "title": kind,
        "text": "",
        "view": {"workload": "tiny", "scenarios": scenarios, "cursor": [0, 0]},
        "veil": {"from": 0},
        "question": {"kind": kind, "text": "?", "hint": HINT, **OWN.get(kind, {})},
    }
    head = {"format": "slotscope-lesson", "version": 1, "name": kind, "workloads": {"tiny": TINY}}
    path = tmp_path / f"{kind}.lesson.json"
    path.write_text(json.dumps(head | {"steps": [step]}))
    leave_all(window_of_module)
    open_lesson(qtbot, window_of_module, path)
    yield window_of_module
    leave_all(window_of_module)


def press(button):
    assert button.isVisible()
    assert button.isEnabled()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def answer(qtbot, window, value):
    """Answer with mouse and keys; an order is made, and picks are played, as their windows do it."""
    steps = window.lessons.steps
    question, form = steps.pane.question, question_of(steps.read.simulated).answer_form
    if isinstance(form, NumberAnswer):
        QTest.mouseClick(question.number, Qt.MouseButton.LeftButton)
        question.number.selectAll()
        QTest.keyClicks(question.number, str(value))
    elif isinstance(form, ListAnswer):
        values = [question.list.item(i).data(Qt.ItemDataRole.UserRole) for i in range(question.list.count())]
        item = question.list.item(values.index(value))
        spot = question.list.visualItemRect(item).center()
        QTest.mouseClick(question.list.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    elif isinstance(form, OrderAnswer):
        scenario = window.view_state.active_scenario
        if window.charts.job_order(scenario) != value:
            window.editor.drop_order(scenario, value, window.charts.job_order(scenario), value[0])
            assert window.runner.wait_until_idle(60_000)
    question.miss.setText("")  # so that the next one is seen to come
    if isinstance(form, HandAnswer):
        steps.take_picks(steps.walk.step, value)
    else:
        press(question.check_button)
    qtbot.waitUntil(lambda: bool(question.miss.text()) or not question.verdict.isHidden())


def is_a_second_try(window):
    """Whether the student is to answer again, knows the hint, and nothing of what is right."""
    steps = window.lessons.steps
    question, simulated = steps.pane.question, steps.read.simulated
    truth = question_of(simulated).judge(simulated, right_answer(simulated)).truth
    assert HINT in question.miss.text()
    assert question.miss.text().endswith(ONCE_MORE)
    assert truth not in question.miss.text()
    return (
        question.verdict.isHidden()
        and question.reason.isHidden()
        and question.check_button.isVisible()
        and window.view_state.veil.is_down
        and steps.walk.hidden_from == 0.0
    )


def test_the_second_wrong_answer_shows_what_happens(window, qtbot):
    steps = window.lessons.steps
    question, wrong = steps.pane.question, wrong_answer(steps.read.simulated)
    answer(qtbot, window, wrong)
    assert is_a_second_try(window)
    answer(qtbot, window, wrong)
    simulated = steps.read.simulated
    truth = question_of(simulated).judge(simulated, wrong).truth
    assert question.verdict.text().startswith("✘ Not right: ")
    assert truth in question.verdict.text()
    assert steps.walk.hidden_from > 0.0
    press(question.again_button)  # it is asked again: once more with a second try
    assert steps.walk.hidden_from == 0.0
    answer(qtbot, window, wrong)
    assert is_a_second_try(window)


def test_a_wrong_answer_moves_no_choice_and_lets_go_on_at_once(window, qtbot):
    """What is chosen from stays where it was, and has the focus: the next answer takes a key and Enter."""
    steps = window.lessons.steps
    question = steps.pane.question
    control = next((each for each in (question.list, question.number) if each.isVisible()), None)
    place = None if control is None else control.pos()
    question.check_button.setFocus()
    answer(qtbot, window, wrong_answer(steps.read.simulated))
    assert question.miss.isVisible()
    if control is not None:
        assert control.pos() == place
        assert window.focusWidget() is control
    else:
        assert window.focusWidget() is question.check_button


def test_the_second_try_may_be_right(window, qtbot):
    steps = window.lessons.steps
    simulated = steps.read.simulated
    answer(qtbot, window, wrong_answer(simulated))
    assert is_a_second_try(window)
    answer(qtbot, window, right_answer(simulated))
    assert steps.pane.question.verdict.text().startswith("✔ Right.")
    assert steps.walk.is_done(0)


def test_back_to_the_lesson_asks_anew(window, qtbot):
    steps = window.lessons.steps
    wrong = wrong_answer(steps.read.simulated)
    answer(qtbot, window, wrong)
    press(steps.pane.restore_button)
    qtbot.waitUntil(lambda: not steps._worker.is_busy and steps.read is not None)
    assert window.runner.wait_until_idle(60_000)
    assert not steps.pane.question.miss.text()
    answer(qtbot, window, wrong)
    assert is_a_second_try(window)
