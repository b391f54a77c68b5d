"""A lesson before a room: the chart asked about, what is right once the veil is up, captions of it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest

from core.lessons.solution import solution_of
from explorer.widgets import painted_text
from explorer.widgets.theme import theme
from tests.explorer.lessons.conftest import FIFO, STEPS, leave_all, lesson_text

TURNED = {"workload": "tiny", "policy": "order", "order": ["b", "a"], "title": "Turned"}
GUEST = FIFO | {"cursor": [0, 0], "guests": [TURNED]}
OF_GUEST = {
    "title": "The other chart",
    "text": "Long ago. " * 200,
    "view": GUEST,
    "veil": {"from": 0},
    "question": {"kind": "makespan", "guest": 0, "text": "How long is it turned?"},
}
CHOICE = {
    "title": "Words",
    "text": "",
    "view": FIFO,
    "question": {"kind": "choice", "text": "Why?", "choices": ["So", "Thus"], "right": 1, "why": "It is."},
}


@pytest.fixture
def present(window, qtbot, tmp_path):
    """Return a function that presents steps, at the first of them."""

    def begin(*steps):
        path = tmp_path / "own.lesson.json"
        path.write_text(lesson_text(list(steps)), encoding="utf-8")
        window.files.open(path)
        lesson = window.lessons.steps
        qtbot.waitUntil(lambda: lesson.walk is not None and lesson.walk.source == str(path))
        qtbot.waitUntil(lambda: lesson.read is not None)
        assert window.runner.wait_until_idle()
        window.actions_by_id["present"].trigger()
        shown = window.lessons.presenter
        shown.resize(1000, 700)
        return shown

    yield begin
    window.lessons.presenter.leave()
    leave_all(window)


def texts(window):
    return window.lessons.presented.texts()


def test_after_the_veil_the_right_choice_and_its_reason_stand_there(window, qtbot, present):
    shown = present(STEPS[1])
    assert "✔" not in texts(window)[0]
    QTest.keyClick(shown, Qt.Key.Key_V)
    qtbot.waitUntil(lambda: "✔" in texts(window)[0])
    simulated = window.lessons.presented.read.simulated
    found = solution_of(simulated.shown.step.question, simulated)
    whole, short, shorter, shortest = texts(window)
    assert f"**✔ {found.text}**" in whole
    assert found.sentences
    assert all(sentence in short for sentence in found.sentences)
    assert found.sentences[0] in shorter
    assert found.text in shortest
    assert not any(sentence in shortest for sentence in found.sentences)
    assert not window.view_state.veil.is_down


def test_of_texts_the_right_one_is_marked_without_a_veil_too(window, qtbot, present):
    shown = present(CHOICE)
    assert "1. So\n2. Thus" in texts(window)[0]
    QTest.keyClick(shown, Qt.Key.Key_V)
    qtbot.waitUntil(lambda: "✔" in texts(window)[0])
    assert "1. So\n2. **✔ Thus**" in texts(window)[0]
    assert "It is." in texts(window)[0]


@pytest.mark.parametrize("text", [1.5, 2.25, 2.5])
def test_the_chart_asked_about_is_in_view_and_told_of(window, qtbot, present, text):
    shown = present(OF_GUEST)
    shown.set_text(text)
    assert "Turned" in [chart.title for chart in shown.stage.charts]
    assert shown.told_chart == -1
    window.lessons.presented.lift()
    window.view_state.time_cursor.show_at(11.0)
    qtbot.waitUntil(lambda: "Turned: " in shown.caption())
    assert shown.caption().startswith("0:11 · ")
    QTest.keyClick(shown, Qt.Key.Key_Tab)
    assert shown.told_chart == 1


def test_charts_asked_about_are_all_there_in_smaller_letters(window, qtbot, present):
    step = STEPS[2] | {"view": GUEST | {"guests": [TURNED] * 3}}
    shown = present(step)
    shown.set_text(2.5)
    assert len(shown.stage.charts) == 4
    assert shown.stage.style.text < 2.5


@pytest.mark.parametrize(("text", "is_short"), [(0.6, False), (2.5, True)])
def test_of_a_long_step_the_question_is_what_stays_in_readable_letters(
    window, present, monkeypatch, text, is_short
):
    present(OF_GUEST)
    whole, short = texts(window)
    painted = []
    monkeypatch.setattr(
        painted_text,
        "paint_markdown",
        lambda _painter, document, *_rest: painted.append(document.toPlainText()),
    )
    page = QImage(500, 700 if is_short else 2500, QImage.Format.Format_RGB32)
    with QPainter(page) as painter:
        painted_text.paint_page(painter, page.rect(), theme(False), text, whole, None, [short])
    assert "How long is it turned?" in painted[0]
    assert ("Long ago" in painted[0]) is not is_short
