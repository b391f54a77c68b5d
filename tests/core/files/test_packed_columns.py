"""Columns for a page: what comes out is what went in, in as few bytes as can be."""

from __future__ import annotations

import base64
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files.atomic import Watch
from core.files.packed_columns import MAX_VALUE, deflated, in_ticks, packed_column, row_columns, until
from core.model.errors import Cancelled


def unpacked(column) -> list[int]:
    return [
        sum(column.planes[plane * column.count + i] << 8 * plane for plane in range(column.width))
        + column.least
        for i in range(column.count)
    ]


def test_planes_are_the_lowest_bytes_first() -> None:
    column = packed_column([1, 2, 258])
    assert (column.count, column.width, column.least, column.planes) == (3, 2, 0, bytes([1, 2, 2, 0, 0, 1]))


@given(st.lists(st.integers(-(2**40), MAX_VALUE)))
def test_any_numbers_come_back(values: list[int]) -> None:
    column = packed_column(values)
    assert unpacked(column) == values
    assert len(column.planes) == column.count * column.width


@given(
    st.lists(st.lists(st.tuples(*[st.integers(0, 2**33)] * 3, st.integers(0, 999)), max_size=6), max_size=5)
)
def test_rows_of_tasks_come_back(rows: list[list[tuple[int, int, int, int]]]) -> None:
    """Of any gaps, lengths and shuffles, and of tasks that overlap as in a log."""
    tasks = []
    for row, own in enumerate(rows):
        time = 0
        for gap, length, shuffle, code in own:
            start = max(0, time + gap - 2**32)
            time = start + length
            tasks.append((row, start, start + shuffle * (code & 1), time, code))
    columns = [np.array([task[i] for task in tasks], np.int64) for i in range(5)]
    counts = np.array([len(own) for own in rows], np.int64)
    packed = row_columns(np.concatenate([[0], np.cumsum(counts)]).astype(np.int64), *columns[1:])
    assert unpacked(packed["rows"]) == counts.tolist()
    gaps, lengths, shuffles = unpacked(packed["gap"]), unpacked(packed["length"]), unpacked(packed["shuffle"])
    found, place, reduce = [], 0, 0
    for row, count in enumerate(counts.tolist()):
        time = 0
        for i in range(place, place + count):
            start = time + gaps[i]
            time = start + lengths[i]
            code = unpacked(packed["code"])[i]
            found.append((row, start, start + (shuffles[reduce] if code & 1 else 0), time, code))
            reduce += code & 1
        place += count
    assert found == tasks


times = st.integers(0, 40)


@given(st.lists(st.lists(st.tuples(times, times, times, st.integers(0, 9)), max_size=5), max_size=4), times)
def test_what_is_known_at_a_time_is_what_started_before(
    rows: list[list[tuple[int, int, int, int]]], veil: int
) -> None:
    """A naive twin, task by task; what starts later, or when the others end, makes no difference."""

    def cut(given: list[list[tuple[int, int, int, int]]]) -> list[list[int]]:
        flat = [task for own in given for task in own]
        columns = [np.array([task[i] for task in flat], np.int64) for i in range(4)]
        offsets = np.concatenate([[0], np.cumsum([len(own) for own in given])]).astype(np.int64)
        return [column.tolist() for column in until(veil, offsets, *columns)]

    kept = [[task for task in own if task[0] < veil] for own in rows]
    flat = [
        (start, min(body, veil + 1), min(end, veil + 1), code)
        for own in kept
        for start, body, end, code in own
    ]
    offsets = [sum(len(own) for own in kept[:row]) for row in range(len(kept) + 1)]
    assert cut(rows) == [offsets, *([task[i] for task in flat] for i in range(4))]
    later = [[(s, b + 7 * (b > veil), e + 7 * (e > veil), c) for s, b, e, c in own] for own in kept]
    assert cut(later) == cut(rows)


def test_times_that_never_come_are_below_zero() -> None:
    assert in_ticks(np.array([0.0, 1.2345, np.inf, np.nan]), 1e-3).tolist() == [0, 1234, -1, -1]


def test_columns_are_deflated_one_after_the_other() -> None:
    text = deflated([packed_column([1, 2]), packed_column([300])])
    assert zlib.decompress(base64.b64decode(text), -15) == bytes([1, 2, 44, 1])


def test_deflating_can_be_stopped() -> None:
    with pytest.raises(Cancelled):
        deflated([packed_column([1])], Watch(should_stop=lambda: True))
