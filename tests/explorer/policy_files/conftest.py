"""Policy files in a folder of the test, and what follows them."""

from __future__ import annotations

import os
from functools import partial

import pytest

from explorer.policy_files.trust import Trust
from explorer.session.settings import WindowSettings

GOOD = """from core.policies.policy import Policy


class Mine(Policy):
    "Mine alone."

    def key(job):
        return {}
"""


class File:
    """A policy file, written as editors do."""

    def __init__(self, path):
        self.path = path

    @property
    def id(self):
        return str(self.path)

    def write(self, key="-job.rank"):
        """Write in place."""
        self.path.write_text(key if "\n" in key else GOOD.format(key), encoding="utf-8")
        return self

    def swap(self, key):
        """Write another file and put it in the place of this one."""
        other = self.path.with_suffix(".swp")
        other.write_text(GOOD.format(key), encoding="utf-8")
        os.replace(other, self.path)

    def away_and_back(self, key):
        """Move the file away, and write a new one."""
        os.replace(self.path, self.path.with_suffix(".bak"))
        self.write(key)


@pytest.fixture
def file(tmp_path):
    return File(tmp_path / "mine.py").write()


@pytest.fixture
def settings(tmp_path):
    return WindowSettings(tmp_path / "settings.ini")


@pytest.fixture
def new_trust(settings, tmp_path):
    """Make what a window that starts now knows of what was agreed to."""
    return partial(Trust, settings, tmp_path / "trusted")
