"""Change one operator or number of the program at a time, and count which of these faults the tests catch.

    python -m tests.mutations [--count 60] [--seed 1] [--only core/engine ...]

`make mutate` calls it in an environment that has cosmic-ray, which makes the faults. Each one is put into a
copy of this folder; the tests of the same package run first, and if they pass those of `BEYOND`. What they
miss is printed as a difference. It ends with 1 if the share that is caught is below `MIN_SHARE`, else with 0.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

from tests.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOMS = ("core/engine", "core/optimize", "core/planning", "core/measures", "explorer/gantt/geometry")
BEYOND = {
    "core": ("tests/core/engine", "tests/core/simulation", "tests/core/optimize"),
    "explorer": ("tests/explorer/gantt",),
}
"""Tests that run when those of a fault's own package pass."""
LEFT_OUT = (
    "AddDecorator",
    "ExceptionReplacer",
    "NoOp",
    "RemoveDecorator",
    "VariableInserter",
    "VariableReplacer",
)
"""Operators whose faults change no result, or cannot be told from another program."""
MIN_SHARE = 0.9
MAX_SLOWER = 5.0
"""As many times as long as without a fault the tests may take: then a loop that never ends is caught."""
Place = tuple[int, int]


class Fault(NamedTuple):
    """A change of one place: the module, the operator of cosmic-ray, and which of its places."""

    module: str
    operator: str
    occurrence: int


def main() -> int:
    """Return whether too many faults pass."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutations", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=60, metavar="N", help="faults of each room (default 60)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="same seed, same faults (default 1)")
    parser.add_argument("--only", nargs="+", default=ROOMS, metavar="ROOM", help=f"of {', '.join(ROOMS)}")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "slotscope"
        _copy_to(copy)
        shares = [_share_caught(copy, room, options.count, options.seed) for room in options.only]
    return int(min(shares) < MIN_SHARE)


def _copy_to(copy: Path) -> None:
    """Copy what belongs to the program."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)


def _share_caught(copy: Path, room: str, count: int, seed: int) -> float:
    """Return which part of some faults of a room the tests catch, and print the others."""
    draw = random.Random(f"{seed} {room}")
    faults = list(_faults(copy, room))
    drawn = draw.sample(faults, min(count, len(faults)))
    own, beyond = (f"tests/{room}",), BEYOND[room.partition("/")[0]]
    limits = [_seconds(copy, folders) * MAX_SLOWER for folders in (own, beyond) if folders]
    caught = 0
    for done, fault in enumerate(drawn, 1):
        path = copy / fault.module
        right = path.read_text()
        wrong = mutate_code(right, get_operator(fault.operator)(), fault.occurrence)
        path.write_text(wrong)
        is_caught = any(
            not _pass(copy, folders, limit) for folders, limit in zip((own, beyond), limits, strict=False)
        )
        path.write_text(right)
        caught += is_caught
        print(f"{room} {done}/{len(drawn)}: {caught} caught", end="\r" if is_caught else "\n", flush=True)
        if not is_caught:
            print("".join(_difference(fault.module, right, wrong)), flush=True)
    share = caught / len(drawn)
    print(f"{room}: {caught} of {len(drawn)} caught, {share:.0%}; there are {len(faults)} places")
    return share


def _seconds(copy: Path, folders: tuple[str, ...]) -> float:
    """Return how long tests take without a fault; they have to pass."""
    begun = time.monotonic()
    if not _pass(copy, folders, None):
        raise SystemExit(f"{' '.join(folders)}: these tests fail without any fault")
    return time.monotonic() - begun


def _pass(copy: Path, folders: tuple[str, ...], limit: float | None) -> bool:
    """Whether all tests of some folders pass, within so many seconds."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    command += ["--hypothesis-profile", "ci", *folders]
    try:
        ended = subprocess.run(command, cwd=copy, capture_output=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return False
    return ended.returncode == 0


def _faults(copy: Path, room: str) -> Iterator[Fault]:
    """Yield one fault for each place of a room's modules that some operator changes, drawn by its place."""
    names = [name for name in operator_names() if name.partition("/")[2] not in LEFT_OUT]
    for path in sorted((copy / room).rglob("*.py")):
        source, module = path.read_text(), path.relative_to(copy).as_posix()
        idle = _lines_without_effect(source)
        nodes = list(ast_nodes(get_ast(source)))
        found: dict[tuple[Place, Place], list[Fault]] = {}
        for name in names:
            operator = get_operator(name)()
            places = (place for node in nodes for place in operator.mutation_positions(node))
            for occurrence, (begin, end) in enumerate(places):
                if begin[0] not in idle:
                    found.setdefault((begin, end), []).append(Fault(module, name, occurrence))
        for place, faults in found.items():
            yield random.Random(f"{module} {place}").choice(faults)


def _lines_without_effect(source: str) -> set[int]:
    """Return the lines of annotations and of what is only there for type checkers."""
    idle: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        parts: list[ast.expr | ast.stmt | None] = []
        if isinstance(node, ast.FunctionDef):
            every = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
            parts = [node.returns, *(argument.annotation for argument in every)]
        elif isinstance(node, ast.AnnAssign):
            parts = [node.annotation]
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            parts = [node]
        for part in parts:
            if part is not None:
                idle.update(range(part.lineno, (part.end_lineno or part.lineno) + 1))
    return idle


def _difference(module: str, right: str, wrong: str) -> Iterator[str]:
    """Yield the lines of a difference."""
    yield from difflib.unified_diff(
        right.splitlines(keepends=True), wrong.splitlines(keepends=True), module, "with the fault", n=1
    )


if __name__ == "__main__":
    sys.exit(main())
