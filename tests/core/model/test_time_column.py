"""Moments in few bytes are the moments that were given, to the last bit, whatever is asked of them."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as some

from core.logs.attempt_columns import AttemptColumns, constant
from core.model.time_column import MISSING, TimeColumn

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOMENTS = some.tuples(
    some.sampled_from([0, 7, 1_700_000_000_123]),
    some.sampled_from([1, 1000]),
    some.lists(some.integers(MISSING, 2**31 + 2) | some.sampled_from([MISSING, 0, 1]), max_size=30),
).map(lambda drawn: np.array([n if n == MISSING else drawn[0] + drawn[1] * n for n in drawn[2]], np.int64))


@given(MOMENTS, MOMENTS, some.integers(0, 1_700_000_000_999))
def test_moments_come_back(first: NDArray[np.int64], second: NDArray[np.int64], time_0: int) -> None:
    whole = np.concatenate([first, second])
    column = TimeColumn.joined([TimeColumn.of(first), TimeColumn.of(second)])
    assert column[:].dtype == column.dtype == np.int64
    assert column.tolist() == list(column) == whole.tolist()
    assert column.is_known().tolist() == (whole != MISSING).tolist()
    assert column.max(initial=MISSING) == whole.max(initial=MISSING)
    seconds = np.where(whole == MISSING, np.nan, (whole - time_0) / 1000)
    in_seconds = column.in_seconds(time_0)
    assert np.asarray(in_seconds).tobytes() == seconds.tobytes()
    assert np.isnan(in_seconds).tolist() == np.isnan(seconds).tolist()
    assert (in_seconds - 1.5).tobytes() == (seconds - 1.5).tobytes()
    copied = pickle.loads(pickle.dumps(in_seconds))
    assert np.asarray(copied).tobytes() == seconds.tobytes()


def test_moments_close_together_take_four_bytes_and_others_eight() -> None:
    month, years = np.array([0, 86_400_001 * 24]), np.array([MISSING, 0, 1000 * (2**31 - 1)])
    for times, size in ((month, 4), (month + 86_400_000, 4), (years, 4), (years + np.array([0, 1, 0]), 8)):
        column = TimeColumn.of(times.astype(np.int64))
        assert column.tolist() == times.tolist()
        assert column._after.itemsize == size


def test_one_moment_is_a_number_and_a_moment_can_be_forgotten() -> None:
    times = np.array([5000, MISSING, 7000, 5000])
    assert np.isnan(TimeColumn.of(times).in_seconds(5000)[1])
    column = TimeColumn.of(times)
    assert column[2] + 1 == 7001
    column.forget(5001)
    column.forget(5000)
    assert column.tolist() == [MISSING, MISSING, 7000, MISSING]
    assert column.repeated(np.array([0, 1, 2, 0])).tolist() == [MISSING, 7000, 7000]
    column.put_in_order(np.array([2, 3, 1, 0]))
    assert column.tolist() == [7000, MISSING, MISSING, MISSING]
    assert column.last(np.array([True, True, True, True]), np.array([0, 1])).tolist() == [7000, MISSING]


@given(
    some.lists(some.tuples(some.integers(MISSING, 60), some.integers(MISSING, 90), some.booleans())),
    some.sampled_from([1, 1000, 97]),
)
def test_as_many_run_at_once_as_are_counted(runs: list[tuple[int, int, bool]], unit: int) -> None:
    start, end, kind = np.array(runs, np.int64).reshape(-1, 3).T
    start, end = (np.where(each == MISSING, MISSING, unit * each) for each in (start, end))
    nothing, count = constant(np.int64(MISSING), len(runs)), len(runs)
    times = TimeColumn.of(start).as_array, nothing, nothing, TimeColumn.of(end).as_array
    columns: tuple[NDArray[Any], ...] = (kind.astype(np.int8), kind, np.ones(count, np.bool_), kind, kind)
    attempts = AttemptColumns.of((*columns, *times), ())
    spans = zip(start[kind == 0], end[kind == 0], strict=True)
    held = [(begin, last) for begin, last in spans if MISSING < begin < last]
    counted = [sum(begin <= time < last for begin, last in held) for time, _ in held]
    assert attempts.most_at_once(0) == max(counted, default=0)
