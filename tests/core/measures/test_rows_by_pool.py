"""Rows that belong to pools: no two tasks at once in one, and as many in use as the pool holds slots."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest
from hypothesis import given

from core.measures.rows_by_pool import EITHER, rows_by_pool, shares_slots
from core.model.cluster import Cluster
from core.model.partition import Partition, SlotPool
from core.model.schedule import PolicyChoice
from core.model.task_types import MAP, REDUCE, TASK_TYPES
from core.simulation.simulate import Simulation
from tests.builders import make_job, make_workload, run
from tests.core.engine.strategies import cases
from tests.core.explain.runs import finished

if TYPE_CHECKING:
    from core.model.execution_history import ExecutionHistory
    from core.model.schedule import Schedule
    from tests.core.engine.strategies import Case

POLICIES = ("fair", "capacity", "dynamic-priority", "dhfs-pi", "dhfs-pd", "fifo", "omo")


def lowest_rows(schedule: Schedule, tasks: list[int]) -> dict[int, int]:
    """Give tasks the lowest free row each, by looking at all rows every time."""
    rows: dict[int, int] = {}
    for task in tasks:
        busy = {row for other, row in rows.items() if schedule.end[other] > schedule.start[task]}
        rows[task] = next(row for row in range(len(tasks)) if row not in busy)
    return rows


def is_reduce_slot(schedule: Schedule, task: int) -> bool:
    return int(schedule.slot[task]) >= schedule.cluster.map_slots


@given(cases(POLICIES))
def test_every_task_has_the_lowest_free_row_of_its_pool(case: Case) -> None:
    schedule = finished(case)
    arranged = rows_by_pool(schedule)
    columns, typed = schedule.workload.columns, not schedule.cluster.has_containers
    first = 0
    for band in arranged.bands:
        assert band.first == first
        tasks = [
            task
            for task in schedule.sequence.tolist()
            if columns.pool[columns.job[task]] == band.pool
            and (not typed or is_reduce_slot(schedule, task) == (band.slot_kind == REDUCE))
        ]
        expected = lowest_rows(schedule, tasks)
        assert {task: int(arranged.row[task]) - first for task in tasks} == expected
        assert band.rows == max(expected.values()) + 1
        first += band.rows
    assert sum(len(arranged.order.tasks[a:b]) for a, b in spans(arranged.order.offsets)) == schedule.tasks


def spans(offsets: np.ndarray) -> list[tuple[int, int]]:
    return list(zip(offsets[:-1].tolist(), offsets[1:].tolist(), strict=True))


@given(cases(POLICIES))
def test_rows_list_their_tasks_by_start(case: Case) -> None:
    schedule = finished(case)
    arranged = rows_by_pool(schedule)
    for row, (low, high) in enumerate(spans(arranged.order.offsets)):
        tasks = arranged.order.tasks[low:high]
        assert (arranged.row[tasks] == row).all()
        assert (np.diff(schedule.start[tasks]) >= 0).all()
        assert (schedule.end[tasks][:-1] <= schedule.start[tasks][1:]).all()


@pytest.fixture
def shared() -> Schedule:
    """Fair: A has all four map slots until 4 s, then each pool two; from 12 s on each has one reduce slot."""
    workload = make_workload(
        make_job("J1", (8, 4.0), (2, 3.0), pool="A"),
        make_job("J2", (4, 4.0), (1, 3.0), pool="B", arrival=1.0),
    )
    return run(workload, Cluster(4, 2, 1.0), "fair")


def test_bands_say_the_most_slots_that_a_pool_held_at_once(shared: Schedule) -> None:
    arranged = rows_by_pool(shared)
    assert arranged.names == ("A", "B")
    bands = [(band.pool, band.slot_kind, band.first, band.rows) for band in arranged.bands]
    assert bands == [(0, MAP, 0, 4), (0, REDUCE, 4, 1), (1, MAP, 5, 2), (1, REDUCE, 7, 1)]
    assert arranged.jobs.tolist() == [1, 1]
    assert arranged.finish.tolist() == shared.finish.tolist()


def test_containers_have_one_band_for_each_pool() -> None:
    workload = make_workload(make_job("J1", (4, 4.0), (2, 3.0), pool="A"), make_job("J2", (4, 4.0), pool="B"))
    arranged = rows_by_pool(run(workload, Cluster(0, 0, 1.0, containers=4), "fair"))
    assert [(band.pool, band.slot_kind) for band in arranged.bands] == [(0, EITHER), (1, EITHER)]


def test_pools_with_slots_of_their_own_keep_their_names() -> None:
    workload = make_workload(make_job("J1", (4, 4.0)), make_job("J2", (4, 4.0)))
    pools = Partition((SlotPool("left", 2, 1, ("J2",)), SlotPool("right", 2, 1, ("J1",))))
    arranged = rows_by_pool(run(workload, Cluster(4, 2, 1.0), "fifo", partition=pools))
    assert arranged.names == ("left", "right")
    assert [(band.pool, band.rows) for band in arranged.bands] == [(0, 2), (1, 2)]


def test_they_are_found_once(shared: Schedule) -> None:
    assert rows_by_pool(shared) is rows_by_pool(shared)


def test_containers_have_bands_of_no_kind_of_task_and_nothing_can_be_written() -> None:
    """A chart keeps the rows with the schedule: who reads them must not change them."""
    workload = make_workload(make_job("J1", (2, 1.0), (1, 1.0)))
    arranged = rows_by_pool(run(workload, Cluster(0, 0, containers=2)))
    assert {band.slot_kind for band in arranged.bands}.isdisjoint({MAP, REDUCE})
    for column in (arranged.row, arranged.finish, arranged.order.tasks, arranged.order.offsets):
        assert not column.flags.writeable


def test_rows_by_pool_tell_nothing_where_pools_have_slots_of_their_own() -> None:
    workload = make_workload(make_job("J1", (2, 1.0)), make_job("J2", (1, 1.0)))
    pools = Partition((SlotPool("A", 1, 0, ("J1",)), SlotPool("B", 1, 0, ("J2",))))
    assert shares_slots(run(workload, Cluster(2, 0)))
    assert not shares_slots(run(workload, Cluster(2, 0), partition=pools))


@pytest.mark.parametrize("cluster", [Cluster(2, 1, 1.0), Cluster(0, 0, 1.0, containers=3)])
def test_a_task_that_has_not_started_has_no_row(cluster: Cluster) -> None:
    """At 1 s two or three of the five maps of A run, and nothing of B: all others have -1."""
    workload = make_workload(make_job("J1", (5, 4.0), pool="A"), make_job("J2", (2, 4.0), pool="B"))
    simulation = Simulation(workload, cluster, PolicyChoice("fifo"))
    simulation.advance(until=1.0)
    arranged = rows_by_pool(simulation.schedule())
    running = cluster.containers or cluster.map_slots
    assert arranged.row.tolist() == [*range(running), *[-1] * (7 - running)]
    assert [(band.pool, band.first, band.rows) for band in arranged.bands] == [(0, 0, running)]
    assert arranged.order.tasks.tolist() == list(range(running))
    assert arranged.order.offsets.tolist() == list(range(running + 1))


def test_slots_of_either_type_are_a_type_of_their_own() -> None:
    assert len(TASK_TYPES) == EITHER


def test_a_task_without_length_leaves_its_row_to_the_next() -> None:
    """Three maps of 0 s on three slots need one row; the reduce after them has its own."""
    workload = make_workload(make_job("J1", (3, 0.0), (1, 2.0)))
    arranged = rows_by_pool(run(workload, Cluster(3, 1, 1.0)))
    assert arranged.row.tolist() == [0, 0, 0, 1]


def test_rows_show_nothing_where_a_log_names_the_hosts() -> None:
    schedule = run(make_workload(make_job("J1", (2, 1.0))), Cluster(2, 0))
    record = cast("ExecutionHistory", SimpleNamespace(hosts=("one", "two")))
    assert shares_slots(schedule)
    assert not shares_slots(replace(schedule, record=record))
