"""Bands of draws: by hand, and how often one more draw lies in them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.model.draw_bands import band_of, draws_for


@pytest.mark.parametrize(
    ("draws", "part", "place"),
    [
        (200, 0.9, 10),  # 0.05 of 201 places is 10.05
        (199, 0.9, 10),  # 0.05 of 200 is a whole one
        (50, 0.9, 2),  # 2.55
        (19, 0.9, 1),
        (18, 0.9, 1),  # which holds 17 of 19
        (200, 0.5, 50),
        (3, 0.5, 1),
    ],
)
def test_the_ends_are_draws_in_their_order(draws: int, part: float, place: int) -> None:
    values = np.random.default_rng(1).permutation(np.arange(1.0, draws + 1))
    low, high = band_of(values, part)
    assert (float(low), float(high)) == (place, draws + 1 - place)


@pytest.mark.parametrize("draws", [19, 50, 200])
@pytest.mark.parametrize("part", [0.5, 0.9])
def test_one_more_draw_lies_in_it_as_often_as_is_said(draws: int, part: float) -> None:
    values = np.random.default_rng(draws).standard_exponential((draws + 1, 20_000))
    low, high = band_of(values[:draws], part)
    inside = ((low <= values[draws]) & (values[draws] <= high)).mean()
    sure = 3 * math.sqrt(part * (1 - part) / 20_000)
    assert part - sure < inside < part + 2 / (draws + 1) + sure


def test_how_many_draws_a_band_needs() -> None:
    assert [draws_for(part) for part in (0.5, 0.9, 0.95)] == [3, 19, 39]


def test_one_draw_is_a_band_of_its_own() -> None:
    low, high = band_of(np.array([[3.0, 4.0]]), 0.9)
    assert low.tolist() == high.tolist() == [3.0, 4.0]
