"""Work in threads: answers come back, in the order asked for; nothing is answered after a cancel."""

from __future__ import annotations

import threading
import time
import weakref
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QThreadPool

from core.model.errors import Cancelled
from explorer.widgets import worker as worker_module
from explorer.widgets.worker import Order, Worker

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.fixture
def worker(qapp):
    worker = Worker()
    yield worker
    worker.cancel()
    QThreadPool.globalInstance().waitForDone()


def test_answers_come_from_another_thread(qtbot, worker):
    with qtbot.waitSignal(worker.finished) as heard:
        worker.start(threading.get_ident)
        assert worker.is_busy
    assert heard.args[0] != threading.get_ident()
    assert not worker.is_busy


def test_errors_are_answers_too(qtbot, worker):
    with qtbot.waitSignal(worker.failed) as heard:
        worker.start(lambda: 1 / 0)
    assert isinstance(heard.args[0], ZeroDivisionError)


def test_only_the_newest_is_answered_and_those_between_never_run(qtbot, worker):
    begun, gate, ran, answers = threading.Event(), threading.Event(), [], []
    worker.finished.connect(answers.append)
    worker.start(lambda: begun.set() or (gate.wait(60) and ran.append(1)))
    assert begun.wait(60)
    worker.start(lambda: ran.append(2))
    worker.start(lambda: ran.append(3) or "newest")
    gate.set()
    qtbot.waitUntil(lambda: bool(answers))
    assert answers == ["newest"]
    assert ran == [1, 3]


def test_nothing_is_answered_after_a_cancel(qtbot, worker):
    gate, answers = threading.Event(), []
    worker.finished.connect(answers.append)
    worker.start(lambda: gate.wait(60))
    worker.cancel()
    gate.set()
    with qtbot.waitSignal(worker.finished):
        worker.start(lambda: "later")
    assert answers == ["later"]


def test_all_of_a_queue_are_done_in_their_order(qtbot: QtBot) -> None:
    queue, heard = Worker(order=Order.QUEUE), []
    queue.finished.connect(heard.append)
    queue.failed.connect(lambda error: heard.append(type(error).__name__))
    for number in (1, 2, 0, 4):
        queue.start(lambda number=number: 12 // number)  # type: ignore[misc]
    assert queue.is_busy
    qtbot.waitUntil(lambda: not queue.is_busy)
    assert heard == [12, 6, "ZeroDivisionError", 3]


def test_questions_that_keep_coming_are_answered_the_newest_next(qtbot):
    queue, answers, gate = Worker(order=Order.QUEUE), [], threading.Event()
    queue.finished.connect(answers.append)
    queue.start_next(lambda: gate.wait(60) and 0)
    for number in (1, 2, 3):
        queue.start_next(lambda number=number: number)  # type: ignore[misc]
    gate.set()
    qtbot.waitUntil(lambda: len(answers) == 2)
    assert answers == [0, 3]
    assert not queue.is_busy


def test_a_question_that_fails_does_not_end_the_others(qtbot):
    queue, answers, errors, gate = Worker(order=Order.QUEUE), [], [], threading.Event()
    queue.finished.connect(answers.append)
    queue.failed.connect(errors.append)
    queue.start_next(lambda: gate.wait(60) and 1 / 0)
    queue.start_next(lambda: 7)
    gate.set()
    qtbot.waitUntil(lambda: answers == [7])
    assert isinstance(errors[0], ZeroDivisionError)
    queue.start_next(lambda: 8)
    queue.cancel()
    queue.start_next(lambda: 9)
    qtbot.waitUntil(lambda: answers[-1] == 9)
    assert 8 not in answers


@pytest.mark.parametrize("threads", [0, 2])
def test_each_is_called_at_once_and_one_can_be_dropped(qtbot, threads):
    each, gates = Worker(order=Order.EACH, threads=threads), {name: threading.Event() for name in "ab"}
    heard = []
    each.ended.connect(lambda run: heard.append((run.about, run.answer)))
    runs = [each.start(partial(gate.wait, 60), about=name) for name, gate in gates.items()]
    gates["b"].set()
    qtbot.waitUntil(lambda: heard == [("b", True)])
    each.start(lambda: 3, about="c")
    qtbot.waitUntil(lambda: heard[1:] == [("c", 3)])
    each.drop(runs[0])
    assert not each.is_busy
    gates["a"].set()
    qtbot.waitUntil(lambda: not each.running)
    assert len(heard) == 2


def test_work_tells_how_far_it_is_and_that_it_was_stopped(qtbot, worker):
    def work(progress, should_stop):
        progress(0.25)
        while not should_stop():
            time.sleep(0.001)
        raise Cancelled("stopped")

    with qtbot.waitSignal(worker.progressed, check_params_cb=lambda fraction: fraction == 0.25):
        worker.follow(work)
    with qtbot.waitSignal(worker.failed) as heard:
        worker.stop()
    assert isinstance(heard.args[0], Cancelled)
    assert not worker.is_busy


def test_waiting_for_all_tells_their_answers(qapp):
    own, heard = Worker(order=Order.QUEUE, threads=1), []
    own.finished.connect(heard.append)
    for number in range(3):
        own.start(lambda number=number: number)  # type: ignore[misc]
    own.wait()
    assert heard == [0, 1, 2]
    own.shutdown()


def test_a_worker_may_go_while_its_function_runs(qapp, monkeypatch):
    """Its end is told by what stays: a signal of an object that goes meanwhile ends the program."""
    worker, gate = Worker(), threading.Event()
    call = worker.start(gate.wait)
    gone = weakref.ref(worker)
    del worker
    assert gone() is None
    monkeypatch.setattr(worker_module, "suppress", lambda *_: nullcontext())
    call.drop()
    call.execute()
    gate.set()
    QThreadPool.globalInstance().waitForDone()
    qapp.processEvents()
