"""Builders of workloads, schedules and rows for the tests of charts."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from core.charts.appearance import Appearance
from core.charts.class_colours import job_colours
from core.charts.palette import tones_of_colours
from core.charts.row_columns import RowColumns
from core.measures.job_classes import ClassedBy, JobClass, JobClasses
from core.model.cluster import Cluster
from core.model.job import Job
from core.model.schedule import PolicyChoice, Schedule
from core.model.stages import Stage
from core.model.workload import Workload
from core.simulation.simulate import simulate


def make_workload(jobs=5, slots=6, seed=1, slowstart=0.3, names=None, **cluster) -> Workload:
    """Jobs with uneven tasks; with an early slowstart some reduces are fillers."""
    random = np.random.default_rng(seed)
    made = []
    for i in range(jobs):
        maps, reduces = (int(n) for n in random.integers(slots, 3 * slots, 2))
        made.append(
            Job(
                names[i] if names else f"J{i + 1}",
                Stage.of(maps, random.uniform(3, 9, maps)),
                Stage.of(
                    reduces,
                    random.uniform(3, 9, reduces),
                    random.uniform(1, 2, reduces),
                    random.uniform(2, 6, reduces),
                ),
            )
        )
    its = Cluster(**cluster) if cluster else Cluster(slots, slots, slowstart)
    return Workload("test", tuple(made), its)


def make_schedule(workload=None, policy="fifo", order=None, **workload_options) -> Schedule:
    workload = workload or make_workload(**workload_options)
    return simulate(workload, workload.cluster, PolicyChoice(policy), order=order, engine="interpreted")


def make_rows(rows=6, tasks=20, jobs=5, seed=3, span=100.0, reduces=0.5, idle=0.2) -> RowColumns:
    """Random rows, back to back with some idle time, maps and reduces mixed."""
    random = np.random.default_rng(seed)
    length = random.exponential(1.0, (rows, tasks)) + 0.05
    length *= span / length.sum(axis=1, keepdims=True)
    end = np.cumsum(length, axis=1)
    start = end - length * np.where(random.random((rows, tasks)) < idle, 0.6, 1.0)
    is_reduce = random.random((rows, tasks)) < reduces
    shuffled = np.where(is_reduce, start + (end - start) * random.random((rows, tasks)), start)
    code = random.integers(0, jobs, (rows, tasks)) << 1 | is_reduce
    return frozen_rows(np.arange(rows + 1) * tasks, start, shuffled, end, code, random.uniform(0, span, jobs))


def frozen_rows(offsets, start, shuffled, end, code, stage_end) -> RowColumns:
    """Row columns from anything that looks like arrays."""
    start, end = np.ravel(np.asarray(start, float)), np.ravel(np.asarray(end, float))
    offsets = np.asarray(offsets, np.int64)
    shortest = [
        min((b - a for a, b in zip(start[low:high], end[low:high], strict=True) if b > a), default=np.inf)
        for low, high in pairwise(offsets)
    ]
    rows = RowColumns(
        offsets,
        np.array(shortest),
        start,
        np.ravel(np.asarray(shuffled, float)),
        end,
        np.ravel(np.asarray(code)).astype(np.int32),
        np.asarray(stage_end, float),
    )
    for column in rows:
        column.flags.writeable = False
    return rows


def job_by_job(jobs=5) -> JobClasses:
    """The classes of so few jobs that each is one of its own."""
    classes = tuple(JobClass(f"J{job + 1}", 1, job) for job in range(jobs))
    return JobClasses(ClassedBy.JOB, classes, np.arange(jobs), np.zeros(jobs, np.int64))


def job_tones(jobs=5, dark=False):
    """The tones that charts give to so few jobs, (jobs, 6)."""
    return tones_of_colours(job_colours(job_by_job(jobs), Appearance(dark)), Appearance(dark))


def random_tones(jobs=5, seed=9):
    return np.random.default_rng(seed).integers(0, 1 << 24, (jobs, 6))
