"""A user's policy that waits for ever takes a thread, but neither the others nor the window's end."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from core.model.errors import Cancelled
from core.model.schedule import PolicyChoice
from explorer.simulation import runner as runner_module
from explorer.simulation.outcome import compute, request_of
from explorer.simulation.runner import Runner
from explorer.widgets import worker as worker_module
from tests.paths import ROOT

ORDERS = [("J5", "J4", "J3", "J2", "J1"), ("J4", "J5", "J3", "J2", "J1"), ("J3", "J4", "J5", "J2", "J1")]


class Stubborn:
    """Computes as the real one does, but never looks whether it should stop while the gate is closed."""

    def __init__(self):
        self.gate = threading.Event()
        self.stuck = 0

    def __call__(self, request, engine, progress, should_stop):
        if request.order in ORDERS[:2]:
            self.stuck += 1
            self.gate.wait()
            raise Cancelled("at last")
        return compute(request, "interpreted", progress, should_stop)


@pytest.fixture
def stubborn(editor, document, monkeypatch):
    monkeypatch.setattr(worker_module, "PATIENCE_MS", 100)
    monkeypatch.setattr(runner_module, "LAST_PATIENCE_MS", 100)
    for scenario in document.scenarios:
        editor.choose_policy(scenario.id, PolicyChoice("/somewhere/mine.py"))
    stubborn = Stubborn()
    yield stubborn
    stubborn.gate.set()


def test_others_are_simulated_meanwhile(editor, document, stubborn, qtbot):
    runner = Runner(document, stubborn)
    for scenario, order in enumerate(ORDERS[:2], 1):
        editor.drop_order(scenario, order)
    runner.look_again()
    qtbot.waitUntil(lambda: stubborn.stuck == 2)  # both threads are taken
    editor.drop_order(1, ORDERS[2])
    editor.choose_policy(2, PolicyChoice("fifo"))
    qtbot.waitUntil(lambda: runner.outcome(1) is not None and runner.outcome(2) is not None)
    assert runner.outcome(1).schedule.order == ORDERS[2]
    stubborn.gate.set()
    runner.shutdown()
    assert not runner.has_stuck_thread


def test_the_end_does_not_wait_for_ever(editor, document, stubborn, qtbot):
    runner = Runner(document, stubborn)
    editor.drop_order(1, ORDERS[0])
    runner.look_again()
    qtbot.waitUntil(lambda: stubborn.stuck == 1)
    runner.shutdown()
    assert runner.has_stuck_thread
    stubborn.gate.set()
    runner.shutdown()
    assert not runner.has_stuck_thread


def test_what_runs_is_what_was_asked_last(editor, document, stubborn, qtbot):
    """An answer that comes after all is nobody's any more."""
    runner = Runner(document, stubborn)
    failed = []
    runner.failed.connect(lambda scenario, _error: failed.append(scenario))
    editor.drop_order(1, ORDERS[0])
    runner.look_again()
    qtbot.waitUntil(lambda: stubborn.stuck == 1)
    editor.choose_policy(1, PolicyChoice("fifo"))
    qtbot.waitUntil(lambda: runner.outcome(1) is not None)
    stubborn.gate.set()
    assert request_of(document.state, document.scenario(1)).order is None
    runner.shutdown()
    assert 1 not in failed


PROGRAM = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from core.policies.user_files.source import read_policy_file
from core.model.schedule import PolicyChoice
from explorer import app
from explorer.simulation import runner
runner.LAST_PATIENCE_MS = 100

class Session(app.WindowSession):
    def start(self):
        own = self.window.own_policies
        self.window.editor.add_scenario(PolicyChoice(own.files.agree(read_policy_file(Path(sys.argv[1])))))
        self.timer = QTimer(interval=20)
        self.timer.timeout.connect(self.look)
        self.timer.start()

    def look(self):
        if Path(sys.argv[2]).exists():
            self.window.editor.undo_stack.setClean()
            self.window.close()

app.WindowSession = Session
sys.exit(app.open_window([]))
"""
SLEEPER = """
import time
from core.policies.policy import Policy
class Sleeper(Policy):
    def plan():
        open({!r}, "w").close()
        time.sleep(600)
"""


def test_a_window_closes_although_a_policy_sleeps(tmp_path):
    policy, marker = tmp_path / "sleeper.py", tmp_path / "sleeps"
    policy.write_text(SLEEPER.format(str(marker)), encoding="utf-8")
    own_folders = {f"XDG_{name}_HOME": str(tmp_path / name) for name in ("DATA", "CONFIG", "STATE")}
    environment = os.environ | own_folders | {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", PROGRAM, str(policy), str(marker)]
    answer = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, timeout=60, check=False)
    assert answer.returncode == 0, answer.stderr.decode()
    assert marker.exists()
