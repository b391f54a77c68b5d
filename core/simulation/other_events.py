"""A run that goes on with other events on its nodes: those after now are drawn, not known."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from core.engine.node_failures import with_other_events

if TYPE_CHECKING:
    from core.model.node_events import NodeEvents
    from core.simulation.simulate import Simulation


def with_events(run: Simulation, events: NodeEvents, nodes: int) -> Simulation:
    """Return a copy of a run on whose nodes something happens that goes on from here with other events.

    Parameters
    ----------
    events : of the first nodes; up to the time of the run they are what has happened
    nodes : how many these are; what happens to those behind them stays
    """
    own = run.cluster.events
    assert own is not None
    others = tuple(event for event in own.happen if event.node >= nodes)
    events = replace(events, nodes=own.nodes, happen=events.happen + others)
    twin, cluster = run.fork(), replace(run.cluster, events=events)
    other = twin.standing_at(with_other_events(twin.state, cluster))
    other.cluster = cluster
    return other
