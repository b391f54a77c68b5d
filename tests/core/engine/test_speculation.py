"""Policies with second copies of tasks: compiled as interpreted, and both as a slow loop over lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from core.model.cluster import Cluster
from core.model.errors import InputError, PolicyError, StalledError
from core.model.execution_history import FIRST
from core.model.job import Job
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from core.policies.own_policies import register_policy
from core.policies.policy import Policy
from core.simulation.simulate import Simulation, simulate
from tests.core.engine.compared import ENGINES, bits
from tests.core.engine.slow_graphs import by_arrival, linked, random_workload
from tests.core.engine.slow_speculation import Lost, SlowSpeculation, with_stragglers
from tests.core.engine.test_preemption import random_cluster
from tests.random_tests import draws

if TYPE_CHECKING:
    from core.model.schedule import Schedule
    from tests.core.engine.slow_graphs import SlowLoop, SlowStage
    from tests.core.engine.slow_speculation import Facts


class SavesMost(Policy):
    """FIFO; a copy where it would end before the task does, the one that saves most first."""

    id = "saves-most"

    def speculate(remaining: Any, usual: Any) -> Any:
        return remaining - usual


class Slowest(Policy):
    """The job that came last first; copies of the slower half, two at a time, where no task waits."""

    id = "slowest"

    def key(job: Any) -> Any:
        return -job.arrival

    def speculate(kind: Any, remaining: Any, faster: Any, cluster: Any) -> Any:
        if cluster.pending[kind] > 0 or cluster.copies[kind] >= 2 or faster < 0.5:
            return 0.0
        return remaining


class Eager(Policy):
    """No job holds more than two slots of a kind; a copy of everything, of jobs that hold least first."""

    id = "eager"

    def admits(job: Any, kind: Any) -> Any:
        return job.running[kind] < 2

    def speculate(job: Any, kind: Any, slot: Any, elapsed: Any) -> Any:
        return (elapsed + slot) / job.running[kind]


POLICIES = (SavesMost, Slowest, Eager)


@pytest.fixture(autouse=True)
def _known() -> None:
    for policy in POLICIES:
        register_policy(policy.id, policy)


def prefer(policy: type[Policy]) -> Any:
    def preference(loop: SlowLoop, stage: SlowStage) -> Any:
        job = loop.jobs[stage.job]
        kind = job.graph.task_types[stage.number]
        return -loop.arrival(job), kind, loop.order.index(stage.job), stage.number

    return preference if policy is Slowest else by_arrival


def admits(policy: type[Policy]) -> Any:
    def may_have(loop: SlowSpeculation, stage: SlowStage) -> bool:
        kind = loop.jobs[stage.job].graph.task_types[stage.number]
        return policy is not Eager or loop.running_of(stage.job, kind) < 2

    return may_have


def worth(policy: type[Policy]) -> Any:
    def of_copy(loop: SlowSpeculation, stage: SlowStage, facts: Facts) -> float:
        if policy is SavesMost:
            return facts.remaining - facts.usual
        if policy is Eager:
            return (facts.elapsed + facts.slot_type) / loop.running_of(stage.job, facts.kind)
        waits = any(
            loop.waits(each)
            for j in loop.order
            for each in loop.stages[j]
            if loop.jobs[j].graph.task_types[each.number] == facts.kind
        )
        kinds = [loop.jobs[loop.on_slot[slot][0].job].graph.task_types for slot in loop.copy_of]
        numbers = [loop.on_slot[slot][0].number for slot in loop.copy_of]
        copies = sum(types[number] == facts.kind for types, number in zip(kinds, numbers, strict=True))
        return 0.0 if waits or copies >= 2 or facts.faster < 0.5 else facts.remaining

    return of_copy


def lost_of(schedule: Schedule) -> list[Lost]:
    """Return the copies that came to nothing, by slot, then start."""
    history = schedule.given_up
    if history is None:
        return []
    run, lost = history.run, history.given_up
    assert lost is not None
    columns = schedule.workload.columns
    return [
        Lost(
            int(run.job[i]),
            int(columns.stages.number[columns.stage[lost.task[i]]]),
            int(run.task[i]),
            int(history.extra_slot[i]),
            float(run.start[i]),
            float(run.end[i]),
            int(lost.outrun[i]) == FIRST,
        )
        for i in range(len(history.extra))
    ]


def random_case(draw: np.random.Generator) -> tuple[Workload, Cluster]:
    workload = with_stragglers(random_workload(draw), draw)
    return (linked(workload, draw) if draw.random() < 0.3 else workload), random_cluster(draw)


@pytest.mark.parametrize("policy", POLICIES)
def test_both_engines_are_the_slow_loop(policy: type[Policy]) -> None:
    draw = np.random.default_rng(20261128)
    compared = first = second = 0
    for _ in range(draws(300)):
        workload, cluster = random_case(draw)
        loop = SlowSpeculation(workload, cluster, prefer(policy), worth(policy), admits(policy))
        expected = loop.tasks()
        if len(expected) < len(workload.columns.job) or len(loop.ended) < len(workload.jobs):
            continue  # fillers hold all slots that what they wait for needs
        compared += 1
        for engine in ENGINES:
            schedule = simulate(workload, cluster, PolicyChoice(policy.id), engine=engine)
            for name in ("slot", "start", "shuffled", "end"):
                found = getattr(schedule, name).tolist()
                assert found == [task[name] for task in expected], (engine, name, workload, cluster)
            assert schedule.finish.tolist() == [loop.ended[job.name] for job in workload.jobs]
            assert lost_of(schedule) == sorted(loop.lost, key=lambda lost: (lost.slot, lost.start, lost.end))
            assert np.sort(schedule.sequence).tolist() == list(range(schedule.tasks))
            assert (np.diff(schedule.start[schedule.sequence]) >= 0).all()
        first += any(each.was_first for each in loop.lost)
        second += any(not each.was_first for each in loop.lost)
    assert compared > draws(200)
    assert first > draws(40)
    assert policy is SavesMost or second > draws(40)  # that one only starts copies that win


def test_both_engines_agree_to_the_last_bit() -> None:
    draw = np.random.default_rng(7)
    for _ in range(draws(60)):
        workload, cluster = random_case(draw)
        for policy in POLICIES:
            runs = [
                Simulation(workload, cluster, PolicyChoice(policy.id), engine=engine) for engine in ENGINES
            ]
            try:
                for run in runs:
                    while not run.advance(instants=3):
                        pass
            except StalledError:
                continue
            one, other = (run.schedule() for run in runs)
            assert bits(one) == bits(other)
            assert lost_of(one) == lost_of(other)


FOUR = Workload("four", (Job("A", Stage.of(4, [40.0, 10.0, 10.0, 10.0])),))
"""At 10 s three maps have ended; the first one has 30 s to go."""


class Always(Policy):
    """FIFO; a copy of every task that a slot is free for."""

    id = "always"

    def speculate(elapsed: Any) -> Any:
        return elapsed


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("first", "lost"),
    [
        (40.0, Lost(0, 0, 0, 0, 0.0, 20.0, True)),
        (20.0, Lost(0, 0, 0, 1, 10.0, 20.0, False)),
        (15.0, Lost(0, 0, 0, 1, 10.0, 15.0, False)),
    ],
)
def test_the_first_of_two_copies_to_end_counts(engine: Any, first: float, lost: Lost) -> None:
    """A copy takes 10 s from 10 s on: it wins, or ends with the first one, which then counts, or later."""
    register_policy("always", Always)
    workload = Workload("four", (Job("A", Stage.of(4, [first, 10.0, 10.0, 10.0])),))
    schedule = simulate(workload, Cluster(4, 0), PolicyChoice("always"), engine=engine)
    assert lost_of(schedule) == [lost]
    won = lost.was_first
    assert schedule.end.tolist() == [lost.end, 10, 10, 10]
    assert schedule.start.tolist() == [10 if won else 0, 0, 0, 0]
    assert schedule.slot.tolist() == [1 if won else 0, 1, 2, 3]
    assert schedule.sequence.tolist() == ([1, 2, 3, 0] if won else [0, 1, 2, 3])


SEVERAL = Workload(
    "several",
    (
        Job("A", Stage.of(4, [40.0, 10.0, 10.0, 10.0]), Stage.of(2, [30.0, 5.0], 2.0, 3.0)),
        Job("B", Stage.of(3, [4.0, 25.0, 4.0]), arrival=3.0),
    ),
)


def test_a_copy_of_a_run_goes_on_on_its_own() -> None:
    whole = simulate(SEVERAL, Cluster(4, 2), PolicyChoice("saves-most"))
    assert len(lost_of(whole)) > 1
    run = Simulation(SEVERAL, Cluster(4, 2), PolicyChoice("saves-most"), engine="interpreted")
    run.advance_until(15.0)
    twin = run.fork()
    for each in (twin, run):
        while not each.advance():
            pass
        assert bits(each.schedule()) == bits(whole)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_run_stops_before_any_start(engine: Any) -> None:
    whole = simulate(SEVERAL, Cluster(4, 2), PolicyChoice("saves-most"))
    for place in range(whole.tasks):
        run = Simulation(SEVERAL, Cluster(4, 2), PolicyChoice("saves-most"), engine=engine)
        decision = run.advance_to_start(whole.starts_before(place))
        assert decision is not None
        assert decision.job == SEVERAL.columns.job[whole.sequence[place]]
        assert run.now == whole.start[whole.sequence[place]]
        while not run.advance():
            pass
        assert bits(run.schedule()) == bits(whole)


def test_what_is_not_modelled_is_refused() -> None:
    from core.model.nodes import NodeGroup, Request
    from core.model.overheads import Overheads

    choice = PolicyChoice("saves-most")
    nodes = Cluster(
        0, 0, nodes=(NodeGroup(1, 4, 4),), map_request=Request(1, 1), reduce_request=Request(1, 1)
    )
    with pytest.raises(
        InputError, match=r"copies of tasks run \(speculate\), which is not modelled with nodes"
    ):
        simulate(SEVERAL, nodes, choice)
    with pytest.raises(InputError, match="not modelled with overheads"):
        simulate(SEVERAL, Cluster(2, 1, overheads=Overheads()), choice)

    class Both(SavesMost):
        def preempt(job: Any) -> Any:
            return 0

    register_policy("both", Both)
    with pytest.raises(PolicyError, match="has both preempt and speculate; write one of them"):
        simulate(SEVERAL, Cluster(2, 1), PolicyChoice("both"))
