"""How long a job's stages last on given slots, and how few slots it needs, without simulating (ARIA).

Source: 000 section 2.2, 001 section V.A; orders are computed from the formulas as printed, also where all
tasks of a stage fit in one wave. Ours: terms for waves that do not exist are clamped at 0. No term grows with
the slots, so that no estimate rises when slots are added. And where a duration is told or has to meet a
deadline, a stage with a slot for each of its tasks lasts no longer than its longest task, which is certain:
so the abstraction of 000 Figures 4 to 9 is exact.

The fewest slots: the paper's point on the curve where the estimate equals the time allowed, by Lagrange's
multipliers, is where S_M + S_R is smallest among all real numbers. Slots are whole, a stage has no more of
them than tasks, nor than the cluster has, and in one wave it lasts less than the curve says: rounding that
point up is not the fewest. Ours: every number of map slots is tried, each with the fewest reduce slots that
then meet the deadline.

And what a job's overlap of shuffle and maps depends on (004 section IV.C): the paper measures both while the
job runs; we take them from the job itself.

A job of other stages than maps and reduces is estimated stage by stage, ours: what those of either type take
one after the other is its map stage and its reduce stage. Two map stages of 30 tasks of 4 s on 30 slots are
estimated 11.8 s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from core.model.task_types import MAP, REDUCE, TASK_TYPES

if TYPE_CHECKING:
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
NEVER = np.iinfo(np.int64).max


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


class TypeProfile(NamedTuple):
    """What the estimates need of the stages of one type.

    Attributes
    ----------
    job : of each stage, ascending, int64 (stages,)
    jobs : how many there are
    own : what follows the shuffle
    first, typical : the shuffles, of 0 s where there are none
    """

    job: SlotCounts
    jobs: int
    own: PhaseProfile
    first: PhaseProfile
    typical: PhaseProfile

    def stage_bounds(self, slots: Slots) -> Bounds:
        """Bound each stage when it has that many slots (one number, or one per stage) (001 section V.A).

        The part of the first shuffle that does not overlap the stages before it, then the typical shuffles of
        the later waves, then what follows the shuffle.
        """
        slots = np.maximum(slots, 1)
        own, tasks = greedy_bounds(self.own, slots), self.own.tasks
        later_low = np.maximum(tasks / slots - 1, 0)  # ours: no less than no later wave
        later_up = np.maximum((tasks - 1) / slots - 1, 0)
        last = np.where(tasks > slots, self.typical.longest, 0.0)
        return Bounds(
            self.first.average + later_low * self.typical.average + own.low,
            self.first.longest + later_up * self.typical.average + last + own.up,
        )

    def bounds(self, slots: Slots) -> Bounds:
        """Bound what each job's stages take one after the other on so many slots (one number, or per job)."""
        return Bounds(*map(self._of_jobs, self.stage_bounds(self._of_stages(slots))))

    def seconds(self, slots: Slots, estimate: Estimate) -> Floats:
        """Return how long each job's stages last one after the other, in s, (jobs,).

        That is the estimate, and where each task of a stage has a slot no more than its longest task.
        """
        slots = self._of_stages(slots)
        seconds: Floats = getattr(self.stage_bounds(slots), estimate)
        longest = self.first.longest + self.own.longest
        return self._of_jobs(np.where(slots >= self.own.tasks, np.minimum(seconds, longest), seconds))

    def of_jobs(self, jobs: SlotCounts) -> TypeProfile:
        """Return the profile of these jobs, in their order; a job may come more than once."""
        counts = np.bincount(self.job, minlength=self.jobs)
        begins, count = (np.cumsum(counts) - counts)[jobs], counts[jobs]
        owner = np.repeat(np.arange(len(jobs)), count)
        stages = np.arange(len(owner)) + np.repeat(begins - (np.cumsum(count) - count), count)
        phases = (PhaseProfile(*(column[stages] for column in phase)) for phase in self[2:])
        return TypeProfile(owner, len(jobs), *phases)

    def _of_stages(self, slots: Slots) -> Slots:
        return slots[self.job] if isinstance(slots, np.ndarray) and slots.ndim else slots

    def _of_jobs(self, seconds: Floats) -> Floats:
        """Return the sum over each job's stages, (jobs,)."""
        return np.bincount(self.job, seconds, self.jobs).astype(np.float64)


class StageProfiles(NamedTuple):
    """What the estimates need of a workload's jobs, gathered once: slots may then be changed quickly.

    Attributes
    ----------
    maps, reduces : of the stages of either type
    """

    maps: TypeProfile
    reduces: TypeProfile

    @classmethod
    def of(cls, workload: Workload, cluster: Cluster) -> StageProfiles:
        """Gather the profiles; of the cluster only the shuffle model counts."""
        columns = workload.columns
        share = 0.0 if cluster.shuffle_model == "mumak" else 1.0
        times = columns.duration, columns.first_shuffle * share, columns.typical_shuffle * share
        phases = [_profile(columns, seconds) for seconds in times]
        types = (np.flatnonzero(columns.stages.task_type == kind) for kind in TASK_TYPES)
        return cls(*(_type_profile(columns, phases, stages) for stages in types))

    def estimates(self, map_slots: Slots, reduce_slots: Slots) -> tuple[Floats, Floats]:
        """Return the printed estimate of the map and the reduce stage of each job, in s, (jobs,) each.

        Parameters
        ----------
        map_slots, reduce_slots : one number, or one per job
        """
        return self.maps.bounds(map_slots).mean, self.reduces.bounds(reduce_slots).mean

    def durations(
        self, map_slots: Slots, reduce_slots: Slots, estimate: Estimate = "mean"
    ) -> tuple[Floats, Floats]:
        """Return how long the map and the reduce stage of each job last on so many slots, in s, (jobs,) each.

        That is the estimate, and where each task has a slot not more than the longest task: 30 tasks of 4 s
        on 30 slots are estimated 5.9 s (the mean of 4 and 7.9) and last 4 s.
        """
        return self.maps.seconds(map_slots, estimate), self.reduces.seconds(reduce_slots, estimate)

    def of_jobs(self, jobs: SlotCounts) -> StageProfiles:
        """Return the profiles of these jobs, in their order; a job may come more than once."""
        return StageProfiles(*(profile.of_jobs(jobs) for profile in self))


def stage_estimates(workload: Workload, cluster: Cluster) -> tuple[Floats, Floats]:
    """Return the abstraction (m, r) of every job: estimated map and reduce stage in seconds, each (jobs,)."""
    return StageProfiles.of(workload, cluster).estimates(*cluster.stage_slots)


def stage_seconds(workload: Workload, cluster: Cluster) -> Floats:
    """Return how long each stage is estimated to take alone on all slots of its type, in s, (stages,)."""
    task_type = workload.columns.stages.task_type
    seconds = np.zeros(len(task_type))
    profiles = StageProfiles.of(workload, cluster)
    for kind, (profile, slots) in enumerate(zip(profiles, cluster.stage_slots, strict=True)):
        seconds[task_type == kind] = profile.stage_bounds(slots).mean
    return seconds


def _profile(columns: TaskColumns, seconds: Floats) -> PhaseProfile:
    """Return count, average and maximum of a column over each stage's tasks; 0 where it has none."""
    count, begins = columns.stages.count, columns.stages.first
    present = np.flatnonzero(count)
    total, longest = np.zeros(len(count)), np.zeros(len(count))
    total[present] = np.add.reduceat(seconds, begins[present])
    longest[present] = np.maximum.reduceat(seconds, begins[present])
    return PhaseProfile(count.astype(np.float64), total / np.maximum(count, 1), longest)


def _type_profile(columns: TaskColumns, phases: list[PhaseProfile], stages: SlotCounts) -> TypeProfile:
    """Return what the estimates need of some stages, of phases of all."""
    own, first, typical = (PhaseProfile(*(column[stages] for column in phase)) for phase in phases)
    jobs = len(columns.stages.begin) - 1
    return TypeProfile(columns.stages.job[stages].astype(np.int64), jobs, own, first, typical)


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
    reduces = workload.columns.counts[:, REDUCE]
    per_reduce = np.where(reduces > 0, shuffled, 0.0) / np.maximum(reduces, 1)
    return np.where(np.isnan(per_reduce), typical, per_reduce / (bandwidth * BYTES_PER_MEGABYTE))


def _average(workload: Workload, seconds: Floats, kind: int) -> Floats:
    """Average a column over each job's tasks of one kind; 0 where it has none."""
    columns = workload.columns
    ours = columns.kind == kind
    total = np.bincount(columns.job[ours], weights=seconds[ours], minlength=len(workload.jobs))
    return total / np.maximum(columns.counts[:, kind], 1)


def fewest_slots(workload: Workload, cluster: Cluster, estimate: Estimate = "up") -> SlotCounts:
    """Return the map and reduce slots that each job needs to meet its deadline, (jobs, 2).

    No other pair with which the durations of both stages meet it has fewer slots together, and of those that
    have as many none has fewer reduce slots. A job never needs more slots than it has tasks. One that cannot
    meet its deadline, or has none, needs all that it can use; a stage without tasks needs none.

    Parameters
    ----------
    estimate : what has to meet the deadline: the lower bound, the upper bound or the mean of both
    """
    columns = workload.columns
    profiles = StageProfiles.of(workload, cluster)
    most = np.minimum(columns.counts, cluster.stage_slots).astype(np.int64)
    # One candidate for each job and number of map slots: never more candidates than maps.
    owner, maps, begins = _slot_numbers(most[:, MAP])
    limit = ((columns.deadline - columns.arrival) * ROUNDING)[owner]
    seconds = profiles.of_jobs(owner).maps.seconds(maps, estimate)
    reduces = _fewest_reduces(profiles, most[:, REDUCE], owner, limit - seconds, estimate)
    # The fewest slots, then the fewest reduce slots, as one number.
    base = int(np.iinfo(np.int32).max)
    total = np.where(reduces > most[owner, REDUCE], NEVER, (maps + reduces) * base + reduces)
    best = np.minimum.reduceat(total, begins)
    found = np.stack([best // base - best % base, best % base], axis=1)
    needed: SlotCounts = np.where(((best < NEVER) & np.isfinite(columns.deadline))[:, None], found, most)
    return needed


def _slot_numbers(most: SlotCounts) -> tuple[SlotCounts, SlotCounts, SlotCounts]:
    """Return for each job, job after job, its numbers of slots from 1 to its most, or a 0.

    These are rows of a job and a number of slots, columns (rows,), and where each job's begin, (jobs,).
    """
    counts = np.maximum(most, 1)
    owner = np.repeat(np.arange(len(most)), counts)
    begins = np.cumsum(counts) - counts
    return owner, np.arange(len(owner)) - begins[owner] + np.minimum(most, 1)[owner], begins


def _fewest_reduces(
    profiles: StageProfiles, most: SlotCounts, owner: SlotCounts, left: Floats, estimate: Estimate
) -> SlotCounts:
    """Return the fewest reduce slots with which the stage lasts no longer than what is left, (candidates,).

    One more than the job's most where none do. No duration rises with the slots, so that halving finds it.

    Parameters
    ----------
    most : reduce slots that each job can use, (jobs,)
    owner, left : the job of every candidate, and what its maps leave, in seconds, (candidates,)
    """
    of_row, slots, begins = _slot_numbers(most)
    seconds = profiles.of_jobs(of_row).reduces.seconds(slots, estimate)
    first = begins[owner]
    low, high = np.zeros_like(owner), np.maximum(most, 1)[owner]  # rows too few for sure, and rows enough
    while (low < high).any():
        middle = (low + high) // 2
        enough = seconds[np.minimum(first + middle, len(seconds) - 1)] <= left
        low, high = np.where(enough | (low == high), low, middle + 1), np.where(enough, middle, high)
    fewest: SlotCounts = low + np.minimum(most, 1)[owner]
    return fewest
