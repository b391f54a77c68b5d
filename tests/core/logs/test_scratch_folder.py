"""Folders that a killed import left are removed by the next one; those in use are not."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from core.logs import scratch_folder as scratch

HOLD = """
from core.logs.scratch_folder import scratch_folder
with scratch_folder() as folder:
    print(folder, flush=True)
    input()
"""


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_folder_in_use_stays_and_that_of_a_killed_process_goes(temporary):
    holder = subprocess.Popen([sys.executable, "-c", HOLD], stdin=-1, stdout=-1, text=True)
    folder = holder.stdout.readline().strip()
    with scratch.scratch_folder() as own:
        assert {str(path) for path in temporary.iterdir()} == {folder, str(own)}
    holder.send_signal(signal.SIGKILL)
    holder.communicate()
    assert [str(path) for path in temporary.iterdir()] == [folder]
    with scratch.scratch_folder() as own:
        assert list(temporary.iterdir()) == [own]
    assert list(temporary.iterdir()) == []


def test_a_folder_without_a_lock_is_left_alone(temporary):
    (temporary / "slotscope-import-new").mkdir()
    with scratch.scratch_folder():
        pass
    assert [path.name for path in temporary.iterdir()] == ["slotscope-import-new"]


def test_a_folder_that_another_process_took_away_is_made_again(temporary, monkeypatch):
    """Between the making of a lock file and its lock, a folder looks like one that was left."""
    lock, taken = scratch._is_locked_by_us, []

    def lock_of_a_folder_that_goes_once(file):
        if not taken:
            taken.append(Path(file.name).parent)
            shutil.rmtree(taken[0])
        return lock(file)

    monkeypatch.setattr(scratch, "_is_locked_by_us", lock_of_a_folder_that_goes_once)
    with scratch.scratch_folder() as own:
        assert taken
        assert own not in taken
        assert own.is_dir()
    assert not list(temporary.iterdir())
