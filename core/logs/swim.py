"""SWIM workloads: a job per line with its submit time and bytes, separated by tabs, without a header.

Columns: id, submit time in s, gap since the job before in s, map input, shuffle and output in bytes; up
to three more (paths) do not matter. A job whose shuffle is 0 has no reduces.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.logs.byte_model import ASSUMPTIONS, PARAMETERS, tasks_of_bytes
from core.logs.job_profile import JobProfile, StageCount
from core.logs.json_stream import MOST_DAMAGED
from core.logs.reader import Reader
from core.logs.recorded_job import LATEST, plain_text
from core.logs.text_lines import Line, text_lines
from core.model.errors import Problem, shorten
from core.model.workload import MOST_SECONDS, MOST_TASKS, Job, Stage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from core.logs.byte_source import ByteSource
    from core.logs.reader import Item, Values

MOST_BYTES = 10**18
"""Of one job; more is damage."""
_ROW = re.compile(rb"([^\t]+)\t(\d+)\t(\d+)\t(\d+)\t(\d+)\t(\d+)(?:\t[^\t]*){0,3}")
_FIRST_LINES = 20
_ROWS_AT_ONCE = 1024
_NO_STAGE = Stage()


class _Row(NamedTuple):
    """One job of the file: the line it stands on, its name, its submit time in s, and its bytes."""

    line: int
    name: str
    submit: int
    job_bytes: tuple[int, int, int]


def _recognises(head: bytes) -> bool:
    """Whether half of the first lines look like rows; the last one may be cut."""
    lines = [line.rstrip(b"\r") for line in head.split(b"\n", _FIRST_LINES)[:_FIRST_LINES] if line.strip()]
    rows = sum(_ROW.fullmatch(line) is not None for line in lines)
    return 0 < len(lines) <= 2 * rows


def _read(sources: Iterable[ByteSource], values: Values) -> Iterator[Item]:
    shared = _Shared()
    for source in sources:
        rows: list[_Row] = []
        for row in _rows(source):
            if isinstance(row, Problem):
                yield row
            else:
                rows.append(row)
            if len(rows) == _ROWS_AT_ONCE:
                yield from _profiles(rows, values, shared)
                rows = []
        yield from _profiles(rows, values, shared)


def _rows(source: ByteSource) -> Iterator[_Row | Problem]:
    damaged = 0
    for line in text_lines(source.chunks()):
        row = _row(line) if isinstance(line, Line) else line
        if row is not None:
            yield row
        damaged += isinstance(row, Problem)
        if damaged == MOST_DAMAGED:
            yield Problem("", "", f"{MOST_DAMAGED} places are damaged; the rest is left out")
            return


def _row(line: Line) -> _Row | Problem | None:
    found = _ROW.fullmatch(line.data)
    if not found:
        if not line.data.strip():
            return None
        rule = "not a row of a SWIM workload (id and five whole numbers, separated by tabs); it is left out"
        return Problem(f"line {line.number}", shorten(line.text[:60]), rule)
    name, *numbers = found.groups()
    if max(map(len, numbers)) > 18 or int(numbers[0]) * 1000 >= LATEST:
        rule = f"a time or size is absurd (a job has at most {MOST_BYTES:g} bytes); it is left out"
        return Problem(f"line {line.number}", shorten(line.text[:60]), rule)
    submit, _, read, shuffled, written = map(int, numbers)
    return _Row(line.number, plain_text(name.decode("utf-8", "replace")), submit, (read, shuffled, written))


class _Shared:
    """Stages that many jobs have alike, made once: most jobs are small, and there are many of them."""

    def __init__(self) -> None:
        self._samples: dict[float, NDArray[np.float64]] = {}
        self._stages: dict[tuple[float, ...], Stage] = {}
        self._counts: dict[float, StageCount] = {}
        self._first: int | None = None

    def stage(self, count: float, *seconds: float) -> Stage:
        """Return the stage of so many equal tasks: their duration, and the shuffles of reduces."""
        if not count:
            return _NO_STAGE
        key = (count, *seconds)
        if key not in self._stages:
            self._stages[key] = Stage(int(count), *map(self._sample, seconds))
        return self._stages[key]

    def arrival(self, submit: int) -> float:
        """Return when a job arrives if the first one that was read was submitted first, as in sorted files.

        Then the workload takes over this very job.
        """
        if self._first is None:
            self._first = submit
        return float(max(submit - self._first, 0))

    def kept(self, count: float) -> StageCount:
        """Return the account of a stage of so many tasks."""
        if count not in self._counts:
            self._counts[count] = StageCount(int(count))
        return self._counts[count]

    def _sample(self, seconds: float) -> NDArray[np.float64]:
        if seconds not in self._samples:
            sample = np.array([seconds])
            sample.flags.writeable = False
            self._samples[seconds] = sample
        return self._samples[seconds]


def _profiles(rows: list[_Row], values: Values, shared: _Shared) -> Iterator[JobProfile | Problem]:
    job_bytes = np.array([row.job_bytes for row in rows], np.float64).reshape(len(rows), 3)
    tasks = tasks_of_bytes(job_bytes, values)
    of_reduces = (tasks.reduce_duration, tasks.first_shuffle, tasks.typical_shuffle)
    longest = np.max([tasks.map_duration, *of_reduces], axis=0)
    columns = (tasks.maps, tasks.reduces, longest, tasks.map_duration, *of_reduces)
    for row, maps, reduces, seconds, of_map, *of_reduce in zip(
        rows, *(column.tolist() for column in columns), strict=True
    ):
        if maps + reduces > MOST_TASKS or seconds > MOST_SECONDS:
            rule = f"{maps + reduces:.3g} tasks by the model; raise map_size and reduce_size; it is left out"
            yield Problem(f"line {row.line}", row.name, rule)
            continue
        yield JobProfile(
            row.name,
            Job(
                row.name,
                shared.stage(maps, of_map),
                shared.stage(reduces, *of_reduce),
                shared.arrival(row.submit),
            ),
            1000 * row.submit,
            maps=shared.kept(maps),
            reduces=shared.kept(reduces),
        )


READER = Reader(
    "swim",
    "SWIM workload",
    _recognises,
    _read,
    ASSUMPTIONS,
    parameters=PARAMETERS,
)
