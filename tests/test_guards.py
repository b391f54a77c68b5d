"""Guards against packages that would break Slotscope without saying so."""

import sys
import tomllib
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement
from PySide6.QtCore import QObject

import core
import explorer

ROOT = Path(__file__).parents[1]


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
