"""Nothing that a monkey does raises anything or holds the window, and undo takes all of it back exactly."""

from __future__ import annotations

import time

import pytest

from tests import random_tests
from tests.explorer.window import watchdog
from tests.explorer.window.monkey import let_loose
from tests.explorer.window.watchdog import Watchdog

SEEDS, ACTIONS = ((1, 2), 10_000) if random_tests.is_thorough else ((1,), 100)


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_a_monkey_does_raises_nothing_holds_nothing_and_leaves_nothing(window, seed, tmp_path):
    assert let_loose(window, seed, ACTIONS, tmp_path, stays=False) >= 0


@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_monkey_does_to_one_document_can_be_undone_and_redone_exactly(window, seed, tmp_path):
    assert let_loose(window, seed, ACTIONS // 2, tmp_path, stays=True) > 0


def test_who_holds_the_thread_is_told_with_its_stack(qapp, monkeypatch):
    monkeypatch.setattr(watchdog, "MAX_HELD", 0.05)
    monkeypatch.setattr(watchdog, "STACK_EVERY", 0.05)
    dog = Watchdog()
    dog.start()
    try:
        begun = time.thread_time()
        while not dog.has_seen_a_hold and time.thread_time() < begun + 60:  # a busy machine lets it look late
            pass
        dog.beat()
        qapp.processEvents()  # which is no hold
    finally:
        dog.stop()
    (hold,) = dog.holds
    assert hold.seconds > 0.05
    assert "test_who_holds_the_thread" in str(hold)
