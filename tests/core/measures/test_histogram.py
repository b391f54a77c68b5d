"""Histograms count every value once, in ranges that suit the values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.measures.histogram import MOST_BINS, histogram


def test_few_whole_numbers_have_a_range_each() -> None:
    found = histogram(np.array([2, 2, 5, 3, 0]))
    assert found.edges.tolist() == [-0.5, 0.5, 1.5, 2.5, 3.5, 4.5, 5.5]
    assert found.counts.tolist() == [1, 0, 2, 1, 0, 1]
    assert (found.is_log, found.zeros, found.is_exact) == (False, 0, True)


def test_wide_spans_have_logarithmic_ranges_and_count_zeros_apart() -> None:
    found = histogram(np.array([0.0, 0.0, 1.0, 10.0, 100.0, 1000.0, 10_000.0]))
    assert found.is_log
    assert found.zeros == 2
    assert found.edges.tolist() == pytest.approx([1, 10**0.8, 10**1.6, 10**2.4, 10**3.2, 10_000])
    assert found.counts.tolist() == [1, 1, 1, 1, 1]


def test_narrow_spans_have_even_ranges() -> None:
    found = histogram(np.array([10.0, 10.5, 12.5, 20.0]))
    assert found.edges.tolist() == [10, 12, 14, 16, 18, 20]
    assert found.counts.tolist() == [2, 1, 0, 0, 1]


def test_a_wide_span_may_be_wanted_even() -> None:
    found = histogram(np.array([0.0, 1.5, 10.0, 1000.0]), may_be_log=False)
    assert found.edges.tolist() == [0, 200, 400, 600, 800, 1000]
    assert found.counts.tolist() == [3, 0, 0, 0, 1]


def test_equal_values_and_no_values() -> None:
    assert histogram(np.full(7, 2.5)).counts.tolist() == [7]
    assert histogram(np.full(7, 2.5)).edges.mean() == 2.5
    assert histogram(np.zeros(4)).counts.tolist() == [4]
    nothing = histogram(np.zeros(0))
    assert (nothing.total, len(nothing.edges)) == (0, 0)


@given(st.lists(st.floats(0, 1e9) | st.integers(0, 50).map(float), min_size=1, max_size=200))
def test_every_value_is_counted_where_it_lies(values: list[float]) -> None:
    found = histogram(np.array(values))
    values = [value if value >= 1e-9 else 0.0 for value in values]  # what nobody measures is nothing
    assert found.total == len(values)
    assert len(found.counts) == len(found.edges) - 1 <= MOST_BINS
    assert (np.diff(found.edges) > 0).all()
    assert found.edges[0] <= min(value for value in values if value > 0 or not found.is_log)
    assert found.edges[-1] >= max(values)
    for i, count in enumerate(found.counts):
        low, high = found.edges[i], found.edges[i + 1]
        is_last = i == len(found.counts) - 1
        inside = [v for v in values if low <= v < high or (is_last and v == high)]
        assert len(inside) - found.zeros * (low <= 0 < high) * found.is_log == count
