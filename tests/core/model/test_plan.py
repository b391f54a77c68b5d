"""Plans: what breaks a rule, a job that is moved, and jobs that come, go and are renamed."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.model.cluster import Cluster
from core.model.errors import DocumentError, InputError, UnknownName
from core.model.job import Job
from core.model.levers import JobPlan, StagePlan
from core.model.partition import Partition, SlotPool
from core.model.plan import Plan, check_plan
from core.model.plan_edits import plan_of_jobs, plan_with_job_name
from core.model.stages import Stage
from core.model.workload import Workload
from tests.random_tests import examples

JOBS = tuple(Job(name, Stage.of(2, 3), Stage.of(1, 2, 3, 4)) for name in ("J1", "J2", "J3"))
WORKLOAD = Workload("W", JOBS)
CLUSTER = Cluster(2, 2)


def plan_of(*dues: tuple[str, float, float]) -> Plan:
    return Plan(tuple(JobPlan(name, StagePlan(maps), StagePlan(reduces)) for name, maps, reduces in dues))


def order_of(plan: Plan, kind: int) -> list[str]:
    """Return the jobs as their stages of one kind go, where all keys are due dates."""
    return [job.name for job in sorted(plan.jobs, key=lambda job: job.stages[kind].due)]


def test_every_broken_rule_is_told_at_once() -> None:
    wrong = StagePlan(math.nan, "shortest", 0)  # type: ignore[arg-type]  # on purpose
    plan = Plan((JobPlan("J1", wrong, StagePlan(math.inf), -1), JobPlan("J1"), JobPlan("J4")))
    with pytest.raises(DocumentError) as raised:
        check_plan(plan, WORKLOAD, CLUSTER)
    assert [str(problem) for problem in raised.value.problems] == [
        "jobs[0].maps.due is nan; give a finite number of seconds",
        "jobs[0].maps.tasks is 'shortest'; not one of the choices; did you mean 'longest'?",
        "jobs[0].maps.cap is 0; give a number of slots from 1, or leave it out for no limit",
        "jobs[0].reduces.due is inf; give a finite number of seconds",
        "jobs[0].reduces_after is -1; give a number of complete maps from 0, "
        "or leave it out for the cluster's slowstart",
        "jobs[1].name is 'J1'; job names are unique; jobs[0] has it already",
        "jobs[2].name is 'J4'; there is no such job; did you mean 'J3'?",
    ]


def test_the_plan_of_another_workload_is_one_sentence() -> None:
    other = Plan.of_order([f"K{place}" for place in range(50)])
    with pytest.raises(DocumentError) as raised:
        check_plan(other, WORKLOAD, CLUSTER)
    (problem,) = raised.value.problems
    assert str(problem).startswith("jobs is 'K0', 'K1', 'K2', …; ")
    assert str(problem).endswith("has none of these jobs; the plan is of another workload")


def test_pools_of_a_plan_share_out_all_slots_and_jobs() -> None:
    plan = Plan((), Partition((SlotPool("A", 2, 1, ("J1", "J2", "J3")),)))
    with pytest.raises(DocumentError, match="the sum of reduce slots is 1; the cluster has 2"):
        check_plan(plan, WORKLOAD, CLUSTER)
    check_plan(
        replace(plan, partition=Partition((SlotPool("A", 2, 2, ("J1", "J2", "J3")),))), WORKLOAD, CLUSTER
    )


def test_a_moved_job_is_due_between_its_neighbours_and_is_pinned() -> None:
    plan = plan_of(("J1", 10.0, 70.0), ("J2", 20.0, 50.0), ("J3", 40.0, 60.0))
    moved = plan.moved("J1", "J3")
    assert moved.names == ("J2", "J1", "J3")
    assert (moved.of("J1").maps.due, moved.of("J1").reduces.due) == (30.0, 55.0)
    assert moved.pinned == ("J1",)
    assert moved.jobs[::2] == plan.jobs[1:]
    assert moved.unpinned("J1").pinned == ()


def test_first_and_last_have_places_too() -> None:
    plan = plan_of(("J1", 10.0, 70.0), ("J2", 20.0, 50.0), ("J3", 40.0, 60.0))
    first, last = plan.moved("J3", "J1"), plan.moved("J1", None)
    assert (order_of(first, 0), order_of(last, 0)) == (["J3", "J1", "J2"], ["J2", "J3", "J1"])
    assert (order_of(first, 1), order_of(last, 1)) == (["J2", "J3", "J1"], ["J2", "J3", "J1"])


@examples(30)
@given(
    st.lists(st.sampled_from([0.0, 1.0, math.nextafter(1.0, 2.0), 1e300, -1e300]), min_size=4, max_size=4),
    st.permutations("ABCD"),
    st.sampled_from([0, 1, 2, None]),
)
def test_a_moved_job_comes_right_before_the_other_one_whatever_ties(
    dues: list[float], names: list[str], before: int | None
) -> None:
    plan = plan_of(*((name, due, due) for name, due in zip(names, dues, strict=True)))
    target = None if before is None else names[before]
    moved = plan.moved(names[3], target)
    others = [name for name in order_of(plan, 0) if name != names[3]]
    others.insert(len(others) if target is None else others.index(target), names[3])
    assert order_of(moved, 0) == others


def test_a_job_that_is_not_there_cannot_be_moved() -> None:
    with pytest.raises(UnknownName, match="unknown job of the plan 'J9'"):
        Plan.of_order(["J1", "J2"]).moved("J9", "J1")
    with pytest.raises(InputError, match="cannot go before itself"):
        Plan.of_order(["J1", "J2"]).moved("J1", "J1")


def test_a_plan_follows_the_jobs() -> None:
    pools = Partition((SlotPool("A", 1, 1, ("J1",)), SlotPool("B", 1, 1, ("J2",))))
    plan = plan_with_job_name(replace(Plan.of_order(["J1", "J2"]), partition=pools), "J2", "Late")
    assert plan.names == ("J1", "Late")
    left = plan_of_jobs(plan, Workload("W", (replace(JOBS[0], name="Late"), JOBS[2])))
    assert left.names == ("Late",)
    assert left.partition is not None
    assert [pool.jobs for pool in left.partition.pools] == [(), ("Late", "J3")]
