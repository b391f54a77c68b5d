"""The event loop: what happens at an instant, and which task then gets a free slot.

Plain functions over a `State`; `core.engine.jit` makes their compiled twins. Everything at one instant
happens before any slot is offered, so the order of simultaneous events cannot leak into the result:
tasks end, map stages end, jobs depart, slots close and open, jobs arrive; then free slots are offered, map
slots first, lowest first, then reduce slots, and so on in turn where slots may be lent.

Source: SimMR, 001 section III.B (the seven event types); the definition of an instant is ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.engine.contention import task_joins, task_leaves
from core.engine.job_queues import leave_queue, tasks_wait
from core.engine.placement import lowest_with_room, use_resources
from core.engine.slot_changes import event_or_change, may_give_back, slot_type, slots_change
from core.engine.slot_trees import put_slot, set_finish, take_slot
from core.engine.stage_steps import (
    at_pace,
    count_backlog,
    count_pending,
    find_next_stage,
    let_children_start,
    shuffle_ends,
    stage_ends,
    stage_opens,
    take_arrival,
)

if TYPE_CHECKING:
    from core.engine.state import State

NONE = -1
INF = float("inf")
UNCHANGED = -2
PLAIN = False
"""True where the engine is compiled for plain runs alone: typed slots of the whole cluster that are always
there, and whoever comes first in the order of ranks is served. What only other runs need then falls away when
it is compiled."""
DONE, REACHED, PAUSED, STALLED, BAD_PICK, DECIDED, REPLAN = 0, 1, 2, 3, 4, 5, 6
GOES_ON = -1


def advance(choose: Any, until: float, instants: int, s: State) -> int:
    """Advance the cluster to the time `until`, by at most `instants` instants; call again to go on.

    Parameters
    ----------
    choose : the policy's kernel,
        ``choose(slot kind, queue, trees, keys, job, pool, cluster) -> 2 * job + kind`` or -1; see
        `watch_instant` for a slot kind of NONE
    until : seconds; no instant later than this happens
    instants : limit that lets the caller report progress and cancel
    s : modified in place

    Returns
    -------
    int
        DONE: every job has departed. REACHED: the next instant is later than `until`. PAUSED: the limit of
        instants. STALLED: nothing can end while tasks wait. BAD_PICK: ``s.cluster.bad_pick`` cannot start.
        DECIDED: ``s.cluster.pause_at`` tasks have started and ``s.cluster.held`` is the next one.
        REPLAN: a job arrived or a map stage ended, and the policy wants to see that before slots are offered.
    """
    while True:
        if not s.cluster.offered:
            offer_free_slots(choose, s)
            if s.cluster.bad_pick >= 0:
                return BAD_PICK
            if s.cluster.held >= 0:
                return DECIDED
            s.cluster.offered = 1
        now = next_instant(s)
        stopped = stops_before(s, now, until, instants)
        if stopped != GOES_ON:
            return stopped
        instants -= 1
        watch_instant(choose, s, now)
        happen(s, now)
        if s.cluster.replans and s.cluster.due:
            s.cluster.due = 0
            return REPLAN


def stops_before(s: State, now: float, until: float, instants: int) -> int:
    """Return why a loop stops before the instant `now`, as `advance` does, or GOES_ON."""
    if now == INF:
        return STALLED if s.cluster.active else DONE
    if now > until:
        s.cluster.now = max(s.cluster.now, until)
        s.cluster.offered = 0  # going on from here offers the slots again: time has passed
        return REACHED
    return PAUSED if instants <= 0 else GOES_ON


def watch_instant(choose: Any, s: State, now: float) -> None:
    """Let a policy that keeps account of time see how things stand before anything of an instant happens."""
    if not PLAIN and s.cluster.watched:
        before = s.cluster.now
        s.cluster.now = now
        choose(NONE, s.queue, s.trees, s.keys, s.job, s.pool, s.cluster)
        s.cluster.now = before


def happen(s: State, now: float) -> None:
    """Apply every departure and arrival of one instant."""
    s.cluster.now = now
    s.cluster.offered = 0
    while s.finish[s.tree[1]] == now:
        slot = s.tree[1]
        if PLAIN or not s.cluster.changes or may_give_back(s, slot):
            give_place_back(s, slot, s.stage[s.slot_stage[slot]].task_type, slot_type(s, slot))
        task_departs(s, slot, now)
    if not PLAIN and s.cluster.changes:
        slots_change(s, now)
    while next_arrival(s) == now:
        job_arrives(s, take_arrival(s), now)


def next_arrival(s: State) -> float:
    """Return when the next job arrives, infinity if none does."""
    arrived = s.cluster.arrived
    known = len(s.arrivals) - s.cluster.unknown
    return s.job[s.arrivals[arrived]].arrival if arrived < known else INF


def next_instant(s: State) -> float:
    """Return when something happens next."""
    event = min(s.finish[s.tree[1]], next_arrival(s))
    if not PLAIN and s.cluster.changes:
        return event_or_change(s, event)
    return event


def offer_free_slots(choose: Any, s: State) -> None:
    """Offer every free slot to the policy, map slots first, until it declines.

    Where slots may be lent, both types are offered in turn until it declines them all.
    """
    c = s.cluster
    while c.turn < 2 + c.lends:
        own = c.turn & 1
        while may_offer(c, own):
            pick = c.held if c.held >= 0 else decide(choose, own, s)
            if pick < 0:
                break
            if not PLAIN and not may_start(s, pick >> 1, pick & 1, own):
                c.bad_pick = pick
                return
            if c.started == c.pause_at:
                c.held = pick
                return
            c.held = NONE
            j, kind = pick >> 1, pick & 1
            task_starts(s, take_place(s, j, kind, own), j, kind, own)
            if c.lends:
                c.turn = own  # whoever declined before may want a slot of the other type now
        c.turn += 1
    c.turn = 0


def decide(choose: Any, own: int, s: State) -> int:
    """Return the policy's pick for a free slot; in plain runs the first job of the queue."""
    if PLAIN:
        return int(2 * s.queue[own][s.cluster.head[own]] + own)
    if s.cluster.shows_slot:
        show_slot(s, own)
    return int(choose(own, s.queue, s.trees, s.keys, s.job, s.pool, s.cluster))


def show_slot(s: State, own: int) -> None:
    """Write down, for the policy, which slot is offered; on nodes and between pools the task decides that."""
    c = s.cluster
    c.slot_number = c.executor = NONE
    if c.free[own] > 0 and not c.nodes and not c.divided:
        c.slot_number = s.free[own][0]
        if c.executor_slots:
            c.executor = c.slot_number // c.executor_slots


def may_offer(c: Any, own: int) -> bool:
    """Whether a slot of this type is free, with room for some task, and a job waits for one."""
    if PLAIN:
        return bool(c.free[own] > 0 and c.waiting[own] > 0)
    return bool(c.free[own] > 0 and c.room[own] + c.room[1 - own] > 0 and tasks_wait(c, own))


def may_start(s: State, j: int, kind: int, own: int) -> bool:
    """Whether a task of this job and kind can start now on a free slot of type `own`."""
    return bool(
        j < len(s.job)
        and (kind == own or s.cluster.lends)
        and s.cluster.room[kind]
        and is_startable(s, s.job[j].next_stage[kind], j, kind)
        and (not s.cluster.divided or s.pool[s.job[j].pool].free[own])
    )


def is_startable(s: State, g: int, j: int, kind: int) -> bool:
    """Whether a stage is one of this job and kind with a task to start; hooks may have written anything."""
    return (
        0 <= g < len(s.stage)
        and s.stage[g].job == j
        and s.stage[g].task_type == kind
        and s.stage[g].started < s.stage[g].tasks
    )


def task_starts(s: State, slot: int, j: int, kind: int, own: int) -> None:
    """Put the job's next task of this kind on a slot of type `own` that has been taken for it."""
    g = s.job[j].next_stage[kind]
    start_task(s, slot, s.stage[g].first + s.stage[g].started, j, kind, own)


def start_task(s: State, slot: int, task: int, j: int, kind: int, own: int) -> None:
    """Put a task of the stage whose tasks of this kind the job starts next on a slot, likewise."""
    c = s.cluster
    g = s.job[j].next_stage[kind]
    c.lent[own] += kind != own
    count_running(s, j, kind, 1)
    s.job[j].started[kind] += 1
    s.stage[g].started += 1
    count_pending(s, j, kind, -1)
    if s.stage[g].started == s.stage[g].tasks:
        find_next_stage(s, j, kind)
        if s.job[j].next_stage[kind] == NONE:
            leave_queue(s, kind, j)
    elif not PLAIN and c.keyed:
        s.job[j].next[kind] = s.task_key[s.stage[g].first + s.stage[g].started]
    count_backlog(s, j, kind, 1)
    note_change(s, j)
    s.slot_stage[slot] = g
    s.slot[task] = slot
    s.start[task] = c.now
    s.sequence[c.started] = task
    c.started += 1
    if s.stage[g].released <= c.now:
        shuffle_ends(s, task, c.now + at_pace(s, task, s.typical_shuffle[task]))
    else:
        c.fillers += 1  # its shuffle ends with the last parent: until then the slot's finish stays infinite
    if not PLAIN and c.contends > kind:
        task_joins(s, slot, task, kind)


def task_departs(s: State, slot: int, now: float) -> None:
    """End the task on a slot that is free again, and with it, perhaps, its stage and its job."""
    c = s.cluster
    g = s.slot_stage[slot]
    j = s.stage[g].job
    kind = s.stage[g].task_type
    own = slot_type(s, slot)
    set_finish(s.tree, s.finish, slot, INF)
    if not PLAIN and c.contends > kind:
        task_leaves(s, slot, kind)
    c.released += 1
    c.lent[own] -= kind != own
    count_running(s, j, kind, -1)
    s.job[j].done[kind] += 1
    s.stage[g].done += 1
    note_change(s, j)
    if s.stage[g].done == s.stage[g].next_need:
        let_children_start(s, g)
    if s.stage[g].done == s.stage[g].tasks:
        stage_ends(s, g, now)


def job_arrives(s: State, j: int, now: float) -> None:
    """Let the job wait for slots."""
    note_change(s, j)
    s.cluster.active += 1
    s.cluster.due = 1
    s.pool[s.job[j].pool].active += 1
    first, end = s.job[j].first_stage, s.job[j].end_stage
    for g in range(first, end):
        if not s.stage[g].closed:
            stage_opens(s, g)
    for g in range(first, end):
        let_children_start(s, g)
    for g in range(first, end):
        if not s.stage[g].tasks and s.stage[g].released == -INF:
            stage_ends(s, g, now)


def count_running(s: State, j: int, kind: int, change: int) -> None:
    """Keep count of the running tasks of cluster, job and pool, and of the slot time of the latter two."""
    s.cluster.running[kind] += change
    s.job[j].running[kind] += change
    s.pool[s.job[j].pool].running[kind] += change
    s.job[j].slot_time -= change * s.cluster.now
    s.pool[s.job[j].pool].slot_time -= change * s.cluster.now


def note_change(s: State, j: int) -> None:
    """Link a job whose record has changed, for a policy that keeps the jobs' answers."""
    if not PLAIN and s.job[j].changed == UNCHANGED:
        s.job[j].changed = s.cluster.changed
        s.cluster.changed = j


# ---- free slots: of the whole cluster, of each pool of a divided one, or of each node


def take_place(s: State, j: int, kind: int, own: int) -> int:
    """Take the lowest free slot that the job's next task of this kind may have."""
    if not PLAIN and s.cluster.nodes:
        return take_row(s, lowest_with_room(s.fits[kind]), kind, own)
    p = s.job[j].pool
    return take_slot(s.free[own], heap_begin(s, p, own), count_free(s, p, own, -1) + 1)


def give_place_back(s: State, slot: int, kind: int, own: int) -> None:
    """Free the slot of a task of this kind."""
    if not PLAIN and s.cluster.nodes:
        give_row_back(s, slot, kind, own)
        return
    p = owner(s, slot, own)
    put_slot(s.free[own], heap_begin(s, p, own), count_free(s, p, own, 1) - 1, slot)


def owner(s: State, slot: int, own: int) -> int:
    """Return the pool that a slot belongs to, in a divided cluster."""
    p = 0
    if not PLAIN and s.cluster.divided:
        place = slot - own * s.cluster.first_reduce
        while p + 1 < len(s.pool) and s.pool[p + 1].region[own] <= place:
            p += 1
    return p


def heap_begin(s: State, p: int, own: int) -> int:
    """Return where the heap of free slots that a pool takes from begins."""
    return s.pool[p].region[own] if not PLAIN and s.cluster.divided else 0


def count_free(s: State, p: int, own: int, change: int) -> int:
    """Count a slot that a pool takes or gives back; return how many its heap holds now."""
    c = s.cluster
    c.free[own] += change
    c.room[own] += change
    if not PLAIN:
        c.room[1 - own] += change * (c.lends > 0)
    if PLAIN or not c.divided:
        return c.free[own]
    s.pool[p].free[own] += change
    return s.pool[p].free[own]


# ---- rows of nodes


def take_row(s: State, n: int, kind: int, own: int) -> int:
    """Take the lowest free row of a node that has room for a task of this kind."""
    row = take_slot(s.free[own], s.node[n].first, s.node[n].free)
    s.node[n].free -= 1
    s.cluster.free[own] -= 1
    use_resources(s, n, kind, 1)
    return row


def give_row_back(s: State, row: int, kind: int, own: int) -> None:
    """Free the row of a task of this kind and what it used."""
    n = s.node_of[row]
    put_slot(s.free[own], s.node[n].first, s.node[n].free, row)
    s.node[n].free += 1
    s.cluster.free[own] += 1
    use_resources(s, n, kind, -1)
