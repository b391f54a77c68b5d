"""Every lesson that comes with Slotscope in one window: Next to the end, and each question answered."""

from __future__ import annotations

import math
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.lessons.lesson_document import lesson_paths
from core.lessons.questions.question import NumberAnswer, OrderAnswer
from explorer.lessons.answer_controls import VALUE
from explorer.lessons.lesson_gallery import LessonGallery, lesson_heads
from explorer.lessons.lesson_text import FIGURE
from explorer.lessons.question_box import ONCE_MORE
from tests.core.lessons.lesson_examples import question_of, right_answer, wrong_answer
from tests.explorer.lessons.conftest import check, leave_all, open_lesson, settle


def give(qtbot, window, value):
    """Give an answer as a student does, and have it checked."""
    steps = window.lessons.steps
    question, form = steps.pane.question, question_of(steps.read.simulated).answer_form
    if isinstance(form, NumberAnswer):
        question.number.selectAll()
        QTest.keyClicks(question.number, f"{value:.6f}")
    elif isinstance(form, OrderAnswer):
        scenario, shown = window.view_state.active_scenario, window.charts.job_order
        if shown(scenario) != value:
            window.editor.drop_order(scenario, value, shown(scenario), value[0])
            assert window.runner.wait_until_idle(60_000)
    else:
        rows = [place for place in range(question.list.count()) if value_at(question.list, place) == value]
        item = question.list.item(rows[0])
        question.list.scrollToItem(item)
        spot = question.list.visualItemRect(item).center()
        QTest.mouseClick(question.list.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    check(qtbot, window)


def value_at(answers, place):
    return answers.item(place).data(VALUE)


def miss(qtbot, window):
    """Give a wrong answer: it gets the hint and a second try, and shows nothing of what is right."""
    steps = window.lessons.steps
    question, simulated = steps.pane.question, steps.read.simulated
    asked, hidden = question_of(simulated), steps.walk.hidden_from
    give(qtbot, window, wrong_answer(simulated))
    assert question.miss.text().startswith("✘ Not right: ")
    assert steps.read.question.hint in question.miss.text()
    assert question.miss.text().endswith(ONCE_MORE)
    assert asked.hint
    assert asked.judge(simulated, right_answer(simulated)).truth not in question.miss.text()
    assert question.verdict.isHidden()
    assert question.reason.isHidden()
    assert question.check_button.isVisible()
    assert steps.walk.hidden_from == hidden
    assert not steps.walk.progress.is_answered


def answer(qtbot, window):
    """Give a wrong answer and then the right one, as a student does."""
    steps = window.lessons.steps
    question, right = steps.pane.question, right_answer(steps.read.simulated)
    miss(qtbot, window)
    give(qtbot, window, right)
    assert question.verdict.text().startswith("✔ Right."), question.verdict.text()


def has_clocks(circles):
    return circles.clocks() != ()


@pytest.mark.parametrize("name", lesson_paths())
def test_a_student_walks_to_the_end(window_of_module, qtbot, name):
    window = window_of_module
    leave_all(window)
    window.resize(1000, 700)  # the smallest that is looked after, and quick to paint
    open_lesson(qtbot, window, lesson_paths()[name])
    pane, walk = window.lessons.steps.pane, window.lessons.steps.walk
    while True:
        assert not FIGURE.search(pane.text.toPlainText())
        assert not window.messages.isVisible(), window.messages.accessibleName()
        view = walk.step.view
        assert len(window.charts.stack.guests) == len(view.guests)
        pointed = [chart.content.pointers for chart in window.charts.views.values()]
        pointed += [guest.view.content.pointers for guest in window.charts.stack.guests.values()]
        assert sum(map(len, pointed)) == len(view.marks)
        circles = window.lessons.steps._stage.circles
        assert circles.isVisible() == (view.scans is not None)
        if view.scans is not None:
            qtbot.waitUntil(partial(has_clocks, circles))
        assert window.view_state.veil.is_down == (walk.step.veil is not None)
        if walk.step.question is not None:
            answer(qtbot, window)
            lifts_to = walk.step.question.lifts_to(window.lessons.steps.read.simulated)
            assert window.view_state.veil.is_down == (walk.step.veil is not None and lifts_to < math.inf)
        if not pane.next_button.isEnabled():
            break
        pane.next_button.click()
        settle(qtbot, window)
    assert walk.number == len(walk.lesson.steps) - 1
    leave_all(window)


def test_the_gallery_says_what_each_lesson_is_and_opens_it(window_of_module, qtbot):
    window = window_of_module
    window.actions_by_id["lessons"].trigger()
    gallery = window.findChild(LessonGallery)
    assert gallery.model.rowCount() == len(lesson_heads()) == len(lesson_paths())
    assert "Why order matters. " in gallery.model.index(0, 0).data()
    gallery.field.setText("order mat")
    with qtbot.waitSignal(window.files.opened):
        gallery.open_button.click()
    settle(qtbot, window)
    assert window.lessons.steps.walk.lesson.name == "Why order matters"
    window.lessons.close_lesson()
