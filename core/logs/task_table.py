"""A plain table of task attempts (CSV): one per row, under a header with documented names.

What Slotscope writes with ``--csv`` can be read again. Rows of one job, kind and task are attempts at
the same task; without a column ``task`` every row is a task of its own.
"""

from __future__ import annotations

import csv
import difflib
import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.logs.attempt_columns import MISSING
from core.logs.byte_source import Line, text_lines, until_noise
from core.logs.job_profile import PROFILE_ASSUMPTIONS
from core.logs.logged_job import LATEST, host_name, one_line
from core.logs.reader import Reader
from core.logs.table_jobs import TableRows
from core.model.cell_text import text_of
from core.model.errors import Problem, shorten
from core.model.execution_history import OUTCOMES
from core.model.parameters import Parameter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from core.logs.byte_source import ByteSource
    from core.logs.job_profile import JobProfile
    from core.logs.logged_job import LoggedJob
    from core.logs.reader import Item, Values
    from core.model.execution_history import Result


REQUIRED = ("job", "kind", "start", "end")
OPTIONAL = ("task", "host", "shuffle_end", "sort_end", "outcome", "submit", "user", "pool")
STAND_INS = {"task": "index", "host": "slot"}
"""Columns that Slotscope itself writes, and what they serve as where that is not there."""

# other names for the columns
_OTHER_NAMES = {
    "job": ("job_id", "jobid", "job_name", "application"),
    "kind": ("type", "task_type", "tasktype", "stage"),
    "start": ("begin", "start_time", "starttime", "launch", "launch_time", "started"),
    "end": ("finish", "stop", "end_time", "endtime", "finish_time", "finishtime", "finished"),
    "task": ("task_id", "taskid", "number"),
    "host": ("hostname", "node", "machine", "worker"),
    "shuffle_end": ("shuffle_finished", "shuffle_finish", "shuffled"),
    "sort_end": ("sort_finished", "sort_finish", "merge_end", "sorted"),
    "outcome": ("result", "status", "state"),
    "submit": ("arrival", "submit_time", "submitted", "submission"),
    "pool": ("queue",),
}
_DELIMITERS = (",", ";", "\t")
_LONGEST = 1 << 16
_LOOK_ALIKE = 0.75


class Header(NamedTuple):
    """The delimiter of a table and the names in its first line, in lower case with underscores."""

    delimiter: str
    names: tuple[str, ...]

    @property
    def columns(self) -> dict[str, int]:
        """Where each known column is; the first of several alike."""
        places = {name: place for place, name in reversed(list(enumerate(self.names)))}
        wanted = {name: name for name in (*REQUIRED, *OPTIONAL)}
        wanted |= {name: own for name, own in STAND_INS.items() if name not in places}
        return {name: places[column] for name, column in wanted.items() if column in places}

    def meant_for(self, name: str) -> str | None:
        """Return the column of this name, else one that means the same or looks like it."""
        if name in self.names:
            return name
        known = {*REQUIRED, *OPTIONAL, *STAND_INS.values()}
        others = [column for column in self.names if column not in known]
        same = [column for column in others if column in _OTHER_NAMES.get(name, ())]
        return next(iter(same or difflib.get_close_matches(name, others, n=1, cutoff=_LOOK_ALIKE)), None)


def read_header(line: str) -> Header:
    """Split a table's first line at the delimiter that gives most known names."""
    known = {*REQUIRED, *OPTIONAL}
    headers = [Header(each, _names(line[:_LONGEST], each)) for each in _DELIMITERS]
    return max(headers, key=lambda header: (len(known.intersection(header.names)), len(header.names)))


def cells_of(line: str, delimiter: str) -> list[str] | None:
    """Return the cells of a line without blanks around them; None if its quotes do not fit."""
    if '"' not in line:
        return [cell.strip() for cell in line.split(delimiter)]
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter, strict=True), [])]
    except csv.Error:
        return None


def _names(line: str, delimiter: str) -> tuple[str, ...]:
    cells = cells_of(line.strip("\r\n"), delimiter) or []
    return tuple(cell.lower().replace(" ", "_").replace("-", "_") for cell in cells)


_COLUMNS_NEEDED = 3
_KINDS = {"map": "map", "m": "map", "reduce": "reduce", "r": "reduce"}
_OUTCOMES: dict[str, Result] = {
    "": "succeeded",
    "succeeded": "succeeded",
    "success": "succeeded",
    "failed": "failed",
    "killed": "killed",
    "unfinished": "unfinished",
}
_TEXTS = ("task", "outcome", "host", "user", "pool")
_ROWS_AT_ONCE = 4096

PARAMETERS = (Parameter("time_unit", "choice", "s", "Unit of the times in a table.", choices=("s", "ms")),)


def _recognises(head: bytes) -> bool:
    """Whether most of the columns that must be there are, under their names or names for the same."""
    first = head.removeprefix(b"\xef\xbb\xbf").lstrip().split(b"\n", 1)[0]
    header = read_header(first.decode("utf-8", "replace"))
    return sum(header.meant_for(name) is not None for name in REQUIRED) >= _COLUMNS_NEEDED


def _read(sources: Iterable[ByteSource], values: Values) -> Iterator[Item]:
    for source in sources:
        table = _Table(str(values["time_unit"]))
        yield from until_noise(_problems(table, source))
        yield from table.jobs()


def _problems(table: _Table, source: ByteSource) -> Iterator[Problem]:
    """Fill the table; yield what is wrong with each row that it cannot take."""
    rows: list[Row] = []
    for line in text_lines(source.chunks()):
        if isinstance(line, Line):
            text = line.text.removeprefix("\ufeff")
            if text.strip():
                rows.append((line.number, text))
            if table.has_header and len(rows) < _ROWS_AT_ONCE:
                continue
        yield from table.take(rows)
        if isinstance(line, Problem):
            yield line
        if table.is_hopeless:
            return
        rows = []
    yield from table.take(rows)


Row = tuple[int, str]
"""The number of a line, and the line."""


class _BadCell(Exception):
    """A cell breaks a rule; the message says which."""


class _Names(dict[str, int]):
    """Numbers of the names that the cells of a column are, which come again and again; 0 is no name."""

    def __init__(self, name_of: Callable[[str], str], names: Iterable[str] = ("",)) -> None:
        super().__init__()
        self._name_of = name_of
        self.numbers = {name: number for number, name in enumerate(names)}

    def __missing__(self, cell: str) -> int:
        number = self[cell] = self.numbers.setdefault(self._name_of(cell), len(self.numbers))
        return number


def _name(cell: str) -> str:
    return one_line(text_of(cell))


def _kind(cell: str) -> str:
    kind = _name(cell).lower()
    return _name(_KINDS.get(kind, kind.upper()))


def _host(cell: str) -> str:
    return host_name(_name(cell))


def _outcome(cell: str) -> str:
    if cell.lower() not in _OUTCOMES:
        known = ", ".join(filter(None, _OUTCOMES))
        raise _BadCell(f"outcome is {shorten(cell.lower())} (known are {known})")
    return _OUTCOMES[cell.lower()]


class _Table:
    """Takes the lines of a table.

    Attributes
    ----------
    is_hopeless : whether columns are missing without which no row can be understood
    """

    def __init__(self, time_unit: str) -> None:
        self.is_hopeless = False
        self._per_unit = 1000.0 if time_unit == "s" else 1.0
        self._header: Header | None = None
        self._columns: dict[str, int] = {}
        self._times = ["start", "shuffle_end", "sort_end", "end", "submit"]
        self._names = {
            "job": _Names(_name),
            "kind": _Names(_kind),
            "task": _Names(_name),
            "outcome": _Names(_outcome, OUTCOMES),
            "host": _Names(_host),
            "user": _Names(_name),
            "pool": _Names(_name),
        }
        self._names["task"][""] = MISSING
        self._taken: list[tuple[NDArray[np.int32], NDArray[np.int64]]] = []

    @property
    def has_header(self) -> bool:
        """Whether the first line was taken."""
        return self._header is not None

    def take(self, rows: Sequence[Row]) -> Iterator[Problem]:
        """Take the header or, after it, any number of rows; yield what is wrong with those not taken."""
        if not rows:
            return
        rule = (
            self._bad_rows(self._header, [text for _, text in rows])
            if self._header
            else self._take_header(rows[0][1])
        )
        if rule and len(rows) > 1:  # the halves tell which it is
            yield from self.take(rows[: len(rows) // 2])
            yield from self.take(rows[len(rows) // 2 :])
        elif rule:
            yield Problem(f"line {rows[0][0]}", shorten(rows[0][1][:60]), rule)

    def _take_header(self, text: str) -> str:
        """Take the header; return what is wrong with it."""
        self._header = read_header(text)
        self._columns = self._header.columns
        if "sort_end" not in self._columns:
            # where nothing is said of a sort, the shuffle's end is the end of both
            self._times[2] = "shuffle_end"
        missing = [name for name in REQUIRED if name not in self._columns]
        self.is_hopeless = bool(missing)
        return _about_columns(self._header, missing)

    def _bad_rows(self, header: Header, texts: Sequence[str]) -> str:
        """Take all these rows, or none and return what is wrong with one."""
        width, delimiter = len(header.names), header.delimiter
        together = delimiter.join(texts)
        if '"' in together or {text.count(delimiter) for text in texts} != {width - 1}:
            rows = [cells_of(text, delimiter) for text in texts]
            for cells in rows:
                if cells is None or len(cells) != width:
                    found = "its quotes do not fit" if cells is None else f"it has {len(cells)} cells"
                    return f"{found} and the header {width}; the row is left out"
            columns = list(zip(*rows, strict=True))
        else:
            cells = list(map(str.strip, together.split(delimiter)))
            columns = [cells[place::width] for place in range(width)]
        try:
            self._take_rows(columns)
        except _BadCell as problem:
            return f"{problem}; the row is left out"
        return ""

    def _take_rows(self, columns: Sequence[Sequence[str]]) -> None:
        """Take rows as columns: numbers for names and milliseconds for times."""
        blank = [""] * len(columns[0])
        named = {name: columns[place] for name, place in self._columns.items()}
        jobs, kinds = (list(map(self._names[name].__getitem__, named[name])) for name in ("job", "kind"))
        if 0 in jobs or 0 in kinds:
            raise _BadCell("it names no job or kind")
        known = {
            name: self._milliseconds(name, named.get(name, blank)) for name in dict.fromkeys(self._times)
        }
        times = np.array([known[name] for name in self._times])
        others = [list(map(self._names[name].__getitem__, named.get(name, blank))) for name in _TEXTS]
        self._taken.append((np.array([jobs, kinds, *others], np.int32), times))

    def _milliseconds(self, name: str, cells: Sequence[str]) -> NDArray[np.int64]:
        times = np.full(len(cells), MISSING, np.int64)
        given = list(filter(None, cells))
        if given:
            try:
                with np.errstate(over="ignore"):
                    known = np.array(list(map(float, given))) * self._per_unit
            except ValueError:
                known = np.array([math.nan])
            if not ((known >= 0) & (known < LATEST)).all():
                raise _BadCell(f"{name} is {shorten(given[0])}, which is no time from 0 on")
            times[np.fromiter(map(bool, cells), np.bool_, len(cells))] = np.rint(known)
        return times

    def jobs(self) -> Iterator[LoggedJob | JobProfile]:
        """Yield the jobs in the order in which they first appeared."""
        if not self._taken:
            return
        names, times = (np.concatenate(parts, axis=1) for parts in zip(*self._taken, strict=True))
        words = {column: list(numbers.numbers) for column, numbers in self._names.items()}
        self._taken.clear()
        self._names.clear()
        yield from TableRows(words, times, *names).jobs()


def _about_columns(header: Header, missing: list[str]) -> str:
    """Say which columns are missing, or look like a slip of the pen, and what to call them."""
    slips = {name: header.meant_for(name) for name in (*REQUIRED, *OPTIONAL) if name not in header.columns}
    rename = [f"call '{column}' '{name}'" for name, column in slips.items() if column]
    if missing:
        there = f"; {', '.join(rename)}" if rename else ""
        listed = f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'}"
        return f"a table of tasks needs the columns {', '.join(REQUIRED)}; {listed} missing{there}"
    return f"columns that are ignored look like known ones; {', '.join(rename)}" if rename else ""


READER = Reader(
    "csv",
    "table of tasks (CSV)",
    _recognises,
    _read,
    (
        *PROFILE_ASSUMPTIONS,
        "Times in the table are in {time_unit}; columns beside the documented ones are ignored.",
    ),
    parameters=PARAMETERS,
)
