"""A cluster with more slots for an hour: by themselves, or on nodes where it has nodes or events."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.model.errors import InputError
from core.model.event_nodes import count_of_nodes
from core.model.node_events import Happening, NodeEvent, NodeEvents
from core.model.slot_times import CONTAINER, SlotTime
from core.model.task_types import KIND_WORDS
from core.model.time_text import duration_text

if TYPE_CHECKING:
    from core.model.cluster import Cluster

ADDED_PART, ADDED_SECONDS = 0.1, 3600.0
"""What is added, as a part of the slots of each kind or of the nodes, and for how long."""
SLOT_WORDS = (*(f"{word} slot" for word in KIND_WORDS), "container")
"""Of each kind of `SlotTime`."""


def with_more_slots(cluster: Cluster, time: float) -> Cluster | None:
    """Return a cluster with more slots for an hour from a time on; None where these are not modelled.

    Slots that go let their tasks end; nodes that go lose what runs on them, as nodes that fail.
    """
    try:
        if cluster.has_nodes or cluster.events is not None:
            return _with_more_nodes(cluster, time)
        return replace(cluster, slot_times=(*cluster.slot_times, *_added_slots(cluster, time)))
    except InputError:
        return None


def added_words(wider: Cluster, cluster: Cluster) -> str:
    """Return what is added: "add 2 map slots and 1 reduce slot for 1 h 00 min"."""
    nodes, long = count_of_nodes(wider) - count_of_nodes(cluster), duration_text(ADDED_SECONDS)
    if nodes:
        return f"add {nodes} node{'s' * (nodes > 1)} for {long}"
    added = wider.slot_times[len(cluster.slot_times) :]
    more = [f"{each.slots} {SLOT_WORDS[each.kind]}{'s' * (each.slots > 1)}" for each in added]
    return f"add {' and '.join(more)} for {long}"


def _added_slots(cluster: Cluster, time: float) -> list[SlotTime]:
    typed = enumerate((cluster.map_slots, cluster.reduce_slots))
    return [
        SlotTime(max(round(ADDED_PART * slots), 1), time, time + ADDED_SECONDS, kind)
        for kind, slots in (((CONTAINER, cluster.containers),) if cluster.has_containers else typed)
        if slots
    ]


def _with_more_nodes(cluster: Cluster, time: float) -> Cluster | None:
    """Return a cluster with more nodes, the last ones, which are away but for an hour from a time on.

    None where slots cannot be spread over more nodes such that each stays on its own.
    """
    nodes = count_of_nodes(cluster)
    added = max(round(ADDED_PART * nodes), 1)
    changes: tuple[tuple[Happening, float], ...] = (
        ("fails", 0.0),
        ("returns", time),
        ("fails", time + ADDED_SECONDS),
    )
    comes = (NodeEvent(at, nodes + each, kind) for each in range(added) for kind, at in changes)
    events = cluster.events or NodeEvents()
    happen = (*events.in_order(nodes), *comes)
    events = replace(events, happen=happen, spot=None)  # spot nodes are the last ones, and stay those
    if cluster.has_nodes:
        like_the_last = replace(cluster.nodes[-1], count=added)
        return replace(cluster, nodes=(*cluster.nodes, like_the_last), events=events)
    sizes = cluster.map_slots, cluster.reduce_slots, cluster.containers
    spread = [_spread_on(slots, nodes, added) for slots in sizes]
    if None in spread:
        return None
    maps, reduces, containers = (slots or 0 for slots in spread)
    events = replace(events, nodes=nodes + added)
    return replace(cluster, map_slots=maps, reduce_slots=reduces, containers=containers, events=events)


def _spread_on(slots: int, nodes: int, added: int) -> int | None:
    """Return how many slots there are with more nodes, such that all on those before lie as they did.

    About as many as before for each node; None where slots are spread evenly in no such way.
    """
    before = np.arange(slots) * nodes // max(slots, 1)
    for more in range(-(-slots * added // nodes), 0, -1):
        after = np.arange(slots + more) * (nodes + added) // (slots + more)
        if np.array_equal(after[:slots], before) and after[slots] >= nodes:
            return slots + more
    return None if slots else 0
