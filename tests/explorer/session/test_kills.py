"""After kill -9 at any instant the last committed edit is there, with its undo: 200 kills if `--thorough`."""

from __future__ import annotations

import os
import subprocess
import sys

from tests import random_tests
from tests.explorer.session.kills import check
from tests.paths import ROOT

FEW, MANY = range(3), range(90)
"""Seeds; each stands for two kills."""
WINDOWS = range(100, 110)
SECONDS = 600


def killed(folder, seeds, *options):
    """Let victims be killed in processes of their own, and count the edits that were recovered."""
    command = [sys.executable, "-m", "tests.explorer.session.kills", *options, folder, *map(str, seeds)]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, timeout=SECONDS, capture_output=True)
    return sum(check(folder / str(seed), seed) for seed in seeds)


def test_no_committed_edit_is_lost(tmp_path):
    assert killed(tmp_path, MANY if random_tests.is_thorough else FEW) > 0


if random_tests.is_thorough:

    def test_no_committed_edit_of_a_whole_window_is_lost(tmp_path):
        assert killed(tmp_path, WINDOWS, "--window") > 0
