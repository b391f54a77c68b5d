"""Spark's FIFO and FAIR: by hand, and against the slow loop with Spark's comparison written down again."""

from __future__ import annotations

from dataclasses import replace
from functools import cmp_to_key
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from core.model.cluster import Cluster
from core.model.errors import StalledError, UnknownName
from core.model.job import Job
from core.model.pool import Pool
from core.model.schedule import PolicyChoice
from core.model.slot_times import CONTAINER
from core.model.stages import Edge, Stage, StageGraph
from core.model.task_types import MAP, REDUCE
from core.model.workload import Workload
from core.simulation.simulate import simulate
from tests import random_tests
from tests.core.engine.compared import ENGINES
from tests.core.engine.slow_graphs import SlowLoop, SlowStage, linked, random_times, random_workload

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.schedule import Schedule
    from core.simulation.simulate import Engine

POOLS = "red", "blue", "Amber"


def run(
    workload: Workload, slots: int, policy: str, engine: Engine = "interpreted", **given: Any
) -> Schedule:
    return simulate(workload, Cluster(0, 0, containers=slots), PolicyChoice(policy, given), engine=engine)


# ---- by hand


def diamond(name: str, **given: Any) -> Job:
    """Stage 0 of two tasks, then 1 and 2 of one each beside one another, then 3, all tasks of 1 s."""
    graph = StageGraph((MAP, REDUCE, MAP, REDUCE), (Edge(0, 1), Edge(0, 2), Edge(1, 3), Edge(2, 3)))
    stages = tuple(Stage.of(count, 1.0) for count in (2, 1, 1, 1))
    return Job(name, stages=stages, graph=graph, **given)


@pytest.mark.parametrize("engine", ENGINES)
def test_fifo_goes_by_number_not_by_arrival(engine: Engine) -> None:
    """B stands first but arrives when A's first task has run: from then on it goes first."""
    jobs = Job("B", Stage.of(2, 1.0), arrival=1.0), Job("A", Stage.of(3, 1.0))
    workload = Workload("w", jobs)
    assert run(workload, 1, "spark-fifo", engine).start.tolist() == [1.0, 2.0, 0.0, 3.0, 4.0]
    assert run(workload, 1, "fifo", engine).start.tolist() == [3.0, 4.0, 0.0, 1.0, 2.0]


@pytest.mark.parametrize("engine", ENGINES)
def test_fifo_goes_by_number_inside_a_job(engine: Engine) -> None:
    """On one slot stage 1, of the type REDUCE, goes before stage 2, of the type MAP."""
    workload = Workload("w", (diamond("A"),))
    assert run(workload, 1, "spark-fifo", engine).start.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert run(workload, 1, "fifo", engine).start.tolist() == [0.0, 1.0, 3.0, 2.0, 4.0]


def first_wave(schedule: Schedule) -> list[int]:
    """Return how many tasks of each job start at 0."""
    job = schedule.workload.columns.job[schedule.start == 0]
    return np.bincount(job, minlength=len(schedule.workload.jobs)).tolist()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("pools", "share"),
    [
        ([], [2, 0, 2]),
        ([Pool("blue", weight=3.0)], [1, 0, 3]),
        ([Pool("red", min_map_slots=1, min_reduce_slots=2)], [3, 0, 1]),  # minShare is 3
        ([Pool("red", min_map_slots=1), Pool("blue", min_map_slots=2)], [2, 0, 2]),
    ],
)
def test_fair_shares_among_pools(pools: list[Pool], share: list[int], engine: Engine) -> None:
    jobs = [Job(name, Stage.of(9, 1.0), pool=name[:-1]) for name in ("red1", "red2", "blue1")]
    workload = Workload("w", tuple(jobs), pool_settings=tuple(pools))
    assert first_wave(run(workload, 4, "spark-fair", engine)) == share


def test_of_equal_pools_the_first_by_name_goes_first() -> None:
    jobs = tuple(Job(name, Stage.of(2, 1.0), pool=name) for name in ("red", "blue", "Amber"))
    assert first_wave(run(Workload("w", jobs), 1, "spark-fair")) == [0, 0, 1]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_pool_may_be_fair_inside(engine: Engine) -> None:
    jobs = tuple(Job(name, Stage.of(9, 1.0), pool=name[:-1]) for name in ("red1", "red2", "blue1"))
    workload = Workload("w", jobs)
    assert first_wave(run(workload, 4, "spark-fair", engine, fair_pools="red")) == [1, 1, 2]


def test_a_pool_that_is_not_there_is_a_sentence() -> None:
    workload = Workload("w", (Job("A", Stage.of(1, 1.0), pool="red"),))
    with pytest.raises(UnknownName, match="unknown pool 'rde'; did you mean 'red'"):
        run(workload, 1, "spark-fair", fair_pools="rde")


# ---- the twin


def spark_fifo(loop: SlowLoop, stage: SlowStage) -> Any:
    return stage.job, stage.number


def spark_fair(workload: Workload, fair_pools: tuple[str, ...]) -> Callable[[SlowLoop, SlowStage], Any]:
    """Return the preference of Spark's FAIR on untyped slots, by its comparison of two pools."""
    settings = {pool.name: pool for pool in workload.every_pool}
    members = {name: [j for j, job in enumerate(workload.jobs) if job.pool == name] for name in settings}

    def is_first(loop: SlowLoop, one: str, other: str) -> bool:
        running = [loop.running(*members[name]) for name in (one, other)]
        least = [settings[n].min_map_slots + settings[n].min_reduce_slots for n in (one, other)]
        needy = [runs < share for runs, share in zip(running, least, strict=True)]
        if needy[0] != needy[1]:
            return needy[0]
        divisors = (
            [max(share, 1.0) for share in least] if needy[0] else [settings[n].weight for n in (one, other)]
        )
        ratios = [runs / divisor for runs, divisor in zip(running, divisors, strict=True)]
        return ratios[0] < ratios[1] if ratios[0] != ratios[1] else one < other

    def prefer(loop: SlowLoop, stage: SlowStage) -> Any:
        def compared(one: str, other: str) -> int:
            return 0 if one == other else -1 if is_first(loop, one, other) else 1

        pool = workload.jobs[stage.job].pool
        inside = loop.running(stage.job) if pool in fair_pools else 0
        return cmp_to_key(compared)(pool), inside, stage.job, stage.number

    return prefer


def pooled(workload: Workload, draw: np.random.Generator) -> Workload:
    """Return a workload whose jobs are in pools with settings."""
    jobs = tuple(replace(job, pool=POOLS[draw.integers(3)]) for job in workload.jobs)
    settings = tuple(
        Pool(name, float(draw.integers(1, 4)), *draw.integers(0, 3, 2).tolist())
        for name in POOLS
        if draw.random() < 0.7
    )
    return replace(workload, jobs=jobs, pool_settings=settings)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("policy", ["spark-fifo", "spark-fair"])
def test_the_engine_is_the_slow_loop(policy: str, engine: Engine) -> None:
    draw = np.random.default_rng(20261126)
    compared, cases = 0, 1000 if random_tests.is_thorough else 120
    for case in range(cases):
        workload = pooled(random_workload(draw), draw)
        workload = linked(workload, draw) if case % 2 else workload
        times = random_times(draw, (CONTAINER,)) if draw.random() < 0.5 else ()
        part, slots = float(draw.integers(0, 3)) / 2, int(draw.integers(1, 6))
        cluster = Cluster(0, 0, part, containers=slots, slot_times=times)
        fair_pools = tuple({job.pool for job in workload.jobs}.intersection(POOLS[: draw.integers(3)]))
        given = {} if policy == "spark-fifo" else {"fair_pools": ",".join(fair_pools)}
        prefer = spark_fifo if policy == "spark-fifo" else spark_fair(workload, fair_pools)
        expected = SlowLoop(workload, cluster, prefer).tasks()
        if len(expected) < len(workload.columns.job):
            with pytest.raises(StalledError):
                simulate(workload, cluster, PolicyChoice(policy, given), engine=engine)
            continue
        compared += 1
        schedule = simulate(workload, cluster, PolicyChoice(policy, given), engine=engine)
        for name in ("slot", "start", "shuffled", "end"):
            assert getattr(schedule, name).tolist() == [task[name] for task in expected], (name, workload)
    assert compared > cases // 2
