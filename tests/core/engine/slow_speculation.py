"""The slow loop over lists for policies with second copies of tasks; it shares nothing with the engine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from core.model.stages import Stage
from core.model.task_types import TASK_TYPES
from tests.core.engine.slow_graphs import INF, SlowLoop, SlowStage

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from core.model.cluster import Cluster
    from core.model.workload import Workload


class Lost(NamedTuple):
    """The copy that did not count: whose task, when and where, and whether it started first."""

    job: int
    stage: int
    task: int
    slot: int
    start: float
    end: float
    was_first: bool


@dataclass
class Facts:
    """What a policy is shown of a running task."""

    kind: int
    slot_type: int
    elapsed: float
    remaining: float
    usual: float
    faster: float


class SlowSpeculation(SlowLoop):
    """One instant after the other, as before; then copies start one by one.

    Attributes
    ----------
    worth : ``worth(loop, stage, facts)`` of a second copy of a task
    admits : ``admits(loop, stage)``: whether the stage's job may have one more slot
    """

    def __init__(
        self,
        workload: Workload,
        cluster: Cluster,
        prefer: Callable[[SlowLoop, SlowStage], Any],
        worth: Callable[[SlowSpeculation, SlowStage, Facts], float],
        admits: Callable[[SlowSpeculation, SlowStage], bool],
    ) -> None:
        super().__init__(workload, cluster, prefer)
        self.worth, self.admits = worth, admits
        self.copy_of: dict[int, int] = {}  # the slot of a copy, and that of the first one
        self.lost: list[Lost] = []
        self.kills: list[tuple[float, int, int, int]] = []  # when, job, stage, task
        self.alone: list[tuple[int, int, int]] = []

    def may_start(self, stage: SlowStage) -> bool:
        return super().may_start(stage) and self.admits(self, stage)

    def waits(self, stage: SlowStage) -> bool:
        """Whether a task of a stage could start, were there a slot and the policy willing."""
        return super().may_start(stage)

    def running_of(self, job: int, kind: int) -> int:
        """Return how many slots the tasks of a job and kind hold, copies among them."""
        types = self.jobs[job].graph.task_types
        return sum(stage.job == job and types[stage.number] == kind for stage, _ in self.on_slot.values())

    def later(self) -> list[float]:
        kills = [time for time, *_ in self.kills if self.now < time]
        return super().later() + kills + [closes for closes in self.closes if self.now < closes < INF]

    def end_tasks(self) -> None:
        for copy, first in list(self.copy_of.items()):
            (stage, task), (_, other) = self.on_slot[first], self.on_slot[copy]
            if self.now not in (task["end"], other["end"]):
                continue
            del self.copy_of[copy]
            was_first = bool(other["end"] < task["end"])
            lost, loser = (first, dict(task)) if was_first else (copy, other)
            number = place_of(stage, task)
            self.lost.append(Lost(stage.job, stage.number, number, lost, loser["start"], self.now, was_first))
            del self.on_slot[lost]
            if was_first:
                task.update(other)
                self.on_slot[copy] = stage, task
        super().end_tasks()
        now = [each for each in self.kills if each[0] == self.now]
        self.kills = [each for each in self.kills if each[0] > self.now]
        for _, *found in now:
            for copy, first in list(self.copy_of.items()):
                stage, own = self.on_slot[first]
                if [stage.job, stage.number, place_of(stage, own)] == found:
                    since = self.on_slot.pop(copy)[1]["start"]
                    del self.copy_of[copy]
                    j, k, number = found
                    self.lost.append(Lost(j, k, number, copy, since, self.now, False))
                    self.alone.append((j, k, number))

    def start_tasks(self) -> None:
        super().start_tasks()
        for slot_type in TASK_TYPES:
            while self.starts_copy(slot_type):
                pass

    def starts_copy(self, slot_type: int) -> bool:
        """Start one second copy on a slot of a type; return whether one was wanted."""
        maps, untyped = self.cluster.typed_slots[0], self.cluster.has_containers
        free = [
            slot
            for slot in range(self.cluster.slots)
            if slot not in self.on_slot
            and self.opens[slot] <= self.now < self.closes[slot]
            and ((slot >= maps) == slot_type or untyped)
        ]
        if not free or (untyped and slot_type == 1):
            return False
        best, found = 0.0, -1
        for slot in sorted(self.on_slot):
            stage, task = self.on_slot[slot]
            kind = self.jobs[stage.job].graph.task_types[stage.number]
            has_copy = slot in self.copy_of or slot in self.copy_of.values()
            if (
                has_copy
                or (stage.job, stage.number, place_of(stage, task)) in self.alone
                or task["end"] == INF
                or task["start"] == self.now
                or (kind != slot_type and not untyped)
            ):
                continue
            fetch, work = self.usual(stage)
            times = [a + b for a, b in zip(*self.times(stage), strict=True)]
            own = times[place_of(stage, task)]
            faster = sum(each < own for each in times) / len(times)
            elapsed, left = self.now - task["start"], task["end"] - self.now
            worth = self.worth(self, stage, Facts(kind, slot_type, elapsed, left, fetch + work, faster))
            if worth > best:
                best, found = worth, slot
        if found < 0:
            return False
        stage, task = self.on_slot[found]
        fetch, work = self.copy_takes(stage, place_of(stage, task))
        copy = min(free)
        shuffled = self.now + fetch
        times_of_copy = {"slot": copy, "start": self.now, "shuffled": shuffled, "end": shuffled + work}
        self.on_slot[copy] = stage, times_of_copy
        self.copy_of[copy] = found
        return True

    def times(self, stage: SlowStage) -> tuple[list[float], list[float]]:
        """Return how long the shuffle and the work of each task of a stage take."""
        whole = self.jobs[stage.job].stages[stage.number]
        waits = bool(self.jobs[stage.job].graph.parents(stage.number))
        return [waits * each for each in whole.task_typical_shuffle.tolist()], whole.task_durations.tolist()

    def copy_takes(self, stage: SlowStage, number: int) -> tuple[float, float]:
        """Return how long shuffle and work of the second copy of a task take."""
        return self.usual(stage)

    def usual(self, stage: SlowStage) -> tuple[float, float]:
        """Return how long shuffle and work of a task of a stage take."""
        fetch, work = self.times(stage)
        return median(fetch), median(work)


def place_of(stage: SlowStage, task: dict[str, float]) -> int:
    """Return which task of its stage one is; others may look like it."""
    return next(place for place, each in enumerate(stage.tasks) if each is task)


def with_stragglers(workload: Workload, draw: np.random.Generator) -> Workload:
    """Return the workload with times that differ from task to task, some far longer."""
    jobs = []
    for job in workload.jobs:
        stages = []
        for stage in job.stages:
            if not stage.count:
                stages.append(stage)
                continue
            times = draw.integers(0, 5, (3, stage.count)) / 2.0
            times[0, draw.random(stage.count) < 0.3] += float(draw.integers(3, 9))
            stages.append(Stage.of(stage.count, *times))
        jobs.append(replace(job, stages=tuple(stages)))
    return replace(workload, jobs=tuple(jobs))
