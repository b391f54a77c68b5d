"""What a schedule tells about its tasks."""

from __future__ import annotations

import numpy as np
import pytest

from core.model.cluster import Cluster
from core.model.schedule import PolicyChoice, Schedule
from core.model.workload import MAP, REDUCE
from core.simulation.simulate import Simulation
from tests.builders import make_job, make_workload, run

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
