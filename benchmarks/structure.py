"""``python -m benchmarks.structure``: how large the program is and how its parts hang together.

Counted from the source, nothing is run: modules and lines, the parts of a folder with the imports between
them, circles, the longest chain of imports that run as soon as a module is imported, and scraps: modules
below 100 lines that a single other one imports. `make check` prints it; nothing fails.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

PACKAGES = ("core", "explorer", "slotscope")
FOLDERS = ("core", "explorer", "explorer/gantt", "explorer/window")
SCRAP_LINES = 100

NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
STAGES = re.compile(r"\b(MAP|REDUCE)\b|\.(maps|reduces)\b")

Graph = dict[str, set[str]]
"""What each name imports."""


class Source(NamedTuple):
    """A module: its lines, and the modules of ours that it imports at the top and in all.

    `code` counts lines without those that are blank, comments or docstrings; `names_stages` says whether it
    names maps and reduces instead of going through the stages of a job.
    """

    lines: int
    code: int
    names_stages: bool
    top: set[str]
    imports: set[str]


def read_sources(root: Path) -> dict[str, Source]:
    """Return every module of the packages by its dotted name; packages by the name of their folder."""
    paths = {
        _dotted(path.relative_to(root)): path for name in PACKAGES for path in root.glob(f"{name}/**/*.py")
    }
    return {name: _read(path, paths.keys() - {name}) for name, path in sorted(paths.items())}


def _dotted(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _read(path: Path, ours: set[str]) -> Source:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    everything = {name for node in ast.walk(tree) for name in _imported(node, ours)}
    return Source(
        len(text.splitlines()),
        code_lines(text),
        STAGES.search(text) is not None,
        {n for node in tree.body for n in _imported(node, ours)},
        everything,
    )


def code_lines(text: str) -> int:
    """Return how many lines of a source hold code: no blanks, no comments, no texts that stand alone."""
    alone = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    ]
    left_out = {line for node in alone for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    lines = (range(t.start[0], t.end[0] + 1) for t in tokens if t.type not in NO_CODE)
    return len({line for held in lines for line in held} - left_out)


def _imported(node: ast.AST, ours: set[str]) -> set[str]:
    """Return the modules that a statement imports; ``from a.b import c`` means a.b.c if that is one."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names} & ours
    if isinstance(node, ast.ImportFrom) and node.module:
        names = {f"{node.module}.{alias.name}" for alias in node.names}
        return (names & ours) | ({node.module} & ours if names - ours else set())
    return set()


def circles(graph: Graph) -> list[list[str]]:
    """Return the groups of names that import one another in a loop, also over others."""
    reached = {name: _reach(graph, name) for name in graph}
    loops = {frozenset(o for o in reached[n] if n in reached[o]) for n in graph if n in reached[n]}
    return sorted(sorted(loop) for loop in loops)


def _reach(graph: Graph, start: str) -> set[str]:
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        new = graph[waiting.pop()] - seen
        seen |= new
        waiting.extend(new)
    return seen


def longest_chain(graph: Graph) -> list[str]:
    """Return the longest way along imports; a circle counts once, under its first name."""
    first = {name: loop[0] for loop in circles(graph) for name in loop}
    below: Graph = {}
    for name, others in graph.items():
        mine = first.get(name, name)
        below.setdefault(mine, set()).update({first.get(o, o) for o in others} - {mine})

    @cache
    def chain(name: str) -> list[str]:
        return [name, *max((chain(other) for other in sorted(below[name])), key=len, default=[])]

    return max((chain(name) for name in sorted(below)), key=len, default=[])


def parts(sources: dict[str, Source], folder: str) -> Graph:
    """Return which parts (files and folders) of a folder import which; its own `__init__` is no part."""
    depth = folder.count("/") + 2
    inside = folder.replace("/", ".") + "."
    graph: Graph = {}
    for name, source in sources.items():
        if name.startswith(inside):
            part = ".".join(name.split(".")[:depth])
            others = {".".join(o.split(".")[:depth]) for o in source.imports if o.startswith(inside)}
            graph.setdefault(part, set()).update(others - {part})
    return graph


def scraps(sources: dict[str, Source]) -> list[tuple[str, str]]:
    """Return the modules below 100 lines that exactly one other one imports, and that one."""
    importers = Counter(other for source in sources.values() for other in source.imports)
    return [
        (other, name)
        for name, source in sources.items()
        for other in sorted(source.imports)
        if importers[other] == 1 and sources[other].lines < SCRAP_LINES
    ]


def report(root: Path) -> list[str]:
    """Return the figures, a line each."""
    found = read_sources(root)
    modules = {name for name in found if not any(other.startswith(f"{name}.") for other in found)}
    lines = [
        f"modules {len(modules)}, lines {sum(source.lines for source in found.values())}, "
        f"of code {sum(source.code for source in found.values())}",
        f"modules that name maps or reduces: {sum(found[name].names_stages for name in modules)}, in core "
        f"{sum(found[name].names_stages for name in modules if name.startswith('core.'))}",
    ]
    for folder in FOLDERS:
        graph = parts(found, folder)
        arrows = sum(map(len, graph.values()))
        lines.append(
            f"{folder}: {len(graph)} parts, {len(longest_chain(graph))} floors, {arrows} imports between them"
        )
    loops = circles({name: source.imports for name, source in found.items()})
    lines.append(f"circles of imports: {len(loops)}" + "".join(f"\n    {', '.join(loop)}" for loop in loops))
    chain = longest_chain({name: source.top for name, source in found.items()})
    lines.append(f"longest chain of imports: {len(chain)}\n    {' > '.join(chain)}")
    small = scraps(found)
    beside = sum(one.rpartition(".")[0] == other.rpartition(".")[0] for one, other in small)
    text = f"modules below {SCRAP_LINES} lines with a single importer"
    lines.append(f"{text}: {len(small)}, of these {beside} in its folder")
    return lines


def main() -> int:
    """Print the figures of this checkout, or of the one that is named."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1]
    print("\n".join(report(root)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
