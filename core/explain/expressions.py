"""What a user types to be watched over a run, or to stop at: an expression over what hooks see.

It is read here and evaluated decision by decision on a `core.explain.bench`, in the process of policy files.
Only looking is possible: no function that writes, opens or imports is known to it.
"""

from __future__ import annotations

import ast
import builtins
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.explain.local_names import with_local_names
from core.explain.vocabulary import (
    FIELDS,
    FOLLOWED_HOOKS,
    OF_JOB,
    UNITS,
    Vocabulary,
)
from core.model.errors import InputError, did_you_mean
from core.policies.policy import OFFERED
from core.policies.user_files.loop_budget import with_loop_budget
from core.policies.user_files.read_only import CHANGES
from core.policies.user_files.source import syntax_tree

if TYPE_CHECKING:
    from types import CodeType

KINDS = {"maps": "MAP", "reduces": "REDUCE"}
RULE = "a watch may look at the run, not change it"


@dataclass(frozen=True)
class Expression:
    """What was typed, understood.

    Attributes
    ----------
    text : as typed
    code : to be evaluated
    job : index of the job that `job` means, or whose name stands in it alone; -1 for none
    is_named : whether `job` is that one: "J3: job.running[MAP]"
    looks_at_job, looks_at_kind : whether it says something else for each job, for each kind of task
    unit : of its numbers, "" where it is not known
    locals : the local names that it reads, each with its hook: "key.deficit"
    """

    text: str
    code: CodeType
    job: int
    is_named: bool
    looks_at_job: bool
    looks_at_kind: bool
    unit: str
    locals: tuple[str, ...] = ()


def read_expression(text: str, words: Vocabulary) -> Expression:
    """Understand what was typed.

    "key of J3 < J4" is ``key(J3) < key(J4)``; "running maps of J3" is ``jobs["J3"].running[MAP]``; "J3: …"
    lets `job` mean that job; a "when" in front is passed over.

    Raises
    ------
    InputError
        it cannot be read, writes to something, or has unknown names
    """
    plain = re.sub(r"^\s*when\s+", "", text).strip()
    named = -1
    before, colon, behind = plain.partition(":")
    if colon and before.strip() in words.jobs:
        named, plain = words.jobs.index(before.strip()), behind.strip()
    plain = _without_of(plain, words)
    try:
        tree = syntax_tree(plain)
    except (SyntaxError, ValueError) as error:
        why = getattr(error, "msg", str(error))
        raise InputError(
            f"'{text}' cannot be read: {why}; give an expression, as job.running[MAP]"
        ) from error
    if len(tree.body) != 1 or not isinstance(tree.body[0], ast.Expr):
        raise InputError(f"'{text}' is no expression; give one, as job.running[MAP] > 5")
    mentioned = _jobs_named(tree.body[0].value, words)
    bound = _bound_in(tree.body[0].value)
    value = tree.body[0].value = with_local_names(text, tree.body[0].value, words, bound)
    names = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
    _check(text, value, names - bound, words)
    counted = with_loop_budget(tree).body[0]
    assert isinstance(counted, ast.Expr)
    code = compile(ast.fix_missing_locations(ast.Expression(counted.value)), "<watch>", "eval")
    return Expression(
        text=text,
        code=code,
        job=named if named >= 0 else mentioned[0] if len(mentioned) == 1 else -1,
        is_named=named >= 0,
        looks_at_job=bool(names & set(OF_JOB)) or _calls_hook_of(value, words, 0),
        looks_at_kind=bool(names & {"kind", "slot"}) or _calls_hook_of(value, words, 1),
        unit=_unit_of(value),
        locals=tuple(sorted(name for name in names if "." in name)),
    )


def _without_of(text: str, words: Vocabulary) -> str:
    """Return "what of NAME" as Python has it; a job behind a comparison gets the same expression."""
    jobs = "|".join(re.escape(name) for name in sorted(words.jobs, key=len, reverse=True))
    if not jobs or " of " not in text:
        return text
    wording = ""

    def quantity(found: re.Match[str], job: str) -> str:
        what, kind, place = found["what"], KINDS.get(found["kind"], ""), found["place"] or ""
        row = f"jobs[{job!r}]"
        if "." in what or what in words.functions or (what in own and what not in FIELDS["job"]):
            return f"{what}({row}{kind and f', {kind}'}){place}"
        return f"{row}.{what}{f'[{kind}]' if kind else place}"

    def replaced(found: re.Match[str]) -> str:
        nonlocal wording
        wording = quantity(found, "\0")
        return quantity(found, found["job"])

    own = {name for names in words.locals.values() for name in names}
    hook = "|".join(map(re.escape, words.locals)) or "key"
    what = rf"(?P<what>(?:(?:{hook})\.)?[A-Za-z_]\w*)(?P<place>\[[^\[\]]*\])?(?: (?P<kind>maps|reduces))?"
    text = re.sub(rf"{what} of (?P<job>{jobs})(?!\w)", replaced, text)
    if not wording:
        return text
    compared = rf"(?P<sign><=|>=|==|!=|<|>)\s*(?P<job>{jobs})(?![\w\[.'\"])"
    return re.sub(
        compared, lambda found: f"{found['sign']} {wording.replace(repr(chr(0)), repr(found['job']))}", text
    )


def _bound_in(value: ast.expr) -> set[str]:
    """Return the names that an expression itself gives a meaning, as those of its loops."""
    nodes = tuple(ast.walk(value))
    bound = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    return bound | {node.arg for node in nodes if isinstance(node, ast.arg)}


def _check(text: str, value: ast.expr, names: set[str], words: Vocabulary) -> None:
    """Refuse unknown names, and what writes."""
    nodes = tuple(ast.walk(value))
    known = words.all_names()
    for name in sorted(names - set(known)):
        if hasattr(builtins, name):
            raise InputError(f"'{text}' has {name}; {RULE}")
        hint = did_you_mean(name, known)
        hint = hint if "did you mean" in hint else "; names are job, pool, memo, cluster, now, jobs and pools"
        raise InputError(f"'{text}': there is no {name}{hint}")
    for node in nodes:
        field = node.attr if isinstance(node, ast.Attribute) else ""
        called = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr
        if field.startswith("_") or called in CHANGES:
            raise InputError(f"'{text}' has {field or called}; {RULE}")


def _calls_hook_of(value: ast.expr, words: Vocabulary, given: int) -> bool:
    """Whether a hook is called with so few arguments: the others are those of the decision."""
    calls = (node for node in ast.walk(value) if isinstance(node, ast.Call) and len(node.args) <= given)
    asked = (
        call.func.id.partition(".")[0]  # key.deficit() is of key
        for call in calls
        if isinstance(call.func, ast.Name) and not call.keywords
    )
    return any(
        FOLLOWED_HOOKS[name] > given
        if name in FOLLOWED_HOOKS
        else name in OFFERED and name in words.functions
        for name in asked
    )


def _jobs_named(value: ast.expr, words: Vocabulary) -> list[int]:
    """Return the indices of the jobs that stand in an expression by name."""
    named = {
        node.id if isinstance(node, ast.Name) else node.value
        for node in ast.walk(value)
        if isinstance(node, ast.Name) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
    }
    return [words.jobs.index(str(name)) for name in named if name in words.jobs]


def _unit_of(value: ast.expr) -> str:
    """Return the unit of a single field, as job.running[MAP] is one."""
    while isinstance(value, ast.Subscript):
        value = value.value
    name = value.attr if isinstance(value, ast.Attribute) else value.id if isinstance(value, ast.Name) else ""
    return UNITS.get(name, "")
