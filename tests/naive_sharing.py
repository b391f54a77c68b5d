"""Slow and obvious twins of the sharing and deadline policies, written from their definitions (001, 002)."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

from tests.naive import (
    MAP,
    REDUCE,
    Job,
    Pool,
    Run,
    Slot,
    Task,
    fair_need,
    map_bounds,
    most_at_once,
    reduce_bounds,
)

if TYPE_CHECKING:
    from core.model.cluster import Cluster
    from core.model.workload import Workload

A_LITTLE_MORE = 1 + 1e-9
"""Deadlines are met but for rounding."""


class SharingRun(Run):
    """A run whose policy is made of two questions: who may have a slot, and who is preferred."""

    def __init__(self, workload: Workload, cluster: Cluster, **parameters: Any) -> None:
        super().__init__(workload, cluster, "fifo")
        self.workload = workload
        self.parameters = parameters
        self.preference = self.prefer
        self.prepare()

    def prepare(self) -> None:
        """Compute what is known before the run."""

    def may_have(self, job: Job, kind: str) -> bool:
        """Whether the job may have one more slot."""
        return True

    def prefer(self, job: Job, kind: str) -> Any:
        """Smallest first."""
        raise NotImplementedError

    def can_start(self, slot: Slot) -> list[tuple[Job, str]]:
        return [choice for choice in super().can_start(slot) if self.may_have(*choice)]


# ---- deadlines (001 section V)


class MinEdfRun(SharingRun):
    """Earliest deadline first; a job holds the fewest slots that meet its deadline."""

    def prepare(self) -> None:
        estimate = self.parameters.get("estimate", "up")
        self.wanted = [fewest_slots(job, self.cluster, estimate) for job in self.jobs]

    def lacks(self, job: Job, kind: str) -> bool:
        return job.running(kind) < self.wanted[job.index][kind]

    def may_have(self, job: Job, kind: str) -> bool:
        return self.lacks(job, kind) or bool(self.parameters.get("work_conserving"))

    def prefer(self, job: Job, kind: str) -> Any:
        return not self.lacks(job, kind), job.deadline, job.arrival, job.index, kind != MAP


def fewest_slots(job: Job, cluster: Cluster, estimate: str) -> dict[str, int]:
    """Of all pairs of slots that meet the deadline, the fewest together, then the fewest for reduces."""
    most = {kind: min(most_at_once(cluster, kind), len(job.tasks(kind))) for kind in (MAP, REDUCE)}
    limit = (job.deadline - job.arrival) * A_LITTLE_MORE
    enough = [
        {MAP: maps, REDUCE: reduces}
        for maps, reduces in product(*(range(min(most[kind], 1), most[kind] + 1) for kind in (MAP, REDUCE)))
        if completion(job, {MAP: maps, REDUCE: reduces}, estimate) <= limit
    ]
    if math.isinf(job.deadline) or not enough:
        return most
    return min(enough, key=lambda slots: (sum(slots.values()), slots[REDUCE]))


def of_bounds(bounds: tuple[float, float], estimate: str) -> float:
    return {"low": bounds[0], "mean": sum(bounds) / 2, "up": bounds[1]}[estimate]


def completion(job: Job, slots: dict[str, int], estimate: str) -> float:
    """The estimate of both stages on so many slots; a slot for each task ends a stage with its longest."""
    maps = of_bounds(map_bounds(job.maps, max(slots[MAP], 1)), estimate)
    reduces = of_bounds(reduce_bounds(job.reduces, max(slots[REDUCE], 1)), estimate)
    if slots[MAP] == len(job.maps):
        maps = min(maps, most_of(seconds(job.maps)))
    if slots[REDUCE] == len(job.reduces):
        shuffles = [task.first_shuffle for task in job.reduces]
        reduces = min(reduces, most_of(shuffles) + most_of(seconds(job.reduces)))
    return maps + reduces


def seconds(tasks: list[Task]) -> list[float]:
    return [task.seconds for task in tasks]


def most_of(values: list[float]) -> float:
    return max(values, default=0.0)


# ---- sharing (002 section II, Hadoop's own schedulers)


class FairRun(SharingRun):
    """Two levels: the first pool, then its first (or earliest) job."""

    def prefer(self, job: Job, kind: str) -> Any:
        return fair_need(job, kind, self.cluster, self.parameters.get("inside", "fair"))


class CapacityRun(SharingRun):
    """The queue that uses least of its guarantee, none above its maximum; first in, first out inside."""

    def slots_of(self, kind: str) -> int:
        """Return the slots of a type; rows of nodes and containers are of none."""
        return self.cluster.slots if self.cluster.has_containers else most_at_once(self.cluster, kind)

    def in_use(self, pool: Pool, kind: str) -> int:
        """Containers count whatever they run."""
        kinds = (MAP, REDUCE) if self.cluster.has_containers else (kind,)
        return sum(pool.running(each) for each in kinds)

    def may_have(self, job: Job, kind: str) -> bool:
        most = Fraction(job.pool.settings.max_capacity).limit_denominator(10**6) * self.slots_of(kind)
        return self.in_use(job.pool, kind) < max(math.floor(most), 1)

    def prefer(self, job: Job, kind: str) -> Any:
        guarantee = job.pool.settings.capacity
        used = self.in_use(job.pool, kind) / guarantee if guarantee else math.inf
        return used, job.pool.index, job.arrival, job.index, kind != MAP


class DynamicPriorityRun(CapacityRun):
    """Users who can pay share by what they bid; the others wait for what is left."""

    def may_have(self, job: Job, kind: str) -> bool:
        return True

    def spent(self, pool: Pool) -> float:
        """Every slot-second up to now costs the spending rate."""
        times = [
            (self.now if task.end is None else min(task.end, self.now)) - task.start
            for job in pool.jobs
            for task in job.maps + job.reduces
            if task.start is not None
        ]
        return float(pool.settings.spending_rate * sum(times))

    def prefer(self, job: Job, kind: str) -> Any:
        budget, rate = job.pool.settings.budget, job.pool.settings.spending_rate
        broke = budget is not None and self.spent(job.pool) >= budget
        used = self.in_use(job.pool, kind) / rate
        return broke, used, job.pool.index, job.arrival, job.index, kind != MAP


# ---- dynamic slots (002 section III)

CASES = ((MAP, MAP), (REDUCE, REDUCE), (MAP, REDUCE), (REDUCE, MAP))
"""Which kind of task goes to which type of slot, in the order in which it is tried."""


class DynamicRun(FairRun):
    """Starts one task after the other until none can start: where, is decided with what."""

    def prepare(self) -> None:
        self.type_of = {slot: slot.kinds[0] for slot in self.slots}

    def hand_out_slots(self) -> None:
        while (start := self.next_start()) is not None:
            self.put(*start)

    def next_start(self) -> tuple[Slot, Job, str] | None:
        raise NotImplementedError

    def place(self, slot_type: str, kind: str) -> Slot | None:
        """Return the slot of a type that a task would get; all containers and rows of nodes are map slots."""
        if self.cluster.nodes:
            return self.lowest_row(kind) if slot_type == MAP else None
        return self.free_slot(slot_type)

    def free_slot(self, slot_type: str) -> Slot | None:
        """Return the lowest free slot of a type."""
        return next((s for s in self.slots if s.task is None and self.type_of[s] == slot_type), None)

    def waiting(self, kind: str) -> list[Job]:
        return [job for job in self.jobs if job.next_task(kind) is not None]


class PoolIndependentRun(DynamicRun):
    """Algorithm 1: own slots first, then the other type's, as many as the cluster lends."""

    def next_start(self) -> tuple[Slot, Job, str] | None:
        if self.cluster.has_containers:
            return self.next_on_containers()
        for kind, slot_type in CASES:
            slot = self.free_slot(slot_type)
            if slot is not None and self.waiting(kind) and self.may_run_one_more(kind):
                if kind != slot_type and self.free_slot(kind) is not None:
                    continue  # its own slots come first
                return slot, min(self.waiting(kind), key=lambda job: self.prefer(job, kind)), kind
        return None

    def next_on_containers(self) -> tuple[Slot, Job, str] | None:
        slots = {kind: self.place(MAP, kind) for kind in (MAP, REDUCE)}
        choices = [(job, kind) for kind in (MAP, REDUCE) if slots[kind] for job in self.waiting(kind)]
        if not choices:
            return None
        job, kind = min(choices, key=lambda choice: self.prefer(*choice))
        slot = slots[kind]
        assert slot is not None
        return slot, job, kind

    def may_run_one_more(self, kind: str) -> bool:
        other = REDUCE if kind == MAP else MAP
        capacity = {MAP: self.cluster.map_slots, REDUCE: self.cluster.reduce_slots}
        running = {each: sum(job.running(each) for job in self.jobs) for each in (MAP, REDUCE)}
        pending = {each: sum(self.pending(job, each) for job in self.jobs) for each in (MAP, REDUCE)}
        used = {
            MAP: min(running[MAP], capacity[MAP]) + max(running[REDUCE] - capacity[REDUCE], 0),
            REDUCE: min(running[REDUCE], capacity[REDUCE]) + max(running[MAP] - capacity[MAP], 0),
        }
        demand = {each: pending[each] + used[each] for each in (MAP, REDUCE)}
        if used[kind] < capacity[kind]:
            return True
        if not (demand[other] < capacity[other] and demand[kind] > capacity[kind]):
            return False
        name = "pct_borrowed_map" if other == MAP else "pct_borrowed_reduce"
        share = Fraction(self.parameters.get(name, 100.0)).limit_denominator(10**6) / 100
        borrowed_now = used[other] - running[other]
        left = max(math.floor(capacity[other] * share) - borrowed_now, 0)
        return min(left, demand[kind] - capacity[kind]) > 0

    def pending(self, job: Job, kind: str) -> int:
        if job.next_task(kind) is None:
            return 0
        return sum(task.slot is None for task in job.tasks(kind))


class FifoIndependentRun(PoolIndependentRun):
    """Algorithm 1 on FIFO."""

    def prefer(self, job: Job, kind: str) -> Any:
        return job.arrival, job.index, kind != MAP


class PoolDependentRun(DynamicRun):
    """Algorithm 2: the first pool tries the four cases before the next pool does."""

    def next_start(self) -> tuple[Slot, Job, str] | None:
        for group in self.groups():
            for kind, slot_type in CASES:
                slot = self.place(slot_type, kind)
                jobs = [job for job in self.waiting(kind) if job in group]
                if slot is not None and jobs:
                    return slot, min(jobs, key=lambda job: self.prefer(job, kind)), kind
        return None

    def groups(self) -> list[list[Job]]:
        """The pools' jobs, the first pool first."""
        pools = sorted(self.pools, key=lambda pool: (*pool.need_of_all(), pool.index))
        return [pool.jobs for pool in pools]


class FifoDependentRun(PoolDependentRun):
    """Algorithm 2 on FIFO: jobs in the place of pools."""

    def groups(self) -> list[list[Job]]:
        return [[job] for job in sorted(self.jobs, key=lambda job: (job.arrival, job.index))]


TWINS: dict[str, type[SharingRun]] = {
    "edf-min": MinEdfRun,
    "fair": FairRun,
    "capacity": CapacityRun,
    "dynamic-priority": DynamicPriorityRun,
    "dhfs-pi": PoolIndependentRun,
    "dhfs-pd": PoolDependentRun,
    "dynamic-fifo-pi": FifoIndependentRun,
    "dynamic-fifo-pd": FifoDependentRun,
}
"""The twin of every policy of this file, by id."""
