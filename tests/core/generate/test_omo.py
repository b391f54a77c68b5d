"""The sets of OMO's evaluation have the jobs of 004 Tables 4 and 5."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from core.generate.families import generate
from core.generate.omo import BENCHMARKS, SETS
from core.model.cluster import Cluster

HEAVY = ("TeraSort", "SequenceCount")
ALL = tuple(benchmark.name for benchmark in BENCHMARKS)


@pytest.mark.parametrize(
    ("job_set", "names", "of_each"),
    [
        ("A", ALL, {20: 1, 10: 1}),
        ("B", HEAVY, {20: 4, 10: 4}),
        ("C", ALL, {20: 2}),
        ("D", ALL, {30: 2}),
        ("E", ALL, {40: 2}),
        ("F", ALL, {20: 3}),
        ("G", ALL, {20: 4}),
        ("H", ALL, {20: 2, 10: 2}),
        ("TeraSort", ("TeraSort",), {20: 8}),
    ],
)
def test_a_set_has_the_published_jobs(job_set: str, names: tuple[str, ...], of_each: dict[int, int]) -> None:
    workload = generate("omo", seed=3, parameters={"job_set": job_set})
    found = Counter((job.name.split()[1], job.maps.count, job.reduces.count) for job in workload.jobs)
    assert found == {(name, 4 * gb, gb // 10): n for name in names for gb, n in of_each.items()}
    slots = 80 if job_set == "H" else 40
    assert workload.cluster == Cluster(slots, slots, shuffle_model="overlap")
    assert workload.columns.arrival.tolist() == [2 * i for i in range(len(workload.jobs))]


def test_every_set_of_the_paper_is_there() -> None:
    assert set(SETS) == {*"ABCDEFGH", *ALL}


def test_shuffles_are_those_of_table_4() -> None:
    workload = generate("omo", parameters={"job_set": "A", "bandwidth": 10})
    shuffled = {tuple(job.name.split()[1:3]): job.shuffle_bytes for job in workload.jobs}
    assert shuffled["SequenceCount", "10"] == 8.8e9
    assert shuffled["WordCount", "20"] == 3.9e9
    assert shuffled["HistogramMovies", "20"] == 22e3
    for job in workload.jobs:
        assert job.shuffle_bytes is not None
        seconds = job.shuffle_bytes / job.reduces.count / 10e6
        assert job.reduces.typical_shuffle.tolist() == [pytest.approx(seconds, abs=0.001)]
        assert job.reduces.durations[0] >= 5


def test_larger_inputs_shuffle_in_proportion() -> None:
    by_set = {
        name: generate("omo", parameters={"job_set": name, "jobs": 12}).jobs for name in ("C", "D", "E")
    }
    totals = {name: sum(job.shuffle_bytes or 0 for job in jobs) for name, jobs in by_set.items()}
    assert totals["D"] == pytest.approx(1.5 * totals["C"])
    assert totals["E"] == pytest.approx(2 * totals["C"])


def test_map_times_deviate_as_asked() -> None:
    workload = generate("omo", parameters={"job_set": "G", "map_seconds": 100, "deviation": 0.2})
    maps = np.concatenate([job.maps.durations for job in workload.jobs])
    # 1920 maps: the mean deviates by 20 / sqrt(1920) = 0.46; four of these are allowed
    assert abs(maps.mean() - 100) < 1.9
    assert abs(maps.std() - 20) < 2
