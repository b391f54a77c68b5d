"""The slow loop over lists for nodes that fail, return and get slower; it shares nothing with the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from core.model.task_types import MAP, REDUCE
from tests.core.engine.slow_graphs import INF, SlowLoop, SlowStage

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.model.cluster import Cluster
    from core.model.workload import Workload

TURNS = ("fails", "returns", "speed")


class Lost(NamedTuple):
    """What was lost: whose task, when and where, and whether it had ended."""

    job: int
    stage: int
    task: int
    slot: int
    start: float
    end: float
    had_ended: bool


class SlowFailures(SlowLoop):
    """One instant after the other, as before; after tasks have ended, nodes fail, return or change speed.

    Speeds are powers of two, so that it does not matter in which order times are divided by them.
    """

    def __init__(
        self, workload: Workload, cluster: Cluster, prefer: Callable[[SlowLoop, SlowStage], Any]
    ) -> None:
        super().__init__(workload, cluster, prefer)
        assert cluster.events is not None
        happen = cluster.events.happen
        self.to_come = sorted(happen, key=lambda each: (each.time, TURNS.index(each.kind), each.node))
        self.loses = cluster.events.map_outputs == "lost"
        self.node = nodes_of(cluster)
        self.down: set[int] = set()
        self.failed: list[tuple[float, int]] = []
        self.speed = dict.fromkeys(self.node, 1.0)
        self.opened: set[int] = set()
        self.waiting: dict[int, list[dict[str, float]]] = {}  # of each stage, what goes first is last
        self.parts: list[Lost] = []

    def later(self) -> list[float]:
        is_done = len(self.ended) == len(self.jobs)
        return super().later() + [each.time for each in self.to_come[:1] if not is_done]

    def end_tasks(self) -> None:
        super().end_tasks()
        self.opened |= {
            id(stage)
            for stages in self.stages
            for stage in stages
            if self.arrival(self.jobs[stage.job]) < INF and self.is_open(stage)
        }
        failed = False
        while self.to_come and self.to_come[0].time == self.now:
            event = self.to_come.pop(0)
            if event.kind == "fails":
                failed = True
                self.down.add(event.node)
                self.failed.append((self.now, event.node))
                for slot in sorted(self.on_slot):
                    if self.node[slot] == event.node:
                        self.lose(*self.on_slot.pop(slot))
            elif event.kind == "returns":
                self.down.remove(event.node)
            else:
                self.change_speed(event.node, event.speed)
        if failed and self.loses:
            for j in range(len(self.jobs)):
                self.lose_outputs(j)

    def is_open(self, stage: SlowStage) -> bool:
        """Whether enough tasks of its parents are complete."""
        job = self.jobs[stage.job]
        for edge in job.graph.edges:
            if edge.child == stage.number:
                part = self.cluster.slowstart if edge.slowstart is None else edge.slowstart
                if self.stages[stage.job][edge.parent].done < part * job.stages[edge.parent].count - 1e-9:
                    return False
        return True

    def may_start(self, stage: SlowStage) -> bool:
        job = self.jobs[stage.job]
        if self.arrival(job) > self.now:
            return False
        left = len(stage.tasks) < job.stages[stage.number].count
        is_open = id(stage) in self.opened or self.is_open(stage)
        return bool(self.waiting.get(id(stage))) or (left and is_open)

    def lose(self, stage: SlowStage, task: dict[str, float], *, had_ended: bool = False) -> None:
        number = next(place for place, each in enumerate(stage.tasks) if each is task)
        end = task["end"] if had_ended else self.now
        slot = int(task["slot"])
        self.parts.append(Lost(stage.job, stage.number, number, slot, task["start"], end, had_ended))
        stage.done -= had_ended
        task.update(start=INF, shuffled=INF, end=INF, slot=-1)
        self.waiting.setdefault(id(stage), []).append(task)

    def lose_outputs(self, j: int) -> None:
        maps, reduces = self.stages[j]
        job = self.jobs[j]
        fetched = sum(task["shuffled"] <= self.now for task in reduces.tasks)
        if job.name in self.ended or fetched == job.stages[1].count:
            return
        gone = [
            task
            for task in maps.tasks
            if task["end"] <= self.now
            and any(
                time >= task["end"] and node == self.node[int(task["slot"])] for time, node in self.failed
            )
        ]
        was_over = self.is_over(maps)
        for task in reversed(gone):
            self.lose(maps, task, had_ended=True)
        if gone and was_over:
            reduces.released = INF
            for task in reduces.tasks:
                if task["shuffled"] > self.now:
                    task.update(shuffled=INF, end=INF)

    def change_speed(self, node: int, speed: float) -> None:
        before, self.speed[node] = self.speed.get(node, 1.0), speed
        for slot, (_, task) in self.on_slot.items():
            if self.node[slot] == node:
                for name in ("shuffled", "end"):
                    if self.now < task[name] < INF:
                        task[name] = self.now + (task[name] - self.now) * (before / speed)

    def release(self, stage: SlowStage) -> None:
        job = self.jobs[stage.job]
        parents = (self.stages[stage.job][k] for k in job.graph.parents(stage.number))
        if stage.released < INF or self.arrival(job) > self.now or not all(map(self.is_over, parents)):
            return
        stage.released = self.now
        whole = job.stages[stage.number]
        for number, task in enumerate(stage.tasks):
            if task["slot"] < 0 or task["shuffled"] <= self.now:
                continue
            speed = self.speed.get(self.node[int(task["slot"])], 1.0)
            own = task["start"] + whole.task_typical_shuffle[number] / speed
            late = self.now + whole.task_first_shuffle[number] / speed
            late = max(late, own) if self.cluster.shuffle_model == "overlap" else late
            task["shuffled"] = late if task["start"] < self.now else own
            task["end"] = task["shuffled"] + whole.task_durations[number] / speed

    def start(self, stage: SlowStage, slot: int) -> None:
        whole = self.jobs[stage.job].stages[stage.number]
        again = self.waiting.get(id(stage))
        if again:
            task = again.pop()
        else:
            task = {}
            stage.tasks.append(task)
        number = next(place for place, each in enumerate(stage.tasks) if each is task)
        speed = self.speed.get(self.node[slot], 1.0)
        task.update(slot=slot, start=self.now, shuffled=INF, end=INF)
        if stage.released <= self.now:
            waits = bool(self.jobs[stage.job].graph.parents(stage.number))
            task["shuffled"] = self.now + waits * whole.task_typical_shuffle[number] / speed
            task["end"] = task["shuffled"] + whole.task_durations[number] / speed
        self.on_slot[slot] = stage, task

    def start_tasks(self) -> None:
        if self.cluster.has_nodes:
            while self.start_on_nodes():
                pass
            return
        maps = self.cluster.typed_slots[0]
        for slot in range(self.cluster.slots):
            types = (MAP, REDUCE) if self.cluster.has_containers else ((MAP, REDUCE)[slot >= maps],)
            waiting = [stage for stage in self.that_wait() if self.kind(stage) in types]
            if slot not in self.on_slot and self.node[slot] not in self.down and waiting:
                self.start(min(waiting, key=lambda stage: self.prefer(self, stage)), slot)

    def that_wait(self) -> list[SlowStage]:
        return [stage for j in self.order for stage in self.stages[j] if self.may_start(stage)]

    def kind(self, stage: SlowStage) -> int:
        return self.jobs[stage.job].graph.task_types[stage.number]

    def start_on_nodes(self) -> bool:
        """Start one task on the lowest node with room for it; return whether there was one."""
        waiting = [stage for stage in self.that_wait() if self.with_room(self.kind(stage))]
        if not waiting:
            return False
        stage = min(waiting, key=lambda stage: self.prefer(self, stage))
        node = self.with_room(self.kind(stage))[0]
        self.start(stage, min(s for s, n in self.node.items() if n == node and s not in self.on_slot))
        return True

    def with_room(self, kind: int) -> list[int]:
        """Return the nodes on which a task of a kind fits, ascending."""
        groups = [group for group in self.cluster.nodes for _ in range(group.count)]
        requests = self.cluster.map_request, self.cluster.reduce_request
        found = []
        for node, group in enumerate(groups):
            there = [self.kind(stage) for slot, (stage, _) in self.on_slot.items() if self.node[slot] == node]
            used = [requests[each] for each in (*there, kind)]
            fits = sum(each.memory_mb for each in used) <= group.memory_mb
            if node not in self.down and fits and sum(each.cores for each in used) <= group.cores:
                found.append(node)
        return found


def nodes_of(cluster: Cluster) -> dict[int, int]:
    """Return the node of each slot."""
    if cluster.has_nodes:
        return {slot: cluster.node_of(slot) for slot in range(cluster.slots)}
    assert cluster.events is not None
    found, before = {}, 0
    for count in cluster.typed_slots:
        for place in range(count):
            found[before + place] = place * cluster.events.nodes // count
        before += count
    return found
