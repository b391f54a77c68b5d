"""Options of the command line that change a workload's cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.model.cluster import SHUFFLE_MODELS
from core.model.cluster_asked_for import cluster_asked_for
from core.model.nodes import NodeGroup, Request, parse_contention, parse_nodes, parse_request
from core.model.overheads import OVERHEAD_NAMES, Overheads, overheads_from_text
from explorer.cli.command import Options, option

if TYPE_CHECKING:
    from core.model.cluster import Cluster


def _nodes_of(given: list[str]) -> tuple[NodeGroup, ...]:
    return parse_nodes(" + ".join(given))


class ClusterOptions(Options):
    """What changes the workload's cluster."""

    map_slots: int | None = option("N", "map slots (default: the workload's)")
    reduce_slots: int | None = option("N", "reduce slots (default: the workload's)")
    overheads: Overheads | None = option(
        "NAME=VALUE,...",
        "what the cluster spends besides running tasks: "
        f"{', '.join(OVERHEAD_NAMES)} (times in seconds; see 'slotscope fidelity')",
        read=overheads_from_text,
    )
    containers: int | None = option("N", "untyped slots instead of map and reduce slots")
    nodes: tuple[NodeGroup, ...] | None = option(
        "8x16GB,8",
        "nodes instead of slots: how many, memory and cores of each; again, or with +, for other sizes",
        action="append",
        read=_nodes_of,
    )
    map_request: Request | None = option(
        "1GB,1", "memory and cores that a map asks of its node", read=parse_request
    )
    reduce_request: Request | None = option(
        "2GB,1", "memory and cores that a reduce asks for", read=parse_request
    )
    contention: tuple[float, ...] | None = option(
        "1,1,0.7",
        "how fast each map on a node runs: alone, each of two, of three …; the last holds for more; "
        "1 is full speed",
        read=parse_contention,
    )
    reduce_load: float | None = option(
        "X", "as how many maps a running reduce counts there (default 0: reduces do not slow maps)"
    )
    events: str | None = option(
        "8 nodes; N3 fails at 600; ...",
        "what happens to nodes: they fail, return, run slower (N2 runs at 0.5 from 0), vanish at a rate per "
        "hour (2 spot rate 0.5 seed 1 back 300), lose map outputs (outputs lost); none leaves it out",
    )
    killed_copies: str | None = option(
        "map 5 of J3 at 600; ...",
        "second copies of tasks that are killed at a time, under a policy that starts some; of a job with "
        "other stages task 2 of stage 4 of J7 at 900; none kills none",
    )
    slowstart: float | None = option("F", "fraction of maps complete before reduces start")
    shuffle_model: str | None = option(
        None, "shuffle model (default: the workload's)", name="--shuffle", choices=SHUFFLE_MODELS
    )

    def changed(self, suggested: Cluster) -> Cluster:
        """Return the suggested cluster with what the options change."""
        given = {name: value for name, value in vars(self).items() if value is not None}
        return cluster_asked_for(suggested, given, "--")
