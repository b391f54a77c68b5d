"""The hosts of a cluster with overheads: columns and records that `core.engine.heartbeats` works on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.engine.records import Float, Int, Ints2, Long, Record, RecordColumn, record_of
from core.engine.slot_trees import play_all
from core.engine.state import INF, State, idle_tree, leaves_for
from core.model.task_types import TASK_TYPES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.circumstances import Circumstances, Stall
    from core.model.overheads import Overheads


class HostRecord(Record):
    """A host."""

    last_request: Float  # when it asked last because a task ended: heartbeats follow in equal steps
    next: Float  # its next heartbeat, or one that has passed since without being needed
    begin: Ints2  # of each type: where the heap of its free slots begins in `State.free`
    free: Ints2
    stalls: Ints2  # its stalls: from here up to there
    called: Long  # the instant, counted from 1, in which it asked last


HOST = record_of(HostRecord)


class FetchRecord(Record):
    """What a host has fetched, or fetches, of a job."""

    who: Long  # job * hosts + host, -1 for nobody
    ready: Float  # from when on the host has what the job needs


FETCH = record_of(FetchRecord)


class StallRecord(Record):
    """A time in which a host hands out nothing of a kind."""

    kind: Int
    begin: Float
    end: Float


STALL = record_of(StallRecord)


class ClockRecord(Record):
    """The heartbeats of a run, and what waits for them."""

    heartbeat: Float  # seconds, as the four below
    fetch: Float
    launch_delay: Float
    launch_interval: Float
    last_launch: Float
    launched_ahead: Int  # jobs that may have left the line and have no task, 0 for any number
    ends_known_after: Int  # 1 where a host tells with its next heartbeat what has ended, 0 at once
    left: Int  # jobs that have left the line of those that arrived, so far
    taskless: Int  # how many of these have no task yet
    most: Ints2  # tasks that a host gets at most for its slots of each type each time it asks
    instant: Long  # instants so far
    changed: Float  # when something happened last that the policy may answer differently after
    beat: Float  # the next heartbeat that may be needed, infinity for none
    beating: Int  # whose it is
    launched: Int  # jobs launched so far
    head: Ints2  # [SETUP], [CLEANUP]: where each queue begins
    tail: Ints2  # and ends
    requesting: Int  # hosts that still ask in this instant; without heartbeats the next one to be asked
    host: Int  # the host that is served, -1 for none
    turn: Int  # which of its types of slots are
    got: Int  # tasks that it got for them


CLOCK = record_of(ClockRecord)
TAKEN_OVER = ("heartbeat", "fetch", "launch_delay", "launch_interval", "launched_ahead", "ends_known_after")
"""Overheads that the clock keeps under their names."""
UNUSED = -1
SHORTEST_HEARTBEAT = 1e-6
"""Seconds: their number must remain a whole number of 64 bits."""


class Beats(NamedTuple):
    """The hosts of a run and what waits for them.

    Attributes
    ----------
    host : records HOST (hosts,)
    host_of : the host of each slot, int32 (slots,); read
    stall : records STALL, host by host; read
    tree, due : for either type of slots a winner tree over the hosts, int32 (2, 2 L), L a power of two, and
        what it compares, (2, L): no later than the next heartbeat of a host that has such a slot free,
        infinity of others at times
    requesting : a heap of hosts, int32 (hosts,)
    launch_job, launch_at : jobs as they leave the line to be launched, and when that is, (jobs,)
    lasts : seconds of each job's setup and cleanup, (2, jobs); read
    waiting : jobs that wait for their setups and cleanups, int32 (2, jobs)
    on_slot : what runs on each slot beside tasks: 2 * job + SETUP or CLEANUP, -1 for nothing, int32 (slots,)
    fetch : records FETCH, an open table of the jobs and hosts that have fetched
    clock : the record CLOCK
    """

    host: RecordColumn[HostRecord]
    host_of: Any
    stall: RecordColumn[StallRecord]
    tree: Any
    due: Any
    requesting: Any
    launch_job: Any
    launch_at: Any
    lasts: Any
    waiting: Any
    on_slot: Any
    fetch: RecordColumn[FetchRecord]
    clock: ClockRecord


def with_hosts(state: State, overheads: Overheads, given: Circumstances) -> State:
    """Return a fresh state, as columns, whose slots are those of hosts."""
    jobs, hosts = len(state.job), overheads.hosts
    own = state.cluster["slots"]
    host = _hosts(overheads, own, given)
    leaves = leaves_for(hosts)
    due = np.full((2, leaves), INF)
    for kind in TASK_TYPES:
        due[kind, :hosts] = np.where(host["free"][:, kind] > 0, host["next"], INF)
    tree = np.array([idle_tree(leaves)] * 2)
    for each, compared in zip(tree, due, strict=True):
        play_all(each, compared)
    fetches = min(jobs * hosts, len(state.slot) + 2 * jobs) if overheads.fetch else 0
    lasts = [_own_or(overheads.setup, given.setup, jobs), _own_or(overheads.cleanup, given.cleanup, jobs)]
    state.job["cleans"] = lasts[1] > 0
    return state._replace(
        beats=Beats(
            host=host,
            host_of=np.concatenate([_host_of(np.arange(n), n, hosts) for n in own.tolist()]).astype(np.int32),
            stall=_stalls(given.stalls, hosts),
            tree=tree,
            due=due,
            requesting=np.zeros(hosts, np.int32),
            launch_job=np.zeros(jobs, np.int32),
            launch_at=np.zeros(jobs),
            lasts=np.array(lasts),
            waiting=np.zeros((2, jobs), np.int32),
            on_slot=np.full(len(state.slot_stage), UNUSED, np.int32),
            fetch=np.array([(UNUSED, 0.0)], FETCH).repeat(2 * fetches),
            clock=_clock(overheads, are_typed=not state.cluster["containers"]),
        )
    )


def at_rest(beats: Beats) -> Beats:
    """Return what is read of hosts while a run stands: their free slots and the one that requests work."""
    nothing: Any = np.zeros(0)
    fetch: Any = np.zeros(0, FETCH)
    names = ("host_of", "stall", "tree", "due", "requesting", "launch_job", "launch_at", "lasts", "waiting")
    return beats._replace(**dict.fromkeys((*names, "on_slot"), nothing), fetch=fetch)


def _hosts(overheads: Overheads, own: NDArray[np.int32], given: Circumstances) -> NDArray[np.void]:
    count = overheads.hosts
    number = np.arange(count)
    phase = number / count if given.phase is None else given.phase
    host = np.zeros(count, HOST)
    host["last_request"] = (phase - 1) * overheads.heartbeat
    host["next"] = host["last_request"] + overheads.heartbeat
    for kind in TASK_TYPES:
        slots = int(own[kind])
        host["begin"][:, kind] = -(-number * slots // count)
        host["free"][:, kind] = np.bincount(_host_of(np.arange(slots), slots, count), minlength=count)
    stalled = np.bincount([stall.host for stall in _of_hosts(given.stalls, count)], minlength=count)
    host["stalls"] = np.stack([np.cumsum(stalled) - stalled, np.cumsum(stalled)], axis=1)
    return host


def _host_of(place: NDArray[np.int64], slots: int, hosts: int) -> NDArray[np.int64]:
    """Return the host of each slot of a type: they are spread evenly, neighbours together."""
    return place * hosts // slots


def _of_hosts(stalls: tuple[Stall, ...], hosts: int) -> list[Stall]:
    """Return the stalls host by host; those of hosts that the cluster has not fall away."""
    return sorted((stall for stall in stalls if 0 <= stall.host < hosts), key=lambda stall: stall.host)


def _stalls(stalls: tuple[Stall, ...], hosts: int) -> NDArray[np.void]:
    ours = _of_hosts(stalls, hosts)
    return np.array([(stall.kind, stall.begin, stall.end) for stall in ours], STALL)


def _own_or(usual: float, own: NDArray[np.float64] | None, jobs: int) -> NDArray[np.float64]:
    """Return how long the setup or cleanup of each job lasts, (jobs,): its own where it has one."""
    return np.full(jobs, float(usual)) if own is None else np.where(np.isnan(own), float(usual), own)


def _clock(overheads: Overheads, *, are_typed: bool) -> Any:
    record = np.zeros(1, CLOCK)
    for name in TAKEN_OVER:
        record[name] = getattr(overheads, name)
    if overheads.heartbeat > 0:
        record["heartbeat"] = max(overheads.heartbeat, SHORTEST_HEARTBEAT)
    most = overheads.maps_per_heartbeat, overheads.reduces_per_heartbeat
    record["most"] = most if are_typed else sum(most)
    record["last_launch"], record["beat"], record["host"] = -INF, INF, UNUSED
    scalar: np.void = record[0]
    return scalar
