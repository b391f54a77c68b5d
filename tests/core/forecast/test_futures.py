"""What is drawn of spot nodes: each draw is a night of its own, and equals one that is simulated whole."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.forecast.advice import advise
from core.forecast.forecast import forecast
from core.forecast.submitted import submit
from core.model.cluster import Cluster
from core.model.event_nodes import count_of_nodes
from core.model.node_events import NodeEvent, NodeEvents, SpotNodes, drawn_anew
from core.model.schedule import PolicyChoice, Schedule
from core.simulation.simulate import Engine, simulate
from tests.builders import make_job, make_workload

WORKLOAD = make_workload(make_job("J", (40, 10.0), (4, 5.0)), make_job("K", (20, 10.0), arrival=30.0))
SPOT = SpotNodes(2, 90.0, seed=3, back_after=12.0, until=400.0)
EVENTS = NodeEvents(4, (NodeEvent(20.0, 0), NodeEvent(45.0, 0, "returns")), spot=SPOT)
CLUSTER = Cluster(4, 4, events=EVENTS)
TIME = 60.0


def night() -> Schedule:
    return simulate(WORKLOAD, CLUSTER, PolicyChoice("fifo"))


@pytest.mark.parametrize("engine", ["interpreted", "compiled"])
def test_each_draw_is_the_night_that_is_simulated_with_its_events(engine: Engine) -> None:
    schedule = night()
    found = forecast(schedule, TIME, error=0.0, runs=19, engine=engine)
    assert len(set(found.makespan.tolist())) > 5
    for number in range(19):
        events = drawn_anew(EVENTS, count_of_nodes(CLUSTER), TIME, (1, number))
        whole = simulate(WORKLOAD, replace(CLUSTER, events=events), PolicyChoice("fifo"))
        assert np.array_equal(found.finish[number], whole.finish)
    before = schedule.start <= TIME
    assert np.array_equal(
        found.likely.start[before & (schedule.end <= TIME)], schedule.start[before & (schedule.end <= TIME)]
    )


def test_what_has_happened_stays_and_who_is_away_is_back_when_it_would_be() -> None:
    """By hand: of what is drawn by 60 s all is kept; a node away then returns 12 s after it vanished."""
    given = [event for event in EVENTS.in_order(4) if event.time <= TIME]
    for number in range(20):
        anew = drawn_anew(EVENTS, 4, TIME, (1, number))
        assert anew.spot is None
        assert [event for event in anew.in_order(4) if event.time <= TIME] == given
        for node in (2, 3):
            mine = [event for event in anew.in_order(4) if event.node == node]
            assert [event.kind for event in mine[::2]] == ["fails"] * len(mine[::2])
            gaps = [back.time - gone.time for gone, back in zip(mine[::2], mine[1::2], strict=False)]
            assert gaps == pytest.approx([12.0] * len(gaps))


def test_nodes_that_do_not_come_back_stay_away_and_none_vanishes_after_the_last_time() -> None:
    once = NodeEvents(4, spot=SpotNodes(4, 1000.0, seed=1))
    assert drawn_anew(once, 4, 60.0, (1,)).in_order(4) == once.in_order(4)  # all are gone already
    until = NodeEvents(4, spot=replace(SPOT, until=100.0))
    times = [
        event.time
        for n in range(20)
        for event in drawn_anew(until, 4, 60.0, (n,)).happen
        if event.kind == "fails"
    ]
    assert 60.0 < max(times) <= 100.0


def test_nodes_vanish_as_often_as_their_rate_says() -> None:
    """90 an hour for each of 2 nodes, which are there for 40 of 52 s: 138 in an hour, 277 in two."""
    long = replace(EVENTS, spot=replace(SPOT, until=TIME + 7200.0))
    drawn = [drawn_anew(long, 4, TIME, (number,)).happen for number in range(50)]
    counts = [sum(event.kind == "fails" and event.time > TIME for event in each) for each in drawn]
    assert np.mean(counts) == pytest.approx(277, abs=8)


def test_the_same_seed_draws_the_same_failures_and_a_job_meets_the_same_ones() -> None:
    schedule = night()
    first, again, other = (forecast(schedule, TIME, error=0.0, runs=19, seed=seed) for seed in (1, 1, 2))
    assert first.finish.tobytes() == again.finish.tobytes() != other.finish.tobytes()
    late = submit(schedule, [make_job("late", (1, 1.0))], TIME, error=0.0, runs=19)
    assert late.without.tobytes() == first.finish.tobytes()


def test_advice_is_tried_on_the_same_failures() -> None:
    steps = advise(night(), TIME, error=0.0, runs=19)
    wider = next(step for step in steps if step.relief.kind == "slots")
    cluster = wider.relief.cluster
    assert cluster is not None
    assert cluster.events is not None
    own = [event for event in cluster.events.happen if event.node >= 4]
    for number, ends in enumerate(wider.after):
        events = drawn_anew(EVENTS, 4, TIME, (1, number))
        both = replace(cluster.events, happen=(*events.happen, *own))
        whole = simulate(WORKLOAD, replace(cluster, events=both), PolicyChoice("fifo"))
        assert np.array_equal(ends, whole.finish)
    assert all(
        step.before.tobytes() == forecast(night(), TIME, error=0.0, runs=19).finish.tobytes()
        for step in steps[:1]
    )
