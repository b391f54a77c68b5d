"""A slow loop over lists for jobs of any stages and links, which shares nothing with the engine."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING

from core.model.job import Job, Link
from core.model.slot_times import SlotTime
from core.model.stages import Edge, Stage, StageGraph
from core.model.task_types import TASK_TYPES
from core.model.workload import Workload

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import numpy as np

    from core.model.cluster import Cluster, ShuffleModel

INF = float("inf")
MODELS: tuple[ShuffleModel, ...] = ("simmr", "overlap")
THINKS = (0.0, 0.0, 0.5, 1.0, 4.0)


@dataclass
class SlowStage:
    """A stage of the slow loop: when its parents ended, and what its tasks do."""

    job: int
    number: int
    released: float = INF
    done: int = 0
    tasks: list[dict[str, float]] = field(default_factory=list)


def by_arrival(loop: SlowLoop, stage: SlowStage) -> Any:
    """FIFO: the job that arrived first, on untyped slots its maps before its reduces, then by number."""
    task_type = loop.jobs[stage.job].graph.task_types[stage.number]
    return loop.order.index(stage.job), task_type, stage.number


class SlowLoop:
    """One instant after the other; everything is looked at each time.

    Attributes
    ----------
    prefer : of the stages that may start a task, the one with the smallest answer does
    """

    def __init__(
        self,
        workload: Workload,
        cluster: Cluster,
        prefer: Callable[[SlowLoop, SlowStage], Any] = by_arrival,
    ) -> None:
        self.jobs, self.cluster, self.now, self.prefer = workload.jobs, cluster, 0.0, prefer
        self.opens, self.closes = (times.tolist() for times in cluster.slot_intervals)
        self.ended: dict[str, float] = {}
        self.order: list[int] = []  # of arrivals
        self.stages = [[SlowStage(j, k) for k in range(len(job.stages))] for j, job in enumerate(self.jobs)]
        self.on_slot: dict[int, tuple[SlowStage, dict[str, float]]] = {}

    def tasks(self) -> list[dict[str, float]]:
        """Return slot, start, end of shuffle and end of each task, stage by stage."""
        while True:
            self.end_tasks()
            self.start_tasks()
            later = self.later()
            if not later:
                return [task for stages in self.stages for stage in stages for task in stage.tasks]
            self.now = min(later)

    def later(self) -> list[float]:
        """Return when something happens after now."""
        later = [time for time in map(self.arrival, self.jobs) if self.now < time < INF]
        later += [task["end"] for _, task in self.on_slot.values() if task["end"] < INF]
        return later + [opens for opens in self.opens if self.now < opens]

    def end_tasks(self) -> None:
        """End what ends now, and with it, perhaps, fillers that take no time after their shuffle."""
        ending = {-1}
        while ending:
            ending = {slot for slot, (_, task) in self.on_slot.items() if task["end"] == self.now}
            for slot in ending:
                self.on_slot.pop(slot)[0].done += 1
            for stages in self.stages:
                self.release_all(stages)
            for job, stages in zip(self.jobs, self.stages, strict=True):
                if job.name not in self.ended and all(map(self.is_over, stages)):
                    self.ended[job.name] = self.now
            for stages in self.stages:
                self.release_all(stages)  # of jobs that follow one that has just ended
        arrived = (j for j, job in enumerate(self.jobs) if self.arrival(job) <= self.now)
        self.order += [j for j in arrived if j not in self.order]

    def arrival(self, job: Job) -> float:
        """Return when a job arrives, infinity while a job that it follows runs."""
        return max([job.arrival, *(self.ended.get(link.job, INF) + link.think for link in job.after)])

    def release_all(self, stages: list[SlowStage]) -> None:
        for stage in stages:
            self.release(stage)

    def release(self, stage: SlowStage) -> None:
        """Let a stage whose parents have ended go on: the shuffles of its fillers end."""
        job = self.jobs[stage.job]
        parents = (self.stages[stage.job][k] for k in job.graph.parents(stage.number))
        if stage.released < INF or self.arrival(job) > self.now or not all(map(self.is_over, parents)):
            return
        stage.released = self.now
        whole = job.stages[stage.number]
        for number, task in enumerate(stage.tasks):
            own = task["start"] + whole.task_typical_shuffle[number]
            late = self.now + whole.task_first_shuffle[number]
            late = max(late, own) if self.cluster.shuffle_model == "overlap" else late
            task["shuffled"] = late if task["start"] < self.now else own
            task["end"] = task["shuffled"] + whole.task_durations[number]

    def is_over(self, stage: SlowStage) -> bool:
        return stage.released < INF and stage.done == self.jobs[stage.job].stages[stage.number].count

    def may_start(self, stage: SlowStage) -> bool:
        job = self.jobs[stage.job]
        if self.arrival(job) > self.now or len(stage.tasks) == job.stages[stage.number].count:
            return False
        for edge in job.graph.edges:
            if edge.child == stage.number:
                part = self.cluster.slowstart if edge.slowstart is None else edge.slowstart
                if self.stages[stage.job][edge.parent].done < part * job.stages[edge.parent].count - 1e-9:
                    return False
        return True

    def start_tasks(self) -> None:
        maps = self.cluster.typed_slots[0]
        for slot in range(self.cluster.slots):
            types = TASK_TYPES if self.cluster.has_containers else (TASK_TYPES[slot >= maps],)
            waiting = [
                stage
                for j in self.order
                for stage in self.stages[j]
                if self.jobs[j].graph.task_types[stage.number] in types and self.may_start(stage)
            ]
            is_free = slot not in self.on_slot and self.opens[slot] <= self.now < self.closes[slot]
            if is_free and waiting:
                self.start(min(waiting, key=lambda stage: self.prefer(self, stage)), slot)

    def running(self, *jobs: int) -> int:
        """Return how many tasks of some jobs run."""
        return sum(stage.job in jobs for stage, _ in self.on_slot.values())

    def start(self, stage: SlowStage, slot: int) -> None:
        whole, number = self.jobs[stage.job].stages[stage.number], len(stage.tasks)
        has_parents = bool(self.jobs[stage.job].graph.parents(stage.number))
        task = {"slot": slot, "start": self.now, "shuffled": INF, "end": INF}
        if stage.released <= self.now:
            task["shuffled"] = self.now + has_parents * whole.task_typical_shuffle[number]
            task["end"] = task["shuffled"] + whole.task_durations[number]
        stage.tasks.append(task)
        self.on_slot[slot] = stage, task


def random_graph(draw: np.random.Generator) -> StageGraph:
    """Return a graph of up to six stages, of which each waits for some of those before it."""
    count = int(draw.integers(1, 7))
    slowstarts = (None, 0.0, 0.3, 1.0)
    edges = [
        Edge(parent, child, slowstarts[draw.integers(4)])
        for child in range(count)
        for parent in range(child)
        if draw.random() < 0.4
    ]
    return StageGraph(tuple(draw.integers(0, 2, count).tolist()), tuple(edges))


def random_workload(draw: np.random.Generator) -> Workload:
    jobs = []
    for j in range(int(draw.integers(1, 6))):
        graph = random_graph(draw)
        stages = [
            Stage.of(int(draw.integers(0, 6)), *(draw.integers(0, 4, 3) / 2.0)) for _ in range(len(graph))
        ]
        if not any(stage.count for stage in stages):
            stages[0] = Stage.of(1, 1.0)
        jobs.append(Job(f"J{j}", stages=tuple(stages), graph=graph, arrival=float(draw.integers(0, 6))))
    return Workload("graphs", tuple(jobs))


def linked(workload: Workload, draw: np.random.Generator) -> Workload:
    """Return the workload with links of some jobs to some others, never in a circle."""
    order = draw.permutation(len(workload.jobs)).tolist()
    jobs = list(workload.jobs)
    for place, j in enumerate(order):
        after = tuple(
            Link(jobs[other].name, THINKS[draw.integers(len(THINKS))])
            for other in order[:place]
            if draw.random() < 0.4
        )
        arrival = 0.0 if after and draw.random() < 0.7 else jobs[j].arrival
        jobs[j] = replace(jobs[j], after=after, arrival=arrival)
    return replace(workload, jobs=tuple(jobs))


def random_times(draw: np.random.Generator, kinds: tuple[int, ...]) -> tuple[SlotTime, ...]:
    """Return entries of these kinds; most have an end, and some touch."""
    entries = []
    for _ in range(int(draw.integers(1, 6))):
        opens = float(draw.integers(0, 12)) / 2
        closes = inf if draw.random() < 0.3 else opens + float(draw.integers(1, 12)) / 2
        kind = kinds[draw.integers(len(kinds))]
        entries.append(SlotTime(int(draw.integers(1, 4)), opens, closes, kind))
    return tuple(entries)
