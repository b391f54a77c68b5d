"""The event loop where a policy may let a second copy of a running task run; compiled as `loop` is.

Once all free slots of an instant have been offered, the policy is asked, for each type of slot that is still
free, of each task of that kind that runs what a second copy of it is worth. That of the task with the
greatest worth above 0, of equals the one on the lowest slot, starts on the lowest free slot; then the next,
until the policy declines or no slot is free. A copy takes the median of the times of its stage. The one of
the two that ends first counts, of two that end at once the first one; the other is killed in that instant.

What started in this instant gets no copy yet, nor does a task whose parents run: what it has left is not
known. No task has more than one. A second copy may be killed at a time, too, as `core.model.killed_copies`
says: after the tasks that end then and before jobs arrive; its task gets no other one.

Source: LATE, M. Zaharia et al., "Improving MapReduce performance in heterogeneous environments", OSDI 2008;
that a copy takes the median of its stage is ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.engine.apart import apart
from core.engine.loop import (
    DECIDED,
    DONE,
    GOES_ON,
    REACHED,
    count_running,
    give_place_back,
    job_arrives,
    next_arrival,
    next_instant,
    note_change,
    stops_before,
    take_place,
    task_departs,
    watch_instant,
)
from core.engine.preemption import offer_slots
from core.engine.slot_changes import may_give_back, slot_type, slots_change
from core.engine.slot_trees import set_finish
from core.engine.stage_steps import take_arrival
from core.model.execution_history import BY_HAND, FIRST, SECOND

if TYPE_CHECKING:
    from core.engine.state import State

NONE = -1
ASK = -3
"""The slot kind with which a policy's kernel is asked for the worth of a second copy."""
COPYING_TURN, LAST_TURN = 4, 6
INF = float("inf")


def advance_with_copies(choose: Any, until: float, instants: int, s: State) -> int:
    """Advance the cluster as `core.engine.loop.advance` does."""
    while True:
        if not s.cluster.offered:
            status = offer_all(choose, s)
            if status != DONE:
                return status
            s.cluster.offered = 1
        now = next_instant_or_kill(s)
        stopped = stops_before(s, now, until, instants)
        if stopped == REACHED:
            s.cluster.offered = 1  # asked once more, a policy that sees how long tasks run might copy others
        if stopped != GOES_ON:
            return stopped
        instants -= 1
        watch_instant(choose, s, now)
        happen_with_copies(s, now)


def next_kill(s: State) -> float:
    """Return when a copy is to be killed next, infinity if none is."""
    u = s.given_up
    return u.kill[u.now.kills].at if u.now.kills < len(u.kill) else INF


@apart
def next_instant_or_kill(s: State) -> float:
    """Return when something happens next; copies are killed as long as there are jobs."""
    event = next_instant(s)
    return min(event, next_kill(s)) if event < INF or s.cluster.active else event


@apart
def offer_all(choose: Any, s: State) -> int:
    """Offer every free slot to tasks, and what is left to copies; return DONE, or why it stopped."""
    c = s.cluster
    while c.turn < LAST_TURN:
        if c.turn == 2 + c.lends:
            c.turn = COPYING_TURN if s.given_up.now.asks else LAST_TURN
            continue
        own = c.turn & 1
        copies = c.turn >= COPYING_TURN
        status = offer_copies(choose, s, own) if copies else offer_slots(choose, s, own)
        if status != DONE:
            return status
        c.turn += 1
    c.turn = 0
    return DONE


def offer_copies(choose: Any, s: State, own: int) -> int:
    """Start second copies on free slots of a type until the policy declines."""
    c = s.cluster
    while c.free[own] > 0:
        slot = most_worth_a_copy(choose, s, own)
        if slot == NONE:
            return DONE
        if s.given_up.now.starts == c.pause_at:
            stage = s.stage[s.slot_stage[slot]]
            c.held = 2 * stage.job + stage.task_type
            return DECIDED
        c.held = NONE
        start_copy(s, slot, own)
    return DONE


def most_worth_a_copy(choose: Any, s: State, own: int) -> int:
    """Return the slot whose task gets a second copy on a slot of type `own`, NONE if none is wanted."""
    c, u = s.cluster, s.given_up
    found, most = NONE, 0.0
    c.rival_kind = own
    for slot in range(len(s.slot_stage)):
        if s.finish[slot] == INF or u.twin[slot] != NONE or s.start[u.on[slot]] >= c.now:
            continue
        g, task = s.slot_stage[slot], u.on[slot]
        if u.alone[task]:
            continue
        kind = s.stage[g].task_type
        if kind != own and not c.containers:
            continue
        c.victim = s.stage[g].job
        c.victim_kind = kind
        c.elapsed = c.now - s.start[task]
        c.remaining = s.finish[slot] - c.now
        c.usual = u.usual[g]
        c.faster = u.faster[task]
        choose(ASK, s.queue, s.trees, s.keys, s.job, s.pool, c)
        if c.worth > most:
            found, most = slot, c.worth
    return found


@apart
def start_copy(s: State, first: int, own: int) -> None:
    """Start a second copy of the task on a slot, on the lowest free slot of type `own`."""
    c, u = s.cluster, s.given_up
    g = s.slot_stage[first]
    j, kind = s.stage[g].job, s.stage[g].task_type
    slot = take_place(s, j, kind, own)
    c.lent[own] += kind != own
    c.copies[kind] += 1
    count_running(s, j, kind, 1)
    note_change(s, j)
    s.slot_stage[slot] = g
    u.on[slot] = u.on[first]
    u.twin[slot] = first
    u.twin[first] = slot
    u.second[slot] = 1
    u.number[slot] = u.now.starts
    u.now.starts += 1
    u.since[slot] = c.now
    u.fetched[slot] = c.now + u.copy_shuffle[u.on[slot]]
    set_finish(s.tree, s.finish, slot, u.fetched[slot] + u.copy[u.on[slot]])


def happen_with_copies(s: State, now: float) -> None:
    """Apply every departure and arrival of one instant; where a task has two copies, one is killed."""
    s.cluster.now = now
    s.cluster.offered = 0
    while s.finish[s.tree[1]] == now:
        slot = s.tree[1]
        if s.given_up.twin[slot] != NONE:
            slot = race_ends(s, slot, s.given_up.twin[slot])
        leave_slot(s, slot)
        task_departs(s, slot, now)
    while next_kill(s) == now:
        kill_copy(s, s.given_up.kill[s.given_up.now.kills].task)
        s.given_up.now.kills += 1
    if s.cluster.changes:
        slots_change(s, now)
    while next_arrival(s) == now:
        job_arrives(s, take_arrival(s), now)


@apart
def leave_slot(s: State, slot: int) -> None:
    """Give a slot back whose task has ended or was killed, unless the slot has closed."""
    if not s.cluster.changes or may_give_back(s, slot):
        give_place_back(s, slot, s.stage[s.slot_stage[slot]].task_type, slot_type(s, slot))


@apart
def race_ends(s: State, slot: int, other: int) -> int:
    """Kill the copy that lost, of which one slot of two has it; return the slot of the one that counts."""
    c, u = s.cluster, s.given_up
    if u.second[slot] and s.finish[other] == c.now:
        slot, other = other, slot
    task = u.on[slot]
    note_outrun(s, task, other)
    if u.second[slot]:
        s.slot[task] = slot
        s.start[task] = u.since[slot]
        s.shuffled[task] = u.fetched[slot]
        s.end[task] = c.now
        u.began[task] = u.number[slot]
    take_off(s, other, slot)
    return slot


@apart
def kill_copy(s: State, task: int) -> None:
    """Kill the second copy of a task, if one runs; the task gets no other one."""
    u = s.given_up
    for slot in range(len(s.slot_stage)):
        if u.second[slot] and u.on[slot] == task:
            note_outrun(s, task, slot)
            u.line[u.now.lines - 1].outrun = BY_HAND
            u.alone[task] = 1
            take_off(s, slot, u.twin[slot])


@apart
def take_off(s: State, slot: int, other: int) -> None:
    """Take a copy that came to no end off its slot; the other one is alone then."""
    c, u = s.cluster, s.given_up
    g = s.slot_stage[slot]
    kind, own = s.stage[g].task_type, slot_type(s, slot)
    set_finish(s.tree, s.finish, slot, INF)
    c.lent[own] -= kind != own
    c.copies[kind] -= 1
    count_running(s, s.stage[g].job, kind, -1)
    note_change(s, s.stage[g].job)
    leave_slot(s, slot)
    u.second[slot] = u.second[other] = 0
    u.twin[slot] = u.twin[other] = NONE
    u.on[slot] = NONE


def note_outrun(s: State, task: int, slot: int) -> None:
    """Note the copy of a task on a slot that comes to no end now."""
    u, now = s.given_up, s.cluster.now
    is_second = u.second[slot]
    shuffled = u.fetched[slot] if is_second else s.shuffled[task]
    at = u.now.lines
    u.line[at].task = task
    u.line[at].slot = slot
    u.line[at].rival = s.stage[s.slot_stage[slot]].job
    u.line[at].outrun = SECOND if is_second else FIRST
    u.line[at].place = u.number[slot] if is_second else u.began[task]
    u.line[at].start = u.since[slot] if is_second else s.start[task]
    u.line[at].shuffled = min(shuffled, now)
    u.line[at].end = now
    u.now.lines += 1
