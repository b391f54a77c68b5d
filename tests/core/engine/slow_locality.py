"""The naive twin where jobs say on which nodes their input lies; it shares nothing with the engine."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from tests import naive
from tests.naive import MAP

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.cluster import Cluster
    from core.model.workload import Workload


class LocalRun(naive.Run):
    """Node after node is offered; of a job's maps that wait, all are looked at for a local one.

    Attributes
    ----------
    since : of each job since when it is passed over, infinity for not at all
    wait : how long a job waits for a local node; None for a policy that does not care
    never_remote : whether no map starts on a node without its input
    """

    def __init__(
        self,
        workload: Workload,
        cluster: Cluster,
        policy: str,
        *,
        preference: Callable[[LocalRun, naive.Job, str], Any] | None = None,
        task_key: Callable[[naive.Task], Any] | None = None,
        wait: float | None = None,
        never_remote: bool = False,
    ) -> None:
        super().__init__(workload, cluster, policy, task_key=task_key)
        if preference is not None:
            self.preference = lambda job, kind: preference(self, job, kind)
        self.inputs = [job.input_nodes for job in workload.jobs]
        self.remote_read = [job.remote_read for job in workload.jobs]
        self.since = [math.inf for _ in self.jobs]
        self.wait, self.never_remote = wait, never_remote
        self.wake = math.inf
        self.offered = -1
        self.remote: list[naive.Task] = []

    def nodes(self) -> list[naive.Node]:
        return [node for node in dict.fromkeys(slot.node for slot in self.slots) if node is not None]

    def waiting_maps(self, job: naive.Job) -> list[naive.Task]:
        return [task for task in job.maps if task.slot is None] if job.arrived else []

    def local_maps(self, job: naive.Job) -> list[naive.Task]:
        """Return the maps that wait and whose input lies on the node that is offered."""
        nodes = self.inputs[job.index]
        return [
            task for task in self.waiting_maps(job) if nodes and self.offered in nodes[job.maps.index(task)]
        ]

    def is_remote(self, job: naive.Job) -> bool:
        return bool(self.inputs[job.index] and self.waiting_maps(job) and not self.local_maps(job))

    def admits(self, job: naive.Job, kind: str) -> bool:
        if kind != MAP or not self.is_remote(job) or self.remote_read[job.index] == 0:
            return True
        if self.never_remote:
            return False
        return self.wait is None or self.now >= self.since[job.index] + self.wait

    def look(self) -> None:
        """Note which jobs are passed over, and when one of them has waited."""
        for job in self.jobs:
            if self.wait is not None and self.is_remote(job) and self.remote_read[job.index] > 0:
                self.since[job.index] = min(self.since[job.index], self.now)
                if self.since[job.index] + self.wait > self.now:
                    self.wake = min(self.wake, self.since[job.index] + self.wait)

    def asked_again(self) -> list[float]:
        return [self.wake] if self.wake < math.inf else []

    def hand_out_slots(self) -> None:
        self.wake = math.inf
        for number, node in enumerate(self.nodes()):
            self.offered = number
            while self.starts_on(node):
                pass

    def starts_on(self, node: naive.Node) -> bool:
        waiting = [(job, kind) for job in self.jobs for kind in node.asked if job.next_task(kind) is not None]
        if not waiting or not any(node.room(kind) for kind in node.asked):
            return False
        self.look()
        choices = [each for each in waiting if node.room(each[1]) and self.admits(*each)]
        if not choices:
            return False
        job, kind = min(choices, key=lambda choice: self.preference(*choice))
        task = job.next_task(kind)
        assert task is not None
        if kind == MAP and self.inputs[job.index]:
            local = self.local_maps(job)
            if local:
                task = min(local, key=job.task_key)
                self.since[job.index] = math.inf
            else:
                self.remote.append(task)
        usual, job.task_key = job.task_key, lambda each: each is not task
        self.put(next(row for row in node.rows if row.task is None), job, kind)
        job.task_key = usual
        if task in self.remote:
            assert task.end is not None
            task.end += self.remote_read[job.index]
        return True
