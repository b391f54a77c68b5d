"""The stages of a job: what runs in each, on slots of which type, and which stage waits for which.

A MapReduce job is the case of two: maps, and reduces that wait for them. A query of Tez or Spark is a graph
of more.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from core.model.kept_read_only import KeptReadOnly, read_only
from core.model.task_types import MAP, REDUCE, TASK_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, slots=True)
class Edge:
    """One stage of a job waits for another.

    Attributes
    ----------
    parent, child : their numbers in the job; a parent has the lower one
    slowstart : part of the parent's tasks that must be complete before the child's may start, 0 to 1; None
        for the cluster's. Tasks that start before all are complete are fillers
    inferred : whether it is a guess of who read a log, not what somebody said
    """

    parent: int
    child: int
    slowstart: float | None = None
    inferred: bool = False


@dataclass(frozen=True)
class StageGraph(KeptReadOnly):
    """Which stages a job has and what each of them waits for; jobs of one form share one.

    Attributes
    ----------
    task_types : MAP or REDUCE of each stage: the type of slot that its tasks run on
    edges : which stage waits for which, by child, then parent
    names : what each stage is called, an empty text where it has no name; () where none has one. Schedules
        do not depend on them

    Examples
    --------
    >>> MAP_REDUCE.parents(1)
    (0,)
    """

    task_types: tuple[int, ...]
    edges: tuple[Edge, ...] = ()
    names: tuple[str, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        if len(self.names) not in (0, len(self.task_types)):
            raise ValueError(f"{len(self.names)} names do not fit {len(self.task_types)} stages")
        for edge in self.edges:
            parent, child = edge.parent, edge.child
            if not 0 <= parent < child < len(self.task_types):
                raise ValueError(
                    f"stage {child} of {len(self.task_types)} waits for stage {parent}: "
                    "a stage waits for stages with lower numbers"
                )

    def __len__(self) -> int:
        return len(self.task_types)

    @property
    def is_map_reduce(self) -> bool:
        """Whether it is maps, and reduces that wait for them."""
        return self.task_types == TASK_TYPES and self.parents(REDUCE) == (MAP,)

    def parents(self, stage: int) -> tuple[int, ...]:
        """Return the stages that a stage waits for, ascending."""
        return tuple(edge.parent for edge in self.edges_to(stage))

    def edges_to(self, stage: int) -> tuple[Edge, ...]:
        """Return the edges to what a stage waits for, by the number of that."""
        return self._edges_to[stage]

    @cached_property
    def _edges_to(self) -> tuple[tuple[Edge, ...], ...]:
        found: list[list[Edge]] = [[] for _ in self.task_types]
        for edge in self.edges:
            found[edge.child].append(edge)
        return tuple(tuple(sorted(edges, key=lambda edge: edge.parent)) for edges in found)

    def name(self, stage: int) -> str:
        """Return what a stage is called: its name, or its number in the job, as "stage 3"."""
        return (self.names[stage] if self.names else "") or f"stage {stage}"


MAP_REDUCE = StageGraph(TASK_TYPES, (Edge(MAP, REDUCE),))
ONE_STAGE = StageGraph((MAP,))
"""Of a job whose tasks wait for no other task."""
"""Maps, then reduces."""


def _frozen(values: ArrayLike) -> NDArray[np.float64]:
    if type(values) in (int, float) and repr(values) in ("0", "0.0"):
        return _ZERO  # most stages have one, and a large workload has many stages
    return read_only(np.array(values, np.float64, ndmin=1))


_ZERO = np.zeros(1)
_ZERO.flags.writeable = False


@dataclass(frozen=True, slots=True, eq=False)
class Stage(KeptReadOnly):
    """All tasks of one stage of a job: all maps, or all reduces.

    Durations are samples in seconds: task i takes item ``i mod length``.

    Attributes
    ----------
    count : number of tasks
    durations : of the tasks; where a shuffle precedes them, of what follows it, (k,)
    first_shuffle : for tasks that start before the stages they wait for have ended: the part of their
        shuffle that comes after that, (k,)
    typical_shuffle : for tasks that start later: their whole shuffle, (k,)
    """

    count: int = 0
    durations: NDArray[np.float64] = field(default_factory=lambda: _ZERO)
    first_shuffle: NDArray[np.float64] = field(default_factory=lambda: _ZERO)
    typical_shuffle: NDArray[np.float64] = field(default_factory=lambda: _ZERO)

    @classmethod
    def of(
        cls,
        count: int,
        durations: ArrayLike = 0.0,
        first_shuffle: ArrayLike = 0.0,
        typical_shuffle: ArrayLike = 0.0,
    ) -> Stage:
        """Build a stage from numbers or sequences."""
        first = _frozen(first_shuffle)
        typical = first if typical_shuffle is first_shuffle else _frozen(typical_shuffle)
        return cls(int(count), _frozen(durations), first, typical)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Stage) and self._key() == other._key())

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[int, bytes, bytes, bytes]:
        return (
            self.count,
            self.durations.tobytes(),
            self.first_shuffle.tobytes(),
            self.typical_shuffle.tobytes(),
        )

    @property
    def task_durations(self) -> NDArray[np.float64]:
        """Duration of every task, (count,)."""
        return np.resize(self.durations, self.count)

    @property
    def task_first_shuffle(self) -> NDArray[np.float64]:
        """First shuffle of every task, (count,)."""
        return np.resize(self.first_shuffle, self.count)

    @property
    def task_typical_shuffle(self) -> NDArray[np.float64]:
        """Typical shuffle of every task, (count,)."""
        return np.resize(self.typical_shuffle, self.count)

    def at_most_usual(self) -> Stage:
        """Return the stage with each time at most its median, of shuffles that of the typical ones."""
        shuffle, duration = np.median(self.task_typical_shuffle), np.median(self.task_durations)
        times = (self.task_durations, duration), (self.task_first_shuffle, shuffle)
        least = (np.minimum(each, most) for each, most in (*times, (self.task_typical_shuffle, shuffle)))
        return Stage.of(self.count, *least)


EMPTY = Stage()
"""A stage without tasks."""


@dataclass(frozen=True, slots=True)
class StageColumns(KeptReadOnly):
    """All stages of a workload, job by job in the order of their numbers; every array is read-only.

    Stage k of job j is stage ``begin[j] + k`` of the workload; its tasks are ``first[s]`` to
    ``first[s] + count[s] - 1``. Five MapReduce jobs have 10 stages, and ``begin`` is 0, 2, 4, 6, 8, 10.

    Attributes
    ----------
    begin : the first stage of each job, and behind them how many there are, int32 (jobs + 1,)
    job, number : the job of each stage and its number there, int32 (stages,)
    task_type : MAP or REDUCE, int8 (stages,)
    first, count : its first task and how many it has, int32 (stages,)
    parent, child : the two stages of each edge, by child, int32 (edges,)
    slowstart : of each edge, nan for the cluster's, (edges,)
    """

    begin: NDArray[np.int32]
    job: NDArray[np.int32]
    number: NDArray[np.int32]
    task_type: NDArray[np.int8]
    first: NDArray[np.int32]
    count: NDArray[np.int32]
    parent: NDArray[np.int32]
    child: NDArray[np.int32]
    slowstart: NDArray[np.float64]

    @property
    def are_map_reduce(self) -> bool:
        """Whether every job has two stages: maps, and reduces that wait for them."""
        jobs = len(self.begin) - 1
        in_turn = (self.number[self.parent] == MAP) & (self.number[self.child] == REDUCE)
        return (
            len(self.job) == len(TASK_TYPES) * jobs
            and len(self.parent) == jobs
            and bool(in_turn.all())
            and bool((self.task_type == self.number).all())
        )

    @property
    def has_parents(self) -> NDArray[np.bool_]:
        """Whether each stage waits for another, (stages,)."""
        waits = np.zeros(len(self.job), bool)
        waits[self.child] = True
        return waits

    @property
    def has_children(self) -> NDArray[np.bool_]:
        """Whether another stage waits for each, (stages,)."""
        awaited = np.zeros(len(self.job), bool)
        awaited[self.parent] = True
        return awaited

    def edges_of(self, stage: int) -> slice:
        """Return where the edges of the stages that a stage waits for lie."""
        first, last = np.searchsorted(self.child, (stage, stage + 1)).tolist()  # they lie by child
        return slice(first, last)

    def parents_of(self, stage: int) -> NDArray[np.int32]:
        """Return the stages that a stage waits for, ascending."""
        return self.parent[self.edges_of(stage)]

    def heads(self, alone: NDArray[np.float64], arrival: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return when each stage can begin to be done: when the last one that it waits for has ended.

        Parameters
        ----------
        alone : seconds that each stage takes at least, (stages,)
        arrival : of each job, (jobs,)
        """
        heads = arrival[self.job]
        for parent, child in self._edges_in_turn():
            np.maximum.at(heads, child, heads[parent] + alone[parent])
        return heads

    def _edges_in_turn(self) -> Iterator[tuple[NDArray[np.int32], NDArray[np.int32]]]:
        """Yield parents and children of edges, those of children with the lowest number in their job first.

        What a stage waits for has lower numbers, and is known by then.
        """
        turn = np.argsort(self.number[self.child], kind="stable")
        parent, child = self.parent[turn], self.child[turn]
        begins = np.flatnonzero(np.diff(self.number[child], prepend=-1))
        for begin, end in pairwise([*begins.tolist(), len(turn)]):
            yield parent[begin:end], child[begin:end]

    def released(self, ends: NDArray[np.float64], arrival: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return when the last of the stages that each stage waits for ended; its job's arrival for none.

        Parameters
        ----------
        ends : when the last task of each stage ended, -infinity where it has none, (stages,)
        arrival : of each job, (jobs,)
        """
        released = arrival[self.job]
        for parent, child in self._edges_in_turn():
            np.maximum.at(released, child, np.maximum(ends[parent], released[parent]))
        return released

    def tails(self, alone: NDArray[np.float64], after: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how long what waits for each stage takes, one after the other, in s, (stages,).

        Parameters
        ----------
        alone : seconds that each stage takes, (stages,)
        after : seconds that what follows each job takes, (jobs,)
        """
        tails = after[self.job]
        number = self.number[self.child]  # what waits for a stage has higher numbers, and is known by then
        for each in range(number.max(initial=0), 0, -1):
            parent, child = (ends[number == each] for ends in (self.parent, self.child))
            np.maximum.at(tails, parent, alone[child] + tails[child])
        return tails

    def spans(self, alone: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how long each job takes at least if its stages take as long as this, in s, (jobs,)."""
        ends = self.heads(alone, np.zeros(len(self.begin) - 1)) + alone
        longest: NDArray[np.float64] = np.maximum.reduceat(ends, self.begin[:-1])
        return longest

    def of_type(self, job: int, task_type: int) -> NDArray[np.int64]:
        """Return the stages of a job whose tasks run on slots of a type, ascending."""
        begin, end = self.begin[job : job + 2].tolist()
        found: NDArray[np.int64] = begin + np.flatnonzero(self.task_type[begin:end] == task_type)
        return found


@cache
def _table(graph: StageGraph) -> tuple[NDArray[np.int8], NDArray[np.int32], NDArray[np.float64]]:
    """Return the types of a graph's stages, its edges as pairs, (edges, 2), and their slowstarts."""
    edges = sorted(graph.edges, key=lambda edge: (edge.child, edge.parent))
    pairs = np.array([(edge.parent, edge.child) for edge in edges], np.int32).reshape(-1, 2)
    starts = [np.nan if edge.slowstart is None else edge.slowstart for edge in edges]
    return np.array(graph.task_types, np.int8), pairs, np.array(starts, np.float64)


def stage_columns(graphs: Sequence[StageGraph], counts: NDArray[np.int32]) -> StageColumns:
    """Return the stages of jobs as columns.

    Parameters
    ----------
    graphs : of each job
    counts : number of tasks of each stage, job by job, (stages,)
    """
    shared = {id(graph): graph for graph in graphs}  # jobs of one form share one: a million are hashed once
    number_of = {graph: number for number, graph in enumerate(dict.fromkeys(shared.values()))}
    tables = [_table(graph) for graph in number_of]
    places = {key: number_of[graph] for key, graph in shared.items()}
    which = np.fromiter((places[id(graph)] for graph in graphs), np.int32, len(graphs))
    sizes = np.array([len(types) for types, _, _ in tables], np.int32)[which]
    begin = np.zeros(len(graphs) + 1, np.int32)
    np.cumsum(sizes, out=begin[1:])
    edges = np.array([len(pairs) for _, pairs, _ in tables], np.int32)[which]
    task_type, pairs, slowstart = (
        np.concatenate([tables[number][part] for number in which.tolist()])
        if len(tables) > 1
        else np.concatenate([tables[0][part]] * len(graphs))
        for part in range(3)
    )
    pairs = pairs + np.repeat(begin[:-1], edges)[:, np.newaxis]
    arrays = (
        begin,
        np.repeat(np.arange(len(graphs), dtype=np.int32), sizes),
        (np.arange(begin[-1]) - np.repeat(begin[:-1], sizes)).astype(np.int32),
        task_type,
        (np.cumsum(counts, dtype=np.int64) - counts).astype(np.int32),
        counts,
        np.ascontiguousarray(pairs[:, 0], np.int32),
        np.ascontiguousarray(pairs[:, 1], np.int32),
        slowstart,
    )
    return StageColumns(*map(read_only, arrays))
