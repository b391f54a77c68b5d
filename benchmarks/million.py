"""A schedule of any size without simulating: tasks packed on slots, for benchmarks of the chart alone."""

from __future__ import annotations

import numpy as np

from core.model.cluster import Cluster
from core.model.job import Job
from core.model.schedule import PolicyChoice, Schedule
from core.model.stages import Stage
from core.model.workload import Workload

JOBS, SLOTS = 100, 256


def packed_schedule(tasks: int, seed: int = 7) -> Schedule:
    """Return about `tasks` tasks of 100 jobs on 256+256 slots, half of them reduces with a shuffle."""
    random = np.random.default_rng(seed)
    each = tasks // (2 * JOBS)
    jobs = tuple(
        Job(
            f"J{i + 1}",
            Stage.of(each, random.lognormal(2, 0.6, each)),
            Stage.of(each, random.lognormal(1.6, 0.6, each), 1.0, random.lognormal(1, 0.5, each)),
        )
        for i in range(JOBS)
    )
    workload = Workload(f"{tasks} tasks", jobs, Cluster(SLOTS, SLOTS))
    columns = workload.columns
    count = len(columns.duration)
    slot = np.where(columns.kind == 0, 0, SLOTS) + random.integers(0, SLOTS, count)
    whole = columns.duration + columns.typical_shuffle
    order = np.argsort(slot, kind="stable")  # on each slot the jobs follow one another
    ends = np.cumsum(whole[order])
    begins = np.r_[0, np.flatnonzero(np.diff(slot[order])) + 1]
    before = np.repeat(ends[begins] - whole[order][begins], np.diff(np.r_[begins, count]))
    end = np.empty(count)
    end[order] = ends - before
    start = end - whole
    stage_end = np.zeros(JOBS)
    finish = np.maximum.reduceat(end, columns.first[:, 0])
    return Schedule(
        workload=workload,
        cluster=workload.cluster,
        choice=PolicyChoice("fifo"),
        order=None,
        slot=slot.astype(np.int32),
        sequence=np.argsort(start, kind="stable").astype(np.int32),
        start=start,
        shuffled=start + columns.typical_shuffle,
        end=end,
        stage_end=stage_end,
        finish=finish,
        rank=np.arange(JOBS, dtype=np.int32),
        events=2 * count + 3 * JOBS,
        simulate_seconds=0.0,
    )
