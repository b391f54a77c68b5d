"""A plain table of task attempts (CSV): one per row, under a header with documented names.

What Slotscope writes with ``--csv`` can be read again. Rows of one job, kind and task are attempts at
the same task; without a column ``task`` every row is a task of its own.
"""

from __future__ import annotations

import csv
import difflib
import math
from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from core.logs.attempt_columns import MISSING
from core.logs.byte_source import Line, text_lines, until_noise
from core.logs.job_profile import PROFILE_ASSUMPTIONS
from core.logs.logged_job import LATEST, Attempt, LoggedJob, LoggedTask, host_name, one_line
from core.logs.reader import Reader
from core.model.cell_text import text_of
from core.model.errors import Problem, shorten
from core.model.parameters import Parameter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from core.logs.byte_source import ByteSource
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
_ROW_ITEMS = 8

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
    for line in text_lines(source.chunks()):
        problem = table.take(line) if isinstance(line, Line) else line
        if problem:
            yield problem
        if table.is_hopeless:
            return


class _BadCell(Exception):
    """A cell breaks a rule; the message says which."""


class _Names:
    """Numbers for the texts in a table, which come again and again, and the clean names that they are."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self.names: list[str] = []

    def number(self, text: str) -> int:
        """Return the number of a text; a new one if it was not heard of."""
        number = self._numbers.setdefault(text, len(self.names))
        if number == len(self.names):
            self.names.append(one_line(text_of(text)))
        return number

    def clean(self, text: str) -> str:
        """Return the name that a text is."""
        return self.names[self.number(text)]


@dataclass(slots=True)
class _TableJob:
    """What the rows say of one job; `rows` holds `_ROW_ITEMS` numbers of each, which is ten times smaller."""

    submit: int | None = None
    user: str = ""
    pool: str = ""
    rows: array[int] = field(default_factory=lambda: array("q"))


class _Table:
    """Takes the lines of a table one by one.

    Attributes
    ----------
    is_hopeless : whether columns are missing without which no row can be understood
    """

    def __init__(self, time_unit: str) -> None:
        self.is_hopeless = False
        self._per_unit = 1000.0 if time_unit == "s" else 1.0
        self._header: Header | None = None
        self._columns: dict[str, int] = {}
        self._sort_end = "sort_end"
        self._names = _Names()
        self._jobs: dict[str, _TableJob] = {}

    def take(self, line: Line) -> Problem | None:
        """Take the header or a row; return what is wrong with it."""
        text = line.text.removeprefix("\ufeff")
        if not text.strip():
            return None
        if self._header is None:
            rule = self._take_header(text)
        else:
            rule = self._bad_row(cells_of(text, self._header.delimiter), len(self._header.names))
        return Problem(f"line {line.number}", shorten(text[:60]), rule) if rule else None

    def jobs(self) -> Iterator[LoggedJob]:
        """Yield the jobs in the order in which they first appeared."""
        for name in list(self._jobs):
            job = self._jobs.pop(name)  # its rows are of no use any more
            maps, reduces, others = self._tasks(job)
            yield LoggedJob(
                name=name,
                user=job.user,
                pool=job.pool or "default",
                submit=job.submit,
                maps=maps,
                reduces=reduces,
                others=others,
            )

    def _take_header(self, text: str) -> str:
        """Take the header; return what is wrong with it."""
        self._header = read_header(text)
        self._columns = self._header.columns
        # where nothing is said of a sort, the shuffle's end is the end of both
        self._sort_end = "sort_end" if "sort_end" in self._columns else "shuffle_end"
        missing = [name for name in REQUIRED if name not in self._columns]
        self.is_hopeless = bool(missing)
        return _about_columns(self._header, missing)

    def _bad_row(self, cells: list[str] | None, width: int) -> str:
        """Take a row; return what is wrong with it."""
        try:
            self._take_row(cells, width)
        except _BadCell as problem:
            return f"{problem}; the row is left out"
        return ""

    def _take_row(self, cells: list[str] | None, width: int) -> None:
        if cells is None or len(cells) != width:
            found = "its quotes do not fit" if cells is None else f"it has {len(cells)} cells"
            raise _BadCell(f"{found} and the header {width}")
        row = {name: cells[place] for name, place in self._columns.items()}
        name, kind = self._names.clean(row["job"]), self._names.clean(row["kind"]).lower()
        if not name or not kind:
            raise _BadCell("it names no job or kind")
        times = [self._time(row, time) for time in ("start", "shuffle_end", self._sort_end, "end", "submit")]
        outcome = _outcome(row, has_end=times[3] != MISSING)
        job = self._jobs.setdefault(name, _TableJob())
        task = row.get("task") or f"row {len(job.rows)}"
        texts = (_KINDS.get(kind, kind.upper()), task, outcome, row.get("host", ""))
        job.rows.extend((*map(self._names.number, texts), *times[:4]))
        job.submit = times[4] if job.submit is None and times[4] != MISSING else job.submit
        job.user = job.user or self._names.clean(row.get("user", ""))
        job.pool = job.pool or self._names.clean(row.get("pool", ""))

    def _time(self, row: dict[str, str], name: str) -> int:
        cell = row.get(name)
        if not cell:
            return MISSING
        try:
            time = float(cell) * self._per_unit
        except ValueError:
            time = math.nan
        if not 0 <= time < LATEST:
            raise _BadCell(f"{name} is {shorten(cell)}, which is no time from 0 on")
        return round(time)

    def _tasks(self, job: _TableJob) -> list[tuple[LoggedTask, ...]]:
        """Return the maps, reduces and other tasks of a job, sorted by name."""
        attempts: dict[tuple[str, str], list[Attempt]] = {}
        names = self._names.names
        for at in range(0, len(job.rows), _ROW_ITEMS):
            kind, task, outcome, host, *times = job.rows[at : at + _ROW_ITEMS]
            start, shuffle_end, sort_end, end = (None if time == MISSING else time for time in times)
            result = _OUTCOMES[names[outcome]]
            attempt = Attempt(result, start, end, shuffle_end, sort_end, host_name(names[host]))
            attempts.setdefault((names[kind], names[task]), []).append(attempt)
        by_kind: dict[str, list[LoggedTask]] = {"map": [], "reduce": [], "other": []}
        for (word, name), tries in attempts.items():
            by_kind.get(word, by_kind["other"]).append(LoggedTask(name, tuple(tries), word))
        return [
            tuple(sorted(tasks, key=lambda task: (len(task.name), task.name))) for tasks in by_kind.values()
        ]


def _about_columns(header: Header, missing: list[str]) -> str:
    """Say which columns are missing, or look like a slip of the pen, and what to call them."""
    slips = {name: header.meant_for(name) for name in (*REQUIRED, *OPTIONAL) if name not in header.columns}
    rename = [f"call '{column}' '{name}'" for name, column in slips.items() if column]
    if missing:
        there = f"; {', '.join(rename)}" if rename else ""
        listed = f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'}"
        return f"a table of tasks needs the columns {', '.join(REQUIRED)}; {listed} missing{there}"
    return f"columns that are ignored look like known ones; {', '.join(rename)}" if rename else ""


def _outcome(row: dict[str, str], *, has_end: bool) -> str:
    outcome = row.get("outcome", "").lower()
    if outcome not in _OUTCOMES:
        known = ", ".join(filter(None, _OUTCOMES))
        raise _BadCell(f"outcome is {shorten(outcome)} (known are {known})")
    return outcome if has_end or _OUTCOMES[outcome] != "succeeded" else "unfinished"


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
