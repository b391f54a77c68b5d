"""Whatever is given to whichever option, the answer is a result or a sentence, and its exit code."""

from __future__ import annotations

import argparse
import random
from typing import TYPE_CHECKING

import pytest

from core.model.visible_text import visible
from explorer.cli.run import build_parser, run
from tests import random_tests

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FEW = 60
VALUES = (
    "",
    " ",
    "x",
    "-1",
    "0",
    "1",
    "nan",
    "inf",
    "-inf",
    "1e400",
    "1e-400",
    "9" * 40,
    "1" * 5000,
    "0x10",
    "²",
    "\x1b[31mred",
    "\x9b31m",
    "\u202e",
    "\udcff",
    "[red]x[/red]",
    "[/]",
    "%s",
    "{}",
    "\t",
    "a\nb",
    "名",
    ",",
    ",,",
    "=",
    "a=b=c",
    "x=",
    "=x",
    "a=1,a=2",
    "1,2",
    "5x5",
    "0x0",
    "99999x99999",
    "8xGB",
    "1GB,-1",
    ".",
    "nowhere/x",
    "n" * 300,
    "a/" * 3000,
    "x.csv",
    "x.png",
    "x.parquet",
    "-",
    "fifo",
    "fifo,fifo",
    "five-jobs",
    "J1",
    "J1.map.0",
    "error=nan",
    "profile=five-jobs",
    "2011-02-30",
)
WORKLOAD = "five-jobs"
NEEDED = {
    "simulate": [WORKLOAD],
    "compare": [WORKLOAD, "--policies", "fifo"],
    "explain": [WORKLOAD],
    "fidelity": [WORKLOAD],
    "scans": ["ten-scans"],
    "render": [WORKLOAD, "--policies", "fifo", "--out", "x.svg"],
    "page": [WORKLOAD, "--policies", "fifo", "--out", "x.html"],
    "export": [WORKLOAD, "--policies", "fifo", "--out", "x.csv"],
    "import": [WORKLOAD, "--out", "x.json"],
    "generate": ["facebook", "-p", "jobs=3", "--out", "x.json"],
    "deadlines": [WORKLOAD, "--out", "x.json"],
    "scale": [WORKLOAD, "--out", "x.json"],
    "fit": [WORKLOAD, "--job", "J1"],
    "lesson show": ["why-order-matters"],
    "lesson check": ["why-order-matters"],
    "lesson pack": ["why-order-matters", "--out", "x.json"],
    "lesson page": ["the-shuffle-that-hides", "--out", "x.html"],
    "study figures": ["--out", "figures", "--only", "000-figure-14"],
    "library import": [WORKLOAD],
    "library show": ["1"],
    "library compare": ["1", "2"],
    "library workload": ["1", "--out", "x.json"],
    "library delete": ["1"],
    "library restore": ["1"],
}
"""What a command cannot do without."""


def commands() -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Yield every command that ends by itself at once, and its parser."""
    for name, parser in build_parser()[1].choices.items():
        inner = [each for each in parser._actions if isinstance(each, argparse._SubParsersAction)]
        for action in inner:
            yield from ((f"{name} {each}", below) for each, below in action.choices.items())
        if not inner and name != "bench":
            yield name, parser


def calls() -> list[list[str]]:
    """Return calls with one nonsense value each: for an option, or in the place of a word."""
    found = []
    for name, parser in commands():
        needed = [*name.split(), *NEEDED.get(name, [])]
        for action in parser._actions:
            if not action.option_strings:
                found += [[*name.split(), value, *needed[len(name.split()) + 1 :]] for value in VALUES]
            elif action.nargs != 0:
                found += [[*needed, f"{action.option_strings[-1]}={value}"] for value in VALUES]
    return found


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_no_value_of_any_option_gets_through_unanswered(capfd: pytest.CaptureFixture[str]) -> None:
    every = calls()
    for call in every if random_tests.is_thorough else random.Random(10).sample(every, FEW):
        code = run(call)
        captured = capfd.readouterr()
        assert code in (0, 2), (call, captured.err)
        assert bool(captured.err) >= (code == 2), call
        assert all(line.startswith("slotscope: ") for line in captured.err.splitlines()), (call, captured.err)
        assert visible(captured.err, "\n") == captured.err, call
