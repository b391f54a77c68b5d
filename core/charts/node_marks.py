"""What happens to nodes while a schedule runs: when, on which rows, and what comes of it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from core.charts.row_columns import kept_with_rows
from core.model.event_nodes import count_of_nodes, node_of_slots

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.charts.schedule_rows import ScheduleRows
    from core.model.node_events import NodeEvent


class Marks(NamedTuple):
    """The bars of what happens, one for each slot of the node, (marks,)."""

    slot: NDArray[np.int64]
    time: NDArray[np.float64]
    event: NDArray[np.int64]


class EventOutcome(NamedTuple):
    """What comes of one event.

    Attributes
    ----------
    back : when a node that fails returns, in s; infinity for never, and for other events
    lost : how many tasks are lost with it
    """

    back: float
    lost: int


@kept_with_rows
def events_of(rows: ScheduleRows) -> tuple[NodeEvent, ...]:
    """Return what happens to nodes until the end of a schedule, by time; nothing where no row is a slot."""
    cluster = rows.schedule.cluster
    if cluster.events is None or not rows.are_slots:
        return ()
    end = rows.schedule.makespan
    return tuple(each for each in cluster.events.in_order(count_of_nodes(cluster)) if each.time <= end)


@kept_with_rows
def marks_of(rows: ScheduleRows) -> Marks:
    """Return the bars of what happens."""
    events, node = events_of(rows), node_of_slots(rows.schedule.cluster)
    slots = [np.flatnonzero(node == each.node) for each in events]
    which = np.repeat(np.arange(len(events)), [len(each) for each in slots])
    times = np.array([each.time for each in events], np.float64)
    return Marks(np.concatenate([np.zeros(0, np.int64), *slots]), times[which], which)


@kept_with_rows
def outcomes_of(rows: ScheduleRows) -> tuple[EventOutcome, ...]:
    """Return what comes of each of `events_of`."""
    events, schedule = events_of(rows), rows.schedule
    if not events or schedule.cluster.events is None:
        return ()
    later = schedule.cluster.events.in_order(count_of_nodes(schedule.cluster))
    history, lost = schedule.given_up, Counter[tuple[int, float]]()
    if history is not None:
        nodes = node_of_slots(schedule.cluster)[history.extra_slot].tolist()
        lost.update(zip(nodes, history.extra_times[1].tolist(), strict=True))
    found, back = [], dict[int, float]()
    for event in reversed(later):
        fails = event.kind == "fails"
        found.append(
            EventOutcome(
                back.pop(event.node, np.inf) if fails else np.inf,
                lost[event.node, event.time] if fails else 0,
            )
        )
        if event.kind == "returns":
            back[event.node] = event.time
    return tuple(reversed(found))[: len(events)]
