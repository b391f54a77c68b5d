"""Standard Workload Format (SWF 2.2) of the Parallel Workloads Archive: a line of 18 numbers for each job.

Numbers stand apart by blanks, or by semicolons as some sites write them.
Lines that begin with a semicolon are comments; those of the form ``; MaxProcs: 128`` say what the machine
was. -1 stands for what is not known. Columns: number, submit, wait and run time in s, processors that it got,
CPU time, memory, processors, time and memory that it asked for, status (1 completed, 0 failed, 5 cancelled; 2
to 4 parts of a run, whose sum has a line of its own), user, group, program, queue, partition, the job that it
waits for, and how long.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from core.logs.attempt_columns import MISSING
from core.logs.byte_source import Lines, line_blocks, taken_in_blocks, until_noise
from core.logs.logged_job import one_line
from core.logs.plain_rows import numbers_between_blanks
from core.logs.reader import Reader, Remark
from core.logs.wide_jobs import ASSUMPTIONS, PARAMETERS, WideJobs, read_wide_jobs
from core.model.coded_values import CodedValues
from core.model.errors import InputError, Problem, shorten
from core.model.freed_memory import give_memory_back
from core.model.limits import MAX_JOBS, MAX_PROCESSORS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from core.logs.byte_source import ByteSource
    from core.logs.reader import Item, Values

COLUMNS = 18
_TIMES = {"submit": 1, "wait": 2, "run": 3}
_NUMBERS = {
    "number": 0,
    "got": 4,
    "asked": 7,
    "status": 10,
    "user": 11,
    "program": 13,
    "queue": 14,
    "partition": 15,
}
"""Where the columns are that are used."""
_LONGEST_TIME, _LARGEST = 1e11, 2.0**31

_CANCELLED = 5
_OUTCOMES = {0: "failed", _CANCELLED: "cancelled"}
_PARTS = (2, 3, 4)
_WHY = ("", "no run (cancelled before it began)", "no known run time", "no known start, as others have")
"""Why jobs are left out."""

_ROW = re.compile(rb"\s*(?:[-+]?[\d.]+(?:[eE][-+]?\d+)?(?:\s+|\s*;\s*)){17}[-+]?[\d.]+(?:[eE][-+]?\d+)?\s*")
_HEADER_FIELD = re.compile(r";+\s*(\w+)\s*:\s*(.*)")
_KNOWN = re.compile(rb"^;+[ \t]*(Version|MaxProcs|MaxNodes|MaxJobs|UnixStartTime)[ \t]*:", re.MULTILINE)
_COMMENT = re.compile(rb"(?:^|\n)(?:\xef\xbb\xbf)?\s*;")
_FIRST_ROWS = 20
_LONGEST_NAME = 40


def _recognises(head: bytes) -> bool:
    """Whether the comments are a header, or half of the first rows look like jobs."""
    lines = (line for line in head.removeprefix(b"\xef\xbb\xbf").split(b"\n") if line.strip())
    rows = [line for line in lines if not line.lstrip().startswith(b";")]
    if len(rows) > 1:
        rows = rows[: min(_FIRST_ROWS, len(rows) - 1)]  # the last one may be cut
    found = sum(_ROW.fullmatch(row) is not None for row in rows)
    return len(set(_KNOWN.findall(head))) > 1 or 0 < len(rows) <= 2 * found


def _read(sources: Iterable[ByteSource], values: Values) -> Iterator[Item]:
    logs: list[WideJobs] = []
    for source in sources:
        log = _JobLines()
        yield from until_noise(log.problems(source))
        jobs, parts = log.jobs()
        give_memory_back()
        logs += [replace(jobs, path=source.path)] if jobs.names else []
        if parts:
            yield Remark(f"{parts} lines tell parts of runs (status 2 to 4); each job's own line counts.")
    yield from read_wide_jobs(logs, values)


@dataclass(slots=True)
class _Machine:
    """The contents of the comments: numbers by their names, and the names of queues and partitions."""

    numbers: dict[str, int] = field(default_factory=dict)
    queues: dict[int, str] = field(default_factory=dict)
    partitions: dict[int, str] = field(default_factory=dict)

    def take(self, comment: str) -> None:
        """Note a line of the header; most are prose."""
        found = _HEADER_FIELD.match(comment)
        number = re.match(r"\d{1,12}", found[2]) if found else None
        if not found or not number:
            return
        if found[1] in ("Queue", "Partition"):
            name = one_line(found[2][number.end() :].lstrip(" \t:=-"))[:_LONGEST_NAME].strip()
            names = self.queues if found[1] == "Queue" else self.partitions
            names.setdefault(int(number[0]), name)
        else:
            self.numbers.setdefault(found[1], int(number[0]))

    @property
    def processors(self) -> int:
        """Processors of the machine, its nodes where only they are known; 0 where nothing is."""
        return min(self.numbers.get("MaxProcs") or self.numbers.get("MaxNodes", 0), MAX_PROCESSORS)


class _JobLines:
    """Takes the lines of one file."""

    def __init__(self) -> None:
        self._machine = _Machine()
        self._count = 0
        self._columns: dict[str, list[NDArray[Any]]] = {
            **{name: [np.zeros(0, np.int64)] for name in _TIMES},
            **{name: [np.zeros(0, np.int32)] for name in _NUMBERS},
        }

    def problems(self, source: ByteSource) -> Iterator[Problem]:
        """Take the jobs of a file; yield what is wrong with each line that is none."""
        yield from taken_in_blocks(
            line_blocks(source.chunks()), self._take_block, self._take_lines, self._rows
        )

    def _take_block(self, data: bytes) -> bool:
        """Take lines that are jobs as the format has them; return False if one of them is anything else."""
        if b";" in data:
            if _COMMENT.search(data):
                return False
            data = data.replace(b";", b" ")
        table = numbers_between_blanks(data, COLUMNS)
        return table is not None and not self._take_numbers(table)

    def _rows(self, batches: Iterator[Lines | Problem]) -> Iterator[Lines | Problem]:
        """Yield the lines that are no comments."""
        for lines in batches:
            if isinstance(lines, Problem):
                yield lines
            else:
                data = [line.removeprefix(b"\xef\xbb\xbf").strip() for line in lines.data]
                yield Lines(lines.numbers, data).where(self._is_row)

    def _is_row(self, line: bytes) -> bool:
        """Whether a line is no comment; notes what a comment contains about the machine."""
        if line.startswith(b";"):
            self._machine.take(line.decode("utf-8", "replace"))
            return False
        return bool(line)

    def _take_lines(self, lines: Lines) -> Iterable[Problem] | str:
        """Take all these jobs, or none and return what is wrong with one."""
        rows = [line.replace(b";", b" ").split() for line in lines.data]
        if wrong := next((len(row) for row in rows if len(row) != COLUMNS), 0):
            return f"it has {wrong} columns, a job has {COLUMNS}; it is left out"
        try:
            table = np.array(list(map(float, chain.from_iterable(rows)))).reshape(-1, COLUMNS).T
        except ValueError:
            return f"{_no_number(rows)}; it is left out"
        return self._take_numbers(table) or ()

    def _take_numbers(self, table: NDArray[np.float64]) -> str:
        """Take jobs as columns, (columns, jobs), or none and return what is wrong with one."""
        times, numbers = table[list(_TIMES.values())], table[list(_NUMBERS.values())]
        if not ((np.abs(times) < _LONGEST_TIME).all() and (np.abs(numbers) < _LARGEST).all()):
            return "one of its numbers is absurd; it is left out"
        if (table[[_NUMBERS["got"], _NUMBERS["asked"]]] > MAX_PROCESSORS).any():
            return f"a job has at most {MAX_PROCESSORS} processors; it is left out"
        self._count += table.shape[1]
        if self._count > MAX_JOBS:
            raise InputError(
                f"the log has more than {MAX_JOBS} jobs, as many as fit in one workload; split it"
            )
        columns = chain(
            (np.rint(1000 * each).astype(np.int64) for each in times),
            (each.astype(np.int32) for each in numbers),
        )
        for parts, column in zip(self._columns.values(), columns, strict=True):
            parts.append(column)
        return ""

    def jobs(self) -> tuple[WideJobs, int]:
        """Return the jobs, and how many lines were parts of runs, whose sum is a line of its own."""
        columns = {name: np.concatenate(self._columns.pop(name)) for name in (*_TIMES, *_NUMBERS)}
        is_part = np.isin(columns["status"], _PARTS)
        is_part &= np.isin(columns["number"], columns["number"][~is_part])
        parts = int(np.count_nonzero(is_part))
        if parts:
            columns = {name: column[~is_part] for name, column in columns.items()}
        return self._jobs(columns), parts

    def _jobs(self, columns: Mapping[str, NDArray[Any]]) -> WideJobs:
        machine, status, run = self._machine, columns["status"], columns["run"]
        began = machine.numbers.get("UnixStartTime", 0)
        began = 1000 * began if began < _LONGEST_TIME else 0
        submit = np.where(columns["submit"] < 0, MISSING, columns["submit"] + began)
        start = np.where((submit == MISSING) | (columns["wait"] < 0), MISSING, submit + columns["wait"])
        never = (run <= 0) & ((status == _CANCELLED) | (columns["got"] == 0))
        # of what a model has drawn no start is known
        no_start = (start == MISSING) & (start != MISSING).any()
        why = np.select([never, run < 0, no_start], [1, 2, 3])
        of_queue = (columns["queue"], machine.queues, "queue")
        of_partition = (columns["partition"], machine.partitions, "partition")
        pools = of_queue if (columns["queue"] >= 0).any() else of_partition
        got = np.where(columns["got"] > 0, columns["got"], columns["asked"])
        return WideJobs(
            names=CodedValues(columns["number"], str),
            users=_named(columns["user"], {}, "user"),
            pools=_named(*pools),
            titles=_named(columns["program"], {}, "program"),
            outcome=CodedValues(status, lambda each: _OUTCOMES.get(each, "")),
            why=why,
            processors=np.maximum(got, 0).astype(np.int64),
            submit=submit,
            start=start,
            run=run,
            machine=machine.processors,
            reasons=_WHY,
        )


def _no_number(rows: Sequence[Sequence[bytes]]) -> str:
    """Return which cell of rows is the first that is no number; the columns count from 1."""
    for place, cell in ((place, cell) for row in rows for place, cell in enumerate(row, 1)):
        try:
            float(cell)
        except ValueError:
            name = next((f" ({name})" for name, at in (_TIMES | _NUMBERS).items() if at == place - 1), "")
            return f"column {place}{name} is {shorten(cell.decode('utf-8', 'replace'))}, which is no number"
    return "one of its columns is no number"


def _named(numbers: NDArray[np.int32], names: Mapping[int, str], kind: str) -> CodedValues[str]:
    """Return the names of numbers; below 0 they are not known."""
    different = np.unique(numbers).tolist()
    known = {each: (names.get(each) or f"{kind} {each}") if each >= 0 else "" for each in different}
    return CodedValues(numbers, known.__getitem__)


READER = Reader(
    "swf",
    "Standard Workload Format (SWF)",
    _recognises,
    _read,
    (
        *ASSUMPTIONS,
        "Where a log does not know how many processors a job got, those that it asked for count. That a job "
        "waits for another one is not taken over: it arrives when it was submitted.",
    ),
    parameters=PARAMETERS,
    makes_jobs_last=True,
)
