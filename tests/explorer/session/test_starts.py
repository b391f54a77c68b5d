"""Starts that did not come through are counted, whatever ended them; windows that live are none of them."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from explorer.session.starts import Start

BEGIN = """import sys, time
from pathlib import Path
from explorer.session.starts import Start
start = Start(Path(sys.argv[1]))
start.begin()
print("begun", flush=True)
time.sleep(60)
"""


@pytest.fixture
def process(tmp_path):
    """Begin a start in a process of its own."""
    processes = []

    def begin():
        process = subprocess.Popen([sys.executable, "-c", BEGIN, str(tmp_path)], stdout=subprocess.PIPE)
        assert process.stdout.readline() == b"begun\n"
        processes.append(process)
        return process

    yield begin
    for process in processes:
        process.kill()
        process.wait()
        process.stdout.close()


def test_killed_starts_are_counted_and_living_ones_are_not(tmp_path, process):
    first, second, third = process(), process(), process()
    assert not Start(tmp_path).has_failed_before
    for each, how in ((first, signal.SIGKILL), (second, signal.SIGSEGV)):
        each.send_signal(how)
        each.wait()
    assert Start(tmp_path).has_failed_before
    start = Start(tmp_path)
    start.begin()
    start.come_through()
    assert len(list(tmp_path.iterdir())) == 2  # one that failed, and the window that lives
    assert third.poll() is None


def test_a_start_that_comes_through_clears_the_others(tmp_path):
    (tmp_path / "1.start").touch()
    start = Start(tmp_path)
    assert not start.has_failed_before
    start.begin()
    assert len(list(tmp_path.iterdir())) == 2
    assert not Start(tmp_path).has_failed_before
    start.come_through()
    start.come_through()
    assert list(tmp_path.iterdir()) == []


def test_without_a_place_for_marks_nothing_fails(tmp_path):
    (tmp_path / "starts").write_text("")
    start = Start(tmp_path / "starts")
    start.begin()
    start.come_through()
    assert not start.has_failed_before
