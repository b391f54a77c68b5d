"""``python -m docs.from_code.notebooks``: run the manual's notebooks, and write what comes out into them.

Cells are run as a kernel would run them, one after the other in one namespace, in a folder of their own; the
last expression of a cell is shown. A kernel itself would bring thirty packages, and shows the same.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import linecache
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"
Notebook = dict[str, Any]  # Any: JSON


def notebook_paths() -> list[Path]:
    """Return the notebooks of the manual."""
    return sorted(FOLDER.glob("*.ipynb"))


def read(path: Path) -> Notebook:
    """Return a notebook as it is stored."""
    notebook: Notebook = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def text_of(notebook: Notebook) -> str:
    """Return the text of a notebook's file."""
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def executed(notebook: Notebook, name: str) -> Notebook:
    """Return a notebook with what its cells show when they are run; raises what a cell raises.

    Parameters
    ----------
    name : of the notebook, for places in tracebacks
    """
    module = ModuleType("__notebook__")
    sys.modules[module.__name__] = module  # as a kernel has its own, where classes are looked up
    cells, count = [], 0
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                count += 1
                shown = _outputs("".join(cell["source"]), f"<{name}, cell {count}>", vars(module), count)
                cell = cell | {"execution_count": count, "outputs": shown}
            cells.append(cell)
    return notebook | {"cells": cells}


def _outputs(source: str, place: str, names: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """Run a cell; return what it prints, then what its last expression is."""
    linecache.cache[place] = (len(source), None, source.splitlines(keepends=True), place)
    tree = ast.parse(source, place)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, place, "exec"), names)
        value = None
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), place, "eval"), names)
    outputs: list[dict[str, Any]] = []
    if text := printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)})
    if value is not None:
        outputs.append(
            {
                "data": _data(value),
                "execution_count": count,
                "metadata": {},
                "output_type": "execute_result",
            }
        )
    return outputs


def _data(value: object) -> dict[str, list[str]]:
    """Return a value as text; the pages that results show themselves as would be 0.1 MB each."""
    return {"text/plain": repr(value).splitlines(keepends=True)}


def main() -> int:
    """Write every notebook anew."""
    for path in notebook_paths():
        path.write_text(text_of(executed(read(path), path.stem)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
