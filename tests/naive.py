"""A slow and obvious twin of the simulator: the oracle of the engine's tests.

Written from the definitions, not from the engine: plain objects, and for every question all of them are
looked at from first to last. No queue, no heap, no tree, no numpy; a policy is a sort key.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.model.cluster import Cluster
    from core.model.partition import Partition
    from core.model.stages import Stage
    from core.model.workload import Workload

MAP, REDUCE = "map", "reduce"


class Task:
    """One map or reduce task; times are None until they are known."""

    def __init__(self, job: Job, kind: str, stage: Stage, i: int, shuffles: bool) -> None:
        self.job = job
        self.kind = kind
        self.seconds = _sample(stage.durations, i)
        self.first_shuffle = _sample(stage.first_shuffle, i) if shuffles and kind == REDUCE else 0.0
        self.typical_shuffle = _sample(stage.typical_shuffle, i) if shuffles and kind == REDUCE else 0.0
        self.slot: Slot | None = None
        self.start: float | None = None
        self.shuffled: float | None = None
        self.end: float | None = None
        self.ended = False
        self.left = self.seconds

    @property
    def is_running(self) -> bool:
        return self.slot is not None and not self.ended


def _sample(samples: Any, i: int) -> float:
    return float(samples[i % len(samples)])


class Job:
    """A job with its tasks in index order."""

    def __init__(self, index: int, given: Any, cluster: Cluster) -> None:
        shuffles = cluster.shuffle_model != "mumak"
        self.index = index
        self.name: str = given.name
        self.arrival = float(given.arrival)
        self.deadline = math.inf if given.deadline is None else float(given.deadline)
        self.weight = float(given.weight)
        self.pool_name: str = given.pool
        self.pool: Pool
        self.maps = [Task(self, MAP, given.maps, i, shuffles) for i in range(given.maps.count)]
        self.reduces = [Task(self, REDUCE, given.reduces, i, shuffles) for i in range(given.reduces.count)]
        self.maps_before_reduces = math.ceil(Fraction(str(cluster.slowstart)) * len(self.maps))
        self.task_key: Callable[[Task], Any] = lambda _task: 0
        self.arrived = False
        self.stage_end: float | None = None
        self.finish: float | None = None

    def tasks(self, kind: str) -> list[Task]:
        return self.maps if kind == MAP else self.reduces

    def running(self, kind: str) -> int:
        return sum(task.is_running for task in self.tasks(kind))

    def next_task(self, kind: str) -> Task | None:
        """Return the task of this kind that could start now, if any."""
        if not self.arrived:
            return None
        if kind == REDUCE and sum(task.ended for task in self.maps) < self.maps_before_reduces:
            return None
        waiting = [task for task in self.tasks(kind) if task.slot is None]
        return min(waiting, key=self.task_key, default=None)


class Pool:
    """A pool: its settings and its jobs."""

    def __init__(self, index: int, settings: Any, jobs: list[Job]) -> None:
        self.index = index
        self.settings = settings
        self.jobs = [job for job in jobs if job.pool_name == settings.name]
        for job in self.jobs:
            job.pool = self

    def running(self, kind: str) -> int:
        return sum(job.running(kind) for job in self.jobs)

    def below_fair_share(self, running: int, share: int) -> tuple[int, float]:
        """Rank pools as the Fair Scheduler does: below the minimum share first, then running/weight."""
        return (0, running / share) if running < share else (1, running / self.settings.weight)

    def need(self, kind: str, cluster: Cluster) -> tuple[int, float]:
        """Rank pools for a slot of one kind; on containers maps and reduces count together."""
        if cluster.has_containers:
            return self.need_of_all()
        share = self.settings.min_map_slots if kind == MAP else self.settings.min_reduce_slots
        return self.below_fair_share(self.running(kind), share)

    def need_of_all(self) -> tuple[int, float]:
        """Rank pools over all slots of both kinds."""
        share = self.settings.min_map_slots + self.settings.min_reduce_slots
        return self.below_fair_share(self.running(MAP) + self.running(REDUCE), share)


class Slot:
    """A place to run tasks of some kinds, perhaps on a node."""

    def __init__(self, number: int, kinds: tuple[str, ...], node: Node | None = None) -> None:
        self.number = number
        self.kinds = kinds
        self.node = node
        self.task: Task | None = None


class Node:
    """A computer with memory and cores; what a task of each kind asks for is given."""

    def __init__(self, total: tuple[int, int], asked: dict[str, tuple[int, int]]) -> None:
        self.total = total
        self.asked = asked
        self.rows: list[Slot] = []

    def most_at_once(self) -> int:
        """Return the most tasks that fit beside one another: every mixture is tried."""
        most = 0
        for maps in range(max(self.total) + 1):
            for reduces in range(max(self.total) + 1):
                if self.has_enough(self.total, [MAP] * maps + [REDUCE] * reduces):
                    most = max(most, maps + reduces)
        return most

    def most_maps(self) -> int:
        """Return how many maps fit on the node while nothing else runs there."""
        counts = range(max(self.total) + 1)
        return max(count for count in counts if self.has_enough(self.total, [MAP] * count))

    def room(self, kind: str) -> int:
        """Return how many tasks of a kind fit now."""
        running = [row.task.kind for row in self.rows if row.task is not None]
        count = 0
        while self.has_enough(self.total, running + [kind] * (count + 1)):
            count += 1
        return count

    def has_enough(self, total: tuple[int, int], kinds: list[str]) -> bool:
        return all(sum(self.asked[kind][i] for kind in kinds) <= total[i] for i in (0, 1))


class Run:
    """A simulation; `run` goes to its end, afterwards the columns can be read."""

    def __init__(
        self,
        workload: Workload,
        cluster: Cluster,
        policy: str,
        order: Sequence[str] | None = None,
        partition: Partition | None = None,
        task_key: Callable[[Task], Any] | None = None,
    ) -> None:
        self.cluster = cluster
        self.partition = partition
        if partition is not None:
            order = [name for pool in partition.pools for name in pool.jobs]
        self.now = 0.0
        self.jobs = [Job(i, given, cluster) for i, given in enumerate(workload.jobs)]
        for job in self.jobs:
            job.task_key = task_key or job.task_key
        self.pools = [Pool(i, settings, self.jobs) for i, settings in enumerate(workload.every_pool)]
        self.slots = _slots(cluster)
        self.serve(policy, order)
        self.stalled = False
        self.started = 0
        self.stops_before: int | None = None
        self.stopped = False

    def serve(self, policy: str, order: Sequence[str] | None = None) -> None:
        """Follow another policy from now on."""
        self.preference = _preference(
            self.jobs, self.cluster, policy if order is None else "order", order or ()
        )

    def run(self, stops_before: int | None = None, until: float = math.inf) -> Run:
        """Go on until nothing is left to happen up to a time, or until one more than so many would start."""
        self.stops_before, self.stopped = stops_before, False
        while True:
            self.hand_out_slots()
            if self.stopped:
                return self
            self.foresee_ends_of_maps()
            times = [job.arrival for job in self.jobs if not job.arrived]
            times += [task.end for task in self.tasks() if task.is_running and task.end is not None]
            times += self.asked_again()
            if not times:
                self.stalled = any(job.finish is None for job in self.jobs)
                return self
            if min(times) > until:
                return self
            self.work_on_maps(min(times) - self.now)
            self.now = min(times)
            self.apply_everything_now()

    def asked_again(self) -> list[float]:
        """Return when slots are offered again though nothing happens."""
        return []

    def tasks(self) -> list[Task]:
        """Return all tasks, job by job, maps before reduces."""
        return [task for job in self.jobs for task in job.maps + job.reduces]

    # ---- contention: maps on one node slow one another, and reduces slow them where they count

    def load_beside(self, task: Task) -> float:
        """Return how many maps run on a map's node, itself included, a reduce as as many as it counts."""
        assert task.slot is not None
        assert task.slot.node is not None
        kinds = [row.task.kind for row in task.slot.node.rows if row.task is not None]
        return kinds.count(MAP) + self.cluster.reduce_load * kinds.count(REDUCE)

    def speed(self, task: Task) -> float:
        speeds = self.cluster.contention
        return float(np.interp(self.load_beside(task), range(1, len(speeds) + 1), speeds))

    def running_maps(self) -> list[Task]:
        return [task for task in self.tasks() if task.is_running and task.kind == MAP]

    def foresee_ends_of_maps(self) -> None:
        """Say when maps end if none starts or ends before that."""
        if self.cluster.contention:
            for task in self.running_maps():
                task.end = self.now + task.left / self.speed(task)

    def work_on_maps(self, seconds: float) -> None:
        if self.cluster.contention:
            for task in self.running_maps():
                task.left -= seconds * self.speed(task)

    # ---- an instant: first everything that happens, then the free slots

    def apply_everything_now(self) -> None:
        for job in self.jobs:
            if not job.arrived and job.arrival == self.now:
                job.arrived = True
                self.look_at_stages(job)
        while True:
            ending = [task for task in self.tasks() if task.is_running and task.end == self.now]
            if not ending:
                return
            for task in ending:
                task.ended = True
                assert task.slot is not None
                task.slot.task = None
            for job in self.jobs:
                self.look_at_stages(job)

    def look_at_stages(self, job: Job) -> None:
        """End the job's map stage, and the job, when all their tasks have ended."""
        if not job.arrived or job.finish is not None:
            return
        if job.stage_end is None and all(task.ended for task in job.maps):
            job.stage_end = self.now
            for task in job.reduces:
                if task.is_running:
                    self.end_shuffle(task, self.filler_shuffle_end(task))
        if job.stage_end is not None and all(task.ended for task in job.reduces):
            job.finish = self.now

    def filler_shuffle_end(self, task: Task) -> float:
        assert task.start is not None
        own = task.start + task.typical_shuffle
        if task.start == self.now:  # in the instant in which the maps end: no filler
            return own
        after_the_maps = self.now + task.first_shuffle
        return max(after_the_maps, own) if self.cluster.shuffle_model == "overlap" else after_the_maps

    def end_shuffle(self, task: Task, time: float) -> None:
        task.shuffled = time
        task.end = time + task.seconds

    def hand_out_slots(self) -> None:
        if self.cluster.nodes:
            while self.starts_on_a_node():
                pass
            return
        for slot in self.slots:
            if slot.task is None:
                self.hand_out(slot)

    def starts_on_a_node(self) -> bool:
        """Start the preferred task of those that fit somewhere, on the lowest node and its lowest row."""
        before = self.started
        rows = {kind: self.lowest_row(kind) for kind in (MAP, REDUCE)}
        choices = [choice for row in {*rows.values()} - {None} for choice in self.can_start(row)]  # type: ignore[arg-type]
        fitting = self.that_may_go(
            [*dict.fromkeys(choices)], [kind for kind in rows if rows[kind] is not None]
        )
        if fitting and self.started == self.stops_before:
            self.stopped = True
        elif fitting:
            job, kind = min(fitting, key=lambda choice: self.preference(*choice))
            row = rows[kind]
            assert row is not None
            self.put(row, job, kind)
        return self.started > before

    def that_may_go(self, choices: list[tuple[Job, str]], kinds: list[str]) -> list[tuple[Job, str]]:
        """Return those of kinds that a node has room for."""
        return [(job, kind) for job, kind in choices if kind in kinds]

    def lowest_row(self, kind: str) -> Slot | None:
        """Return where a task of this kind would run."""
        for slot in self.slots:
            if slot.task is None and slot.node is not None and slot.node.room(kind) > 0:
                return slot
        return None

    def can_start(self, slot: Slot) -> list[tuple[Job, str]]:
        """Return every job and kind of which a task could start on a slot; a policy may leave some out."""
        return [
            (job, kind)
            for job in self.jobs
            for kind in slot.kinds
            if job.next_task(kind) is not None and self.belongs(slot, job)
        ]

    def hand_out(self, slot: Slot) -> None:
        can_start = self.can_start(slot)
        if not can_start:
            return
        if self.started == self.stops_before:
            self.stopped = True
            return
        self.put(slot, *min(can_start, key=lambda choice: self.preference(*choice)))

    def put(self, slot: Slot, job: Job, kind: str) -> None:
        """Start the job's next task of this kind on a slot."""
        task = job.next_task(kind)
        assert task is not None
        slot.task, task.slot, task.start = task, slot, self.now
        self.started += 1
        if kind == MAP:
            self.end_shuffle(task, self.now)
        elif job.stage_end is not None:
            self.end_shuffle(task, self.now + task.typical_shuffle)

    def belongs(self, slot: Slot, job: Job) -> bool:
        """Whether the slot is of the pool that the job is in; without pools every slot is everybody's."""
        if self.partition is None:
            return True
        mine = next(pool.name for pool in self.partition.pools if job.name in pool.jobs)
        return mine == _pool_of_slot(slot.number, slot.kinds[0], self.cluster, self.partition)


def _pool_of_slot(number: int, kind: str, cluster: Cluster, partition: Partition) -> str:
    """Count the slots of this kind, pool after pool, up to the one of this number."""
    number -= 0 if kind == MAP else cluster.map_slots
    for pool in partition.pools:
        number -= pool.map_slots if kind == MAP else pool.reduce_slots
        if number < 0:
            return pool.name
    raise AssertionError("the slot is in no pool")


def _slots(cluster: Cluster) -> list[Slot]:
    """Map slots come first; containers and rows of nodes run both kinds."""
    if cluster.nodes:
        return [row for node in _nodes(cluster) for row in node.rows]
    kinds: list[tuple[str, ...]] = [(MAP, REDUCE)] * cluster.containers
    kinds += [(MAP,)] * cluster.map_slots + [(REDUCE,)] * cluster.reduce_slots
    return [Slot(number, both) for number, both in enumerate(kinds)]


def _nodes(cluster: Cluster) -> list[Node]:
    """Every node has as many rows as tasks fit at once; rows are numbered through."""
    requests = {MAP: cluster.map_request, REDUCE: cluster.reduce_request}
    asked = {kind: (request.memory_mb, request.cores) for kind, request in requests.items()}
    nodes = [Node((g.memory_mb, g.cores), asked) for g in cluster.nodes for _ in range(g.count)]
    number = 0
    for node in nodes:
        count = node.most_at_once()
        node.rows = [Slot(number + i, (MAP, REDUCE), node) for i in range(count)]
        number += count
    return nodes


def most_at_once(cluster: Cluster, kind: str) -> int:
    """Return how many tasks of one kind can run at once."""
    if cluster.nodes:
        return sum(node.room(kind) for node in _nodes(cluster))
    return cluster.containers or (cluster.map_slots if kind == MAP else cluster.reduce_slots)


# ---- policies: the task with the smallest key goes first


def _preference(
    jobs: list[Job], cluster: Cluster, policy: str, order: Sequence[str]
) -> Callable[[Job, str], Any]:
    """Return the policy's sort key of a job's next task."""
    if policy == "fair":
        return lambda job, kind: fair_need(job, kind, cluster)
    served = _ORDERS[policy](jobs, cluster) if policy != "order" else _named_first(jobs, order)
    return lambda job, kind: (served.index(job), kind != MAP)


def fair_need(job: Job, kind: str, cluster: Cluster, inside: str = "fair") -> Any:
    """The first pool, then its first job; maps before reduces where they compete (on containers)."""
    own = job.running(kind) / job.weight
    among_jobs = (own, kind != MAP, job.arrival, job.index)
    if inside == "fifo":
        among_jobs = (job.arrival, job.index, kind != MAP)  # type: ignore[assignment]
    return (*job.pool.need(kind, cluster), job.pool.index, *among_jobs)


def _named_first(jobs: list[Job], order: Sequence[str]) -> list[Job]:
    named = [job for name in order for job in jobs if job.name == name]
    return named + [job for job in jobs if job.name not in order]


def _by_arrival(jobs: list[Job], cluster: Cluster) -> list[Job]:
    return sorted(jobs, key=lambda job: (job.arrival, job.index))


def _by_deadline(jobs: list[Job], cluster: Cluster) -> list[Job]:
    return sorted(jobs, key=lambda job: (job.deadline, job.arrival, job.index))


def _by_length(jobs: list[Job], cluster: Cluster) -> list[Job]:
    return sorted(jobs, key=lambda job: (sum(estimates(job, cluster)), job.index))


def _johnson(jobs: list[Job], cluster: Cluster) -> list[Job]:
    """Place job after job, shortest stage first: at the front if its maps are no longer, else at the back."""
    front: list[Job] = []
    back: list[Job] = []
    for job in sorted(jobs, key=lambda job: min(estimates(job, cluster))):
        maps, reduces = estimates(job, cluster)
        if maps <= reduces:
            front.append(job)
        else:
            back.insert(0, job)
    return front + back


def _johnson_reverse(jobs: list[Job], cluster: Cluster) -> list[Job]:
    return _johnson(jobs, cluster)[::-1]


_ORDERS: dict[str, Callable[[list[Job], Cluster], list[Job]]] = {
    "fifo": _by_arrival,
    "sjf": _by_length,
    "johnson": _johnson,
    "johnson-reverse": _johnson_reverse,
    "edf-max": _by_deadline,
}


# ---- stage estimates: the mean of both bounds


def estimates(job: Job, cluster: Cluster) -> tuple[float, float]:
    """Return the estimated seconds of the map stage and of the reduce stage on the whole cluster."""
    map_slots, reduce_slots = (max(most_at_once(cluster, kind), 1) for kind in (MAP, REDUCE))
    return _middle(map_bounds(job.maps, map_slots)), _middle(reduce_bounds(job.reduces, reduce_slots))


def _middle(bounds: tuple[float, float]) -> float:
    return (bounds[0] + bounds[1]) / 2


def map_bounds(tasks: list[Task], slots: int) -> tuple[float, float]:
    """Return n * avg / k and (n - 1) * avg / k + max."""
    seconds = [task.seconds for task in tasks]
    n = len(seconds)
    if n == 0:
        return 0.0, 0.0
    average = sum(seconds) / n
    return n * average / slots, (n - 1) * average / slots + max(seconds)


def reduce_bounds(tasks: list[Task], slots: int) -> tuple[float, float]:
    """Return the bounds of first shuffle, later shuffles and reduce phases together."""
    low, up = map_bounds(tasks, slots)
    n = len(tasks)
    if n == 0:
        return 0.0, 0.0
    first = [task.first_shuffle for task in tasks]
    typical = [task.typical_shuffle for task in tasks]
    average = sum(typical) / n
    last = max(typical) if n > slots else 0.0
    return (
        sum(first) / n + max(n / slots - 1, 0.0) * average + low,
        max(first) + max((n - 1) / slots - 1, 0.0) * average + last + up,
    )
