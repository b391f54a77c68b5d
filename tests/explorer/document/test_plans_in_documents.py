"""Scenarios that follow a plan: taken in one step, edited by drag, dropped, and fitted to the jobs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from core.model.cluster import Cluster
from core.model.levers import JobPlan, StagePlan
from core.model.partition import Partition, SlotPool
from core.model.plan import Plan
from core.model.schedule import PolicyChoice
from explorer.document.titles import scenario_title
from explorer.simulation.request import request_of

if TYPE_CHECKING:
    from explorer.document.editor import Editor


@pytest.fixture
def plan(editor: Editor) -> Plan:
    """Due dates of 10, 20, 30, … s for the jobs in their order."""
    dues = ((job.name, StagePlan(10.0 * (i + 1))) for i, job in enumerate(editor.document.workload.jobs))
    return Plan(tuple(JobPlan(name, due, due) for name, due in dues))


def plan_in(editor: Editor, scenario_id: int) -> Plan:
    plan = editor.document.scenario(scenario_id).plan
    assert plan is not None
    return plan


def test_a_plan_makes_a_scenario_beside_the_one_that_it_is_from(editor: Editor, plan: Plan) -> None:
    first = editor.document.scenario(1)
    taken = editor.take_plan(1, plan)
    scenario = editor.document.scenario(taken)
    assert editor.document.place_of(taken) == editor.document.place_of(1) + 1
    assert (scenario.choice, scenario.plan) == (first.choice, plan)
    assert scenario_title(scenario) == f"optimised from {scenario_title(first)}"
    assert editor.undo_stack.count() == 1
    editor.undo_stack.undo()
    assert not editor.document.has_scenario(taken)


def test_a_plan_taken_twice_makes_one_scenario(editor: Editor, plan: Plan) -> None:
    taken = editor.take_plan(1, plan)
    editor.rename_scenario(taken, "The best")
    steps, scenarios = editor.undo_stack.count(), editor.document.scenarios
    assert editor.take_plan(1, plan) == taken
    assert editor.document.scenarios == scenarios
    assert editor.undo_stack.count() == steps
    other = editor.take_plan(1, Plan(plan.jobs[1:]))
    assert other != taken


def test_what_is_put_beside_twice_is_there_once(editor: Editor) -> None:
    changed = replace(editor.document.scenario(1), cluster=Cluster(3, 3), title="FIFO on 3 + 3")
    added = editor.add_beside(1, changed)
    assert editor.add_beside(1, changed) == added
    assert editor.add_beside(1, replace(changed, cluster=Cluster(3, 4))) != added


def test_a_dragged_job_is_pinned_between_its_neighbours(editor: Editor, plan: Plan) -> None:
    taken = editor.take_plan(1, plan)
    one, two, *rest = plan.names
    previewed = request_of(
        editor.document.state, editor.document.scenario(taken), (two, one, *rest), moved=(two,)
    )
    editor.drop_order(taken, (two, one, *rest), plan.names, two)
    after = plan_in(editor, taken)
    assert after.names == (two, one, *rest)
    assert after.of(two).maps.due < after.of(one).maps.due == 10.0
    assert after.pinned == (two,)
    assert request_of(editor.document.state, editor.document.scenario(taken)) == previewed
    assert editor.undo_stack.undoText().startswith(f"Move {two} before {one} in ")
    assert scenario_title(editor.document.scenario(taken)).endswith("from FIFO, 1 job pinned")
    editor.unpin_job(taken, two)
    assert plan_in(editor, taken).pinned == ()


def test_a_job_that_the_plan_does_not_name_can_be_moved_too(editor: Editor, plan: Plan) -> None:
    *named, last = plan.names
    taken = editor.take_plan(1, Plan(plan.jobs[:-1]))
    editor.drop_order(taken, (last, *named), plan.names, last)
    after = plan_in(editor, taken)
    assert after.names == (last, *named)
    assert after.of(last).maps.due < 10.0


def test_pools_made_by_hand_hold_for_the_plan(editor: Editor, plan: Plan) -> None:
    cluster = editor.document.state.cluster
    taken = editor.take_plan(1, plan)
    one, *others = plan.names
    small = SlotPool("A", 1, 1, (one,))
    large = SlotPool("B", cluster.map_slots - 1, cluster.reduce_slots - 1, tuple(others))
    editor.drop_partition(taken, Partition((small, large)), "Add pool A")
    assert plan_in(editor, taken) == replace(plan, partition=Partition((small, large)))
    back = replace(large, jobs=(*others[1:], others[0]))
    editor.drop_partition(taken, Partition((small, back)), "Move it", (others[0],))
    assert plan_in(editor, taken).pinned == (others[0],)
    editor.edit_cluster(map_slots=2 * cluster.map_slots)
    fitted = editor.document.state.plan_of(editor.document.scenario(taken))
    assert fitted is not None
    assert fitted.partition is not None
    assert fitted.partition.slots[0] == 2 * cluster.map_slots


def test_another_policy_and_the_way_back_drop_the_plan(editor: Editor, plan: Plan) -> None:
    taken = editor.take_plan(1, plan)
    editor.choose_policy(taken, PolicyChoice("fair"))
    assert editor.document.scenario(taken).plan is None
    editor.undo_stack.undo()
    editor.reset_order(taken)
    assert editor.document.scenario(taken).plan is None
    assert editor.undo_stack.undoText() == "Back to FIFO's own schedule"


def test_jobs_that_go_and_get_other_names_keep_the_plan_valid(editor: Editor, plan: Plan) -> None:
    taken = editor.take_plan(1, plan)
    editor.edit_job(0, "name", "Renamed")
    assert plan_in(editor, taken).names == ("Renamed", *plan.names[1:])
    editor.delete_jobs([1])
    assert plan_in(editor, taken).names == ("Renamed", *plan.names[2:])
