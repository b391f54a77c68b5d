"""The testbed workload of the dynamic slot paper: its table of tasks, and what one job gains."""

from __future__ import annotations

import numpy as np
import pytest

from core.generate.dhfs import TABLE_1
from core.generate.families import generate
from tests.builders import run

WORKLOAD = generate("dhfs", seed=1)


def test_the_jobs_are_those_of_the_table() -> None:
    """002 Table I; every block of the input is a map."""
    assert [(job.maps.count, job.reduces.count) for job in WORKLOAD.jobs] == [row[3:] for row in TABLE_1]
    assert WORKLOAD.map_count == 4920
    assert WORKLOAD.reduce_count == 1535
    for _, gigabytes, block, maps, _ in TABLE_1:
        assert maps * block == gigabytes * 1024
    assert [job.pool for job in WORKLOAD.jobs[:4]] == ["wordcount", "sort", "grep", "wordcount"]
    assert (WORKLOAD.cluster.map_slots, WORKLOAD.cluster.reduce_slots) == (90, 18)
    assert [job.maps for job in generate("dhfs", parameters={"jobs": 21, "spread": 0}).jobs[::20]] == [
        generate("dhfs", parameters={"jobs": 1, "spread": 0}).jobs[0].maps
    ] * 2


def test_durations_follow_the_data() -> None:
    exact = generate("dhfs", parameters={"spread": 0})
    for job, (benchmark, gigabytes, block, _, reduces) in zip(exact.jobs, TABLE_1, strict=True):
        assert job.maps.durations == pytest.approx(benchmark.map_rate * block, abs=0.001)
        share = gigabytes * 1024 / reduces
        assert job.reduces.durations == pytest.approx(benchmark.reduce_rate * share, abs=0.001)


def test_durations_spread_as_asked() -> None:
    durations = generate("dhfs", seed=5, parameters={"spread": 0.5}).jobs[3].maps.durations
    assert np.mean(durations) == pytest.approx(0.3 * 64, rel=0.1)
    assert np.std(durations) / np.mean(durations) == pytest.approx(0.5, rel=0.2)


@pytest.mark.parametrize(
    ("jobs", "least", "most"),
    [(slice(j, j + 1), 0.32, 0.55) for j in range(3)] + [(slice(n), 0.44, 0.68) for n in (5, 10, 20)],
)
@pytest.mark.parametrize("policy", ["dhfs-pi", "dhfs-pd"])
def test_dynamic_slots_gain_what_was_published(policy: str, jobs: slice, least: float, most: float) -> None:
    """002 Figure 4: 32 to 55 % for one job, 44 to 68 % for several."""
    workload = WORKLOAD.with_jobs(WORKLOAD.jobs[jobs])
    makespan, typed = (
        run(workload, workload.cluster, each, engine="compiled").makespan for each in (policy, "fair")
    )
    assert least <= 1 - makespan / typed <= most


def test_lending_map_slots_gains_what_figure_6_shows() -> None:
    workload = WORKLOAD.with_jobs(WORKLOAD.jobs[1:2])
    gains = [
        1
        - run(workload, workload.cluster, "dhfs-pi", pct_borrowed_map=lent, pct_borrowed_reduce=0).makespan
        / run(workload, workload.cluster, "fair").makespan
        for lent in (0, 50, 100)
    ]
    assert gains[0] == 0
    assert gains[0] < gains[1] < gains[2]
    assert gains[2] == pytest.approx(0.29, abs=0.03)
