"""Guards against packages that would break Slotscope without saying so."""

import os
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement
from PySide6.QtCore import QObject
from pyvirtualdisplay.display import Display

import core
import explorer
from tests.paths import ROOT

OPEN_A_WINDOW = """
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
application = QApplication([])
label = QLabel("Slotscope")
label.show()
assert QTest.qWaitForWindowExposed(label, 10_000)
print(application.platformName())
"""


def test_qt_calls_do_not_lose_references_to_none() -> None:
    """PySide6 6.12.0 on Python 3.11 loses one reference per call until the process aborts."""
    thing = QObject()
    thing.parent()
    before = sys.getrefcount(None)
    for _ in range(200):
        thing.parent()
    assert abs(sys.getrefcount(None) - before) < 100


def test_installed_qt_is_in_the_measured_range() -> None:
    """6.11.0 and 6.11.1 have dock faults, 6.12.0 aborts; the range in pyproject.toml leaves them out."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    (qt,) = (item for item in map(Requirement, declared) if item.name == "PySide6-Essentials")
    assert version("PySide6-Essentials") in qt.specifier
    for broken in ("6.11.0", "6.11.1", "6.12.0"):
        assert broken not in qt.specifier


@pytest.mark.parametrize("package", [core, explorer])
def test_the_packages_are_ours(package: ModuleType) -> None:
    """The name `core` is a global one, and pip lets a second package take it without a word."""
    assert package.__file__ is not None
    assert Path(package.__file__).parent == ROOT / package.__name__


def test_qt_opens_a_window_on_a_real_display() -> None:
    """All other tests draw offscreen, which needs fewer system libraries than a window does."""
    with Display(visible=False, size=(640, 480)) as display:
        environment = {**os.environ, **display.env(), "QT_QPA_PLATFORM": "xcb"}
        answer = subprocess.run(
            [sys.executable, "-c", OPEN_A_WINDOW],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
    assert answer.stdout == "xcb\n", answer.stderr
