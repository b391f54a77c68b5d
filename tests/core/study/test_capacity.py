"""Capacity: against trying every size and every split, with and without chance."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.generate.families import generate
from core.model.cluster import Cluster
from core.model.document_state import Scenario
from core.model.errors import InputError
from core.model.nodes import NodeGroup
from core.model.partition import Partition, SlotPool
from core.model.schedule import RECORDED, PolicyChoice
from core.study.capacity import SlotsNeeded, best_policy_split, capacity
from core.study.draws import Draws, drawn, simulated
from tests.builders import make_job, make_workload
from tests.core.optimize.tiny_workloads import tiny_workloads
from tests.random_tests import examples

TYPED = Cluster(2, 2, shuffle_model="simmr")
UNTYPED = Cluster(0, 0, containers=3)
NODES = Cluster(0, 0, nodes=(NodeGroup(2, 2048, 2),))
SOME = make_workload(
    make_job("A", (5, [3.0, 4.0]), (2, 5.0, 1.0, 2.0)),
    make_job("B", (2, [6.0]), (3, [2.0, 3.0], 1.0, 1.0)),
    make_job("C", (3, [2.0, 5.0]), (1, 4.0, 1.0, 1.0)),
)
# on 3 + 3 slots the second job's maps end sooner, so that its reduces are before those of the first job
LONGER_WITH_MORE = make_workload(
    make_job("A", (1, [3.0]), (2, 5.0)),
    make_job("B", (2, [4.0, 1.0]), (2, 2.0)),
)


def scenario(policy="fifo", **fields):
    return Scenario(1, PolicyChoice(policy), **fields)


def sized(cluster, varied, size):
    """Return every cluster of a size."""
    if varied == "total":
        return [replace(cluster, map_slots=m, reduce_slots=size - m) for m in range(size + 1)]
    if varied == "nodes":
        return [replace(cluster, nodes=(replace(cluster.nodes[0], count=size),))]
    names = {"maps": ["map_slots"], "reduces": ["reduce_slots"], "containers": ["containers"]}
    return [replace(cluster, **dict.fromkeys(names.get(varied, ["map_slots", "reduce_slots"]), size))]


def in_time(workload, clusters, asked, until, draws):
    """Whether enough draws end in time on one of the clusters, each of them run."""
    for cluster in clusters:
        try:
            ends = [
                simulated(each.workload, cluster, each.as_planned(asked)).makespan
                for each in drawn(workload, draws)
            ]
        except InputError:  # no slot of a kind that is needed
            continue
        if sum(end <= until * (1 + 1e-12) for end in ends) >= draws.needed:
            return True
    return False


@given(
    tiny_workloads(),
    st.sampled_from(["fifo", "johnson", "sjf", "fair"]),
    st.sampled_from(["both", "maps", "reduces", "total"]),
    st.integers(1, 12),
    st.sampled_from([Draws(), Draws(3, 0.6, 0.5)]),
)
@examples(12)
def test_fewest_is_the_smallest_of_all_sizes(workload, policy, varied, until, draws):
    answer = capacity(workload, TYPED, scenario(policy), float(until), varied, draws)
    enough = [
        size
        for size in range(1, answer.most + 1)
        if in_time(workload, sized(TYPED, varied, size), scenario(policy), until, draws)
    ]
    assert answer.enough == min(enough, default=None)
    assert answer.untried == 0
    assert answer.is_proved == bool(enough)
    assert not set(answer.failed) & set(enough)
    assert all(size > answer.too_few for size in enough)
    if answer.enough is not None:
        assert answer.in_time >= draws.needed
        assert answer.cluster in sized(TYPED, varied, answer.enough)


@given(tiny_workloads(), st.sampled_from(["fifo", "johnson"]), st.sampled_from([Draws(), Draws(3, 0.6, 0.5)]))
@examples(10)
def test_best_split_is_the_best_of_all(workload, policy, draws):
    total = 5
    answer = best_policy_split(workload, TYPED, scenario(policy), total, draws)
    ends = []
    for cluster in sized(TYPED, "total", total):
        try:
            runs = [
                simulated(each.workload, cluster, each.as_planned(scenario(policy))).makespan
                for each in drawn(workload, draws)
            ]
        except InputError:
            continue
        ends.append(sorted(runs)[draws.needed - 1])
    assert answer.end == min(ends)
    assert answer.is_proved
    assert answer.best in sized(TYPED, "total", total)
    assert answer.ends[draws.needed - 1] == answer.end


def test_a_schedule_that_is_longer_with_more_slots_is_found_and_said():
    ends = {
        size: simulated(LONGER_WITH_MORE, Cluster(size, size), scenario()).makespan for size in range(1, 4)
    }
    assert ends == {1: 17.0, 2: 10.0, 3: 11.0}
    answer = capacity(LONGER_WITH_MORE, Cluster(1, 1), scenario(), ends[2], "both")
    assert answer.enough == 2
    assert answer.failed == (3,)  # a bound rules out 1
    assert answer.larger_that_fail == (3,)
    assert answer.sentence.endswith("But 3 does not: with more slots a schedule may be longer.")


def test_the_cluster_that_there_is_counts_however_many_sizes_are_tried(monkeypatch):
    monkeypatch.setattr("core.study.capacity.MAX_BELOW", 0)
    jobs = make_workload(make_job("A", (5, [5.0]), (4, 3.0)), make_job("B", (5, [3.0, 6.0, 4.0]), (13, 2.0)))
    ends = {size: simulated(jobs, Cluster(size, size), scenario()).makespan for size in range(4, 8)}
    assert ends == {4: 23.0, 5: 17.0, 6: 18.0, 7: 17.0}  # halving looks at 4 and 6 and stays above
    assert capacity(jobs, Cluster(4, 4), scenario(), 17.0, "both").enough == 7
    assert capacity(jobs, Cluster(5, 5), scenario(), 17.0, "both").enough == 5


@pytest.mark.parametrize(
    ("varied", "cluster"), [("nodes", NODES), ("containers", Cluster(0, 0, containers=3))]
)
def test_containers_and_nodes_are_varied_as_well(varied, cluster):
    answer = capacity(SOME, cluster, scenario(), 20.0, varied)
    run = {
        size: in_time(SOME, sized(cluster, varied, size), scenario(), 20.0, Draws()) for size in range(1, 12)
    }
    assert answer.enough == min(size for size, ends in run.items() if ends)


def test_policies_plan_on_what_the_workload_says_while_tasks_take_something_else():
    draws = Draws(4, 0.75, 0.5)
    assert draws.needed == 3
    assert draws.sentence == "4 draws: durations ±50 %, seeds 1 to 4"
    first, second = drawn(SOME, draws)[:2]
    assert first.workload.digest != second.workload.digest != SOME.digest
    told = first.as_planned(scenario("johnson"))
    run = simulated(first.workload, TYPED, told)
    order = [run.workload.jobs[job].name for job in run.served]
    exact = simulated(SOME, TYPED, scenario("johnson"))
    assert order == [exact.workload.jobs[job].name for job in exact.served]
    assert first.as_planned(scenario("fifo")) == scenario("fifo")


def test_generated_jobs_are_drawn_anew():
    few = generate("synthetic1", seed=5, parameters={"jobs": 2})
    draws = drawn(few, Draws(2, redraw=True, first_seed=5))
    assert draws[0].workload.digest == few.digest
    assert draws[1].workload.digest == generate("synthetic1", seed=6, parameters={"jobs": 2}).digest
    for changed in (few.with_jobs(few.jobs[:1]), SOME):
        with pytest.raises(InputError, match="cannot be drawn again"):
            drawn(changed, Draws(2, redraw=True))


def test_orders_and_pools_made_by_hand_are_run_as_they_are():
    by_hand = scenario(order=("C", "B", "A"))
    answer = capacity(SOME, TYPED, by_hand, 20.0, "both")
    assert answer.cluster
    assert answer.ends == (simulated(SOME, answer.cluster, by_hand).makespan,)
    pools = Partition((SlotPool("one", 1, 1, ("A",)), SlotPool("two", 1, 1, ("B", "C"))))
    apart = scenario(partition=pools)
    answer = capacity(SOME, TYPED, apart, 20.0, "both")
    assert answer.cluster
    assert simulated(SOME, answer.cluster, apart).partition != pools  # they have more slots


def test_answers_are_sentences():
    known = SlotsNeeded("both", 21600.0, Draws(), 46, 900)
    assert known.sentence == (
        "No number of map and reduce slots is found that ends by 6:00:00: 0 numbers from 47 to 900 were "
        "tried."
    )
    one = replace(known, enough=52, ends=(21000.0,), failed=(47, 48, 49, 50, 51))
    assert one.sentence == (
        "It ends by 6:00:00 with 52 + 52 slots, at 5:50:00; 47 to 51 do not, all tried, and fewer than 47 "
        "cannot under any schedule."
    )
    assert "; 47 and 48 do not, all tried" in replace(one, enough=49, failed=(47, 48)).sentence
    drawn_often = replace(one, draws=Draws(20, 0.95, 0.3), ends=(21000.0,) * 19 + (22000.0,), failed=(51, 60))
    assert drawn_often.sentence == (
        "It ends by 6:00:00 with 52 + 52 slots in 19 of 20 draws; 51 does not, and 4 smaller numbers were "
        "not tried: with fewer slots a schedule may be shorter. But 60 does not: with more slots a schedule "
        "may be longer."
    )
    assert replace(one, too_few=51, failed=()).sentence.endswith("; with fewer no schedule can.")
    assert replace(known, too_few=900).sentence == (
        "No number of map and reduce slots ends by 6:00:00, even if no task has to wait."
    )


def test_what_is_known_is_told_and_kept_when_it_is_stopped():
    told, stop = [], [False]
    answer = capacity(SOME, TYPED, scenario(), 20.0, "both", on_known=told.append)
    assert [each.too_few for each in told] == [told[0].too_few] * len(told)
    assert told[-1] == answer
    stopped = capacity(SOME, TYPED, scenario(), 20.0, "both", should_stop=lambda: True)
    assert stopped == told[0]

    def note(known):
        stop[0] = known.tried > 0

    half = best_policy_split(SOME, TYPED, scenario(), 9, on_known=note, should_stop=lambda: stop[0])
    assert half.tried == 1
    assert not half.is_proved
    assert "the best of 1 split tried; none ends before" in half.sentence


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        (lambda: Draws(0), "number of seeds is 0; give a number from 1 to 10000"),
        (lambda: Draws(5), "5 seeds would draw nothing"),
        (lambda: Draws(confidence=1.5), "confidence is 1.5; give a number from above 0 to 1"),
        (lambda: Draws(error=-1), "error is -1"),
        (lambda: capacity(SOME, TYPED, scenario(), 0.0, "both"), "the time to end by is 0 s"),
        (lambda: capacity(SOME, TYPED, scenario(RECORDED), 9.0, "both"), "what really ran is as it is"),
        (lambda: capacity(SOME, TYPED, scenario(), 9.0, "nodes"), "ask for the map and reduce slots"),
        (lambda: best_policy_split(SOME, TYPED, scenario(), 1), "1 slots cannot be split"),
    ],
)
def test_what_cannot_be_asked_is_a_sentence(asked, reason):
    with pytest.raises(InputError, match=reason):
        asked()
