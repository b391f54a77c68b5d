"""On which node each slot is, and when nodes are not there, as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.model.kept_read_only import KeptReadOnly

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.model.cluster import Cluster

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int32]

NO_NODE = -1
"""Where nobody says on which node a slot is."""


@dataclass(frozen=True, slots=True, eq=False)
class Spans(KeptReadOnly):
    """Stretches of time on slots, (stretches,): by slot, then time; the last end may be infinity."""

    slot: NDArray[np.int64]
    begin: NDArray[np.float64]
    end: NDArray[np.float64]


def count_of_nodes(cluster: Cluster) -> int:
    """Return how many nodes a cluster has; of one of slots as many as its events say, 0 without."""
    if cluster.has_nodes:
        return len(cluster.node_rows) - 1
    return cluster.events.nodes if cluster.events is not None else 0


def node_of_slots(cluster: Cluster) -> NDArray[np.int32]:
    """Return the node of each slot, int32 (slots,).

    Slots of each kind are spread evenly, neighbours together. `NO_NODE` where nobody says on how many.
    """
    if cluster.has_nodes:
        return np.repeat(np.arange(count_of_nodes(cluster)), np.diff(cluster.node_rows)).astype(np.int32)
    count = count_of_nodes(cluster)
    if not count:
        return np.full(cluster.slots, NO_NODE, np.int32)
    return np.concatenate(
        [np.arange(slots, dtype=np.int64) * count // max(slots, 1) for slots in cluster.typed_slots]
    ).astype(np.int32)


def node_down_spans(cluster: Cluster) -> list[tuple[int, float, float]]:
    """Return when nodes are not there: which one, from when and until when, in s; by time."""
    if cluster.events is None:
        return []
    found: list[tuple[int, float, float]] = []
    since: dict[int, float] = {}
    for event in cluster.events.in_order(count_of_nodes(cluster)):
        if event.kind == "fails" and event.node not in since:
            since[event.node] = event.time
        elif event.kind == "returns" and event.node in since:
            found.append((event.node, since.pop(event.node), event.time))
    found += [(node, begin, np.inf) for node, begin in since.items()]
    return sorted(found, key=lambda span: (span[1], span[0]))


def down_spans(cluster: Cluster) -> Spans:
    """Return when slots are not there since their node has failed."""
    spans, node = node_down_spans(cluster), node_of_slots(cluster)
    rows = [
        (slot, begin, end)
        for which, begin, end in spans
        if end > begin
        for slot in np.flatnonzero(node == which).tolist()
    ]
    rows.sort()
    slot, begin, end = zip(*rows, strict=True) if rows else ((), (), ())
    return Spans(np.array(slot, np.int64), np.array(begin, np.float64), np.array(end, np.float64))


def worked_seconds(cluster: Cluster, slot: Ints, begin: Floats, end: float) -> Floats:
    """Return how long what runs on slots would have taken at full speed, from then to an end.

    Parameters
    ----------
    slot, begin : which slot, and since when, in s, (tasks,); not later than the end
    """
    so_far: Floats = end - begin
    if cluster.events is None:
        return so_far
    paces: dict[int, dict[float, float]] = {}
    for event in cluster.events.in_order(count_of_nodes(cluster)):
        if event.kind == "speed" and event.time < end:
            paces.setdefault(event.node, {0.0: 1.0})[event.time] = event.speed
    node = node_of_slots(cluster)[slot]
    for which, pace in paces.items():
        knots = np.array([*pace, end])
        worked = np.append(0.0, np.cumsum(np.diff(knots) * np.array(list(pace.values()))))
        mine = node == which
        so_far[mine] = worked[-1] - np.interp(begin[mine], knots, worked)
    return so_far


def speed_before(cluster: Cluster, slot: int, time: float) -> float:
    """Return how fast the node of a slot runs tasks just before a time, in s; 1 as recorded."""
    if cluster.events is None:
        return 1.0
    node = int(node_of_slots(cluster)[slot])
    speed = 1.0
    for event in cluster.events.in_order(count_of_nodes(cluster)):
        if event.time >= time:
            break
        if event.kind == "speed" and event.node == node:
            speed = event.speed
    return speed


def there_seconds(cluster: Cluster, kind: int, until: float) -> float:
    """Return for how many slot-seconds tasks of a kind could run up to a time, on nodes that are there."""
    if not cluster.has_nodes:
        slots = cluster.slots_of(kind)
        return float(slots.stop - slots.start) * until - down_seconds(cluster, slots, until)
    request = cluster.requests[kind]
    fits = [
        count
        for group in cluster.nodes
        for count in [request.fitting(group.memory_mb, group.cores)] * group.count
    ]
    down = sum(
        fits[node] * max(min(end, until) - begin, 0.0) for node, begin, end in node_down_spans(cluster)
    )
    return sum(fits) * until - down


def down_seconds(cluster: Cluster, slots: slice, until: float) -> float:
    """Return for how many slot-seconds some slots are away up to a time, since their nodes have failed."""
    spans = down_spans(cluster)
    mine = (spans.slot >= slots.start) & (spans.slot < slots.stop)
    return float(np.maximum(np.minimum(spans.end[mine], until) - spans.begin[mine], 0.0).sum())
