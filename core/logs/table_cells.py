"""The cells of a table of tasks: times in any unit, kinds, outcomes and names."""

from __future__ import annotations

import math
import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np

from core.logs.attempt_columns import MISSING
from core.logs.column_map import DATES
from core.logs.logged_job import LATEST, are_names, host_name, one_line
from core.model.cell_text import text_of
from core.model.errors import shorten
from core.model.task_types import OUTCOMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from core.logs.column_map import ColumnMap
    from core.model.task_types import Result

PER_UNIT = {"s": 1000.0, "ms": 1.0, "us": 1e-3, "ns": 1e-6}
"""Milliseconds in a unit of time."""
NOTHING = frozenset({"", "-1", "-", "--", "null", "none", "nan", "na", "n/a", "\\n", "unknown", "nat"})
"""What stands in a cell without a time, in lower case."""
MAPS = {"map", "m", "mapper"}
REDUCES = {"reduce", "r", "reducer"}
NEITHER = {"setup", "cleanup", "job_setup", "job_cleanup", "task_cleanup"}
"""Kinds of tasks that are neither maps nor reduces, even where all but some values are maps."""
OUTCOME_WORDS: dict[str, Result] = {
    "": "succeeded",
    "succeeded": "succeeded",
    "success": "succeeded",
    "successful": "succeeded",
    "failed": "failed",
    "killed": "killed",
    "unfinished": "unfinished",
}
_KILLED = re.compile("kill|cancel|preempt|evict|abort|terminat|revoked")
_UNFINISHED = re.compile("unfinish|running|pend|progress|waiting|queued|submitted|scheduled")
_CLOCK = re.compile(r"(?:(\d+)-)?(\d+):([0-5]?\d):([0-5]?\d(?:\.\d*)?)\Z|(\d+):([0-5]?\d(?:\.\d*)?)\Z")
_DAY_FIRST = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)")
_SLASHES = re.compile(
    r"(\d{1,2})/(\d{1,2})/(\d{4})(?:,? +(\d{1,2}):(\d\d)(?::(\d\d(?:\.\d*)?))?(?: *([AaPp])\.?[Mm]\.?)?)?\Z",
    re.ASCII,
)
_POINT = re.compile(r"\d{1,3}\.\d{3}\Z", re.ASCII)
_THOUSANDS = re.compile(r"\d{1,3}(?:\.\d{3}(?:,\d*|(?:\.\d{3})+(?:,\d*)?))\Z", re.ASCII)
POINTS_IN_ROWS = re.compile(rb"(?:^|;)[ \t]*\d{1,3}\.\d{3}[ \t]*(?:;|\r?$)", re.MULTILINE)
"""Cells between semicolons that may have points between thousands."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
MAX_COPIES = 20_000_000
"""Tasks that one row stands for; more is damage."""


class BadCell(Exception):
    """A cell breaks a rule; the message names it."""


class Names(dict[str, int]):
    """Numbers of the names that the cells of a column are, which come again and again; 0 is no name."""

    def __init__(self, name_of: Callable[[str], str], names: Iterable[str] = ("",)) -> None:
        super().__init__()
        self._name_of = name_of
        self.numbers = {name: number for number, name in enumerate(names)}

    def __missing__(self, cell: str) -> int:
        number = self[cell] = self.numbers.setdefault(self._name_of(cell), len(self.numbers))
        return number

    def of(self, cells: Sequence[str]) -> list[int]:
        """Return the number of each cell; there may be as many names as rows, nearly all of them clean."""
        if self._name_of is not _name or "" in cells or not are_names(cells):
            return list(map(self.__getitem__, cells))
        numbers = self.numbers
        return [numbers.setdefault(cell, len(numbers)) for cell in cells]


class DecimalMarks:
    """What shows how numbers are written in a table that may have commas before decimals.

    Attributes
    ----------
    point : a cell such as 1.000, whose point may stand before decimals or between thousands
    other : one such as 1,5 or 1.000.000, after which the point of the first may be one between thousands
    """

    def __init__(self) -> None:
        self.point = self.other = ""

    def look(self, cells: Sequence[str]) -> None:
        """Look at the cells of a column of numbers."""
        self.other = self.other or next((c for c in cells if "," in c or _THOUSANDS.match(c)), "")
        self.point = self.point or next(filter(_POINT.match, cells), "")

    def remarks(self) -> tuple[str, ...]:
        """Return what to say of a table in which a point may mean either."""
        if not (self.point and self.other):
            return ()
        return (
            f"Some numbers are written as {shorten(self.other)}, so that the point in {self.point} may stand "
            f"between thousands: it is taken for one before decimals ({float(self.point):g}). If that is "
            "wrong, write numbers without points between thousands.",
        )


def milliseconds_of(numbers: NDArray[np.float64], unit: str) -> NDArray[np.int64] | None:
    """Return numbers of a unit in ms, `MISSING` for nan; None if one is no time."""
    is_given = ~np.isnan(numbers)
    with np.errstate(over="ignore", invalid="ignore"):
        known = numbers * PER_UNIT[unit]
        if not ((known >= 0) & (known < LATEST) | ~is_given).all():
            return None
        return np.where(is_given, np.rint(known), MISSING).astype(np.int64)


def names_of(columns: ColumnMap) -> dict[str, Names]:
    """Return for each meaning that is a name how its cells become numbers."""
    names = {meaning: Names(_name) for meaning in ("job", "task", "user", "pool")}
    names |= {"kind": Names(_kinds(columns)), "host": Names(_host)}
    names["outcome"] = Names(_outcomes(columns), OUTCOMES)
    names["task"][""] = MISSING
    return names


def _name(cell: str) -> str:
    return one_line(text_of(cell))


def _host(cell: str) -> str:
    return host_name(_name(cell))


def _kinds(columns: ColumnMap) -> Callable[[str], str]:
    chosen = {value.lower() for value in columns.reduces}

    def kind(cell: str) -> str:
        word = _name(cell).lower()
        if word in (chosen or REDUCES):
            return "reduce"
        is_map = word and word not in NEITHER if chosen else word in MAPS
        return "map" if is_map else word.upper() or "of no kind"

    return kind


def _outcomes(columns: ColumnMap) -> Callable[[str], str]:
    done = {value.lower() for value in columns.done}

    def outcome(cell: str) -> str:
        word = cell.lower()
        if done:
            return "succeeded" if word in done or not word else _failure(word)
        if word not in OUTCOME_WORDS:
            known = ", ".join(filter(None, OUTCOME_WORDS))
            rule = f"known are {known}; done=OK|… says which mean success"
            raise BadCell(f"outcome is {shorten(word)} ({rule})")
        return OUTCOME_WORDS[word]

    return outcome


def _failure(word: str) -> Result:
    return "killed" if _KILLED.search(word) else "unfinished" if _UNFINISHED.search(word) else "failed"


def times_of(name: str, cells: Sequence[str], unit: str, *, has_commas: bool = False) -> NDArray[np.int64]:
    """Return times or durations in ms, `MISSING` for empty cells; BadCell for one that is no time.

    Parameters
    ----------
    name : the meaning, for the message
    unit : one of `core.logs.column_map.UNITS`, or "clock"
    has_commas : whether decimals may stand behind a comma
    """
    with suppress(ValueError, OverflowError):  # most columns have a time in every row
        known = _milliseconds(cells, unit, has_commas)
        if ((known >= 0) & (known < LATEST)).all():
            return np.rint(known).astype(np.int64)
    times = np.full(len(cells), MISSING, np.int64)
    is_given = np.fromiter((cell.lower() not in NOTHING for cell in cells), np.bool_, len(cells))
    given = [cell for cell, is_there in zip(cells, is_given.tolist(), strict=True) if is_there]
    if given:
        try:
            known = _milliseconds(given, unit, has_commas)
        except (ValueError, OverflowError):
            known = np.array([math.nan])
        if not ((known >= 0) & (known < LATEST)).all():
            is_too_late = bool((known >= LATEST).any())
            expected = _expected(unit, given[0], is_too_late=is_too_late)
            if has_commas and unit in PER_UNIT and _THOUSANDS.match(given[0]):
                expected = "which has points between thousands; write it without them"
            raise BadCell(f"{name} is {shorten(given[0])}, {expected}")
        times[is_given] = np.rint(known)
    return times


def _expected(unit: str, cell: str, *, is_too_late: bool) -> str:
    """Return what is wrong with a cell; of several that are taken together only the first may be meant."""
    if unit == "date" and may_be_two_dates(cell):
        return "of which the unit has to say whether the month comes first (unit=mdy) or the day (unit=dmy)"
    if unit in ("mdy", "dmy"):
        return f"which is no date like {'5/31/2024' if unit == 'mdy' else '31/5/2024'} 23:59:59 from 1970 on"
    if is_too_late:
        return f"which in {unit} is thousands of years; another unit may be meant (ms, us, ns)"
    if unit == "date":
        return "which is no date like 2024-05-31T23:59:59 or 31.05.2024 23:59:59 from 1970 on"
    return "which is no duration like 1:59:59" if unit == "clock" else "which is no time from 0 on"


def _milliseconds(cells: Sequence[str], unit: str, has_commas: bool) -> NDArray[np.float64]:
    if unit in DATES:
        return np.array([date_of(cell, unit) for cell in cells])
    if unit == "clock":
        return np.array([_clock(cell) for cell in cells])
    if has_commas:
        cells = [cell.replace(",", ".") for cell in cells]
    with np.errstate(over="ignore"):
        return np.array(list(map(float, cells))) * PER_UNIT[unit]


def date_of(cell: str, unit: str = "date") -> float:
    """Return milliseconds since 1970 of a date in ISO 8601, of UTC without a zone; ValueError if none.

    A date with dots begins with the day: 31.05.2024 23:59:59. One with AM or PM begins with the month:
    5/31/2024 11:59 PM. Of another one with slashes the unit says it: "mdy" or "dmy".
    """
    if found := _SLASHES.match(cell):
        cell = _iso(found, unit)
    if found := _DAY_FIRST.match(cell):
        day, month, year = found.groups()
        cell = f"{year}-{month:>02}-{day:>02}{cell[found.end() :]}"
    if cell[4:5] == "/":
        cell = cell.replace("/", "-")
    if cell.endswith(" UTC"):
        cell = f"{cell[:-4]}Z"
    if not cell[:4].isdigit() or "-" not in cell[4:5]:
        raise ValueError(cell)
    moment = datetime.fromisoformat(cell)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - _EPOCH) / _MILLISECOND


def _iso(found: re.Match[str], unit: str) -> str:
    """Return "2024-05-31T23:59:00" for "5/31/2024 11:59 PM"; ValueError where no clock shows such an hour.

    Without AM or PM the date may begin with the day as well: then the unit has to say which it is.
    """
    first, second, year, hour, minute, seconds, half = found.groups()
    if unit == "date" and not half:
        raise ValueError(f"{found[0]} may begin with the month or the day")
    month, day = (second, first) if unit == "dmy" else (first, second)
    hours = int(hour or 0)
    if half:
        if not 1 <= hours <= 12:
            raise ValueError(f"no clock shows {found[0]}")
        hours = hours % 12 + 12 * (half.lower() == "p")
    return f"{year}-{month:>02}-{day:>02}T{hours:02}:{minute or '00'}:{seconds or '00'}"


def may_be_two_dates(cell: str) -> bool:
    """Whether a cell is a date with slashes that may begin with the month or with the day."""
    found = _SLASHES.match(cell)
    return found is not None and not found[7]


def _clock(cell: str) -> float:
    """Return milliseconds of "1:59:59.5", "59:59" or "2-03:04:05" (days before the hours)."""
    found = _CLOCK.match(cell)
    if found is None:
        raise ValueError(cell)
    days, hours, minutes, seconds, of_hour, of_minute = (float(part or 0) for part in found.groups())
    return 1000 * (86400 * days + 3600 * hours + 60 * (minutes + of_hour) + seconds + of_minute)
