"""Whether a program opens a file: what the desktop says before and after, with programs of the test."""

from __future__ import annotations

import sys

import pytest

from explorer.policy_files import system_editor
from explorer.policy_files.system_editor import NO_EDITOR, NO_OPENER, NO_SCREEN, SystemEditor, why_not_opened


@pytest.fixture
def desktop(monkeypatch, tmp_path):
    """Write the programs of a desktop: what each prints and ends with."""
    monkeypatch.setenv("DISPLAY", ":99")
    monkeypatch.setenv("PATH", str(tmp_path))

    def install(name, prints="", status=0):
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\necho '{prints}'\nexit {status}\n")
        program.chmod(0o755)

    return install


def test_without_a_screen(monkeypatch):
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert why_not_opened("x.py") == NO_SCREEN


def test_without_a_program_that_opens(desktop):
    assert why_not_opened("x.py") == NO_OPENER


def test_without_a_program_for_texts(desktop):
    desktop("xdg-open")
    desktop("xdg-mime")
    assert why_not_opened("x.py") == NO_EDITOR


def test_a_program_that_fails(desktop):
    desktop("xdg-mime", "gedit.desktop")
    desktop("xdg-open", status=3)
    assert why_not_opened("x.py").endswith("a program that it needs is missing")
    desktop("xdg-open", status=7)
    assert why_not_opened("x.py").endswith("it ended with 7")


def test_a_program_that_opens(desktop):
    desktop("xdg-mime", "gedit.desktop")
    desktop("xdg-open")
    assert why_not_opened("x.py") == ""


def test_it_is_told_in_the_window(qtbot, monkeypatch):
    monkeypatch.setattr(system_editor, "why_not_opened", lambda _path: NO_EDITOR)
    monkeypatch.setattr(sys, "platform", "linux")
    editor = SystemEditor()
    with qtbot.waitSignal(editor.not_opened) as told:
        editor.open("/tmp/x.py")
    assert told.args == ["/tmp/x.py", NO_EDITOR]
