"""Run pytest in a child that has imported what is not ours already: a fault then costs seconds less."""

from __future__ import annotations

import multiprocessing
import os
import resource
import sys
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

OURS = ("core", "explorer", "slotscope", "tests", "benchmarks")
LARGE: tuple[str, ...] = (
    "numpy",
    "pandas",
    "scipy.stats",
    "numba",
    "hypothesis",
    "pytest",
    "simpy",
    "ortools",
)
LARGE += ("PySide6.QtWidgets", "pyqtgraph", "pyarrow")
OUTPUT = "output.txt"
"""The file in the copy that has what pytest prints."""
MAX_MEMORY = 8 << 30
"""Bytes: a fault may well fill a list without end."""


def run_tests(copy: Path, arguments: Sequence[str], seconds: float | None) -> int | None:
    """Return the status of pytest in a copy of the program, None if it did not end within so many seconds."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    for name in LARGE:
        import_module(name)
    child = multiprocessing.get_context("fork").Process(target=_run, args=(copy, arguments))
    child.start()
    child.join(seconds)
    if child.exitcode is None:
        child.kill()
        child.join()
        return None
    return child.exitcode


def _run(copy: Path, arguments: Sequence[str]) -> None:
    import pytest

    os.setsid()
    with (copy / OUTPUT).open("w") as output:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
    resource.setrlimit(resource.RLIMIT_DATA, (MAX_MEMORY, MAX_MEMORY))
    os.chdir(copy)
    for name in [name for name in sys.modules if name.partition(".")[0] in OURS]:
        del sys.modules[name]
    sys.path[0] = str(copy)
    os._exit(pytest.main([*arguments]))
