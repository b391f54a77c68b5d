"""The Facebook family has the bins of the published table and the fitted durations."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np
import pytest

from core.generate.facebook import BINS
from core.generate.families import generate

if TYPE_CHECKING:
    from core.model.workload import Workload

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


@pytest.mark.parametrize(("kind", "mean", "variance"), [(0, 9.9511, 1.6764), (1, 12.375, 1.6262)])
def test_durations_are_log_normal(kind: int, mean: float, variance: float) -> None:
    columns = generate("facebook", seed=4, parameters={"shuffle_share": 0}).columns
    logs = np.log(columns.duration[columns.kind == kind] * 1000)
    # Four standard errors of the mean and of the variance of a normal sample.
    assert abs(logs.mean() - mean) < 4 * math.sqrt(variance / len(logs))
    assert abs(logs.var() - variance) < 4 * variance * math.sqrt(2 / len(logs))
