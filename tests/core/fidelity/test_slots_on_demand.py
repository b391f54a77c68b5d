"""Executors come and go as Spark would have it: a twin goes tenth by tenth of a second."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

import numpy as np
import pytest

from core.fidelity.slots_on_demand import slots_on_demand
from core.model.executors_on_demand import ExecutorsOnDemand
from core.model.job import Job, Link
from core.model.schedule import PolicyChoice, Schedule
from core.model.stages import Edge, Stage, StageGraph
from core.model.task_types import MAP
from core.model.workload import Workload
from core.simulation.simulate import simulate

if TYPE_CHECKING:
    from core.model.cluster import Cluster

SIZE = 2


def _jobs(stages: list[list[int]], think: float) -> Workload:
    """Return jobs of one stage each, one after the other; tasks in tenths of a second."""
    graph = StageGraph((MAP,), ())
    jobs = [
        Job(
            f"j{place}",
            stages=(Stage.of(len(tasks), [each / 10 for each in tasks]),),
            graph=graph,
            after=(Link(f"j{place - 1}", think),) if place else (),
        )
        for place, tasks in enumerate(stages)
    ]
    return Workload("chain", jobs=tuple(jobs))


def _found(workload: Workload, demand: ExecutorsOnDemand, most: int) -> tuple[Cluster, Schedule]:
    def run(cluster: Cluster) -> Schedule:
        return simulate(workload, cluster, PolicyChoice("fifo"))

    cluster = slots_on_demand(run, demand, SIZE, most, 0.0)
    return cluster, run(cluster)


def _twin(stages: list[list[int]], think: int, demand: ExecutorsOnDemand, most: int) -> list[list[float]]:
    """Return the executors as [opens, closes], in tenths of a second, by going through these one by one.

    Which executors idle goes by how many tasks run, as the module says; tasks start in their order.
    """
    backlog, sustained, idle_for, start = (
        round(10 * each) for each in (demand.backlog, demand.sustained, demand.idle, demand.start)
    )
    target = min(max(demand.initial, demand.least, 1), most)
    executors: list[list[float]] = [[0, inf] for _ in range(target)]
    idle_since: dict[int, int] = {}
    waits, running = list(stages[0]), list[int]()
    left, resumes = [list(each) for each in stages[1:]], -1
    step, asks, now = 1, inf, 0
    while waits or running or left:
        running = [end for end in running if end > now]
        is_over = not waits and not running and bool(left)
        resumes = now + think if is_over and resumes < now else resumes
        waits = left.pop(0) if resumes == now else waits
        there = [e for e in range(len(executors)) if executors[e][0] <= now < executors[e][1]]
        while waits and len(running) < SIZE * len(there):
            running.append(now + waits.pop(0))
        idle_since = {e: idle_since.get(e, now) for e in there[len(running) :]}
        wanted = -(-(len(waits) + len(running)) // SIZE)
        if not waits:
            step, asks = 1, inf
        elif asks == inf:
            asks = now + backlog
        target = max(min(target, wanted), demand.least)
        if asks <= now:
            was = target
            target = max(min(max(target, len(there)) + step, wanted, most), demand.least)
            step = 2 * step if target - was == step else 1
            asks = now + sustained
            alive = sum(each[1] > now for each in executors)
            executors += [[now + start, inf] for _ in range(max(target - alive, 0))]
        spare = len(there) - max(demand.least, target)
        for e in [
            e for e in sorted(idle_since, key=idle_since.__getitem__) if now >= idle_since[e] + idle_for
        ]:
            executors[e][1] = now if spare > 0 else inf
            spare -= 1
        now += 1
    return [each for each in executors if each[1] > each[0] and each[0] < now]


@pytest.mark.parametrize("seed", range(60))
def test_the_same_as_a_twin_that_goes_through_every_tenth_of_a_second(seed: int) -> None:
    draw = np.random.default_rng(seed)
    stages = [draw.integers(5, 60, draw.integers(1, 15)).tolist() for _ in range(draw.integers(1, 5))]
    think = int(draw.integers(10, 60))
    demand = ExecutorsOnDemand(
        least=int(draw.integers(0, 2)),
        initial=int(draw.integers(0, 3)),
        backlog=float(draw.integers(1, 3)),
        sustained=1.0,
        idle=float(draw.integers(2, 6)),
        keeps_shuffles=False,
        start=float(draw.integers(1, 4)),
    )
    most = int(draw.integers(1, 6))
    cluster, schedule = _found(_jobs(stages, think / 10), demand, most)
    found = [[0.0, inf]] * (cluster.containers // SIZE)
    for each in cluster.slot_times:
        found += [[each.opens, each.closes]] * (each.slots // SIZE)
    end = schedule.makespan
    wanted = [[opens / 10, closes / 10] for opens, closes in _twin(stages, think, demand, most)]
    assert _by_then(found, end) == _by_then(wanted, end)


def _by_then(executors: list[list[float]], end: float) -> list[tuple[float, float]]:
    """Return what is decided before the last task ends."""
    return sorted(
        (round(opens, 1), round(closes, 1) if closes < end - 1e-6 else inf)
        for opens, closes in executors
        if opens < end - 1e-6
    )


def test_an_executor_that_keeps_a_shuffle_stays() -> None:
    graph = StageGraph((MAP, MAP), (Edge(0, 1),))
    jobs = (
        Job("a", stages=(Stage.of(8, 10.0), Stage.of(1, 1.0)), graph=graph),
        Job("b", stages=(Stage.of(1, 1.0),), graph=StageGraph((MAP,), ()), after=(Link("a", 60.0),)),
    )
    work = Workload("w", jobs=jobs)
    keeps, gives = (
        _found(work, ExecutorsOnDemand(1, 1, idle=5.0, keeps_shuffles=keeps), 4)[0].slot_times
        for keeps in (True, False)
    )
    assert all(each.closes == inf for each in keeps)
    assert any(each.closes < inf for each in gives)


def test_first_tasks_of_new_executors_begin_later() -> None:
    work = _jobs([[100] * 8], 0.0)
    plain, _ = _found(work, ExecutorsOnDemand(initial=1), 4)
    slow, _ = _found(work, ExecutorsOnDemand(initial=1, warm_up=0.5), 4)
    assert [each.opens + 0.5 for each in plain.slot_times] == [each.opens for each in slow.slot_times]
