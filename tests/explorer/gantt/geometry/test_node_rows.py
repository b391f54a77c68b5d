"""Rows of nodes: a band for each, close together where there are many, one for all where too many."""

from __future__ import annotations

from core.model.cluster import Cluster
from core.model.nodes import NodeGroup
from explorer.gantt.geometry.pixel_mapping import POOL_GAP, RowLayout
from explorer.gantt.geometry.schedule_rows import MOST_NODE_BANDS, RowBand, bands_of


def on_nodes(count: int) -> Cluster:
    return Cluster(0, 0, nodes=(NodeGroup(count, 2048, 2), NodeGroup(1, 4096, 4)))


def test_every_node_is_a_band() -> None:
    assert bands_of(on_nodes(2)) == (
        RowBand("NODE 1", "N1.", 0, 2),
        RowBand("NODE 2", "N2.", 2, 2),
        RowBand("NODE 3", "N3.", 4, 4),
    )


def test_rows_are_called_as_the_cluster_calls_them() -> None:
    cluster = on_nodes(3)
    names = [f"{pool.prefix}{row + 1}" for pool in bands_of(cluster) for row in range(pool.slots)]
    assert names == [cluster.slot_name(slot) for slot in range(cluster.slots)]


def test_too_many_nodes_share_a_band() -> None:
    (pool,) = bands_of(on_nodes(MOST_NODE_BANDS))
    assert (pool.first_slot, pool.slots) == (0, 2 * MOST_NODE_BANDS + 4)
    assert len(bands_of(on_nodes(MOST_NODE_BANDS - 1))) == MOST_NODE_BANDS


def test_many_nodes_lie_close_together() -> None:
    assert RowLayout.of(bands_of(on_nodes(2)), 400).gap == POOL_GAP
    crowded = RowLayout.of(bands_of(on_nodes(40)), 400)
    assert 0 < crowded.gap < POOL_GAP
    assert crowded.row_height * crowded.rows > 300
