"""From the jobs of an opened log to the rows of a trace library, and from packed samples back to stages.

The samples of a template are four columns of numbers as compact bytes, packed where that pays.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.files.job_stages import graph_from_json, stage_from_json, stages_to_json
from core.model.errors import InputError
from core.model.many_jobs import have_links
from core.model.stages import MAP_REDUCE, Stage
from core.model.task_types import TASK_TYPES
from core.trace_database.template import application_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from core.files.open_workload import Opened
    from core.model.errors import Problem
    from core.model.job import Job
    from core.model.stages import StageGraph
    from core.model.workload import Workload


FIRST_CALENDAR_MS = 315_532_800_000
"""The year 1980: logs whose clock begins at 0 (SWIM, load simulator) have seconds, not dates."""
_NUMBER = re.compile(r"[0-9]{1,18}")


@dataclass(frozen=True, slots=True)
class Entry:
    """One job on its way into the library: the row of its template by column, its samples."""

    row: Mapping[str, object]
    packed: bytes


def titles_of(workload: Workload) -> dict[str, str]:
    """Return what users call the jobs of a log, by name; often the same for all runs of one application."""
    run = workload.recorded
    return dict(zip(run.jobs, run.titles, strict=True)) if run else {}


def entries(opened: Opened) -> Iterator[Entry]:
    """Yield the jobs of an opened log."""
    workload = opened.workload
    titles = titles_of(workload)
    started = opened.report.started if opened.report else 0
    for job, arrival in zip(workload.jobs, _arrivals(workload), strict=True):
        moment = started / 1000 + arrival if started >= FIRST_CALENDAR_MS else None
        yield _entry(job, titles.get(job.name, ""), arrival, moment)


def _arrivals(workload: Workload) -> list[float]:
    """Return when each job came: when its log says, where it follows others."""
    run = workload.recorded
    submit = dict(zip(run.jobs, run.submit.tolist(), strict=True)) if run else {}
    alone = workload.columns.arrival.tolist() if have_links(workload.jobs) else None
    return [
        job.arrival if not job.after or alone is None else submit.get(job.name, alone[i])
        for i, job in enumerate(workload.jobs)
    ]


def _entry(job: Job, title: str, arrival: float, submitted: float | None) -> Entry:
    seconds = [0.0 for _ in TASK_TYPES]
    shuffle = 0.0
    for number, (stage, task_type) in enumerate(zip(job.stages, job.graph.task_types, strict=True)):
        seconds[task_type] += _total(stage.durations, stage.count)
        if job.graph.parents(number):
            shuffle += _total(stage.typical_shuffle, stage.count)
    maps, reduces = (job.count_of(task_type) for task_type in TASK_TYPES)
    map_seconds, reduce_seconds = seconds
    row = {
        "digest": _digest(job, title, arrival, submitted),
        "name": job.name,
        "title": title,
        "application": application_of(title),
        "user": job.user,
        "pool": job.pool,
        "name_key": _sort_key(job.name),
        "title_key": _sort_key(title),
        "user_key": job.user.casefold(),
        "searched": f"{job.name}\n{title}".casefold(),
        "submitted": submitted,
        "arrival": arrival,
        "maps": maps,
        "reduces": reduces,
        "map_seconds": map_seconds,
        "shuffle_seconds": shuffle,
        "reduce_seconds": reduce_seconds,
        "shuffle_bytes": job.shuffle_bytes,
    }
    return Entry(row, pack(job))


def _digest(job: Job, title: str, arrival: float, submitted: float | None) -> bytes:
    """Return what is equal for two jobs only if they are equal in everything.

    The date stands for the arrival where there is one: a log that has grown may begin at another job.
    """
    when = ("arrival", arrival) if submitted is None else ("date", round(1000 * submitted))
    fields = (job.name, title, job.user, job.pool, when, *(stage._key() for stage in job.stages))
    graph = () if job.graph == MAP_REDUCE else (job.graph, job.graph.names)
    return hashlib.sha256(repr((*fields, job.shuffle_bytes, *graph)).encode()).digest()[:16]


def _sort_key(text: str) -> str:
    """Return text that sorts by its numbers: node9 before node10, in any case."""
    return _NUMBER.sub(lambda number: number.group().zfill(18), text.casefold())


def _total(samples: NDArray[np.float64], count: int) -> float:
    """Sum over all tasks: task i has sample i modulo their number."""
    if len(samples) == 1:
        return count * float(samples[0])
    rounds, rest = divmod(count, len(samples))
    return rounds * float(samples.sum()) + float(samples[:rest].sum())


WORTH_PACKING = 512
"""Bytes; below, packing makes them longer."""
PLAIN, PACKED, STAGES = b"\0", b"\1", b"\2"
"""What the samples begin with: numbers of maps and reduces, the same packed, or stages of a graph as JSON."""
DAMAGED = "the samples of a job in the trace library are damaged; delete the job and import its log again"
_CHECK = 4
_LENGTHS = 4
_HEADER = 4 * _LENGTHS
MAX_BYTES = 1 << 31
"""Of one template once unpacked: more than all tasks of a workload."""


def pack(job: Job) -> bytes:
    """Return the stages of a job, exact to the last bit.

    Of a MapReduce job map durations, first and typical shuffles and reduce durations; of others what
    documents have.
    """
    if job.graph != MAP_REDUCE:
        data = zlib.compress(json.dumps(stages_to_json(job)).encode())
        return STAGES + zlib.crc32(data).to_bytes(_CHECK, "little") + data
    maps, reduces = job.stages
    columns = (maps.durations, reduces.first_shuffle, reduces.typical_shuffle, reduces.durations)
    lengths = np.array([len(column) for column in columns], "<u4").tobytes()
    data = lengths + b"".join(column.astype("<f8", copy=False).tobytes() for column in columns)
    check = zlib.crc32(data).to_bytes(_CHECK, "little")
    return PLAIN + check + data if len(data) < WORTH_PACKING else PACKED + check + zlib.compress(data)


def unpack(packed: bytes, maps: int, reduces: int) -> tuple[tuple[Stage, ...], StageGraph]:
    """Return the stages of a job with so many tasks of each type; InputError if the bytes are no samples."""
    if packed[:1] == STAGES:
        return _unpacked_stages(packed, maps, reduces)
    columns = _columns(_plain(packed))
    for column in columns:
        column.flags.writeable = False
    map_durations, first, typical, reduce_durations = columns
    return (Stage(maps, map_durations), Stage(reduces, reduce_durations, first, typical)), MAP_REDUCE


def _unpacked_stages(packed: bytes, maps: int, reduces: int) -> tuple[tuple[Stage, ...], StageGraph]:
    check, data = packed[1 : 1 + _CHECK], packed[1 + _CHECK :]
    problems: list[Problem] = []
    try:
        documents = json.loads(zlib.decompressobj().decompress(data, MAX_BYTES))
        graph = graph_from_json(documents, "stages", problems)
        stages = tuple(map(stage_from_json, documents))
    except (zlib.error, ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        raise InputError(DAMAGED) from None
    counts = [0 for _ in TASK_TYPES]
    for stage, task_type in zip(stages, graph.task_types, strict=True):
        counts[task_type] += stage.count
    if (
        problems
        or not stages
        or zlib.crc32(data).to_bytes(_CHECK, "little") != check
        or counts != [maps, reduces]
    ):
        raise InputError(DAMAGED)
    return stages, graph


def _plain(packed: bytes) -> bytes:
    check, data = packed[1 : 1 + _CHECK], packed[1 + _CHECK :]
    if packed[:1] == PACKED:
        with contextlib.suppress(zlib.error):
            data = zlib.decompressobj().decompress(data, MAX_BYTES)
    if zlib.crc32(data).to_bytes(_CHECK, "little") != check:
        raise InputError(DAMAGED)
    return data


def _columns(data: bytes) -> list[np.ndarray[tuple[int], np.dtype[np.float64]]]:
    lengths = np.frombuffer(data[:_HEADER], "<u4") if len(data) >= _HEADER else np.zeros(0, "<u4")
    expected = _HEADER + 8 * int(lengths.sum())
    if len(lengths) != _LENGTHS or len(data) != expected or not lengths.all():
        raise InputError(DAMAGED)
    numbers = np.frombuffer(data, "<f8", offset=_HEADER).astype(np.float64)
    return [part.copy() for part in np.split(numbers, np.cumsum(lengths)[:-1])]
