"""Runs that are stepped through: what is picked is what happens, and what is shown is what there is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engine.stepping import compiled_step
from core.model.cluster import Cluster
from core.model.errors import InputError
from core.model.overheads import Overheads
from core.model.schedule import PolicyChoice, Schedule
from core.policies.by_hand import picks_of
from core.simulation import compiled_steps
from core.simulation.compiled_steps import CompiledSteps, stepped
from core.simulation.stepped_run import FEATURES, Candidate, Reward, SteppedRun, weighed
from tests.builders import make_job, make_workload, run
from tests.core.engine.compared import bits
from tests.core.engine.strategies import clusters, lasting_workloads
from tests.random_tests import examples

TWO = make_workload(make_job("J1", (2, 2.0), (1, 1.0)), make_job("J2", (2, 1.0), (1, 3.0)))


def naive_cost(schedule: Schedule, now: float) -> float:
    """Return how long jobs have been in the system up to a time, on average, from a whole schedule."""
    return float(np.mean(np.clip(np.minimum(schedule.finish, now) - schedule.arrival, 0.0, None)))


def naive_features(schedule: Schedule, place: int, candidate: Candidate) -> tuple[float, ...]:
    """Return what an agent sees of a candidate at a start, from a whole schedule."""
    job, own = candidate
    columns, started = schedule.workload.columns, set(schedule.sequence[:place].tolist())
    now = schedule.start[schedule.sequence[place]]
    tasks = [
        [t for t in range(len(columns.job)) if (columns.job[t], columns.kind[t]) == (job, kind)]
        for kind in (own, 1 - own)
    ]
    left = [len([t for t in of_kind if t not in started]) for of_kind in tasks]
    mean = [
        np.sum([columns.duration[t] + columns.typical_shuffle[t] for t in of_kind]) / max(len(of_kind), 1)
        for of_kind in tasks
    ]
    running = [t for t in tasks[0] + tasks[1] if t in started and schedule.end[t] > now]
    waited = now - schedule.arrival[job]
    return (
        own, waited, *left, len(running), mean[0], left[0] * mean[0], left[1] * mean[1]
    )  # fmt: skip


@examples(25)
@given(data=st.data())
def test_what_was_picked_and_seen_is_what_the_schedule_says(data: st.DataObject) -> None:
    workload = data.draw(lasting_workloads())
    cluster = data.draw(clusters(workload))
    if cluster.overheads is not None:
        return
    stepped, seen = SteppedRun(workload, cluster), []
    while stepped.candidates:
        place = data.draw(st.integers(0, len(stepped.candidates) - 1))
        rows = stepped.features(1000)
        costs = stepped.cost("response"), stepped.cost("makespan")
        seen.append((stepped.started, stepped.candidates, place, rows, costs))
        stepped.give(place)
    if stepped.stuck:
        return
    schedule = stepped.schedule()
    again = run(workload, cluster, PolicyChoice("by-hand", {"picks": picks_of(schedule, dated=())}))
    assert bits(again) == bits(schedule)
    for start, candidates, place, rows, (response, now) in seen:
        task = schedule.sequence[start]
        columns = workload.columns
        assert candidates[place] == (columns.job[task], columns.kind[task])
        assert now == schedule.start[task]
        assert response == pytest.approx(naive_cost(schedule, now), abs=1e-6)
        naive = [naive_features(schedule, start, each) for each in candidates]
        assert np.allclose(rows, naive, rtol=1e-12, atol=1e-9)
    assert stepped.cost("makespan") == schedule.makespan
    assert stepped.cost("response") == pytest.approx(naive_cost(schedule, np.inf), abs=1e-6)


@pytest.mark.parametrize("engine", ["interpreted", "compiled"])
def test_weights_serve_the_smallest_sum_with_and_without_stops(engine) -> None:
    jobs = [
        make_job(f"J{i}", (2 + i % 3, 1.0 + i % 4), (i % 3, 2.0, 1.0, 0.5), arrival=0.7 * i)
        for i in range(12)
    ]
    workload, cluster = make_workload(*jobs), Cluster(3, 2)
    for weights in np.random.default_rng(5).normal(size=(6, len(FEATURES))):
        stepped = SteppedRun(workload, cluster)
        while stepped.candidates:
            sums = [sum(w * x for w, x in zip(weights, row, strict=True)) for row in stepped.features(99)]
            stepped.give(sums.index(min(sums)))
        assert bits(run(workload, cluster, weighed(weights), engine=engine)) == bits(stepped.schedule())


def test_the_first_in_line_is_fifo() -> None:
    stepped = SteppedRun(TWO, Cluster(2, 1))
    assert stepped.candidates == [(0, 0), (1, 0)]
    while stepped.candidates:
        stepped.give(0)
    assert bits(stepped.schedule()) == bits(run(TWO, Cluster(2, 1), PolicyChoice("fifo")))


def test_what_cannot_go_on_is_stuck() -> None:
    """A reduce takes the only container while the map that it waits for needs one."""
    workload = make_workload(make_job("J1", (2, (2.0, 3.0)), (1, 4.0)))
    stepped = SteppedRun(workload, Cluster(0, 0, 0.5, containers=1))
    assert stepped.candidates == [(0, 0), (0, 1)]
    stepped.give(1)
    assert stepped.candidates == []
    assert "no task can end" in stepped.stuck
    assert stepped.seconds_left() == 2.5


def test_hosts_that_ask_for_work_are_refused() -> None:
    with pytest.raises(InputError, match="cannot be stepped through on a cluster with overheads"):
        SteppedRun(TWO, Cluster(2, 2, overheads=Overheads(heartbeat=3.0, hosts=2)))


@examples(15)
@given(data=st.data())
def test_compiled_steps_show_and_give_the_same_bits(data: st.DataObject) -> None:
    """Side by side with the run that a naive twin has checked above."""
    workload = data.draw(lasting_workloads())
    cluster = data.draw(clusters(workload))
    if cluster.overheads is not None or not cluster.has_plain_slots:
        return
    most = data.draw(st.integers(2, 5))
    reward: Reward = data.draw(st.sampled_from(("makespan", "response")))
    one, other = SteppedRun(workload, cluster, most, reward), CompiledSteps(workload, cluster, most, reward)
    while True:
        shown = min(one.count, most)
        assert (other.count, other.stuck, other.slot_kind) == (one.count, one.stuck, one.slot_kind)
        assert (other.now, other.lost) == (one.now, one.lost)
        assert other.seen.tobytes() == one.seen.tobytes()
        assert other.jobs[:shown].tolist() == one.jobs[:shown].tolist()
        if not one.count:
            break
        place = data.draw(st.integers(0, shown - 1))
        one.give(place)
        other.give(place)
    assert bits(other.schedule()) == bits(one.schedule())
    assert other.seconds_left() == one.seconds_left()


def test_two_runs_of_one_workload_know_nothing_of_each_other() -> None:
    """By hand: two jobs of two maps of 1 s on two slots; whoever is served first ends first."""
    runs = [CompiledSteps(TWO, Cluster(2, 1), 4, "makespan") for _ in range(2)]
    for place, each in enumerate(runs):
        while each.count:
            each.give(min(place, each.count - 1))
    for place, each in enumerate(runs):
        again = SteppedRun(TWO, Cluster(2, 1), 4)
        while again.count:
            again.give(min(place, again.count - 1))
        assert bits(each.schedule()) == bits(again.schedule())


def test_steps_are_compiled_where_that_pays(monkeypatch) -> None:
    monkeypatch.setattr(compiled_step, "is_loaded", lambda: False)
    monkeypatch.setattr(compiled_steps, "is_cached", lambda _: False)
    few = type(stepped(TWO, Cluster(2, 1), 4, "makespan"))
    monkeypatch.setattr(compiled_steps, "interpreted_steps", lambda: 10_000_000)
    many = type(stepped(TWO, Cluster(2, 1), 4, "makespan"))
    assert (few, many) == (SteppedRun, CompiledSteps)
    containers = Cluster(0, 0, 0.5, containers=2)
    assert type(stepped(TWO, containers, 4, "makespan", "compiled")) is SteppedRun
