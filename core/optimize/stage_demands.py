"""What jobs ask of slots at least, stage by stage: how long tasks hold them, from when, what must follow.

The slots of a kind, all containers, or all the memory of nodes are a machine that does one second of work per
second. A task holds a share of it. Its head is when it can start at the earliest; its tail is what its job
still has to do when it has ended: a map has its job's whole reduce stage behind it, a reduce has its job's
whole map stage before it. Each stage counts as if its job were alone, with all slots for itself.

A reduce counts from the end of its job's map stage on. One that holds a slot by then (a filler) pays the
first shuffle, any other the typical one. At that instant a slot holds one reduce: of one job, no more fillers
than slots.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.model.job import MAP, REDUCE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import TaskColumns, Workload

    Floats = NDArray[np.float64]


def shortest_shuffle(workload: Workload, cluster: Cluster) -> Floats:
    """Return the least time that each task's shuffle takes after its job's map stage, in s, (tasks,).

    The smaller of first and typical shuffle; a job without maps has no first shuffle.
    """
    columns = workload.columns
    if cluster.shuffle_model == "mumak":
        return np.zeros(len(columns.duration))
    shortest: Floats = np.minimum(columns.first_shuffle, columns.typical_shuffle)
    has_maps = columns.count[:, MAP] > 0
    return shortest if has_maps.all() else np.where(has_maps[columns.job], shortest, columns.typical_shuffle)


class Machine(NamedTuple):
    """What limits work: the part of it that a running map holds, and a running reduce.

    Attributes
    ----------
    of_map, of_reduce : 0 for a kind that does not use it
    slots : of how many equal slots it consists, each for one whole task; 0 where it does not
    name : what it is, in words
    """

    of_map: float
    of_reduce: float
    slots: int
    name: str

    @property
    def shares(self) -> tuple[float, float]:
        """The part that a task of each kind holds."""
        return self.of_map, self.of_reduce


def machines(cluster: Cluster, *, lends: bool) -> list[Machine]:
    """Return what limits the work of a cluster: its slots, and of nodes also their memory and cores.

    Where maps slow one another, nodes get no more done than each with its best number of maps. Maps take what
    they take alone on a node: no map is faster.
    """
    maps, reduces = (max(slots, 1) for slots in cluster.stage_slots)
    if not (lends or cluster.has_containers):
        typed = [Machine(1 / maps, 0.0, maps, f"all {maps} map slots")]
        return [*typed, Machine(0.0, 1 / reduces, reduces, f"all {reduces} reduce slots")]
    each, what = 1 / cluster.slots, "containers" if cluster.containers else "slots"
    found = [Machine(each, each, cluster.slots, f"all {cluster.slots} {what}")]
    for name, what in (("memory_mb", "memory"), ("cores", "cores")) if cluster.has_nodes else ():
        available = sum(group.count * getattr(group, name) for group in cluster.nodes)
        of_map, of_reduce = (
            getattr(request, name) / available for request in (cluster.map_request, cluster.reduce_request)
        )
        found.append(Machine(of_map, of_reduce, 0, f"all {what} of the nodes"))
    if cluster.contention and cluster.most_map_work > 0:
        speed = cluster.map_speed(1) / cluster.most_map_work
        found.append(Machine(speed, 0.0, 0, "all nodes, with as many maps each as do best,"))
    return found


@dataclass(frozen=True, eq=False)
class Pieces:
    """Work of one kind, in groups of the same head and tail: the tasks of a job.

    Attributes
    ----------
    heads : when work of each group can start at the earliest, in s, (groups,)
    tails : what has to follow it at least, in s, (groups,)
    fluid : slot-seconds of each group that may be done in any way, besides its tasks, (groups,)
    lengths : seconds that each task holds a slot, without interruption, (tasks,)
    group : that each task belongs to, (tasks,)
    work : slot-seconds of each group, (groups,)
    longest : seconds of the longest task of each group, (groups,)
    """

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
    def of_jobs(cls, columns: TaskColumns, jobs: NDArray[np.int64], kind: int) -> Stages:
        """Return the stages of one kind of some jobs."""
        return cls(*(each[jobs, kind].astype(np.int64) for each in (columns.first, columns.count)))

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
    """What the jobs of a workload ask of a cluster at least.

    Attributes
    ----------
    machines : what limits the work
    maps : the maps of each job, with the job's reduce stage as their tail; one group where scans are shared
    reduces : the reduces of each job from the end of its map stage on, which is their head
    arrival : of each job, in s, (jobs,)
    heads : when each job's map stage can end at the earliest, in s, (jobs,)
    tails : how long its reduces take from then on at least, in s, (jobs,)
    """

    machines: list[Machine]
    maps: Pieces
    reduces: Pieces
    arrival: Floats
    heads: Floats
    tails: Floats

    @classmethod
    def of(
        cls, workload: Workload, cluster: Cluster, *, lends: bool = False, scans: float | None = None
    ) -> Demands:
        """Gather them; `scans` are the slot-seconds of all maps together where jobs share scans."""
        columns = workload.columns
        limits = machines(cluster, lends=lends)
        slots = (cluster.slots, cluster.slots) if lends else cluster.stage_slots
        is_map = columns.kind == MAP
        shuffle = shortest_shuffle(workload, cluster)
        later = columns.typical_shuffle - shuffle if cluster.shuffle_model != "mumak" else shuffle
        lengths = columns.duration + shuffle
        if cluster.map_speed(1) < 1:
            lengths = lengths / np.where(is_map, cluster.map_speed(1), 1.0)
        work, longest = _of_stages(columns, lengths)
        alone = longest.copy()
        if scans is None:
            _take_waves(alone, columns, lengths, MAP, max(slots[MAP], 1))
        extra = _take_reduces(alone, columns, lengths, later, max(slots[REDUCE], 1))
        work[:, REDUCE] += extra
        for machine in limits:
            np.maximum(alone, work * machine.shares, out=alone)
        heads, tails = columns.arrival + alone[:, MAP], alone[:, REDUCE]
        nothing = np.zeros(len(heads))
        maps, reduces = (
            Pieces(
                heads=begin,
                tails=rest,
                fluid=fluid,
                lengths=lengths[of_kind],
                group=columns.job[of_kind],
                work=work[:, kind],
                longest=longest[:, kind],
            )
            for kind, of_kind, begin, rest, fluid in (
                (MAP, is_map, columns.arrival, tails, nothing),
                (REDUCE, ~is_map, heads, nothing, extra),
            )
        )
        if scans is not None:
            maps = _shared(maps, scans)
        return cls(limits, maps, reduces, columns.arrival, heads, tails)


def _of_stages(columns: TaskColumns, lengths: Floats) -> tuple[Floats, Floats]:
    """Return the slot-seconds of each stage, and its longest task, (jobs, 2) each."""
    work, longest = np.zeros(columns.count.shape), np.zeros(columns.count.shape)
    some = columns.count > 0
    # the stages that have tasks follow one another without gaps
    work[some] = np.add.reduceat(lengths, columns.first[some])
    longest[some] = np.maximum.reduceat(lengths, columns.first[some])
    return work, longest


def _take_waves(alone: Floats, columns: TaskColumns, lengths: Floats, kind: int, slots: int) -> None:
    """Raise how long stages of a kind take by themselves where they have more tasks than slots."""
    many = np.flatnonzero(columns.count[:, kind] > slots)
    if len(many):
        stages = Stages(
            columns.first[many, kind].astype(np.int64), columns.count[many, kind].astype(np.int64)
        )
        waves = stages.waves(stages.ascending(lengths), slots)
        alone[many, kind] = np.maximum(alone[many, kind], waves)


def _take_reduces(alone: Floats, columns: TaskColumns, lengths: Floats, later: Floats, slots: int) -> Floats:
    """Do so for reduces; return the slot-seconds that those beyond the fillers add, (jobs,).

    A task costs `later` more unless it is the first on its slot: all but `slots` tasks do, and of those in
    one slot's waves all but one.
    """
    _take_waves(alone, columns, lengths, REDUCE, slots)
    extra = np.zeros(len(alone))
    many = np.flatnonzero(columns.count[:, REDUCE] > slots)
    if len(many) == 0 or not later.any():
        return extra
    stages = Stages(
        columns.first[many, REDUCE].astype(np.int64), columns.count[many, REDUCE].astype(np.int64)
    )
    ascending = stages.ascending(later)
    extra[many] = stages.beyond(ascending, slots)
    spared = ascending[stages.first + stages.tasks - 1]
    waves = stages.waves(stages.ascending(lengths + later), slots) - spared
    alone[many, REDUCE] = np.maximum(alone[many, REDUCE], waves)
    return extra


def _shared(maps: Pieces, scans: float) -> Pieces:
    """Return all maps as one piece of work of so many slot-seconds that may be cut in any way."""
    some = maps.work > 0
    work = np.array([scans if some.any() else 0.0])
    return Pieces(
        heads=maps.heads[some].min(initial=np.inf, keepdims=True) if some.any() else np.zeros(1),
        tails=maps.tails[some].min(initial=np.inf, keepdims=True) if some.any() else np.zeros(1),
        fluid=work,
        lengths=np.zeros(0),
        group=np.zeros(0, np.int32),
        work=work,
        longest=np.zeros(1),
    )
