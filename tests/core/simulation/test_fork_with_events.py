"""Going on from an instant where nodes fail, return and get slower: another policy, or other times."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from core.forecast.begin import known_at
from core.forecast.forecast import forecast
from core.forecast.submitted import submit
from core.model.cluster import Cluster
from core.model.errors import InputError, StalledError
from core.model.event_nodes import worked_seconds
from core.model.job import Job
from core.model.node_events import NodeEvent, NodeEvents
from core.model.schedule import PolicyChoice, Schedule
from core.model.stages import Stage
from core.simulation.fork import fork_of, simulate_fork
from core.simulation.other_times import TaskTimes, later, workload_with
from core.simulation.simulate import Simulation, simulate
from tests.core.engine.compared import ENGINES, bits
from tests.core.engine.slow_failures import SlowFailures
from tests.core.engine.slow_graphs import MODELS, random_workload
from tests.core.engine.test_failures import (
    CHOICES,
    ONE,
    TWICE,
    of_map_reduce,
    parts_of,
    prefer,
    random_cluster,
    random_events,
)
from tests.core.engine.test_failures import (
    _known as _known,
)
from tests.random_tests import draws

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.model.workload import Workload
    from core.simulation.simulate import Engine


def drawn(seed: int, count: int) -> Iterator[tuple[Workload, Cluster, np.random.Generator]]:
    """Yield workloads and clusters on which things happen, outputs kept on some and lost on others."""
    draw = np.random.default_rng(seed)
    for number in range(count):
        if number % 2:
            yield random_workload(draw), random_cluster(draw), draw
            continue
        nodes, (maps, reduces) = int(draw.integers(1, 4)), draw.integers(1, 6, 2).tolist()
        slowstart, model = float(draw.integers(0, 3)) / 2, MODELS[draw.integers(2)]
        events = random_events(draw, nodes, nodes, "lost")
        yield of_map_reduce(draw), Cluster(maps, reduces, slowstart, model, events=events), draw


def whole(workload: Workload, cluster: Cluster, choice: str) -> Schedule | None:
    """Return the schedule; None where it comes to no end."""
    try:
        return simulate(workload, cluster, PolicyChoice(choice), engine="interpreted")
    except StalledError:
        return None


def instants(schedule: Schedule) -> list[float]:
    """Return when something happens, and times between."""
    assert schedule.cluster.events is not None
    happen = [each.time for each in schedule.cluster.events.happen if each.time <= schedule.makespan]
    times = np.unique([0.0, *schedule.start, *schedule.end, *happen])
    between: list[float] = (times + 0.25).tolist()
    return [*times.tolist(), *between]


@pytest.mark.parametrize("engine", ENGINES)
def test_the_same_policy_goes_on_as_if_nothing_had_been(engine: Engine) -> None:
    """At any instant, and after some of its starts; a policy with an order of tasks of its own among them."""
    compared = 0
    for place, choice in enumerate((*CHOICES, "fair", "johnson")):
        for workload, cluster, draw in drawn(place, draws(16)):
            first = whole(workload, cluster, choice)
            if first is None:
                continue
            times = instants(first)
            for time in draw.choice(times, min(4, len(times)), replace=False).tolist():
                fork = fork_of(first, time, int(draw.integers(0, 3)))
                again = simulate_fork(workload, cluster, PolicyChoice(choice), fork, engine=engine)
                assert bits(again) == bits(first), (choice, time, workload, cluster)
                assert parts_of(again) == parts_of(first)
                compared += 1
    assert compared > draws(200)


@pytest.mark.parametrize("engine", ENGINES)
def test_another_policy_goes_on_as_the_slow_loop_does(engine: Engine) -> None:
    """The slow loop asks the first policy before the time, and the other one from then on."""
    draw, compared, lost = np.random.default_rng(77), 0, 0
    for workload, cluster, _ in drawn(5, draws(60)):
        one, other = draw.choice(CHOICES, 2, replace=False).tolist()
        first = whole(workload, cluster, one)
        if first is None:
            continue
        time = float(draw.choice(instants(first)))
        loop = SlowFailures(workload, cluster, changing(one, other, time))
        expected = loop.tasks()
        if len(loop.ended) < len(workload.jobs):
            continue
        found = simulate_fork(workload, cluster, PolicyChoice(other), fork_of(first, time), engine=engine)
        for name in ("slot", "start", "shuffled", "end"):
            assert getattr(found, name).tolist() == [task[name] for task in expected], (one, other, time)
        assert sorted(parts_of(found)) == sorted(loop.parts)
        compared, lost = compared + 1, lost + bool(loop.parts)
    assert compared > draws(40)
    assert lost > draws(15)


def changing(one: str, other: str, time: float) -> Any:
    """Return the preference of a policy up to a time, and of another one from then on."""
    before, after = prefer(one), prefer(other)
    return lambda loop, stage: (before if loop.now < time else after)(loop, stage)


@pytest.mark.parametrize("engine", ENGINES)
def test_what_goes_on_with_longer_times_equals_a_run_from_the_beginning(engine: Engine) -> None:
    """The policies know no times, and what has ended by then takes as long in both."""
    draw, compared, slowed = np.random.default_rng(8), 0, 0
    for place, (workload, cluster, _) in enumerate(drawn(21, draws(80))):
        choice = CHOICES[place % len(CHOICES)]
        first = whole(workload, cluster, choice)
        if first is None:
            continue
        time = float(draw.choice(instants(first)))
        times = longer_times(first, time, draw)
        other = workload_with(workload, times)
        beginning = whole(other, cluster, choice)
        run = Simulation(workload, cluster, PolicyChoice(choice), engine=engine)
        run.advance_until(time)
        after = run.with_times(times)
        if beginning is None:
            with pytest.raises(StalledError):
                after.advance_until(np.inf)
            continue
        after.advance_until(np.inf)
        assert bits(after.schedule()) == bits(beginning), (choice, time, workload, cluster)
        assert parts_of(after.schedule()) == parts_of(beginning)
        compared += 1
        happen = cluster.events.happen if cluster.events else ()
        slowed += any(each.kind == "speed" and each.time < time for each in happen)
    assert compared > draws(50)
    assert slowed > draws(20)


def longer_times(first: Schedule, time: float, draw: np.random.Generator) -> TaskTimes:
    """Return times of which those are longer, by halves, of what has not ended by a time, and never had."""
    here, columns = known_at(first, time).schedule, first.workload.columns
    had_ended = here.end <= time
    if here.given_up is not None and here.given_up.given_up is not None:
        parts = here.given_up.given_up
        had_ended[parts.task[parts.lost == 2]] = True
    fetched = had_ended | (here.shuffled <= time)
    more = [draw.integers(0, 4, len(had_ended)) / 2 for _ in range(3)]
    fetches = columns.stages.has_parents[columns.stage]
    return TaskTimes(
        columns.duration + np.where(had_ended, 0, more[0]),
        columns.first_shuffle + np.where(fetched | ~fetches, 0, more[1]),
        columns.typical_shuffle + np.where(fetched | ~fetches, 0, more[2]),
    )


def test_a_task_that_was_slowed_has_worked_less() -> None:
    """From 10 s on the first node runs at half its speed, from 20 s on at full speed again."""
    happen = (NodeEvent(10.0, 0, "speed", 0.5), NodeEvent(20.0, 0, "speed", 1.0))
    cluster = Cluster(2, 0, events=NodeEvents(2, happen))
    slots = np.array([0, 0, 0, 1], np.int32)
    begin = np.array([4.0, 12.0, 21.0, 4.0])
    assert worked_seconds(cluster, slots, begin, 24.0).tolist() == [15.0, 8.0, 3.0, 20.0]
    assert worked_seconds(cluster, slots[:1], begin[:1], 14.0).tolist() == [8.0]
    assert later(4.0, 15.0, [(10.0, 0.5), (20.0, 1.0)]) == 24.0


def test_what_is_lost_later_has_not_been_lost() -> None:
    """At 12 s maps 0 and 1 have ended, 2 and 3 run: that N1 fails at 15 s is not known of the tasks."""
    schedule = simulate(
        ONE, Cluster(2, 1, 1.0, events=replace(TWICE, map_outputs="lost")), PolicyChoice("fifo")
    )
    assert schedule.start.tolist() == [20, 0, 30, 10, 40]
    known = known_at(schedule, 12.0)
    assert known.has_ended.tolist() == [True, True, False, False, False]
    assert known.duration.longer_than.tolist() == [0, 0, 2, 2, 0]
    later_on = known_at(schedule, 17.0)
    assert later_on.has_started.tolist() == [False, True, False, True, False]


def test_a_night_with_a_failed_node_is_forecast() -> None:
    """With durations that are known every draw is what is simulated; a job that comes delays the rest."""
    cluster = Cluster(2, 1, 1.0, events=replace(TWICE, map_outputs="lost"))
    schedule = simulate(ONE, cluster, PolicyChoice("fifo"))
    for time in (5.0, 12.0, 17.0, 32.0):
        found = forecast(schedule, time, error=0.0, runs=19)
        assert found.makespan.tolist() == [schedule.makespan] * 19
    drawn_ends = forecast(schedule, 12.0, error=0.3, runs=20).makespan
    assert len(set(drawn_ends.tolist())) > 10
    late = Job("late", Stage.of(2, 10.0), Stage.of(0, 0.0))
    found_with = submit(schedule, [late], 25.0, error=0.0, runs=19)
    joined = simulate(found_with.forecast.known.schedule.workload, cluster, PolicyChoice("fifo"))
    assert found_with.forecast.finish[0].tolist() == joined.finish.tolist()


def test_a_fork_and_a_run_of_scans_still_do_not_go_together() -> None:
    first = simulate(ONE, Cluster(2, 1, events=TWICE), PolicyChoice("fifo"))
    with pytest.raises(InputError, match="events out"):
        simulate_fork(ONE, first.cluster, PolicyChoice("flex"), fork_of(first, 5.0))
