"""The trace of a Nextflow run (``trace.txt``): a table between tabs with a row for each task that it tried.

A run is a job, its processes are the stages. The trace has no graph; what of it can be seen in the times is
inferred: a process waits for those of which every task had ended before its first one was submitted.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from core.logs.byte_source import text_lines, until_noise
from core.logs.logged_job import (
    LATEST,
    Attempt,
    JobConfiguration,
    LoggedJob,
    LoggedStage,
    LoggedTask,
    host_name,
    milliseconds,
    one_line,
    plain_text,
)
from core.logs.reader import Reader
from core.model.errors import Problem, shorten
from core.model.parameters import Parameter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from core.logs.byte_source import ByteSource
    from core.logs.reader import Item, Values
    from core.model.task_types import Result

_STATES: dict[str, Result] = {"COMPLETED": "succeeded", "FAILED": "failed", "ABORTED": "killed"}
"""How an attempt ended; of any other state it has not."""
CACHED = "CACHED"
FROM_BEFORE = "tasks whose results an earlier run had (CACHED), left out"
_UNITS = {"ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
_PART = re.compile(r"(\d{1,15}(?:\.\d{1,9})?)\s*(ms|s|m|h|d)")
_DURATION = re.compile(rf"{_PART.pattern}(?:\s+{_PART.pattern}){{0,4}}")
_TAGGED = re.compile(r"(.*?)\s*\((.*)\)\s*\Z", re.S)
_NEEDED = ("status", "submit")
MAX_PROCESSES = 1000
"""Of which the order is looked for; each is compared with each."""


class _TraceRow(NamedTuple):
    """A try at a task, its times in ms; None where they are not known."""

    process: str
    task: str
    state: str
    submit: int | None
    start: int | None
    complete: int | None
    host: str


def duration_ms(text: str) -> int | None:
    """Return a duration in ms: "4h 41m 7s", "120ms", "1.5s", or the ms themselves; None if it is none."""
    if re.fullmatch(r"\d{1,15}", text):
        return int(text)
    if not _DURATION.fullmatch(text):
        return None
    return round(sum(float(number) * _UNITS[unit] for number, unit in _PART.findall(text)))


def date_ms(text: str) -> int | None:
    """Return a time of day with its date, ``2018-09-28 13:20:23.284``, or the ms since 1970 themselves."""
    if re.fullmatch(r"\d{1,15}", text):
        return milliseconds(int(text), 1)
    try:
        return milliseconds(round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000), 1)
    except (ValueError, OverflowError):
        return None


class _TraceColumns(NamedTuple):
    """How many cells a row has, and where which is."""

    width: int
    places: dict[str, int]


def _columns(line: str) -> _TraceColumns | None:
    """Return the columns that a header names; None if it is none of a trace."""
    names = [name.strip().lower() for name in line.lstrip("\ufeff").split("\t")]
    known = {*names}
    is_trace = known & {"task_id", "hash", "native_id"} and known & {"name", "process"} and len(names) > 3
    return _TraceColumns(len(names), {name: k for k, name in enumerate(names)}) if is_trace else None


def _recognises(head: bytes) -> bool:
    first = head.removeprefix(b"\xef\xbb\xbf").lstrip().split(b"\n", 1)[0][:5000]
    columns = _columns(first.decode("utf-8", "replace"))
    return columns is not None and "status" in columns.places


def _read(sources: Iterable[ByteSource], values: Values) -> Iterator[Item]:
    for source in sources:
        rows: list[_TraceRow] = []
        cached = 0
        for item in until_noise(_rows(source)):
            if isinstance(item, Problem):
                yield item
            elif item.state == CACHED:
                cached += 1
            else:
                rows.append(item)
        if rows:
            yield _run(
                one_line(PurePosixPath(source.name).stem), rows, cached, infers=bool(values["infer_order"])
            )
        elif cached:
            yield Problem("", "", f"all {cached} tasks have results of an earlier run; nothing ran")


def _rows(source: ByteSource) -> Iterator[_TraceRow | Problem]:
    columns: _TraceColumns | None = None
    for line in text_lines(source.chunks()):
        if isinstance(line, Problem):
            yield line
        elif columns is None:
            columns = _columns(line.text)
            if columns is not None and (lacks := [name for name in _NEEDED if name not in columns.places]):
                rule = f"without a column {lacks[0]} nothing is known of the tasks; let trace.fields have it"
                yield Problem(f"line {line.number}", shorten(line.text[:60]), rule)
                return
        elif line.text.strip():
            yield _row(line.text, columns) or Problem(
                f"line {line.number}",
                shorten(line.text[:60]),
                f"it has other cells than the header has names, which are {columns.width}; it is left out",
            )


def _row(line: str, columns: _TraceColumns) -> _TraceRow | None:
    cells = line.rstrip("\r\n").split("\t")
    if len(cells) != columns.width:
        return None
    row = {name: cells[place].strip() for name, place in columns.places.items()}
    name = plain_text(row.get("name", ""))
    tagged = _TAGGED.match(name)
    process = plain_text(row.get("process", "")) or (tagged[1] if tagged else name) or "process"
    task = name or f"{process} ({row.get('tag') or row.get('task_id') or row.get('hash')})"
    submit, start, complete = (date_ms(row.get(each, "")) for each in ("submit", "start", "complete"))
    took, ran = (duration_ms(row.get(each, "")) for each in ("duration", "realtime"))
    if complete is None and submit is not None and took is not None:
        complete = submit + took
    if start is None and complete is not None and ran is not None:
        start = complete - ran
    if complete is None and start is not None and ran is not None:
        complete = start + ran
    host = host_name(row.get("hostname", ""))
    return _TraceRow(one_line(process), task, row["status"].upper(), submit, start, complete, host)


def _run(name: str, rows: Sequence[_TraceRow], cached: int, *, infers: bool) -> LoggedJob:
    by_process: dict[str, list[_TraceRow]] = {}
    for row in sorted(rows, key=lambda row: (row.submit is None, row.submit)):
        by_process.setdefault(row.process, []).append(row)
    processes = list(by_process.values())
    waits = _waits(processes) if infers else [()] * len(processes)
    place = {each: k for k, each in enumerate(sorted(range(len(waits)), key=lambda each: bool(waits[each])))}
    tasks: tuple[list[LoggedTask], list[LoggedTask]] = [], []
    stages: list[LoggedStage] = []
    for number in place:
        is_map = not waits[number]
        mine = _tasks(processes[number], reads=not is_map)
        tasks[not is_map].extend(mine)
        stages.append(
            LoggedStage(
                is_map,
                sum(task.counting is not None for task in mine),
                sum(len(task.attempts) for task in mine),
                tuple(sorted(place[parent] for parent in waits[number])),
                number,
                name=processes[number][0].process,
                infers_parents=True,
            )
        )
    submits = [row.submit for row in rows if row.submit is not None]
    ends = [row.complete for row in rows if row.complete is not None]
    return LoggedJob(
        name=name,
        submit=min(submits, default=None),
        finish=max(ends, default=None),
        tasks=(tuple(tasks[0]), tuple(tasks[1])),
        settings=JobConfiguration(
            slowstart=1.0, has_containers=True, containers_are="number of tasks that may run at once"
        ),
        notes=((FROM_BEFORE, cached),) if cached else (),
        stages=tuple(stages),
    )


def _tasks(rows: Sequence[_TraceRow], *, reads: bool) -> list[LoggedTask]:
    """Return the tasks of a process: rows of one name are tries at one task until one succeeds.

    Those that read what other processes wrote have no shuffle.
    """
    tries: dict[str, list[list[Attempt]]] = {}
    for row in rows:
        shuffled = row.start if reads else None
        result = _STATES.get(row.state, "unfinished")
        attempt = Attempt(result, row.start, row.complete, shuffled, shuffled, row.host)
        known = tries.setdefault(row.task, [])
        if known and known[-1][-1].result in ("failed", "killed"):
            known[-1].append(attempt)
        else:
            known.append([attempt])
    return [LoggedTask(name, tuple(attempts)) for name, known in tries.items() for attempts in known]


def _waits(processes: Sequence[Sequence[_TraceRow]]) -> list[tuple[int, ...]]:
    """Return which processes each waits for: those whose tasks had all ended when its first was submitted.

    What such a process waits for itself is not named again. None wait where there are too many to compare.
    """
    if len(processes) > MAX_PROCESSES:
        return [()] * len(processes)
    begins = [min(LATEST if row.submit is None else row.submit for row in rows) for rows in processes]
    # one that has not ended is waited for by none, and each takes a moment
    ends = [
        max(begin + 1, *(LATEST if row.complete is None else row.complete for row in rows))
        for begin, rows in zip(begins, processes, strict=True)
    ]
    before = [[other for other, end in enumerate(ends) if end <= begin < LATEST] for begin in begins]
    # a process is left out that another one of them waits for: the last of those to begin is between
    return [
        tuple(other for other in mine if ends[other] > max((begins[each] for each in mine), default=0))
        for mine in before
    ]


READER = Reader(
    "nextflow",
    "trace of a Nextflow run",
    _recognises,
    _read,
    (
        "A trace has no graph of its processes. Where infer_order is true (it is {infer_order}), a graph is "
        "inferred from the times: a process waits for those whose tasks had all ended before its first one "
        "was submitted, and for no other.",
        "Where a trace has no start, a task ran for its realtime until its end; times are taken as UTC.",
        "A task holds one slot, whatever its cpus.",
    ),
    (
        Parameter(
            "infer_order",
            "boolean",
            True,
            "Whether a process waits for those that had ended when it began; otherwise none waits.",
        ),
    ),
)
