"""From the jobs of an opened log to the rows of a trace library, and from packed samples back to stages.

The samples of a template are four columns of numbers as compact bytes, packed where that pays.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.model.errors import InputError
from core.model.stages import Stage
from core.trace_database.template import application_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from core.files.open_workload import Opened
    from core.model.job import Job
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
    for job in workload.jobs:
        moment = started / 1000 + job.arrival if started >= FIRST_CALENDAR_MS else None
        yield _entry(job, titles.get(job.name, ""), moment)


def _entry(job: Job, title: str, submitted: float | None) -> Entry:
    maps, reduces = job.stages
    row = {
        "digest": _digest(job, title, submitted),
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
        "arrival": job.arrival,
        "maps": maps.count,
        "reduces": reduces.count,
        "map_seconds": _total(maps.durations, maps.count),
        "shuffle_seconds": _total(reduces.typical_shuffle, reduces.count),
        "reduce_seconds": _total(reduces.durations, reduces.count),
        "shuffle_bytes": job.shuffle_bytes,
    }
    return Entry(row, pack(job))


def _digest(job: Job, title: str, submitted: float | None) -> bytes:
    """Return what is equal for two jobs only if they are equal in everything.

    The date stands for the arrival where there is one: a log that has grown may begin at another job.
    """
    when = ("arrival", job.arrival) if submitted is None else ("date", round(1000 * submitted))
    fields = (job.name, title, job.user, job.pool, when, *(stage._key() for stage in job.stages))
    return hashlib.sha256(repr((*fields, job.shuffle_bytes)).encode()).digest()[:16]


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
PLAIN, PACKED = b"\0", b"\1"
DAMAGED = "the samples of a job in the trace library are damaged; delete the job and import its log again"
_CHECK = 4
_LENGTHS = 4
_HEADER = 4 * _LENGTHS
MAX_BYTES = 1 << 31
"""Of one template once unpacked: more than all tasks of a workload."""


def pack(job: Job) -> bytes:
    """Return map durations, first and typical shuffles and reduce durations, exact to the last bit."""
    maps, reduces = job.stages
    columns = (maps.durations, reduces.first_shuffle, reduces.typical_shuffle, reduces.durations)
    lengths = np.array([len(column) for column in columns], "<u4").tobytes()
    data = lengths + b"".join(column.astype("<f8", copy=False).tobytes() for column in columns)
    check = zlib.crc32(data).to_bytes(_CHECK, "little")
    return PLAIN + check + data if len(data) < WORTH_PACKING else PACKED + check + zlib.compress(data)


def unpack(packed: bytes, maps: int, reduces: int) -> tuple[Stage, Stage]:
    """Return the map and the reduce stage of so many tasks; InputError if the bytes are no samples."""
    columns = _columns(_plain(packed))
    for column in columns:
        column.flags.writeable = False
    map_durations, first, typical, reduce_durations = columns
    return Stage(maps, map_durations), Stage(reduces, reduce_durations, first, typical)


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
