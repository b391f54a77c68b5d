"""The slow loop over lists for policies that give running tasks up; it shares nothing with the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from core.model.task_types import TASK_TYPES
from tests.core.engine.slow_graphs import INF, SlowLoop, SlowStage

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.cluster import Cluster
    from core.model.workload import Workload


class Part(NamedTuple):
    """What came to no end: whose task, when and where, and for which job."""

    job: int
    stage: int
    task: int
    slot: int
    start: float
    end: float
    rival: int
    suspended: bool


class SlowPreemption(SlowLoop):
    """One instant after the other, as before; then tasks are given up one by one.

    Attributes
    ----------
    worth : ``worth(loop, stage, task, rival)`` of giving up a task for a stage that waits
    """

    def __init__(
        self,
        workload: Workload,
        cluster: Cluster,
        prefer: Callable[[SlowLoop, SlowStage], Any],
        worth: Callable[[SlowLoop, SlowStage, dict[str, float], SlowStage], float],
        *,
        suspends: bool,
    ) -> None:
        super().__init__(workload, cluster, prefer)
        self.worth, self.suspends = worth, suspends
        self.waiting: dict[int, list[dict[str, float]]] = {}  # of each stage, the last one given up is last
        self.parts: list[Part] = []

    def may_start(self, stage: SlowStage) -> bool:
        return bool(self.waiting.get(id(stage))) or super().may_start(stage)

    def start(self, stage: SlowStage, slot: int) -> None:
        again = self.waiting.get(id(stage))
        if not again:
            super().start(stage, slot)
            return
        task = again.pop()
        number = stage.tasks.index(task)
        whole = self.jobs[stage.job].stages[stage.number]
        waits = bool(self.jobs[stage.job].graph.parents(stage.number))
        task.update(slot=slot, start=self.now, shuffled=INF, end=INF)
        if stage.released <= self.now:
            fetch = task.get("fetch", waits * whole.task_typical_shuffle[number])
            task["shuffled"] = self.now + fetch
            task["end"] = task["shuffled"] + task.get("work", whole.task_durations[number])
        self.on_slot[slot] = stage, task

    def start_tasks(self) -> None:
        super().start_tasks()
        for task_type in TASK_TYPES:
            while self.gives_up(task_type):
                pass

    def gives_up(self, slot_type: int) -> bool:
        """Give one task up for another one; return whether there was one."""
        types = TASK_TYPES if self.cluster.has_containers else (slot_type,)
        wanted = [
            stage
            for j in self.order
            for stage in self.stages[j]
            if self.jobs[j].graph.task_types[stage.number] in types and self.may_start(stage)
        ]
        if not wanted:
            return False
        rival = min(wanted, key=lambda stage: self.prefer(self, stage))
        best, found = 0.0, -1
        for slot in sorted(self.on_slot):
            stage, task = self.on_slot[slot]
            is_own = self.cluster.has_containers or (slot >= self.cluster.typed_slots[0]) == slot_type
            stays = self.now < self.closes[slot]
            if is_own and stays and task["start"] < self.now and stage.job != rival.job:
                worth = self.worth(self, stage, task, rival)
                if worth > best:
                    best, found = worth, slot
        if found < 0:
            return False
        self.give_up(found, rival)
        self.start(rival, found)
        return True

    def give_up(self, slot: int, rival: SlowStage) -> None:
        stage, task = self.on_slot.pop(slot)
        suspended = self.suspends and stage.released <= self.now
        number = stage.tasks.index(task)
        self.parts.append(
            Part(stage.job, stage.number, number, slot, task["start"], self.now, rival.job, suspended)
        )
        if suspended and task["shuffled"] > self.now:
            task["fetch"] = task["shuffled"] - self.now
        elif suspended:
            task["fetch"], task["work"] = 0.0, task["end"] - self.now
        task.update(start=INF, shuffled=INF, end=INF, mark=float(len(self.parts)))
        self.waiting.setdefault(id(stage), []).append(task)
