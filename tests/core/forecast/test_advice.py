"""What can be done: each lever held against whole simulations by hand, and ranked by its worth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.forecast.advice import advise, with_weight
from core.forecast.more_slots import ADDED_SECONDS, with_more_slots
from core.forecast.relief import Relief, TriedRelief
from core.model.cluster import Cluster
from core.model.event_nodes import node_of_slots
from core.model.node_events import NodeEvent, NodeEvents, SpotNodes
from core.model.nodes import NodeGroup
from core.model.overheads import Overheads
from core.model.pool import Pool
from core.model.schedule import RECORDED, PolicyChoice
from core.model.task_types import MAP, REDUCE
from core.simulation.simulate import simulate
from tests.builders import FIVE_JOBS, make_job, make_workload, run, two_stage_workload

LONG, SHORT = make_job("long", (8, 10.0)), make_job("short", (2, 10.0), arrival=1.0)
"""On 2 slots under fifo: long ends at 40 s, short at 50 s."""


def tried(schedule, time, **more):
    """Return the steps by what is done."""
    return {step.relief.words: step for step in advise(schedule, time, error=0, runs=19, **more)}


def test_a_move_to_the_front_by_hand() -> None:
    """At 15 s two tasks run; short then ends at 30 s instead of 50, long at 50 instead of 40."""
    step = tried(run(make_workload(LONG, SHORT), Cluster(2, 0), "fifo"), 15.0)["move short to the front"]
    assert step.earlier.tolist() == [-10.0, 20.0]
    assert (step.saved, step.disturbance) == (20.0, 10.0)
    assert step.worth == 20.0 / 60.0
    assert "jobs end earlier by 20 s together, others end 10 s later" in step.sentence


def test_a_weight_is_raised_where_the_policy_shares_by_it() -> None:
    """What the schedule of the heavier job comes to is simulated as a whole, beside it."""
    jobs = make_job("long", (16, 10.0)), make_job("many", (8, 10.0), arrival=11.0)
    many = run(make_workload(*jobs), Cluster(4, 0), "fair")
    step = tried(many, 15.0)["raise the weight of many to 4"]
    heavy = replace(many.workload.jobs[1], weight=4.0)
    by_hand = simulate(many.workload.with_jobs([many.workload.jobs[0], heavy]), many.cluster, many.choice)
    assert step.after.tolist() == [by_hand.finish.tolist()] * 19
    assert by_hand.finish[1] < many.finish[1]


def test_a_weight_by_which_the_past_was_shared_is_not_raised() -> None:
    """Both jobs share since 1 s: with more weight one would have begun earlier."""
    jobs = make_job("long", (16, 10.0)), make_job("many", (16, 5.0), arrival=1.0)
    schedule = run(make_workload(*jobs), Cluster(4, 0), "fair")
    assert not [words for words in tried(schedule, 25.0) if "weight" in words]


def test_a_policy_that_reads_no_weight_has_none_to_raise() -> None:
    jobs = make_job("long", (16, 10.0)), make_job("many", (8, 10.0), arrival=11.0)
    schedule = run(make_workload(*jobs), Cluster(4, 0), "fifo")
    assert not [words for words in tried(schedule, 15.0) if "weight" in words]


def test_the_weight_of_a_pool_is_raised_and_others_keep_their_settings() -> None:
    jobs = make_job("long", (32, 10.0), pool="a"), make_job("many", (8, 10.0), arrival=11.0, pool="b")
    workload = make_workload(*jobs).with_pools([Pool("a", weight=2.0, capacity=0.5)])
    step = tried(run(workload, Cluster(4, 0), "fair"), 15.0)["raise the weight of pool b to 4"]
    assert with_weight(workload, step.relief).pool_settings == (
        Pool("a", weight=2.0, capacity=0.5),
        Pool("b", weight=4.0),
    )


def test_more_slots_by_hand() -> None:
    """A third slot from 15 s on: short ends at 40 s instead of 50, and nobody waits longer."""
    schedule = run(make_workload(LONG, SHORT), Cluster(2, 0), "fifo")
    step = tried(schedule, 15.0)["add 1 map slot for 1 h 00 min"]
    wider = simulate(schedule.workload, step.relief.cluster, schedule.choice)
    assert step.after.tolist() == [wider.finish.tolist()] * 19
    assert (step.earlier >= 0).all()
    assert step.disturbance == ADDED_SECONDS


def test_where_there_are_deadlines_lateness_counts() -> None:
    due = replace(SHORT, deadline=45.0)
    step = tried(run(make_workload(LONG, due), Cluster(2, 0), "fifo"), 15.0)["move short to the front"]
    assert step.saved == 5.0
    assert step.in_time[1] == 1.0
    assert np.isnan(step.in_time[0])
    assert step.due == [1]


def test_the_best_comes_first_and_what_saves_nothing_is_left_out() -> None:
    schedule = run(two_stage_workload(FIVE_JOBS), Cluster(30, 30), "fifo")
    steps = advise(schedule, 30.0, error=0.3, runs=19)
    worths = [step.worth for step in steps]
    assert worths == sorted(worths, reverse=True)
    assert all(step.saved >= 1.0 for step in steps)
    assert {step.relief.kind for step in steps} == {"front", "policy", "slots"}


def test_a_policy_without_an_order_has_no_front() -> None:
    schedule = run(make_workload(LONG, SHORT), Cluster(2, 0), "fair")
    assert not [words for words in tried(schedule, 15.0) if "front" in words]


def test_a_record_is_advised_too_and_its_reduces_keep_their_slots() -> None:
    whole = run(
        make_workload(make_job("a", (8, 10.0), (4, 9.0)), make_job("b", (8, 10.0), (4, 9.0))),
        Cluster(3, 2),
        "fifo",
    )
    record = replace(whole, choice=PolicyChoice(RECORDED))
    steps = {step.relief.kind: step for step in advise(record, 35.0, runs=19)}
    assert {"front", "slots"} & steps.keys()
    assert all(np.isfinite(step.after).all() for step in steps.values())


def test_slots_are_added_where_they_are_modelled() -> None:
    wider = with_more_slots(Cluster(30, 5), 60.0)
    assert [(each.slots, each.kind, each.opens) for each in wider.slot_times] == [
        (3, MAP, 60.0),
        (1, REDUCE, 60.0),
    ]
    assert with_more_slots(Cluster(30, 5, overheads=Overheads(setup=1.0)), 60.0) is None
    crowded = Cluster(0, 0, nodes=(NodeGroup(2, 4096, 4),), contention=(1.0, 0.5))
    assert with_more_slots(crowded, 60.0) is None


def test_a_node_more_by_hand_where_nodes_run_slower() -> None:
    """A third node with a map slot from 15 s on: what it runs begins no earlier, and all jobs end sooner."""
    slow = NodeEvents(2, (NodeEvent(20.0, 0, "speed", 0.5),))
    schedule = run(make_workload(LONG, SHORT), Cluster(2, 0, events=slow), "fifo")
    step = tried(schedule, 15.0)["add 1 node for 1 h 00 min"]
    wider = step.relief.cluster
    assert (wider.map_slots, wider.reduce_slots, wider.events.nodes) == (3, 0, 3)
    assert "What runs there at the end of it runs again." in step.sentence
    whole = simulate(schedule.workload, wider, schedule.choice)
    assert step.after.tolist() == [whole.finish.tolist()] * 19
    assert (step.earlier > 0).all()
    on_it = whole.slot == 2
    assert whole.start[on_it].min() == 15.0
    early = schedule.start < 15.0
    assert whole.start[early].tolist() == schedule.start[early].tolist()
    assert step.disturbance == ADDED_SECONDS


def test_nodes_with_memory_get_one_like_the_last_and_spot_nodes_stay_those_that_they_are() -> None:
    groups = NodeGroup(1, 1024, 1), NodeGroup(1, 2048, 2)
    cluster = Cluster(0, 0, nodes=groups, events=NodeEvents(spot=SpotNodes(1, 60.0, seed=3, until=100.0)))
    wider = with_more_slots(cluster, 15.0)
    assert wider.nodes == (*groups, NodeGroup(1, 2048, 2))
    drawn = cluster.events.in_order(2)
    assert drawn
    assert set(drawn) < set(wider.events.in_order(3))
    assert {event.node for event in set(wider.events.in_order(3)) - set(drawn)} == {2}
    many = make_workload(make_job("long", (12, 10.0)), make_job("short", (2, 10.0), arrival=1.0))
    schedule = run(many, replace(cluster, events=None), "fifo")
    assert any("add 1 node" in words for words in tried(schedule, 15.0))


@pytest.mark.parametrize(("maps", "reduces"), [(10, 4), (7, 5), (6, 6), (3, 2), (2, 0)])
def test_each_slot_stays_on_its_node_and_new_ones_lie_on_the_new(maps, reduces) -> None:
    events = NodeEvents(2, (NodeEvent(5.0, 1), NodeEvent(9.0, 1, "returns")))
    cluster = Cluster(maps, reduces, events=events)
    wider = with_more_slots(cluster, 3.0)
    assert wider is not None
    before, after = node_of_slots(cluster), node_of_slots(wider)
    for kind, count in ((MAP, maps), (REDUCE, reduces)):
        was, now = before[cluster.slots_of(kind)], after[wider.slots_of(kind)]
        assert now[:count].tolist() == was.tolist()
        assert set(now[count:].tolist()) == ({2} if count else set())


def test_where_slots_cannot_be_spread_so_no_node_is_added() -> None:
    assert with_more_slots(Cluster(2, 2, events=NodeEvents(5, (NodeEvent(5.0, 1),))), 3.0) is None


def test_a_minute_is_the_least_disturbance() -> None:
    ends = np.array([[100.0]])
    deadline = np.array([np.inf])
    step = TriedRelief(Relief("policy", "go on"), ("j",), ends, ends - 30.0, deadline, np.array([True]))
    assert step.worth == pytest.approx(0.5)
    assert step.over_sooner == 30.0
