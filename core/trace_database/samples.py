"""The samples of a job template as compact bytes: four columns of numbers, packed where that pays."""

from __future__ import annotations

import contextlib
import zlib
from typing import TYPE_CHECKING

import numpy as np

from core.model.errors import InputError
from core.model.workload import Stage

if TYPE_CHECKING:
    from core.model.workload import Job

WORTH_PACKING = 512
"""Bytes; below, packing makes them longer."""
PLAIN, PACKED = b"\0", b"\1"
DAMAGED = "the samples of a job in the trace library are damaged; delete the job and import its log again"
_CHECK = 4
_LENGTHS = 4
_HEADER = 4 * _LENGTHS
MOST_BYTES = 1 << 31
"""Of one template once unpacked: more than all tasks of a workload."""


def pack(job: Job) -> bytes:
    """Return map durations, first and typical shuffles and reduce durations, exact to the last bit."""
    columns = (
        job.maps.durations,
        job.reduces.first_shuffle,
        job.reduces.typical_shuffle,
        job.reduces.durations,
    )
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
            data = zlib.decompressobj().decompress(data, MOST_BYTES)
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
