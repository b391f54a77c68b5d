"""TPC-H queries are those that were recorded: shapes, numbers of tasks and times."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from core.generate.families import generate
from core.generate.tpch import mean_ms, task_count
from core.generate.tpch_queries import QUERIES
from core.model.schedule import PolicyChoice
from core.simulation.simulate import simulate

RECORDED = {2: (20065, 2379), 20: (22683, 9103), 50: (27157, 19904), 80: (31656, 31267), 100: (34659, 38957)}
"""Tasks, and seconds of all of them, of the 22 queries on 20 executors by GB of data, as recorded.

Those with 50 and 80 GB were not used to make the table.
"""


def test_the_queries_have_as_many_stages_as_were_recorded() -> None:
    stages = [4, 18, 6, 6, 14, 2, 13, 18, 14, 9, 11, 6, 7, 4, 7, 9, 6, 8, 4, 12, 16, 8]
    assert list(map(len, QUERIES)) == stages
    for query in QUERIES:
        assert all(parent < child for child, stage in enumerate(query) for parent in stage.parents)


def test_query_5_is_a_chain_of_joins() -> None:
    """As recorded: two small scans meet, and every other stage joins one more scan to it."""
    parents = [stage.parents for stage in QUERIES[4]]
    assert parents[:5] == [(), (), (0, 1), (), (2, 3)]
    assert parents[-4:] == [(8, 9), (10,), (11,), (12,)]


@pytest.mark.parametrize("size", RECORDED)
def test_tasks_and_work_are_as_recorded(size: int) -> None:
    every = [stage for query in QUERIES for stage in query]
    tasks, seconds = RECORDED[size]
    assert sum(task_count(stage, size) for stage in every) == pytest.approx(tasks, rel=0.005)
    work = sum(task_count(stage, size) * mean_ms(stage, size) for stage in every) / 1000
    assert work == pytest.approx(seconds, rel=0.06)


def test_drawn_times_have_the_mean_and_the_spread_of_their_stage() -> None:
    workload = generate("tpch", seed=3, parameters={"jobs": 40, "query": 9, "size": 100})
    for number, measured in enumerate(QUERIES[8]):
        times = np.concatenate([job.stages[number].durations for job in workload.jobs])
        error = np.expm1(measured.spread**2) ** 0.5 / len(times) ** 0.5
        assert times.mean() * 1000 == pytest.approx(mean_ms(measured, 100), rel=4 * error + 0.02)
        if measured.spread and len(times) > 1000:
            assert np.log(times).std() == pytest.approx(measured.spread, rel=0.05)


def test_each_query_is_as_likely_as_another() -> None:
    workload = generate("tpch", seed=5, parameters={"jobs": 2200, "size": 2})
    drawn = Counter(job.name.split()[0] for job in workload.jobs)
    assert len(drawn) == 22
    # of 2200 draws with chance 1/22 each number lies within four times sqrt(100 * 21 / 22) of 100
    assert all(abs(count - 100) < 40 for count in drawn.values())


def test_threads_think_between_their_queries() -> None:
    workload = generate("tpch", seed=2, parameters={"jobs": 600, "drivers": 3, "think": 4, "size": 2})
    jobs = workload.jobs
    assert [job.after for job in jobs[:3]] == [(), (), ()]
    names = [job.name for job in jobs]
    assert [link.job for job in jobs[3:] for link in job.after] == names[:-3]
    thinks = np.array([link.think for job in jobs[3:] for link in job.after])
    assert abs(thinks.mean() - 4) < 4 * 4 / len(thinks) ** 0.5
    assert not any(link.inferred for job in jobs for link in job.after)
    assert {job.user for job in jobs} == {"driver 1", "driver 2", "driver 3"}


def test_a_chain_of_queries_ends_no_earlier_than_its_longest_path() -> None:
    workload = generate("tpch", seed=1, parameters={"jobs": 3, "containers": 5000})
    finish = simulate(workload, workload.cluster, PolicyChoice("fifo")).finish
    before = 0.0
    for job, end in zip(workload.jobs, finish.tolist(), strict=True):
        ends: list[float] = []
        for number, stage in enumerate(job.stages):
            begin = max((ends[parent] for parent in job.graph.parents(number)), default=0.0)
            ends.append(begin + float(stage.durations.max()))
        before += sum(link.think for link in job.after) + max(ends)
        assert end == pytest.approx(before)  # there is a container for every task
