"""The call of a hook that failed: which hook, on which line, and what its names stood for there."""

from __future__ import annotations

import ast
import inspect
from contextlib import suppress
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from core.model.task_types import KIND_WORDS
from core.policies.composing.answers import WrongAnswer
from core.policies.composing.hooks import hooks_of, numeric_parameters
from core.policies.user_files.followed import left_when_called
from core.policies.user_files.source import frames_of, place_of_function, syntax_tree_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from types import FrameType

    from core.model.errors import SourcePlace
    from core.policies.policy import Policy

MAX_VALUES = 10
MAX_LINES_KEPT, MAX_TREES_KEPT = 500, 50
"""Lines and functions whose text is looked at once: a decision is followed about many candidates."""
KIND_NAMES = frozenset(("kind", "slot"))
RECORDS = frozenset(("job", "pool", "cluster"))


class Named(NamedTuple):
    """What records are called: the jobs' and the pools' names, in their order."""

    jobs: Sequence[str]
    pools: Sequence[str]


class FailedCall(NamedTuple):
    """A hook, where it was, what its names stood for, as texts, and the index of its job, or -1."""

    hook: str = ""
    line: int = 0
    values: tuple[tuple[str, str], ...] = ()
    job: int = -1


class _At(NamedTuple):
    """A function of the policy's where it was: its line, its names and those of its module."""

    function: Callable[..., Any]
    line: int
    names: Mapping[str, Any]
    globals: dict[str, Any]


def failed_call(
    policy: type[Policy], error: BaseException, rows: Mapping[str, Sequence[Any]], named: Named
) -> FailedCall:
    """Return the call that an error came out of, as far as it is known.

    Parameters
    ----------
    policy : whose hooks ran, interpreted
    error : what was raised
    rows : the records "job" and "pool" of the run
    named : their names
    """
    frames = frames_of(error)
    at, hook = _hook_in(policy, frames), ""
    if isinstance(error, WrongAnswer) and frames:
        hook = error.hook
        at = _answered(policy, error, frames[-1][0]) or at
    elif at is not None:
        hook = at.function.__name__
        at = _innermost(policy, frames) or at
    if at is None:
        return FailedCall(hook)
    job = next((_place_in(rows["job"], v) for name, v in at.names.items() if name == "job"), -1)
    return FailedCall(hook, at.line, tuple(_values(at, rows, named))[:MAX_VALUES], job)


def place_of_call(policy: type[Policy], error: BaseException, call: FailedCall) -> SourcePlace | None:
    """Return the line of a wrong answer; None for any other error, whose frames show where it was."""
    if not isinstance(error, WrongAnswer):
        return None
    place = place_of_function(getattr(policy, call.hook, None), policy.source)
    if place is None or not call.line or policy.source is None:
        return place
    return next(file for file in policy.source.files if str(file.path) == place.path).place(call.line)


def _hook_in(policy: type[Policy], frames: Sequence[tuple[FrameType, int]]) -> _At | None:
    hooks = {hook.__code__: hook for hook in hooks_of(policy).functions.values()}
    for frame, line in frames:
        if frame.f_code in hooks:
            return _At(hooks[frame.f_code], line, frame.f_locals, frame.f_globals)
    return None


def _innermost(policy: type[Policy], frames: Sequence[tuple[FrameType, int]]) -> _At | None:
    """Return the function of the user's files that the error was in, which the hook called."""
    paths = {str(file.path) for file in policy.source.files} if policy.source is not None else set()
    frame, line = next((each for each in reversed(frames) if each[0].f_code.co_filename in paths), (None, 0))
    if frame is None:
        return None
    function = frame.f_globals.get(frame.f_code.co_name, getattr(policy, frame.f_code.co_name, None))
    if function is None or getattr(function, "__code__", None) is not frame.f_code:
        return None
    return _At(function, line, frame.f_locals, frame.f_globals)


def _answered(policy: type[Policy], error: WrongAnswer, caller: FrameType) -> _At | None:
    """Call a hook again that has answered, to see where: its own frame is gone."""
    hook = getattr(policy, error.hook)
    place = {name: i for i, name in enumerate(numeric_parameters(policy))}
    offered = caller.f_locals
    given = [
        offered["cluster"].parameter[place[name]] if name in place else offered[name]
        for name in inspect.signature(hook).parameters
    ]
    try:
        left = left_when_called(hook.__code__, partial(hook, *given))
    except Exception:  # it remembers what it did before
        return None
    return None if left is None else _At(hook, *left)


# ---- what names stand for


def _values(at: _At, rows: Mapping[str, Sequence[Any]], named: Named) -> Iterator[tuple[str, str]]:
    """Yield the records, then what the line reads of them, then the other numbers."""
    own = {name: value for name, value in at.names.items() if not name.startswith("_slotscope")}
    texts = {name: _text(name, value, rows, named) for name, value in own.items()}
    shown = [name for name in texts if name in (*RECORDS, *KIND_NAMES)]
    for name in shown:
        if texts[name]:
            yield name, texts[name]
    for code in _read_on(at.function, at.line):
        with suppress(Exception):  # what fails is what the sentence tells of
            value = eval(compile(code, "<value>", "eval"), at.globals, dict(at.names))
            if _is_number(value):
                yield code, _number(value)
    for name, text in texts.items():
        if text and name not in shown:
            yield name, text


def _text(name: str, value: Any, rows: Mapping[str, Sequence[Any]], named: Named) -> str:
    """Return a value in words; empty for what has no short ones."""
    for kind, names in (("job", named.jobs), ("pool", named.pools)):
        place = _place_in(rows[kind], value)
        if place >= 0:
            return names[place] if place < len(names) else str(place)
    if name in KIND_NAMES and value in (0, 1):
        return KIND_WORDS[value]
    if isinstance(value, str):
        return repr(value[:40])
    return _number(value) if _is_number(value) else ""


def _place_in(records: Sequence[Any], value: Any) -> int:
    return next((i for i, record in enumerate(records) if record is value), -1)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float)


def _number(value: float) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


@lru_cache(maxsize=MAX_LINES_KEPT)
def _read_on(function: Callable[..., Any], line_of_file: int) -> list[str]:
    """Return what a line reads of records, as code: "job.running[kind]"."""
    try:
        tree = _tree_of(function)
    except (OSError, SyntaxError):
        return []
    line = line_of_file - function.__code__.co_firstlineno + 1
    found: dict[str, None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Subscript) and node.lineno <= line <= (node.end_lineno or 0):
            parts = list(ast.walk(node))
            names = [part.id for part in parts if isinstance(part, ast.Name)]
            calls = any(isinstance(part, ast.Call | ast.NamedExpr | ast.Lambda) for part in parts)
            if not calls and RECORDS & set(names):
                found[ast.unparse(node)] = None
    return [code for code in found if not any(code != other and code in other for other in found)]


_tree_of = lru_cache(maxsize=MAX_TREES_KEPT)(syntax_tree_of)


def values_on_line(
    function: Callable[..., Any],
    line: int,
    names: tuple[Mapping[str, Any], dict[str, Any]],
    rows: Mapping[str, Sequence[Any]],
    named: Named,
) -> tuple[tuple[str, str], ...]:
    """Return what stands for what on a line of a function, as texts: records, what it reads of them, numbers.

    Parameters
    ----------
    names : those of the call, and those of its module
    rows, named : as of `failed_call`
    """
    return tuple(_values(_At(function, line, *names), rows, named))
