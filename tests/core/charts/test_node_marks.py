"""What happens to nodes until the end of a run, and what comes of it; worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.charts.closed_stretches import closed_stretches
from core.charts.node_marks import events_of, marks_of, outcomes_of
from core.charts.schedule_rows import schedule_rows
from core.model.cluster import Cluster
from core.model.node_events import NodeEvent, NodeEvents
from core.model.schedule import PolicyChoice
from core.simulation.simulate import simulate
from tests.builders import make_job, make_workload

HAPPEN = (
    NodeEvent(4.0, 1),
    NodeEvent(12.0, 1, "returns"),
    NodeEvent(15.0, 0, "speed", 0.5),
    NodeEvent(18.0, 1),
    NodeEvent(900.0, 1, "returns"),
)
TWO = Cluster(4, 0, events=NodeEvents(2, HAPPEN))


def rows_of(cluster: Cluster):
    """Return the rows of eight maps of 10 s; M1 and M2 are of node N1, M3 and M4 of N2."""
    return schedule_rows(simulate(make_workload(make_job("J", (8, 10.0))), cluster, PolicyChoice("fifo")))


def test_two_tasks_are_lost_each_time_and_the_node_is_back_when_it_says() -> None:
    """The second return is long after the end: no mark, but the node does not stay away for ever."""
    rows = rows_of(TWO)
    assert rows.schedule.makespan < 100
    assert [(each.time, each.node, each.kind) for each in events_of(rows)] == [
        (4.0, 1, "fails"), (12.0, 1, "returns"), (15.0, 0, "speed"), (18.0, 1, "fails")
    ]  # fmt: skip
    assert outcomes_of(rows) == ((12.0, 2), (np.inf, 0), (np.inf, 0), (900.0, 2))
    marks = marks_of(rows)
    assert marks.slot.tolist() == [2, 3, 2, 3, 0, 1, 2, 3]
    assert marks.time.tolist() == [4.0, 4.0, 12.0, 12.0, 15.0, 15.0, 18.0, 18.0]


def test_slots_are_closed_while_their_node_is_away() -> None:
    closed = closed_stretches(rows_of(TWO))
    assert [column.tolist() for column in closed] == [
        [2, 2, 3, 3], [4.0, 18.0, 4.0, 18.0], [12.0, 900.0, 12.0, 900.0]
    ]  # fmt: skip


def test_a_node_that_does_not_return_is_away_for_ever() -> None:
    rows = rows_of(replace(TWO, events=NodeEvents(2, HAPPEN[:1])))
    assert outcomes_of(rows) == ((np.inf, 2),)
    assert closed_stretches(rows).end.tolist() == [np.inf, np.inf]


def test_nothing_happens_without_events() -> None:
    rows = rows_of(Cluster(4, 0))
    assert (events_of(rows), outcomes_of(rows), marks_of(rows).slot.tolist()) == ((), (), [])
    assert not len(closed_stretches(rows).slot)
