"""Being the scheduler in its window: whole games by clicks and keys, undo, the clock, and what comes out."""

from __future__ import annotations

import csv
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from core.charts.class_colours import job_colours
from core.files.samples import load_sample
from core.model.cluster import Cluster
from core.model.document_state import DocumentState, Scenario
from core.model.schedule import PolicyChoice
from explorer.document.document import Document
from explorer.document.editor import Editor
from explorer.document.view_state import ViewState
from explorer.lessons import hand_window
from explorer.lessons.hand_clock import LIMITS
from explorer.lessons.hand_verdict import JUDGING
from explorer.lessons.hand_window import HandWindow
from explorer.lessons.scores import scores_path
from explorer.widgets.theme import theme
from explorer.widgets.worker import shutdown_workers
from tests.builders import two_stage_workload
from tests.explorer.lessons.conftest import FIFO, leave_all, lesson_text, open_lesson

KEY = Qt.Key
BY_HAND = Scenario(0, PolicyChoice("by-hand"))


@pytest.fixture
def play(qtbot):
    """Begin a game on a workload; return its window."""
    windows, parent = [], QWidget()

    def begin(workload) -> HandWindow:
        state = DocumentState.new(workload, (PolicyChoice("fifo"), PolicyChoice("johnson")))
        document = Document(state)
        editor = Editor(document)
        window = HandWindow(editor, ViewState(document), theme(dark=False), parent)
        windows.append((window, editor))
        window.begin(BY_HAND)
        qtbot.waitUntil(window.isActiveWindow)
        return window

    yield begin
    for window, editor in windows:
        window.close()
        shutdown_workers(window)
        editor.undo_stack.clear()
    parent.deleteLater()


@pytest.fixture
def five(play) -> HandWindow:
    return play(load_sample("five-jobs"))


def names(window: HandWindow) -> list[str]:
    return [card.name for card in window.cards.list.cards.rows]


def click(window: HandWindow, name: str) -> None:
    """Click a job's card."""
    cards = window.cards.list
    index = cards.cards.index(names(window).index(name), 0)
    QTest.mouseClick(cards.viewport(), Qt.MouseButton.LeftButton, pos=cards.visualRect(index).center())


def compared(qtbot, window: HandWindow):
    qtbot.waitUntil(lambda: window.results.result is not None)
    return window.results.result


def kept_scores() -> list[dict[str, str]]:
    with scores_path().open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_two_jobs_in_24_seconds_by_one_click(qtbot, play) -> None:
    window = play(load_sample("two-jobs-order"))
    assert window.question.text() == "At 0:00 map slot M1 is free (30 map slots are free). Who gets it?"
    assert names(window) == ["J1", "J2"]
    assert window.cards.list.cards.rows[0].lines == ("30 maps of 20 s", "30 reduces of 2 s")
    click(window, "J2")
    assert window.question.text() == "All done after 24 s"
    assert compared(qtbot, window).own.makespan == 24
    assert [(bar.title, bar.value) for bar in window.results.bars.bars] == [
        ("Yours", 24),
        ("FIFO", 42),
        ("Johnson", 24),
        ("Lower bound", 24),
    ]
    assert "As short as the best." in window.results.words.text()


def test_the_five_jobs_in_johnsons_order_and_side_by_side(qtbot, five) -> None:
    for name in ("J2", "J5", "J1", "J4"):
        assert five.view.content.selected_idle.slot == 0
        click(five, name)
    result = compared(qtbot, five)
    assert (result.own.makespan, result.is_best, result.proved) == (47, True, True)
    score = kept_scores()[-1]
    assert (score["lesson"], score["right"], score["tries"]) == ("By hand: Five jobs", "yes", "1")
    assert score["answer"] == "47 s; FIFO 1 min 14 s, Johnson 47 s; bound 47 s"
    editor = five._editor
    five.results.beside_button.click()
    scenarios = editor.document.scenarios
    assert [each.choice.id for each in scenarios] == ["fifo", "johnson", "by-hand"], "they stood there"
    assert scenarios[2].choice.parameters["picks"].startswith("J2.map.1-30, J5.map.1-30, J2.reduce.1-30")
    assert five._view_state.active_scenario == scenarios[2].id
    editor.undo_stack.undo()
    assert len(editor.document.scenarios) == 2


def test_slot_by_slot_with_keys_and_back_to_the_beginning(qtbot, play) -> None:
    window = play(replace(two_stage_workload([(4, 2), (1, 2)], tasks=3), cluster=Cluster(2, 1, 1.0)))
    window.all_box.click()
    QTest.keyClick(window, KEY.Key_2)
    assert window.question.text().startswith("At 0:00 map slot M2 is free")
    assert window.undo_button.isEnabled()
    QTest.keyClick(window, KEY.Key_0)
    assert window.game.now == 1, "left free up to the end of J2's map"
    QTest.keyClick(window, KEY.Key_1)
    for _ in range(3):
        QTest.keyClick(window, KEY.Key_Backspace)
    assert (window.game.now, window.game.can_undo) == (0, False)
    QTest.keyClick(window, KEY.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert window.game.started == 1
    QTest.keyClick(window, KEY.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.game.started == 0
    QTest.keyClick(window, KEY.Key_0)
    assert "nothing runs and no job is to arrive" in window.messages.message.sentence
    assert window._editor.undo_stack.count() == 0


def test_fifo_finishes_and_a_worse_schedule_is_told_why(qtbot, five) -> None:
    click(five, "J3")
    five.finish_button.click()
    result = compared(qtbot, five)
    for key in (KEY.Key_0, KEY.Key_1):
        QTest.keyClick(five, key)
    assert five.messages.message is None, "there is nothing to give any more"
    assert not result.is_best
    assert "The first difference: at 0:00 you gave slot M1 to J3; Johnson gives slot M1 to J2." in (
        five.results.words.text()
    )
    five.undo_button.click()
    assert five.pages.currentWidget() is five.cards
    five.undo_button.click()
    assert five.game.now == 0


def test_the_axis_does_not_tell_the_end_and_the_charts_behind_are_veiled(five) -> None:
    assert five.axis.extent[1] == 100
    assert five._view_state.veil.is_down
    five.close()
    assert not five._view_state.veil.is_down
    five._view_state.veil.hide_from(7.0)
    five.begin(BY_HAND)
    five.close()
    assert five._view_state.veil.is_down, "that is a lesson's"


def test_escape_closes_it(five) -> None:
    click(five, "J2")
    QTest.keyClick(five.cards.list, KEY.Key_Escape)
    assert not five.isVisible()
    assert not five._view_state.veil.is_down


def test_the_clock_gives_the_slot_to_the_job_in_front(five) -> None:
    five.clock.choice.setCurrentIndex(LIMITS.index((5.0, True)))
    five.clock.pass_time(4.0)
    assert five.game.started == 0
    five.clock.pass_time(1.5)
    assert five.game.started == 30
    assert (five.question.text()[:9], names(five)) == ("At 0:04 m", ["J2", "J3", "J4", "J5"])
    assert five.clock.left == 5, "a new decision has its own time"


def test_when_the_time_of_the_game_is_over_fifo_goes_on(five) -> None:
    five.clock.choice.setCurrentIndex(LIMITS.index((60.0, False)))
    five.clock.pass_time(30.0)
    click(five, "J2")
    assert five.clock.left == 30
    five.clock.pass_time(31.0)
    assert five.game.is_over
    five.results.forget()


def test_sixty_jobs_can_be_searched_and_sorted(qtbot, play) -> None:
    window = play(two_stage_workload([(1 + i % 7, 1 + i % 5) for i in range(60)], tasks=2))
    cards = window.cards
    assert len(names(window)) == 60
    assert cards.list.height() < 3 * cards.list.card_height
    assert cards.field.isVisible()
    QTest.keyClicks(cards.field, "j4")
    assert names(window) == ["J4", *(f"J{i}" for i in range(40, 50))]
    cards.sort.setCurrentText("Shortest maps first")
    assert names(window)[:2] == ["J43", "J44"]
    QTest.keyClick(window, KEY.Key_1)
    assert window.game.picks.startswith("J43.map.1-2")


def test_a_document_that_has_changed_gets_no_scenarios(qtbot, five) -> None:
    click(five, "J2")
    five.finish_button.click()
    compared(qtbot, five)
    five._editor.delete_jobs({0})
    five.results.beside_button.click()
    assert "play again" in five.messages.message.sentence
    five.results.again_button.click()
    assert names(five) == ["J2", "J3", "J4", "J5"]


def test_a_question_of_a_lesson_is_answered_by_hand(qtbot, window_of_module, tmp_path) -> None:
    window, path = window_of_module, tmp_path / "hand.lesson.json"
    question = {"kind": "by-hand", "text": "Can you do it in 11 s?"}
    step = {"title": "Your turn", "text": "", "view": FIFO, "veil": {"from": 0}, "question": question}
    path.write_text(lesson_text([step]))
    open_lesson(qtbot, window, path)
    box = window.lessons.steps.pane.question
    assert box.check_button.text() == "Be the &scheduler…"
    box.check_button.click()
    hand = window.lessons.hand
    assert names(hand) == ["a", "b"]
    click(hand, "b")
    qtbot.waitUntil(lambda: not box.verdict.isHidden())
    assert box.verdict.text().startswith("✔ Right. Your schedule takes 11 s; the best order takes 11 s.")
    assert not window.view_state.veil.is_down
    assert [row["question"] for row in kept_scores()][-1] == "by-hand"
    leave_all(window)
    question |= {"objective": "mean-response"}
    path.write_text(lesson_text([step | {"question": question}]))
    open_lesson(qtbot, window, path)
    box.check_button.click()
    assert hand.aim_choice.currentText() == "Mean response"
    click(hand, "b")
    qtbot.waitUntil(lambda: not box.verdict.isHidden())
    assert "✔ Right. Your schedule has a mean response of 10 s" in box.verdict.text()
    hand.close()
    shutdown_workers(hand)
    hand.deleteLater()  # the window is used by other tests
    window.lessons.hand = None
    leave_all(window)


def test_the_colours_of_all_cards_are_looked_up_once(play, monkeypatch):
    looked_up = []
    monkeypatch.setattr(
        hand_window, "job_colours", lambda *asked: looked_up.append(asked) or job_colours(*asked)
    )
    game = play(two_stage_workload([(4, 2)] * 20))
    assert len(names(game)) == 20
    assert len(looked_up) == 1


def test_to_play_again_on_a_cluster_that_cannot_run_the_jobs_gets_a_sentence(five):
    five._scenario = replace(BY_HAND, cluster=Cluster(30, 0))
    five.play_again()
    assert "no reduce slot" in five.messages.message.sentence


def judged(qtbot, window: HandWindow) -> str:
    """Return what is said of the last decision, once that is known."""
    qtbot.waitUntil(
        lambda: not window.verdict.judge.is_busy and window.verdict.words.text() not in ("", JUDGING)
    )
    return window.verdict.words.text()


def test_each_decision_says_what_it_cost_and_taking_it_back_says_so_of_the_one_before(qtbot, five) -> None:
    click(five, "J2")
    assert judged(qtbot, five).startswith("This cost nothing: 47 s is still in reach")
    click(five, "J3")
    assert judged(qtbot, five) == (
        "This cost 26 s: before it 47 s could be reached, now 1 min 13 s at best (proved)."
    )
    five.undo_button.click()
    assert judged(qtbot, five).startswith("This cost nothing")
    five.redo_button.click()
    assert judged(qtbot, five).startswith("This cost 26 s")
    five.verdict.box.click()
    assert five.verdict.words.text() == ""
    five.finish_button.click()
    compared(qtbot, five)
    assert five.results.dear.isHidden()
    five.verdict.box.click()
    qtbot.waitUntil(lambda: not five.results.dear.isHidden())
    assert five.results.dear.list.item(0).text() == "0:01 M1: J3's map, cost 26 s (proved)"


def test_a_dear_decision_leads_to_its_instant(qtbot, five) -> None:
    for name in ("J2", "J3"):
        click(five, name)
    five.finish_button.click()
    result = compared(qtbot, five)
    assert judged(qtbot, five)
    dear = five.results.dear.list
    assert five.present.seconds == five.game.now
    QTest.mouseClick(
        dear.viewport(), Qt.MouseButton.LeftButton, pos=dear.visualItemRect(dear.item(0)).center()
    )
    assert five.present.seconds == 1
    assert [(each.slot, each.seconds) for each in five.view.content.pointers] == [(0, 1.0)]
    assert five.verdict.words.text().startswith("This cost 26 s")
    assert five.results.result is result, "it is not compared again"
    five.undo_button.click()
    assert five.present.seconds == five.game.now
    assert five.results.dear.isHidden()


def test_a_game_has_another_aim(qtbot, five) -> None:
    aims = [five.aim_choice.itemText(place) for place in range(five.aim_choice.count())]
    assert aims == ["Makespan", "Mean response"]
    click(five, "J2")
    five.aim_choice.setCurrentIndex(1)
    five.aim_choice.activated.emit(1)
    assert "mean response at least 22.8 s in any schedule without lending slots" in five.line.text()
    assert "a mean response of" in judged(qtbot, five)
    for name in ("J5", "J1", "J4"):
        click(five, name)
    result = compared(qtbot, five)
    assert (result.aim, [rival.title for rival in result.rivals][:2]) == (
        "mean-response",
        ["FIFO", "Shortest job first"],
    )
    scores = kept_scores()
    assert scores[-1]["question"].endswith(", mean response")
    five.aim_choice.setCurrentIndex(0)
    five.aim_choice.activated.emit(0)
    assert compared(qtbot, five).aim == "makespan"
    assert kept_scores() == scores, "a game is one line, by whatever aim it is looked at afterwards"
