"""Arrivals of scans: skew, correlation and load as the paper describes them."""

from __future__ import annotations

import numpy as np
import pytest

from core.generate.families import generate
from core.generate.scans import draw_scans, size_ranks, zipf_like
from core.model.errors import InputError


def random(seed: int = 1) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(seed))


def test_zipf_like_is_uniform_at_0_and_zipf_at_1() -> None:
    assert zipf_like(4, 0).tolist() == [0.25] * 4
    assert zipf_like(3, 1) == pytest.approx(np.array([6, 3, 2]) / 11)


def test_kappa_1_correlates_perfectly_either_way() -> None:
    assert size_ranks(random(), 5, 1, positive=True).tolist() == [0, 1, 2, 3, 4]
    assert size_ranks(random(), 5, 1, positive=False).tolist() == [4, 3, 2, 1, 0]


def test_a_small_kappa_keeps_ranks_near() -> None:
    for seed in range(50):
        ranks = size_ranks(random(seed), 20, 5, positive=True)
        assert sorted(ranks) == list(range(20))
        assert np.all(ranks <= np.arange(20) + 4), "the i-th chooses among the first i + kappa ranks"


def test_the_largest_kappa_is_random() -> None:
    first = [size_ranks(random(seed), 4, 4, positive=True)[0] for seed in range(400)]
    counts = np.bincount(first, minlength=4)
    assert counts.min() > 60, "each rank about 100 times"


@pytest.mark.parametrize("kappa", [0, 6])
def test_kappa_has_a_range(kappa: int) -> None:
    with pytest.raises(InputError, match=f"kappa is {kappa}; give a whole number from 1"):
        size_ranks(random(), 5, kappa, positive=True)


def test_work_is_scaled_to_the_load() -> None:
    scans = draw_scans(
        random(),
        jobs=500,
        datasets=20,
        popularity_skew=0.5,
        size_skew=1,
        kappa=20,
        positive=True,
        load=0.7,
        slots=100,
        seconds=6000,
    )
    assert scans.work[scans.dataset].sum() == pytest.approx(0.7 * 100 * 6000)
    assert np.diff(scans.arrival).mean() == pytest.approx(12, rel=0.2)
    assert np.bincount(scans.dataset, minlength=20)[0] == pytest.approx(500 * zipf_like(20, 0.5)[0], rel=0.3)


def test_the_family_has_datasets_and_jobs_that_scan_them() -> None:
    workload = generate(
        "circumflex", seed=2, parameters={"jobs": 200, "datasets": 5, "max_slots": 20, "min_slots": 2}
    )
    assert [d.name for d in workload.datasets] == ["D1", "D2", "D3", "D4", "D5"]
    assert {job.dataset for job in workload.jobs} == {d.name for d in workload.datasets}
    assert all((job.min_slots, job.max_slots) == (2, 20) for job in workload.jobs)
    work = sum(job.maps.count * 10 for job in workload.jobs)
    assert work == pytest.approx(0.9 * 100 * 200 * 6, rel=0.01)
