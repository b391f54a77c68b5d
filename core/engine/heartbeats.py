"""The event loop of a cluster with overheads: hosts request work; see `core.model.cluster`.

Plain functions over a `State` with hosts (`core.engine.hosts`), compiled as `core.engine.loop` is, whose
steps they use. What differs is when which slots are offered. A host has its part of the slots, in order.
Slots are only offered to the policy when their host asks: at its heartbeats, and at the instant in which one
of its tasks ends, or becomes known to have ended.

Where rules go: what happens at an instant is in `happen_on_hosts` and `slot_ends`, what a host gets when it
asks in `serve_hosts`, and when that begins in `begins_at`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine.job_queues import tasks_wait
from core.engine.loop import (
    BAD_PICK,
    DECIDED,
    DONE,
    INF,
    NONE,
    PAUSED,
    REACHED,
    STALLED,
    count_free,
    job_arrives,
    may_start,
    next_arrival,
    task_departs,
    task_starts,
    watch_instant,
)
from core.engine.next_beats import (
    anything_waits,
    known_at,
    next_heartbeat,
    request_work,
    something_waits,
    special_waits,
)
from core.engine.slot_changes import slot_type
from core.engine.slot_trees import put_slot, set_finish, take_slot
from core.engine.stage_steps import job_departs, next_task, shuffle_ends, take_arrival
from core.engine.state import CLEANUP, SETUP
from core.model.task_types import TASK_TYPES

if TYPE_CHECKING:
    from core.engine.state import State

SPREAD, LOW_BITS = 2654435769, 0xFFFFFFFF
"""Multiples of the first, the golden ratio's share of 2 ** 32, lie far apart among so many bits."""
GIVEN, DECLINED = 0, -1


def advance_on_hosts(choose: Any, until: float, instants: int, s: State) -> int:
    """Advance as `core.engine.loop.advance` does, on a cluster with overheads."""
    while True:
        stopped = serve_hosts(choose, s)
        if stopped != GIVEN:
            return stopped
        now = next_instant_on_hosts(s)
        if now == INF:
            return STALLED if s.cluster.active else DONE
        if now > until:
            s.cluster.now = max(s.cluster.now, until)
            s.beats.clock.changed = s.cluster.now  # whoever stopped the run here may change what is answered
            return REACHED
        if instants <= 0:
            return PAUSED
        instants -= 1
        watch_instant(choose, s, now)
        happen_on_hosts(s, now)


# ---- time


def next_instant_on_hosts(s: State) -> float:
    """Return when something happens next, a heartbeat that may be needed among it."""
    return min(next_event(s), next_heartbeat(s))


def next_event(s: State) -> float:
    """Return when something else than a heartbeat happens next."""
    clock = s.beats.clock
    launch = s.beats.launch_at[clock.launched] if clock.launched < clock.left else INF
    return min(s.finish[s.tree[1]], next_arrival(s), launch)


def happen_on_hosts(s: State, now: float) -> None:
    """Apply everything of one instant; note which hosts request work then."""
    c, clock = s.cluster, s.beats.clock
    clock.instant += 1
    if not c.settles or next_event(s) == now:
        clock.changed = now
    if not clock.heartbeat:
        clock.requesting = 0  # all do, in turn
    elif clock.beat == INF:
        c.now = np.nextafter(now, -INF)
        next_heartbeat(s)  # one that was left out as in vain may fall upon this instant
    while clock.beat == now:
        request_work(s, clock.beating, now)
        next_heartbeat(s)
    c.now = now
    while s.finish[s.tree[1]] == now:
        known = known_at(s, s.tree[1], now)
        if known == now:
            slot_ends(s, s.tree[1], now)
        else:
            set_finish(s.tree, s.finish, s.tree[1], known)
    while next_arrival(s) == now:
        take_arrival(s)
        c.active += 1  # from now on it is there, though its tasks wait for the setup
    jobs_leave_line(s)
    while clock.launched < clock.left and s.beats.launch_at[clock.launched] == now:
        job_is_launched(s, s.beats.launch_job[clock.launched], now)
        clock.launched += 1


# ---- jobs


def jobs_leave_line(s: State) -> None:
    """Let jobs that have arrived leave the line for their launch, as many as may be without a task."""
    clock = s.beats.clock
    while clock.left < s.cluster.arrived and (
        not clock.launched_ahead or clock.taskless < clock.launched_ahead
    ):
        earliest = s.cluster.now + clock.launch_delay
        clock.last_launch = max(earliest, clock.last_launch + clock.launch_interval)
        s.beats.launch_job[clock.left] = s.arrivals[clock.left]
        s.beats.launch_at[clock.left] = clock.last_launch
        clock.left += 1
        clock.taskless += 1


def job_is_launched(s: State, j: int, now: float) -> None:
    """Let a job wait for its setup, or for slots if it has none."""
    if s.beats.lasts[SETUP][j]:
        waits_for_special(s, SETUP, j)
    else:
        job_begins(s, j, now)


def job_begins(s: State, j: int, now: float) -> None:
    """Let the job's tasks wait for slots."""
    s.cluster.active -= 1
    job_arrives(s, j, now)


def slot_ends(s: State, slot: int, now: float) -> None:
    """End what runs on a slot; its host requests work."""
    h, own = s.beats.host_of[slot], slot_type(s, slot)
    clock = s.beats.clock
    put_slot(s.free[own], s.beats.host[h].begin[own], s.beats.host[h].free[own], slot)
    s.beats.host[h].free[own] += 1
    count_free(s, 0, own, 1)
    if clock.heartbeat:
        s.beats.host[h].last_request = now
        request_work(s, h, now)
        if s.beats.due[own][h] == INF:
            set_finish(s.beats.tree[own], s.beats.due[own], h, s.beats.host[h].next)
    if s.beats.on_slot[slot] != NONE:
        special_ends(s, slot, now)
        return
    j = s.stage[s.slot_stage[slot]].job
    task_departs(s, slot, now)
    if s.job[j].finish == now and s.job[j].cleans:
        s.job[j].finish = INF
        s.cluster.active += 1
        s.pool[s.job[j].pool].active += 1
        waits_for_special(s, CLEANUP, j)


# ---- setups and cleanups


def waits_for_special(s: State, what: int, j: int) -> None:
    """Let a job wait for its setup or cleanup."""
    s.beats.waiting[what][s.beats.clock.tail[what]] = j
    s.beats.clock.tail[what] += 1


def special_starts(s: State, h: int, own: int) -> None:
    """Start a cleanup or a setup on the lowest free slot of a type that a host has."""
    clock = s.beats.clock
    clock.changed = s.cluster.now
    what = CLEANUP if clock.head[CLEANUP] < clock.tail[CLEANUP] else SETUP
    j = s.beats.waiting[what][clock.head[what]]
    clock.head[what] += 1
    slot = take_of_host(s, h, own)
    s.beats.on_slot[slot] = 2 * j + what
    set_finish(s.tree, s.finish, slot, begins_at(s, j, h, own) + s.beats.lasts[what][j])


def special_ends(s: State, slot: int, now: float) -> None:
    """End the setup or cleanup on a slot."""
    j, what = s.beats.on_slot[slot] >> 1, s.beats.on_slot[slot] & 1
    s.beats.on_slot[slot] = NONE
    set_finish(s.tree, s.finish, slot, INF)
    if what == SETUP:
        job_begins(s, j, now)
    else:
        s.job[j].cleans = 0
        job_departs(s, j, now)


# ---- offers


def serve_hosts(choose: Any, s: State) -> int:
    """Offer the slots of the hosts that request work, the lowest host first; 0, or why the run stops."""
    clock = s.beats.clock
    while host_requests_work(s):
        if (
            (not clock.got or not clock.heartbeat)
            and s.beats.host[clock.host].free[clock.turn]
            and special_waits(s, clock.turn)
        ):
            special_starts(s, clock.host, clock.turn)
            clock.got = 1
            continue
        stopped = offer_slot(choose, s, clock.host, clock.turn)
        if stopped > GIVEN:
            return stopped
        if stopped == DECLINED:
            clock.turn += 1
            clock.got = 0
            if clock.turn == len(TASK_TYPES):
                serve(s, NONE)
    return GIVEN


def host_requests_work(s: State) -> bool:
    """Whether a host is being served, or requests work now."""
    clock = s.beats.clock
    if clock.host != NONE:
        return True
    hosts = len(s.beats.host)
    if not anything_waits(s):
        clock.requesting = 0 if clock.heartbeat else hosts
        return False
    if clock.heartbeat:
        if not clock.requesting:
            return False
        serve(s, take_slot(s.beats.requesting, 0, clock.requesting))
        clock.requesting -= 1
    else:
        while clock.requesting < hosts and not may_be_served(s, clock.requesting):
            clock.requesting += 1
        if clock.requesting == hosts:
            return False
        serve(s, clock.requesting)
        clock.requesting += 1
    clock.turn = 0
    clock.got = 0
    return True


def serve(s: State, h: int) -> None:
    """Begin to serve a host, or NONE; the policy may know which."""
    s.beats.clock.host = h
    for own in range(2):
        s.cluster.node[own] = h


def may_be_served(s: State, h: int) -> bool:
    """Whether a host has a free slot of a type that something waits for."""
    free = s.beats.host[h].free
    return bool((free[0] and something_waits(s, 0)) or (free[1] and something_waits(s, 1)))


def offer_slot(choose: Any, s: State, h: int, own: int) -> int:
    """Offer a host's lowest free slot of a type: GIVEN, DECLINED, or why the run stops."""
    c, clock = s.cluster, s.beats.clock
    if (
        not s.beats.host[h].free[own]
        or (clock.heartbeat and clock.got >= clock.most[own])
        or not tasks_wait(c, own)
    ):
        return DECLINED
    pick = c.held if c.held >= 0 else choose(own, s.queue, s.trees, s.keys, s.job, s.pool, c)
    if pick < 0:
        return DECLINED
    j, kind = pick >> 1, pick & 1
    if not may_start(s, j, kind, own):
        c.bad_pick = pick
        return BAD_PICK
    if c.started == c.pause_at:
        c.held = pick
        c.turn = own
        return DECIDED
    c.held = NONE
    clock.changed = c.now
    clock.got += 1
    g, task = s.job[j].next_stage[kind], next_task(s, j, kind)
    task_starts(s, take_of_host(s, h, own), j, kind, own)
    if s.job[j].started[kind] + s.job[j].started[1 - kind] == 1:
        clock.taskless -= 1
        jobs_leave_line(s)
    begins = begins_at(s, j, h, kind)
    if begins > c.now:
        s.start[task] = begins
        if s.stage[g].released <= c.now:
            shuffle_ends(s, task, begins + s.typical_shuffle[task])
    return GIVEN


def take_of_host(s: State, h: int, own: int) -> int:
    """Take the lowest free slot of a type that a host has."""
    slot = take_slot(s.free[own], s.beats.host[h].begin[own], s.beats.host[h].free[own])
    s.beats.host[h].free[own] -= 1
    count_free(s, 0, own, -1)
    return slot


def begins_at(s: State, j: int, h: int, kind: int) -> float:
    """Return when something of a job begins that a host is given now; the slot is taken all the same.

    It waits for what its job needs there, and as long as the host stalls for tasks of its kind.
    """
    now, host = s.cluster.now, s.beats.host[h]
    begins = now
    if s.beats.clock.fetch:
        begins = max(now, s.beats.fetch[fetch_cell(s, j, h)].ready)
    for i in range(host.stalls[0], host.stalls[1]):
        stall = s.beats.stall[i]
        if (stall.kind == kind or stall.kind == NONE) and stall.begin <= now < stall.end:
            begins = max(begins, stall.end)
    return begins


def fetch_cell(s: State, j: int, h: int) -> int:
    """Return where it stands since when a host has what a job needs; the first time, it begins to fetch."""
    fetch = s.beats.fetch
    cells = len(fetch)
    wanted = j * len(s.beats.host) + h
    cell = ((wanted * SPREAD) & LOW_BITS) * cells >> 32
    while fetch[cell].who != wanted:
        if fetch[cell].who == NONE:
            fetch[cell].who = wanted
            fetch[cell].ready = s.cluster.now + s.beats.clock.fetch
            break
        cell = (cell + 1) % cells
    return cell
