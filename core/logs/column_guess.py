"""Which column of a table of tasks may mean what: by the words of its header and by the values below it."""

from __future__ import annotations

import math
import re
import statistics
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING

from core.logs.column_map import DATES, MEANINGS, TIMES, TO_BE_NAMED, ColumnMap, column_word
from core.logs.table_cells import (
    MAPS,
    MAX_COPIES,
    NEITHER,
    NOTHING,
    OUTCOME_WORDS,
    REDUCES,
    BadCell,
    times_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_WORDS: Mapping[str, tuple[str, ...]] = {
    meaning: tuple(words.split())
    for meaning, words in {
        "start": "start starts starting begin beginn launch started began starttime starttimestamp startedat",
        "end": "end ends ende finish stop complete completed finished ended endtime finishtime",
        "duration": "duration dauer elapsed runtime took walltime seconds latency length",
        "submit": "submit submitted submission arrival arrived queued created enqueued",
        "shuffle_end": "shuffle shuffled",
        "sort_end": "sort sorted merge merged",
        "job": "job jobname jobid auftrag application app appid dag workflow query applicationid",
        "kind": "kind type typ tasktype phase stage role",
        "task": "task taskid attempt taskname tasknumber taskindex vertex instance attemptid",
        "host": "host hostname rechner knoten node machine worker server nodename tracker executor",
        "user": "user username owner account",
        "pool": "pool queue queuename partition",
        "outcome": "outcome status state result exit",
        "count": "instances instancenum numinstances replicas",
        "processors": "processors procs nprocs ncpus alloccpus resources",
    }.items()
}
"""Words of headers that mean something; the meanings choose their columns in this order."""
_OF_TIME = {"time", "ts", "timestamp", "at", "date", "datetime", "utc", "epoch"}
_IGNORED = _OF_TIME | {"id", "name", "ms", "millis", "us", "ns", "sec", "secs", "s", "number", "no", "key"}
_UNIT_WORDS = {
    **dict.fromkeys(("ms", "millis", "milliseconds", "msec"), "ms"),
    **dict.fromkeys(("us", "micros", "microseconds", "usec"), "us"),
    **dict.fromkeys(("ns", "nanos", "nanoseconds", "nsec"), "ns"),
    **dict.fromkeys(("s", "sec", "secs", "seconds"), "s"),
}
_PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
_DONE = {*(word for word, result in OUTCOME_WORDS.items() if word and result == "succeeded")}
_MEANS_DONE = _DONE | {"complete", "completed", "done", "ok", "finished", "terminated", "pass", "passed", "0"}
_SINCE = ((1e17, "ns"), (1e14, "us"), (1e11, "ms"))
"""Numbers from which times since 1970 can only be of a unit: in the next larger one they lie far ahead."""


@dataclass(frozen=True)
class ColumnValues:
    """One column of a table, by its first values."""

    words: tuple[str, ...]
    values: tuple[str, ...]

    @property
    def unit(self) -> str:
        """The unit of most of its values as times or durations; empty if they are none."""
        given = [value for value in self.values if value.lower() not in NOTHING]
        if not given:
            return ""
        numbers = [number for number in map(_number, given) if 0 <= number < math.inf]
        if 2 * len(numbers) > len(given):
            return self._unit_of_numbers(numbers)
        units = ("date", "clock", "mdy", "dmy")
        fits = ((unit, sum(_is_time(value, unit) for value in given)) for unit in units)
        best = max(fits, key=itemgetter(1))  # of several that fit alike the first
        return best[0] if 2 * best[1] > len(given) else ""

    def _unit_of_numbers(self, numbers: Sequence[float]) -> str:
        typical = statistics.median_low([number for number in numbers if number] or [0])
        large = next((unit for least, unit in _SINCE if typical >= least), "")
        return large or next((_UNIT_WORDS[word] for word in self.words if word in _UNIT_WORDS), "s")


def _number(value: str) -> float:
    try:
        return float(value.replace(",", "."))
    except ValueError:
        return math.nan


def _is_time(value: str, unit: str) -> bool:
    try:
        times_of("", [value], unit)
    except BadCell:
        return False
    return True


def guess(names: Sequence[str], rows: Sequence[Sequence[str]]) -> ColumnMap:
    """Return the likely meaning of columns; one that nothing hints at means nothing.

    Parameters
    ----------
    names : of the columns
    rows : the first ones, each with a cell for every column
    """
    cells = list(zip(*rows, strict=True)) or [()] * len(names)
    columns = [ColumnValues(words_of(name), values) for name, values in zip(names, cells, strict=True)]
    chosen: dict[str, int] = {}
    for meaning in _WORDS:
        if meaning == "duration" and "end" in chosen:
            continue
        scores = [
            (_score(meaning, column), -place)
            for place, column in enumerate(columns)
            if place not in chosen.values()
        ]
        score, place = max(scores, default=(0, 0))
        if score > 0:
            chosen[meaning] = -place
    return _map_of(names, columns, chosen)


def unit_of(values: Sequence[str]) -> str:
    """Return the unit of times by their values alone; empty if they are none."""
    return ColumnValues((), tuple(values)).unit


def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a column's name in lower case: "TaskStart_ms" is task, start, ms."""
    return tuple(part.lower() for part in _PARTS.findall(name))


def _score(meaning: str, column: ColumnValues) -> int:
    """Return how well a column's name and values fit a meaning; 0 if they do not."""
    core = [word for word in column.words if word not in _IGNORED]
    together = "".join(column.words)
    keys = _WORDS[meaning]
    if together not in keys and not set(keys).intersection(column.words):
        return 0
    others = [word for word in core if word not in keys]
    score = 20 - 4 * len(others) + 5 * (together in keys)
    if meaning in (*TIMES, "duration"):
        score += 4 * ("task" in others or "attempt" in others) - 3 * ("job" in others)
        unit = column.unit
        fits = unit and (unit != "clock" if meaning != "duration" else unit not in DATES)
        return max(score, 1) if fits else 0
    if meaning in TO_BE_NAMED and not all(map(_is_count, column.values)):
        return 0
    if meaning == "kind" and not any(_is_kind(value.lower()) for value in column.values):
        return 0
    if _OF_TIME.intersection(column.words) or (meaning == "outcome" and "exit" in column.words):
        return 0
    return max(score, 1)


def _map_of(names: Sequence[str], columns: Sequence[ColumnValues], chosen: Mapping[str, int]) -> ColumnMap:
    """Return the chosen columns with the values and units that they have."""
    of = {meaning: columns[place] for meaning, place in chosen.items()}
    units = [of[meaning].unit for meaning in ("start", "end", "submit") if meaning in of] or ["s"]
    # dates of one column alone may show that the day comes first in those of all
    unit = "dmy" if "dmy" in units else units[0]
    duration = of["duration"].unit if "duration" in of else ""
    return ColumnMap(
        tuple((meaning, column_word(names, chosen[meaning])) for meaning in MEANINGS if meaning in chosen),
        reduces=_reduces(of.get("kind")),
        done=_done(of.get("outcome")),
        unit=unit,
        duration_unit="" if duration == unit else duration,
    )


def _is_count(value: str) -> bool:
    return value.isascii() and value.isdigit() and 0 < int(value[:12]) <= MAX_COPIES


def _is_kind(value: str) -> bool:
    return value in MAPS or "map" in value or _is_reduce(value)


def _is_reduce(value: str) -> bool:
    return value in REDUCES or value.startswith("red") or "reduce" in value


def _reduces(column: ColumnValues | None) -> tuple[str, ...]:
    """Return the values that mean reduce, where not all of them are of the usual words."""
    values = dict.fromkeys(column.values if column else ())
    if all(value.lower() in MAPS | REDUCES | NEITHER for value in values):
        return ()
    return tuple(value for value in values if _is_reduce(value.lower()))


def _done(column: ColumnValues | None) -> tuple[str, ...]:
    """Return the values that mean success, where not all of them are of the usual words."""
    values = dict.fromkeys(column.values if column else ())
    if all(value.lower() in OUTCOME_WORDS for value in values):
        return ()
    return tuple(value for value in values if _means_done(value.lower()))


def _means_done(value: str) -> bool:
    """Whether a value is a word of success, or has one and none that denies it: "completed_successfully"."""
    words = set(re.findall("[a-z]+", value))
    return value in _MEANS_DONE or bool(words & _MEANS_DONE and words <= _MEANS_DONE | {"successfully"})
