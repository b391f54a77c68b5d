"""Why a policy cannot be compiled, in words and with the line: compilers explain that at greater length."""

from __future__ import annotations

import ast
import re
import types
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.policies.composing.hooks import hooks_of
from core.policies.user_files.source import RUN_TEXT, syntax_tree_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from core.policies.policy import Policy

    Function = Callable[..., Any]

# Compiled hooks hold numbers and read the records; what needs memory of its own, they cannot.
NODES: dict[type[ast.AST], str] = {
    ast.List: "makes a list",
    ast.ListComp: "makes a list",
    ast.Dict: "makes a dict",
    ast.DictComp: "makes a dict",
    ast.Set: "makes a set",
    ast.SetComp: "makes a set",
    ast.GeneratorExp: "has a generator expression",
    ast.JoinedStr: "makes a text",
    ast.ExceptHandler: "catches an exception",
    ast.With: "has a with block",
    ast.Lambda: "has a function inside a function",
    ast.FunctionDef: "has a function inside a function",
    ast.ClassDef: "has a class inside a function",
    ast.Yield: "is a generator",
    ast.YieldFrom: "is a generator",
    ast.Global: "writes a global name",
    ast.Import: "imports inside a function",
    ast.ImportFrom: "imports inside a function",
}
CALLS = frozenset(
    function.__name__
    for function in (
        all,
        any,
        breakpoint,
        dict,
        filter,
        getattr,
        hasattr,
        isinstance,
        list,
        map,
        open,
        repr,
        set,
    )
) | {"print", "setattr", "sorted", "str", "sum"}
COMPILED_VALUES = (int, float, np.ndarray, types.FunctionType, types.BuiltinFunctionType, types.ModuleType)
COLOUR_CODE = re.compile(r"\x1b\[\d*m")
LONGEST_WORDS = 160
KNOWN_REASONS: dict[type[Policy], str] = {}
"""Of policies that this process could not compile: nobody tries again at every turn of a parameter."""


@dataclass(frozen=True, order=True)
class Obstacle:
    """Something that cannot be compiled: its line in the file, and what that line does."""

    line: int
    what: str


def why_interpreted(policy: type[Policy], error: BaseException) -> str:
    """Return a sentence on why a policy runs interpreted, from what its compilation raised."""
    explanation = COLOUR_CODE.sub("", str(error))
    blamed = _blamed_line(policy, explanation)
    obstacles = sorted(_obstacles(policy), key=lambda found: (found.line != blamed, found))
    if obstacles:
        return f"line {obstacles[0].line} {obstacles[0].what}, which cannot be compiled"
    words = _first_words(error, explanation)
    return f"line {blamed} cannot be compiled: {words}" if blamed else f"it cannot be compiled: {words}"


def _blamed_line(policy: type[Policy], explanation: str) -> int:
    """Return the first line of the policy's own file that the compiler names, 0 for none."""
    if policy.source is None:
        return 0
    name = re.escape(Path(policy.source.path).name)
    found = re.search(rf'{name}(?:", line | \()(\d+)', explanation)
    return int(found[1]) if found else 0


def _first_words(error: BaseException, explanation: str) -> str:
    if isinstance(error, KeyError):
        return f"there is no field {error}"
    lines = (line.strip(" -") for line in explanation.splitlines())
    relevant = [line for line in lines if line and not line.startswith("Failed in nopython mode pipeline")]
    words = relevant[0] if relevant else type(error).__name__
    return words if len(words) <= LONGEST_WORDS else words[: LONGEST_WORDS - 1] + "…"


def _obstacles(policy: type[Policy]) -> Iterator[Obstacle]:
    """Find what cannot be compiled in the hooks and in the functions that they call."""
    if policy.source is None:
        return
    seen: set[Function] = set()
    waiting = list(hooks_of(policy).functions.values())
    while waiting:
        function = waiting.pop()
        if function in seen or not isinstance(function, types.FunctionType):
            continue
        seen.add(function)
        yield from _in_function(function)
        waiting += [value for value in _globals_read(function).values() if callable(value)]


def _globals_read(function: types.FunctionType) -> dict[str, Any]:
    names = function.__globals__
    return {name: names[name] for name in function.__code__.co_names if name in names}


def _in_function(function: types.FunctionType) -> Iterator[Obstacle]:
    first = function.__code__.co_firstlineno
    if function.__closure__:
        yield Obstacle(first, "makes a function inside a function")
    try:
        tree = syntax_tree_of(function).body[0]
    except (OSError, SyntaxError):  # a function of C, or of no file
        return
    read = _globals_read(function)
    for node in ast.walk(tree):
        what = "" if node is tree else _obstacle(node, function, read)
        if what:
            yield Obstacle(first + node.lineno - 1, what)  # type: ignore[attr-defined]  # it is no mere context


def _obstacle(node: ast.AST, function: types.FunctionType, read: dict[str, Any]) -> str:
    if type(node) in NODES:
        return NODES[type(node)]
    if not isinstance(node, ast.Name):
        return ""
    if node.id not in read:
        return f"calls {node.id}" if node.id in CALLS else ""
    value = read[node.id]
    if isinstance(value, types.ModuleType) and RUN_TEXT in vars(value):
        return f"calls through the module {node.id} (import what it needs by name instead)"
    if value is function:
        return f"lets {node.id} call itself"
    is_tuple = isinstance(value, tuple) and all(isinstance(item, int | float) for item in value)
    if is_tuple or isinstance(value, (*COMPILED_VALUES, np.ufunc)) or _is_exception(value):
        return ""
    return f"reads {node.id}, a {type(value).__name__}"


def _is_exception(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, BaseException)
