"""What the engine keeps where nodes fail, return and change their speed: what is to happen, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from core.engine.given_up import GIVING, own_columns, places_of_tasks
from core.engine.records import NODE, Float, Int, Record, RecordColumn, record_of
from core.engine.state import Row
from core.model.event_nodes import count_of_nodes, node_of_slots
from core.model.node_events import HAPPENINGS

if TYPE_CHECKING:
    from core.engine.given_up import GivingRecord, LineRecord
    from core.engine.state import State
    from core.model.cluster import Cluster


class EventRecord(Record):
    """Something that happens to a node."""

    at: Float
    node: Int
    kind: Int  # its place in `core.model.node_events.HAPPENINGS`
    speed: Float


EVENT = record_of(EventRecord)


class HappeningRecord(Record):
    """How far events have come."""

    next: Int  # how many have happened
    loses: Int  # 1 if a node that fails loses what maps have put out there


HAPPENING = record_of(HappeningRecord)


class Failing(NamedTuple):
    """The tasks lie as they start, as in `core.engine.given_up.GivenUp`, and what happens to nodes.

    Attributes
    ----------
    task, began, on, line, now : as there; a line is noted for what is lost with a node
    event : records EVENT in their order, (events,); read
    happening : the record HAPPENING
    where : of the tasks of one stage at a time the place of each, int32 (tasks,)
    """

    task: Any
    began: Any
    on: Any
    line: RecordColumn[LineRecord]
    now: GivingRecord
    event: RecordColumn[EventRecord]
    happening: HappeningRecord
    where: Any


def event_column(cluster: Cluster) -> Any:  # Any: records that have EVENT
    """Return what happens to the nodes of a cluster, in its order, (events,)."""
    events = () if cluster.events is None else cluster.events.in_order(count_of_nodes(cluster))
    rows = [(each.time, each.node, HAPPENINGS.index(each.kind), each.speed) for each in events]
    return np.array(rows, EVENT)


def with_other_events(state: State, cluster: Cluster) -> State:
    """Return a state in which happens what does on another cluster; up to its time that is the same."""
    column = event_column(cluster)
    event = column if isinstance(state.given_up.event, np.ndarray) else Row.of_all(column)
    return state._replace(given_up=state.given_up._replace(event=event))


def with_failures(state: State, cluster: Cluster) -> State:
    """Return a fresh state, as columns, of a run on a cluster on whose nodes something happens."""
    assert cluster.events is not None
    tasks, count = len(state.slot), count_of_nodes(cluster)
    event = event_column(cluster)
    loses = cluster.events.map_outputs == "lost"
    happening: Any = np.zeros(1, HAPPENING)[0]
    happening["loses"] = loses
    record: Any = state.cluster
    record["paced"] = (event["speed"] != 1).any()
    record["forgets"] = loses
    record["pinned"] = 1  # jobs then enter queues any number of times
    node = np.array(state.node) if cluster.has_nodes else np.zeros(count, NODE)
    node["speed"], node["failed"] = 1.0, -np.inf
    return state._replace(
        **own_columns(state),
        node=node,
        node_of=node_of_slots(cluster),
        given_up=Failing(
            **places_of_tasks(state),
            now=np.zeros(1, GIVING)[0],
            event=event,
            happening=happening,
            where=np.zeros(tasks, np.int32),
        ),
    )
