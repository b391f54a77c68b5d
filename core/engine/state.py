"""What the engine reads and writes: columns of tasks, slots and queues, and three small records.

The same field names exist twice: as numpy columns for the compiled engine, and as lists and small objects
for the interpreted one (`as_rows`).
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.engine.node_records import nodes_of
from core.model.job import MAP, REDUCE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from core.model.cluster import Cluster
    from core.model.workload import TaskColumns

INF = float("inf")
MOST_PARAMETERS = 8
UNCHANGED, END = -2, -1
"""Links among the jobs whose records have changed: not linked, and the last one."""

NO_PAUSE = np.iinfo(np.int32).max

# What a decision reads comes first: one cache line and a bit.
JOB = np.dtype(
    [
        ("rank", "i4"),  # place in the policy's order
        ("pool", "i4"),
        ("weight", "f8"),
        ("running", "i4", (2,)),  # [MAP], [REDUCE], here and below
        ("wanted", "i4", (2,)),  # slots the job should hold at most, written by a policy's plan
        ("started", "i4", (2,)),
        ("tasks", "i4", (2,)),
        ("done", "i4", (2,)),
        ("first", "i4", (2,)),  # index of the first task of each kind
        ("changed", "i4"),  # the job that changed before it, when its record has changed; see UNCHANGED
        ("reduce_after", "i4"),  # complete maps that let the reduces start (slowstart)
        ("arrival", "f8"),
        ("stage_end", "f8"),  # when the map stage ended; infinity until then
        ("deadline", "f8"),
        ("finish", "f8"),
        ("slot_time", "f8"),  # slot-seconds of its tasks; of those that run, minus their start
        ("memo", "f8", (4,)),  # a policy's own memory of the job, written by its plan or watch
        ("leaf", "i4"),  # the job's leaf in the selection trees
        ("root", "i4"),  # where the tree of its group begins
    ],
    align=True,
)
POOL = np.dtype(
    [
        ("weight", "f8"),
        ("active", "i4"),  # jobs that have arrived and not departed
        ("running", "i4", (2,)),
        ("waiting", "i4", (2,)),  # jobs with a startable task
        ("pending", "i4", (2,)),  # tasks that could start now
        ("share", "i4", (2,)),  # minimum share
        ("cap", "i4", (2,)),  # slots the pool should hold at most
        ("rate", "f8"),  # what a slot costs its pool, per second
        ("budget", "f8"),
        ("slot_time", "f8"),  # slot-seconds of its jobs, likewise
        ("memo", "f8", (4,)),  # a policy's own memory of the pool, written by its plan or watch
        ("region", "i4", (2,)),  # where the heap of its own free slots begins, in a divided cluster
        ("free", "i4", (2,)),  # its own free slots, likewise
        ("root", "i4"),  # where the selection tree of its jobs begins
    ],
    align=True,
)
CLUSTER = np.dtype(
    [
        ("now", "f8"),
        ("slots", "i4", (2,)),
        ("free", "i4", (2,)),
        ("running", "i4", (2,)),
        ("lent", "i4", (2,)),  # slots of each type that run the other kind
        ("lend_max", "i4", (2,)),
        ("waiting", "i4", (2,)),  # length of each queue
        ("head", "i4", (2,)),  # where each queue begins
        ("pinned", "i4"),  # 1 if they always begin at 0, as policies of free form read them
        ("pending", "i4", (2,)),  # tasks that could start now: those of the queued jobs not yet started
        ("room", "i4", (2,)),  # tasks of each kind that free slots, or what is free on nodes, have room for
        ("nodes", "i4"),  # number of nodes; 0 for slots without them
        ("memory", "i8", (2,)),  # megabytes that a task of each kind asks of its node
        ("cores", "i8", (2,)),  # likewise
        ("arrived", "i4"),
        ("active", "i4"),
        ("started", "i4"),  # tasks started so far
        ("released", "i4"),  # tasks ended so far
        ("fillers", "i4"),  # reduces that hold a slot while their map stage runs
        ("lends", "i4"),  # 1 if a slot may run the other kind
        ("containers", "i4"),  # 1 if slots are untyped
        ("divided", "i4"),  # 1 if every pool has slots of its own
        ("offered", "i4"),  # 1 once the free slots of this instant have been offered
        ("overlap", "i4"),  # 1 for the "overlap" shuffle model
        ("changed", "i4"),  # the job whose record has changed last; see UNCHANGED
        ("outdated", "i4"),  # 1 if every job's answers may have changed
        ("turn", "i4"),  # how far the offering of this instant has come
        ("pause_at", "i4"),  # stop when this many tasks have started and the next one is decided
        ("held", "i8"),  # the decision taken but not carried out at such a stop; -1 for none
        ("bad_pick", "i8"),  # a pick that cannot start; -1 while all is well
        ("parameter", "f8", (MOST_PARAMETERS,)),  # the policy's numeric parameters, in order
        ("replans", "i4"),  # 1 if the policy plans anew at arrivals and ends of map stages
        ("due", "i4"),  # 1 if one of these has happened since
        ("memo", "f8", (8,)),  # a policy's own memory, written by its watch
    ],
    align=True,
)


class State(NamedTuple):
    """Everything of one run.

    Attributes
    ----------
    arrivals : jobs by arrival, then rank; int32 (jobs,); read
    duration, first_shuffle, typical_shuffle : seconds, (tasks,); read
    slot : int32 (tasks,); written, -1 = not started
    sequence : tasks in the order in which they started, int32 (tasks,); written
    start, shuffled, end : (tasks,); written, nan = not yet
    tree : winner tree over the slots, int32 (2 L,), L the next power of two
    finish : when each slot's task ends, infinity when idle or waiting for its map stage, (L,)
    slot_job, slot_kind : what each slot runs or ran last, int32 and int8 (slots,)
    free : heaps of free slots per type, int32 (2, slots); in a divided cluster one after the other per pool
    queue : jobs that need a task of each kind, by rank, from `cluster.head` on, int32 (2, jobs)
    trees : selection trees over the jobs, -1 = no job, int32 (2, nodes); see `core.engine.selection_tree`
    keys : the keys of the jobs that take part in them, (2, jobs, numbers)
    node : records NODE (nodes,), one without meaning where there are no nodes
    node_of : the node of each slot, int32 (slots,); read
    fits : per kind, a tree of sums over nodes of how many tasks would fit, int32 (2, 2 L), L a power of two
    job, pool, cluster : records JOB (jobs,), POOL (pools,), CLUSTER
    """

    arrivals: Any
    duration: Any
    first_shuffle: Any
    typical_shuffle: Any
    slot: Any
    sequence: Any
    start: Any
    shuffled: Any
    end: Any
    tree: Any
    finish: Any
    slot_job: Any
    slot_kind: Any
    free: Any
    node: Any
    node_of: Any
    fits: Any
    queue: Any
    trees: Any
    keys: Any
    job: Any
    pool: Any
    cluster: Any


def fresh_state(
    columns: TaskColumns,
    cluster: Cluster,
    rank: NDArray[np.int32],
    *,
    pools: int,
    lends: bool,
    parameters: Mapping[str, float] | None = None,
) -> State:
    """Return the state before anything has happened.

    Parameters
    ----------
    columns : the workload's tasks
    cluster : slots, slowstart and shuffle model
    rank : place of each job in the policy's order, (jobs,)
    pools : number of pools
    lends : whether the policy lets slots run the other kind of task
    parameters : the policy's numeric parameters, in order
    """
    tasks, jobs, slots = len(columns.duration), len(columns.arrival), cluster.slots
    own = (slots, 0) if cluster.has_containers else (cluster.map_slots, cluster.reduce_slots)
    without_shuffle = cluster.shuffle_model == "mumak"
    leaves = 1 << max(1, (slots - 1).bit_length())
    free = np.zeros((2, max(own)), np.int32)
    free[MAP, : own[MAP]] = np.arange(own[MAP])
    free[REDUCE, : own[REDUCE]] = np.arange(own[MAP], slots)
    return State(
        arrivals=np.lexsort((rank, columns.arrival)).astype(np.int32),
        duration=columns.duration,
        first_shuffle=_zeros(tasks) if without_shuffle else columns.first_shuffle,
        typical_shuffle=_zeros(tasks) if without_shuffle else columns.typical_shuffle,
        slot=np.full(tasks, -1, np.int32),
        sequence=np.zeros(tasks, np.int32),
        start=np.full(tasks, np.nan),
        shuffled=np.full(tasks, np.nan),
        end=np.full(tasks, np.nan),
        tree=idle_tree(leaves),
        finish=np.full(leaves, np.inf),
        slot_job=np.full(slots, -1, np.int32),
        slot_kind=np.zeros(slots, np.int8),
        free=free,
        **nodes_of(cluster),
        queue=np.zeros((2, jobs), np.int32),
        trees=np.zeros((2, 0), np.int32),
        keys=np.zeros((2, 0, 1)),
        job=_job_records(columns, cluster, rank),
        pool=_pool_records(pools),
        cluster=_cluster_record(own, cluster, lends, parameters or {}),
    )


def _zeros(tasks: int) -> NDArray[np.float64]:
    zeros = np.zeros(tasks)
    zeros.flags.writeable = False  # as the workload's columns: the compiled engine has one type for both
    return zeros


def idle_tree(leaves: int) -> NDArray[np.int32]:
    """Return the winner tree of slots that are all idle, (2 leaves,)."""
    tree = np.zeros(2 * leaves, np.int32)
    tree[leaves:] = np.arange(leaves)
    level = leaves
    while level > 1:
        tree[level // 2 : level] = tree[level : 2 * level : 2]  # all idle: the lower slot wins
        level //= 2
    return tree


def _job_records(columns: TaskColumns, cluster: Cluster, rank: NDArray[np.int32]) -> NDArray[np.void]:
    job = np.zeros(len(rank), JOB)
    job["rank"] = rank
    for name in ("pool", "weight", "first", "arrival", "deadline"):
        job[name] = getattr(columns, name)
    job["tasks"] = columns.count
    # NOTE: the small term keeps 0.05 * 20 from needing two maps.
    job["reduce_after"] = np.ceil(cluster.slowstart * columns.count[:, MAP] - 1e-9)
    job["stage_end"] = job["finish"] = np.inf
    job["wanted"] = np.iinfo(np.int32).max
    job["changed"] = UNCHANGED
    return job


def _pool_records(pools: int) -> NDArray[np.void]:
    pool = np.zeros(pools, POOL)
    pool["weight"] = 1
    pool["cap"] = np.iinfo(np.int32).max
    return pool


def _cluster_record(
    own: tuple[int, int], cluster: Cluster, lends: bool, parameters: Mapping[str, float]
) -> np.void:
    record = np.zeros(1, CLUSTER)
    record["slots"] = record["free"] = record["lend_max"] = own
    record["lends"] = lends or cluster.has_containers
    record["changed"] = END
    record["containers"] = cluster.has_containers
    record["nodes"] = max(len(cluster.node_rows) - 1, 0)
    record["memory"] = cluster.map_request.memory_mb, cluster.reduce_request.memory_mb
    record["cores"] = cluster.map_request.cores, cluster.reduce_request.cores
    record["room"] = cluster.slots if record["lends"] else own
    if cluster.has_nodes:
        record["room"] = cluster.stage_slots
    record["overlap"] = cluster.shuffle_model == "overlap"
    record["bad_pick"] = record["held"] = -1
    record["pause_at"] = NO_PAUSE
    record["parameter"][0, : len(parameters)] = list(parameters.values())
    scalar: np.void = record[0]
    return scalar


def snapshot(state: State) -> State:
    """Copy everything a run writes, so that it can go on from here twice."""
    given = {"arrivals", "duration", "first_shuffle", "typical_shuffle", "node_of"}
    columns = state._asdict().items()
    return State(**{name: value if name in given else _copied(value) for name, value in columns})


def _copied(value: Any) -> Any:
    """Copy an array, records or lists; a list of numbers without looking at each."""
    if isinstance(value, list) and value and isinstance(value[0], int | float):
        return value.copy()
    return deepcopy(value)


class Row:
    """A record as a small Python object with the record's field names."""

    def __init__(self, record: np.void) -> None:
        for name in record.dtype.names or ():
            setattr(self, name, record[name].tolist())

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
        if isinstance(value, np.void):
            return Row(value)
        return Row.of_all(value) if value.dtype.names else value.tolist()

    return State(*map(plain, state))
