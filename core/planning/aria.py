"""How long a job's stages last on given slots, and how few slots it needs, without simulating (ARIA).

Source: 000 section 2.2, 001 section V.A. Two readings of ours, both marked below: terms for waves that do
not exist are clamped at 0, and a stage whose tasks all fit in one wave lasts exactly its longest task.

The fewest slots: the estimate, the mean of both bounds, has the form ``a / S_M + b / S_R + C``; on the curve
where it equals the time allowed, S_M + S_R is smallest at a point that Lagrange's multipliers give. Ours: a
stage for which the cluster is too small gets all its slots, and the other stage then what the curve asks of
it; the whole slots above that point are then taken away again one by one, maps and reduces in turn, while the
finer estimate, in whole waves, still meets the deadline.

And what a job's overlap of shuffle and maps depends on (004 section IV.C): the paper measures both while the
job runs; we take them from the job itself.
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
    SlotCounts = NDArray[np.int64]

BYTES_PER_MEGABYTE = 1e6
ROUNDING = 1 + 1e-9
"""A deadline met but for rounding is met."""


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


def average_map_seconds(workload: Workload) -> Floats:
    """Return T_m: the mean duration of each job's maps in seconds, 0 for a job without maps, (jobs,)."""
    return _average(workload, workload.columns.duration, MAP)


def last_shuffle_seconds(workload: Workload, cluster: Cluster, bandwidth: float) -> Floats:
    """Return T_s: how long the shuffle of each job's last reduce takes, in seconds, (jobs,).

    ``T_s = d m / (B r)``: the bytes that all maps together hand over, split over the reduces, through the
    network (004 section IV.C.2). A job that does not say how many bytes it shuffles is known by its typical
    shuffle, whose mean then is T_s. Without a shuffle (the model "mumak") and without reduces it is 0.

    Parameters
    ----------
    bandwidth : B, what one reduce receives, in megabytes (10^6 bytes) per second
    """
    if cluster.shuffle_model == "mumak":
        return np.zeros(len(workload.jobs))
    typical = _average(workload, workload.columns.typical_shuffle, REDUCE)
    shuffled = np.array([np.nan if job.shuffle_bytes is None else job.shuffle_bytes for job in workload.jobs])
    reduces = workload.columns.count[:, REDUCE]
    per_reduce = np.where(reduces > 0, shuffled, 0.0) / np.maximum(reduces, 1)
    return np.where(np.isnan(per_reduce), typical, per_reduce / (bandwidth * BYTES_PER_MEGABYTE))


def _average(workload: Workload, seconds: Floats, kind: int) -> Floats:
    """Average a column over each job's tasks of one kind; 0 where it has none."""
    columns = workload.columns
    ours = columns.kind == kind
    total = np.bincount(columns.job[ours], weights=seconds[ours], minlength=len(workload.jobs))
    return total / np.maximum(columns.count[:, kind], 1)


class Hyperbola(NamedTuple):
    """The estimate ``a / S_M + b / S_R + c`` of every job, in seconds, (jobs,) each."""

    a: Floats
    b: Floats
    c: Floats


def fewest_slots(workload: Workload, cluster: Cluster) -> SlotCounts:
    """Return the map and reduce slots that each job needs to meet its deadline, (jobs, 2).

    A job that cannot meet it, or has none, needs all slots of the cluster; a stage without tasks needs none.
    """
    columns = workload.columns
    profiles = StageProfiles.of(workload, cluster)
    curve = hyperbola(profiles)
    allowed = columns.deadline - columns.arrival
    solvable = np.isfinite(allowed) & (allowed > curve.c)
    most = np.where(columns.count > 0, cluster.stage_slots, 0)
    time = np.where(solvable, allowed - curve.c, 1.0)
    slots = np.where(solvable[:, None], _lagrange_minimum(curve, time, most), most)
    return _shrunk(slots, np.where(solvable, allowed, -np.inf) * ROUNDING, profiles)


def hyperbola(profiles: StageProfiles) -> Hyperbola:
    """Return the mean of both bounds of 001 equation (1) as coefficients of 1 / S_M and 1 / S_R."""
    maps, reduces, first, typical = profiles
    a = (maps.tasks + np.maximum(maps.tasks - 1, 0)) / 2 * maps.average
    waves = (reduces.tasks + np.maximum(reduces.tasks - 1, 0)) / 2
    b, c = waves * reduces.average, maps.longest + reduces.longest
    if first is not None and typical is not None:
        b = b + waves * typical.average
        c = c + first.average + first.longest - 2 * typical.average + typical.longest
    return Hyperbola(a, b, c / 2)


def _lagrange_minimum(curve: Hyperbola, time: Floats, most: SlotCounts) -> SlotCounts:
    """Return the whole slots above the point of the curve where S_M + S_R is smallest, (jobs, 2)."""
    root_a, root_b = np.sqrt(curve.a), np.sqrt(curve.b)
    maps = _whole(root_a * (root_a + root_b) / time, most[:, MAP])
    reduces = _whole(root_b * (root_a + root_b) / time, most[:, REDUCE])
    # Where the cluster cuts one stage short, the curve says what the other one needs then.
    cut_maps, cut_reduces = maps == most[:, MAP], reduces == most[:, REDUCE]
    more_reduces = _other_stage(curve.b, time, curve.a, maps, most[:, REDUCE])
    more_maps = _other_stage(curve.a, time, curve.b, reduces, most[:, MAP])
    return np.stack(
        [
            np.where(cut_reduces, np.maximum(maps, more_maps), maps),
            np.where(cut_maps, np.maximum(reduces, more_reduces), reduces),
        ],
        axis=1,
    )


def _other_stage(own: Floats, time: Floats, other: Floats, slots: SlotCounts, most: SlotCounts) -> SlotCounts:
    """Solve ``own / S + other / slots = time`` for S; all slots if there is no such S."""
    left = time - other / np.maximum(slots, 1)
    needed = np.divide(own, left, out=np.full_like(own, np.inf), where=left > 0)
    return _whole(np.where(own > 0, needed, 0.0), most)


def _whole(slots: Floats, most: SlotCounts) -> SlotCounts:
    """Round up to whole slots: at least one where there are tasks, at most those of the cluster."""
    rounded: SlotCounts = np.clip(np.ceil(slots / ROUNDING), np.minimum(most, 1), most).astype(np.int64)
    return rounded


def _shrunk(slots: SlotCounts, allowed: Floats, profiles: StageProfiles) -> SlotCounts:
    """Take slots away, a map and a reduce slot in turn, while the estimate still meets the deadline."""
    shrinking = True
    while shrinking:
        shrinking = False
        for kind in (MAP, REDUCE):
            fewer = slots.copy()
            fewer[:, kind] -= 1
            meets = (fewer[:, kind] > 0) & (_estimate(profiles, fewer) <= allowed)
            slots = np.where(meets[:, None], fewer, slots)
            shrinking = shrinking or bool(meets.any())
    return slots


def _estimate(profiles: StageProfiles, slots: SlotCounts) -> Floats:
    """Return the estimated completion time of every job on slots of its own, (jobs,)."""
    maps, reduces = slots.T
    return profiles.map_bounds(maps).mean + profiles.reduce_bounds(reduces).mean
