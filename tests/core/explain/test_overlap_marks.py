"""What OMO held back and pulled forward, read from schedules, against asking the policy at every decision."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from core.explain.decisions import decision_reason, open_offers
from core.explain.overlap_marks import overlap_marks
from core.explain.replay import Replay
from core.model.cluster import Cluster
from core.model.errors import InputError, StalledError
from core.model.nodes import NodeGroup, Request
from core.model.schedule import PolicyChoice
from core.policies.overlap import BATCH
from core.policies.policy import MAP, REDUCE
from core.simulation.fork import fork_of, simulate_fork
from tests.builders import make_job, make_workload, run
from tests.core.engine.strategies import clusters, workloads
from tests.random_tests import examples

if TYPE_CHECKING:
    from core.explain.decisions import DecisionReason
    from core.model.schedule import Schedule
    from core.model.workload import Workload
    from core.simulation.simulate import Simulation

OBSERVED = {"window": 1.0, "beta": 0.5}


def asked(schedule: Schedule) -> tuple[list[int], set[int]]:
    """Ask the policy at every decision: how many reduces each job had held, and which maps went ahead."""
    replay, jobs = Replay(schedule, engine="interpreted"), len(schedule.finish)
    served: list[set[int]] = [set() for _ in range(jobs)]
    free = [0] * jobs
    ahead = set()
    for place, task in enumerate(schedule.sequence.tolist()):
        simulation = replay.before_start(place)
        reason = decision_reason(simulation)
        assert reason is not None
        assert reason.winner is not None
        if reason.winner.kind == MAP:
            for job in declined(schedule, simulation, reason):
                served[job].add(reason.slot)
            if is_ahead(simulation, reason):
                ahead.add(task)
    for time in sorted({*schedule.start.tolist(), *schedule.end.tolist()}):
        simulation = replay.at(time)
        for offer in open_offers(simulation):
            for job in declined(schedule, simulation, offer):
                free[job] = max(free[job], simulation.counts.room[REDUCE])
    lazy = bool(schedule.choice.parameters["lazy_start"])
    reduces = schedule.workload.columns.count[:, REDUCE].tolist()
    most = zip(served, free, reduces, strict=True)
    return [min(count, max(len(slots), idle)) if lazy else 0 for slots, idle, count in most], ahead


def declined(schedule: Schedule, simulation: Simulation, reason: DecisionReason) -> list[int]:
    """Return the jobs whose reduces are refused while maps run, and for longer than an instant."""
    if not simulation.counts.running[MAP]:
        return []
    refused = [c.job for c in reason.candidates if c.kind == REDUCE and not c.admits]
    first = schedule.workload.columns.first
    return [job for job in refused if schedule.start[first[job, REDUCE]] > simulation.now]


def is_ahead(simulation: Simulation, reason: DecisionReason) -> bool:
    """Whether a map is served by batch finish, and the fair share would have served another job's."""
    jobs = simulation.moment().jobs
    maps = [c for c in reason.candidates if c.kind == MAP and c.may_start]
    fair = min(maps, key=lambda c: (sum(jobs[c.job].running) / jobs[c.job].weight, c.rank))
    assert reason.winner is not None
    return reason.winner.key[0] == BATCH and fair.job != reason.winner.job


def pulled(schedule: Schedule) -> set[int]:
    return set(np.flatnonzero(overlap_marks(schedule).is_pulled).tolist())


def held_counts(schedule: Schedule) -> list[int]:
    columns = schedule.workload.columns
    return np.bincount(columns.job[overlap_marks(schedule).is_held], minlength=len(schedule.finish)).tolist()


@st.composite
def busy_workloads(draw: st.DrawFn) -> Workload:
    """Two to four jobs with more maps than fit at once, all of whose tasks take time."""
    seconds = st.lists(st.sampled_from((1.0, 1.25, 2.0, 3.5)), min_size=1, max_size=3)
    return make_workload(
        *(
            make_job(
                f"J{number}",
                (draw(st.integers(2, 9)), draw(seconds)),
                (draw(st.integers(1, 4)), draw(seconds), 1.0, draw(st.integers(1, 6))),
                arrival=float(draw(st.sampled_from((0, 0, 2, 5)))),
                weight=draw(st.sampled_from((1.0, 2.0))),
            )
            for number in range(draw(st.integers(2, 4)))
        )
    )


CLUSTERS = (
    Cluster(0, 0, 0.05, "overlap", containers=4),
    Cluster(0, 0, 0.0, "overlap", containers=6),
    Cluster(2, 3, 0.5, "simmr"),
)


def simulated(workload: Workload, cluster: Cluster, **switches: bool) -> Schedule:
    """Run OMO, or give the example up where reduces hold every container."""
    try:
        return run(workload, cluster, "omo", **switches, **OBSERVED)  # type: ignore[arg-type]
    except (StalledError, InputError):
        assume(False)
        raise


@examples(20)
@given(busy_workloads(), st.sampled_from(CLUSTERS), st.booleans(), st.booleans())
def test_marks_are_what_the_policy_answers(
    workload: Workload, cluster: Cluster, lazy: bool, batch: bool
) -> None:
    schedule = simulated(workload, cluster, lazy_start=lazy, batch_finish=batch)
    assert (held_counts(schedule), pulled(schedule)) == asked(schedule)


@examples(12)
@given(st.data())
def test_nothing_is_marked_that_the_policy_does_not_confirm(data: st.DataObject) -> None:
    """On nodes, and among tasks that take no time, some of what happened cannot be told afterwards."""
    workload = data.draw(workloads())
    schedule = simulated(workload, data.draw(clusters(workload)))
    held, ahead = asked(schedule)
    assert all(mine <= theirs for mine, theirs in zip(held_counts(schedule), held, strict=True))
    assert pulled(schedule) <= ahead


def test_nodes_where_reduces_fit_wherever_maps_do_tell_as_much_as_containers() -> None:
    jobs = make_job("J", (6, 2.0), (2, 1.0, 0.0, 1.0))
    containers = Cluster(0, 0, 0.0, "overlap", containers=2)
    node = Cluster(0, 0, 0.0, "overlap", 0, (NodeGroup(1, 2, 2),), Request(1, 1), Request(1, 1))
    on_containers, on_nodes = (
        overlap_marks(run(make_workload(jobs), cluster, "omo")) for cluster in (containers, node)
    )
    assert on_containers.is_held.any()
    assert (on_containers.is_held == on_nodes.is_held).all()


def test_a_job_alone_is_held_until_its_shuffle_fits_its_maps() -> None:
    """At 0 a map goes first as none runs; the two other containers get maps, too, although reduces wait."""
    workload = make_workload(make_job("J", (6, 2.0), (2, 1.0, 0.0, 1.0)))
    schedule = run(workload, Cluster(0, 0, 0.0, "overlap", containers=3), "omo", window=1.0)
    marks = overlap_marks(schedule)
    assert schedule.start[6:].tolist() == [4.0, 4.0]
    assert marks.is_held.tolist() == [False] * 6 + [True, True]
    assert marks.held_since.tolist() == [0.0]
    assert not marks.is_pulled.any()


def test_a_batch_finish_pulls_maps_past_a_job_with_fewer_containers() -> None:
    """At 4 s A gets a map as first of equals, then its reduce, then its last map although B has nothing."""
    workload = make_workload(
        make_job("A", (8, 2.0), (1, 1.0, 0.0, 30.0)), make_job("B", (4, 2.0), (1, 1.0), arrival=3.0)
    )
    cluster = Cluster(0, 0, 0.05, "overlap", containers=3)
    schedule = run(workload, cluster, "omo", window=1.0)
    assert schedule.start[[6, 7, 8]].tolist() == [4.0, 4.0, 4.0]
    assert pulled(schedule) == {7}
    without = run(workload, cluster, "omo", window=1.0, batch_finish=False)
    assert not overlap_marks(without).is_pulled.any()


def test_of_jobs_with_as_many_containers_the_first_of_the_queue_is_due() -> None:
    """At 2 s B and A hold one container each; A's map goes first for its reduce, past B in the queue."""
    workload = make_workload(make_job("B", (6, 1.0), (1, 1.0)), make_job("A", (6, 2.0), (1, 1.0, 0.0, 30.0)))
    schedule = run(workload, Cluster(0, 0, 0.05, "overlap", containers=3), "omo", window=1.0)
    first = schedule.workload.columns.first[1, MAP]
    assert schedule.start[[4, first + 1]].tolist() == [2.0, 2.0]
    assert pulled(schedule) == {8, 9, 10, 11, 12} == asked(schedule)[1]


def test_only_what_omo_decided_is_marked() -> None:
    """Up to a fork another policy decides; what OMO pulls forward afterwards is marked."""
    workload = make_workload(
        make_job("A", (12, 2.0), (1, 1.0, 0.0, 30.0)), make_job("B", (9, 2.0), (1, 1.0), arrival=3.0)
    )
    cluster = Cluster(0, 0, 0.05, "overlap", containers=3)
    choice = PolicyChoice("omo", {"window": 1.0})
    whole = run(workload, cluster, "omo", window=1.0)
    to_fair = simulate_fork(
        workload, cluster, PolicyChoice("fair"), fork_of(whole, 5.0), engine="interpreted"
    )
    before = to_fair.start < 5.0
    assert overlap_marks(whole).is_pulled[~before].any()
    assert (overlap_marks(to_fair).is_pulled == (overlap_marks(whole).is_pulled & before)).all()
    fair = run(workload, cluster, "fair")
    to_omo = simulate_fork(workload, cluster, choice, fork_of(fair, 5.0), engine="interpreted")
    assert not overlap_marks(fair).is_pulled.any()
    assert not overlap_marks(to_omo).is_pulled[to_omo.start < 5.0].any()


def test_an_order_made_by_hand_holds_nothing() -> None:
    workload = make_workload(make_job("J", (6, 2.0), (2, 1.0, 0.0, 1.0)))
    cluster = Cluster(0, 0, 0.0, "overlap", containers=2)
    assert not overlap_marks(run(workload, cluster, "omo", order=("J",))).is_held.any()


def test_nothing_is_marked_of_a_run_that_is_not_over() -> None:
    whole = run(
        make_workload(make_job("J1", (4, 3.0), (2, 1.0, 1.0, 1.0))), Cluster(0, 0, 0.5, containers=2), "omo"
    )
    assert overlap_marks(replace(whole, sequence=whole.sequence[:0])).is_held.tolist() == [False] * 6


def test_what_is_known_of_a_schedule_is_found_once() -> None:
    schedule = run(make_workload(make_job("J", (6, 2.0))), Cluster(0, 0, 0.0, containers=2), "omo")
    assert overlap_marks(schedule) is overlap_marks(schedule)
