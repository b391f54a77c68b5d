"""Which column of a table of tasks means what, as in ``--columns job=JobName,start=Begin,end=End``."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.model.errors import NOT_IN_NAMES, InputError, UnknownName, did_you_mean
from core.model.parameters import names_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

COLUMNS = "columns"
"""The parameter of an import that says which column is what, as `ColumnMap` writes it."""
TASKS_PER_SLOT = "tasks_per_slot"
"""The parameter of an import that says how many of the tasks that rows stand for are one."""
MEANINGS: Mapping[str, str] = {
    "job": "name of the job that the task belongs to",
    "start": "when the task began to run",
    "end": "when it ended",
    "duration": "how long it ran, where no column says when it ended",
    "kind": "whether it is a map or a reduce; without such a column all tasks are maps",
    "task": "name of the task within its job and kind; rows alike in all three are attempts at one task",
    "submit": "when its job was submitted; without such a column a job comes with its first task",
    "host": "machine that it ran on",
    "user": "who owns the job",
    "pool": "pool or queue of the job",
    "outcome": "how the attempt ended; without such a column all went well",
    "shuffle_end": "when a reduce had fetched its input",
    "sort_end": "when a reduce had merged its input",
    "count": "how many tasks the row stands for, all alike; without such a column one",
    "processors": "how many processors the task takes, each a slot; without such a column one",
}
"""What a column can be, and what that is; a column of one of these names needs no mapping."""
TO_BE_NAMED = ("count", "processors")
"""But for these: columns of such names may count anything."""

UNITS: Mapping[str, str] = {
    "s": "seconds",
    "ms": "milliseconds",
    "us": "microseconds",
    "ns": "nanoseconds",
    "date": "dates (ISO 8601)",
    "mdy": "dates, month first (5/31/2024)",
    "dmy": "dates, day first (31/5/2024)",
}
DATES = ("date", "mdy", "dmy")
"""Units of times that are dates."""
DURATION_UNITS: Mapping[str, str] = {
    **{unit: title for unit, title in UNITS.items() if unit not in DATES},
    "clock": "hours:minutes:seconds",
}
NEEDED = ("job", "start")
TIMES = ("start", "end", "submit", "shuffle_end", "sort_end")
STAND_INS = {"task": "index", "host": "slot"}
"""Columns that Slotscope itself writes, and what they serve as where that is not there."""

_NOT_PRINTABLE = re.compile(NOT_IN_NAMES)
_LISTS = {"reduce": "reduces", "done": "done"}
_KEYS = (*MEANINGS, *_LISTS, "unit", "duration_unit")


@dataclass(frozen=True, slots=True)
class ColumnMap:
    """What the columns of a table mean.

    Attributes
    ----------
    columns : meaning and name of a column, or ``#3`` for the third one; an empty name says that no column has
        this meaning. A meaning that is not named is that of the column of the same name, if there is one
    reduces : values of the kind that mean a reduce; without any, map, m, reduce and r mean what they say
    done : values of the outcome that mean success; without any, those that usually do
    unit : of times, one of `UNITS`
    duration_unit : of durations, one of `DURATION_UNITS`; empty for that of the times
    """

    columns: tuple[tuple[str, str], ...] = ()
    reduces: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    unit: str = "s"
    duration_unit: str = ""

    @classmethod
    def parse(cls, text: str) -> ColumnMap:
        """Read what `text` writes; raises InputError, with all problems, where it cannot be understood."""
        given, problems = _values_of(text)
        lists = {name: tuple(_split(given.pop(word, ""), "|")) for word, name in _LISTS.items()}
        unit, duration_unit = given.pop("unit", "s"), given.pop("duration_unit", "")
        problems += _bad_unit("unit", unit, UNITS)
        if duration_unit:
            problems += _bad_unit("duration_unit", duration_unit, DURATION_UNITS)
        if given.get("end") and given.get("duration"):
            problems.append("both end and duration are named; name the column of one of them")
        if problems:
            raise InputError(f"columns: {'; '.join(problems)}")
        return cls(tuple(given.items()), unit=unit, duration_unit=duration_unit, **lists)

    def text(self) -> str:
        """Return what `parse` reads: ``job=JobName,start=Begin,end=End,unit=ms``."""
        parts = [f"{meaning}={column}" for meaning, column in self.columns]
        lists = {"reduce": self.reduces, "done": self.done}
        parts += [f"{word}={names_text(values, '|')}" for word, values in lists.items() if values]
        parts.append(f"unit={self.unit}")
        if self.duration_unit:
            parts.append(f"duration_unit={self.duration_unit}")
        return names_text(parts)

    def places(self, names: Sequence[str]) -> dict[str, int]:
        """Return the place of the column of each meaning that a table with these columns has.

        Raises
        ------
        InputError
            the table lacks a column that is named, or one that is needed; all problems in one sentence
        """
        named = dict(self.columns)
        places = {meaning: place_of(column, names) for meaning, column in self.columns if column}
        problems = [
            f"{meaning} is to be '{named[meaning]}', and there is no such column"
            f"{did_you_mean(named[meaning], [name for name in names if name])}"
            for meaning, place in places.items()
            if place is None
        ]
        found = {meaning: place for meaning, place in places.items() if place is not None}
        for meaning in MEANINGS:
            own = own_place(meaning, names) if meaning not in named else None
            if own is not None and not (meaning == "duration" and named.get("end")):
                found.setdefault(meaning, own)
        if "end" in found and not named.get("duration"):
            found.pop("duration", None)
        elif named.get("duration"):
            found.pop("end", None)
        missing = [meaning for meaning in NEEDED if meaning not in found and not named.get(meaning)]
        if not {"end", "duration"} & {*found, *(meaning for meaning, name in self.columns if name)}:
            missing.append("end (or duration)")
        if missing:
            problems.append(f"no column is named for {' and '.join(missing)}")
        if problems:
            raise InputError("; ".join(problems))
        return found


def plain_name(name: str) -> str:
    """Return a column's name as names are compared: in lower case, underscores for blanks and hyphens."""
    return name.strip().lower().replace(" ", "_").replace("-", "_")


def column_word(names: Sequence[str], place: int) -> str:
    """Return what names the column at a place: its name or, where that is empty or not the first, ``#3``."""
    name = names[place]
    return name if name and place_of(name, names) == place else f"#{place + 1}"


def place_of(column: str, names: Sequence[str]) -> int | None:
    """Return where a named column is; the exact name goes before one that differs in spelling."""
    if column in names:
        return names.index(column)
    number = column[1:]
    if column[:1] == "#" and number.isdecimal() and len(number) < 9:
        return int(number) - 1 if 0 < int(number) <= len(names) else None
    plain = [plain_name(name) for name in names]
    return plain.index(plain_name(column)) if plain_name(column) in plain else None


def own_place(meaning: str, names: Sequence[str]) -> int | None:
    """Return where the column is that needs no mapping to have a meaning, as its name is that of it."""
    if meaning in TO_BE_NAMED:
        return None
    plain = [plain_name(name) for name in names]
    known = (meaning, STAND_INS.get(meaning, meaning))
    return next((plain.index(name) for name in known if name in plain), None)


def _values_of(text: str) -> tuple[dict[str, str], list[str]]:
    """Return the parts of a text by their first words, and what is wrong with others."""
    values: dict[str, str] = {}
    problems = []
    for part in _split(_NOT_PRINTABLE.sub(" ", text), ","):
        word, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            problems.append(f"'{part}' is not of the form job=JobName")
        elif word not in _KEYS:
            problems.append(str(UnknownName("meaning", word, _KEYS)))
        elif word in values:
            problems.append(f"{word} is named twice")
        else:
            values[word] = value
    return values, problems


def _bad_unit(word: str, unit: str, units: Mapping[str, str]) -> list[str]:
    return [] if unit in units else [f"{word} is '{unit}'; choose one of {', '.join(units)}"]


def _split(text: str, separator: str) -> list[str]:
    """Split a text; a part with a separator in it stands in double quotes."""
    try:
        parts = next(csv.reader([text], delimiter=separator, skipinitialspace=True), [])
    except csv.Error as error:
        raise InputError(f"columns: it cannot be read ({error}); write job=JobName,start=Begin") from error
    return [part.strip() for part in parts if part.strip()]
