"""What a policy file's hooks are shown is not for writing: lines that write to it are found before it runs.

The simulator's records are shown to hooks as they are, compiled or not, so that looking costs nothing. What
follows from a hook's arguments is followed through names, loops and functions of the file; only the ``memo``
may be written, and only in `watch` and `choose`.
"""

from __future__ import annotations

import ast
import types
from enum import Enum
from typing import TYPE_CHECKING, Any

from core.engine.records import CLUSTER, JOB, POOL
from core.model.errors import PolicyError, SourcePlace
from core.policies.composing.hooks import hooks_of
from core.policies.policy import name_of
from core.policies.user_files.source import RUN_TEXT, syntax_tree_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from core.policies.policy import Policy

RECORDS = frozenset(("job", "pool", "cluster", "queue", "rival", "rival_pool"))
"""Arguments of hooks that show records, or rows of numbers."""
REMEMBERING = frozenset(("watch", "choose"))
OWN = frozenset(("memo", "settles", "wake"))
"""What these may write."""
PAIRS = frozenset(
    name
    for layout in (JOB, POOL, CLUSTER)
    for name, (field, *_) in (layout.fields or {}).items()
    if field.shape
)
"""Fields that are more than one number."""
CHANGES = frozenset(
    (
        "append",
        "extend",
        "insert",
        "remove",
        "pop",
        "clear",
        "sort",
        "reverse",
        "update",
        "setdefault",
        "fill",
        "put",
        "itemset",
        "partition",
        "resize",
        "copyto",
        "place",
        "putmask",
        "setattr",
        "delattr",
        "__setattr__",
        "__setitem__",
        "__delattr__",
        "__delitem__",
    )
)
"""Methods that change what they are called on, and functions that change what they are given first."""
COPIES = frozenset(("list", "tuple", "sorted", "reversed", "set", "iter", "enumerate", "zip", "filter"))


class Shown(Enum):
    """What an expression gives access to."""

    RECORDS = "records, or a record"
    NUMBERS = "numbers of a record"
    MEMO = "the numbers that may be written"
    LIST = "a list of the policy's own, of records"


def check_writes(policy: type[Policy]) -> None:
    """Raise PolicyError with the first line of a policy that writes to what its hooks are shown."""
    for name, hook in hooks_of(policy).functions.items():
        looked_at = _Function(hook, {}, may_remember=name in REMEMBERING, seen=set())
        for line, what in looked_at.writes():
            rule = "a policy may write a memo, in watch or choose, and nothing else while it runs"
            raise PolicyError(
                f"policy {name_of(policy)}: {name} writes to {what}, the simulator's own record of the run; "
                f"{rule}",
                _place(policy, line),
            )


def _place(policy: type[Policy], line: tuple[str, int, str]) -> SourcePlace | None:
    path, number, text = line
    if policy.source is None:
        return None
    if path == str(policy.source.path):
        return policy.source.place(number)
    return SourcePlace(path, number, text)


def _choices(value: ast.expr) -> list[ast.expr]:
    """Return what an expression may stand for."""
    if isinstance(value, ast.IfExp):
        return [value.body, value.orelse]
    if isinstance(value, ast.BoolOp):
        return value.values
    return [value.value] if isinstance(value, ast.NamedExpr | ast.Starred) else []


class _Function:
    """A hook, or a function that it calls: which names show what, and what is written."""

    def __init__(
        self,
        function: Any,  # a function of Python's, or whatever a policy has under a hook's name
        given: Mapping[str, Shown],
        *,
        may_remember: bool,
        seen: set[tuple[Any, ...]],
    ) -> None:
        self._function, self._may_remember, self._seen = function, may_remember, seen
        self._known: dict[str, Shown] = dict(given)
        self._first = 0
        try:
            tree = syntax_tree_of(function).body[0]
            self._first = function.__code__.co_firstlineno - 1
        except (
            OSError,
            SyntaxError,
            TypeError,
            IndexError,
            AttributeError,
        ):  # a function of C, or of no file
            tree = ast.Pass()
        self._nodes = list(ast.walk(tree))
        self._arguments: list[str] = []
        if isinstance(tree, ast.FunctionDef):
            named = (*tree.args.posonlyargs, *tree.args.args, *tree.args.kwonlyargs)
            self._arguments = [argument.arg for argument in named]
        if not given:
            self._known = dict.fromkeys(RECORDS & set(self._arguments), Shown.RECORDS)

    def writes(self) -> Iterator[tuple[tuple[str, int, str], str]]:
        """Yield the place of each line that writes, and what it writes to."""
        before = None
        while before != self._known:  # a name may show what another one did further down
            before = dict(self._known)
            for node in self._nodes:
                self._name(node)
        for node in self._nodes:
            yield from self._written(node)

    # ---- what names show

    def _name(self, node: ast.AST) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._bind(target, node.value)
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
            self._bind(node.target, node.value)
        elif isinstance(node, ast.For | ast.comprehension):
            inside = self._shown(node.iter)
            if inside in (Shown.RECORDS, Shown.LIST):
                self._bind_all(node.target, Shown.RECORDS)

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        is_row = isinstance(target, ast.Tuple | ast.List) and isinstance(value, ast.Tuple | ast.List)
        if is_row and len(target.elts) == len(value.elts):  # type: ignore[attr-defined]
            for each, part in zip(target.elts, value.elts, strict=True):  # type: ignore[attr-defined]
                self._bind(each, part)
        elif (shown := self._shown(value)) is not None:
            self._bind_all(target, shown)

    def _bind_all(self, target: ast.expr, shown: Shown) -> None:
        if isinstance(target, ast.Name):
            self._known.setdefault(target.id, shown)
        elif isinstance(target, ast.Tuple | ast.List):
            for each in target.elts:
                self._bind_all(each, Shown.RECORDS if shown is Shown.LIST else shown)
        elif isinstance(target, ast.Starred):
            self._bind_all(target.value, Shown.LIST)

    def _shown(self, value: ast.expr) -> Shown | None:
        """Return what an expression gives access to, None for nothing that is shown."""
        if isinstance(value, ast.Name):
            return self._known.get(value.id)
        if isinstance(value, ast.Attribute):
            return self._shown_by_field(value)
        if isinstance(value, ast.Subscript):
            inside = self._shown(value.value)
            if inside in (Shown.RECORDS, Shown.LIST):
                return Shown.RECORDS
            return inside if isinstance(value.slice, ast.Slice) else None
        if isinstance(value, ast.Call):
            return self._shown_by_call(value)
        if isinstance(value, ast.ListComp | ast.GeneratorExp | ast.SetComp):
            return Shown.LIST if self._shown(value.elt) is not None else None
        if isinstance(value, ast.Tuple | ast.List):
            return Shown.LIST if any(map(self._shown, value.elts)) else None
        return next(filter(None, map(self._shown, _choices(value))), None)

    def _shown_by_field(self, value: ast.Attribute) -> Shown | None:
        if self._shown(value.value) is not Shown.RECORDS:
            return None
        if value.attr == "memo":
            return Shown.MEMO
        if value.attr == "__dict__":
            return Shown.RECORDS
        return Shown.NUMBERS if value.attr in PAIRS else None

    def _shown_by_call(self, call: ast.Call) -> Shown | None:
        given = [self._shown(argument) for argument in call.args]
        shown = next((each for each in given if each in (Shown.RECORDS, Shown.LIST)), None)
        if shown is None or not isinstance(call.func, ast.Name):
            return None
        if call.func.id in COPIES:
            return Shown.LIST
        return Shown.RECORDS if call.func.id in ("min", "max", "next", "vars") else None

    # ---- what is written

    def _written(self, node: ast.AST) -> Iterator[tuple[tuple[str, int, str], str]]:
        if isinstance(node, ast.Assign | ast.Delete):
            targets = node.targets
        elif isinstance(node, ast.AugAssign):
            targets = [node.target]
            shown = self._shown(node.target) if isinstance(node.target, ast.Name) else None
            if shown is not Shown.RECORDS and self._is_kept(shown):
                yield self._line(node), ast.unparse(node.target)  # numbers are changed in place
        elif isinstance(node, ast.AnnAssign | ast.For | ast.comprehension):
            targets = [node.target]
        else:
            targets = []
        for target in targets:
            for part in ast.walk(target):
                if isinstance(getattr(part, "ctx", None), ast.Store | ast.Del) and self._is_place(part):
                    yield self._line(part), ast.unparse(part)
        if isinstance(node, ast.Call):
            yield from self._called(node)

    def _is_place(self, target: ast.AST) -> bool:
        """Whether to assign to this writes to something shown."""
        if isinstance(target, ast.Attribute):
            inside = self._shown(target.value)
            return inside is Shown.RECORDS and not (target.attr in OWN and self._may_remember)
        return isinstance(target, ast.Subscript) and self._is_kept(self._shown(target.value))

    def _is_kept(self, shown: Shown | None) -> bool:
        """Whether numbers of it may not be changed."""
        if shown is Shown.MEMO:
            return not self._may_remember
        return shown in (Shown.RECORDS, Shown.NUMBERS)

    def _called(self, call: ast.Call) -> Iterator[tuple[tuple[str, int, str], str]]:
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        changed = [each.value for each in call.keywords if each.arg == "out"]
        if name in CHANGES:
            changed += call.args[:1]
            if isinstance(call.func, ast.Attribute):
                changed.append(call.func.value)
        for part in changed:
            if self._is_kept(self._shown(part)):
                yield self._line(call), ast.unparse(part)
        yield from self._in_function(call)

    def _in_function(self, call: ast.Call) -> Iterator[tuple[tuple[str, int, str], str]]:
        """Look into a function of the file that is given something shown."""
        called = self._function_of(call.func)
        if not isinstance(called, types.FunctionType) or RUN_TEXT not in called.__globals__:
            return
        names = called.__code__.co_varnames[: called.__code__.co_argcount + called.__code__.co_kwonlyargcount]
        pairs = (*zip(names, call.args, strict=False), *((each.arg, each.value) for each in call.keywords))
        given = {name: shown for name, part in pairs if name and (shown := self._shown(part)) is not None}
        key = (called, tuple(sorted((name, shown.name) for name, shown in given.items())))
        if given and key not in self._seen:
            self._seen.add(key)
            yield from _Function(called, given, may_remember=self._may_remember, seen=self._seen).writes()

    def _function_of(self, called: ast.expr) -> Any:
        """Return the function that a name, or a name of a module or class, stands for; None if unknown."""
        if isinstance(called, ast.Name):
            return self._function.__globals__.get(called.id)
        if isinstance(called, ast.Attribute):
            return getattr(self._function_of(called.value), called.attr, None)
        return None

    def _line(self, node: Any) -> tuple[str, int, str]:
        """Return path, number and text of the line of a node."""
        number = self._first + node.lineno
        lines = str(self._function.__globals__.get(RUN_TEXT, "")).splitlines()
        text = lines[number - 1] if 0 < number <= len(lines) else ""
        return self._function.__code__.co_filename, number, text
