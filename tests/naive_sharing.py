"""Slow and obvious twins of the sharing and deadline policies, written from their definitions (001, 002)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tests.naive import MAP, REDUCE, Job, Run, Slot, Task, map_bounds, reduce_bounds

if TYPE_CHECKING:
    from core.cluster import Cluster
    from core.workload import Workload

A_LITTLE_MORE = 1 + 1e-9
"""Deadlines are met, and whole slots reached, but for rounding."""


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
        self.wanted = [fewest_slots(job, self.cluster) for job in self.jobs]

    def lacks(self, job: Job, kind: str) -> bool:
        return job.running(kind) < self.wanted[job.index][kind]

    def may_have(self, job: Job, kind: str) -> bool:
        return self.lacks(job, kind) or bool(self.parameters.get("work_conserving"))

    def prefer(self, job: Job, kind: str) -> Any:
        return not self.lacks(job, kind), job.deadline, job.arrival, job.index, kind != MAP


def fewest_slots(job: Job, cluster: Cluster) -> dict[str, int]:
    """Lagrange's point on the curve a / S_M + b / S_R = t, rounded up, then shrunk slot by slot."""
    most = {MAP: cluster.containers or cluster.map_slots, REDUCE: cluster.containers or cluster.reduce_slots}
    most = {kind: slots if job.tasks(kind) else 0 for kind, slots in most.items()}
    a, b, c = curve(job)
    allowed = job.deadline - job.arrival
    if math.isinf(allowed) or allowed <= c:
        return most
    slots = lagrange_point(a, b, allowed - c, most)
    shrinking = True
    while shrinking:
        shrinking = False
        for kind in (MAP, REDUCE):
            fewer = {**slots, kind: slots[kind] - 1}
            if fewer[kind] > 0 and completion(job, fewer) <= allowed * A_LITTLE_MORE:
                slots, shrinking = fewer, True
    return slots


def lagrange_point(a: float, b: float, t: float, most: dict[str, int]) -> dict[str, int]:
    total = math.sqrt(a) + math.sqrt(b)
    slots = {
        MAP: whole(math.sqrt(a) * total / t, most[MAP]),
        REDUCE: whole(math.sqrt(b) * total / t, most[REDUCE]),
    }
    asked = dict(slots)
    for kind, own, other_kind, other in ((MAP, a, REDUCE, b), (REDUCE, b, MAP, a)):
        if asked[other_kind] == most[other_kind] and own > 0:  # the other stage gets no more: this one must
            left = t - other / max(most[other_kind], 1)
            more = whole(own / left, most[kind]) if left > 0 else most[kind]
            slots[kind] = max(slots[kind], more)
    return slots


def whole(slots: float, most: int) -> int:
    return max(min(math.ceil(slots / A_LITTLE_MORE), most), min(most, 1))


def curve(job: Job) -> tuple[float, float, float]:
    """The mean of T_low and T_up as a / S_M + b / S_R + c."""
    maps, reduces = seconds(job.maps), seconds(job.reduces)
    first = [task.first_shuffle for task in job.reduces]
    typical = [task.typical_shuffle for task in job.reduces]
    low = (
        len(maps) * mean(maps),
        len(reduces) * (mean(typical) + mean(reduces)),
        mean(first) - mean(typical),
    )
    up = (
        max(len(maps) - 1, 0) * mean(maps),
        max(len(reduces) - 1, 0) * (mean(typical) + mean(reduces)),
        most_of(maps) + most_of(first) - mean(typical) + most_of(typical) + most_of(reduces),
    )
    a, b, c = ((one + other) / 2 for one, other in zip(low, up, strict=True))
    return a, b, c


def completion(job: Job, slots: dict[str, int]) -> float:
    """The estimate of both stages on so many slots."""
    maps = map_bounds(job.maps, max(slots[MAP], 1))
    reduces = reduce_bounds(job.reduces, max(slots[REDUCE], 1))
    return sum(maps) / 2 + sum(reduces) / 2


def seconds(tasks: list[Task]) -> list[float]:
    return [task.seconds for task in tasks]


def mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def most_of(values: list[float]) -> float:
    return max(values, default=0.0)


TWINS: dict[str, type[SharingRun]] = {"edf-min": MinEdfRun}
"""The twin of every policy of this file, by id."""
