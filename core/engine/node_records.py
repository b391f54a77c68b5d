"""The columns of a state that describe nodes: what is free on each, and how many tasks would fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.model.job import MAP, REDUCE
from core.model.nodes import room

if TYPE_CHECKING:
    from typing import Any

    from numpy.typing import NDArray

    from core.model.cluster import Cluster

NODE = np.dtype(
    [
        ("first", "i4"),  # its first slot: where the heap of its free slots begins
        ("free", "i4"),  # free slots
        ("memory", "i8"),  # free megabytes
        ("cores", "i8"),  # free cores
    ],
    align=True,
)


def nodes_of(cluster: Cluster) -> dict[str, NDArray[Any]]:
    """Return the columns `node`, `node_of` and `fits` of a fresh state."""
    if not cluster.has_nodes:
        return {
            "node": np.zeros(1, NODE),
            "node_of": np.zeros(cluster.slots, np.int32),
            "fits": np.zeros((2, 2), np.int32),
        }
    rows = np.array(cluster.node_rows, np.int32)
    groups = [group for group in cluster.nodes for _ in range(group.count)]
    node = np.zeros(len(groups), NODE)
    node["first"], node["free"] = rows[:-1], np.diff(rows)
    node["memory"] = [group.memory_mb for group in groups]
    node["cores"] = [group.cores for group in groups]
    return {
        "node": node,
        "node_of": np.repeat(np.arange(len(groups), dtype=np.int32), np.diff(rows)),
        "fits": _fits(cluster),
    }


def _fits(cluster: Cluster) -> NDArray[np.int32]:
    """Return for either kind the tree of sums over the nodes; leaves begin in the middle."""
    per_node = {
        kind: [
            count
            for group in cluster.nodes
            for count in [room(group.memory_mb, group.cores, request)] * group.count
        ]
        for kind, request in ((MAP, cluster.map_request), (REDUCE, cluster.reduce_request))
    }
    leaves = 1 << max(1, (len(per_node[MAP]) - 1).bit_length())
    fits = np.zeros((2, 2 * leaves), np.int32)
    for kind, counts in per_node.items():
        fits[kind, leaves : leaves + len(counts)] = counts
        for at in range(leaves - 1, 0, -1):
            fits[kind, at] = fits[kind, 2 * at] + fits[kind, 2 * at + 1]
    return fits
