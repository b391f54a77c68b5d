"""When hosts request work: at heartbeats, in equal steps since a task ended. Compiled with `heartbeats`.

A heartbeat does not begin the interval anew, so that it makes no difference, however times are rounded,
whether one that changes nothing is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.engine.apart import apart
from core.engine.job_queues import tasks_wait
from core.engine.slot_trees import play_all, put_slot, set_finish
from core.engine.state import CLEANUP, SETUP
from core.model.task_types import MAP

if TYPE_CHECKING:
    from core.engine.state import State

INF = float("inf")
MANY = 0.125
"""Of the interval: so many heartbeats have passed that all hosts are looked at, not one by one."""


@apart
def next_heartbeat(s: State) -> float:
    """Return when the next host with a free slot requests work, if anything waits for one; note which it is.

    Who has asked in vain since something changed would do so again: after two intervals all have.
    """
    c, clock = s.cluster, s.beats.clock
    clock.beat = INF
    if clock.heartbeat:  # else whoever is free has been asked already
        for own in range(2):
            if c.free[own] and something_waits(s, own):
                h = next_requesting_host(s, own)
                if s.beats.due[own][h] < clock.beat:
                    clock.beat = s.beats.due[own][h]
                    clock.beating = h
        if clock.beat > clock.changed + 2 * clock.heartbeat:
            clock.beat = INF
    return float(clock.beat)


def something_waits(s: State, own: int) -> bool:
    """Whether anything waits for a slot of a type."""
    return tasks_wait(s.cluster, own) or special_waits(s, own)


def anything_waits(s: State) -> bool:
    """Whether anything waits for a slot of whichever type."""
    return something_waits(s, 0) or something_waits(s, 1)


def next_requesting_host(s: State, own: int) -> int:
    """Return the next host to request work that has a free slot of a type.

    What the tree compares may be too early: heartbeats have passed since that were not needed, the host has
    asked because a task ended, or it has no free slot any more. That is put right for whoever comes first,
    and for all at once where many have passed.
    """
    tree, due = s.beats.tree[own], s.beats.due[own]
    if due[tree[1]] < s.cluster.now - s.beats.clock.heartbeat * MANY:
        for h in range(len(s.beats.host)):
            due[h] = beat_to_compare(s, own, h)
        play_all(tree, due)
    while True:
        h = tree[1]
        time = beat_to_compare(s, own, h)
        if time == due[h]:
            return int(h)
        set_finish(tree, due, h, time)


def beat_to_compare(s: State, own: int, h: int) -> float:
    """Return when a host requests work next, infinity if it has no free slot of a type."""
    return later_beat(s, h) if s.beats.host[h].free[own] else INF


def later_beat(s: State, h: int) -> float:
    """Return when a host requests work next if nothing happens to it: at the end of its whole interval."""
    host = s.beats.host[h]
    if host.next <= s.cluster.now:
        host.next = beat_after(host.last_request, s.beats.clock.heartbeat, s.cluster.now)
    return float(host.next)


def beat_after(requested: float, heartbeat: float, now: float) -> float:
    """Return the first heartbeat since a host's last request that is later than now, however rounded."""
    beats = int((now - requested) / heartbeat)
    time = requested + beats * heartbeat
    if time <= now:
        time = requested + (beats + 1) * heartbeat
    if time <= now:
        time = requested + (beats + 2) * heartbeat
    return time if time > now else float(np.nextafter(now, INF))


def known_at(s: State, slot: int, now: float) -> float:
    """Return when it becomes known that what runs on a slot ends now: at once, or as its host beats next."""
    clock, host = s.beats.clock, s.beats.host[s.beats.host_of[slot]]
    if not clock.ends_known_after or not clock.heartbeat:
        return now
    return beat_after(host.last_request, clock.heartbeat, np.nextafter(now, -INF))


def request_work(s: State, h: int, now: float) -> None:
    """Let a host request work in this instant."""
    host, clock = s.beats.host[h], s.beats.clock
    host.next = beat_after(host.last_request, clock.heartbeat, now)
    if host.called != clock.instant:
        host.called = clock.instant
        put_slot(s.beats.requesting, 0, clock.requesting, h)
        clock.requesting += 1


def special_waits(s: State, own: int) -> bool:
    """Whether a setup or cleanup waits for a slot of a type: they run where maps do."""
    clock = s.beats.clock
    waits = clock.head[SETUP] < clock.tail[SETUP] or clock.head[CLEANUP] < clock.tail[CLEANUP]
    return bool(own == MAP and waits)
