"""The engine's records: of a job, a stage, an edge, a link, a pool, the cluster, a slot that changes, a node.

Each is a class of typed fields, which a type checker reads; numpy's type of it follows from these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeVar, get_type_hints

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_PARAMETERS = 8
Item = TypeVar("Item", covariant=True)
Int = Annotated[int, "i4"]
Long = Annotated[int, "i8"]
Float = Annotated[float, "f8"]
Ints2 = Annotated[list[int], "i4", 2]
Longs2 = Annotated[list[int], "i8", 2]
Floats2 = Annotated[list[float], "f8", 2]
Floats4 = Annotated[list[float], "f8", 4]
Floats8 = Annotated[list[float], "f8", 8]
Parameters = Annotated[list[float], "f8", MAX_PARAMETERS]


class Record:
    """A record: numpy's, which has its fields by name as well, or a small object with the same fields."""

    if TYPE_CHECKING:

        def __getitem__(self, field: str, /) -> Any: ...
        def __setitem__(self, field: str, value: Any, /) -> None: ...


class RecordColumn(Protocol[Item]):
    """Numbers or records: an array of the compiled engine, a list of the interpreted one."""

    def __getitem__(self, at: Any, /) -> Item: ...
    def __setitem__(self, at: Any, value: Any, /) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...


def record_of(fields: type[Record]) -> np.dtype[np.void]:
    """Return numpy's type of a record, its fields in the order of a class."""
    hints = get_type_hints(fields, include_extras=True)
    return np.dtype([(name, *hint.__metadata__) for name, hint in hints.items()], align=True)


# What a decision reads comes first: one cache line and a bit.
class JobRecord(Record):
    """A job of a run."""

    rank: Int  # place in the policy's order
    pool: Int
    weight: Float
    running: Ints2  # of each type of task, here and below; slots without a type are of the first
    wanted: Ints2  # slots the job should hold at most, written by a policy's plan
    started: Ints2
    tasks: Ints2
    done: Ints2
    first: Ints2  # index of the first task of each kind
    next_stage: Ints2  # the stage whose task of each kind starts next; -1 if none may start
    changed: Int  # the job that changed before it, when its record has changed; see UNCHANGED
    reduce_after: Int  # complete maps that let the reduces start, as a plan may write it
    first_stage: Int  # its stages begin here
    end_stage: Int  # and end before this one
    stages_left: Int  # stages that have not ended
    parents_left: Int  # likewise, of those that another stage waits for
    arrival: Float
    stage_end: Float  # when the last of these, the map stage, ended; infinity until then
    deadline: Float
    finish: Float
    slot_time: Float  # slot-seconds of its tasks; of those that run, minus their start
    memo: Floats4  # a policy's own memory of the job, written by its plan or watch
    next: Floats2  # what `task_key` says of its next task of each kind; 0 where it is not kept
    stage_place: Ints2  # of `next_stage` of each kind: how many stages of the job are served before it
    leaf: Int  # the job's leaf in the selection trees
    root: Int  # where the tree of its group begins
    before: Int  # jobs that it follows and that have not ended
    not_before: Float  # earlier it does not arrive: by its own time, and by those that have ended
    link: Int  # its links to the jobs that follow it begin here
    links: Int  # how many there are
    cleans: Int  # 1 while a cleanup is to come after its tasks: only with that it ends
    local: Int  # its maps that wait and whose input lies on the node that is offered
    remote: Float  # seconds that a map of it would take longer there, for reading from another node


JOB = record_of(JobRecord)


class LinkRecord(Record):
    """A job that waits for the end of another one."""

    follower: Int
    think: Float  # seconds from the end of the job that it follows to its arrival


LINK = record_of(LinkRecord)


class StageRecord(Record):
    """A stage of a job."""

    job: Int
    task_type: Int
    place: Int  # among its job's stages, from 0: of those that may start the lowest is served first
    first: Int  # its first task
    tasks: Int
    started: Int
    done: Int
    next_need: Int  # with how many complete tasks the next edge to a child lets it start
    closed: Int  # edges that do not let it start yet
    parents: Int  # stages that it waits for and that have not ended
    edge: Int  # its edges to the stages that wait for it begin here
    edges: Int  # how many there are
    released: Float  # when the last stage that it waits for ended: minus infinity if there is none


STAGE = record_of(StageRecord)


class EdgeRecord(Record):
    """A stage that waits for tasks of another one."""

    child: Int
    need: Int  # complete tasks of the parent that let the child start
    met: Int  # 1 once there are as many


EDGE = record_of(EdgeRecord)


class PoolRecord(Record):
    """A pool."""

    weight: Float
    active: Int  # jobs that have arrived and not departed
    running: Ints2
    waiting: Ints2  # jobs with a startable task
    pending: Ints2  # tasks that could start now
    share: Ints2  # minimum share
    cap: Ints2  # slots the pool should hold at most
    rate: Float  # what a slot costs its pool, per second
    budget: Float
    slot_time: Float  # slot-seconds of its jobs, likewise
    memo: Floats4  # a policy's own memory of the pool, written by its plan or watch
    region: Ints2  # where the heap of its own free slots begins, in a divided cluster
    free: Ints2  # its own free slots, likewise
    root: Int  # where the selection tree of its jobs begins
    next_leaf: Int  # the leaf there of its next job that arrives, where they are numbered then


POOL = record_of(PoolRecord)


class ClusterRecord(Record):
    """The cluster, and the run as a whole."""

    now: Float
    slots: Ints2  # that are there now: those that are free, and those that run a task
    free: Ints2
    running: Ints2
    lent: Ints2  # slots of each type that run the other kind
    lend_max: Ints2
    waiting: Ints2  # length of each queue
    head: Ints2  # where each queue begins
    pinned: Int  # 1 if they always begin at 0, as policies of free form read them
    pending: Ints2  # tasks that could start now: those of the queued jobs not yet started
    room: Ints2  # tasks of each kind that free slots, or what is free on nodes, have room for
    nodes: Int  # number of nodes; 0 for slots without them
    memory: Longs2  # megabytes that a task of each kind asks of its node
    cores: Longs2  # likewise
    arrived: Int
    linked: Int  # 1 if jobs follow others
    unknown: Int  # jobs that follow others of which not all have ended: when they arrive is open
    numbers: Int  # 1 if a job's rank is its place in the order of arrivals, known when it arrives
    pooled: Int  # 1 if selection trees are of pools, 0 if of all jobs
    outlooks: Int  # numbers of an outlook, 0 if jobs have none
    active: Int
    started: Int  # tasks started so far
    released: Int  # tasks ended so far
    fillers: Int  # reduces that hold a slot while their map stage runs
    backlog: Int  # maps that have not started of jobs whose reduces have
    lends: Int  # 1 if a slot may run the other kind
    containers: Int  # 1 if slots are untyped
    divided: Int  # 1 if every pool has slots of its own
    contends: Int  # 1 if maps on one node slow one another, 2 if reduces there slow them, too
    reduce_load: Float  # as how many maps a reduce counts then
    keyed: Int  # 1 if `next` of the jobs is kept
    staged: Int  # 1 if the policy says in which order a job's stages are served, else by number
    offered: Int  # 1 once the free slots of this instant have been offered
    overlap: Int  # 1 for the "overlap" shuffle model
    changed: Int  # the job whose record has changed last; see UNCHANGED
    outdated: Int  # 1 if every job's answers may have changed
    turn: Int  # how far the offering of this instant has come
    pause_at: Int  # stop when this many tasks have started and the next one is decided
    held: Long  # the decision taken but not carried out at such a stop; -1 for none
    bad_pick: Long  # a pick that cannot start; -1 while all is well
    parameter: Parameters  # the policy's numeric parameters, in order
    replans: Int  # 1 if the policy plans anew at arrivals and ends of map stages
    due: Int  # 1 if one of these has happened since
    watched: Int  # 1 if the policy's watch sees every instant before anything of it happens
    first_reduce: Int  # the number of the first reduce slot; of all slots where they are untyped
    change: Int  # how many slots have opened or closed so far
    changes: Int  # how many ever do
    settles: Int  # 1 if the policy goes on declining what it has declined until something happens
    memo: Floats8  # a policy's own memory, written by its watch
    rival: Int  # while the policy is asked what to give up: the job that waits
    rival_kind: Int  # and the kind of its task
    victim: Int  # the job whose task may be given up, or get a second copy
    victim_kind: Int  # and the kind of that
    elapsed: Float  # seconds since that has started
    remaining: Float  # seconds until it ends, infinity where its parents run
    worth: Float  # what the policy answered: above 0 it may be given up, or get a second copy
    copies: Ints2  # second copies of tasks that run
    usual: Float  # while the policy is asked what gets a copy: how long that would take, seconds
    faster: Float  # and which part of the tasks of its stage takes less time than it
    all_memory: Long  # megabytes of all nodes together
    all_cores: Long  # likewise
    shows_node: Int  # 1 if the policy reads what follows: else that is not kept
    node: Ints2  # where the next task of each kind would run, or the host that asks; -1 for nowhere
    node_memory: Longs2  # megabytes that are free there
    node_cores: Longs2  # likewise
    shows_slot: Int  # 1 if the policy reads the two that follow: else they are not kept
    slot_number: Int  # the slot that is offered; -1 where that is not known before its task
    executor: Int  # the executor whose slot it is, likewise
    executor_slots: Int  # slots of each executor; 0 where there are none
    paced: Int  # 1 if nodes may run tasks at other speeds than recorded
    forgets: Int  # 1 if a stage that has ended may open again: outputs of its tasks are lost with their node
    wake: Float  # when the policy wants to be asked again at the latest; see `core.engine.locality`


CLUSTER = record_of(ClusterRecord)


class SlotChangeRecord(Record):
    """A slot that opens or closes, of slots that come and go."""

    at: Float
    slot: Int
    opens: Int  # 1 if it opens, 0 if it closes


SLOT_CHANGE = record_of(SlotChangeRecord)


class NodeRecord(Record):
    """A node."""

    first: Int  # its first slot: where the heap of its free slots begins
    rows: Int  # its slots, free or not
    running: Ints2  # tasks of each type, counted where they slow maps
    free: Int  # free slots
    memory: Long  # free megabytes
    cores: Long  # free cores
    speed: Float  # of its tasks, of 1 as recorded; read where the cluster is paced
    down: Int  # 1 while it has failed and not returned
    failed: Float  # when it failed last, minus infinity for never


NODE = record_of(NodeRecord)
