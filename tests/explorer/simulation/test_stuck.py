"""What is not wanted any more is nobody's, and a policy that sleeps does not hold the window's end."""

from __future__ import annotations

import os
import subprocess
import sys
import threading

import pytest

from core.model.errors import Cancelled
from core.model.schedule import PolicyChoice
from explorer.simulation.outcome import compute
from explorer.simulation.request import request_of
from explorer.simulation.runner import Runner
from tests.paths import ROOT

ORDER = ("J5", "J4", "J3", "J2", "J1")


class Stubborn:
    """Computes as the real one does, but never looks whether it should stop while the gate is closed."""

    def __init__(self):
        self.gate = threading.Event()
        self.stuck = 0

    def __call__(self, request, engine, progress, should_stop):
        if request.order == ORDER:
            self.stuck += 1
            self.gate.wait()
            raise Cancelled("at last")
        return compute(request, "interpreted", progress, should_stop)


@pytest.fixture
def stubborn(editor, document):
    for scenario in document.scenarios:
        editor.choose_policy(scenario.id, PolicyChoice("/somewhere/mine.py"))
    editor.make_baseline(editor.add_scenario(PolicyChoice("fifo")))
    stubborn = Stubborn()
    yield stubborn
    stubborn.gate.set()


def test_others_are_simulated_meanwhile(editor, document, stubborn, qtbot):
    runner = Runner(document, stubborn)
    editor.drop_order(1, ORDER)
    editor.drop_order(2, ORDER)
    runner.look_again()
    qtbot.waitUntil(lambda: stubborn.stuck >= 1)
    third = editor.add_scenario(PolicyChoice("/somewhere/other.py"))
    editor.drop_order(third, ORDER)
    fourth = editor.add_scenario(PolicyChoice("fifo"))
    qtbot.waitUntil(lambda: runner.outcome(fourth) is not None)
    stubborn.gate.set()
    runner.shutdown()


def test_what_runs_is_what_was_asked_last(editor, document, stubborn, qtbot):
    """An answer that comes after all is nobody's any more."""
    runner = Runner(document, stubborn)
    failed = []
    runner.failed.connect(lambda scenario, _error: failed.append(scenario))
    editor.drop_order(1, ORDER)
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

class Session(app.WindowSession):
    def start(self):
        own = self.window.own_policies
        self.window.editor.add_scenario(PolicyChoice(own.files.agree(read_policy_file(Path(sys.argv[1])))))
        self.timer = QTimer(interval=20)
        self.timer.timeout.connect(self.look)
        self.timer.start()

    def look(self):
        if "it sleeps" in Path(sys.argv[2]).read_text():
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
        print("it sleeps", flush=True)
        time.sleep(600)
"""


def test_a_window_closes_although_a_policy_sleeps(tmp_path):
    policy, said = tmp_path / "sleeper.py", tmp_path / "said"
    policy.write_text(SLEEPER, encoding="utf-8")
    own_folders = {f"XDG_{name}_HOME": str(tmp_path / name) for name in ("DATA", "CONFIG", "STATE")}
    environment = os.environ | own_folders | {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", PROGRAM, str(policy), str(said)]
    with said.open("w") as errors:
        answer = subprocess.run(command, env=environment, cwd=ROOT, stderr=errors, timeout=60, check=False)
    assert answer.returncode == 0, said.read_text()
    assert "it sleeps" in said.read_text()
