"""What the engine reads and writes: columns of tasks, slots and queues, and small records.

The same field names exist twice: as numpy columns for the compiled engine, and as lists and small objects
for the interpreted one (`as_rows`). Whatever is neither compiled nor a step of the engine reads and writes
the records of both through `records_of`.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.engine.placement import lowest_with_room
from core.engine.slot_trees import CLOSED
from core.model.kept_read_only import read_only
from core.model.task_types import TASK_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from core.engine.records import (
        ClusterRecord,
        EdgeRecord,
        JobRecord,
        LinkRecord,
        NodeRecord,
        PoolRecord,
        RecordColumn,
        SlotChangeRecord,
        StageRecord,
    )

INF = float("inf")
NO_STAGE = -1
"""A slot that has run nothing yet, or a job of which no task of a kind may start."""
UNCHANGED, END = -2, -1
"""Links among the jobs whose records have changed: not linked, and the last one."""
SETUP, CLEANUP = 0, 1
"""What a job may have beside its tasks, on a cluster with overheads."""
NO_PAUSE = np.iinfo(np.int32).max
NUMBERS = frozenset({int, float, bool})
"""What most fields of a `Row` hold; a copy of the row may hold the same."""


class State(NamedTuple):
    """Everything of one run.

    Attributes
    ----------
    arrivals : jobs by arrival, then rank; int32 (jobs,). The last `cluster.unknown` have no meaning; a job
        that follows others takes its place when the last of them ends
    duration, first_shuffle, typical_shuffle : seconds, (tasks,); read
    task_key : what the policy's hook of this name says of each task, (tasks,), where it is kept; read
    slot : int32 (tasks,); written, -1 = not started
    sequence : tasks in the order in which they started, int32 (tasks,); written
    start, shuffled, end : (tasks,); written, nan = not yet
    tree : winner tree over the slots, int32 (2 L,), L the next power of two
    finish : when each slot's task ends, infinity when idle or waiting for its map stage, (L,)
    slot_stage : the stage whose task each slot runs or ran last, -1 for none yet, int32 (slots,)
    free : heaps of free slots per type, int32 (2, slots); in a divided cluster one after the other per pool
    queue : jobs that need a task of each kind, by rank, from `cluster.head` on, int32 (2, jobs)
    trees : selection trees over the jobs, -1 = no job, int32 (2, nodes); see `core.engine.fresh_state`
    keys : the keys of the jobs that take part in them, and the tree of their outlooks if the policy has them,
        (2, jobs + nodes, numbers)
    there : whether each slot is, see `core.engine.slot_changes`, int32 (slots,), kept where slots come and go
    change : records SLOT_CHANGE by time, closes first, (changes,); read
    node : records NODE (nodes,)
    node_of : the node of each slot, int32 (slots,); read
    map_on : on nodes the map that runs on each slot, -1 for none, int32 (slots,), kept where maps contend
    speeds : of each map on a node by the number of maps there, from 1 on, (numbers,); read
    fits : per kind, a tree of sums over nodes of how many tasks would fit, int32 (2, 2 L), L likewise
    job, pool, cluster : records JOB (jobs,), POOL (pools,), CLUSTER
    stage : records STAGE, those of a job one after the other, (stages,)
    edge : records EDGE, those of a parent one after the other, (edges,)
    link : records LINK, those of a job that others follow one after the other, (links,); read
    stack : place for the stages that end in one instant, int32 (stages,)
    beats : of a cluster with overheads its hosts, `core.engine.hosts.Beats`; else empty
    given_up : where the policy may give running tasks up, `core.engine.given_up.GivenUp`, where it may let
        second copies of tasks run, `core.engine.copies.Copies`, where nodes fail,
        `core.engine.node_failures.Failing`; else empty
    inputs : where jobs say on which nodes their input lies, `core.engine.inputs.Inputs`; else empty
    """

    arrivals: RecordColumn[int]
    duration: Any
    first_shuffle: Any
    typical_shuffle: Any
    task_key: Any
    slot: Any
    sequence: Any
    start: Any
    shuffled: Any
    end: Any
    tree: RecordColumn[int]
    finish: RecordColumn[float]
    slot_stage: Any
    free: Any
    there: Any
    change: RecordColumn[SlotChangeRecord]
    node: RecordColumn[NodeRecord]
    node_of: Any
    map_on: Any
    speeds: RecordColumn[float]
    fits: Any
    queue: Any
    trees: Any
    keys: Any
    job: RecordColumn[JobRecord]
    pool: RecordColumn[PoolRecord]
    cluster: ClusterRecord
    stage: RecordColumn[StageRecord]
    edge: RecordColumn[EdgeRecord]
    link: RecordColumn[LinkRecord]
    stack: Any
    beats: Any = ()
    given_up: Any = ()
    inputs: Any = ()


def state_of(**columns: Any) -> State:
    """Return a state of numpy's arrays and records, by the names of its fields."""
    return State(**columns)


def snapshot(state: State) -> State:
    """Copy everything a run writes, so that it can go on from here twice."""
    times = {"duration", "first_shuffle", "typical_shuffle", "task_key"} if not state.given_up else set()
    given = {"link", "change", "node_of", "speeds", *times}
    columns = state._asdict().items()
    return State(**{name: value if name in given else copied(value) for name, value in columns})


def copied(value: Any) -> Any:
    """Return a copy of an array, records or lists; a list of numbers is copied without looking at each."""
    if isinstance(value, list) and value and isinstance(value[0], int | float):
        return value.copy()
    if isinstance(value, list):
        return list(map(copied, value))
    if isinstance(value, tuple) and value:
        return type(value)(*map(copied, value))
    return value.copied() if isinstance(value, Row) else deepcopy(value)


class Row:
    """A record as a small Python object with the record's field names."""

    def __init__(self, record: Any) -> None:
        for name in record.dtype.names or ():
            setattr(self, name, record[name].tolist())

    def copied(self) -> Row:
        """Return a row of its own with the same values."""
        row = type(self).__new__(type(self))
        fields = row.__dict__
        fields.update(self.__dict__)
        for name, value in self.__dict__.items():
            if type(value) not in NUMBERS:
                fields[name] = copied(value)
        return row

    @classmethod
    def of_all(cls, records: NDArray[np.void]) -> list[Row]:
        """Return an object for each record; column by column, which is many times faster than one by one."""
        names = records.dtype.names or ()
        rows = []
        for values in zip(*(records[name].tolist() for name in names), strict=True):
            row = cls.__new__(cls)
            row.__dict__.update(zip(names, values, strict=True))
            rows.append(row)
        return rows


def as_rows(state: State) -> State:
    """Return the state as lists and small objects, for the interpreted engine."""

    def plain(value: Any) -> Any:
        if isinstance(value, tuple):
            return type(value)(*map(plain, value))
        if isinstance(value, np.void):
            return Row(value)
        return Row.of_all(value) if value.dtype.names else value.tolist()

    return State(*map(plain, state))


class RecordView:
    """A record of columns with its fields as attributes, as a `Row` has them; what is set is written."""

    def __init__(self, record: np.void) -> None:
        object.__setattr__(self, "_record", record)

    def __getattr__(self, name: str) -> Any:
        return self._record[name]

    def __setattr__(self, name: str, value: Any) -> None:
        self._record[name] = value


class RecordViews:
    """Records of columns, each viewed at its first use."""

    def __init__(self, records: NDArray[np.void]) -> None:
        self._records = records

    def __len__(self) -> int:
        return len(self._records)

    def __getitem__(self, place: int) -> RecordView:
        return RecordView(self._records[place])

    def __iter__(self) -> Iterator[RecordView]:
        return map(RecordView, self._records)


def records_of(state: State) -> State:
    """Return the same state, in either form, with the fields of its records as attributes: not a copy."""
    if isinstance(state.job, list):
        return state
    names = ("node", "job", "pool", "stage", "edge", "link", "change")
    views: dict[str, Any] = {name: RecordViews(getattr(state, name)) for name in names}
    cluster: Any = state.cluster
    beats = state.beats
    if beats:
        beats = beats._replace(host=RecordViews(beats.host), clock=RecordView(beats.clock))
    given_up = state.given_up
    if given_up:
        given_up = given_up._replace(line=RecordViews(given_up.line), now=RecordView(given_up.now))
        if hasattr(given_up, "event"):
            happening = RecordView(given_up.happening)
            given_up = given_up._replace(event=RecordViews(given_up.event), happening=happening)
        if hasattr(given_up, "kill"):
            given_up = given_up._replace(kill=RecordViews(given_up.kill))
    views["cluster"] = RecordView(cluster)
    inputs = state.inputs
    if inputs:
        inputs = inputs._replace(of=RecordViews(inputs.of), place=RecordViews(inputs.place))
    return state._replace(**views, beats=beats, given_up=given_up, inputs=inputs)


def job_column(state: State, name: str) -> NDArray[Any]:
    """Return one field of every job, of either form, (jobs,) or (jobs, 2)."""
    if isinstance(state.job, np.ndarray):
        column: NDArray[Any] = state.job[name]
        return column
    return np.array([getattr(job, name) for job in state.job])


def stage_column(state: State, name: str) -> NDArray[Any]:
    """Return one field of every stage, of either form, (stages,)."""
    if isinstance(state.stage, np.ndarray):
        column: NDArray[Any] = state.stage[name]
        return column
    return np.array([getattr(stage, name) for stage in state.stage])


def waiting_jobs(state: State, kind: int) -> list[int]:
    """Return the jobs that have a task of this kind that could start, by rank; of either form."""
    arrived = begun_jobs(state)
    waits = job_column(state, "next_stage")[:, kind] >= 0
    jobs = arrived[waits[arrived]]
    by_rank: list[int] = jobs[np.argsort(job_column(state, "rank")[jobs])].tolist()
    return by_rank


def ranks_by_arrival(state: State, rank: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return each job's place in the order of the queues, int32 (jobs,); of either form.

    Where jobs are numbered as they arrive, those that have not arrived stand behind the others.

    Parameters
    ----------
    rank : each job's place in the order that was worked out before the run, int32 (jobs,)
    """
    cluster = records_of(state).cluster
    if not cluster.numbers:
        return rank
    place = rank + len(rank)
    place[np.asarray(state.arrivals)[: cluster.arrived]] = np.arange(cluster.arrived)
    return read_only(np.argsort(np.argsort(place, kind="stable"), kind="stable").astype(np.int32))


def begun_jobs(state: State) -> NDArray[Any]:
    """Return the jobs that have arrived and, with overheads, are launched and set up; of either form."""
    s = records_of(state)
    if not s.beats:
        return np.asarray(state.arrivals)[: s.cluster.arrived]
    clock, on_slot = s.beats.clock, np.asarray(s.beats.on_slot)
    launched = np.asarray(s.beats.launch_job)[: clock.launched]
    waiting = np.asarray(s.beats.waiting[SETUP])[clock.head[SETUP] : clock.tail[SETUP]]
    running = on_slot[(on_slot >= 0) & (on_slot % 2 == SETUP)] // 2
    return launched[~np.isin(launched, [*waiting, *running])]


def jobs_on_slots(state: State) -> list[tuple[int, int]]:
    """Return each slot that a task is on, ascending, with the task's job; of either form."""
    s = records_of(state)
    idle = idle_slots(state)
    return [(slot, int(s.stage[g].job)) for slot, g in enumerate(state.slot_stage) if slot not in idle]


def queued_jobs(state: State, kind: int) -> list[int]:
    """Return the jobs in the queue for a kind of slot, by rank; of either form."""
    c = records_of(state).cluster
    begin = int(c.head[kind])
    return [int(job) for job in state.queue[kind][begin : begin + int(c.waiting[kind])]]


def leaves_for(count: int) -> int:
    """Return how many leaves a tree over so many has: the next power of two."""
    return 1 << (count - 1).bit_length()


def idle_tree(leaves: int) -> NDArray[np.int32]:
    """Return the winner tree of slots that are all idle, (2 leaves,)."""
    tree = np.zeros(2 * leaves, np.int32)
    tree[leaves:] = np.arange(leaves)
    level = leaves
    while level > 1:
        tree[level // 2 : level] = tree[level : 2 * level : 2]  # all idle: the lower slot wins
        level //= 2
    return tree


# ---- free slots: in a heap per type, per type and pool of a divided cluster, per type and host, or per node


def free_slots(state: State) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the numbers of the free map slots and of the free reduce slots, ascending; of either form."""
    s = records_of(state)
    maps, reduces = (
        tuple(sorted(int(slot) for begin, count in _heaps(s, k) for slot in s.free[k][begin : begin + count]))
        for k in TASK_TYPES
    )
    return maps, reduces


def idle_slots(state: State) -> set[int]:
    """Return the slots without a task: those that are free, and those that are closed; of either form."""
    closed = {slot for slot, there in enumerate(state.there) if there == CLOSED}
    return closed.union(*free_slots(state))


def lowest_free(state: State, job: int, kind: int, slot_kind: int) -> int:
    """Return the slot that a job's next task of a kind would get among the free ones of a type."""
    s = records_of(state)
    if s.cluster.nodes:
        is_offered = s.inputs and s.cluster.node[kind] >= 0
        n = s.cluster.node[kind] if is_offered else lowest_with_room(s.fits[kind])
        return int(s.free[slot_kind][s.node[n].first])
    heaps = _heaps(s, slot_kind)
    if s.cluster.divided:
        heaps = [heaps[s.job[job].pool]]
    elif s.beats and s.beats.clock.host >= 0 and heaps[s.beats.clock.host][1]:
        heaps = [heaps[s.beats.clock.host]]  # of the host that asks
    return min(int(s.free[slot_kind][begin]) for begin, count in heaps if count or len(heaps) == 1)


def put_free_slots(state: State, free: tuple[Sequence[int], Sequence[int]]) -> None:
    """Let exactly these slots be free, whichever pools they belong to; ascending, of either form."""
    s = records_of(state)
    c = s.cluster
    if c.nodes:
        return  # what is free on nodes is never divided otherwise, nor is what is on hosts
    for kind in () if s.beats else TASK_TYPES:
        begins = [begin for begin, _ in _heaps(s, kind)]
        places = [slot - kind * c.first_reduce for slot in free[kind]]
        cuts = np.searchsorted(places, [*begins[1:], len(state.slot_stage)])
        for pool, (begin, low, high) in enumerate(zip(begins, [0, *cuts], cuts, strict=False)):
            s.free[kind][begin : begin + high - low] = free[kind][low:high]  # ascending: a heap
            if c.divided:
                s.pool[pool].free[kind] = int(high - low)
        c.free[kind] = len(free[kind])
    both = [len(slots) for slots in free]
    c.room = [sum(both)] * 2 if c.lends else both


def _heaps(s: State, kind: int) -> list[tuple[int, int]]:
    """Return where each heap of a type begins and how many slots it holds."""
    if s.cluster.nodes:
        return [] if kind else [(node.first, 0 if node.down else node.free) for node in s.node]
    if s.beats:
        return [(host.begin[kind], host.free[kind]) for host in s.beats.host]
    if not s.cluster.divided:
        return [(0, s.cluster.free[kind])]
    return [(pool.region[kind], pool.free[kind]) for pool in s.pool]
