"""The chain from the last finish back to time 0: contiguous, complete, and by hand what it should be."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.explain.causes import Cause
from core.explain.critical_path import CriticalPath, PathLink, critical_path
from core.explain.lint import lint
from core.explain.lints.finding import Rule
from core.explain.path_words import link_sentence
from core.explain.replay import Replay
from core.explain.slots import FreeSlots
from core.explain.start_cause import NO_TASK, StartCause, start_of
from core.explain.task_reason import task_reason
from core.explain.waiting_reason import WaitCause, waiting_reasons
from core.files.samples import load_sample
from core.model.cluster import Cluster
from core.model.errors import InputError
from core.model.lost_attempts import eras_of
from core.model.nodes import NodeGroup, Request
from core.model.overheads import Overheads
from core.model.schedule import PolicyChoice, Schedule
from core.model.task_types import MAP
from core.simulation.simulate import Simulation, simulate
from tests.builders import FIVE_JOBS, make_job, make_workload, run, two_stage_workload
from tests.core.engine.strategies import Case, cases
from tests.core.explain.runs import BUILT_IN, EVERY, NOT_WITH_EVENTS, SAMPLES, finished
from tests.random_tests import examples, some_jobs

if TYPE_CHECKING:
    from collections.abc import Callable


def spans(chain: CriticalPath) -> list[tuple[float, float, str]]:
    return [(link.begin, link.end, link.cause.value) for link in chain.links]


def check(schedule: Schedule) -> CriticalPath:
    """Check everything that holds for every chain."""
    chain = critical_path(schedule)
    if schedule.makespan == 0:
        assert chain.links == ()
        return chain
    assert chain.links[0].begin == 0
    assert chain.links[-1].end == schedule.makespan
    assert all(earlier.end == later.begin for earlier, later in pairwise(chain.links))
    assert all(link.begin < link.end for link in chain.links)
    exact = sum(Fraction(link.end) - Fraction(link.begin) for link in chain.links)
    assert exact == Fraction(schedule.makespan)
    assert sum(chain.totals().values()) == pytest.approx(schedule.makespan, rel=1e-12)
    for link in chain.links:
        check_link(schedule, link)
    return chain


def check_link(schedule: Schedule, link: PathLink) -> None:
    """A link with a task lies inside that task, and its cause agrees with what the task does then."""
    columns = schedule.workload.columns
    if link.cause is Cause.OVERHEAD:
        assert schedule.cluster.overheads is not None
        assert link.task == NO_TASK
        assert link.begin >= schedule.end[link.waiter] or link.end <= schedule.start[link.waiter]
        return
    is_before_failure = link.cause is Cause.SLOT_WAIT and link.task == NO_TASK
    if link.cause in (Cause.HELD, Cause.ARRIVAL, Cause.THINK, Cause.AWAY, Cause.OUTPUT) or is_before_failure:
        assert link.task == NO_TASK
        assert link.end <= schedule.start[link.waiter]
        return
    task, schedule = link.task, eras_of(schedule).before(link.end)
    assert schedule.start[task] <= link.begin
    assert link.end <= schedule.end[task]
    if link.cause in (Cause.MAP_WORK, Cause.SLOWSTART):
        assert columns.kind[task] == MAP
    if link.cause is Cause.REDUCE_WORK:
        assert link.begin >= schedule.shuffled[task]
    if link.cause is Cause.SHUFFLE:
        overlap = schedule.cluster.shuffle_model == "overlap"
        assert overlap or schedule.stage_end[columns.job[task]] <= link.begin
        assert link.end <= schedule.shuffled[task]
    if link.cause in (Cause.SLOT_WAIT, Cause.MAP_BARRIER):
        holder, waiter = link.holder, link.waiter
        places = [int(schedule.slot[task]) for task in (holder, waiter)]
        if schedule.cluster.has_nodes:
            places = [schedule.cluster.node_of(slot) for slot in places]
        assert places[0] == places[1]
        assert schedule.start[holder] <= link.begin
        assert link.end <= schedule.end[holder] <= schedule.start[waiter]
        assert columns.job[holder] != columns.job[waiter]


@examples(40)
@given(case=cases(policies=EVERY))
def test_every_policy_on_random_workloads(case: Case) -> None:
    schedule = finished(case)
    check(schedule)


@examples(20)
@given(case=cases(policies=("fifo", "sjf", "edf-max", "fair")), data=st.data())
def test_clusters_with_work_of_their_own(case: Case, data: st.DataObject) -> None:
    assume(not case.cluster.has_containers)
    seconds = st.sampled_from((0.0, 1.0, 2.5))
    delay, fetch, beat = data.draw(st.tuples(seconds, seconds, seconds))
    on_maps = seconds if case.cluster.map_slots else st.just(0.0)  # setup and cleanup run on map slots
    setup, cleanup = data.draw(st.tuples(on_maps, on_maps))
    overheads = Overheads(delay, setup, cleanup, fetch, beat, data.draw(st.integers(1, 3)))
    schedule = finished(Case(case.workload, replace(case.cluster, overheads=overheads), case.policy, None))
    assume((schedule.start <= schedule.shuffled).all())
    check(schedule)
    assert {finding.rule for finding in lint(schedule)} <= {Rule.STARVATION, Rule.QUOTA}


def test_overheads_by_hand() -> None:
    """Setup until 2 s, then a map of 3 s, cleanup for 1 s; hosts ask whenever a task ends."""
    workload = make_workload(make_job("J1", (1, 3.0)))
    cluster = Cluster(1, 0, overheads=Overheads(setup=2.0, cleanup=1.0))
    schedule = run(workload, cluster)
    assert schedule.start.tolist() == [2]
    chain = check(schedule)
    assert spans(chain) == [(0, 2, "cluster overhead"), (2, 5, "map work"), (5, 6, "cluster overhead")]
    assert [link_sentence(schedule, link) for link in chain.links][::2] == [
        "map 1 of J1 waits for the cluster: launching, setup, files or a heartbeat",
        "The cluster cleans up behind J1",
    ]
    said = task_reason(schedule, 0).why_then[-1]
    assert said.startswith("It started at 0:02: its slot was free since 0:00; it waited for the cluster")


OF_MAPS_AND_REDUCES = "balanced-pools", "fresh", "omo", "flex", "circumflex", "batch", "ako"
"""Policies that are for no other stages."""


@pytest.mark.parametrize("policy", BUILT_IN)
@pytest.mark.parametrize("sample", SAMPLES)
def test_every_policy_on_every_sample(sample: str, policy: str) -> None:
    workload = load_sample(sample)
    if policy == "balanced-pools":
        workload = some_jobs(workload)
    if policy in OF_MAPS_AND_REDUCES and not workload.is_map_reduce:
        with pytest.raises(InputError, match="is for jobs of maps and of reduces"):
            simulate(workload, workload.cluster, PolicyChoice(policy))
        return
    if policy in NOT_WITH_EVENTS and workload.cluster.events is not None:
        with pytest.raises(InputError, match="not modelled for nodes that fail"):
            simulate(workload, workload.cluster, PolicyChoice(policy))
        return
    check(simulate(workload, workload.cluster, PolicyChoice(policy), engine="compiled"))


def test_five_jobs_by_hand() -> None:
    """Maps end at 4, 5, 35, 41, 43; J4's reduces hold the reduce slots from 41 to 71, J5's follow."""
    chain = check(run(two_stage_workload(FIVE_JOBS), Cluster(30, 30, slowstart=1.0)))
    assert spans(chain) == [
        (0, 4, "waiting for a slot"),  # J1's maps, before J2's
        (4, 5, "waiting for a slot"),  # J2's, before J3's
        (5, 35, "waiting for a slot"),  # J3's, before J4's
        (35, 41, "map work"),  # J4's
        (41, 43, "reduce work"),  # J4's: J5's reduces are not ready yet
        (43, 71, "waiting for a slot"),
        (71, 74, "reduce work"),  # J5's
    ]
    assert chain.totals()[Cause.SLOT_WAIT] == 63


def test_holders_of_the_slots_that_were_waited_for() -> None:
    schedule = run(two_stage_workload(FIVE_JOBS), Cluster(30, 30, slowstart=1.0))
    assert list(critical_path(schedule).holders(schedule).items()) == [(2, 30), (3, 28), (0, 4), (1, 1)]


def test_one_job_waits_for_its_own_waves_only() -> None:
    """5 maps of 3 s on 2 slots, then 3 reduces on one slot: a filler, then two with their own shuffle."""
    workload = make_workload(make_job("J1", (5, 3.0), (3, 2.0, 1.0, 4.0)))
    chain = check(run(workload, Cluster(2, 1, slowstart=0.05)))
    assert spans(chain) == [
        (0, 3, "map work"),
        (3, 6, "map work"),
        (6, 9, "map work"),
        (9, 10, "shuffle"),
        (10, 12, "reduce work"),
        (12, 16, "shuffle"),
        (16, 18, "reduce work"),
        (18, 22, "shuffle"),
        (22, 24, "reduce work"),
    ]


def test_a_filler_in_the_way_of_another_job() -> None:
    """J1's filler holds the only reduce slot from 1 s on; J2, a reduce without maps, waits since 2 s."""
    workload = make_workload(
        make_job("J1", (2, [1.0, 9.0]), (1, 5.0, 3.0)), make_job("J2", (0,), (1, 7.0), arrival=2.0)
    )
    schedule = run(workload, Cluster(1, 1, slowstart=0.5))
    chain = check(schedule)
    assert spans(chain) == [
        (0, 1, "map work"),
        (1, 2, "map work"),
        (2, 10, "map barrier"),
        (10, 13, "waiting for a slot"),
        (13, 18, "waiting for a slot"),
        (18, 25, "reduce work"),
    ]
    barrier = chain.links[2]
    assert (barrier.task, barrier.holder, barrier.waiter) == (1, 2, 3)


def test_a_job_that_arrives_late() -> None:
    workload = make_workload(make_job("J1", (1, 2.0)), make_job("J2", (1, 4.0), arrival=10.0))
    assert spans(check(run(workload, Cluster(1, 1)))) == [(0, 10, "arrival"), (10, 14, "map work")]


def test_slowstart_costs_time_where_the_shuffle_is_its_own() -> None:
    """Overlap: the shuffle takes 20 s from the start, which slowstart put off until the first map ended."""
    workload = make_workload(make_job("J1", (4, 5.0), (1, 1.0, 0.0, 20.0)))
    chain = check(run(workload, Cluster(1, 1, slowstart=0.25, shuffle_model="overlap")))
    assert spans(chain) == [(0, 5, "slowstart"), (5, 25, "shuffle"), (25, 26, "reduce work")]


def test_a_policy_that_waits_for_the_map_stage() -> None:
    """The reduce could start at 2 s and does at 4 s: until then its maps have to run anyway."""
    workload = make_workload(make_job("J1", (2, [2.0, 4.0]), (1, 1.0, 1.0, 5.0)))
    chain = check(run(workload, Cluster(2, 1, 0.5, "overlap"), "held-reduces"))
    assert spans(chain) == [(0, 4, "map work"), (4, 9, "shuffle"), (9, 10, "reduce work")]


def test_a_policy_that_holds_a_reduce_back() -> None:
    """J1's reduce is ready at 2 s beside a free slot; no reduce starts before 5 s, where nothing happens."""
    workload = make_workload(make_job("J1", (1, 2.0), (1, 1.0, 0.0, 1.0)), make_job("J2", (1, 6.0)))
    chain = check(run(workload, Cluster(2, 1, 1.0), "evening-reduces"))
    assert spans(chain) == [
        (0, 2, "map work"),
        (2, 6, "policy hold"),
        (6, 7, "shuffle"),
        (7, 8, "reduce work"),
    ]


def test_a_hold_that_begins_when_a_slot_is_freed() -> None:
    """The only reduce slot is free from 3 s on; J2's reduce has waited for it since 1 s."""
    workload = make_workload(
        make_job("J1", (0,), (1, 3.0)),
        make_job("J2", (1, 1.0), (1, 1.0)),
        make_job("J3", (1, 6.0)),
    )
    chain = check(run(workload, Cluster(2, 1, 1.0), "evening-reduces"))
    assert spans(chain) == [(0, 3, "reduce work"), (3, 6, "policy hold"), (6, 7, "reduce work")]


def test_free_slots() -> None:
    """Two slots are full until 4 s; then one is free until 9 s, when the last task starts."""
    workload = make_workload(
        make_job("J1", (1, 4.0)), make_job("J2", (1, 20.0)), make_job("J3", (1, 1.0), arrival=9.0)
    )
    schedule = run(workload, Cluster(2, 0))
    free = FreeSlots(schedule)
    assert free.since(2) == 4
    assert free.freed_by(2, 4.0) == 0
    assert free.since(0) == -math.inf
    full = run(make_workload(make_job("J1", (3, 4.0))), Cluster(2, 0))
    assert FreeSlots(full).since(2) == 4
    assert FreeSlots(run(workload, Cluster(3, 0))).since(2) == -math.inf


def test_waiting_for_room_on_nodes() -> None:
    """One node of 4: J1's maps ask for 2 each, its reduce for 4: J2's reduce for all 4.

    Its row of the first node has been free since 2 s, the room it needs only since 5 s.
    """
    nodes = (NodeGroup(1, 4, 9),)
    cluster = Cluster(0, 0, 0.0, nodes=nodes, map_request=Request(2, 0), reduce_request=Request(4, 0))
    workload = make_workload(make_job("J1", (2, [2.0, 5.0])), make_job("J2", (0,), (1, 3.0)))
    schedule = run(workload, cluster)
    assert schedule.start.tolist() == [0, 0, 5]
    start = start_of(schedule, 2)
    assert (start.cause, start.trigger) == (StartCause.SLOT_FREED, 1)
    chain = check(schedule)
    assert spans(chain) == [(0, 5, "waiting for a slot"), (5, 8, "reduce work")]
    assert chain.links[0].holder == 1
    reason = task_reason(schedule, 2)
    assert reason.why_then[-1] == "It started at 0:05: map 2 of J1 ended and made room on its node."
    assert reason.why_here == ("Node N1 was the first with room for it.",)
    waiting = waiting_reasons(schedule, 1, 3.0)[1]
    assert (waiting.cause, waiting.free) == (WaitCause.NO_FREE_SLOT, 0)
    assert waiting.sentences[:2] == (
        "1 reduce of J2 waits: no place on a node is free.",
        "The nodes are held by J1 (1).",
    )


def test_a_task_of_no_length_makes_room_at_once() -> None:
    """Each of two nodes fits one task. J1's reduces are held until J3 arrives; the first takes no time."""
    nodes, one = (NodeGroup(2, 1, 1),), Request(1, 0)
    cluster = Cluster(0, 0, 1.0, nodes=nodes, map_request=one, reduce_request=one)
    workload = make_workload(
        make_job("J1", (1, 1.0), (2, [0.0, 5.0])),
        make_job("J2", (1, 6.5)),
        make_job("J3", (1, 1.0), arrival=6.0),
    )
    schedule = run(workload, cluster, "evening-reduces")
    assert schedule.slot.tolist() == [0, 0, 0, 1, 1]
    assert spans(check(schedule)) == [(0, 1, "map work"), (1, 6, "policy hold"), (6, 11, "reduce work")]


def test_a_job_that_may_have_one_slot() -> None:
    """J1's maps follow each other; J2's has the other slot at first."""
    workload = make_workload(make_job("J1", (3, 4.0)), make_job("J2", (1, 6.0)))
    chain = check(run(workload, Cluster(2, 0), "at-most"))
    assert spans(chain) == [(0, 4, "map work"), (4, 8, "map work"), (8, 12, "map work")]


def test_equal_tasks_give_the_lowest_index() -> None:
    chain = check(run(make_workload(make_job("J1", (4, 2.0))), Cluster(4, 1)))
    assert chain.links[-1].task == 0


A_RECORD: Any = "stands for what a log recorded"


@pytest.mark.parametrize("explanation", [critical_path, lint, Replay, lambda schedule: start_of(schedule, 0)])
def test_what_a_log_recorded_is_not_explained(explanation: Callable[[Schedule], object]) -> None:
    schedule = run(two_stage_workload(FIVE_JOBS), Cluster(30, 30))
    with pytest.raises(InputError, match="record of what really ran in test"):
        explanation(replace(schedule, record=A_RECORD))


def test_an_unfinished_schedule_has_no_chain() -> None:
    simulation = Simulation(two_stage_workload(FIVE_JOBS), Cluster(30, 30), PolicyChoice("fifo"))
    simulation.advance(10.0)
    with pytest.raises(ValueError, match="complete"):
        critical_path(simulation.schedule())


def sentences(schedule: Schedule) -> list[str]:
    return [link_sentence(schedule, link) for link in critical_path(schedule).links]


def test_work_and_waiting_for_slots() -> None:
    assert sentences(run(two_stage_workload(FIVE_JOBS), Cluster(30, 30, slowstart=1.0)))[2:6] == [
        "map 1 of J4 waits for M1, held by map 1 of J3",
        "map 1 of J4 runs on M1",
        "reduce 1 of J4 reduces on R1",
        "reduce 1 of J5 waits for R1, held by reduce 1 of J4",
    ]


def test_a_filler_in_the_way() -> None:
    workload = make_workload(
        make_job("J1", (2, [1.0, 9.0]), (1, 5.0, 3.0)), make_job("J2", (0,), (1, 7.0), arrival=2.0)
    )
    assert sentences(run(workload, Cluster(1, 1, slowstart=0.5)))[2] == (
        "reduce 1 of J2 waits for R1, held by reduce 1 of J1, which waits for map 2 of J1 on M1"
    )


def test_slowstart_and_shuffle() -> None:
    workload = make_workload(make_job("J1", (4, 5.0), (1, 1.0, 0.0, 20.0)))
    cluster = Cluster(1, 1, slowstart=0.25, shuffle_model="overlap")
    assert sentences(run(workload, cluster)) == [
        "reduce 1 of J1 waits until enough maps of J1 are complete, here for map 1 of J1 on M1",
        "reduce 1 of J1 shuffles on R1",
        "reduce 1 of J1 reduces on R1",
    ]


def test_gaps() -> None:
    workload = make_workload(make_job("J1", (1, 2.0)), make_job("J2", (1, 4.0), arrival=10.0))
    schedule = run(workload, Cluster(1, 1))
    assert sentences(schedule)[0] == "J2 has not arrived yet"
    held = PathLink(0.0, 1.0, Cause.HELD, NO_TASK, 1)
    assert link_sentence(schedule, held) == "The policy keeps map 1 of J2 waiting beside a free slot"
