"""The best of all schedules of a tiny workload, found by trying every whole second for every task.

Slots may idle, maps may wait for the sake of fillers, nothing follows any list. A filler is there when its
job's map stage ends and has held its slot for no time at all, which no run can beat; of one job, no more
fillers than slots. Times must be whole seconds: then the best schedule has whole seconds, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from core.model.task_types import MAP, REDUCE

if TYPE_CHECKING:
    from core.model.cluster import Cluster
    from core.model.workload import Workload

Cost = Callable[[list[float]], float]


def shortest(workload: Workload, cluster: Cluster, *, lends: bool = False) -> float:
    """Return the shortest makespan of all schedules."""
    return cheapest(workload, cluster, max, lends=lends)


def cheapest(workload: Workload, cluster: Cluster, cost: Cost, *, lends: bool = False) -> float:
    """Return the least cost of all schedules; it must not fall when a job finishes later.

    The cost is asked with the jobs' finishes as far as they are known, each at its arrival at first.
    """
    search = _Search(workload, cluster, cost, lends)
    search.place(0)
    return search.best


@dataclass
class _Search:
    workload: Workload
    cluster: Cluster
    cost: Cost
    lends: bool
    best: float = float("inf")
    fillers: list[int] = field(init=False)
    maps: list[int] = field(init=False)

    def __post_init__(self) -> None:
        columns = self.workload.columns
        self.columns, self.tasks = columns, np.argsort(columns.kind, kind="stable").tolist()
        one = self.lends or self.cluster.has_containers
        self.slots = [self.cluster.slots] * 2 if one else list(self.cluster.stage_slots)
        whole = columns.duration + columns.first_shuffle + columns.typical_shuffle
        self.end = int(columns.arrival.max() + whole.sum())
        used, across, instant = ([[0] * (self.end + 1) for _ in range(2)] for _ in range(3))
        self.used = [used[0]] * 2 if one else used
        self.across = [across[0]] * 2 if one else across  # tasks that begin before a time and end after it
        self.instant = [instant[0]] * 2 if one else instant  # tasks that take no time
        self.stage_end = columns.arrival.tolist()
        self.finish = columns.arrival.tolist()
        self.fillers = [0] * len(self.finish)
        self.maps = columns.count[:, MAP].tolist()

    def place(self, nth: int) -> None:
        """Try every start of a task, and of all behind it: maps first."""
        cost = self.cost(self.finish)
        if cost >= self.best:
            return
        if nth == len(self.tasks):
            self.best = cost
            return
        task = self.tasks[nth]
        job, kind = int(self.columns.job[task]), int(self.columns.kind[task])
        for start, end, is_filler in self._runs(task, job, kind):
            if not self._has_slot(kind, start, end):
                continue
            before = self.stage_end[job], self.finish[job]
            self._hold(kind, start, end, 1)
            self.fillers[job] += is_filler
            self.finish[job] = max(self.finish[job], end)
            if kind == MAP:
                self.stage_end[job] = max(self.stage_end[job], end)
            self.place(nth + 1)
            self.stage_end[job], self.finish[job] = before
            self.fillers[job] -= is_filler
            self._hold(kind, start, end, -1)

    def _has_slot(self, kind: int, start: int, end: int) -> bool:
        """Whether a slot is free; also for a task of no time, which runs when no other one runs on."""
        slots, across, instant = self.slots[kind], self.across[kind], self.instant[kind]
        if end > self.end or (start == end and across[start] >= slots):
            return False
        is_full = any(self.used[kind][at] >= slots for at in range(start, end))
        return not (is_full or any(instant[at] and across[at] + 1 >= slots for at in range(start + 1, end)))

    def _hold(self, kind: int, start: int, end: int, slots: int) -> None:
        """Take so many slots for a task."""
        for at in range(start, end):
            self.used[kind][at] += slots
        for at in range(start + 1, end):
            self.across[kind][at] += slots
        self.instant[kind][start] += slots * (start == end)

    def _runs(self, task: int, job: int, kind: int) -> Iterator[tuple[int, int, bool]]:
        """Yield when a task may run, and whether it is a filler then."""
        columns, model = self.columns, self.cluster.shuffle_model
        length = int(columns.duration[task])
        if kind == MAP:
            for start in range(int(columns.arrival[job]), self.end + 1):
                yield start, start + length, False
            return
        ready = int(self.stage_end[job])
        first, typical = int(columns.first_shuffle[task]), int(columns.typical_shuffle[task])
        if model == "mumak":
            first = typical = 0
        if self.maps[job] and self.fillers[job] < self.slots[REDUCE]:
            begin = int(columns.arrival[job]) if model == "overlap" else ready
            for start in range(begin, ready + 1):
                shuffled = max(ready + first, start + typical) if model == "overlap" else ready + first
                yield start, shuffled + length, True
        for start in range(ready, self.end + 1):
            yield start, start + typical + length, False
