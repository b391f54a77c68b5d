"""The rules of the house that a machine can check.

Who may import whom among our own packages stands in pyproject.toml, for import-linter; what it cannot express
(parts of Qt, single files, names, lengths) is checked here on the syntax trees.  Each test collects all its
findings, so that one run shows everything there is to mend.
"""

import ast
import functools
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.paths import ROOT

MAX_LINES = 500
"""A warning that a file may have two responsibilities; none is bent to stay below."""
ATTICS = {"utils", "util", "helpers", "helper", "manager", "managers", "common", "misc", "stuff"}
SMALL_QT = ("PySide6.QtCore.", "PySide6.QtGui.")
PURE_GANTT_FILES = ("geometry/row_layout", "geometry/time_scale")
"""Files of the chart that are mathematics only, and so are tested without Qt."""


def modules(*folders: str) -> list[Path]:
    """Return our source files under some folders, relative to the repository; each folder must have some."""
    found = []
    for folder in folders:
        files = sorted((ROOT / folder).rglob("*.py"))
        assert files, f"there is no source in {folder}: was it renamed?"
        found.extend(file.relative_to(ROOT) for file in files)
    return found


@functools.cache
def text(path: Path) -> str:
    """Return the source of one of our files."""
    return (ROOT / path).read_text(encoding="utf-8")


@functools.cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a file's syntax tree, the module first."""
    return tuple(ast.walk(ast.parse(text(path), filename=str(path))))


def imports(path: Path) -> Iterator[str]:
    """Yield the dotted names a file imports, also inside functions and for types only."""
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{'.' * node.level}{node.module or ''}.{alias.name}" for alias in node.names)


def importing(paths: list[Path], *packages: str) -> list[str]:
    """Return what these files import from any of these packages, as "file: name"."""
    prefixes = tuple(f"{package}." for package in packages)
    return [f"{path}: {name}" for path in paths for name in imports(path) if f"{name}.".startswith(prefixes)]


def findings(paths: list[Path], is_wrong: Callable[[ast.AST], bool]) -> list[str]:
    """Return the places whose syntax node is wrong, as "file:line"."""
    return [
        f"{path}:{getattr(node, 'lineno', 0)}" for path in paths for node in nodes(path) if is_wrong(node)
    ]


def product() -> list[Path]:
    """Return every file that goes into the wheel."""
    return modules("core", "explorer", "slotscope")


def everything() -> list[Path]:
    """Return every file of ours but the tests."""
    return [*product(), *modules("benchmarks"), Path("bootstrap.py")]


def lint_imports(folder: Path) -> tuple[int, str]:
    """Return the exit code of import-linter in a folder, and what it wrote, each name on one line."""
    program = Path(sys.executable).with_name("lint-imports")
    command = [str(program), "--no-logo", "--no-cache"]
    answer = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return answer.returncode, answer.stdout + answer.stderr


def test_import_contracts_hold() -> None:
    code, said = lint_imports(ROOT)
    assert code == 0, said


WRONG_IMPORTS = {
    "core.measures.workload_summary": "core.trace_database.search",
    "core.generate.distributions": "core.trace_database.search",
    "core.explain.explanation_words": "core.trace_database.search",
    "core.logs.job_profile": "core.files.schedule_file",
    "explorer.document.titles": "explorer.widgets.error_messages",
    "explorer.panels.facts": "explorer.cli.run",
}
"""Imports that version 0.1 would not have noticed: upwards, or between neighbours."""


def test_import_contracts_refuse_what_they_must(tmp_path: Path) -> None:
    for package in ("core", "explorer", "slotscope"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for module, wanted in WRONG_IMPORTS.items():
        path = tmp_path.joinpath(*module.split(".")).with_suffix(".py")
        path.write_text(f"{path.read_text()}\n\nimport {wanted}\n")
    code, said = lint_imports(tmp_path)
    assert code != 0
    assert [
        f"{one} -> {other}" for one, other in WRONG_IMPORTS.items() if f"- {one} -> {other} (" not in said
    ] == []


def test_document_needs_no_widgets() -> None:
    """The document is tested, and could be used, without a window: QtCore and QtGui (undo) suffice."""
    files = modules("explorer/document")
    allowed = {
        f"{path}: {name}" for path in files for name in imports(path) if f"{name}.".startswith(SMALL_QT)
    }
    used = importing(files, "PySide6", "shiboken6", "pyqtgraph")
    assert [name for name in used if name not in allowed] == []


def test_geometry_of_the_chart_needs_no_qt() -> None:
    files = [Path("explorer/gantt", f"{name}.py") for name in PURE_GANTT_FILES]
    assert importing(files, "PySide6", "shiboken6", "pyqtgraph") == []


def test_names_say_what_is_inside() -> None:
    assert [str(path) for path in everything() if ATTICS.intersection(path.with_suffix("").parts)] == []


def test_files_stay_short() -> None:
    lengths = {str(path): len(text(path).splitlines()) for path in everything()}
    assert {path: count for path, count in lengths.items() if count > MAX_LINES} == {}


def test_no_class_has_the_name_of_another() -> None:
    places: dict[str, list[str]] = {}
    for path in product():
        for node in nodes(path):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(str(path))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_modules_say_what_they_are_for() -> None:
    def is_silent(node: ast.AST) -> bool:
        return isinstance(node, ast.Module) and not ast.get_docstring(node)

    assert findings(everything(), is_silent) == []


def test_nothing_prints() -> None:
    """The command line speaks through its console, the window through its messages."""

    def prints(node: ast.AST) -> bool:
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"

    assert findings(product(), prints) == []


def test_no_error_is_caught_unnamed() -> None:
    assert findings(product(), lambda node: isinstance(node, ast.ExceptHandler) and node.type is None) == []


def test_imports_are_absolute() -> None:
    assert findings(product(), lambda node: isinstance(node, ast.ImportFrom) and node.level > 0) == []


def test_the_window_is_never_pumped_by_hand() -> None:
    """`processEvents` runs other handlers in the middle of one; what is long belongs into a worker."""
    assert (
        findings(product(), lambda node: isinstance(node, ast.Attribute) and node.attr == "processEvents")
        == []
    )


def test_no_unfinished_business() -> None:
    marks = ("TODO", "FIXME", "XXX", "HACK")
    assert [f"{path}: {mark}" for path in everything() for mark in marks if mark in text(path)] == []
