"""The families of SimMR's authors have the published counts, durations, bins and scales."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest

from core.generate.families import generate
from core.generate.simmr import BINS, SYNTHETIC1_JOBS, SYNTHETIC2_JOBS, YAHOO_JOBS
from core.model.cluster import Cluster
from tests.builders import run

if TYPE_CHECKING:
    from core.model.workload import Workload


FAMILIES = {"synthetic1": SYNTHETIC1_JOBS, "synthetic2": SYNTHETIC2_JOBS, "yahoo": YAHOO_JOBS}


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


TABLE = {
    (1, 0): 38,
    (2, 0): 16,
    (10, 3): 14,
    (50, 0): 8,
    (100, 0): 6,
    (200, 50): 6,
    (400, 0): 4,
    (800, 180): 4,
    (2400, 360): 2,
    (4800, 0): 2,
}


def sizes(workload: Workload) -> Counter[tuple[int, int]]:
    """Count the jobs of each size."""
    return Counter((job.maps.count, job.reduces.count) for job in workload.jobs)


def test_a_hundred_jobs_are_those_of_the_table() -> None:
    workload = generate("facebook", seed=1)
    assert sizes(workload) == TABLE
    assert (workload.map_count, workload.reduce_count) == (21_610, 1_782)
    assert [job.name for job in workload.jobs[:2]] == ["J001", "J002"]


@pytest.mark.parametrize("jobs", [1, 3, 10, 50, 101, 1000])
def test_other_numbers_of_jobs_keep_the_proportions(jobs: int) -> None:
    counted = sizes(generate("facebook", seed=1, parameters={"jobs": jobs}))
    assert sum(counted.values()) == jobs
    for size, share in TABLE.items():
        assert abs(counted[size] - share * jobs / 100) < 1


def test_ten_jobs_by_largest_remainder() -> None:
    # 3.8 1.6 1.4 0.8 0.6 0.6 0.4 0.4 0.2 0.2: the five largest remainders .8 .8 .6 .6 .6 get one more
    counted = sizes(generate("facebook", seed=1, parameters={"jobs": 10}))
    assert [counted[maps, reduces] for maps, reduces, _ in BINS] == [4, 2, 1, 1, 1, 1, 0, 0, 0, 0]


def test_jobs_are_mixed_unless_told_otherwise() -> None:
    sorted_sizes = [size for size, jobs in TABLE.items() for _ in range(jobs)]
    ordered = generate("facebook", seed=1, parameters={"shuffled": False})
    assert [(job.maps.count, job.reduces.count) for job in ordered.jobs] == sorted_sizes
    mixed = generate("facebook", seed=1)
    assert [(job.maps.count, job.reduces.count) for job in mixed.jobs] != sorted_sizes


@pytest.mark.parametrize(("kind", "mean", "printed"), [(0, 9.9511, 1.6764), (1, 12.375, 1.6262)])
@pytest.mark.parametrize(("spread", "power"), [(None, 1), ("variance", 1), ("deviation", 2)])
def test_durations_are_log_normal(
    kind: int, mean: float, printed: float, spread: str | None, power: int
) -> None:
    """The text calls the printed number a variance, the density beside it has it as the deviation."""
    given = {} if spread is None else {"spread": spread}
    columns = generate("facebook", seed=4, parameters={"shuffle_share": 0, **given}).columns
    variance = printed**power
    logs = np.log(columns.duration[columns.kind == kind] * 1000)
    # Four standard errors of the mean and of the variance of a normal sample.
    assert abs(logs.mean() - mean) < 4 * math.sqrt(variance / len(logs))
    assert abs(logs.var() - variance) < 4 * variance * math.sqrt(2 / len(logs))


def test_alike_tasks_take_thirty_seconds_and_johnson_gains_the_published_two_percent() -> None:
    """000 Figure 13c: 2 % under the reverse order; the queries' durations are not published."""
    workload = generate("facebook", seed=1, parameters={"spread": "alike"})
    columns = workload.columns
    assert columns.duration + columns.typical_shuffle == pytest.approx(30)
    for nodes in (16, 256):
        johnson, reverse = (
            run(workload, Cluster(nodes, nodes), policy, engine="compiled").makespan
            for policy in ("johnson", "johnson-reverse")
        )
        assert 0.015 < 1 - johnson / reverse < 0.025
