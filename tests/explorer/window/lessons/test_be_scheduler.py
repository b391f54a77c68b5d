"""Being the scheduler from the menu: from the beginning, and from the time cursor on."""

from __future__ import annotations

from core.model.document_state import Scenario
from core.model.schedule import PolicyChoice


def test_from_the_cursor_on_and_back_into_the_document(qtbot, window) -> None:
    actions, document = window.actions_by_id, window.document
    actions["schedule_from_here"].trigger()
    assert "put the time cursor where you want to begin" in window.messages.message.sentence
    window.view_state.time_cursor.show_at(4.0)
    actions["schedule_from_here"].trigger()
    hand = window.lessons.hand
    assert (hand.game.now, hand.game.started) == (4, 30)
    assert [window.document.workload.jobs[each.job].name for each in hand.game.offer.candidates] == [
        "J2",
        "J3",
        "J4",
        "J5",
    ]
    assert window.view_state.veil.since(1) == 4
    hand.finish()
    qtbot.waitUntil(lambda: hand.results.result is not None)
    hand.show_side_by_side()
    assert window.runner.wait_until_idle(20_000)
    added = document.scenarios[2]
    assert window.headers.header(added.id).facts.title == "FIFO to 0:04, then By hand"
    assert window.runner.outcome(added.id).makespan == hand.results.result.own.makespan == 74
    window.editor.undo_stack.undo()
    assert len(document.scenarios) == 2


def test_from_the_beginning_by_a_key_of_its_own(window) -> None:
    keys = [spec.key for spec in window.action_specs if spec.key]
    assert len(set(keys)) == len(keys), "Qt does neither of two actions with one key, and says so to nobody"
    assert window.runner.wait_until_idle(20_000)
    cursor = window.view_state.time_cursor
    cursor.show_at(30.0, 1)
    window.actions_by_id["be_scheduler"].trigger()
    assert cursor.seconds == 0, "nothing later is to be seen"
    hand = window.lessons.hand
    assert (hand.game.now, hand.game.started, hand.isVisible()) == (0, 0, True)
    assert hand._scenario == Scenario(0, PolicyChoice("by-hand"))
    hand.close()
    assert (cursor.seconds, cursor.decision) == (30.0, 1)
