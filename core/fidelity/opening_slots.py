"""Clusters of another size, whose slots open as those of a log did: executors are added while tasks wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.model.cluster import Cluster
from core.model.slot_times import SlotTime

if TYPE_CHECKING:
    from collections.abc import Iterator

DOUBLING = 1.0
"""Seconds after which there are twice as many slots: Spark asks for twice as many executors each second."""


def opening_slots(recorded: Cluster, slots: int) -> Cluster:
    """Return a cluster of so many slots for any task.

    They open when so many were first there in the log, and stay: when executors would idle on another
    cluster is not known. Of more slots than the log had at once, there are twice as many each second.

    Parameters
    ----------
    recorded : the cluster of the log, with the times of its slots
    slots : at least 1

    Examples
    --------
    Four slots that open at 2 s and four at 5 s:

    >>> log = Cluster(0, 0, containers=0, slot_times=(SlotTime(4, 2.0, 9.0), SlotTime(4, 5.0)))
    >>> [(each.slots, each.opens) for each in opening_slots(log, 6).slot_times]
    [(4, 2.0), (2, 5.0)]
    >>> [(each.slots, each.opens) for each in opening_slots(log, 20).slot_times]
    [(4, 2.0), (4, 5.0), (8, 6.0), (4, 7.0)]
    """
    fixed, times, left = 0, list[SlotTime](), slots
    for opens, count in _first_there(recorded):
        more = min(count, left)
        if not opens:
            fixed += more
        else:
            times.append(SlotTime(more, opens))
        left -= more
        if not left:
            break
    return Cluster(0, 0, 1.0, containers=fixed, slot_times=tuple(times))


def _first_there(recorded: Cluster) -> Iterator[tuple[float, int]]:
    """Yield how many slots more than ever before were there from a time on, s; without an end."""
    changes = [(entry.opens, entry.slots) for entry in recorded.slot_times]
    changes += [(entry.closes, -entry.slots) for entry in recorded.slot_times]
    now = most = recorded.containers
    last = 0.0
    if most:
        yield 0.0, most
    for time, slots in sorted(changes):
        now += slots
        if now > most:
            yield time, now - most
            most, last = now, time
    while True:
        last += DOUBLING if recorded.slot_times else 0.0
        yield last, max(most, 1)
        most *= 2
