"""Where expressions are evaluated, decision by decision, upon the records of a run."""

from __future__ import annotations

import math
import reprlib
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

from core.engine.state import Row
from core.explain.trace import NO_VALUE
from core.explain.vocabulary import FIELDS, FOLLOWED_HOOKS, FUNCTIONS, NUMBERS
from core.model.errors import InputError, did_you_mean
from core.model.number_text import grouped
from core.policies.policy import OFFERED
from core.policies.user_files.followed import Followed, each_return, left_when_called
from core.policies.user_files.loop_budget import COUNTED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from core.explain.expressions import Expression
    from core.explain.vocabulary import Vocabulary
    from core.policies.user_files.followed import Left

LONGEST_TEXT = 120
MAX_ROUNDS = 1_000_000
"""Of all loops in one evaluation, and numbers of a range: some 50 ms."""
_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = LONGEST_TEXT
_SHORT.maxlist = _SHORT.maxtuple = 12


class NoValue(Exception):
    """A hook returned before a local name had a value."""


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
        self._at = (-1, 0)
        self._left: dict[str, Mapping[str, Any]] = {}
        self._last: dict[tuple[str, int, int], Mapping[str, Any]] = {}
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
            **{
                f"{hook}.{name}": partial(self._local, hook, name)
                for hook in words.codes
                for name in words.locals[hook]
            },
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
            pool = pools[pool.pool] if id(pool) in self.places else pool  # that of a job
            return _alone(function(pool, here["kind"] if kind is None else kind, cluster))

        def of_slot(slot: Any = None, kind: Any = None) -> Any:
            slot, kind = here["slot"] if slot is None else slot, here["kind"] if kind is None else kind
            return function(slot, kind, cluster)

        return of_job if "job" in OFFERED[name] else of_pool if "pool" in OFFERED[name] else of_slot

    def _local(self, hook: str, name: str, *given: Any, **named: Any) -> Any:
        """Return what a local name of a hook stood for when it returned: asked once more, or in the run."""
        if hook in FOLLOWED_HOOKS:
            left = self._left_in_run(hook, *given, **named)
        elif given or named:
            left = self._left_by(hook, partial(self.names[hook], *given, **named))
        else:
            if hook not in self._left:
                self._left[hook] = self._left_by(hook, self.names[hook])
            left = self._left[hook]
        if name not in left:
            raise NoValue
        value = left[name]
        if isinstance(value, ModuleType) or callable(value):
            raise InputError(f"{name} is a {type(value).__name__}, and no value to look at")
        return value

    def _left_by(self, hook: str, call: Callable[[], Any]) -> Mapping[str, Any]:
        left = left_when_called(self._words.codes[hook], call)
        return {} if left is None else left.names

    def _left_in_run(self, hook: str, job: Any = None, kind: Any = None) -> Mapping[str, Any]:
        """Return the names of a hook that the run alone asks, of a job if the hook is about one."""
        about = FOLLOWED_HOOKS[hook]
        job, kind = self.names["job"] if job is None else job, self.names["kind"] if kind is None else kind
        return self._last.get(
            (hook, self.places.get(id(job), -1) if about else -1, kind if about > 1 else -1), {}
        )

    def follow(self, expressions: Iterable[Expression]) -> Followed | None:
        """Return what follows the hooks of the run that expressions read local names of; None for none."""
        hooks = {
            name.partition(".")[0] for each in expressions for name in each.locals
        } & FOLLOWED_HOOKS.keys()
        codes = {id(self._words.codes[hook]): hook for hook in hooks}
        return Followed(each_return(codes, self._note)) if codes else None

    def _note(self, hook: str, left: Left) -> None:
        """Keep the names of a hook that returned, in place of those about the same job and kind."""
        about, names = FOLLOWED_HOOKS[hook], left.names
        job = self.places.get(id(names.get("job")), -1) if about else -1
        kind = names.get("kind", -1) if about > 1 else -1
        assigned = self._words.locals[hook]
        self._last[hook, job, kind] = {name: names[name] for name in assigned if name in names}

    def begin(self, slot: int) -> None:
        """Look at a decision about a slot of this type."""
        self._left.clear()
        self.names["slot"], self.names["now"] = slot, self.cluster.now

    def look_at(self, job: int, kind: int) -> None:
        """Let `job`, `pool` and `kind` mean a job's next task of a kind; -1 is no job."""
        if (job, kind) != self._at:
            self._at = job, kind
            self._left.clear()
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
        except NoValue:
            return math.nan, NO_VALUE, ""
        except Exception as error:  # whatever it raises is a sentence in its row
            return math.nan, "", self._sentence(error)

    def holds(self, expression: Expression) -> tuple[bool, str]:
        """Return whether a condition holds; and what went wrong, "" for nothing."""
        try:
            self._rounds = 0
            return bool(eval(expression.code, self.names)), ""
        except NoValue:
            return False, ""
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
