"""What a schedule tells about its tasks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.cluster import Cluster
from core.model.job import Dataset, Job, scan_stage
from core.model.scan_sharing import first_services
from core.model.schedule import PolicyChoice, Schedule
from core.model.task_types import MAP, REDUCE
from core.model.workload import Workload
from core.shared_scans.shared_schedule import sharing_jobs
from core.simulation.simulate import Simulation, simulate
from tests.builders import make_job, make_workload, run
from tests.random_tests import examples

WORKLOAD = make_workload(
    make_job("J1", (5, [3.0, 1.0]), (3, 2.0, 1.0, 4.0)),
    make_job("J2", (2, 2.0), arrival=1.0),
)


@pytest.fixture
def schedule() -> Schedule:
    """Maps of J1 at 0, 0, 1, 3, 4 and of J2 at 5, 6 on two slots; reduces at 1, 9 and 11 on one."""
    return run(WORKLOAD, Cluster(2, 1, slowstart=0.05))


def test_the_example(schedule: Schedule) -> None:
    assert schedule.start.tolist() == [0, 0, 1, 3, 4, 1, 10, 16, 4, 6]
    assert schedule.slot.tolist() == [0, 1, 1, 0, 0, 2, 2, 2, 1, 1]
    assert schedule.end.tolist() == [3, 1, 4, 4, 7, 10, 16, 22, 6, 8]


def test_views(schedule: Schedule) -> None:
    assert schedule.tasks == 10
    assert schedule.makespan == 22
    assert schedule.job_start.tolist() == [0, 4]
    assert schedule.is_filler.tolist() == [False] * 5 + [True] + [False] * 4
    assert schedule.events == 2 * 10 + 3 * 2


def test_tasks_by_slot(schedule: Schedule) -> None:
    tasks, offsets = schedule.by_slot.tasks.tolist(), schedule.by_slot.offsets.tolist()
    rows = [tasks[offsets[slot] : offsets[slot + 1]] for slot in range(3)]
    assert rows == [[0, 3, 4], [1, 2, 8, 9], [5, 6, 7]]


def test_waves_count_a_jobs_own_tasks_on_a_slot(schedule: Schedule) -> None:
    assert schedule.job_wave(0, MAP).tolist() == [1, 1, 2, 2, 3]
    assert schedule.job_wave(0, REDUCE).tolist() == [1, 2, 3]
    assert schedule.job_wave(1, MAP).tolist() == [1, 2]
    assert schedule.job_wave(1, REDUCE).tolist() == []


def test_nobody_can_change_it(schedule: Schedule) -> None:
    for name in ("slot", "sequence", "start", "shuffled", "end", "stage_end", "finish", "rank"):
        assert not getattr(schedule, name).flags.writeable, name
    assert not schedule.by_slot.tasks.flags.writeable


def test_many_slots_sort_as_few() -> None:
    """Above 65535 slots the sort takes wider keys."""
    workload = make_workload(make_job("J1", (70_001, 1.0)))
    schedule = run(workload, Cluster(70_000, 0))
    tasks, offsets = schedule.by_slot.tasks, schedule.by_slot.offsets
    assert tasks[:3].tolist() == [0, 70_000, 1]
    assert offsets[[0, 1, 2, -1]].tolist() == [0, 2, 3, 70_001]


def test_a_schedule_that_is_not_complete_tells_what_has_started() -> None:
    simulation = Simulation(WORKLOAD, Cluster(2, 1), PolicyChoice("fifo"), engine="interpreted")
    simulation.advance(until=2.0)
    schedule = simulation.schedule()
    assert schedule.by_slot.tasks.tolist() == [0, 1, 2, 5]
    assert schedule.job_start[0] == 0
    assert np.isnan(schedule.job_start[1])


def test_equal_choices_have_equal_hashes() -> None:
    one, other = PolicyChoice("order", {"order": "J1"}), PolicyChoice("order", {"order": "J1"})
    assert one == other
    assert hash(one) == hash(other)
    assert one != PolicyChoice("order", {"order": "J2"})


LOGS = Dataset("logs", 20, 1.0)


def scan(name: str, arrival: float, *blocks: tuple[int, int]) -> Job:
    return Job(name, scan_stage(LOGS, blocks), arrival=arrival, dataset="logs", blocks=blocks)


def shared_run(workload: Workload, policy: str) -> Schedule:
    choice = PolicyChoice(policy, {"metric": "max-stretch"})
    return simulate(workload, Cluster(3, 0), choice, engine="interpreted")


@examples(20)
@given(st.integers(0, 2**32), st.booleans(), st.sampled_from(["flex", "circumflex", "batch", "ako"]))
def test_a_job_is_first_served_by_the_first_map_that_serves_it(seed: int, whole: bool, policy: str) -> None:
    random = np.random.default_rng(seed)
    jobs = []
    for i in range(4):
        begin = int(random.integers(0, 15))
        blocks = () if whole else ((begin, begin + int(random.integers(1, 6))),)
        jobs.append(scan(f"J{i}", float(random.integers(0, 9)), *blocks))
    schedule = shared_run(Workload("w", tuple(jobs), datasets=(LOGS,)), policy)
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
    schedule = shared_run(Workload("w", (scan("J1", 0), scan("J2", 2)), datasets=(LOGS,)), "circumflex")
    assert [job.maps.count for job in schedule.workload.jobs] == [20, 6]
    assert [schedule.own_task(task) for task in (0, 19, 20, 25, 26, 39)] == [0, 19, 20, 25, -1, -1]


@pytest.mark.parametrize("policy", ["fifo", "flex"])
def test_without_sharing_the_numbers_are_the_same(policy: str) -> None:
    workload = Workload("w", (scan("J1", 0), scan("J2", 2)), datasets=(LOGS,))
    choice = PolicyChoice(policy)
    schedule = simulate(workload, Cluster(3, 0), choice, engine="interpreted")
    assert [schedule.own_task(task) for task in (0, 25, 39, 40)] == [0, 25, 39, -1]
