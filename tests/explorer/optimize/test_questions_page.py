"""Questions the other way round: asked with keys, answered in sentences, stopped, used."""

from __future__ import annotations

from dataclasses import replace
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from core.model.cluster import Cluster
from core.model.errors import Cancelled, InputError
from core.model.plan import Plan
from explorer.optimize.questions_page import (
    FEWEST,
    FEWEST_HERE,
    STOPPED,
    InverseAnswer,
    InverseQuestion,
    QuestionsPage,
)
from explorer.widgets.worker import shutdown_workers

LEFT, Key = Qt.MouseButton.LeftButton, Qt.Key


@pytest.fixture
def page(shown):
    page = QuestionsPage(lambda _question: lambda *_: InverseAnswer(""))
    page.show_jobs(("J1", "J2"), Cluster(30, 30), 74.3)
    shown(page)
    yield page
    shutdown_workers(page)


def answers(page, *told, end=None):
    """Let the page be answered so; return what it asks."""
    asked = []

    def work(tell, trying, should_stop):
        trying("52 + 52 slots")
        for answer in told[:-1]:
            tell(answer)
        while end is not None and not end.is_set():
            if should_stop():
                raise Cancelled("stopped")
        return told[-1]

    def asker(question):
        asked.append(question)
        return work

    page.search_of = asker
    return asked


def test_a_question_is_typed_and_its_answer_used(page, qtbot):
    cluster = Cluster(52, 52)
    asked = answers(page, InverseAnswer("At least 40."), InverseAnswer("52 + 52 slots suffice.", cluster))
    assert page.until.text() == "1:15"  # 74.3 s are over by then
    assert page.kind.currentData() == FEWEST_HERE
    page.until.setFocus()
    page.until.selectAll()
    QTest.keyClicks(page.until, "5:33:20")
    QTest.keyClick(page.until, Key.Key_Return)
    qtbot.waitUntil(lambda: page.text.text() == "52 + 52 slots suffice.")
    assert asked == [InverseQuestion(FEWEST_HERE, 20_000.0, 60)]
    with qtbot.waitSignal(page.cluster_wanted) as used:
        QTest.mouseClick(page.use_button, LEFT)
    assert used.args == [cluster]
    QTest.mouseClick(page.copy_button, LEFT)
    assert QGuiApplication.clipboard().text() == "52 + 52 slots suffice."
    page.show_jobs(("J1",), Cluster(30, 30), 10.0)
    assert page.until.text() == "5:33:20"  # what was typed stays


def test_the_time_of_an_answer_stays_beside_it(page, qtbot):
    answers(page, InverseAnswer("52 + 52 slots suffice."))
    QTest.mouseClick(page.search_button, LEFT)
    qtbot.waitUntil(lambda: page.text.text() == "52 + 52 slots suffice.")
    page.show_end(20.0)  # of another scenario that became the active one
    assert page.until.text() == "1:15"
    page.forget()
    page.show_end(20.0)
    assert page.until.text() == "0:20"


def test_a_plan_is_shown_as_a_scenario_and_is_not_a_cluster_for_a_policy(page, qtbot):
    best = InverseAnswer("Best schedule. 40 + 40 slots.", Cluster(40, 40), Plan(()))
    answers(page, best)
    page.choose(FEWEST)
    QTest.mouseClick(page.search_button, LEFT)
    qtbot.waitUntil(lambda: page.text.text() == best.text)
    assert not page.use_button.isVisible()
    with qtbot.waitSignal(page.scenario_wanted) as wanted:
        QTest.mouseClick(page.add_button, LEFT)
    assert wanted.args == [best]


def test_what_is_known_is_told_and_stopping_keeps_it(page, qtbot):
    asked = answers(page, InverseAnswer("At least 40."), InverseAnswer("never"), end=Event())
    page.choose(FEWEST)
    QTest.mouseClick(page.search_button, LEFT)
    qtbot.waitUntil(lambda: page.text.text() == "At least 40.")
    assert page.busy.isVisible()
    qtbot.waitUntil(lambda: page.trying.text().startswith("Trying 52 + 52 slots …; "))
    assert page.trying.text().endswith(" s more at most")
    QTest.mouseClick(page.search_button, LEFT)
    assert not page.is_busy  # at once, whatever the thread does
    assert page.trying.text() == ""
    assert page.text.text() == "At least 40."
    assert not page.use_button.isVisible()
    answers(page, InverseAnswer("never"), end=Event())
    QTest.mouseClick(page.search_button, LEFT)
    QTest.mouseClick(page.search_button, LEFT)
    assert page.text.text() == STOPPED
    assert len(asked) == 1


def test_each_question_has_its_fields(page):
    shown = []
    for place in range(page.kind.count()):
        page.kind.setCurrentIndex(place)
        shown.append([field.isVisible() for field in (page.varied, page.until, page.total, page.job)])
    fewest, split = [1, 1, 0, 0], [0, 0, 1, 0]
    assert shown == [fewest, fewest, split, split, [0, 1, 0, 1], [0, 0, 0, 0]]


def test_what_is_no_time_or_cannot_be_asked_is_said(page):
    page.until.setText(" ")
    QTest.mouseClick(page.search_button, LEFT)
    assert page.text.text() == "Type the time by which all is to end, such as 5:33:20."
    page.until.setText("soon")
    QTest.mouseClick(page.search_button, LEFT)
    assert page.text.text() == "'soon' is no time; type one such as 5:33:20, 20000 s or 5 h 30 min"
    page.until.setText("90")

    def refuse(_question):
        raise InputError("there are no slots")

    page.search_of = refuse
    QTest.mouseClick(page.search_button, LEFT)
    assert page.text.text() == "there are no slots"
    page.kind.setCurrentIndex(1)  # another question: that was no answer to it
    assert page.text.text() == ""
    assert not page.copy_button.isEnabled()


def test_what_chance_changes_is_asked_where_the_scenario_is_as_it_is(page, qtbot):
    asked = answers(page, InverseAnswer("It ends.", Cluster(52, 52)))
    times = []
    page.until_changed.connect(times.append)
    page.choose(FEWEST)
    assert not page.error.isVisible()
    page.search_by(20_000.0)
    qtbot.waitUntil(lambda: page.text.text() == "It ends.")
    assert page.error.isVisible()
    assert not page.draws.isVisible()  # nothing is drawn
    page.error.setValue(30)
    page.sure.setValue(90)
    assert page.draws.isVisible()
    QTest.mouseClick(page.search_button, LEFT)
    qtbot.waitUntil(lambda: len(asked) == 2 and not page.is_busy)
    plain = InverseQuestion("fewest-here", 20_000.0, 60)
    assert asked == [plain, replace(plain, error=0.3, draws=20, confidence=0.9)]
    with qtbot.waitSignal(page.scenario_wanted) as wanted:
        QTest.mouseClick(page.add_button, LEFT)
    assert wanted.args == [InverseAnswer("It ends.", Cluster(52, 52))]
    page.forget()
    assert times == [None, None, 20_000.0, 20_000.0, None]  # another question ends what was asked before
