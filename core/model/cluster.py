"""The cluster a workload runs on: its slots, containers or nodes, and how reduces overlap with maps."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from typing import Literal, get_args

from core.model.errors import DocumentError, Problem, did_you_mean, shorten
from core.model.nodes import MODEST, NodeGroup, Request, first_rows, nodes_problems, nodes_text, room
from core.model.overheads import Overheads, overheads_problems

ShuffleModel = Literal["simmr", "overlap", "mumak"]
SHUFFLE_MODELS: tuple[str, ...] = get_args(ShuffleModel)
MOST_SLOTS = 100_000
"""Slots of one kind; a larger cluster is refused with a sentence."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Slots, slowstart and shuffle model.

    Attributes
    ----------
    map_slots, reduce_slots : typed slots; both 0 when the cluster has containers or nodes
    containers : untyped slots that run tasks of either kind; 0 for a cluster of another kind
    slowstart : fraction of a job's maps that must be complete before its reduces may start, 0 to 1
    shuffle_model : "simmr", "overlap" or "mumak" (see `core.simulation.simulate`)
    nodes : groups of nodes with memory and cores; empty for a cluster of another kind
    map_request, reduce_request : what a task of each kind asks of its node
    overheads : what the cluster spends besides running tasks; None for nothing, as the papers have it

    Slots are numbered from 0: map slots first, then reduce slots (or the containers alone). A node has as
    many slots as tasks can run on it at once, untyped like containers; they are numbered node by node.
    """

    map_slots: int = 30
    reduce_slots: int = 30
    slowstart: float = 0.05
    shuffle_model: ShuffleModel = "simmr"
    containers: int = 0
    nodes: tuple[NodeGroup, ...] = ()
    map_request: Request = MODEST
    reduce_request: Request = MODEST
    overheads: Overheads | None = None

    def __post_init__(self) -> None:
        problems = list(cluster_problems(self))
        if problems:
            raise DocumentError("cluster", problems)

    @property
    def slots(self) -> int:
        """All slots of the cluster."""
        if self.nodes:
            return self.node_rows[-1]
        return self.containers or self.map_slots + self.reduce_slots

    @property
    def has_containers(self) -> bool:
        """Whether slots are untyped: containers, or rows of nodes."""
        return self.containers > 0 or self.has_nodes

    @property
    def has_nodes(self) -> bool:
        """Whether tasks ask for memory and cores of nodes."""
        return len(self.nodes) > 0

    @property
    def node_rows(self) -> tuple[int, ...]:
        """The first slot of every node in turn, and at the end the number of slots, (nodes + 1,)."""
        return first_rows(self.nodes, self.map_request, self.reduce_request)

    @property
    def stage_slots(self) -> tuple[int, int]:
        """Slots that the map stage and the reduce stage of one job may use at most."""
        if self.nodes:
            maps, reduces = (
                sum(group.count * room(group.memory_mb, group.cores, request) for group in self.nodes)
                for request in (self.map_request, self.reduce_request)
            )
            return maps, reduces
        return (self.containers, self.containers) if self.containers else (self.map_slots, self.reduce_slots)

    def node_of(self, slot: int) -> int:
        """Return the node that a slot is a row of, from 0; only where there are nodes."""
        return bisect_right(self.node_rows, slot) - 1

    def slot_name(self, slot: int) -> str:
        """Name a slot as the charts do: M1.. and R1.. (or C1.., or N2.1.. on nodes), counted from 1."""
        if self.nodes:
            node = self.node_of(slot)
            return f"N{node + 1}.{slot - self.node_rows[node] + 1}"
        if self.containers:
            return f"C{slot + 1}"
        return f"M{slot + 1}" if slot < self.map_slots else f"R{slot - self.map_slots + 1}"


def cluster_problems(cluster: Cluster) -> list[Problem]:
    """Return every rule the cluster breaks (none for a valid one)."""
    problems = []
    for name in ("map_slots", "reduce_slots", "containers"):
        value = getattr(cluster, name)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= MOST_SLOTS:
            problems.append(
                Problem(name, shorten(value), f"slots must be a whole number from 0 to {MOST_SLOTS}")
            )
    problems += nodes_problems(cluster.nodes, cluster.map_request, cluster.reduce_request, MOST_SLOTS)
    if problems:
        return problems
    if cluster.slots == 0:
        problems.append(Problem("map_slots", "0", "a cluster needs at least one slot"))
    if cluster.nodes and cluster.containers + cluster.map_slots + cluster.reduce_slots:
        rule = "a cluster has either nodes or slots; set map_slots, reduce_slots and containers to 0"
        problems.append(Problem("nodes", nodes_text(cluster.nodes), rule))
    if cluster.containers and cluster.map_slots + cluster.reduce_slots:
        rule = "a cluster has either containers or typed slots; set map_slots and reduce_slots to 0"
        problems.append(Problem("containers", str(cluster.containers), rule))
    problems += _overheads_problems(cluster)
    slowstart = cluster.slowstart
    if (
        isinstance(slowstart, bool)
        or not isinstance(slowstart, int | float)
        or not 0 <= slowstart <= 1
        or not math.isfinite(slowstart)
    ):
        problems.append(Problem("slowstart", shorten(slowstart), "slowstart is a fraction from 0 to 1"))
    if cluster.shuffle_model not in SHUFFLE_MODELS:
        hint = did_you_mean(str(cluster.shuffle_model), SHUFFLE_MODELS)
        problems.append(
            Problem("shuffle_model", shorten(cluster.shuffle_model), f"not a shuffle model{hint}")
        )
    return problems


def _overheads_problems(cluster: Cluster) -> list[Problem]:
    if cluster.overheads is None:
        return []
    problems = overheads_problems(cluster.overheads)
    if cluster.has_containers:
        rule = "heartbeats are modelled for map and reduce slots only; leave the overheads out"
        problems.append(Problem("overheads", "", rule))
    return problems
