"""Calculations in a worker: answers come back, newer requests win, nothing is answered after a cancel."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import QThreadPool

from explorer.widgets.latest_worker import LatestWorker


@pytest.fixture
def calculation(qapp):
    calculation = LatestWorker()
    yield calculation
    calculation.cancel()
    QThreadPool.globalInstance().waitForDone()


def test_answers_come_from_another_thread(qtbot, calculation):
    with qtbot.waitSignal(calculation.finished) as heard:
        calculation.start(threading.get_ident)
        assert calculation.is_busy
    assert heard.args[0] != threading.get_ident()
    assert not calculation.is_busy


def test_errors_are_answers_too(qtbot, calculation):
    with qtbot.waitSignal(calculation.failed) as heard:
        calculation.start(lambda: 1 / 0)
    assert isinstance(heard.args[0], ZeroDivisionError)


def test_only_the_newest_is_answered_and_those_between_never_run(qtbot, calculation):
    gate, ran, answers = threading.Event(), [], []
    calculation.finished.connect(answers.append)
    calculation.start(lambda: gate.wait(5) and ran.append(1))
    calculation.start(lambda: ran.append(2))
    calculation.start(lambda: ran.append(3) or "newest")
    gate.set()
    qtbot.waitUntil(lambda: bool(answers))
    assert answers == ["newest"]
    assert ran == [1, 3]


def test_nothing_is_answered_after_a_cancel(qtbot, calculation):
    gate, answers = threading.Event(), []
    calculation.finished.connect(answers.append)
    calculation.start(lambda: gate.wait(5))
    calculation.cancel()
    gate.set()
    with qtbot.waitSignal(calculation.finished):
        calculation.start(lambda: "later")
    assert answers == ["later"]
