"""What happens to nodes, as texts, as documents and with every fault said."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from core.files.workload_document import CLUSTER, cluster_from_json
from core.model.cluster import Cluster, changed_cluster, differing_words
from core.model.errors import DocumentError, InputError
from core.model.event_edits import (
    is_down,
    nearest_event,
    node_of_slot,
    with_event,
    with_event_settings,
    with_text,
    without_event,
    without_spot,
)
from core.model.event_nodes import there_seconds
from core.model.node_events import NodeEvent, NodeEvents, SpotNodes, events_from_text, events_text
from core.model.nodes import NodeGroup
from core.model.overheads import Overheads
from core.model.slot_times import SlotTime
from core.model.task_types import MAP, REDUCE

FAILS, BACK, SLOW = NodeEvent(600.0, 2), NodeEvent(900.0, 2, "returns"), NodeEvent(0.0, 1, "speed", 0.5)
ALL = NodeEvents(8, (FAILS, BACK, SLOW), "lost", SpotNodes(2, 0.5, 7, 300.0, 3600.0))
TEXT = (
    "8 nodes; N3 fails at 600; N3 returns at 900; N2 runs at 0.5 from 0; outputs lost; "
    "2 spot rate 0.5 seed 7 back 300 until 3600"
)


def test_texts_are_read_as_they_are_written() -> None:
    assert events_text(ALL) == TEXT
    assert events_from_text(TEXT) == ALL
    assert events_from_text("none") is None
    assert changed_cluster(Cluster(8, 8), {"events": TEXT}).events == ALL
    with pytest.raises(InputError, match="events are 'N3 falls at 6'; give such parts"):
        events_from_text("8 nodes; N3 falls at 6")


def test_documents_keep_them() -> None:
    cluster, problems = Cluster(8, 8, events=ALL), []
    document = CLUSTER.write(cluster)
    assert document["events"]["list"][2] == {"time": 0, "node": 1, "kind": "speed", "speed": 0.5}
    assert cluster_from_json(document, "cluster", problems) == cluster
    assert problems == []


def test_all_faults_are_said() -> None:
    bad = NodeEvents(
        2,
        (
            NodeEvent(-1.0, 0),
            NodeEvent(1.0, 2),
            NodeEvent(1.0, 0, "speed", 2.0),
            NodeEvent(1.0, 0, "fails", 0.5),
        ),
        spot=SpotNodes(3, 0.0),
    )
    with pytest.raises(DocumentError) as error:
        Cluster(2, 2, events=bad)
    found = [problem.where for problem in error.value.problems]
    assert found == [
        "events.spot.nodes",
        "events.spot.rate",
        "events.list[0].time",
        "events.list[1].node",
        "events.list[2].speed",
        "events.list[3].speed",
    ]


@pytest.mark.parametrize(
    ("happen", "rule"),
    [
        ((FAILS, replace(FAILS, time=700.0)), "N3 has failed at 600 s already; let it return before 700 s"),
        ((BACK,), "N3 has not failed before 900 s; let it fail first"),
        ((FAILS, replace(BACK, time=600.0)), "N3 fails at 600 s; let it return later"),
        ((NodeEvent(5.0, 7),), "N8 is a spot node, and when it is there is drawn"),
    ],
)
def test_what_cannot_happen_is_said(happen: tuple[NodeEvent, ...], rule: str) -> None:
    with pytest.raises(DocumentError, match=rule):
        Cluster(8, 8, events=replace(ALL, happen=happen))


def test_what_does_not_go_together_is_said() -> None:
    with pytest.raises(DocumentError, match="modelled without overheads"):
        Cluster(8, 8, events=ALL, overheads=Overheads())
    with pytest.raises(DocumentError, match="that do not come and go"):
        Cluster(8, 8, events=ALL, slot_times=(SlotTime(1, 3.0, kind=MAP),))
    with pytest.raises(DocumentError, match="on untyped slots reduces that wait for lost maps"):
        Cluster(0, 0, containers=8, events=ALL)
    nodes: dict[str, Any] = {"map_slots": 0, "reduce_slots": 0, "nodes": (NodeGroup(8, 4096, 4),)}
    kept = replace(ALL, map_outputs="kept")
    with pytest.raises(DocumentError, match="the cluster has 8 nodes itself"):
        Cluster(**nodes, events=kept)
    kept = replace(kept, nodes=0)
    assert Cluster(**nodes, events=kept).events == kept
    with pytest.raises(DocumentError, match="modelled without contention"):
        Cluster(**nodes, events=kept, contention=(1.0, 0.5))


def test_words_name_them() -> None:
    plain = Cluster(8, 8)
    assert differing_words(Cluster(8, 8, events=ALL), plain) == (
        "3 events on nodes, 2 spot nodes (0.5 per hour), map outputs lost",
    )
    assert differing_words(plain, Cluster(8, 8, events=ALL)) == ("no events on nodes",)


def test_an_event_is_added_and_left_out() -> None:
    cluster = Cluster(8, 4)
    assert [node_of_slot(cluster, slot) for slot in (0, 1, 2, 7, 8, 11)] == [0, 0, 1, 3, 0, 3]
    failed = Cluster(8, 4, events=with_event(cluster, FAILS))
    assert failed.events == NodeEvents(4, (FAILS,))
    both = Cluster(8, 4, events=with_event(failed, BACK))
    assert [is_down(both, 2, time) for time in (599.0, 600.0, 899.0, 900.0)] == [False, True, True, False]
    assert (nearest_event(both, 2, 880.0, 30.0), nearest_event(both, 2, 860.0, 30.0)) == (1, -1)
    assert both.events is not None
    assert without_event(both.events, 0) is None  # the return goes with it
    assert without_event(both.events, 1) == failed.events


def test_studies_vary_when_and_how_often() -> None:
    later = with_event_settings(ALL, {"events_later": 60.0, "spot_rate": 2.0, "spot_seed": 3})
    assert [each.time for each in later.happen] == [660, 960, 60]
    assert later.spot == SpotNodes(2, 2.0, 3, 300.0, 3600.0)
    assert with_event_settings(ALL, {"spot_rate": 0}).spot is None
    with pytest.raises(InputError, match="spot_rate are of spot nodes, and the events have none"):
        with_event_settings(replace(ALL, spot=None), {"spot_rate": 1.0})
    with pytest.raises(InputError, match="events_later change what happens to nodes, and nothing does"):
        with_event_settings(None, {"events_later": 1.0})


def test_slot_time_counts_nodes_that_are_there() -> None:
    """Of 8 map slots on 8 nodes one is away from 600 to 900 s; of nodes, as many tasks as fit on it."""
    cluster = Cluster(8, 4, events=NodeEvents(4, (FAILS, BACK)))
    assert there_seconds(cluster, MAP, 1000.0) == 8000 - 2 * 300
    assert there_seconds(cluster, REDUCE, 700.0) == 2800 - 100
    nodes = Cluster(0, 0, nodes=(NodeGroup(4, 4096, 4),), events=NodeEvents(0, (FAILS,)))
    assert there_seconds(nodes, MAP, 700.0) == 4 * 4 * 700 - 4 * 100


def test_a_text_adds_events_and_replaces_what_is_said_once():
    cluster = Cluster(8, 4, events=replace(ALL, spot=None, nodes=4, happen=(NodeEvent(0.1 + 0.2, 2),)))
    added = with_text(cluster, "N2 runs at 0.5 from 0; 1 spot rate 2 seed 3; outputs kept")
    assert added == NodeEvents(4, (NodeEvent(0.1 + 0.2, 2), SLOW), "kept", SpotNodes(1, 2.0, 3))
    assert without_spot(added) == replace(added, spot=None)
    assert with_text(cluster, "N1 fails at 5").map_outputs == "lost"
    assert with_text(cluster, "none") is None
    assert with_text(Cluster(8, 4), "N3 fails at 600") == NodeEvents(4, (FAILS,))
    assert without_spot(NodeEvents(4, spot=SpotNodes(1, 2.0))) is None
    with pytest.raises(InputError, match="events are 'N3 breaks'; give"):
        with_text(cluster, "N3 breaks")
    for wrong in ("N5 fails at 5", "N0 fails at 5", "4 nodes; N5 fails at 5"):
        with pytest.raises(InputError, match=r"N[05] fails at 5: the cluster has the nodes N1 to N4"):
            with_text(cluster, wrong)
    with pytest.raises(InputError, match="N1 to N2"):
        with_text(Cluster(0, 0, nodes=(NodeGroup(2, 4096, 4),)), "N3 fails at 5")
