"""What a waiting job waits for, by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from core.explain.instant import JobTasks
from core.explain.task_reason import task_reason
from core.explain.waiting_reason import Holder, WaitCause, waiting_reasons
from core.model.cluster import Cluster
from core.model.partition import Partition, SlotPool
from core.model.schedule import PolicyChoice
from core.simulation.simulate import simulate
from tests.builders import make_job, make_workload, run

if TYPE_CHECKING:
    from core.model.schedule import Schedule


@pytest.fixture
def schedule() -> Schedule:
    """J1's maps at 0, 0, 1, 3, 4 and J2's at 4, 6 on two slots; J1's reduces at 1, 10 and 16 on one."""
    workload = make_workload(
        make_job("J1", (5, [3.0, 1.0]), (3, 2.0, 1.0, 4.0)), make_job("J2", (2, 2.0), arrival=1.0)
    )
    return run(workload, Cluster(2, 1, slowstart=0.05))


def test_not_arrived(schedule: Schedule) -> None:
    maps, reduces = waiting_reasons(schedule, 1, 0.5)
    assert maps.cause is WaitCause.NOT_ARRIVED
    assert maps.sentences == (
        "J2 has not arrived yet; it does at 0:01.",
        "Its next map starts at 0:04.",
    )
    assert reduces.cause is WaitCause.ALL_STARTED
    assert reduces.sentences == ("J2 has no reduces.",)


def test_no_free_slot(schedule: Schedule) -> None:
    maps, _ = waiting_reasons(schedule, 1, 2.0)
    assert maps.cause is WaitCause.NO_FREE_SLOT
    assert maps.holders == (Holder(0, 2, 0),)
    assert maps.ahead == (JobTasks(0, 2),)
    assert maps.sentences == (
        "2 maps of J2 wait: no map slot is free.",
        "The map slots are held by J1 (2).",
        "Ahead of its next map: J1 (2 maps).",
        "Its next map starts at 0:04.",
    )


def test_slowstart(schedule: Schedule) -> None:
    _, reduces = waiting_reasons(schedule, 0, 0.0)
    assert reduces.cause is WaitCause.SLOWSTART
    assert reduces.sentences[0] == "3 reduces of J1 wait for slowstart: 0 of the 1 map needed complete."


def test_behind_a_filler_of_its_own(schedule: Schedule) -> None:
    _, reduces = waiting_reasons(schedule, 0, 2.0)
    assert reduces.cause is WaitCause.NO_FREE_SLOT
    assert reduces.idle_fillers == 1
    assert reduces.sentences == (
        "2 reduces of J1 wait: no reduce slot is free.",
        "The reduce slots are held by J1 (1, 1 of them waiting for its maps).",
        "Its next reduce starts at 0:10.",
        "1 of its reduces holds a slot and waits for its map stage to end.",
    )


def test_nothing_waits_at_the_end(schedule: Schedule) -> None:
    maps, reduces = waiting_reasons(schedule, 0, 100.0)
    assert maps.sentences == ("J1 has no waiting map: 5 of 5 maps complete, 0 running.",)
    assert reduces.cause is WaitCause.ALL_STARTED


def test_a_pool_without_a_free_slot() -> None:
    """J2 has one slot of its own; that another pool's slot is free does not help."""
    workload = make_workload(make_job("J1", (1, 5.0)), make_job("J2", (3, 5.0)))
    partition = Partition((SlotPool("one", 1, 0, ("J2",)), SlotPool("two", 2, 0, ("J1",))))
    schedule = simulate(workload, Cluster(3, 0), PolicyChoice("fifo"), partition=partition)
    maps, _ = waiting_reasons(schedule, 1, 2.0)
    assert maps.cause is WaitCause.NO_FREE_SLOT
    assert (maps.free, maps.holders) == (0, (Holder(1, 1, 0),))
    assert task_reason(schedule, 3).served_first == (JobTasks(1, 2),)
    assert task_reason(schedule, 3).why_here[0] == "M1 was the free slot with the lowest number of its pool."


def test_a_policy_that_declines() -> None:
    """No job may hold more than one slot of a kind."""
    maps, _ = waiting_reasons(run(make_workload(make_job("J1", (3, 4.0))), Cluster(2, 1), "at-most"), 0, 1.0)
    assert maps.cause is WaitCause.DECLINED
    assert maps.sentences[:2] == (
        "2 maps of J1 wait beside 1 free map slot: the policy declines.",
        "The map slots are held by J1 (1).",
    )
