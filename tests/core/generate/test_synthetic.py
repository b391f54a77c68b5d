"""The synthetic families have the published counts, durations and scales."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.generate.families import generate
from core.generate.synthetic1 import JOBS as SYNTHETIC1
from core.generate.synthetic2 import JOBS as SYNTHETIC2
from core.generate.yahoo import JOBS as YAHOO

FAMILIES = {"synthetic1": SYNTHETIC1, "synthetic2": SYNTHETIC2, "yahoo": YAHOO}


def mean_above_zero(mean: float, deviation: float) -> float:
    """Return the mean of a normal distribution of which only positive values are taken."""
    low = -mean / deviation
    density = math.exp(-low * low / 2) / math.sqrt(2 * math.pi)
    return mean + deviation * density / (0.5 * math.erfc(low / math.sqrt(2)))


@pytest.mark.parametrize(
    ("family_id", "maps", "reduces"),
    [("synthetic1", (100.0, 1000.0), (200.0, 2000.0)), ("synthetic2", (20.0, 100.0), (50.0, 200.0))],
)
def test_counts_and_durations(
    family_id: str, maps: tuple[float, float], reduces: tuple[float, float]
) -> None:
    workload = generate(family_id, seed=2, parameters={"jobs": 1000, "bimodal": False})
    columns = workload.columns
    count = columns.count
    assert (count.min(axis=0) == 1).all()
    assert count.max(axis=0).tolist() == [100, 50]
    # A uniform count on 1..n deviates by n / sqrt(12); the mean of 1000 of them by a 32nd of that.
    assert np.abs(count.mean(axis=0) - [50.5, 25.5]).max() < 4
    for kind, distribution in enumerate((maps, reduces)):
        # The mean scale of U[1, 10] is 5.5.
        expected = 5.5 * mean_above_zero(*distribution)
        assert columns.duration[columns.kind == kind].mean() == pytest.approx(expected, rel=0.06)
    assert not columns.typical_shuffle.any()


def test_counts_and_durations_of_yahoo() -> None:
    columns = generate("yahoo", seed=2, parameters={"jobs": 1000}).columns
    assert (columns.count.min(axis=0) >= 1).all()
    expected = [mean_above_zero(154, 558), mean_above_zero(19, 145)]
    assert columns.count.mean(axis=0) == pytest.approx(expected, rel=0.08)
    for kind, distribution in enumerate(((50.0, 200.0), (100.0, 300.0))):
        durations = columns.duration[columns.kind == kind]
        assert durations.mean() == pytest.approx(5.5 * mean_above_zero(*distribution), rel=0.08)


@pytest.mark.parametrize(
    ("family_id", "short", "long", "long_jobs"),
    [
        ("yahoo", (1, 2), (8, 10), 20),
        ("synthetic1", (1, 2), (8, 10), 20),
        ("synthetic2", (1, 3), (8, 10), 10),
    ],
)
def test_two_kinds_of_jobs_in_exact_proportion(
    family_id: str, short: tuple[int, int], long: tuple[int, int], long_jobs: int
) -> None:
    random = np.random.Generator(np.random.PCG64(1))
    scales = FAMILIES[family_id]._scales(random, 100, bimodal=True)
    is_long = scales >= long[0]
    assert is_long.sum() == long_jobs
    assert scales[is_long].max() <= long[1]
    assert short[0] <= scales[~is_long].min()
    assert scales[~is_long].max() <= short[1]
    assert is_long[: 100 - long_jobs].any(), "long jobs stand anywhere, not at the end"


@pytest.mark.parametrize("family_id", FAMILIES)
def test_one_kind_of_jobs(family_id: str) -> None:
    scales = FAMILIES[family_id]._scales(np.random.Generator(np.random.PCG64(1)), 5000, bimodal=False)
    assert 1 <= scales.min() < 1.05
    assert 9.95 < scales.max() <= 10
    assert scales.mean() == pytest.approx(5.5, abs=0.15)


def test_synthetic1_has_one_kind_and_synthetic2_two_by_default() -> None:
    for family_id, bimodal in (("synthetic1", False), ("synthetic2", True)):
        assert generate(family_id, seed=1) == generate(family_id, seed=1, parameters={"bimodal": bimodal})
        assert generate(family_id, seed=1) != generate(family_id, seed=1, parameters={"bimodal": not bimodal})
