"""SWIM workloads: a job per line with its submit time and bytes, separated by tabs, without a header.

Columns: id, submit time in s, gap since the job before in s, map input, shuffle and output in bytes; up
to three more (paths) do not matter. A job whose shuffle is 0 has no reduces.

Tasks and durations come from the bytes by a simple model whose numbers are parameters: a job reads its
input with maps of one size, shuffles what they write, and reduces it with reduces of one size; every byte
takes its time at a rate. How SWIM replays such a workload gives the number of tasks: a map per block, and
``round((shuffle + output) / bytes per reduce)`` reduces, at least one (SWIM, the workload replay of Chen,
Ganapathi, Griffith, Katz, MASCOTS 2011); the rates are ours.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.logs.byte_source import Line, text_lines, until_noise
from core.logs.job_profile import NO_STAGE, JobProfile, TaskCount
from core.logs.logged_job import LATEST, plain_text
from core.logs.reader import Reader
from core.model.errors import Problem, shorten
from core.model.limits import MOST_SECONDS, MOST_TASKS
from core.model.parameters import Parameter
from core.model.workload import Job, Stage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from core.logs.byte_source import ByteSource
    from core.logs.reader import Item, Values
    from core.model.parameters import ParameterValue


MIB = float(1 << 20)
_LEAST, _MOST = 0.001, 1e9

PARAMETERS = (
    Parameter("map_size", "number", 128.0, "Input that one map reads.", _LEAST, _MOST, "MiB"),
    Parameter("map_rate", "number", 10.0, "Input that a map works through.", _LEAST, _MOST, "MiB/s"),
    Parameter("write_rate", "number", 20.0, "Output that a task writes.", _LEAST, _MOST, "MiB/s"),
    Parameter("reduce_size", "number", 1024.0, "Shuffle and output of one reduce.", _LEAST, _MOST, "MiB"),
    Parameter("shuffle_rate", "number", 20.0, "Map output that a reduce fetches.", _LEAST, _MOST, "MiB/s"),
    Parameter(
        "reduce_rate", "number", 10.0, "Fetched data that a reduce works through.", _LEAST, _MOST, "MiB/s"
    ),
    Parameter(
        "task_time", "number", 2.0, "What every task takes besides, to start and to end.", 0.0, 1e6, "s"
    ),
    Parameter(
        "overlap", "number", 0.5, "Part of a reduce's shuffle that is done when its map stage ends.", 0.0, 1.0
    ),
    Parameter("scale", "number", 1.0, "Factor for all bytes, for a cluster of another size.", 1e-9, 1e9),
)

ASSUMPTIONS = (
    "The log has bytes and no tasks, so tasks and durations come from a model; its numbers are parameters "
    "of the import.",
    "A job has one map for every {map_size:g} MiB of input and one reduce for every {reduce_size:g} MiB of "
    "shuffle and output, each kind at least one; a job that shuffles nothing has no reduces.",
    "A map takes {task_time:g} s, its input at {map_rate:g} MiB/s and its output at {write_rate:g} MiB/s.",
    "A reduce fetches its shuffle at {shuffle_rate:g} MiB/s (a first shuffle is {overlap:.0%} done when the "
    "map stage ends), then takes {task_time:g} s, its shuffle at {reduce_rate:g} MiB/s and its output at "
    "{write_rate:g} MiB/s.",
    "All bytes are multiplied by {scale:g}.",
)
"""What is assumed, with the names of the parameters in braces."""


class ModelledTasks(NamedTuple):
    """Tasks of jobs, all of a job's kind alike: counts, and durations in seconds, each (jobs,)."""

    maps: NDArray[np.float64]
    map_duration: NDArray[np.float64]
    reduces: NDArray[np.float64]
    first_shuffle: NDArray[np.float64]
    typical_shuffle: NDArray[np.float64]
    reduce_duration: NDArray[np.float64]


def tasks_of_bytes(job_bytes: NDArray[np.float64], values: Mapping[str, ParameterValue]) -> ModelledTasks:
    """Compute the tasks of jobs from their input, shuffle and output.

    Parameters
    ----------
    job_bytes : map input, shuffle and output of each job in bytes, (jobs, 3)
    values : a value for each of `PARAMETERS`

    Returns
    -------
    ModelledTasks
        counts are whole numbers, durations whole milliseconds
    """
    (map_size, map_rate, write_rate, reduce_size, shuffle_rate, reduce_rate, task_time, overlap, scale) = (
        float(values[parameter.name]) for parameter in PARAMETERS
    )
    read, shuffled, written = job_bytes.T * (scale / MIB)
    has_reduces = shuffled > 0
    maps = np.maximum(1.0, np.ceil(read / map_size))
    reduces = np.where(has_reduces, np.maximum(1.0, np.rint((shuffled + written) / reduce_size)), 0.0)
    map_output = np.where(has_reduces, shuffled, written)
    per_reduce = np.maximum(1.0, reduces)
    fetched, output = shuffled / per_reduce, np.where(has_reduces, written, 0.0) / per_reduce
    typical = fetched / shuffle_rate
    return ModelledTasks(
        maps,
        _milliseconds(task_time + read / maps / map_rate + map_output / maps / write_rate),
        reduces,
        _milliseconds((1.0 - overlap) * typical),
        _milliseconds(typical),
        _milliseconds(task_time + fetched / reduce_rate + output / write_rate),
    )


def _milliseconds(seconds: NDArray[np.float64]) -> NDArray[np.float64]:
    whole: NDArray[np.float64] = np.round(seconds * 1000) / 1000
    return whole


MOST_BYTES = 10**18
"""Of one job; more is damage."""
_ROW = re.compile(rb"([^\t]+)\t(\d+)\t(\d+)\t(\d+)\t(\d+)\t(\d+)(?:\t[^\t]*){0,3}")
_FIRST_LINES = 20
_ROWS_AT_ONCE = 1024


class _SwimRow(NamedTuple):
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
        rows: list[_SwimRow] = []
        for row in _rows(source):
            if isinstance(row, Problem):
                yield row
            else:
                rows.append(row)
            if len(rows) == _ROWS_AT_ONCE:
                yield from _profiles(rows, values, shared)
                rows = []
        yield from _profiles(rows, values, shared)


def _rows(source: ByteSource) -> Iterator[_SwimRow | Problem]:
    rows = (_row(line) if isinstance(line, Line) else line for line in text_lines(source.chunks()))
    return until_noise(row for row in rows if row is not None)


def _row(line: Line) -> _SwimRow | Problem | None:
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
    return _SwimRow(
        line.number, plain_text(name.decode("utf-8", "replace")), submit, (read, shuffled, written)
    )


class _Shared:
    """Stages that many jobs have alike, and how many tasks they kept, made once: most of them are small."""

    def __init__(self) -> None:
        self.kept = cache(lambda count: TaskCount(int(count)))
        self.stage = cache(self._stage)
        self._sample = cache(_sample)
        self._first: int | None = None

    def arrival(self, submit: int) -> float:
        """Return when a job arrives if the first one that was read was submitted first, as in sorted files.

        Then the workload takes over this very job.
        """
        if self._first is None:
            self._first = submit
        return float(max(submit - self._first, 0))

    def _stage(self, count: float, *seconds: float) -> Stage:
        """Return the stage of so many equal tasks: their duration, and the shuffles of reduces."""
        return Stage(int(count), *map(self._sample, seconds)) if count else NO_STAGE


def _sample(seconds: float) -> NDArray[np.float64]:
    sample = np.array([seconds])
    sample.flags.writeable = False
    return sample


def _profiles(rows: list[_SwimRow], values: Values, shared: _Shared) -> Iterator[JobProfile | Problem]:
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
