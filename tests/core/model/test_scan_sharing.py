"""Who rides with whom, read off a schedule: first services, and tasks by the workload's own numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.model.cluster import Cluster
from core.model.job import Dataset, scan_stage
from core.model.schedule import PolicyChoice, Schedule, first_services
from core.model.workload import Job, Workload
from core.shared_scans.shared_schedule import sharing_jobs
from core.simulation.simulate import simulate

LOGS = Dataset("logs", 20, 1.0)


def scan(name: str, arrival: float, *blocks: tuple[int, int]) -> Job:
    return Job(name, scan_stage(LOGS, blocks), arrival=arrival, dataset="logs", blocks=blocks)


def run(workload: Workload, policy: str) -> Schedule:
    choice = PolicyChoice(policy, {"metric": "max-stretch"})
    return simulate(workload, Cluster(3, 0), choice, engine="interpreted")


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32), st.booleans(), st.sampled_from(["flex", "circumflex", "batch", "ako"]))
def test_a_job_is_first_served_by_the_first_map_that_serves_it(seed: int, whole: bool, policy: str) -> None:
    random = np.random.default_rng(seed)
    jobs = []
    for i in range(4):
        begin = int(random.integers(0, 15))
        blocks = () if whole else ((begin, begin + int(random.integers(1, 6))),)
        jobs.append(scan(f"J{i}", float(random.integers(0, 9)), *blocks))
    schedule = run(Workload("w", tuple(jobs), datasets=(LOGS,)), policy)
    served = [sharing_jobs(schedule, task) for task in range(schedule.tasks)]
    real = schedule.workload.columns.duration > 0
    for job in range(4):
        mine = [schedule.start[t] for t in range(schedule.tasks) if real[t] and job in served[t]]
        assert (
            first_services(schedule.workload.columns, schedule.start, schedule.sharing)[job]
            == schedule.job_start[job]
            == min(mine)
        )


def test_tasks_are_found_by_the_numbers_of_the_workload_that_was_given() -> None:
    """J2 rides 14 of its 20 blocks: six maps of its own ran, the first of its twenty."""
    schedule = run(Workload("w", (scan("J1", 0), scan("J2", 2)), datasets=(LOGS,)), "circumflex")
    assert [job.maps.count for job in schedule.workload.jobs] == [20, 6]
    assert [schedule.own_task(task) for task in (0, 19, 20, 25, 26, 39)] == [0, 19, 20, 25, -1, -1]


@pytest.mark.parametrize("policy", ["fifo", "flex"])
def test_without_sharing_the_numbers_are_the_same(policy: str) -> None:
    workload = Workload("w", (scan("J1", 0), scan("J2", 2)), datasets=(LOGS,))
    choice = PolicyChoice(policy)
    schedule = simulate(workload, Cluster(3, 0), choice, engine="interpreted")
    assert [schedule.own_task(task) for task in (0, 25, 39, 40)] == [0, 25, 39, -1]
