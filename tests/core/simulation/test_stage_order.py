"""A policy may say in which order a job's stages are served: against the slow loop, explained, forked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from core.explain.decisions import decision_reason
from core.explain.task_reason import task_reason
from core.model.cluster import Cluster
from core.model.errors import PolicyError, StalledError
from core.model.schedule import Fork, PolicyChoice
from core.policies import registry
from core.policies.policy import Policy
from core.simulation.fork import simulate_fork
from core.simulation.simulate import Simulation, simulate
from tests import random_tests
from tests.core.engine.compared import ENGINES, bits
from tests.core.engine.slow_graphs import SlowLoop, SlowStage, linked, random_workload

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from core.model.workload import Workload
    from core.policies.policy import JobRow
    from core.simulation.simulate import Engine

CASES = 300 if random_tests.is_thorough else 60


class LargestStage(Policy):
    """FIFO, and of a job's stages the one with the most tasks, of equal ones the last one."""

    id = "largest-stage-here"

    @staticmethod
    def stage_key(tasks: NDArray[np.int32], number: NDArray[np.int32]) -> tuple[Any, ...]:
        return -tasks, -number


class FewestRunning(Policy):
    """The job that runs fewest tasks, then the stage that comes first; the last stage of a job first."""

    id = "fewest-running-here"

    @staticmethod
    def stage_key(number: NDArray[np.int32]) -> NDArray[np.int32]:
        return -number

    @staticmethod
    def key(job: JobRow, kind: int) -> tuple[int, int]:
        return job.running[0] + job.running[1], job.stage_place[kind]


class Odd(Policy):
    """Divides by a number of tasks that may be 0."""

    id = "odd-stage-here"

    @staticmethod
    def stage_key(tasks: NDArray[np.int32]) -> list[float]:
        return [float("nan") if count == 0 else 1.0 for count in tasks.tolist()]


def largest(loop: SlowLoop, stage: SlowStage) -> Any:
    count = loop.jobs[stage.job].stages[stage.number].count
    return loop.order.index(stage.job), -count, -stage.number


def fewest(loop: SlowLoop, stage: SlowStage) -> Any:
    place = len(loop.jobs[stage.job].stages) - 1 - stage.number
    return loop.running(stage.job), place, loop.order.index(stage.job)


TWINS = {LargestStage.id: largest, FewestRunning.id: fewest}


@pytest.fixture(autouse=True, scope="module")
def known() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "POLICIES", (*registry.POLICIES, LargestStage, FewestRunning, Odd))
        yield


def random_case(draw: np.random.Generator) -> tuple[Workload, Cluster]:
    workload = linked(random_workload(draw), draw)
    if draw.random() < 0.5:
        return workload, Cluster(2, 2, float(draw.integers(0, 3)) / 2)
    return workload, Cluster(0, 0, float(draw.integers(0, 3)) / 2, containers=int(draw.integers(2, 5)))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("policy", TWINS)
def test_equal_to_the_slow_loop(policy: str, engine: Engine) -> None:
    draw, compared = np.random.default_rng(4), 0
    for _ in range(CASES):
        workload, cluster = random_case(draw)
        if policy == FewestRunning.id and not cluster.has_containers:
            cluster = Cluster(0, 0, cluster.slowstart, containers=3)  # on typed slots the types come first
        expected = SlowLoop(workload, cluster, TWINS[policy]).tasks()
        if len(expected) < len(workload.columns.job):
            with pytest.raises(StalledError):
                simulate(workload, cluster, PolicyChoice(policy), engine=engine)
            continue
        compared += 1
        schedule = simulate(workload, cluster, PolicyChoice(policy), engine=engine)
        for name in ("slot", "start", "shuffled", "end"):
            assert getattr(schedule, name).tolist() == [task[name] for task in expected], (name, workload)
    assert compared > CASES // 4  # in the others fillers hold all slots


@pytest.mark.parametrize("policy", TWINS)
def test_decisions_are_explained_as_they_are_taken(policy: str) -> None:
    draw, explained = np.random.default_rng(6), 0
    for _ in range(CASES // 6):
        workload, cluster = random_case(draw)
        run = Simulation(workload, cluster, PolicyChoice(policy), engine="interpreted")
        try:
            while (decision := run.advance_to_start(run.started)) is not None:
                reason = decision_reason(run)
                assert reason is not None
                assert reason.winner is not None
                assert (reason.winner.job, reason.winner.kind) == (decision.job, decision.kind)
                assert reason.candidates[0] is reason.winner
                assert reason.sentences
                explained += 1
                if run.advance_to_start(run.started + 1) is None:
                    break
        except StalledError:
            continue
        schedule = run.schedule()
        for task in range(schedule.tasks):
            assert task_reason(schedule, task).why_then
    assert explained > CASES


def test_a_fork_goes_on_in_the_order_of_the_new_policy() -> None:
    draw = np.random.default_rng(8)
    for _ in range(CASES // 2):
        workload, cluster = random_case(draw)
        before, after = PolicyChoice("fifo"), PolicyChoice(LargestStage.id)
        stop = float(draw.integers(0, 12)) / 2
        try:
            one, other = (
                simulate_fork(workload, cluster, after, Fork(stop, 0, before), engine=engine)
                for engine in ENGINES
            )
            whole = simulate(workload, cluster, after, engine="interpreted")
            from_begin = simulate_fork(workload, cluster, after, Fork(0.0, 0, before), engine="interpreted")
        except StalledError:
            continue
        assert bits(one) == bits(other)
        assert bits(from_begin) == bits(whole)


def test_what_a_stage_key_does_wrong_is_a_sentence() -> None:
    draw = np.random.default_rng(1)
    workload = next(
        each for each in iter(lambda: random_workload(draw), None) if (each.columns.stages.count == 0).any()
    )
    said = "odd-stage-here: stage_key returned nan, which is no number, for stage [0-9] of J[0-9]; return"
    with pytest.raises(PolicyError, match=said):
        simulate(workload, Cluster(2, 2), PolicyChoice(Odd.id))
