"""Policies that give running tasks up: compiled as interpreted, and both as a slow loop over lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from core.model.cluster import Cluster
from core.model.errors import InputError, StalledError
from core.model.job import Job
from core.model.schedule import PolicyChoice
from core.model.stages import Stage
from core.model.workload import Workload
from core.policies.own_policies import register_policy
from core.policies.policy import MAP, REDUCE, Policy
from core.simulation.simulate import Simulation, simulate
from tests.core.engine.compared import ENGINES, bits
from tests.core.engine.slow_graphs import MODELS, linked, random_times, random_workload
from tests.core.engine.slow_preemption import Part, SlowPreemption
from tests.random_tests import draws

if TYPE_CHECKING:
    from core.model.schedule import Schedule
    from tests.core.engine.slow_graphs import SlowLoop, SlowStage


class FewestLeft(Policy):
    """The job with the fewest tasks left goes first, and takes slots of jobs with more."""

    id = "fewest-left"

    def key(job: Any) -> Any:
        return job.tasks[MAP] + job.tasks[REDUCE] - job.done[MAP] - job.done[REDUCE]

    def preempt(job: Any, rival: Any) -> Any:
        mine = job.tasks[MAP] + job.tasks[REDUCE] - job.done[MAP] - job.done[REDUCE]
        return mine - (rival.tasks[MAP] + rival.tasks[REDUCE] - rival.done[MAP] - rival.done[REDUCE])


class LatestFirst(Policy):
    """The job that came last goes first, and takes the slot of the task that has longest to go, or is new."""

    id = "latest-first"

    def key(job: Any) -> Any:
        return -job.arrival

    def preempt(job: Any, rival: Any, elapsed: Any, remaining: Any, kind: Any) -> Any:
        if job.arrival >= rival.arrival:
            return 0.0
        return remaining if kind == MAP else 8.0 - elapsed


class FewestLeftSuspends(FewestLeft):
    """The same, and what it gives up goes on later."""

    id = "fewest-left-suspends"
    suspends = True


class LatestFirstSuspends(LatestFirst):
    """The same, and what it gives up goes on later."""

    id = "latest-first-suspends"
    suspends = True


POLICIES = (FewestLeft, LatestFirst, FewestLeftSuspends, LatestFirstSuspends)


@pytest.fixture(autouse=True)
def _known() -> None:
    for policy in POLICIES:
        register_policy(policy.id, policy)


def left(loop: SlowLoop, j: int) -> int:
    return sum(loop.jobs[j].stages[s.number].count - s.done for s in loop.stages[j])


def prefer(policy: type[Policy]) -> Any:
    def preference(loop: SlowLoop, stage: SlowStage) -> Any:
        job = loop.jobs[stage.job]
        key = -loop.arrival(job) if issubclass(policy, LatestFirst) else left(loop, stage.job)
        return key, job.graph.task_types[stage.number], loop.order.index(stage.job), stage.number

    return preference


def worth(policy: type[Policy]) -> Any:
    def latest(loop: SlowLoop, stage: SlowStage, task: dict[str, float], rival: SlowStage) -> float:
        job, other = loop.jobs[stage.job], loop.jobs[rival.job]
        if loop.arrival(job) >= loop.arrival(other):
            return 0.0
        is_map = job.graph.task_types[stage.number] == MAP
        return task["end"] - loop.now if is_map else 8.0 - (loop.now - task["start"])

    def fewest(loop: SlowLoop, stage: SlowStage, _task: dict[str, float], rival: SlowStage) -> float:
        return left(loop, stage.job) - left(loop, rival.job)

    return latest if issubclass(policy, LatestFirst) else fewest


def parts_of(schedule: Schedule) -> list[Part]:
    """Return what came to no end, by slot, then start."""
    history = schedule.given_up
    if history is None:
        return []
    run, lost = history.run, history.given_up
    assert lost is not None
    columns = schedule.workload.columns
    return [
        Part(
            int(run.job[i]),
            int(columns.stages.number[columns.stage[lost.task[i]]]),
            int(run.task[i]),
            int(history.extra_slot[i]),
            float(run.start[i]),
            float(run.end[i]),
            int(lost.rival[i]),
            history.looks[i] == "suspended",
        )
        for i in range(len(history.extra))
    ]


def random_cluster(draw: np.random.Generator) -> Cluster:
    slowstart, model = float(draw.integers(0, 3)) / 2, MODELS[draw.integers(2)]
    form = draw.integers(3)
    if form == 0:
        return Cluster(0, 0, slowstart, model, containers=int(draw.integers(1, 5)))
    maps, reduces = draw.integers(1, 5, 2).tolist()
    times = random_times(draw, (MAP, REDUCE)) if form == 1 else ()
    return Cluster(maps, reduces, slowstart, model, slot_times=times)


@pytest.mark.parametrize("policy", POLICIES)
def test_both_engines_are_the_slow_loop(policy: type[Policy]) -> None:
    draw = np.random.default_rng(20261128)
    compared = given_up = 0
    for _ in range(draws(250)):
        workload, cluster = random_workload(draw), random_cluster(draw)
        if draw.random() < 0.3:
            workload = linked(workload, draw)
        loop = SlowPreemption(workload, cluster, prefer(policy), worth(policy), suspends=policy.suspends)
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
            assert parts_of(schedule) == sorted(loop.parts, key=lambda part: (part.slot, part.start))
            assert np.sort(schedule.sequence).tolist() == list(range(schedule.tasks))
            assert (np.diff(schedule.start[schedule.sequence]) >= 0).all()
        given_up += bool(loop.parts)
    assert compared > draws(150)
    assert given_up > draws(50)


def test_both_engines_agree_to_the_last_bit() -> None:
    draw = np.random.default_rng(7)
    for _ in range(draws(60)):
        workload, cluster = random_workload(draw), random_cluster(draw)
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
            assert parts_of(one) == parts_of(other)


TWO = Workload("two", (Job("A", Stage.of(4, 10.0)), Job("B", Stage.of(1, 2.0), arrival=3.0)))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_killed_task_runs_again_and_a_suspended_one_goes_on(engine: Any) -> None:
    """B comes at 3 s and takes slot 0 until 5 s; 3 s of A's first map are lost, or not."""
    killed = simulate(TWO, Cluster(2, 0), PolicyChoice("fewest-left"), engine=engine)
    assert killed.start.tolist() == [5, 0, 10, 15, 3]
    assert killed.makespan == 25
    assert parts_of(killed) == [Part(0, 0, 0, 0, 0.0, 3.0, 1, False)]
    suspended = simulate(TWO, Cluster(2, 0), PolicyChoice("fewest-left-suspends"), engine=engine)
    assert suspended.end.tolist() == [12, 10, 20, 22, 5]
    assert parts_of(suspended) == [Part(0, 0, 0, 0, 0.0, 3.0, 1, True)]


def test_a_copy_of_a_run_goes_on_on_its_own() -> None:
    whole = simulate(TWO, Cluster(2, 0), PolicyChoice("fewest-left-suspends"))
    run = Simulation(TWO, Cluster(2, 0), PolicyChoice("fewest-left-suspends"), engine="interpreted")
    run.advance_until(4.0)
    twin = run.fork()
    for each in (twin, run):
        while not each.advance():
            pass
        assert bits(each.schedule()) == bits(whole)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_run_stops_before_any_start(engine: Any) -> None:
    whole = simulate(TWO, Cluster(2, 0), PolicyChoice("fewest-left"))
    for place in range(5):
        run = Simulation(TWO, Cluster(2, 0), PolicyChoice("fewest-left"), engine=engine)
        decision = run.advance_to_start(whole.starts_before(place))
        assert decision is not None
        assert decision.job == TWO.columns.job[whole.sequence[place]]
        assert run.now == whole.start[whole.sequence[place]]
        while not run.advance():
            pass
        assert bits(run.schedule()) == bits(whole)


def test_what_is_not_modelled_is_refused() -> None:
    from core.model.nodes import NodeGroup, Request
    from core.model.overheads import Overheads

    choice = PolicyChoice("fewest-left")
    nodes = Cluster(
        0, 0, nodes=(NodeGroup(1, 4, 4),), map_request=Request(1, 1), reduce_request=Request(1, 1)
    )
    with pytest.raises(InputError, match="not modelled with nodes with memory and cores"):
        simulate(TWO, nodes, choice)
    with pytest.raises(InputError, match="not modelled with overheads"):
        simulate(TWO, Cluster(2, 1, overheads=Overheads()), choice)
