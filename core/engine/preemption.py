"""The event loop where a policy may give running tasks up for a job that waits; compiled as `loop` is.

Once all free slots of an instant have been offered, the policy is asked which task it would start if one more
slot of a type were free, and then of each task that runs on such a slot what it is worth to give it up for
that. The task with the highest worth above 0, of equals the one on the lowest slot, is killed, and runs
again from its beginning, or is suspended, and goes on later with what is left; the other one starts.
Then the next, until the policy declines. What started in this instant goes on, and so does what is of the job
that waits: so each instant comes to an end.

A task that is given up is the next one of its stage; of several that of the last. What is suspended before it
could fetch all, since its parents run, has nothing to go on from, and starts anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.engine.apart import apart
from core.engine.job_queues import enter_queue, tasks_wait
from core.engine.loop import (
    BAD_PICK,
    DECIDED,
    DONE,
    GOES_ON,
    REACHED,
    count_running,
    decide,
    give_place_back,
    happen,
    is_startable,
    may_offer,
    may_start,
    next_instant,
    note_change,
    stops_before,
    take_place,
    task_starts,
    watch_instant,
)
from core.engine.slot_changes import slot_type
from core.engine.slot_trees import OPEN, set_finish
from core.engine.stage_steps import count_backlog, count_pending, next_task, set_next_stage

if TYPE_CHECKING:
    from core.engine.state import State

NONE = -1
ASK = -3
"""The slot kind with which a policy's kernel is asked for the worth of giving up a task."""
FULL = 7
"""Tasks have been given up more often than is noted."""
GIVING_TURN, LAST_TURN = 4, 6
INF, NAN = float("inf"), float("nan")


def advance_giving_up(choose: Any, until: float, instants: int, s: State) -> int:
    """Advance the cluster as `core.engine.loop.advance` does; FULL: tasks were given up too often."""
    while True:
        if not s.cluster.offered:
            status = hand_out(choose, s)
            if status != DONE:
                return status
            s.cluster.offered = 1
        now = next_instant(s)
        stopped = stops_before(s, now, until, instants)
        if stopped == REACHED:
            s.cluster.offered = (
                1  # asked once more, a policy that sees how long tasks run might give others up
            )
        if stopped != GOES_ON:
            return stopped
        instants -= 1
        watch_instant(choose, s, now)
        happen(s, now)


@apart
def hand_out(choose: Any, s: State) -> int:
    """Offer every free slot, then those of tasks that may be given up; return DONE, or why it stopped."""
    c = s.cluster
    while c.turn < LAST_TURN:
        if c.turn == 2 + c.lends:
            c.turn = GIVING_TURN if s.given_up.now.asks else LAST_TURN
            continue
        own = c.turn & 1
        gives = c.turn >= GIVING_TURN
        status = give_slots(choose, s, own) if gives else offer_slots(choose, s, own)
        if status != DONE:
            return status
        c.turn += 1
    c.turn = 0
    return DONE


def offer_slots(choose: Any, s: State, own: int) -> int:
    """Offer the free slots of a type until the policy declines."""
    c = s.cluster
    while may_offer(c, own):
        pick = c.held if c.held >= 0 else decide(choose, own, s)
        if pick < 0:
            return DONE
        if not may_start(s, pick >> 1, pick & 1, own):
            c.bad_pick = pick
            return BAD_PICK
        if s.given_up.now.starts == c.pause_at:
            c.held = pick
            return DECIDED
        c.held = NONE
        begin(s, pick >> 1, pick & 1, own)
        if c.lends:
            c.turn = own
    return DONE


def give_slots(choose: Any, s: State, own: int) -> int:
    """Give tasks on slots of a type up, for others, until the policy declines."""
    c = s.cluster
    while not c.free[own] and tasks_wait(c, own):
        pick = c.held if c.held >= 0 else wish(choose, s, own)
        if pick < 0:
            return DONE
        j, kind = pick >> 1, pick & 1
        if not may_wish(s, j, kind, own):
            c.bad_pick = pick
            return BAD_PICK
        slot = least_needed(choose, s, j, kind, own)
        if slot == NONE:
            c.held = NONE
            return DONE
        if s.given_up.now.starts == c.pause_at:
            c.held = pick
            return DECIDED
        c.held = NONE
        if s.given_up.now.lines == len(s.given_up.line):
            return FULL
        give_up(s, slot, j)
        begin(s, j, kind, own)
    return DONE


def wish(choose: Any, s: State, own: int) -> int:
    """Return the policy's pick if one more slot of a type were free."""
    count_slot(s.cluster, own, 1)
    pick = decide(choose, own, s)
    count_slot(s.cluster, own, -1)
    return pick


def count_slot(c: Any, own: int, change: int) -> None:
    """Count a free slot of a type more or less."""
    c.free[own] += change
    c.room[own] += change
    c.room[1 - own] += change * (c.lends > 0)


def may_wish(s: State, j: int, kind: int, own: int) -> bool:
    """Whether a job has a task of a kind that could start on a slot of type `own`."""
    return bool(
        j < len(s.job)
        and (kind == own or s.cluster.lends)
        and is_startable(s, s.job[j].next_stage[kind], j, kind)
    )


@apart
def begin(s: State, j: int, kind: int, own: int) -> None:
    """Start the job's next task of a kind on the lowest free slot of type `own`."""
    u = s.given_up
    place = next_task(s, j, kind)
    slot = take_place(s, j, kind, own)
    task_starts(s, slot, j, kind, own)
    u.on[slot] = place
    u.began[place] = u.now.starts
    u.now.starts += 1


@apart
def least_needed(choose: Any, s: State, j: int, kind: int, own: int) -> int:
    """Return the slot of the task that is given up for one of a job, NONE if the policy gives none up."""
    c, on = s.cluster, s.given_up.on
    found, most = NONE, 0.0
    c.rival = j
    c.rival_kind = kind
    for slot in range(len(s.slot_stage)):
        place = on[slot]
        if place < 0 or slot_type(s, slot) != own or s.end[place] <= c.now or s.start[place] >= c.now:
            continue
        g = s.slot_stage[slot]
        if s.stage[g].job == j or (c.changes and s.there[slot] != OPEN):
            continue
        c.victim = s.stage[g].job
        c.victim_kind = s.stage[g].task_type
        c.elapsed = c.now - s.start[place]
        c.remaining = s.finish[slot] - c.now
        choose(ASK, s.queue, s.trees, s.keys, s.job, s.pool, c)
        if c.worth > most:
            found, most = slot, c.worth
    return found


@apart
def give_up(s: State, slot: int, rival: int) -> None:
    """Take a running task off its slot, which is free then; it is the next one of its stage.

    The rival is the job that gets the slot, NONE where nobody does.
    """
    c, u = s.cluster, s.given_up
    place = u.on[slot]
    g = s.slot_stage[slot]
    j, kind, own = s.stage[g].job, s.stage[g].task_type, slot_type(s, slot)
    suspended = u.now.suspends and s.stage[g].released <= c.now
    note_line(s, place, slot, rival, suspended)
    if suspended:
        keep_rest(s, place)
    set_finish(s.tree, s.finish, slot, INF)
    u.on[slot] = NONE
    c.lent[own] -= kind != own
    count_running(s, j, kind, -1)
    count_backlog(s, j, kind, -1)
    c.fillers -= s.stage[g].released > c.now
    c.started -= 1
    s.job[j].started[kind] -= 1
    s.stage[g].started -= 1
    exchange(s, place, s.stage[g].first + s.stage[g].started)
    wait_again(s, g, j, kind)
    give_place_back(s, slot, kind, own)


def note_line(s: State, place: int, slot: int, rival: int, suspended: bool) -> None:
    """Note the part of a task that comes to no end now."""
    u, now = s.given_up, s.cluster.now
    at = u.now.lines
    u.line[at].task = u.task[place]
    u.line[at].slot = slot
    u.line[at].rival = rival
    u.line[at].suspended = 1 if suspended else 0
    u.line[at].place = u.began[place]
    u.line[at].start = s.start[place]
    u.line[at].shuffled = min(s.shuffled[place], now) if s.shuffled[place] <= now else now
    u.line[at].end = now
    u.now.lines += 1


def keep_rest(s: State, place: int) -> None:
    """Let a task that is suspended have left what it has left."""
    now = s.cluster.now
    if s.shuffled[place] > now:
        s.typical_shuffle[place] = s.shuffled[place] - now
        return
    s.typical_shuffle[place] = 0.0
    s.duration[place] = s.end[place] - now


def exchange(s: State, place: int, other: int) -> None:
    """Let a task that is given up change places with the last one of its stage that has started."""
    u = s.given_up
    swap(s.duration, place, other)
    swap(s.first_shuffle, place, other)
    swap(s.typical_shuffle, place, other)
    if s.cluster.keyed:
        swap(s.task_key, place, other)
    swap(s.slot, place, other)
    swap(s.start, place, other)
    swap(s.shuffled, place, other)
    swap(s.end, place, other)
    swap(u.task, place, other)
    swap(u.began, place, other)
    slot = s.slot[place]  # of the one that lay at `other`
    if place != other and u.on[slot] == other:
        u.on[slot] = place
    s.slot[other] = NONE
    s.start[other] = NAN
    s.shuffled[other] = NAN
    s.end[other] = NAN


def swap(column: Any, one: int, other: int) -> None:
    """Exchange two numbers of a column."""
    kept = column[one]
    column[one] = column[other]
    column[other] = kept


def wait_again(s: State, g: int, j: int, kind: int) -> None:
    """Let a task of a stage wait that was given up."""
    count_pending(s, j, kind, 1)
    before = s.job[j].next_stage[kind]
    if before == NONE:
        enter_queue(s, kind, j)
    if before == NONE or s.stage[g].place <= s.stage[before].place:
        set_next_stage(s, j, kind, g)
    note_change(s, j)
