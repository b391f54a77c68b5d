"""Columns of whole numbers as few bytes: what a page of schedules carries, and its script unpacks.

Each column is written as byte planes: the lowest bytes of all values, then their second bytes, and so on, as
many as its largest value needs. Alike stands beside alike then, which deflate makes short.
"""

from __future__ import annotations

import base64
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.files.atomic import Watch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike, NDArray

BYTE = 8
MAX_VALUE = 2**53 - 1
"""A script counts in floating point: beyond this, whole numbers are not told apart."""
LEVEL, CHUNK = 9, 1 << 20
"""How hard deflate tries, and bytes between two looks at whether to go on."""


@dataclass(frozen=True, slots=True)
class PackedColumn:
    """One column in bytes.

    Attributes
    ----------
    count : how many values
    width : bytes of each of them
    least : what was subtracted from all values, so that none is below 0
    planes : ``count * width`` bytes, plane by plane
    """

    count: int
    width: int
    least: int
    planes: bytes


def packed_column(values: ArrayLike) -> PackedColumn:
    """Return a column of whole numbers, each at most `MAX_VALUE` from 0, in as few whole bytes as it needs.

    Examples
    --------
    The values 1, 2 and 258 have two bytes each: the planes 1, 2, 2 and 0, 0, 1.
    """
    whole = np.asarray(values, np.int64)
    least = min(0, int(whole.min(initial=0)))
    above = (whole - least).astype(np.uint64)
    width = max(1, -(-int(above.max(initial=0)).bit_length() // BYTE))
    planes = above.astype("<u8").view(np.uint8).reshape(len(above), 8)[:, :width]
    return PackedColumn(len(above), width, least, np.ascontiguousarray(planes.T).tobytes())


def in_ticks(seconds: NDArray[np.float64], tick: float) -> NDArray[np.int64]:
    """Return times as whole numbers of ticks; one that never comes or is not known as -1."""
    with np.errstate(invalid="ignore"):
        whole = np.round(seconds / tick)
    return np.where(np.isfinite(whole), whole, -1.0).astype(np.int64)


def row_columns(
    offsets: NDArray[np.int64],
    start: NDArray[np.int64],
    body: NDArray[np.int64],
    end: NDArray[np.int64],
    code: NDArray[np.int64],
) -> dict[str, PackedColumn]:
    """Return tasks that stand row by row as packed columns.

    Times are rounded to ticks before gaps are taken, so that nothing drifts along a row.

    Parameters
    ----------
    offsets : tasks of row r are ``offsets[r]`` to ``offsets[r + 1]``, (rows + 1,)
    start, body, end : ticks; `body` is when what is no shuffle begins, (tasks,)
    code : what a task is; only odd ones have a shuffle, (tasks,)
    """
    counts = np.diff(offsets)
    before = np.concatenate([np.zeros(1, np.int64), end])[: len(end)]
    before[offsets[:-1][counts > 0]] = 0
    return {
        "rows": packed_column(counts),
        "code": packed_column(code),
        "gap": packed_column(start - before),
        "length": packed_column(end - start),
        "shuffle": packed_column((body - start)[code & 1 == 1]),
    }


def until(
    veil: int,
    offsets: NDArray[np.int64],
    start: NDArray[np.int64],
    body: NDArray[np.int64],
    end: NDArray[np.int64],
    code: NDArray[np.int64],
) -> tuple[NDArray[np.int64], ...]:
    """Return the columns of `row_columns` as far as they are known at a time, without what comes later.

    Tasks that start later are left out; those that run then end one tick behind that time, whenever they do.

    Parameters
    ----------
    veil : ticks
    offsets, start, body, end, code : see `row_columns`

    Examples
    --------
    At 5, of tasks from 0 to 4, from 4 to 9 and from 9 to 10 the first is there, and one from 4 to 6.
    """
    known = start < veil
    count = np.concatenate([np.zeros(1, np.int64), np.cumsum(known)])
    body, end = (np.minimum(each[known], veil + 1) for each in (body, end))
    return count[offsets], start[known], body, end, code[known]


def layout_of(columns: Mapping[str, PackedColumn]) -> list[list[str | int]]:
    """Return how the columns follow one another: name, count, width and least value of each."""
    return [[name, each.count, each.width, each.least] for name, each in columns.items()]


def deflated(columns: list[PackedColumn], watch: Watch | None = None) -> str:
    """Return columns one after the other, deflated without a header, in base64.

    Raises
    ------
    Cancelled
        the watch says so
    """
    watch = watch or Watch()
    raw = b"".join(each.planes for each in columns)
    packer, parts = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS), []
    for place in range(0, len(raw), CHUNK):
        watch.check(place / len(raw))
        parts.append(packer.compress(raw[place : place + CHUNK]))
    return base64.b64encode(b"".join([*parts, packer.flush()])).decode("ascii")


def deflate(raw: bytes) -> bytes:
    """Return bytes deflated without a header."""
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(raw) + packer.flush()
