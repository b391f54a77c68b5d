"""Whether a user's policy has changed what others use: functions of numpy, of Python or of ours."""

from __future__ import annotations

import ast
import sys
from operator import is_not
from typing import TYPE_CHECKING, Any

from core.model.errors import PolicyError
from core.policies.user_files.source import syntax_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from core.model.errors import SourcePlace
    from core.policies.user_files.source import PolicySource, SourceFile

PLAIN = ("builtins", "math", "cmath", "random", "statistics", "itertools", "functools", "operator", "copy")
WATCHED = (*PLAIN, "heapq", "bisect", "collections", "inspect", "numpy", "scipy", "core")
"""Modules that are looked at, with those inside them, as far as they are there before the first file runs."""
OWN_GLOBALS = frozenset({"__warningregistry__", "_"})


class SharedNames:
    """The contents of modules and of our classes before any file of a user has run."""

    def __init__(self) -> None:
        self._kept = [(where, names, list(names), list(names.values())) for where, names in _namespaces()]

    def changed(self) -> str:
        """Return the full name of something that is another one now, or gone; empty for nothing."""
        for where, names, keys, values in self._kept:
            # what is new stands behind what was there: mostly one pass tells that nothing is another one
            if len(names) < len(values) or any(map(is_not, names.values(), values)):
                for key, value in zip(keys, values, strict=True):
                    if names.get(key) is not value and key not in OWN_GLOBALS:
                        return f"{where}.{key}"
        return ""


def _namespaces() -> Iterator[tuple[str, Any]]:
    for name, module in tuple(sys.modules.items()):
        if name.partition(".")[0] not in WATCHED:
            continue
        yield name, vars(module)
        if name.startswith("core."):
            for value in tuple(vars(module).values()):
                if isinstance(value, type) and value.__module__ == name:
                    yield f"{name}.{value.__qualname__}", vars(value)


def changed_error(changed: str, sources: Sequence[PolicySource]) -> PolicyError:
    """Return the sentence about something that was replaced, with the line if it is found."""
    rule = "a policy may not change what others use; give your own function a name of its own"
    files = (file for source in sources for file in source.files)
    places = (place for file in files for place in _places(file, changed.rpartition(".")[2]))
    nowhere = sources[-1].place() if sources else None
    return PolicyError(f"the policy replaced {changed}: {rule}", next(places, nowhere))


def _places(file: SourceFile, name: str) -> Iterator[SourcePlace]:
    """Yield where a file writes to an attribute of this name, then where it has the name as a text."""
    nodes = list(ast.walk(syntax_tree(file.data, str(file.path))))
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr == name and not isinstance(node.ctx, ast.Load):
            yield file.place(node.lineno)
    for node in nodes:
        if isinstance(node, ast.Constant) and node.value == name:
            yield file.place(node.lineno)
