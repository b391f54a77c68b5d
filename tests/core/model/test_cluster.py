"""Clusters: what they hold, what they refuse and how their slots are called."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.model.cluster import Cluster, changed_cluster, own_fields
from core.model.errors import DocumentError
from core.model.limits import MAX_SLOTS
from core.model.nodes import NodeGroup, Request
from core.model.overheads import Overheads


def test_typed_slots() -> None:
    cluster = Cluster(3, 2)
    assert (cluster.slots, cluster.has_containers, cluster.stage_slots) == (5, False, (3, 2))
    assert [cluster.slot_name(slot) for slot in range(5)] == ["M1", "M2", "M3", "R1", "R2"]


def test_untyped_containers() -> None:
    cluster = Cluster(0, 0, containers=3)
    assert (cluster.slots, cluster.has_containers, cluster.stage_slots) == (3, True, (3, 3))
    assert cluster.slot_name(2) == "C3"


NODE = NodeGroup(1, 4096, 2)


def test_nodes() -> None:
    """Two nodes with room for three maps, or one reduce and two maps, and one with room for one map."""
    nodes = (NodeGroup(2, 3072, 8), NodeGroup(1, 1500, 1))
    cluster = Cluster(0, 0, nodes=nodes, map_request=Request(1024, 1), reduce_request=Request(2048, 1))
    assert (cluster.slots, cluster.has_containers, cluster.has_nodes) == (7, True, True)
    assert cluster.stage_slots == (7, 2)
    assert cluster.node_rows == (0, 3, 6, 7)
    assert [cluster.node_of(slot) for slot in range(7)] == [0, 0, 0, 1, 1, 1, 2]
    assert [cluster.slot_name(slot) for slot in (0, 2, 3, 6)] == ["N1.1", "N1.3", "N2.1", "N3.1"]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"map_slots": -1}, "map_slots is -1; slots must be a whole number from 0 to 100000"),
        ({"reduce_slots": 2.5}, "reduce_slots is 2.5; slots must be a whole number"),
        ({"map_slots": True}, "map_slots is true; slots must be a whole number"),
        ({"map_slots": "4"}, "map_slots is '4'; slots must be a whole number"),
        ({"map_slots": 1_000_000}, "map_slots is 1000000; slots must be a whole number from 0 to 100000"),
        ({"map_slots": 0, "reduce_slots": 0}, "map_slots is 0; a cluster needs at least one slot"),
        ({"containers": 4}, "containers is 4; a cluster has either containers or typed slots"),
        ({"nodes": (NODE,)}, "nodes is 1x4GB,2; a cluster has either nodes or slots; set map_slots,"),
        ({"slowstart": 1.5}, "slowstart is 1.5; slowstart is a fraction from 0 to 1"),
        ({"slowstart": float("nan")}, "slowstart is nan; slowstart is a fraction"),
        ({"slowstart": None}, "slowstart is null; slowstart is a fraction"),
        ({"slowstart": True}, "slowstart is true; slowstart is a fraction"),
        ({"shuffle_model": "simr"}, r"shuffle_model is 'simr'; not a shuffle model; did you mean 'simmr'\?"),
    ],
)
def test_what_is_refused(fields: dict[str, Any], sentence: str) -> None:
    with pytest.raises(DocumentError, match=sentence):
        Cluster(**fields)


def test_all_problems_at_once() -> None:
    with pytest.raises(DocumentError) as caught:
        Cluster(slowstart=-1, shuffle_model="none", containers=1)  # type: ignore[arg-type]
    assert [problem.where for problem in caught.value.problems] == [
        "containers",
        "slowstart",
        "shuffle_model",
    ]


def test_the_largest_is_accepted() -> None:
    assert Cluster(MAX_SLOTS, MAX_SLOTS).slots == 2 * MAX_SLOTS


def test_another_kind_of_slots_takes_the_place_of_the_first() -> None:
    nodes = changed_cluster(Cluster(4, 2), {"nodes": "2x4GB,4", "contention": "1, 0.5", "reduce_load": 0.5})
    assert nodes == Cluster(0, 0, nodes=(NodeGroup(2, 4096, 4),), contention=(1.0, 0.5), reduce_load=0.5)
    larger = changed_cluster(nodes, {"nodes": "3x4GB,4", "slowstart": 1.0})
    assert (larger.contention, larger.reduce_load, larger.slowstart) == ((1.0, 0.5), 0.5, 1.0)
    assert changed_cluster(nodes, {"containers": 7}) == Cluster(0, 0, containers=7)
    assert changed_cluster(Cluster(0, 0, containers=7), {"map_slots": 3}) == Cluster(3, 0)
    assert changed_cluster(Cluster(4, 2), {"map_slots": 3}) == Cluster(3, 2)


def test_a_cluster_is_named_by_the_fields_of_its_own_slots() -> None:
    assert own_fields(Cluster()) == ("map_slots", "reduce_slots", "slowstart", "shuffle_model")
    containers = Cluster(0, 0, containers=7, overheads=Overheads())
    assert own_fields(containers) == ("containers", "slowstart", "shuffle_model", "overheads")


def test_every_slot_has_a_type_where_slots_are_typed() -> None:
    typed, containers = Cluster(3, 2), Cluster(0, 0, containers=3)
    assert typed.slot_types(np.array([4, 0, 2, 3])).tolist() == [1, 0, 0, 1]
    assert [typed.slot_type(slot) for slot in range(5)] == typed.slot_types(np.arange(5)).tolist()
    assert containers.slot_types(np.arange(3)).tolist() == [0, 0, 0]
