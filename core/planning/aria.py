"""How long a job's map stage and reduce stage last on given slots, without simulating (ARIA's bounds).

Source: 000 section 2.2, 001 section V.A. Two readings of ours, both marked below: terms for waves that do
not exist are clamped at 0, and a stage whose tasks all fit in one wave lasts exactly its longest task.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.model.job import MAP, REDUCE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import TaskColumns, Workload

    Floats = NDArray[np.float64]
    Slots = int | NDArray[np.int64]


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


def greedy_bounds(profile: PhaseProfile, slots: Slots) -> Bounds:
    """Bound the time in which `slots` slots (one number, or one per job) process a phase's tasks greedily.

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


class StageProfiles(NamedTuple):
    """What the estimates need of a workload's jobs, gathered once: slots may then be changed quickly.

    Attributes
    ----------
    maps, reduces : durations of maps and of reduce phases
    first, typical : shuffles of the reduces, None where there is no shuffle
    """

    maps: PhaseProfile
    reduces: PhaseProfile
    first: PhaseProfile | None
    typical: PhaseProfile | None

    @classmethod
    def of(cls, workload: Workload, cluster: Cluster) -> StageProfiles:
        """Gather the profiles; of the cluster only the shuffle model counts."""
        columns = workload.columns
        maps, reduces = (_profile(columns, columns.duration, kind) for kind in (MAP, REDUCE))
        if cluster.shuffle_model == "mumak":
            return cls(maps, reduces, None, None)
        first = _profile(columns, columns.first_shuffle, REDUCE)
        return cls(maps, reduces, first, _profile(columns, columns.typical_shuffle, REDUCE))

    def map_bounds(self, slots: Slots) -> Bounds:
        """Bound each job's map stage when it has that many map slots (one number, or one per job)."""
        return greedy_bounds(self.maps, np.maximum(slots, 1))

    def reduce_bounds(self, slots: Slots) -> Bounds:
        """Bound each job's reduce stage when it has that many reduce slots, likewise (001 section V.A).

        The part of the first shuffle that does not overlap the map stage, then the typical shuffles of the
        later waves, then the reduce phases.
        """
        slots = np.maximum(slots, 1)
        reduce, tasks = greedy_bounds(self.reduces, slots), self.reduces.tasks
        if self.first is None or self.typical is None:
            return reduce
        later_low = np.maximum(tasks / slots - 1, 0)  # ours: no less than no later wave
        later_up = np.maximum((tasks - 1) / slots - 1, 0)
        last = np.where(tasks > slots, self.typical.longest, 0.0)
        return Bounds(
            self.first.average + later_low * self.typical.average + reduce.low,
            self.first.longest + later_up * self.typical.average + last + reduce.up,
        )


def map_stage_bounds(workload: Workload, cluster: Cluster) -> Bounds:
    """Bound each job's map stage when it has all map slots of the cluster."""
    return StageProfiles.of(workload, cluster).map_bounds(cluster.stage_slots[MAP])


def reduce_stage_bounds(workload: Workload, cluster: Cluster) -> Bounds:
    """Bound each job's reduce stage when it has all reduce slots of the cluster."""
    return StageProfiles.of(workload, cluster).reduce_bounds(cluster.stage_slots[REDUCE])


def stage_estimates(workload: Workload, cluster: Cluster) -> tuple[Floats, Floats]:
    """Return the abstraction (m, r) of every job: estimated map and reduce stage in seconds, each (jobs,)."""
    profiles = StageProfiles.of(workload, cluster)
    maps, reduces = cluster.stage_slots
    return profiles.map_bounds(maps).mean, profiles.reduce_bounds(reduces).mean


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
