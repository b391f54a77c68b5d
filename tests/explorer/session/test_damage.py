"""No byte of a session or of the settings, whatever it is changed to, stops a window."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import random_tests

ROOT = Path(__file__).parents[3]


PARTS = 8 if random_tests.is_thorough else 1


@pytest.mark.parametrize("part", range(1, PARTS + 1))
@pytest.mark.parametrize(("kind", "few"), [("session", 12), ("settings", 2)])
def test_one_changed_byte_stops_no_window(kind, few, part):
    count = 1_000_000 if random_tests.is_thorough else few
    share = [str(count), f"{part}/{PARTS}"]
    command = [sys.executable, "-m", "tests.explorer.session.damage", kind, *share]
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    numbers = re.findall(r"\d+", done.stdout.splitlines()[-1])
    assert sum(map(int, numbers)) >= few
