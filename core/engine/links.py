"""When jobs arrive that follow others, and their places in the order of arrivals. Compiled with the loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.engine.apart import apart

if TYPE_CHECKING:
    from core.engine.state import State


@apart
def let_followers_come(s: State, j: int, now: float) -> None:
    """Note that a job has ended: a job that follows no other open one arrives when its think time is over."""
    for k in range(s.job[j].link, s.job[j].link + s.job[j].links):
        f = s.link[k].follower
        s.job[f].not_before = max(s.job[f].not_before, now + s.link[k].think)
        s.job[f].before -= 1
        if not s.job[f].before:
            s.job[f].arrival = s.job[f].not_before
            enter_arrivals(s, f)


def enter_arrivals(s: State, j: int) -> None:
    """Put a job into the order of arrivals, behind those that come earlier; of one time by number."""
    arrival = s.job[j].arrival
    place = len(s.arrivals) - s.cluster.unknown
    while place > s.cluster.arrived:
        other = s.arrivals[place - 1]
        if s.job[other].arrival < arrival or (s.job[other].arrival == arrival and other < j):
            break
        s.arrivals[place] = other
        place -= 1
    s.arrivals[place] = j
    s.cluster.unknown -= 1


def take_arrival(s: State) -> int:
    """Return the job that arrives next, and count it."""
    place = s.cluster.arrived
    j = s.arrivals[place]
    s.cluster.arrived += 1
    if s.cluster.numbers:
        take_number(s, j, place)
    return j


@apart
def take_number(s: State, j: int, place: int) -> None:
    """Let a job that arrives have the next rank, and the next leaf in the selection tree of its group."""
    s.job[j].rank = place
    if not len(s.trees[0]):
        return
    p = s.job[j].pool if s.cluster.pooled else 0
    s.job[j].leaf = s.pool[p].next_leaf
    s.pool[p].next_leaf += 1
    if s.cluster.outlooks:
        s.keys[0][len(s.job) + s.job[j].leaf][s.cluster.outlooks] = j
