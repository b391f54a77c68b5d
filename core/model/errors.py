"""What can go wrong, as one tree; every message has where, which value, which rule and what to do.

SlotscopeError
├── InputError            bad input: files, options, parameters (exit code 2)
│   ├── DocumentError     a workload or session document breaks rules; carries all problems
│   ├── TraceError        a log is of a known format but damaged
│   ├── UnknownFormat     no reader recognises the file
│   │   └── UnknownTable  it is a table; which column is what must be said first
│   ├── UnknownName       a name that does not exist; carries the nearest one
│   └── PolicyNotRun      a policy file that nobody has let run yet
├── PolicyFault           a policy did something wrong; carries the place in the user's file, if it is one
│   ├── PolicyError       it misbehaved: wrong pick, exception, endless loop, code that does not load
│   └── StalledError      nothing can end while tasks wait; names the slots and jobs that hold each other
├── WrongResult           a result of ours that a check of ours contradicts: never shown as one (exit code 1)
└── Cancelled             the user asked to stop
"""

from __future__ import annotations

import difflib
import os
import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_PROBLEMS = 50
"""A file's problems are collected up to this many."""


class SlotscopeError(Exception):
    """Anything Slotscope expects can go wrong."""


class InputError(SlotscopeError):
    """Bad input: the user can mend it."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One broken rule of a file.

    Attributes
    ----------
    where : path inside the document (``jobs[3].stages[1].durations[7]``) or line of a log
    value : the offending value as text, shortened
    rule : the rule it breaks and what to do, as a phrase
    """

    where: str
    value: str
    rule: str

    def __str__(self) -> str:
        shown = f" is {self.value};" if self.value else ":"
        return f"{shorten_name(self.where)}{shown} {self.rule}"

    def below(self, where: str) -> Problem:
        """Return it as it is where the document stands at a place of a larger one."""
        inside = "" if self.where == "document" else f".{self.where}"
        return Problem(f"{where}{inside}", self.value, self.rule)


class DocumentError(InputError):
    """A document breaks rules; all of them (at most `MAX_PROBLEMS`) are in `problems`."""

    def __init__(self, name: str, problems: Sequence[Problem]) -> None:
        self.name = name
        self.problems = tuple(problems[:MAX_PROBLEMS])
        lines = [f"{name}: {problem}" for problem in self.problems]
        if len(problems) > MAX_PROBLEMS:
            lines.append(f"{name}: … and more; only the first {MAX_PROBLEMS} problems are listed")
        super().__init__("\n".join(lines))


class TraceError(InputError):
    """A log of a known format is too damaged to give any job."""


class UnknownFormat(InputError):
    """No reader recognises the file."""


class UnknownTable(UnknownFormat):
    """A table that no reader recognises; `table` is how it begins, the message how to name its columns."""

    def __init__(
        self, sentence: str, table: Any
    ) -> None:  # tables of logs know errors, not the other way round
        self.table = table
        super().__init__(sentence)


class UnknownName(InputError):
    """A name that does not exist; the message offers the nearest one, or all of them."""

    def __init__(self, kind: str, name: str, known: Iterable[str], *, all_known: bool = False) -> None:
        self.name = name
        self.known = sorted(known)
        hint = did_you_mean(name, self.known)
        if all_known and not self.known:
            hint = "; it has none"
        elif all_known and "did you mean" in hint:
            hint += f" Known are {', '.join(self.known)}"
        super().__init__(f"unknown {kind} '{shorten_name(name)}'{hint}")


class PolicyNotRun(InputError):
    """A policy is known by its file, and the file has not been run: the user must trust it first."""


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """A place in a policy file that a user wrote.

    Attributes
    ----------
    path : the file
    line : from 1; 0 where only the file is known
    text : the source line as it stands there
    column : from 1, of a syntax error; 0 elsewhere
    """

    path: str
    line: int = 0
    text: str = ""
    column: int = 0

    def __str__(self) -> str:
        return f"{self.path}:{self.line}" if self.line else self.path

    @property
    def brief(self) -> str:
        """The file's name, and the line: "mine.py, line 8"."""
        name = os.path.basename(self.path)
        return f"{name}, line {self.line}" if self.line else name

    @property
    def excerpt(self) -> str:
        """The source line, below it a caret where a column is known; empty without a line."""
        code = self.text.strip()
        if not code or not self.column:
            return code
        indent = len(self.text) - len(self.text.lstrip())
        return f"{code}\n{' ' * max(self.column - 1 - indent, 0)}^"


@dataclass(frozen=True, slots=True)
class FailedRun:
    """How far a run had come when its policy failed.

    Attributes
    ----------
    time : seconds
    hook : which hook was called; empty where none was, or nobody knows
    values : its arguments and what its line read, by name, as texts
    schedule : a `Schedule` of the tasks that had started; those that ran have the ends that they would have
        had, if known
    """

    time: float
    hook: str
    values: tuple[tuple[str, str], ...]
    schedule: Any  # schedules know errors, not the other way round

    @property
    def values_text(self) -> str:
        """The values in one line, as "job J3, kind map, job.running[kind] 4"."""
        return ", ".join(f"{name} {text}" for name, text in self.values)


class PolicyFault(SlotscopeError):
    """A policy did something wrong.

    Attributes
    ----------
    sentence : what happened, without the place
    place : where in the user's file; None for the policies that come with Slotscope
    run : how far its run had come; None where it had not begun
    """

    def __init__(self, sentence: str, place: SourcePlace | None = None) -> None:
        self.sentence = sentence
        self.place = place
        self.run: FailedRun | None = None
        lines = [sentence] if place is None else [f"{place}: {sentence}", *place.excerpt.splitlines()]
        super().__init__("\n    ".join(lines))

    @property
    def brief(self) -> str:
        """The sentence in one line, with the name of the file and the line."""
        return self.sentence if self.place is None else f"{self.place.brief}: {self.sentence}"


class PolicyError(PolicyFault):
    """A policy misbehaved; the message names the policy, the time and the pick."""


class StalledError(PolicyFault):
    """Nothing can end while tasks wait; the message names the slots and jobs that hold each other."""


class WrongResult(SlotscopeError):
    """A result of ours that a check of ours contradicts; the message names the file that has all of it."""


class Cancelled(SlotscopeError):
    """The user stopped the work."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return "; did you mean 'x'?" for the closest known name, else the known names, or the first of many."""
    known = list(known)
    close = difflib.get_close_matches(name[:MAX_COMPARED], islice(known, MAX_COMPARED), n=1, cutoff=0.5)
    if close:
        return f"; did you mean '{close[0]}'?"
    listed = ", ".join(islice(known, MAX_COMPARED))
    if len(listed) <= MAX_LISTED:
        return f"; known are {listed}" if known else ""
    fitting = listed[:MAX_LISTED].rpartition(", ")[0] or f"{listed[:MAX_LISTED]}…"
    return f"; known are {fitting}, and {len(known) - fitting.count(', ') - 1} more"


MAX_COMPARED, MAX_LISTED, MAX_NAME_SHOWN = 1000, 2000, 200
"""Names that one is compared with, and characters of it; characters of a list of names, and of one
that is not known."""


def shorten_name(name: str) -> str:
    """Show a name in a message: as it is, cut where no name is so long."""
    return name if len(name) <= MAX_NAME_SHOWN else f"{name[:MAX_NAME_SHOWN]}…"


def shorten(value: object, width: int = 60) -> str:
    """Show a value of a document in a message: null, true, false, or as `shorten_repr`."""
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    return shorten_repr(value, width)


def shorten_repr(value: object, width: int = 60) -> str:
    """Show a value of somebody's Python code in a message: its repr, cut to `width` characters."""
    try:
        text = repr(value[:width] if isinstance(value, str | list) else value)
    except (ValueError, RecursionError):
        text = f"a {type(value).__name__}"
    return text if len(text) <= width else text[: width - 1] + "…"


# ---- names and descriptions: plain text that a chart, a table and a file can hold

LONGEST_NAME = 1000
LONGEST_TEXT = 100_000
"""Characters of a name, and of a description; longer ones are refused with a sentence."""

NOT_IN_NAMES = "[\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069\\ud800-\\udfff]"
NOT_IN_TEXTS = "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069\\ud800-\\udfff]"
"""Control characters, line ends, lone surrogates, and what has letters stand in another order ("evil" would
read "live"); texts may have line feeds and tabs."""

_NOT_IN_NAMES = re.compile(NOT_IN_NAMES)
_NOT_IN_TEXTS = re.compile(NOT_IN_TEXTS)


def name_problems(where: str, value: str) -> list[Problem]:
    """Return the rule that a name of one line breaks, if any."""
    if len(value) > LONGEST_NAME or _NOT_IN_NAMES.search(value):
        rule = f"names are one line of at most {LONGEST_NAME} characters without control characters"
        return [Problem(where, shorten(value), rule)]
    return []


def repeated_name(kind: str, name: str, place: int, first: int) -> Problem:
    """Return the rule that a thing of a list breaks whose name the one at `first` has."""
    rule = f"{kind} names are unique; {kind}s[{first}] has it already"
    return Problem(f"{kind}s[{place}].name", shorten(name), rule)


def text_problems(where: str, value: str) -> list[Problem]:
    """Return the rule that a description breaks, if any; it may have several lines."""
    if len(value) > LONGEST_TEXT or _NOT_IN_TEXTS.search(value):
        rule = f"give at most {LONGEST_TEXT} characters; control characters are not allowed"
        return [Problem(where, shorten(value), rule)]
    return []
