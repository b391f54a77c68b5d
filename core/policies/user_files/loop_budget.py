"""Loops of a user's policy file end: each counts its rounds and raises an error after very many.

The file's syntax tree is changed before it is run. At the top of every ``while`` and ``for`` stands a count
of the rounds that the loops of this call have taken together, so an endless loop is found compiled as well
as interpreted, in hooks, in `plan` and `order`, and at the top level of the file; comprehensions and
generator expressions draw from an iterator that counts. What is not found: loops inside functions of other
modules (``list(itertools.count())``), and calls that branch for ever (Python ends those that nest too deep).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, TypeVar

from core.model.number_text import grouped
from core.policies.user_files.source import syntax_tree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Item = TypeVar("Item")
Scope = TypeVar("Scope", ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)
Loop = TypeVar("Loop", ast.While, ast.For, ast.AsyncFor)
Comprehension = TypeVar("Comprehension", ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

LIMITS = {"rounds": 10_000_000}
"""Rounds of all loops in one call of a function: 10 ms compiled, about half a second interpreted."""

# One leading underscore: with two, the names would change inside a class.
ROUNDS, MAX, ENDLESS, COUNTED = (
    f"_slotscope_{name}" for name in ("rounds", "most_rounds", "endless_loop", "counted")
)
BEGIN = f"{ROUNDS} = 0"
COUNT = f"{ROUNDS} += 1"
CHECK = f"if {ROUNDS} > {MAX}: raise {ENDLESS}()"


class EndlessLoop(RuntimeError):
    """A loop of a policy took more rounds than any policy needs."""

    def __str__(self) -> str:
        return f"a loop took more than {grouped(LIMITS['rounds'])} rounds in one call; when does it end?"


class NoInput(RuntimeError):
    """A policy waits for something to be typed."""

    def __str__(self) -> str:
        return "nothing can be typed there; let the policy have a parameter instead"


def failure_phrase(error: BaseException) -> str:
    """Return what a policy did that raised an error; the error itself has the reason."""
    if isinstance(error, EndlessLoop):
        return "does not come to an end"
    if isinstance(error, NoInput):
        return "waits for input()"
    if isinstance(error, MemoryError):
        return "needed more memory than a policy may have"
    return f"raised {type(error).__name__}"


def with_loop_budget(tree: ast.Module) -> ast.Module:
    """Return a module's syntax tree with counted loops; its code needs the globals of `budget_names`."""
    counting = _CountLoops().visit(tree)
    assert isinstance(counting, ast.Module)
    return counting


def budget_names() -> dict[str, object]:
    """Return the globals that counted loops refer to."""
    return {MAX: LIMITS["rounds"], ENDLESS: EndlessLoop, COUNTED: counted}


def counted(items: Iterable[Item]) -> Iterator[Item]:
    """Yield the items; raise EndlessLoop when there are too many."""
    return _count(iter(items))


def _count(items: Iterator[Item]) -> Iterator[Item]:
    most = LIMITS["rounds"]
    for rounds, item in enumerate(items):
        if rounds >= most:
            raise EndlessLoop
        yield item


class _CountLoops(ast.NodeTransformer):
    """Puts the count into every loop, and its beginning at the top of whatever holds a loop."""

    def __init__(self) -> None:
        self._has_loop = [False]

    def _in_scope(self, node: Scope) -> Scope:
        """Count the loops of what is called or run as a whole, anew in each call."""
        self._has_loop.append(False)
        self.generic_visit(node)
        if self._has_loop.pop():
            place = _after_preamble(node.body)
            node.body.insert(place, _statement(BEGIN, node.body[min(place, len(node.body) - 1)]))
        return node

    visit_Module = visit_ClassDef = visit_FunctionDef = visit_AsyncFunctionDef = _in_scope

    def _counting(self, node: Loop) -> Loop:
        """Count the rounds of a loop; what a `for` runs over may never end."""
        self.generic_visit(node)
        self._has_loop[-1] = True
        node.body[:0] = [_statement(COUNT, node), _statement(CHECK, node)]
        return node

    visit_While = visit_For = visit_AsyncFor = _counting

    def _drawing(self, node: Comprehension) -> Comprehension:
        """Count what a comprehension or a generator expression draws."""
        self.generic_visit(node)
        for generator in node.generators:
            if not generator.is_async:
                call = ast.Call(ast.Name(COUNTED, ast.Load()), [generator.iter], [])
                generator.iter = ast.fix_missing_locations(ast.copy_location(call, generator.iter))
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _drawing


def _after_preamble(body: list[ast.stmt]) -> int:
    """Return the place behind the docstring and the imports from __future__."""
    place = 0
    if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        place = 1
    while place < len(body) and isinstance(body[place], ast.ImportFrom):
        if getattr(body[place], "module", "") != "__future__":
            break
        place += 1
    return place


def _statement(code: str, like: ast.stmt) -> ast.stmt:
    """Return a statement that stands on the line of another one: its errors are reported there."""
    statement = syntax_tree(code).body[0]
    for node in ast.walk(statement):
        if hasattr(node, "lineno"):
            ast.copy_location(node, like)
            node.end_lineno, node.end_col_offset = like.lineno, like.col_offset  # type: ignore[attr-defined]
    return statement
