"""Edits of what happens to nodes: one more event, what a text adds, or one less."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from core.model.errors import InputError
from core.model.event_nodes import count_of_nodes, node_of_slots
from core.model.node_events import NodeEvent, NodeEvents, event_text, events_from_text, events_text, turn_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.model.cluster import Cluster


def with_nodes_known(cluster: Cluster) -> NodeEvents:
    """Return a cluster's events with its number of nodes, which is worked out where none is given.

    That is the executors of containers, else one node for each of the slots of the kind of which there are
    fewer: 8 map and 4 reduce slots are 4 nodes, each with 2 map slots and a reduce slot.
    """
    if cluster.events is not None:
        return cluster.events
    if cluster.has_nodes:
        return NodeEvents()
    if cluster.slots_per_executor:
        return NodeEvents(max(1, cluster.slots // cluster.slots_per_executor))
    return NodeEvents(min(slots for slots in cluster.typed_slots if slots))


EVENT_SETTINGS = ("events_later", "spot_rate", "spot_seed")
"""What studies vary of events: by how many seconds all of the list are later, rate and seed of spot nodes."""


def with_event_settings(events: NodeEvents | None, settings: Mapping[str, float]) -> NodeEvents:
    """Return what happens to nodes with some of `EVENT_SETTINGS`; a rate of 0 is without spot nodes.

    InputError where there are no events, or no spot nodes, to which they could apply.
    """
    if events is None:
        named = " and ".join(settings)
        raise InputError(f"{named} change what happens to nodes, and nothing does; give cluster.events, too")
    if later := settings.get("events_later"):
        happen = tuple(replace(each, time=each.time + later) for each in events.happen)
        events = replace(events, happen=happen)
    drawn = {name: settings[name] for name in ("spot_rate", "spot_seed") if name in settings}
    if not drawn:
        return events
    if events.spot is None:
        raise InputError(f"{' and '.join(drawn)} are of spot nodes, and the events have none; give some, too")
    if drawn.get("spot_rate") == 0:
        return replace(events, spot=None)
    rate, seed = drawn.get("spot_rate", events.spot.rate), drawn.get("spot_seed", events.spot.seed)
    return replace(events, spot=replace(events.spot, rate=float(rate), seed=int(seed)))


def node_of_slot(cluster: Cluster, slot: int) -> int:
    """Return the node of a slot, from 0, also where the number of nodes is not given."""
    if cluster.has_nodes:
        return cluster.node_of(slot)
    known = replace(cluster, events=with_nodes_known(cluster), overheads=None, slot_times=())
    return int(node_of_slots(known)[slot])


def with_event(cluster: Cluster, event: NodeEvent) -> NodeEvents:
    """Return what happens to a cluster's nodes with one more event."""
    events = with_nodes_known(cluster)
    return replace(events, happen=(*events.happen, event))


def with_text(cluster: Cluster, text: str) -> NodeEvents | None:
    """Return what happens to a cluster's nodes with what a text adds: "N3 fails at 600; outputs lost".

    What it says of the number of nodes, map outputs and spot nodes replaces what was so; "none" leaves all
    out. InputError with the form to give, or for a node that is not there.
    """
    if text.strip() == "none":
        return None
    known = with_nodes_known(cluster)
    rest = replace(known, happen=())
    added = events_from_text(f"{events_text(rest)}; {text}") or rest
    nodes = count_of_nodes(cluster) if cluster.has_nodes else added.nodes
    for event in added.happen:
        if not 0 <= event.node < nodes:
            raise InputError(f"{event_text(event)}: the cluster has the nodes N1 to N{nodes}")
    return replace(added, happen=(*known.happen, *added.happen))


def is_down(cluster: Cluster, node: int, time: float) -> bool:
    """Return whether a node has failed by a time, and not returned, by the list of events."""
    mine = [] if cluster.events is None else [each for each in cluster.events.happen if each.node == node]
    before = sorted((e for e in mine if e.time <= time and e.kind != "speed"), key=turn_of)
    return bool(before) and before[-1].kind == "fails"


def nearest_event(cluster: Cluster, node: int, time: float, within: float) -> int:
    """Return which event of the list happens to a node nearest to a time, at most so far away; or -1."""
    happen = () if cluster.events is None else cluster.events.happen
    away = np.array([abs(each.time - time) if each.node == node else np.inf for each in happen])
    return int(away.argmin()) if len(away) and away.min() <= within else -1


def without_event(events: NodeEvents, place: int) -> NodeEvents | None:
    """Return what happens without one event of the list, and without the return that follows a failure.

    None where nothing is left.
    """
    gone = events.happen[place]
    left = [each for each in events.happen if each is not gone]
    if gone.kind == "fails":
        own = [each for each in left if each.node == gone.node and each.kind != "speed"]
        after = sorted((each for each in own if turn_of(each) > turn_of(gone)), key=turn_of)
        if after and after[0].kind == "returns":
            left = [each for each in left if each is not after[0]]
    return _unless_empty(replace(events, happen=tuple(left)))


def without_spot(events: NodeEvents) -> NodeEvents | None:
    """Return what happens without spot nodes; None where nothing is left."""
    return _unless_empty(replace(events, spot=None))


def _unless_empty(events: NodeEvents) -> NodeEvents | None:
    return events if events.happen or events.spot else None
