"""Demands of jobs on slots, stage by stage: how long tasks hold them at least, from when, what must follow.

The slots of a type, all containers, or all the memory of nodes are a machine that does one second of work per
second. A task holds a share of it. Its head is when it can start at the earliest, after the longest chain of
stages that its own waits for; its tail is what its job still has to do when it has ended, the longest chain
of stages that wait for it: a map has its job's whole reduce stage behind it, a reduce has its job's whole map
stage before it. Each stage counts as if its job were alone, with all slots for itself.

A task of a stage that waits for others, a reduce, counts from their end on. One that holds a slot by then (a
filler) pays the first shuffle, any other the typical one. At that instant a slot holds one task: of one
stage, no more fillers than slots.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.model.task_types import KIND_WORDS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.stages import StageColumns
    from core.model.workload import TaskColumns, Workload

    Floats = NDArray[np.float64]


def shortest_shuffle(workload: Workload, cluster: Cluster) -> Floats:
    """Return the least time that each task's shuffle takes after the stages it waits for, in s, (tasks,).

    The smaller of first and typical shuffle; where no task is waited for, there is no first shuffle.
    """
    columns = workload.columns
    if cluster.shuffle_model == "mumak":
        return np.zeros(len(columns.duration))
    shortest: Floats = np.minimum(columns.first_shuffle, columns.typical_shuffle)
    waits = waits_for_tasks(columns.stages)
    if waits[columns.stages.child].all():  # what waits for no stage has no shuffle at all
        return shortest
    return np.where(waits[columns.stage], shortest, columns.typical_shuffle)


def waits_for_tasks(stages: StageColumns) -> NDArray[np.bool_]:
    """Return whether each stage waits for stages that have tasks, through stages without any, too, (stages,).

    Of such stages tasks may be fillers: an empty stage lets them start at once, and ends when what it waits
    for does.
    """
    takes_time = stages.count > 0
    number = stages.number[stages.child]  # what a stage waits for has lower numbers, and is known by then
    waits = np.zeros(len(stages.job), bool)
    for each in range(1, number.max(initial=0) + 1):
        parent, child = (ends[number == each] for ends in (stages.parent, stages.child))
        waits[child[(takes_time | waits)[parent]]] = True
    return waits


class Machine(NamedTuple):
    """What limits work.

    Attributes
    ----------
    shares : the part of it that a running task of each type holds, 0 for a type that does not use it
    slots : of how many equal slots it consists, each for one whole task; 0 where it does not
    name : what it is, in words
    """

    shares: tuple[float, ...]
    slots: int
    name: str

    @property
    def tasks(self) -> str:
        """What runs on it, in words: maps, reduces, or tasks of any type."""
        words = [f"{word}s" for word, share in zip(KIND_WORDS, self.shares, strict=True) if share]
        return words[0] if len(words) == 1 else "tasks"


def machines(cluster: Cluster, *, lends: bool) -> list[Machine]:
    """Return what limits the work of a cluster: its slots, and of nodes also their memory and cores.

    Where maps slow one another, nodes get no more done than each with its best number of maps. Maps take what
    they take alone on a node: no map is faster.
    """
    if not (lends or cluster.has_containers):
        return [
            Machine(
                tuple(1 / slots if each == task_type else 0.0 for each in range(len(KIND_WORDS))),
                slots,
                f"all {slots} {KIND_WORDS[task_type]} slots",
            )
            for task_type, slots in enumerate(_slots(cluster, lends=lends))
        ]
    each, what = (
        1 / cluster.slots,
        "containers" if cluster.has_containers and not cluster.has_nodes else "slots",
    )
    found = [Machine((each,) * len(KIND_WORDS), cluster.slots, f"all {cluster.slots} {what}")]
    for name, what in (("memory_mb", "memory"), ("cores", "cores")) if cluster.has_nodes else ():
        available = sum(group.count * getattr(group, name) for group in cluster.nodes)
        shares = tuple(getattr(request, name) / available for request in cluster.requests)
        found.append(Machine(shares, 0, f"all {what} of the nodes"))
    if cluster.contention and cluster.most_map_work > 0:
        speed = cluster.map_speed(1) / cluster.most_map_work
        found.append(Machine((speed, 0.0), 0, "all nodes, with as many maps each as do best,"))
    return found


@dataclass(frozen=True, eq=False)
class Pieces:
    """Work on slots of one type, in groups of the same head and tail: a stage of each job.

    Attributes
    ----------
    task_type : of all its tasks
    heads : when work of each group can start at the earliest, in s, (groups,)
    tails : what has to follow it at least, in s, (groups,)
    fluid : slot-seconds of each group that may be done in any way, besides its tasks, (groups,)
    lengths : seconds that each task holds a slot, without interruption, (tasks,)
    group : that each task belongs to, (tasks,)
    work : slot-seconds of each group, (groups,)
    longest : seconds of the longest task of each group, (groups,)
    """

    task_type: int
    heads: Floats
    tails: Floats
    fluid: Floats
    lengths: Floats
    group: NDArray[np.int32]
    work: Floats
    longest: Floats

    @property
    def mirrored(self) -> Pieces:
        """The same with time running backwards: what had to follow comes first."""
        return replace(self, heads=self.tails, tails=self.heads)

    def left_at(self, begin: float) -> Pieces:
        """Return what is left of it at a time, if each task has run since it could."""
        run = np.maximum(begin - self.heads, 0.0)
        if not run.any():
            return self
        return replace(
            self,
            lengths=np.maximum(self.lengths - run[self.group], 0.0),
            fluid=np.where(run > 0, 0.0, self.fluid),
            work=np.where(run > 0, np.where(self.longest > run, self.work, 0.0), self.work),
            longest=np.maximum(self.longest - run, 0.0),
        )


MAX_WAVES = 64
"""So many waves are counted by whole tasks; of more, the work spread over the slots says nearly as much."""


class Stages(NamedTuple):
    """Stages with more tasks than slots, as places in a column of tasks.

    Attributes
    ----------
    first, tasks : the first task of each, and how many it has, (stages,)
    """

    first: NDArray[np.int64]
    tasks: NDArray[np.int64]

    @classmethod
    def of(cls, stages: StageColumns, some: NDArray[np.int64]) -> Stages:
        """Return some stages of a workload."""
        return cls(stages.first[some].astype(np.int64), stages.count[some].astype(np.int64))

    def ascending(self, values: Floats) -> Floats:
        """Return a copy of a column that is sorted within each stage."""
        values = np.append(values, 0.0)
        for first, end in zip(self.first.tolist(), (self.first + self.tasks).tolist(), strict=True):
            values[first:end].sort()
        return values

    def waves(self, ascending: Floats, slots: int) -> Floats:
        """Return seconds that some slot needs for whole tasks, (stages,): the pigeonhole bound.

        Of the ``k slots + 1`` longest tasks some slot runs ``k + 1``, which take no less than the shortest
        ``k + 1`` of them (Dell'Amico and Martello 1995).
        """
        most = np.minimum((self.tasks - 1) // slots, MAX_WAVES)
        stage = np.repeat(np.arange(len(most)), most)
        k = np.arange(len(stage)) - np.repeat(np.cumsum(most) - most, most) + 1
        first = (self.first + self.tasks)[stage] - k * slots - 1
        of_slot = np.add.reduceat(ascending, np.column_stack([first, first + k + 1]).ravel())[::2]
        longest = np.zeros(len(most))
        np.maximum.at(longest, stage, of_slot)
        return longest

    def beyond(self, ascending: Floats, slots: int) -> Floats:
        """Return the sum of all but the largest `slots` values of each stage, (stages,)."""
        places = np.column_stack([self.first, self.first + self.tasks - slots]).ravel()
        return np.asarray(np.add.reduceat(ascending, places)[::2], np.float64)


def stage_bound(lengths: Floats, slots: int) -> float:
    """Return seconds below which whole tasks cannot be run on so many slots (P||Cmax).

    The largest of the longest task and the work spread over all slots (McNaughton 1959), and that of waves.
    """
    if len(lengths) <= slots:
        return float(lengths.max(initial=0.0))
    stages = Stages(np.zeros(1, np.int64), np.array([len(lengths)]))
    ascending = stages.ascending(lengths)
    waves = stages.waves(ascending, slots)
    return max(float(ascending[-2]), float(lengths.sum()) / slots, float(waves[0]))


class Demands(NamedTuple):
    """The least demands of the jobs of a workload on a cluster.

    Attributes
    ----------
    machines : what limits the work; of typed slots one for each type
    stages : stage k of all jobs, k ascending; where scans are shared, what waits for nothing is one group
    arrival : of each job, in s, (jobs,); of one that follows others the earliest that is possible: when all
        before it have taken what they take alone, and the think times have passed
    heads : when each job's last stage can begin to be done at the earliest, in s, (jobs,)
    tails : how long it takes from then on at least, in s, (jobs,)
    ends : when each job can end at the earliest, in s, (jobs,)
    alone : how long each stage takes at least with all slots for itself, in s, (stages of the workload,)
    behind : how long jobs take at least that follow each, and their think times, in s, (jobs,)
    """

    machines: list[Machine]
    stages: tuple[Pieces, ...]
    arrival: Floats
    heads: Floats
    tails: Floats
    ends: Floats
    alone: Floats
    behind: Floats

    @property
    def stages_to_the_end(self) -> tuple[Pieces, ...]:
        """The stages with what follows them at least until all jobs have ended, not only their own.

        Scans that jobs share are of no job in particular, and nothing more follows them.
        """
        if not self.behind.any():
            return self.stages
        return tuple(
            replace(stage, tails=stage.tails + self.behind) if len(stage.tails) == len(self.behind) else stage
            for stage in self.stages
        )

    @property
    def shares(self) -> tuple[float, ...]:
        """The part of the slots of its type that a task of each stage holds; only of typed slots."""
        return tuple(self.machines[stage.task_type].shares[stage.task_type] for stage in self.stages)

    @property
    def areas(self) -> tuple[Floats, ...]:
        """Seconds that stages take which fill all slots of their type evenly, (jobs,) each; likewise."""
        return tuple(stage.work * share for stage, share in zip(self.stages, self.shares, strict=True))

    @classmethod
    def of(
        cls, workload: Workload, cluster: Cluster, *, lends: bool = False, scans: float | None = None
    ) -> Demands:
        """Gather them; `scans` are the slot-seconds of all maps together where jobs share scans."""
        columns = workload.columns
        stages = columns.stages
        limits = machines(cluster, lends=lends)
        shuffle = shortest_shuffle(workload, cluster)
        later = columns.typical_shuffle - shuffle if cluster.shuffle_model != "mumak" else shuffle
        lengths = columns.duration + shuffle
        if cluster.map_speed(1) < 1:
            lengths = lengths / np.array([cluster.map_speed(1), 1.0])[columns.kind]
        work, longest = _of_stages(stages, lengths)
        alone, extra = longest.copy(), np.zeros(len(work))
        waits = stages.has_parents
        for task_type, slots in enumerate(_slots(cluster, lends=lends)):
            many = (stages.task_type == task_type) & (stages.count > slots)
            if scans is None:
                _take_waves(alone, stages, lengths, np.flatnonzero(many & ~waits), slots)
            some = np.flatnonzero(many & waits)
            extra[some] = _take_fillers(alone, stages, lengths, later, some, slots)
        work += extra
        for machine in limits:
            np.maximum(alone, work * np.array(machine.shares)[stages.task_type], out=alone)
        arrival, behind = columns.arrival, np.zeros(len(columns.arrival))
        if len(columns.links):
            spans = stages.spans(alone)
            arrival, behind = columns.links.earliest_arrivals(spans), columns.links.rests(spans)
        heads, tails = stages.heads(alone, arrival), _tails(stages, alone)
        pieces = [
            Pieces(
                task_type=task_type,
                heads=_by_job(stages, some, heads),
                tails=_by_job(stages, some, tails),
                fluid=_by_job(stages, some, extra),
                lengths=lengths[tasks],
                group=columns.job[tasks],
                work=_by_job(stages, some, work),
                longest=_by_job(stages, some, longest),
            )
            for task_type, some, tasks in alike(columns)
        ]
        if scans is not None:
            pieces[0] = _shared(pieces[0], scans)
        last = stages.begin[1:] - 1
        ends = np.maximum.reduceat(heads + alone, stages.begin[:-1])
        return cls(limits, tuple(pieces), arrival, heads[last], alone[last], ends, alone, behind)


def _slots(cluster: Cluster, *, lends: bool) -> tuple[int, ...]:
    """Return how many slots tasks of each type may have at most, 1 at least."""
    slots = (cluster.slots,) * len(KIND_WORDS) if lends else cluster.stage_slots
    return tuple(max(each, 1) for each in slots)


class Alike(NamedTuple):
    """The stages of one number and type: one of each job at most.

    Attributes
    ----------
    task_type : of their tasks
    stages : which of a workload's they are, (some,)
    tasks : whether each task of the workload is in one of them, (tasks,)
    """

    task_type: int
    stages: NDArray[np.int64]
    tasks: NDArray[np.bool_]


def alike(columns: TaskColumns) -> list[Alike]:
    """Return the stages of all jobs by number, then type: of MapReduce jobs all maps, and all reduces."""
    stages, found = columns.stages, []
    for number in range(int(stages.number.max()) + 1):
        for task_type in range(len(KIND_WORDS)):
            mine = (stages.number == number) & (stages.task_type == task_type)
            if mine.any():
                found.append(Alike(task_type, np.flatnonzero(mine), mine[columns.stage]))
    return found


def _by_job(stages: StageColumns, some: NDArray[np.int64], values: Floats) -> Floats:
    """Return values of stages, one of each job at most, by job; 0 for a job without, (jobs,)."""
    jobs = len(stages.begin) - 1
    if len(some) == jobs:
        return values[some]
    of_jobs = np.zeros(jobs)
    of_jobs[stages.job[some]] = values[some]
    return of_jobs


def _tails(stages: StageColumns, alone: Floats) -> Floats:
    """Return how long the longest chain of stages takes that wait for each stage, (stages,)."""
    tails = np.zeros(len(alone))
    number = stages.number[stages.parent]
    for each in range(number.max(initial=-1), -1, -1):
        parent, child = (ends[number == each] for ends in (stages.parent, stages.child))
        np.maximum.at(tails, parent, alone[child] + tails[child])
    return tails


def _of_stages(stages: StageColumns, lengths: Floats) -> tuple[Floats, Floats]:
    """Return the slot-seconds of each stage, and its longest task, (stages,) each."""
    work, longest = np.zeros(len(stages.count)), np.zeros(len(stages.count))
    some = stages.count > 0
    # the stages that have tasks follow one another without gaps
    work[some] = np.add.reduceat(lengths, stages.first[some])
    longest[some] = np.maximum.reduceat(lengths, stages.first[some])
    return work, longest


def _take_waves(
    alone: Floats, stages: StageColumns, lengths: Floats, some: NDArray[np.int64], slots: int
) -> None:
    """Raise how long some stages take by themselves: those with more tasks than slots."""
    if len(some):
        places = Stages.of(stages, some)
        alone[some] = np.maximum(alone[some], places.waves(places.ascending(lengths), slots))


def _take_fillers(
    alone: Floats,
    stages: StageColumns,
    lengths: Floats,
    later: Floats,
    some: NDArray[np.int64],
    slots: int,
) -> Floats:
    """Do so where tasks may be fillers; return the slot-seconds that those beyond them add, (some,).

    A task costs `later` more unless it is the first on its slot: all but `slots` tasks do, and of those in
    one slot's waves all but one.
    """
    _take_waves(alone, stages, lengths, some, slots)
    if len(some) == 0 or not later.any():
        return np.zeros(len(some))
    places = Stages.of(stages, some)
    ascending = places.ascending(later)
    spared = ascending[places.first + places.tasks - 1]
    waves = places.waves(places.ascending(lengths + later), slots) - spared
    alone[some] = np.maximum(alone[some], waves)
    return places.beyond(ascending, slots)


def _shared(maps: Pieces, scans: float) -> Pieces:
    """Return all maps as one piece of work of so many slot-seconds that may be cut in any way."""
    some = maps.work > 0
    work = np.array([scans if some.any() else 0.0])
    return Pieces(
        task_type=maps.task_type,
        heads=maps.heads[some].min(initial=np.inf, keepdims=True) if some.any() else np.zeros(1),
        tails=maps.tails[some].min(initial=np.inf, keepdims=True) if some.any() else np.zeros(1),
        fluid=work,
        lengths=np.zeros(0),
        group=np.zeros(0, np.int32),
        work=work,
        longest=np.zeros(1),
    )
