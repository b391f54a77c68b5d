"""Where the user's library lies, on every platform and for users without a folder."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import pytest

from core.trace_database import connection


@pytest.mark.parametrize(
    ("platform", "environment", "expected"),
    [
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data"),
        ("linux", {"HOME": "/home/ann"}, "/home/ann/.local/share"),
        (
            "darwin",
            {"HOME": "/Users/ann", "XDG_DATA_HOME": "/data"},
            "/Users/ann/Library/Application Support",
        ),
        ("win32", {"APPDATA": "/roaming"}, "/roaming"),
        ("win32", {"HOME": "/home/ann"}, "/home/ann/AppData/Roaming"),
    ],
)
def test_the_folder_of_application_data(monkeypatch, platform, environment, expected):
    for name in ("XDG_DATA_HOME", "HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert connection.default_library() == Path(expected) / "slotscope" / "library.sqlite"


def test_a_user_without_a_folder(monkeypatch):
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    monkeypatch.setattr(sys, "platform", "linux")
    assert connection.default_library().is_relative_to(tempfile.gettempdir())
