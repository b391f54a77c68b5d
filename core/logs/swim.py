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
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.logs.byte_source import line_batches, taken, until_noise
from core.logs.job_batch import JobBatch
from core.logs.job_profile import NO_STAGE
from core.logs.logged_job import LATEST, plain_texts
from core.logs.reader import Reader, begins_with_rows
from core.model.errors import Problem
from core.model.job import Job
from core.model.kept_read_only import read_only
from core.model.limits import MAX_SECONDS, MAX_TASKS
from core.model.parameters import Parameter
from core.model.stages import Stage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from core.logs.byte_source import ByteSource, Lines
    from core.logs.reader import Item, Values
    from core.model.parameters import ParameterValue


MIB = float(1 << 20)
_MIN, _MAX = 0.001, 1e9

PARAMETERS = (
    Parameter("map_size", "number", 128.0, "Input that one map reads.", _MIN, _MAX, "MiB"),
    Parameter("map_rate", "number", 10.0, "Input that a map works through.", _MIN, _MAX, "MiB/s"),
    Parameter("write_rate", "number", 20.0, "Output that a task writes.", _MIN, _MAX, "MiB/s"),
    Parameter("reduce_size", "number", 1024.0, "Shuffle and output of one reduce.", _MIN, _MAX, "MiB"),
    Parameter("shuffle_rate", "number", 20.0, "Map output that a reduce fetches.", _MIN, _MAX, "MiB/s"),
    Parameter(
        "reduce_rate", "number", 10.0, "Fetched data that a reduce works through.", _MIN, _MAX, "MiB/s"
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


MAX_BYTES = 10**18
"""Of one job; more is damage."""
_CELLS = rb"([^\t\n]+)\t(\d{1,18})\t\d+\t(\d{1,18})\t(\d{1,18})\t(\d{1,18})(?:\t[^\t\n]*){0,3}"
_ROWS = re.compile(rb"^" + _CELLS + rb"$", re.MULTILINE)
_ROW = re.compile(rb"[^\t]+(?:\t\d+){5}(?:\t[^\t]*){0,3}")
_SAMPLES_AT_ONCE = 256
_NOT_A_ROW = "not a row of a SWIM workload (id and five whole numbers, separated by tabs); it is left out"
_ABSURD = f"a time or size is absurd (a job has at most {MAX_BYTES:g} bytes); it is left out"


def _read(sources: Iterable[ByteSource], values: Values) -> Iterator[Item]:
    rows = _SwimRows(values)
    for source in sources:
        yield from until_noise(rows.read(source))


class _SwimRows:
    """Makes jobs of rows, many at once; equal stages and durations are made once, as most jobs are small."""

    def __init__(self, values: Values) -> None:
        self._values = values
        self._maps, self._reduces = _Stages(), _Stages()
        self._first: int | None = None

    def read(self, source: ByteSource) -> Iterator[JobBatch | Problem]:
        """Yield the jobs of a file, and what is wrong with its other lines."""
        yield from taken(line_batches(source.chunks()), self._take)

    def _take(self, lines: Lines) -> Iterable[JobBatch | Problem] | str:
        found = _ROWS.findall(b"\n".join(lines.data))
        if len(found) == len(lines.data):
            texts, *columns = zip(*found, strict=True)
            numbers = np.array([np.fromstring(b" ".join(each), np.int64, sep=" ") for each in columns])
            if numbers[0].max() < LATEST // 1000:
                return self._jobs(lines, plain_texts(texts), numbers)
        return _ABSURD if all(map(_ROW.fullmatch, lines.data)) else _NOT_A_ROW

    def _jobs(
        self, lines: Lines, names: list[str], numbers: NDArray[np.int64]
    ) -> Iterator[JobBatch | Problem]:
        submit = numbers[0]
        tasks = tasks_of_bytes(numbers[1:].T.astype(np.float64), self._values)
        maps, of_map, reduces, _, typical, of_reduce = tasks
        count, longest = maps + reduces, np.max([of_map, of_reduce, typical], axis=0)
        fits = (count <= MAX_TASKS) & (longest <= MAX_SECONDS)
        for row in np.flatnonzero(~fits).tolist():
            rule = f"{count[row]:.3g} tasks by the model; raise map_size and reduce_size; it is left out"
            yield Problem(f"line {lines.numbers[row]}", names[row], rule)
        maps, of_map, reduces, first, typical, of_reduce = (column[fits] for column in tasks)
        submit, names = submit[fits], list(compress(names, fits.tolist()))
        both = self._maps.of(maps, of_map), self._reduces.of(reduces, of_reduce, first, typical)
        jobs: list[Job | None] = list(map(Job, names, *both, self._arrivals(submit)))
        yield JobBatch.bare(jobs, names, submit * 1000)

    def _arrivals(self, submit: NDArray[np.int64]) -> Iterator[float]:
        """Yield when jobs arrive if the first one that was read was submitted first, as in sorted files.

        Then the workload takes over these very jobs.
        """
        if self._first is None:
            self._first = int(submit.min(initial=LATEST))
        seconds, which = np.unique(np.maximum(submit - self._first, 0) / 1.0, return_inverse=True)
        return map(seconds.tolist().__getitem__, which.tolist())


class _Stages(dict[bytes, Stage]):
    """Stages of equal tasks by their counts and times, as the bytes of float64."""

    def __init__(self) -> None:
        super().__init__()
        self._samples = _Samples()

    def __missing__(self, key: bytes) -> Stage:
        count, *seconds = np.frombuffer(key).tolist()
        stage = self[key] = Stage(int(count), *map(self._samples.__getitem__, seconds)) if count else NO_STAGE
        return stage

    def of(self, *columns: NDArray[np.float64]) -> Iterator[Stage]:
        """Yield the stages of so many tasks and such times, each of (stages,)."""
        rows = np.ascontiguousarray(np.stack(columns, axis=1))
        return map(self.__getitem__, rows.view(f"V{rows.shape[1] * rows.itemsize}")[:, 0].tolist())


class _Samples(dict[float, "NDArray[np.float64]"]):
    """Samples of one time by that time in seconds, as parts of larger arrays: they take less memory."""

    def __missing__(self, seconds: float) -> NDArray[np.float64]:
        place = len(self) % _SAMPLES_AT_ONCE
        if place == 0:
            self._latest = np.empty(_SAMPLES_AT_ONCE)
        self._latest[place] = seconds
        sample = self[seconds] = self._latest[place : place + 1]
        return read_only(sample)


READER = Reader(
    "swim",
    "SWIM workload",
    begins_with_rows(_ROW.fullmatch),
    _read,
    ASSUMPTIONS,
    parameters=PARAMETERS,
)
