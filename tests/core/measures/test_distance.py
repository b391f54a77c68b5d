"""Distribution functions and the symmetric divergence: by hand, by theory, for any samples."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import entropy

from core.measures.distance import EMPTY_BIN, cdf, shared_bins, symmetric_kl

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
