"""What a user types to be watched over a run, or to stop at: an expression over what hooks see.

It is read here and evaluated decision by decision by `core.explain.traced_run`, in the process of policy
files. Only looking is possible: no function that writes, opens or imports is known to it.
"""

from __future__ import annotations

import ast
import builtins
import math
import re
import reprlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.engine.state import Row
from core.model.errors import InputError, did_you_mean
from core.model.number_text import grouped
from core.policies.policy import OFFERED, ClusterRow, JobRow, PoolRow
from core.policies.user_files.loop_budget import COUNTED, with_loop_budget
from core.policies.user_files.read_only import CHANGES
from core.policies.user_files.source import syntax_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from types import CodeType

_BUILT_IN = (
    "abs all any bool dict divmod enumerate filter float int len list map max min repr reversed round set "
    "sorted str sum tuple zip"
)
_MATH = "ceil exp floor isfinite isinf isnan log sqrt"
FUNCTIONS: dict[str, Any] = {
    name: getattr(module, name)
    for module, names in ((builtins, _BUILT_IN), (math, _MATH))
    for name in names.split()
}
"""The functions of Python that an expression may call, and `range`."""
NUMBERS = {"inf": math.inf, "nan": math.nan, "MAP": 0, "REDUCE": 1}
OF_JOB = ("job", "pool", "kind", "slot")
"""Names that mean something where a job is looked at."""
EVERYWHERE = ("memo", "cluster", "now", "jobs", "pools", *NUMBERS)
KINDS = {"maps": "MAP", "reduces": "REDUCE"}
LONGEST_TEXT = 120
RULE = "a watch may look at the run, not change it"
MAX_ROUNDS = 1_000_000
"""Of all loops in one evaluation, and numbers of a range: some 50 ms."""
UNITS = {
    **dict.fromkeys(("now", "arrival", "deadline", "stage_end"), "s"),
    **dict.fromkeys(("running", "started", "done", "tasks", "pending"), "tasks"),
    **dict.fromkeys(("slots", "free", "wanted", "share", "cap"), "slots"),
    **dict.fromkeys(("active", "arrived"), "jobs"),
    "slot_time": "slot-seconds",
}
FIELDS = {
    kind: tuple(row.__annotations__)
    for kind, row in (("job", JobRow), ("pool", PoolRow), ("cluster", ClusterRow))
}
"""What job, pool and cluster have, as hooks may read it."""
_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = LONGEST_TEXT
_SHORT.maxlist = _SHORT.maxtuple = 12


@dataclass(frozen=True)
class Vocabulary:
    """The names of a run that expressions may use.

    Attributes
    ----------
    jobs, pools : their names
    functions : the hooks of the policy that can be asked, and functions of its file
    values : parameters of the policy, and constants of its file
    """

    jobs: tuple[str, ...]
    pools: tuple[str, ...]
    functions: Mapping[str, Any]
    values: Mapping[str, Any]

    def all_names(self) -> tuple[str, ...]:
        """Return every name, as a list of completions has them."""
        named = tuple(name for name in self.jobs if name.isidentifier())
        return (*OF_JOB, *EVERYWHERE, *self.functions, *self.values, *FUNCTIONS, "range", *named)


def completions(words: Vocabulary) -> tuple[str, ...]:
    """Return what may be typed, the fields of records behind their names."""
    pairs = {name for name, unit in UNITS.items() if unit in ("tasks", "slots")} | {"next"}
    fields = (
        f"{what}.{field}{'[MAP]' if field in pairs else ''}"
        for what, known in FIELDS.items()
        for field in known
        if not field.startswith("_")
    )
    return (*fields, *words.all_names())


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
    """

    text: str
    code: CodeType
    job: int
    is_named: bool
    looks_at_job: bool
    looks_at_kind: bool
    unit: str


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
    value = tree.body[0].value
    names = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
    _check(text, value, names, words)
    counted = with_loop_budget(tree).body[0]
    assert isinstance(counted, ast.Expr)
    code = compile(ast.fix_missing_locations(ast.Expression(counted.value)), "<watch>", "eval")
    mentioned = _jobs_named(value, words)
    return Expression(
        text=text,
        code=code,
        job=named if named >= 0 else mentioned[0] if len(mentioned) == 1 else -1,
        is_named=named >= 0,
        looks_at_job=bool(names & set(OF_JOB)) or _calls_hook_of(value, words, 0),
        looks_at_kind=bool(names & {"kind", "slot"}) or _calls_hook_of(value, words, 1),
        unit=_unit_of(value),
    )


def _without_of(text: str, words: Vocabulary) -> str:
    """Return "what of NAME" as Python has it; a job behind a comparison gets the same expression."""
    jobs = "|".join(re.escape(name) for name in sorted(words.jobs, key=len, reverse=True))
    if not jobs or " of " not in text:
        return text
    wording = ""

    def quantity(what: str, kind: str | None, job: str) -> str:
        row = f"jobs[{job!r}]"
        return f"{what}({row})" if what in words.functions else f"{row}.{what}{kind or ''}"

    def replaced(found: re.Match[str]) -> str:
        nonlocal wording
        kind = f"[{KINDS[found['kind']]}]" if found["kind"] else found["place"]
        wording = quantity(found["what"], kind, "\0")
        return quantity(found["what"], kind, found["job"])

    what = r"(?P<what>[A-Za-z_]\w*)(?P<place>\[[^\[\]]*\])?(?: (?P<kind>maps|reduces))?"
    text = re.sub(rf"{what} of (?P<job>{jobs})(?!\w)", replaced, text)
    if not wording:
        return text
    compared = rf"(?P<sign><=|>=|==|!=|<|>)\s*(?P<job>{jobs})(?![\w\[.'\"])"
    return re.sub(
        compared, lambda found: f"{found['sign']} {wording.replace(repr(chr(0)), repr(found['job']))}", text
    )


def _check(text: str, value: ast.expr, names: set[str], words: Vocabulary) -> None:
    """Refuse unknown names, and what writes."""
    nodes = tuple(ast.walk(value))
    own = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    own |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    known = words.all_names()
    for name in sorted(names - own - set(known)):
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
    return any(
        isinstance(call.func, ast.Name) and call.func.id in OFFERED and call.func.id in words.functions
        for call in calls
        if not call.keywords
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


# ---- evaluating


class TooLong(InputError):
    """An evaluation needs more time than there is for one decision."""


def limited_range(*given: int) -> range:
    """Return a range of Python's, if it is not endless."""
    numbers = range(*given)
    if len(numbers) > MAX_ROUNDS:
        raise TooLong(
            f"a range of {grouped(len(numbers))} numbers is too long; {grouped(MAX_ROUNDS)} are the most"
        )
    return numbers


class ByName:
    """Jobs or pools by name or number."""

    def __init__(self, what: str, names: Sequence[str], rows: Sequence[Any]) -> None:
        self._what, self._names, self._rows = what, {name: i for i, name in enumerate(names)}, rows

    def __getitem__(self, which: str | int) -> Any:
        """Return the record of one."""
        if isinstance(which, str) and which not in self._names:
            raise InputError(f"there is no {self._what} '{which}'{did_you_mean(which, self._names)}")
        return self._rows[self._names[which] if isinstance(which, str) else which]

    def __len__(self) -> int:
        return len(self._rows)


def _alone(answer: Any) -> Any:
    """Return the number of a key of one number."""
    return answer[0] if isinstance(answer, tuple) and len(answer) == 1 else answer


class Bench:
    """Where expressions are evaluated: the records of a run by the names that expressions have for them."""

    def __init__(self, words: Vocabulary, job: Sequence[Any], pool: Sequence[Any], cluster: Any) -> None:
        self._job, self._pool, self.cluster = job, pool, cluster
        self.places = {id(row): j for j, row in enumerate(job)}
        self.pool_places = {id(row): p for p, row in enumerate(pool)}
        self._words = words
        self._jobs = words.jobs
        self._rounds = 0
        rows = {name: row for name, row in zip(words.jobs, job, strict=False) if name.isidentifier()}
        self.names: dict[str, Any] = {}
        self.names |= {
            "__builtins__": {**FUNCTIONS, "range": limited_range},
            **rows,
            **NUMBERS,
            **words.values,
            **{name: self._with_defaults(name, function) for name, function in words.functions.items()},
            COUNTED: self._counted,
            "cluster": cluster,
            "memo": getattr(cluster, "memo", None),
            "jobs": ByName("job", words.jobs, job),
            "pools": ByName("pool", words.pools, pool),
        }

    def _counted(self, items: Iterable[Any]) -> Iterator[Any]:
        """Yield what a loop runs over; raise TooLong when all loops of an evaluation have had too many."""
        for item in items:
            self._rounds += 1
            if self._rounds > MAX_ROUNDS:
                raise TooLong(f"its loops took more than {grouped(MAX_ROUNDS)} rounds at one decision")
            yield item

    @property
    def was_too_long(self) -> bool:
        """Whether the last evaluation was given up for its loops: the next ones would be, too."""
        return self._rounds > MAX_ROUNDS

    def _with_defaults(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a hook that takes the job that is looked at, its kind and slot where none are given."""
        if name not in OFFERED:
            return function
        here, pools, cluster = self.names, self._pool, self.cluster

        def of_job(job: Any = None, kind: Any = None, slot: Any = None) -> Any:
            job = here["job"] if job is None else job
            kind, slot = here["kind"] if kind is None else kind, here["slot"] if slot is None else slot
            return _alone(function(job, kind, slot, pools[job.pool], cluster))

        def of_pool(pool: Any = None, kind: Any = None) -> Any:
            pool = here["pool"] if pool is None else pool
            return _alone(function(pool, here["kind"] if kind is None else kind, cluster))

        def of_slot(slot: Any = None, kind: Any = None) -> Any:
            slot, kind = here["slot"] if slot is None else slot, here["kind"] if kind is None else kind
            return function(slot, kind, cluster)

        return of_job if "job" in OFFERED[name] else of_pool if "pool" in OFFERED[name] else of_slot

    def begin(self, slot: int) -> None:
        """Look at a decision about a slot of this type."""
        self.names["slot"], self.names["now"] = slot, self.cluster.now

    def look_at(self, job: int, kind: int) -> None:
        """Let `job`, `pool` and `kind` mean a job's next task of a kind; -1 is no job."""
        names = self.names
        row = self._job[job] if job >= 0 else None
        names["kind"], names["job"] = kind, row
        names["pool"] = None if row is None else self._pool[row.pool]

    def value(self, expression: Expression) -> tuple[float, str, str]:
        """Return a number, or nan and what it is as text; and what went wrong, "" for nothing."""
        try:
            self._rounds = 0
            value = eval(expression.code, self.names)  # typed by the user, in a process of its own
            if isinstance(value, (float, int)) or hasattr(value, "dtype"):  # a tuple: it is asked very often
                return float(value), "", ""
            return math.nan, self.shown(value), ""
        except Exception as error:  # whatever it raises is a sentence in its row
            return math.nan, "", self._sentence(error)

    def holds(self, expression: Expression) -> tuple[bool, str]:
        """Return whether a condition holds; and what went wrong, "" for nothing."""
        try:
            self._rounds = 0
            return bool(eval(expression.code, self.names)), ""
        except Exception as error:  # likewise
            return False, self._sentence(error)

    def shown(self, value: Any) -> str:
        """Return a value as short text; records as what they are."""
        if isinstance(value, Row):
            if id(value) in self.places:
                return f"job {self._jobs[self.places[id(value)]]}"
            if id(value) in self.pool_places:
                return f"pool {self._words.pools[self.pool_places[id(value)]]}"
            return "the cluster" if value is self.cluster else "a record"
        if isinstance(value, list | tuple) and value and isinstance(value[0], Row):
            items = ", ".join(map(self.shown, value[:12]))
            return f"[{items}{', …' if len(value) > 12 else ''}]"
        try:
            text = value[: 2 * LONGEST_TEXT] if isinstance(value, str) else _SHORT.repr(value)
        except Exception as error:  # a value's own __repr__
            text = f"a {type(value).__name__}, whose text raised {type(error).__name__}"
        return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"

    def _sentence(self, error: Exception) -> str:
        if isinstance(error, AttributeError) and isinstance(error.obj, Row):
            what = self.shown(error.obj).split(" ")[0]
            fields = FIELDS.get("cluster" if what == "the" else what, FIELDS["job"])
            return f"{self.shown(error.obj)} has no {error.name}{did_you_mean(str(error.name), fields)}"
        if isinstance(error, AttributeError) and error.obj is None:
            return f"no job gets the slot, so there is no {error.name}"
        if isinstance(error, InputError):
            return str(error)
        if isinstance(error, MemoryError):
            return "it needs more memory than there is"
        return f"it raised {type(error).__name__}: {error}".rstrip(": ")
