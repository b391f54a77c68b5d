"""Histograms count every value once, in ranges that suit the values."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import entropy

from core.measures.histogram import EMPTY_BIN, MAX_BINS, cdf, histogram, shared_bins, symmetric_kl


def test_few_whole_numbers_have_a_range_each() -> None:
    found = histogram(np.array([2, 2, 5, 3, 0]))
    assert found.edges.tolist() == [-0.5, 0.5, 1.5, 2.5, 3.5, 4.5, 5.5]
    assert found.counts.tolist() == [1, 0, 2, 1, 0, 1]
    assert (found.is_log, found.zeros, found.is_exact) == (False, 0, True)


def test_wide_spans_have_logarithmic_ranges_and_count_zeros_apart() -> None:
    found = histogram(np.array([0.0, 0.0, 1.0, 10.0, 100.0, 1000.0, 10_000.0]))
    assert (found.is_log, found.is_exact) == (True, False)
    assert found.zeros == 2
    assert found.total == 7
    assert found.edges.tolist() == pytest.approx([1, 10**0.8, 10**1.6, 10**2.4, 10**3.2, 10_000])
    assert found.counts.tolist() == [1, 1, 1, 1, 1]


def test_narrow_spans_have_even_ranges() -> None:
    found = histogram(np.array([10.0, 10.5, 12.5, 20.0]))
    assert found.edges.tolist() == [10, 12, 14, 16, 18, 20]
    assert found.counts.tolist() == [2, 1, 0, 0, 1]
    assert (found.is_log, found.zeros, found.is_exact) == (False, 0, False)


def test_a_wide_span_may_be_wanted_even() -> None:
    found = histogram(np.array([0.0, 1.5, 10.0, 1000.0]), may_be_log=False)
    assert found.edges.tolist() == [0, 200, 400, 600, 800, 1000]
    assert found.counts.tolist() == [3, 0, 0, 0, 1]


def test_equal_values_and_no_values() -> None:
    assert histogram(np.full(7, 2.5)).counts.tolist() == [7]
    assert histogram(np.full(7, 2.5)).edges.mean() == 2.5
    assert histogram(np.zeros(4)).counts.tolist() == [4]
    nothing = histogram(np.zeros(0))
    assert (nothing.total, len(nothing.edges), len(nothing.counts), nothing.zeros) == (0, 0, 0, 0)


@given(st.lists(st.floats(0, 1e9) | st.integers(0, 50).map(float), min_size=1, max_size=200))
def test_every_value_is_counted_where_it_lies(values: list[float]) -> None:
    found = histogram(np.array(values))
    values = [value if value >= 1e-9 else 0.0 for value in values]  # what nobody measures is nothing
    assert found.total == len(values)
    assert len(found.counts) == len(found.edges) - 1 <= MAX_BINS
    assert (np.diff(found.edges) > 0).all()
    assert found.edges[0] <= min(value for value in values if value > 0 or not found.is_log)
    assert found.edges[-1] >= max(values)
    for i, count in enumerate(found.counts):
        low, high = found.edges[i], found.edges[i + 1]
        is_last = i == len(found.counts) - 1
        inside = [v for v in values if low <= v < high or (is_last and v == high)]
        assert len(inside) - found.zeros * (low <= 0 < high) * found.is_log == count


DURATIONS = st.lists(st.floats(0, 1e9), min_size=1, max_size=40)


def test_a_distribution_function_by_hand():
    values, fractions = cdf([3, 1, 3, 2, 3])
    assert values.tolist() == [1, 2, 3]
    assert fractions.tolist() == pytest.approx([0.2, 0.4, 1.0])


def test_a_divergence_by_hand():
    """Two bins; half and half against a quarter and three quarters: (1/4) log 3 in the mean of both ways."""
    first, second = [0.0, 0.0, 9.0, 9.0], [0.0, 9.0, 9.0, 9.0]
    edges = shared_bins(np.array(first), np.array(second))
    assert len(edges) == 4  # sqrt(8) bins: the middle one is empty in both
    assert symmetric_kl(first, second) == pytest.approx(math.log(3) / 8, rel=1e-4)


def test_samples_that_share_no_bin_are_as_far_apart_as_smoothing_lets_them():
    assert symmetric_kl([1, 1, 1], [2, 2, 2]) == pytest.approx(math.log(1 / EMPTY_BIN), rel=1e-4)


def test_it_is_the_textbook_divergence_of_the_smoothed_histograms():
    rng = np.random.default_rng(3)
    first, second = rng.lognormal(3, 0.4, 150), rng.lognormal(3.3, 0.3, 90)
    edges = shared_bins(first, second)
    p, q = (np.histogram(samples, edges)[0] / len(samples) + EMPTY_BIN for samples in (first, second))
    assert symmetric_kl(first, second) == pytest.approx((entropy(p, q) + entropy(q, p)) / 2)


def test_runs_of_one_application_are_near_and_of_different_ones_far():
    """001 section II: 0.00 to 4.40 (0.02 to 2.44 on average) for one application, else 7.34 to 13.49."""
    rng = np.random.default_rng(7)
    one, again, other = rng.lognormal(3, 0.3, 200), rng.lognormal(3, 0.3, 256), rng.lognormal(5, 0.3, 200)
    assert symmetric_kl(one, again) < 0.4
    assert 7.34 < symmetric_kl(one, other) < 13.49


def test_a_long_straggler_does_not_hide_a_difference():
    one = np.linspace(9, 11, 100)
    assert symmetric_kl(np.append(one, 5000.0), np.append(one + 40, 5000.0)) > 7


def test_a_sample_without_values_is_not_comparable():
    assert math.isnan(symmetric_kl([], [1.0]))
    assert math.isnan(symmetric_kl([1.0], []))


@given(DURATIONS, DURATIONS)
def test_it_is_symmetric_finite_and_not_negative(first, second):
    there, back = symmetric_kl(first, second), symmetric_kl(second, first)
    assert there == back
    assert 0 <= there < 20


@given(DURATIONS, st.integers(1, 3))
def test_equal_distributions_are_no_distance_apart(samples, times):
    assert symmetric_kl(samples, samples[::-1] * times) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(("largest", "is_log"), [(99.5, False), (100.0, True), (100.5, True), (5000.0, True)])
def test_ranges_are_logarithmic_from_two_powers_of_ten_on(largest: float, is_log: bool) -> None:
    assert histogram(np.array([1.0, 40.5, largest])).is_log == is_log


@pytest.mark.parametrize("span", [MAX_BINS - 1, MAX_BINS])
def test_whole_numbers_have_a_range_each_while_there_are_few(span: int) -> None:
    found = histogram(np.array([3, 4, 3 + span]))
    assert found.is_exact == (span < MAX_BINS)
    assert len(found.counts) == (span + 1 if span < MAX_BINS else 5)


def test_more_values_have_more_ranges_by_their_square_root() -> None:
    def ranges(count: int) -> int:
        return len(histogram(np.linspace(10.5, 99.0, count)).counts)

    assert [ranges(count) for count in (2, 25, 26, 100, 800, 900, 5000)] == [5, 5, 6, 10, 29, 30, 30]


def test_shared_bins_are_the_finer_of_two_rules() -> None:
    """Even values: the square root of 64. A crowd with outliers: 1000 over widths of 2 IQR / n^(1/3)."""
    even = np.arange(64.0)
    assert len(shared_bins(even[:32], even[32:])) == 8 + 1
    crowd = np.concatenate([np.linspace(0, 32, 62), [500.0, 1000.0]])
    quarter, three_quarters = np.percentile(crowd, [25, 75])
    bins = math.ceil(1000 / (2 * (three_quarters - quarter) / 4))
    assert bins > 8
    edges = shared_bins(crowd[:30], crowd[30:])
    assert (len(edges), edges[0], edges[-1]) == (bins + 1, 0, 1000)


def test_equal_values_share_one_bin_with_a_width() -> None:
    edges = shared_bins(np.full(3, 4.0), np.full(2, 4.0))
    assert edges.tolist() == [4, 5]


def test_values_that_differ_by_a_billionth_are_one_value() -> None:
    """Of a million, 0.0005 more is the same value and 0.002 more another one; of 0.5, 1.4e-9 and 1.6e-9."""
    same, other = np.array([1e6 + 0.25, 1e6 + 0.2505]), np.array([1e6 + 0.25, 1e6 + 0.252])
    assert (histogram(same).is_exact, histogram(same).counts.tolist()) == (True, [2])
    assert (histogram(other).is_exact, len(histogram(other).counts)) == (False, 5)
    assert histogram(np.array([0.5, 0.5 + 1.4e-9])).is_exact
    assert not histogram(np.array([0.5, 0.5 + 1.6e-9])).is_exact


def test_the_range_of_one_value_reaches_a_hundredth_to_both_sides() -> None:
    assert histogram(np.full(3, 2.5)).edges.tolist() == pytest.approx([2.475, 2.525])
    tiny = histogram(np.full(3, 1e-8)).edges
    assert tiny.tolist() == pytest.approx([9e-9, 11e-9])


def test_less_than_a_billionth_is_zero() -> None:
    assert histogram(np.array([0.9e-9, 1.0])).edges.tolist() == [-0.5, 0.5, 1.5]
    assert histogram(np.array([1e-9, 1.0])).is_log


def test_histograms_are_kept_in_sets_by_what_they_are_not_by_their_numbers() -> None:
    one, other = histogram(np.array([1.0])), histogram(np.array([1.0]))
    assert len({one, other, one}) == 2


def test_up_to_thirty_whole_numbers_have_a_range_each() -> None:
    assert len(histogram(np.array([0, 29])).counts) == 30
    assert len(histogram(np.array([0, 30])).counts) == 5
    assert len(histogram(np.linspace(0.5, 1.5, 2000)).counts) == 30


def test_two_samples_share_a_thousand_bins_at_most() -> None:
    crowd = np.linspace(0, 0.001, 50)
    assert len(shared_bins(crowd, np.array([1e6]))) == 1000 + 1


def test_where_half_of_the_values_are_equal_the_square_root_decides() -> None:
    assert len(shared_bins(np.full(8, 2.0), np.array([9.0]))) == 3 + 1


def test_a_width_is_twice_the_middle_half_over_the_cube_root() -> None:
    """Squares up to 62 and 100 000: the middle half is 248.25 to 2232.75, so a width 2 * 1984.5 / 4."""
    values = np.append(np.arange(63.0) ** 2, 100_000.0)
    assert len(shared_bins(values[:10], values[10:])) == math.ceil(100_000 / 992.25) + 1 == 102


def test_a_bin_that_one_sample_leaves_empty_costs_as_a_millionth() -> None:
    assert symmetric_kl([1.0, 1.0], [2.0, 2.0]) == pytest.approx(math.log(1e6), rel=1e-4)
