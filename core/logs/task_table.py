"""A table of task attempts, one per row, under a header: documented names, or mapped columns.

What Slotscope writes with ``--csv`` can be read again. Rows of one job, kind and task are attempts at
the same task; without a column ``task`` every row is a task of its own.
"""

from __future__ import annotations

import difflib
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from core.logs.attempt_columns import MISSING, constant
from core.logs.broken_rows import rows_in_lines
from core.logs.byte_source import MAX_DAMAGED, line_blocks, taken, taken_in_blocks
from core.logs.column_guess import unit_of
from core.logs.column_map import COLUMNS, DATES, MEANINGS, STAND_INS, TASKS_PER_SLOT, ColumnMap, plain_name
from core.logs.job_profile import PROFILE_ASSUMPTIONS
from core.logs.plain_rows import cells_between
from core.logs.reader import Reader, Remark
from core.logs.table_cells import (
    PER_UNIT,
    POINTS_IN_ROWS,
    BadCell,
    DecimalMarks,
    milliseconds_of,
    names_of,
    times_of,
)
from core.logs.table_copies import COPIES, copied, counts_of
from core.logs.table_copies import PARAMETER as PER_SLOT
from core.logs.table_jobs import TableRows
from core.logs.table_lines import MAX_ROW, OBJECTS, TableShape, columns_of, head_rows, shape_of
from core.model.errors import InputError, Problem, shorten
from core.model.freed_memory import give_memory_back
from core.model.parameters import Parameter
from core.model.time_column import TimeColumn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from core.logs.byte_source import ByteSource, Lines
    from core.logs.job_batch import JobBatch
    from core.logs.plain_rows import PlainCells
    from core.logs.reader import Item, Values

DOCUMENTED = {"job", "kind", "start", "end"}
"""Columns that a table has which needs no mapping."""
PARAMETER = Parameter(
    COLUMNS,
    "text",
    ColumnMap().text(),
    "Which column is what: job=JobName,start=Begin,end=End (or duration=…), and what else there is.",
)
ROWS_TOGETHER = 1 << 19
"""So many rows are kept as one part of the columns."""
_SINCE_1970 = 10**11
"""Milliseconds; a table with such times counts from 1970, so that a time of 0 is none."""
_LOOK_ALIKE = 0.75
MONTHS = 12
_TIMES = ("start", "shuffle_end", "sort_end", "end", "submit")
_TEXTS = ("job", "kind", "task", "outcome", "host", "user", "pool")
_WORDS_OF_NONE = {"kind": "map"}
"""What stands for the cells of a column that a table has not; for others an empty text."""


def _recognises(head: bytes) -> bool:
    """Whether the columns that must be there are, under their documented names, with times in seconds."""
    shape, rows = head_rows(head, DOCUMENTED)
    places = {plain_name(name): place for place, name in reversed(list(enumerate(shape.names)))}
    if not places.keys() >= DOCUMENTED:
        return False
    times = ([row[places[name]] for row in rows] for name in ("start", "end"))
    return all(unit_of(values) in ("", "s") for values in times)


def _read(sources: Iterable[ByteSource], values: Values) -> Iterator[Item]:
    columns = ColumnMap.parse(str(values[COLUMNS]))
    for source in sources:
        yield from items_of(rows_in_lines(source.chunks()), columns, int(values.get(TASKS_PER_SLOT, 0)))


def items_of(
    chunks: Iterable[bytes], columns: ColumnMap, tasks_per_slot: int = 0
) -> Iterator[JobBatch | Problem | Remark]:
    """Yield the problems of a table and then its jobs; `chunks` are its bytes."""
    table = _Table(columns, tasks_per_slot)
    for count, problem in enumerate(_problems(table, chunks), 1):
        yield problem
        if count >= MAX_DAMAGED and count > table.row_count:
            yield Problem("", "", f"{count} rows are left out, which is most of them; so is the rest")
            break
    yield from table.items()


def _problems(table: _Table, chunks: Iterable[bytes]) -> Iterator[Problem]:
    """Fill the table; yield what is wrong with each row that it cannot take."""
    blocks = line_blocks(chunks)
    for block in blocks:
        batches = block.batches()
        for lines in batches:
            if isinstance(lines, Problem):
                yield lines
                continue
            header = lines.texts[0]
            if rule := table.take_header(header.removeprefix("\ufeff")):
                yield Problem(f"line {lines.numbers[0]}", shorten(header[:60]), rule)
            if not table.is_hopeless:
                yield from taken(chain([lines.at(slice(1, None))], batches), table.take)
                yield from taken_in_blocks(blocks, table.take_block, table.take)
            return


class _Table:
    """Takes the lines of a table.

    Attributes
    ----------
    is_hopeless : whether columns are missing without which no row can be understood
    row_count : how many rows it took
    """

    def __init__(self, columns: ColumnMap, tasks_per_slot: int) -> None:
        self.is_hopeless = False
        self.row_count = 0
        self._map = columns
        self._shape = TableShape("", ())
        self._places: dict[str, int] = {}
        self._names = names_of(columns)
        self._tasks_per_slot = tasks_per_slot
        self._marks = DecimalMarks()
        self._recent: dict[str, list[NDArray[Any]]] = {}
        self._taken: dict[str, list[NDArray[Any]]] = {}
        self._kept = 0

    def take_header(self, text: str) -> str:
        """Take the header; return what is wrong with it."""
        mapped = [column for _, column in self._map.columns if column]
        shape = self._shape = shape_of(text, mapped or [*MEANINGS, *STAND_INS.values()])
        try:
            self._places = self._map.places(shape.names)
        except InputError as error:
            self.is_hopeless = True
            return str(error)
        if shape.delimiter == OBJECTS:  # the first line is an object like all others
            return self._bad_rows([text])
        return "" if mapped else _slips(shape.names)

    def take(self, lines: Lines) -> tuple[Problem, ...] | str:
        """Take all these rows, or none and return what is wrong with one."""
        return self._bad_rows(lines.texts) or ()

    def take_block(self, data: bytes) -> bool:
        """Take all rows of a block, or none and return False: something about them is odd."""
        shape = self._shape
        if shape.delimiter == OBJECTS or (len(data) > MAX_ROW and max(map(len, data.split(b"\n"))) > MAX_ROW):
            return False
        if shape.delimiter == ";" and not self._marks.point and POINTS_IN_ROWS.search(data):
            return False
        numbers = {place for name, place in self._places.items() if self._are_numbers(name)}
        texts = {place for name, place in self._places.items() if not self._are_numbers(name)}
        if numbers & texts:
            return False
        cells = cells_between(data, shape.delimiter, len(shape.names), texts, numbers)
        if cells is None:
            return False
        with suppress(BadCell):
            if cells.count:
                self._take_cells(cells)
            return True
        return False

    def _take_cells(self, cells: PlainCells) -> None:
        """Take the rows of a block; BadCell if something about them is odd."""
        places = self._places
        known = {name: self._times_of_cells(name, cells) for name in (*_TIMES, "duration") if name in places}
        counts = [counts_of(name, cells.texts(places[name])) for name in COPIES if name in places]
        codes = {}
        for name in _TEXTS:
            if name in places:
                found = cells.coded(places[name])
                codes[name] = np.array(self._names[name].of(found.texts), np.int32)[found.which]
        _check_jobs(codes)
        self._take_columns(cells.count, codes, known, counts)

    def _are_numbers(self, name: str) -> bool:
        return name in (*_TIMES, "duration") and self._unit(name) in PER_UNIT

    def _times_of_cells(self, name: str, cells: PlainCells) -> NDArray[np.int64]:
        place = self._places[name]
        if not self._are_numbers(name):
            return self._times(name, cells.texts(place))
        numbers = cells.numbers(place)
        found = None if numbers is None else milliseconds_of(numbers, self._unit(name))
        if found is None:
            raise BadCell(name)
        return found

    def _bad_rows(self, texts: Sequence[str]) -> str:
        columns = columns_of(self._shape, texts)
        if isinstance(columns, str):
            return f"{columns}; the row is left out"
        try:
            self._take_rows({name: columns[place] for name, place in self._places.items()})
        except BadCell as problem:
            return f"{problem}; the row is left out"
        return ""

    def _take_rows(self, named: dict[str, Sequence[str]]) -> None:
        """Take rows as columns of cells."""
        texts = {name: named[name] for name in _TEXTS if name in named}
        codes = {name: np.array(self._names[name].of(cells), np.int32) for name, cells in texts.items()}
        _check_jobs(codes)
        known = {name: self._times(name, named[name]) for name in (*_TIMES, "duration") if name in named}
        counts = [counts_of(name, named[name]) for name in COPIES if name in named]
        self._take_columns(len(named["job"]), codes, known, counts)

    def _take_columns(
        self,
        rows: int,
        codes: dict[str, NDArray[np.int32]],
        known: dict[str, NDArray[np.int64]],
        counts: list[NDArray[np.int64]],
    ) -> None:
        """Take rows: numbers for names and milliseconds for times."""
        start, duration = known["start"], known.pop("duration", None)
        if duration is not None:
            known["end"] = np.where((start == MISSING) | (duration == MISSING), MISSING, start + duration)
        parts = {name: _small(column) for name, column in codes.items()}
        parts |= {name: TimeColumn.of(column).as_array for name, column in known.items()}
        parts |= dict(zip((name for name in COPIES if name in self._places), counts, strict=True))
        for name, column in parts.items():
            self._recent.setdefault(name, []).append(column)
        self.row_count += rows
        if self.row_count - self._kept >= ROWS_TOGETHER:
            self._keep()

    def _keep(self) -> None:
        """Put the columns of many small parts together, between which memory would lie idle."""
        for name, parts in self._recent.items():
            self._taken.setdefault(name, []).append(_together(name, parts))
        self._recent.clear()
        self._kept = self.row_count
        give_memory_back()

    def _unit(self, name: str) -> str:
        is_duration = name == "duration"
        unit = (self._map.duration_unit if is_duration else "") or self._map.unit
        return "s" if is_duration and unit in DATES else unit

    def _times(self, name: str, cells: Sequence[str]) -> NDArray[np.int64]:
        has_commas = self._shape.delimiter == ";"
        if has_commas and self._are_numbers(name):
            self._marks.look(cells)
        return times_of(name, cells, self._unit(name), has_commas=has_commas)

    def items(self) -> Iterator[JobBatch | Remark]:
        """Yield what is worth saying of all rows, and the jobs in the order in which they first appeared."""
        if self.row_count:
            self._keep()
            rows, remarks = self._rows()
            give_memory_back()
            yield from map(Remark, remarks)
            found = rows.jobs()
            del rows
            give_memory_back()
            yield found.together()

    def _rows(self) -> tuple[TableRows, tuple[str, ...]]:
        """Return the rows that were taken, with what to say of them, and let go of them."""
        texts = [self._column(name, _WORDS_OF_NONE.get(name, "")) for name in _TEXTS]
        times = {name: self._column(name) for name in _TIMES if name in self._taken}
        counts = {name: self._column(name) for name in COPIES if name in self._taken}
        unknown = constant(np.int64(MISSING), self.row_count)
        # where nothing is said of a sort, the shuffle's end is the end of both
        times.setdefault("sort_end", times.get("shuffle_end", unknown))
        remarks = (*_about_dates(self._map.unit, list(times.values())), *self._marks.remarks())
        if any(column.max() >= _SINCE_1970 for column in times.values()):
            for column in times.values():
                if isinstance(column, TimeColumn):
                    column.forget(0)
        words = {column: list(numbers.numbers) for column, numbers in self._names.items()}
        self._names.clear()
        rows = TableRows(words, tuple(times.get(name, unknown) for name in _TIMES), *texts)
        if not counts:
            return rows, remarks
        found = copied(rows, counts, self._tasks_per_slot)
        return found.rows, (*remarks, *found.remarks)

    def _column(self, name: str, otherwise: str = "") -> NDArray[Any]:
        """Return a column of all rows, and let go of its parts; a constant one where the table has none."""
        if name in self._taken:
            return _together(name, self._taken.pop(name))
        return constant(np.int32(self._names[name][otherwise]), self.row_count)


def _together(name: str, parts: list[Any]) -> NDArray[Any]:  # Any: arrays, of times columns
    """Return parts of a column behind one another; those of times are let go of one by one."""
    return TimeColumn.joined(parts).as_array if name in _TIMES else np.concatenate(parts)


def _check_jobs(codes: dict[str, NDArray[np.int32]]) -> None:
    if (codes["job"] == 0).any():
        raise BadCell("it names no job")


def _small(numbers: NDArray[np.int32]) -> NDArray[np.signedinteger[Any]]:
    """Return numbers from -1 on in as few bytes as they need."""
    most = int(numbers.max(initial=0))
    return numbers if most >= 1 << 15 else numbers.astype(np.int16 if most >= 1 << 7 else np.int8)


_DAY = 86_400_000


def _about_dates(unit: str, columns: Sequence[NDArray[np.int64]]) -> tuple[str, ...]:
    """Return what to say of dates with slashes of which none shows whether the month comes first."""
    if unit not in ("mdy", "dmy"):
        return ()
    known = np.concatenate([np.unique(times[times != MISSING] // _DAY) for times in columns])
    if not len(known):
        return ()
    days = np.unique(known).astype("datetime64[D]")
    numbers = (days - days.astype("datetime64[M]")).astype(np.int64) + 1
    if (numbers > MONTHS).any():
        return ()
    month, day = days[0].item().month, days[0].item().day
    first, other = ((month, day), "dmy") if unit == "mdy" else ((day, month), "mdy")
    what = "month" if unit == "mdy" else "day"
    return (
        f"Nothing in the table shows whether the month or the day comes first in its dates, such as "
        f"{first[0]}/{first[1]}/{days[0].item().year}: the {what} is taken for the first (unit={unit}; "
        f"unit={other} reads it the other way).",
    )


def _slips(names: Sequence[str]) -> str:
    """Return which columns are ignored that look like a slip of the pen, and what to call them."""
    known = {*MEANINGS, *STAND_INS.values()}
    plain = list(map(plain_name, names))
    missing = [meaning for meaning in MEANINGS if meaning not in plain and meaning not in COPIES]
    found = {
        name: difflib.get_close_matches(name, missing, n=1, cutoff=_LOOK_ALIKE)
        for name in plain
        if name not in known
    }
    rename = [f"call '{name}' '{meaning[0]}'" for name, meaning in found.items() if meaning]
    return f"columns that are ignored look like known ones; {', '.join(rename)}" if rename else ""


READER = Reader(
    "csv",
    "table of tasks (CSV)",
    _recognises,
    _read,
    (
        *PROFILE_ASSUMPTIONS,
        "Columns are read as --columns {columns} says; what it does not name is the column of that name, if "
        "there is one. Other columns are ignored.",
    ),
    parameters=(PARAMETER, PER_SLOT),
)
