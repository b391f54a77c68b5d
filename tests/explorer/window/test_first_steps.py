"""First steps: each is done by doing it, can be skipped, and the card can be left."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.lessons.lesson_document import lesson_paths
from explorer.window.first_steps import NEW, STEPS, THE_END, offer
from tests.explorer.window_fixtures import block_point

LEFT, Key = Qt.MouseButton.LeftButton, Qt.Key


@pytest.fixture
def card(window):
    window.actions_by_id["first_steps"].trigger()
    yield window.first_steps
    window.first_steps.leave()


def test_every_step_is_done_by_doing_it(window, card, qtbot):
    view = window.charts.active_view
    titles = [card.title.text()]

    def done() -> None:
        assert card.isVisible()
        titles.append(card.title.text())

    assert card.count.text() == "1 of 6"
    QTest.mouseClick(view, LEFT, pos=block_point(view, 2))
    done()
    window.actions_by_id["earlier"].trigger()
    assert window.runner.wait_until_idle(60_000)
    done()
    window.actions_by_id["undo"].trigger()
    done()
    window.actions_by_id["add_scenario"].trigger()
    popup = QApplication.activePopupWidget()
    QTest.keyClicks(popup.list.field, "fair")
    QTest.keyClick(popup.list.field, Key.Key_Return)
    assert window.runner.wait_until_idle(60_000)
    done()
    window.actions_by_id["why_makespan"].trigger()
    done()
    window.actions_by_id["search"].trigger()
    window.palette_of_commands.close()
    done()
    assert titles == [*(step.title for step in STEPS), THE_END]
    QTest.mouseClick(card.leave_button, LEFT)
    assert not card.isVisible()
    assert not card._outline.isVisible()


@pytest.mark.only_looks
def test_other_deeds_do_not_finish_a_step(window, card):
    window.actions_by_id["why_makespan"].trigger()
    window.actions_by_id["why_makespan"].trigger()
    assert card.step is STEPS[0]


@pytest.mark.only_looks
def test_a_step_shows_where_it_is_done_and_steps_can_be_skipped(window, card):
    for place, step in enumerate(STEPS):
        assert card.step is step
        assert card.count.text() == f"{place + 1} of {len(STEPS)}"
        part = step.part(window)
        assert part is not None
        assert card._outline.isVisible() is part.isVisible()
        assert card._outline.size() == part.size() or not part.isVisible()
        card.grab()
        QTest.mouseClick(card.skip_button, LEFT)
    assert card.title.text() == THE_END
    assert not card.skip_button.isVisible()


@pytest.mark.only_looks
def test_escape_leaves_and_the_menu_begins_again(window, card):
    QTest.mouseClick(card.skip_button, LEFT)
    QTest.keyClick(card, Key.Key_Escape)
    assert not card.isVisible()
    window.view_state.select_job("J2")
    assert not card.isVisible()
    window.actions_by_id["first_steps"].trigger()
    assert card.isVisible()
    assert card.step is STEPS[0]


@pytest.mark.only_looks
def test_they_are_offered_once(window):
    window.settings.was_greeted = False
    card = window.first_steps
    offer(window, card)
    assert card.title.text() == NEW
    assert [button.text().replace("&", "") for button in card.offers if button.isVisible()] == [
        "First steps",
        "Lessons…",
        "Samples…",
    ]
    assert not card.skip_button.isVisible()
    QTest.mouseClick(card.begin_button, LEFT)
    assert card.step is STEPS[0]
    assert not card.begin_button.isVisible()
    card.leave()
    offer(window, card)
    assert not card.isVisible()


@pytest.mark.only_looks
@pytest.mark.parametrize("width", [1000, 1366])
def test_the_card_lies_over_no_chart_and_stays_beside_every_page(window, card, width):
    window.resize(width, 700)
    for _ in range(3):
        QApplication.processEvents()
    for name in ("inspector", "why", "optimise"):
        window.details.pages[name].bring()
        QApplication.processEvents()
        assert card.isVisible()
        assert window.details.isAncestorOf(card)
        assert card.width() <= window.details.width()
        assert card.text.height() >= card.text.heightForWidth(card.text.width())  # nothing is cut
    window.details.hide()
    assert not card._outline.isVisible()
    window.actions_by_id["first_steps"].trigger()
    assert card.isVisible()


def test_the_card_makes_room_for_a_lesson(window, qtbot):
    """In details below the charts it cut the sentence of a panel that a veil covers."""
    window.first_steps.offer()
    with qtbot.waitSignal(window.files.opened):
        window.files.open(lesson_paths()["why-order-matters"])
    assert window.lessons.steps.walk is not None
    assert not window.first_steps.isVisible()
    window.lessons.close_lesson()
