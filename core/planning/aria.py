"""How long a job's stages last on given slots, and how few slots it needs, without simulating (ARIA).

Source: 000 section 2.2, 001 section V.A; orders are computed from the formulas as printed, also where all
tasks of a stage fit in one wave. Ours: terms for waves that do not exist are clamped at 0. No term grows with
the slots, so that no estimate rises when slots are added. And where a duration is told or has to meet a
deadline, a stage with a slot for each of its tasks lasts no longer than its longest task, which is certain:
so the abstraction of 000 Figures 4 to 9 is exact.

The fewest slots: a bound, or the mean of both, has the form ``a / S_M + b / S_R + C``; on the curve where it
equals the time allowed, S_M + S_R is smallest at a point that Lagrange's multipliers give. Ours: a stage has
no more slots than tasks, nor than the cluster has; where that is less than the point says, the other stage
gets what the curve then asks of it. The whole slots above that point are taken away again one by one, maps
and reduces in turn, while the durations of both stages together still meet the deadline.

And what a job's overlap of shuffle and maps depends on (004 section IV.C): the paper measures both while the
job runs; we take them from the job itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from core.model.job import MAP, REDUCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import TaskColumns, Workload

    Floats = NDArray[np.float64]
    Slots = int | NDArray[np.int64]
    SlotCounts = NDArray[np.int64]

Estimate = Literal["low", "mean", "up"]
"""Which of the bounds, or the mean of both, is taken for how long a job lasts."""

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

    ``low = n avg / k`` and ``up = (n - 1) avg / k + max`` (000 section 2.2): 5 tasks of 4 s on 2 slots take
    10 to 12 s, on 5 slots 4 to 7.2 s. A phase without tasks lasts 0.
    """
    tasks, average, longest = profile
    return Bounds(tasks * average / slots, (tasks - 1) * average / slots + longest)


class StageProfiles(NamedTuple):
    """What the estimates need of a workload's jobs, gathered once: slots may then be changed quickly.

    Attributes
    ----------
    maps, reduces : durations of maps and of reduce phases
    first, typical : shuffles of the reduces, of 0 s where there is no shuffle
    """

    maps: PhaseProfile
    reduces: PhaseProfile
    first: PhaseProfile
    typical: PhaseProfile

    @classmethod
    def of(cls, workload: Workload, cluster: Cluster) -> StageProfiles:
        """Gather the profiles; of the cluster only the shuffle model counts."""
        columns = workload.columns
        maps, reduces = (_profile(columns, columns.duration, kind) for kind in (MAP, REDUCE))
        share = 0.0 if cluster.shuffle_model == "mumak" else 1.0
        first, typical = columns.first_shuffle * share, columns.typical_shuffle * share
        return cls(maps, reduces, _profile(columns, first, REDUCE), _profile(columns, typical, REDUCE))

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
        later_low = np.maximum(tasks / slots - 1, 0)  # ours: no less than no later wave
        later_up = np.maximum((tasks - 1) / slots - 1, 0)
        last = np.where(tasks > slots, self.typical.longest, 0.0)
        return Bounds(
            self.first.average + later_low * self.typical.average + reduce.low,
            self.first.longest + later_up * self.typical.average + last + reduce.up,
        )

    def durations(
        self, map_slots: Slots, reduce_slots: Slots, estimate: Estimate = "mean"
    ) -> tuple[Floats, Floats]:
        """Return how long the map and the reduce stage of each job last on so many slots, in s, (jobs,) each.

        That is the estimate, and where each task has a slot not more than the longest task: 30 tasks of 4 s
        on 30 slots are estimated 5.9 s (the mean of 4 and 7.9) and last 4 s.
        """
        of_maps: Floats = getattr(self.map_bounds(map_slots), estimate)
        of_reduces: Floats = getattr(self.reduce_bounds(reduce_slots), estimate)
        one_map_wave, one_reduce_wave = map_slots >= self.maps.tasks, reduce_slots >= self.reduces.tasks
        longest = self.first.longest + self.reduces.longest
        return (
            np.where(one_map_wave, np.minimum(of_maps, self.maps.longest), of_maps),
            np.where(one_reduce_wave, np.minimum(of_reduces, longest), of_reduces),
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


def fewest_slots(workload: Workload, cluster: Cluster, estimate: Estimate = "mean") -> SlotCounts:
    """Return the map and reduce slots that each job needs to meet its deadline, (jobs, 2).

    A job never needs more slots than it has tasks. One that cannot meet its deadline, or has none, needs all
    that it can use; a stage without tasks needs none.

    Parameters
    ----------
    estimate : what has to meet the deadline: the lower bound, the upper bound or the mean of both
    """
    columns = workload.columns
    profiles = StageProfiles.of(workload, cluster)
    curve = hyperbola(profiles, estimate)
    allowed = columns.deadline - columns.arrival
    solvable = np.isfinite(allowed) & (allowed > curve.c)
    most = np.minimum(columns.count, cluster.stage_slots)
    time = np.where(solvable, allowed - curve.c, 1.0)
    slots = np.where(solvable[:, None], _lagrange_minimum(curve, time, most), most)
    limit = np.where(solvable, allowed, -np.inf) * ROUNDING

    def meets(fewer: SlotCounts) -> NDArray[np.bool_]:
        maps, reduces = profiles.durations(fewer[:, MAP], fewer[:, REDUCE], estimate)
        return maps + reduces <= limit

    return _shrunk(slots, meets)


def hyperbola(profiles: StageProfiles, estimate: Estimate = "mean") -> Hyperbola:
    """Return a bound of 001 equation (1), or the mean of both, as coefficients of 1 / S_M and 1 / S_R."""
    maps, reduces, first, typical = profiles
    per_reduce = typical.average + reduces.average
    low = Hyperbola(maps.tasks * maps.average, reduces.tasks * per_reduce, first.average - typical.average)
    up = Hyperbola(
        np.maximum(maps.tasks - 1, 0) * maps.average,
        np.maximum(reduces.tasks - 1, 0) * per_reduce,
        maps.longest + first.longest - typical.average + typical.longest + reduces.longest,
    )
    mean = Hyperbola(*((one + other) / 2 for one, other in zip(low, up, strict=True)))
    return {"low": low, "mean": mean, "up": up}[estimate]


def _lagrange_minimum(curve: Hyperbola, time: Floats, most: SlotCounts) -> SlotCounts:
    """Return the whole slots above the point of the curve where S_M + S_R is smallest, (jobs, 2)."""
    root_a, root_b = np.sqrt(curve.a), np.sqrt(curve.b)
    maps = _whole(root_a * (root_a + root_b) / time, most[:, MAP])
    reduces = _whole(root_b * (root_a + root_b) / time, most[:, REDUCE])
    # Where one stage is cut short, the curve says what the other one needs then.
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
    """Round up to whole slots: at least one where there are tasks, at most so many."""
    rounded: SlotCounts = np.clip(np.ceil(slots / ROUNDING), np.minimum(most, 1), most).astype(np.int64)
    return rounded


def _shrunk(slots: SlotCounts, meets: Callable[[SlotCounts], NDArray[np.bool_]]) -> SlotCounts:
    """Take slots away, a map and a reduce slot in turn, while the deadline is still met."""
    shrinking = True
    while shrinking:
        shrinking = False
        for kind in (MAP, REDUCE):
            fewer = slots.copy()
            fewer[:, kind] -= 1
            enough = (fewer[:, kind] > 0) & meets(fewer)
            slots = np.where(enough[:, None], fewer, slots)
            shrinking = shrinking or bool(enough.any())
    return slots
