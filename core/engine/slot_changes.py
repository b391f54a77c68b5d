"""When slots open and close: free slots are there only while they are open. Compiled with the loop.

A change without a slot is an instant at which slots are offered again, for tasks that wait for that time.

A slot that closes while a task runs on it goes with the end of that task. The definition is in
`core.model.slot_times`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.engine.apart import apart
from core.engine.slot_trees import CLOSED, LEAVING, OPEN, put_slot, remove_slot

if TYPE_CHECKING:
    from core.engine.state import State

INF = float("inf")


def next_change(s: State) -> float:
    """Return when the next slot opens or closes, infinity if none does."""
    return s.change[s.cluster.change].at if s.cluster.change < s.cluster.changes else INF


@apart
def event_or_change(s: State, event: float) -> float:
    """Return when the next event or change is; slots come and go as long as there are jobs."""
    return min(event, next_change(s)) if event < INF or s.cluster.active else event


@apart
def slots_change(s: State, now: float) -> None:
    """Let the slots close and open that do so now; closes come first in the list."""
    while next_change(s) == now:
        change = s.change[s.cluster.change]
        if change.slot < 0:  # only time has passed
            s.cluster.change += 1
            continue
        own = slot_type(s, change.slot)
        if change.opens:
            slot_opens(s, change.slot, own)
        else:
            slot_closes(s, change.slot, own)
        s.cluster.change += 1


def slot_type(s: State, slot: int) -> int:
    """Return the type of tasks that a slot is for; of one without a type the first."""
    return int(slot >= s.cluster.first_reduce)


def slot_opens(s: State, slot: int, own: int) -> None:
    """Let a slot be free from now on."""
    s.there[slot] = OPEN
    s.cluster.slots[own] += 1
    put_slot(s.free[own], 0, s.cluster.free[own], slot)
    count_open(s, own, 1)


def slot_closes(s: State, slot: int, own: int) -> None:
    """Take a slot off the free ones, or let it go when its task ends."""
    if s.finish[slot] == INF and remove_slot(s.free[own], 0, s.cluster.free[own], slot):
        s.there[slot] = CLOSED
        s.cluster.slots[own] -= 1
        count_open(s, own, -1)
    else:
        s.there[slot] = LEAVING


def count_open(s: State, own: int, change: int) -> None:
    """Count free slots of a type that have come or gone."""
    s.cluster.free[own] += change
    s.cluster.room[own] += change
    s.cluster.room[1 - own] += change * (s.cluster.lends > 0)


@apart
def may_give_back(s: State, slot: int) -> bool:
    """Whether a slot whose task ends is free again; note that it is gone where it is not."""
    if s.there[slot] == OPEN:
        return True
    s.there[slot] = CLOSED
    s.cluster.slots[slot_type(s, slot)] -= 1
    return False
