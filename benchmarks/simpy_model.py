"""The same cluster under FIFO as a straightforward SimPy model: what people would write without Slotscope.

Same semantics as `core.simulation.simulate` with the `simmr` shuffle model, so that both must agree to the
last bit.
"""

from __future__ import annotations

import heapq
import math
from bisect import insort
from typing import TYPE_CHECKING, Any

import simpy
from simpy.events import EventPriority

if TYPE_CHECKING:
    from collections.abc import Generator

    from core.model.cluster import Cluster
    from core.model.job import Job
    from core.model.workload import Workload

LAST = EventPriority(2)
"""SimPy priority below every other event of an instant: slots are offered when all else has happened."""


class JobModel:
    """One job's progress."""

    def __init__(self, environment: simpy.Environment, index: int, job: Job, slowstart: float) -> None:
        self.index, self.arrival = index, job.arrival
        self.maps = job.maps.task_durations.tolist()
        self.reduces = job.reduces.task_durations.tolist()
        self.first_shuffle = job.reduces.task_first_shuffle.tolist()
        self.typical_shuffle = job.reduces.task_typical_shuffle.tolist()
        self.reduce_after = math.ceil(slowstart * len(self.maps) - 1e-9)
        self.started = [0, 0]
        self.maps_done = self.reduces_done = 0
        self.map_stage = environment.event()

    def __lt__(self, other: JobModel) -> bool:
        return (self.arrival, self.index) < (other.arrival, other.index)


class ClusterModel:
    """Slots, queues and processes; `ends` collects (job, kind, index, slot, start, end)."""

    def __init__(self, workload: Workload, cluster: Cluster) -> None:
        self.environment = simpy.Environment()
        self.free = [list(range(cluster.map_slots)), list(range(cluster.map_slots, cluster.slots))]
        self.queues: list[list[JobModel]] = [[], []]
        self.ends: list[tuple[int, int, int, int, float, float]] = []
        self.offer_pending = False
        for index, job in enumerate(workload.jobs):
            model = JobModel(self.environment, index, job, cluster.slowstart)
            self.environment.process(self.arrive(model))

    def arrive(self, job: JobModel) -> Generator[Any, Any, None]:
        yield self.environment.timeout(job.arrival)
        if job.maps:
            insort(self.queues[0], job)
        else:
            job.map_stage.succeed()
        if job.reduces and job.reduce_after <= 0:
            insort(self.queues[1], job)
        self.wake()

    def wake(self) -> None:
        """Offer free slots at the end of this instant, once."""
        if not self.offer_pending:
            self.offer_pending = True
            event = simpy.Event(self.environment)
            event._ok, event._value = True, None
            event.callbacks.append(self.offer)
            self.environment.schedule(event, priority=LAST)

    def offer(self, _event: simpy.Event) -> None:
        self.offer_pending = False
        for kind, process in ((0, self.map_task), (1, self.reduce_task)):
            queue = self.queues[kind]
            while self.free[kind] and queue:
                job, slot = queue[0], heapq.heappop(self.free[kind])
                index = job.started[kind]
                job.started[kind] += 1
                if job.started[kind] == len(job.maps if kind == 0 else job.reduces):
                    queue.pop(0)
                self.environment.process(process(job, index, slot))

    def map_task(self, job: JobModel, index: int, slot: int) -> Generator[Any, Any, None]:
        start = self.environment.now
        yield self.environment.timeout(job.maps[index])
        self.end(job, 0, index, slot, start)
        job.maps_done += 1
        if job.maps_done == job.reduce_after and job.reduces:
            insort(self.queues[1], job)
        if job.maps_done == len(job.maps):
            job.map_stage.succeed()

    def reduce_task(self, job: JobModel, index: int, slot: int) -> Generator[Any, Any, None]:
        start = self.environment.now
        if not job.map_stage.triggered:
            yield job.map_stage
        shuffle = job.first_shuffle if start < self.environment.now else job.typical_shuffle
        yield self.environment.timeout(shuffle[index])
        yield self.environment.timeout(job.reduces[index])
        self.end(job, 1, index, slot, start)
        job.reduces_done += 1

    def end(self, job: JobModel, kind: int, index: int, slot: int, start: float) -> None:
        self.ends.append((job.index, kind, index, slot, start, self.environment.now))
        heapq.heappush(self.free[kind], slot)
        self.wake()


def run(workload: Workload, cluster: Cluster) -> list[tuple[int, int, int, int, float, float]]:
    """Simulate under FIFO; returns (job, kind, index, slot, start, end) of every task."""
    model = ClusterModel(workload, cluster)
    model.environment.run()
    return model.ends
