"""Why a task started when and where it did."""

from __future__ import annotations

import pytest
from hypothesis import given

from core.explain.instant import JobTasks
from core.explain.start_cause import NO_TASK, StartCause, start_of
from core.explain.task_reason import task_reason
from core.model.cluster import Cluster
from core.model.nodes import NodeGroup, Request
from core.model.schedule import PolicyChoice, Schedule
from core.model.task_types import MAP
from core.simulation.simulate import Simulation
from tests.builders import FIVE_JOBS, make_job, make_workload, run, two_stage_workload
from tests.core.engine.rules import reduces_allowed
from tests.core.engine.strategies import Case, cases
from tests.core.explain.runs import EVERY, finished
from tests.random_tests import examples


@pytest.fixture
def schedule() -> Schedule:
    """J1's maps at 0, 0, 1, 3, 4 and J2's at 4, 6 on two slots; J1's reduces at 1, 10 and 16 on one."""
    workload = make_workload(
        make_job("J1", (5, [3.0, 1.0]), (3, 2.0, 1.0, 4.0)), make_job("J2", (2, 2.0), arrival=1.0)
    )
    return run(workload, Cluster(2, 1, slowstart=0.05))


def test_at_arrival(schedule: Schedule) -> None:
    reason = task_reason(schedule, 0)
    assert reason.start.cause is StartCause.ARRIVAL
    assert reason.why_then == (
        "Map 1 of J1 was ready at 0:00, when J1 arrived.",
        "It started at 0:00: its job arrived and a map slot was free.",
    )
    assert reason.why_here == (
        "M1 was the free slot with the lowest number.",
        "Nothing ran on that slot before.",
    )


def test_behind_another_job(schedule: Schedule) -> None:
    """J2 arrives at 1 s, just when map 3 of J1 takes the slot; maps 4 and 5 go first as well."""
    reason = task_reason(schedule, 8)
    assert reason.start.cause is StartCause.SLOT_FREED
    assert reason.start.waited == 3
    assert reason.served_first == (JobTasks(0, 3),)
    assert reason.why_then == (
        "Map 1 of J2 was ready at 0:01, when J2 arrived.",
        "It waited 3 s; meanwhile the policy served 3 maps of J1 first.",
        "It started at 0:04: map 3 of J1 ended and freed its slot.",
    )
    assert reason.why_here[1] == "Before that it ran map 3 of J1, from 0:01 to 0:04."


def test_at_slowstart(schedule: Schedule) -> None:
    reason = task_reason(schedule, 5)
    assert reason.start.cause is StartCause.SLOWSTART
    assert reason.why_then == (
        "Reduce 1 of J1 was ready at 0:01, when 1 of its 5 maps (slowstart) was complete.",
        "It started at 0:01: map 2 of J1 ended, slowstart was reached, and a reduce slot was free.",
    )


def test_behind_its_own_job(schedule: Schedule) -> None:
    reason = task_reason(schedule, 6)
    assert reason.why_then[1] == "It waited 9 s; meanwhile the policy served 1 reduce of its own job first."


def test_at_the_end_of_the_map_stage() -> None:
    schedule = run(make_workload(make_job("J1", (2, 3.0), (1, 1.0))), Cluster(1, 1, slowstart=1.0))
    start = start_of(schedule, 2)
    assert (start.cause, start.trigger) == (StartCause.MAP_STAGE, 1)


def test_a_map_says_what_the_maps_beside_it_cost() -> None:
    """Maps of 4 s and 8 s on one node at half speed take 8 s and 12 s; the reduce after them is alone."""
    workload = make_workload(make_job("J1", (2, [4.0, 8.0]), (1, 3.0)))
    nodes = (NodeGroup(1, 2048, 2),)
    schedule = run(workload, Cluster(0, 0, 1.0, nodes=nodes, contention=(1.0, 0.5)))
    said = "Maps beside it on its node slowed it: it took 4 s longer than 8 s."
    assert said in task_reason(schedule, 1).why_then
    assert not any("slowed" in sentence for sentence in task_reason(schedule, 2).why_then)


def test_a_map_says_where_its_input_lies_and_what_reading_it_cost() -> None:
    """On two nodes for one task each number 1 runs where its input lies, number 2 reads from the other."""
    ask = Request(1, 1)
    cluster = Cluster(0, 0, 1.0, nodes=(NodeGroup(2, 1, 1),), map_request=ask, reduce_request=ask)
    located = make_job("A", (4, 2.0), (1, 1.0), input_nodes=((1,), (0,), (1,), (1,)), remote_read=3.0)
    schedule = run(make_workload(located, make_job("B", (1, 1.0))), cluster)
    here = "Node N1 was offered and had room for it"
    assert task_reason(schedule, 1).why_here == (f"{here}, and it has its input.",)
    read = "its input lies on N2, and reading it from another node took 3 s longer"
    assert task_reason(schedule, 2).why_here == (f"{here}; {read}.",)
    other = int(schedule.workload.columns.stages.first[2])
    assert task_reason(schedule, other).why_here == ("Node N2 was offered and had room for it.",)


def test_a_task_that_has_not_started_has_no_reason() -> None:
    simulation = Simulation(two_stage_workload(FIVE_JOBS), Cluster(30, 30), PolicyChoice("fifo"))
    simulation.advance(1.0)
    with pytest.raises(ValueError, match="has not started"):
        task_reason(simulation.schedule(), 200)


@examples(30)
@given(case=cases(policies=EVERY))
def test_every_task_of_every_policy_has_a_cause_that_happened(case: Case) -> None:
    schedule = finished(case)
    for task in range(schedule.tasks):
        check(schedule, task)


def check(schedule: Schedule, task: int) -> None:
    columns, place = schedule.workload.columns, schedule.sequence.tolist().index
    reason = task_reason(schedule, task)
    start, job = reason.start, int(columns.job[task])
    arrival = float(columns.arrival[job])
    assert start.ready == (arrival if columns.kind[task] == MAP else reduces_allowed(schedule, job))
    assert start.ready <= start.time
    assert start.freed <= start.time
    if start.trigger != NO_TASK:
        assert schedule.end[start.trigger] == start.time
    else:
        assert start.cause in (StartCause.ARRIVAL, StartCause.POLICY)
    if start.cause is StartCause.ARRIVAL:
        assert arrival == start.time
    earlier = [
        other
        for other in range(schedule.tasks)
        if columns.kind[other] == columns.kind[task]
        and start.ready <= schedule.start[other]
        and place(other) < place(task)
    ]
    assert sum(served.tasks for served in reason.served_first) == len(earlier)
