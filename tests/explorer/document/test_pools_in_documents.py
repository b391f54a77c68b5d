"""Pools made by hand: part of a scenario, followed through every other edit, and undone."""

from __future__ import annotations

import pytest

from core.model.cluster import Cluster
from core.model.document_state import Scenario
from core.model.errors import InputError
from core.model.job import Job
from core.model.partition import Partition, SlotPool
from core.model.partition_edits import with_order
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from explorer.document.titles import describe_job_move, describe_new_pool, scenario_title

POOLS = Partition((SlotPool("Small", 10, 10, ("J2", "J5", "J1")), SlotPool("Large", 20, 20, ("J4", "J3"))))


@pytest.fixture
def pooled(editor):
    """The first scenario has pools made by hand, and is not what others are compared with."""
    editor.make_baseline(2)
    editor.drop_partition(1, POOLS, "Make pools")
    return editor


def test_a_drop_of_pools_is_one_step(editor, qtbot):
    before = editor.document.state
    with qtbot.waitSignal(editor.edited):
        editor.drop_partition(2, POOLS, "Make pools")
    scenario = editor.document.scenario(2)
    assert scenario.partition == POOLS
    assert scenario.is_by_hand
    assert scenario_title(scenario) == "Johnson, edited"
    assert editor.undo_stack.undoText() == "Make pools in Johnson"
    editor.undo_stack.undo()
    assert editor.document.state == before
    editor.undo_stack.redo()
    assert editor.document.scenario(2).partition == POOLS


def test_an_order_and_pools_replace_each_other(pooled):
    pooled.drop_order(1, ["J5", "J4", "J3", "J2", "J1"])
    assert pooled.document.scenario(1).partition is None
    assert pooled.document.scenario(1).order is not None
    pooled.undo_stack.undo()
    assert pooled.document.scenario(1).partition == POOLS
    assert pooled.document.scenario(1).order is None


def test_back_to_what_the_policy_does(pooled):
    pooled.reset_order(1)
    assert pooled.undo_stack.undoText() == "Back to FIFO's own schedule"
    assert not pooled.document.scenario(1).is_by_hand
    pooled.undo_stack.undo()
    assert pooled.document.scenario(1).partition == POOLS


def test_another_policy_ends_the_pools_and_undo_brings_them_back(pooled):
    pooled.choose_policy(1, PolicyChoice("fair"))
    assert pooled.document.scenario(1) == Scenario(1, PolicyChoice("fair"))
    pooled.undo_stack.undo()
    assert pooled.document.scenario(1).partition == POOLS


def test_a_parameter_keeps_the_pools_unless_it_is_an_order(pooled):
    pooled.make_baseline(1)
    pooled.choose_policy(2, PolicyChoice("order"))
    pooled.drop_partition(2, POOLS, "Make pools")
    pooled.set_parameter(2, "order", "J3")
    assert pooled.document.scenario(2).partition is None
    pooled.undo_stack.undo()
    assert pooled.document.scenario(2).partition == POOLS


def test_pools_follow_the_jobs(pooled):
    pooled.edit_job(3, "name", "big")
    pooled.add_job(Job("new", Stage.of(1, 1.0)))
    pooled.delete_jobs([1])
    jobs = [pool.jobs for pool in pooled.document.scenario(1).partition.pools]
    assert jobs == [("J5", "J1"), ("big", "J3", "new")]
    for _ in range(3):
        pooled.undo_stack.undo()
    assert pooled.document.scenario(1).partition == POOLS


def test_pools_follow_the_cluster_and_remember_their_sizes(pooled):
    document = pooled.document
    pooled.edit_cluster(map_slots=60, reduce_slots=15)
    on_it = document.state.partition_of(document.scenario(1))
    assert [pool.slots for pool in on_it.pools] == [(20, 5), (40, 10)]
    assert document.scenario(1).partition == POOLS
    pooled.edit_cluster(map_slots=30, reduce_slots=30)
    assert document.state.partition_of(document.scenario(1)) == POOLS
    assert document.state.partition_of(document.scenario(2)) is None


def test_pools_follow_the_cluster_of_their_scenario(pooled):
    pooled.set_cluster(Cluster(3, 3), 1)
    document = pooled.document
    assert [p.slots for p in document.state.partition_of(document.scenario(1)).pools] == [(1, 1), (2, 2)]


def test_pools_that_are_wrong_change_nothing(editor):
    wrong = Partition((SlotPool("A", 30, 30, ("J1", "J2", "J3", "J4", "J9")),))
    with pytest.raises(InputError, match="'J9'; there is no such job") as caught:
        editor.drop_partition(1, wrong, "Make pools")
    assert "'J5'; it is in no pool" in str(caught.value)
    assert editor.undo_stack.count() == 0


def test_a_duplicate_has_the_pools_too(pooled):
    copy = pooled.duplicate_scenario(1)
    assert pooled.document.scenario(copy).partition == POOLS


@pytest.mark.parametrize(
    ("order", "moved", "jobs", "text"),
    [
        ("J2 J1 J5 J4 J3", "J1", "J2 J1 J5|J4 J3", "Move J1 before J5"),
        ("J2 J5 J4 J1 J3", "J1", "J2 J5|J4 J1 J3", "Move J1 to Large"),
        ("J5 J1 J2 J4 J3", "J2", "J5 J1 J2|J4 J3", "Move J2 before J4"),
        ("J4 J2 J5 J1 J3", "J4", "J4 J2 J5 J1|J3", "Move J4 to Small"),
        ("J2 J5 J1 J3 J4", "J4", "J2 J5 J1|J3 J4", "Move J4 to the end"),
        ("J4 J3 J2 J5 J1", "J4 J3", "J4 J3 J2 J5 J1|", "Move 2 jobs to Small"),
        ("J1 J4 J3 J2 J5", "J2 J5", "J1|J4 J3 J2 J5", "Move 2 jobs to Large"),
    ],
)
def test_a_list_of_all_jobs_moves_them_between_pools(five_jobs, order, moved, jobs, text):
    """Between two pools a job stays in its own."""
    after = with_order(POOLS, five_jobs, order.split(), moved.split())
    assert "|".join(" ".join(pool.jobs) for pool in after.pools) == jobs
    assert describe_job_move(POOLS, after, moved.split()) == text


def test_a_new_pool_says_who_gave_its_slots():
    before = Partition(tuple(SlotPool(name, 9, 9) for name in "ABCDE"))
    smaller = (SlotPool(name, 9 - n, 9 - (n > 1)) for n, name in enumerate("ABCDE"))
    after = Partition((*smaller, SlotPool("New", 10, 3)))
    assert describe_new_pool(before, after) == (
        "New has 10 map and 3 reduce slots: 4 map and 1 reduce from E, 3 map and 1 reduce from D, "
        "2 map and 1 reduce from C, 1 map from 1 other pool"
    )
