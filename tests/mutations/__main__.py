"""Change one operator or number of the program at a time, and count which of these faults the tests catch.

    python -m tests.mutations [--count 60] [--seed 1] [--only core/engine ...]

`make mutate` calls it in an environment that has cosmic-ray, which makes the faults. Each one is put into a
copy of this folder. The tests that call its function run, the fastest first, until one fails: those of the
same package, then those of `BEYOND` (see `tests.mutations.judging`). What they miss is printed as a
difference; a fault of `equivalent.py`, which changes nothing that a test could see, is counted apart. It ends
with 1 if the share of the others that is caught is below `MIN_SHARE`, else with 0.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import hashlib
import json
import os
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

from tests.mutations.equivalent import EQUIVALENT
from tests.mutations.forked import OUTPUT, run_tests
from tests.mutations.judging import Known, read_known, write_known
from tests.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

BEYOND: dict[str, tuple[str, ...]] = {
    "core/engine": ("tests/core/simulation",),
    "core/optimize": (),
    "core/planning": (),
    "core/measures": ("tests/core/files/test_exports.py",),
    "explorer/gantt/geometry": (),
}
"""The rooms, and the tests that run when those of a fault's own package pass."""
INTERPRETED = {"core/engine": ("jit.py", "compiled.py", "compile_cache.py")}
"""Rooms whose faults are judged by interpreted runs, but for these files, which are about compiling."""
COMPILED = (
    "annealing",
    "due_dates",
    "levers",
    "plan_costs",
    "released_tasks",
    "search_columns",
    "stage_passes",
)
"""Modules beside `*_loop` that run compiled: which tests call their functions is not known."""

NOTES = ROOT / "build" / "faults"
"""Where compiled code is kept, and which functions a test calls as long as no file that it uses changes."""
LEFT_OUT = (
    "AddDecorator",
    "ExceptionReplacer",
    "NoOp",
    "RemoveDecorator",
    "ReplaceComparisonOperator_Eq_Is",
    "ReplaceComparisonOperator_NotEq_IsNot",
    "VariableInserter",
    "VariableReplacer",
)
"""Operators whose faults change no result, or cannot be told from another program: equal small numbers are
the same object."""
MIN_SHARE = 0.9
MAX_SLOWER = 5.0
"""As many times as long as without a fault a test may take: then a loop that never ends is caught."""
MAX_QUICK = 0.5
"""Seconds below which a test runs before those that take longer."""
MIN_LIMIT = 15.0
"""Seconds that any test may take: compiled code that has a fault is compiled anew."""
ENDLESS = " (endless)"
"""Said of a fault for which the tests did not end, also when they had twice that time."""
Place = tuple[int, int]


class Fault(NamedTuple):
    """A change of one place: the module, the operator of cosmic-ray, which of its places, and its line."""

    module: str
    operator: str
    occurrence: int
    line: int


def main() -> int:
    """Return whether too many faults pass."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutations", description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=60, metavar="N", help="faults of each room (default 60)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="same seed, same faults (default 1)")
    rooms = tuple(BEYOND)
    parser.add_argument("--only", nargs="+", default=rooms, metavar="ROOM", help=f"of {', '.join(rooms)}")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "slotscope"
        _copy_to(copy)
        # not the user's, though files have names by what is compiled: wrong code stays there
        os.environ.setdefault("NUMBA_CACHE_DIR", str(NOTES / "compiled"))
        found = [_judge(copy, room, options.count, options.seed) for room in options.only]
    print("| room | places | faults drawn, seed | caught | of these endless | equivalent | share | seconds |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    print("\n".join(each.row for each in found))
    return int(min(each.share for each in found) < MIN_SHARE)


class Found(NamedTuple):
    """What became of a room's faults."""

    room: str
    places: int
    drawn: int
    seed: int
    caught: int
    endless: int
    equivalent: int
    seconds: float

    @property
    def share(self) -> float:
        """Which part of the faults that a test can see was caught."""
        return self.caught / max(1, self.drawn - self.equivalent)

    @property
    def row(self) -> str:
        """The row of the table."""
        return (
            f"| {self.room} | {self.places} | {self.drawn}, {self.seed} | {self.caught} | {self.endless} "
            f"| {self.equivalent} | {self.share:.0%} | {self.seconds:.0f} |"
        )


def _copy_to(copy: Path) -> None:
    """Copy what belongs to the program."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)


def _judge(copy: Path, room: str, count: int, seed: int) -> Found:
    """Return what became of some faults of a room, and print those that nothing catches."""
    begun = time.monotonic()
    draw = random.Random(f"{seed} {room}")
    faults = list(_faults(copy, room))
    drawn = draw.sample(faults, min(count, len(faults)))
    tests = RoomTests(copy, room)
    caught = endless = equivalent = 0
    for done, fault in enumerate(drawn, 1):
        path = copy / fault.module
        right = path.read_text()
        wrong = mutate_code(right, get_operator(fault.operator)(), fault.occurrence)
        if _changed(right, wrong, fault.module) in {each[:3] for each in EQUIVALENT}:
            equivalent += 1
            continue
        path.write_text(wrong)
        since = time.monotonic()
        by = tests.catch(fault, right)
        path.write_text(right)
        caught += bool(by)
        endless += by.endswith(ENDLESS)
        so_far = f"{room} {done}/{len(drawn)}: {caught} caught, {equivalent} equivalent; {by}"
        print(f"{so_far} ({time.monotonic() - since:.0f} s)", flush=True)
        if not by:
            print("".join(_difference(fault.module, right, wrong)), flush=True)
    return Found(room, len(faults), len(drawn), seed, caught, endless, equivalent, time.monotonic() - begun)


class RoomTests:
    """The tests that judge the faults of a room: its own ones, then those of its neighbours."""

    def __init__(self, copy: Path, room: str) -> None:
        self._copy, self._room = copy, room
        self._known: dict[tuple[tuple[str, ...], bool], dict[str, Known]] = {}

    def catch(self, fault: Fault, source: str) -> str:
        """Return by which tests a fault that is in place is caught; empty if by none."""
        interpreted = Path(fault.module).name not in INTERPRETED.get(self._room, (Path(fault.module).name,))
        name = Path(fault.module).stem
        is_compiled = not interpreted and (name in COMPILED or name.endswith("_loop"))
        function = _function_at(source, fault.line)
        calling = function or range(1, len(source.splitlines()) + 1)
        own = (f"tests/{self._room}",)
        for folders in filter(None, (own, BEYOND[self._room])):
            known = self._of(folders, interpreted, source, fault.module)
            chosen = [test for test in known if _calls(known[test], fault.module, calling)]
            others = [test for test in known if test not in set(chosen)]
            order = _fastest_first(chosen, known)
            if folders == own and (is_compiled or function is None or not chosen):
                order += _fastest_first(others, known)
            ended = self._end(order, known, interpreted) if order else 0
            if ended != 0:
                return ", ".join(folders) + (ENDLESS if ended is None else "")
        return ""

    def _of(
        self, folders: tuple[str, ...], interpreted: bool, source: str, module: str
    ) -> Mapping[str, Known]:
        """Return what is known of tests, from a run without the fault."""
        if (folders, interpreted) not in self._known:
            path = self._copy / module
            wrong = path.read_text()
            path.write_text(source)
            known = self._note(folders, interpreted)
            path.write_text(wrong)
            seconds = sum(each.seconds for each in known.values())
            how = "interpreted, " if interpreted else ""
            print(f"{' '.join(folders)}: {how}{len(known)} tests, {seconds:.0f} s", flush=True)
            self._known[folders, interpreted] = known
        return self._known[folders, interpreted]

    def _note(self, folders: tuple[str, ...], interpreted: bool) -> dict[str, Known]:
        """Return what a run of tests notes, file by file; of files that were noted before, what is kept."""
        files = [file for folder in folders for file in _test_files(self._copy / folder)]
        kept = {file: NOTES / f"{_digest(self._copy, file, interpreted)}.json" for file in files}
        fresh = [file.relative_to(self._copy).as_posix() for file in files if not kept[file].is_file()]
        if fresh:
            notes = self._copy / "notes.json"
            patient = [*fresh, "-o", "faulthandler_timeout=0"]  # however busy the machine is
            if not interpreted:
                self._run(patient, interpreted, None)  # compiles: that is no part of what a test takes
            ended = self._run([*patient, "--note-in", str(notes)], interpreted, None)
            if not interpreted and ended != 0:
                said = (self._copy / OUTPUT).read_text()
                raise SystemExit(f"{' '.join(fresh)}: these tests fail without any fault\n{said}")
            NOTES.mkdir(parents=True, exist_ok=True)
            known = read_known(notes)
            for file in files:
                name = file.relative_to(self._copy).as_posix()
                if name in fresh:
                    write_known(kept[file], {t: known[t] for t in known if t.partition("::")[0] == name})
        return {test: known for path in kept.values() for test, known in read_known(path).items()}

    def _end(self, order: list[str], known: Mapping[str, Known], interpreted: bool) -> int | None:
        """Return how the tests of a list end, 0 if all pass; None if twice they do not end."""
        chosen = self._copy / "chosen.json"
        chosen.write_text(json.dumps(order))
        limit = max(MIN_LIMIT, MAX_SLOWER * max(known[test].seconds for test in order))
        files = list(dict.fromkeys(test.partition("::")[0] for test in order))
        arguments = ["-x", "--only-tests", str(chosen), "-o", f"faulthandler_timeout={limit:.0f}", *files]
        every = 60.0 + MAX_SLOWER * sum(known[test].seconds for test in order)
        ended = self._run(arguments, interpreted, every)
        # other work on the machine may have made it late
        return self._run(arguments, interpreted, 2 * every) if ended is None else ended

    def _run(self, arguments: list[str], interpreted: bool, seconds: float | None) -> int | None:
        how = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "tests.mutations.judging"]
        how += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # what is imported before has no asserts
        return run_tests(self._copy, [*how, *arguments, *(["--interpreted"] * interpreted)], seconds)


def _test_files(path: Path) -> list[Path]:
    """Return the files with tests of a folder, or a file alone."""
    return sorted(path.rglob("test_*.py")) if path.is_dir() else [path]


def _digest(copy: Path, file: Path, interpreted: bool) -> str:
    """Return a number of a file with tests and of all that it may use: other tests are no part of it."""
    ours = sorted((*copy.glob("core/**/*.py"), *copy.glob("explorer/**/*.py"), *copy.glob("tests/**/*.py")))
    used = (path for path in ours if not path.name.startswith("test_") and path.parent.name != "mutations")
    digest = hashlib.sha256(f"{file.relative_to(copy)} {interpreted}".encode())
    for path in (file, *used):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _fastest_first(tests: list[str], known: Mapping[str, Known]) -> list[str]:
    """Return the quick tests file by file, the fastest file first, then those that take longer."""
    files: dict[str, float] = {}
    quick = [test for test in tests if known[test].seconds < MAX_QUICK]
    for test in quick:
        file = test.partition("::")[0]
        files[file] = files.get(file, 0.0) + known[test].seconds
    quick.sort(key=lambda test: (files[test.partition("::")[0]], known[test].seconds))
    return [*quick, *sorted(set(tests) - set(quick), key=lambda test: known[test].seconds)]


def _calls(test: Known, module: str, function: range) -> bool:
    """Whether a test calls a function that begins in some lines of a module."""
    return any(line in function for line in test.calls.get(module, ()))


def _function_at(source: str, line: int) -> range | None:
    """Return the lines of the outermost function, or method, whose body has a line; None if none has."""
    for node in _functions(ast.parse(source).body):
        if node.body[0].lineno <= line <= (node.end_lineno or node.lineno):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            return range(first, (node.end_lineno or node.lineno) + 1)
    return None


def _functions(body: list[ast.stmt]) -> Iterator[ast.FunctionDef]:
    for node in body:
        if isinstance(node, ast.FunctionDef):
            yield node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body)


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
                    found.setdefault((begin, end), []).append(Fault(module, name, occurrence, begin[0]))
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


def _changed(right: str, wrong: str, module: str) -> tuple[str, str, str]:
    """Return a fault as `EQUIVALENT` lists it: the module, and its lines without and with the fault."""
    lines = list(_difference(module, right, wrong))[2:]
    before, after = (" ".join(line[1:].strip() for line in lines if line[0] == sign) for sign in "-+")
    return module, before, after


def _difference(module: str, right: str, wrong: str) -> Iterator[str]:
    """Yield the lines of a difference."""
    yield from difflib.unified_diff(
        right.splitlines(keepends=True), wrong.splitlines(keepends=True), module, "with the fault", n=1
    )


if __name__ == "__main__":
    sys.exit(main())
