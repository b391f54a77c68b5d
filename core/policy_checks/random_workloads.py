"""Small random workloads full of corner cases: stages without tasks, equal jobs, one slot, pools.

Drawn from a seed and a number, so that each can be drawn again by itself. Times are whole and half seconds
and often equal. Those that are `apart` have no two jobs alike in any number: nothing ties.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.model.cluster import Cluster
from core.model.job import Dataset, Job, scan_stage
from core.model.pool import Pool
from core.model.stages import Stage
from core.model.workload import Workload

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator

    from core.model.cluster import ShuffleModel

MAX_JOBS = 6
MAX_TASKS = 6
"""Of one stage."""
POOLS = ("red", "blue")
SLOWSTARTS = (0.05, 0.0, 0.5, 1.0)
SHUFFLES: tuple[ShuffleModel, ...] = ("simmr", "overlap", "mumak")
SECONDS = (1.0, 1.0, 2.0, 3.0, 0.5, 5.0, 0.0)
APART = 1 << 20
"""Added to the number of a workload that is drawn apart."""


def random_workload(seed: int, number: int) -> Workload:
    """Draw a workload with its cluster.

    Parameters
    ----------
    seed, number : 0 or more; the same two give the same workload
    """
    draw = np.random.Generator(np.random.PCG64([seed, number]))
    rare = {name: bool(draw.random() < share) for name, share in RARE.items()}
    jobs = tuple(_job(draw, f"J{i + 1}", rare) for i in range(int(draw.integers(1, MAX_JOBS + 1))))
    datasets: tuple[Dataset, ...] = ()
    if rare["scans"]:
        datasets = (Dataset("logs", int(draw.integers(2, 7)), 1.0, 0.5),)
        jobs = tuple(_scanning(job, datasets[0]) if draw.random() < 0.6 else job for job in jobs)
    pools = tuple(_pool(draw, name) for name in POOLS) if rare["settings"] else ()
    text = f"Drawn at random by the checks of policies: seed {seed}, number {number}."
    return Workload(
        f"random {number}",
        jobs,
        cluster=_cluster(draw, jobs, rare),
        description=text,
        pool_settings=pools,
        datasets=datasets,
    )


RARE = {
    "together": 0.4,
    "equal": 0.3,
    "pools": 0.45,
    "settings": 0.25,
    "weights": 0.3,
    "deadlines": 0.4,
    "containers": 0.25,
    "one slot": 0.15,
    "scans": 0.12,
    "shuffles": 0.5,
}
"""How often a workload has what."""


def _job(draw: Generator, name: str, rare: dict[str, bool]) -> Job:
    maps, reduces = (int(count) for count in draw.integers(0, MAX_TASKS + 1, 2))
    if maps + reduces == 0:
        maps = 1
    arrival = 0.0 if rare["together"] else float(draw.integers(0, 8))
    allowed = float(draw.integers(1, 30)) if rare["deadlines"] and draw.random() < 0.7 else None
    weight = float(draw.choice((0.5, 1.0, 2.0))) if rare["weights"] else 1.0
    shuffles = (_seconds(draw, rare), _seconds(draw, rare)) if rare["shuffles"] else (0.0, 0.0)
    return Job(
        name,
        Stage.of(maps, _seconds(draw, rare)),
        Stage.of(reduces, _seconds(draw, rare), *shuffles),
        arrival=arrival,
        deadline=None if allowed is None else arrival + allowed,
        weight=weight,
        pool=str(draw.choice(POOLS)) if rare["pools"] else "default",
    )


def _seconds(draw: Generator, rare: dict[str, bool]) -> float | Sequence[float]:
    if rare["equal"]:
        return 1.0
    return [float(each) for each in draw.choice(SECONDS, int(draw.integers(1, 4)))]


def _scanning(job: Job, dataset: Dataset) -> Job:
    return Job(
        job.name,
        arrival=job.arrival,
        pool=job.pool,
        weight=job.weight,
        dataset=dataset.name,
        stages=(scan_stage(dataset), *job.stages[1:]),
    )


def _pool(draw: Generator, name: str) -> Pool:
    return Pool(
        name,
        weight=float(draw.choice((1.0, 2.0, 0.5))),
        min_map_slots=int(draw.integers(0, 2)),
        min_reduce_slots=int(draw.integers(0, 2)),
        capacity=float(draw.choice((0.25, 0.5))),
    )


def _cluster(draw: Generator, jobs: Sequence[Job], rare: dict[str, bool]) -> Cluster:
    most = 1 if rare["one slot"] else 4
    slowstart, shuffle = float(draw.choice(SLOWSTARTS)), SHUFFLES[int(draw.integers(0, 3))]
    slots = [int(count) for count in draw.integers(1, most + 1, 2)]
    if rare["containers"]:
        return Cluster(0, 0, slowstart, shuffle, containers=slots[0])
    if not any(reduces.count for _, reduces in (job.stages for job in jobs)) and draw.random() < 0.5:
        slots[1] = 0
    return Cluster(slots[0], slots[1], slowstart, shuffle)


# ---- without ties


def workload_apart(seed: int, number: int) -> Workload:
    """Draw a workload in which no two jobs have a number in common, so that nothing ties; see `are_apart`."""
    draw = np.random.Generator(np.random.PCG64([seed, APART + number]))
    jobs: tuple[Job, ...] = ()
    while not jobs or not are_apart(jobs):
        count = int(draw.integers(2, 6))
        maps, reduces = (draw.permutation(8)[:count] for _ in range(2))
        jobs = tuple(
            Job(
                f"J{i + 1}",
                Stage.of(int(maps[i]), _any_seconds(draw)),
                Stage.of(int(reduces[i]), _any_seconds(draw), _any_seconds(draw), _any_seconds(draw)),
                arrival=float(np.round(draw.random() * 6, 3)),
                deadline=float(np.round(7 + draw.random() * 30, 3)),
                weight=float(np.round(0.5 + draw.random() * 2, 3)),
                pool=POOLS[i % 2] if number % 3 == 1 else "default",
            )
            for i in range(count)
        )
    slots = [int(each) for each in draw.integers(1, 5, 2)]
    cluster = Cluster(0, 0, containers=sum(slots)) if number % 4 == 3 else Cluster(slots[0], slots[1])
    text = f"Drawn at random by the checks of policies, no two jobs alike: seed {seed}, number {number}."
    settings = tuple(Pool(name, weight=1.0 + i / 7) for i, name in enumerate(POOLS))
    return Workload(
        f"random {number}",
        jobs,
        cluster=cluster,
        description=text,
        pool_settings=settings if number % 3 == 1 else (),
    )


def _any_seconds(draw: Generator) -> float:
    return float(np.round(0.3 + draw.random() * 4, 3))


def are_apart(jobs: Sequence[Job]) -> bool:
    """Whether every two jobs differ in arrival, weight, deadline, tasks and work, of either kind and in all.

    Jobs without maps tie in their maps, and so two of them are not apart; likewise reduces.
    """
    if any(job.task_count == 0 for job in jobs):
        return False
    return all(len({round(number, 9) for number in numbers}) == len(jobs) for numbers in _numbers(jobs))


def _numbers(jobs: Sequence[Job]) -> list[list[float]]:
    maps, reduces = zip(*(job.stages for job in jobs), strict=True)
    work = [[float(stage.task_durations.sum()) for stage in stages] for stages in (maps, reduces)]
    return [
        [job.arrival for job in jobs],
        [job.weight for job in jobs],
        [float("inf") if job.deadline is None else job.deadline for job in jobs],
        [stage.count for stage in maps],
        [stage.count for stage in reduces],
        [job.task_count for job in jobs],
        *work,
        [one + other for one, other in zip(*work, strict=True)],
        [float(stage.durations.max()) for stage in maps],
        [float(stage.durations.max()) for stage in reduces],
    ]
