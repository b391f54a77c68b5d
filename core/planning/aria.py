"""How long a job's map stage and reduce stage last on given slots, without simulating (ARIA's bounds).

Source: 000 section 2.2, 001 section V.A. Two readings of ours, both marked below: terms for waves that do
not exist are clamped at 0, and a stage whose tasks all fit in one wave lasts exactly its longest task.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.workload import MAP, REDUCE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.cluster import Cluster
    from core.workload import TaskColumns, Workload

    Floats = NDArray[np.float64]


class Bounds(NamedTuple):
    """Lower and upper bound on a duration, per job, (jobs,)."""

    low: Floats
    up: Floats

    @property
    def mean(self) -> Floats:
        """The estimate: the middle of both bounds."""
        return (self.low + self.up) / 2


class PhaseProfile(NamedTuple):
    """Tasks of one phase per job: number, average and longest duration, each (jobs,)."""

    tasks: Floats
    average: Floats
    longest: Floats


def greedy_bounds(profile: PhaseProfile, slots: int) -> Bounds:
    """Bound the time in which `slots` slots process a phase's tasks greedily.

    ``low = n avg / k`` and ``up = (n - 1) avg / k + max`` (000 section 2.2). Where the tasks fit in one wave
    the phase lasts exactly its longest task, so both bounds are that (our reading: it makes the abstraction
    of 000 Figures 4 to 9 exact). A phase without tasks lasts 0.
    """
    tasks, average, longest = profile
    low = tasks * average / slots
    up = (tasks - 1) * average / slots + longest
    one_wave = tasks <= slots
    empty = tasks == 0
    return Bounds(
        np.where(empty, 0.0, np.where(one_wave, longest, low)),
        np.where(empty, 0.0, np.where(one_wave, longest, up)),
    )


def map_stage_bounds(workload: Workload, cluster: Cluster) -> Bounds:
    """Bound each job's map stage when it has all map slots of the cluster."""
    columns = workload.columns
    return greedy_bounds(_profile(columns, columns.duration, MAP), max(cluster.stage_slots[MAP], 1))


def reduce_stage_bounds(workload: Workload, cluster: Cluster) -> Bounds:
    """Bound each job's reduce stage when it has all reduce slots of the cluster.

    The part of the first shuffle that does not overlap the map stage, then the typical shuffles of the later
    waves, then the reduce phases (001 section V.A).
    """
    columns = workload.columns
    slots = max(cluster.stage_slots[REDUCE], 1)
    phase = _profile(columns, columns.duration, REDUCE)
    reduce = greedy_bounds(phase, slots)
    if cluster.shuffle_model == "mumak":
        return reduce
    first = _profile(columns, columns.first_shuffle, REDUCE)
    typical = _profile(columns, columns.typical_shuffle, REDUCE)
    later_low = np.maximum(phase.tasks / slots - 1, 0)  # ours: no less than no later wave
    later_up = np.maximum((phase.tasks - 1) / slots - 1, 0)
    last = np.where(phase.tasks > slots, typical.longest, 0.0)
    return Bounds(
        first.average + later_low * typical.average + reduce.low,
        first.longest + later_up * typical.average + last + reduce.up,
    )


def stage_estimates(workload: Workload, cluster: Cluster) -> tuple[Floats, Floats]:
    """Return the abstraction (m, r) of every job: estimated map and reduce stage in seconds, each (jobs,)."""
    return map_stage_bounds(workload, cluster).mean, reduce_stage_bounds(workload, cluster).mean


def _profile(columns: TaskColumns, seconds: Floats, kind: int) -> PhaseProfile:
    """Count, average and maximum of a column over each job's tasks of one kind; 0 where it has none."""
    count = columns.count.ravel()
    present = np.flatnonzero(count)
    begins = columns.first.ravel()[present]
    total, longest = np.zeros(len(count)), np.zeros(len(count))
    total[present] = np.add.reduceat(seconds, begins)
    longest[present] = np.maximum.reduceat(seconds, begins)
    average = total / np.maximum(count, 1)
    return PhaseProfile(
        count.reshape(-1, 2)[:, kind].astype(np.float64),
        average.reshape(-1, 2)[:, kind],
        longest.reshape(-1, 2)[:, kind],
    )
