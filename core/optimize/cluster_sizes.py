"""The clusters among which the fewest slots or nodes are looked for, and sizes that no schedule can do with.

A schedule on fewer slots is one on more, too. So where a lower bound says that nothing ends in time on every
cluster of a size, it says so of all smaller ones.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Literal, get_args

from core.model.errors import InputError, UnknownName
from core.model.limits import MAX_SLOTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from core.model.cluster import Cluster
    from core.model.workload import Workload

Varied = Literal["maps", "reduces", "both", "total", "containers", "nodes"]
VARIED: tuple[Varied, ...] = get_args(Varied)
"""What may be varied: slots of one kind, the other kind as it is; as many of both; all slots, however they
are split; untyped containers; nodes of one size."""

NOUNS: dict[Varied, str] = {
    "maps": "map slots",
    "reduces": "reduce slots",
    "both": "map and reduce slots",
    "total": "slots",
    "containers": "containers",
    "nodes": "nodes",
}


def usual_varied(cluster: Cluster) -> Varied:
    """Return what is varied by default."""
    return "nodes" if cluster.has_nodes else "containers" if cluster.has_containers else "both"


def size_text(varied: Varied, size: int, cluster: Cluster | None = None) -> str:
    """Return a size in words: "52 + 52 slots", "8 nodes"; of slots in all also how a cluster splits them."""
    if varied == "both":
        return f"{size} + {size} slots"
    split = cluster if varied == "total" and cluster is not None and cluster.slots == size else None
    noun = NOUNS[varied].removesuffix("s") if size == 1 else NOUNS[varied]
    return f"{size} {noun}" + (f" ({split.map_slots} map + {split.reduce_slots} reduce)" if split else "")


def size_of(cluster: Cluster, varied: Varied, wanted: Cluster) -> int | None:
    """Return the smallest size that has room for all that a cluster has; None where no size has.

    Parameters
    ----------
    wanted : what else the clusters of that size have, and so many slots of the kind that is not varied
    """
    slots = {name: getattr(cluster, name) for name in ("map_slots", "reduce_slots", "containers", "nodes")}
    if replace(wanted, **slots) != cluster or cluster.has_nodes != (varied == "nodes"):
        return None
    if varied == "nodes":
        (group,) = wanted.nodes
        count = sum(each.count for each in cluster.nodes)
        return count if cluster.nodes == (replace(group, count=count),) else None
    lacks_maps = varied == "reduces" and cluster.map_slots > wanted.map_slots
    lacks_reduces = varied == "maps" and cluster.reduce_slots > wanted.reduce_slots
    size = {
        "maps": cluster.map_slots,
        "reduces": cluster.reduce_slots,
        "both": max(cluster.map_slots, cluster.reduce_slots),
        "total": cluster.map_slots + cluster.reduce_slots,
        "containers": cluster.containers,
    }[varied]
    return None if lacks_maps or lacks_reduces or not size else size


@dataclass(frozen=True)
class Sizes:
    """Clusters by their size.

    Attributes
    ----------
    varied : what a size counts
    most : the largest of use: every task can run at once
    clusters : yields the clusters of a size
    allows : whether something may end in time on a cluster, by a lower bound
    """

    varied: Varied
    most: int
    clusters: Callable[[int], Iterator[Cluster]]
    allows: Callable[[Cluster], bool]

    def is_too_small(self, size: int) -> bool:
        """Whether nothing ends in time on any cluster of a size."""
        return not any(map(self.allows, self.clusters(size)))

    def too_few(self) -> int:
        """Return the largest size that is too small; at least `most` if all are."""
        return least(self.is_too_small, self.most) - 1


def sizes_of(
    workloads: Sequence[Workload], cluster: Cluster, varied: Varied, may_end: Callable[[Cluster], bool]
) -> Sizes:
    """Return the clusters among which the smallest is looked for, for one workload or several draws of one.

    Parameters
    ----------
    cluster : what else is to be as it is
    may_end : whether something may end in time, of a cluster that has slots of each kind that is needed

    Raises
    ------
    InputError
        the cluster has none of what is to be varied
    """
    _check(cluster, varied)
    maps = max(workload.map_count for workload in workloads)
    reduces = max(workload.reduce_count for workload in workloads)

    def allows(cluster: Cluster) -> bool:
        pairs = zip((maps, reduces), cluster.stage_slots, strict=True)
        has_slots = all(slots or not tasks for tasks, slots in pairs)
        return has_slots and may_end(cluster)

    if varied == "total":
        splits = _Splits((maps, reduces), cluster, allows)
        return Sizes(varied, min(maps + reduces, 2 * MAX_SLOTS), splits.clusters, allows)
    most = {"maps": maps, "reduces": reduces, "both": max(maps, reduces)}.get(varied, maps + reduces)
    return Sizes(varied, max(1, min(most, MAX_SLOTS)), partial(_one_of_size, cluster, varied), allows)


def cluster_of_size(cluster: Cluster, varied: Varied, size: int) -> Cluster | None:
    """Return the one cluster of a size; None for slots in all, which are split in many ways."""
    return None if varied == "total" else next(_one_of_size(cluster, varied, size))


def _check(cluster: Cluster, varied: Varied) -> None:
    if varied not in VARIED:
        raise UnknownName("number to vary", varied, VARIED, all_known=True)
    kind = (
        "nodes" if cluster.has_nodes else "containers" if cluster.has_containers else "map and reduce slots"
    )
    has = varied if varied in ("nodes", "containers") else "map and reduce slots"
    if has != kind:
        raise InputError(f"the cluster has {kind}, so the fewest {has} cannot be asked; ask for the {kind}")
    if varied == "nodes" and len(cluster.nodes) > 1:
        raise InputError("the fewest nodes can be asked where all are of one size; give nodes of one size")


def _one_of_size(cluster: Cluster, varied: Varied, size: int) -> Iterator[Cluster]:
    """Yield the one cluster that has so many."""
    if varied == "nodes":
        yield replace(cluster, nodes=(replace(cluster.nodes[0], count=size),))
        return
    maps = size if varied in ("maps", "both") else cluster.map_slots
    reduces = size if varied in ("reduces", "both") else cluster.reduce_slots
    containers = size if varied == "containers" else 0
    yield replace(cluster, map_slots=maps, reduce_slots=reduces, containers=containers)


class _Splits:
    """Every cluster with so many slots in all that the lower bound of each kind alone allows."""

    def __init__(self, tasks: tuple[int, int], cluster: Cluster, allows: Callable[[Cluster], bool]) -> None:
        self._cluster = cluster
        most = max(1, min(MAX_SLOTS, max(tasks)))
        wide = replace(cluster, map_slots=most, reduce_slots=most)
        kinds: tuple[Varied, ...] = ("maps", "reduces")
        self._maps, self._reduces = (
            least(Sizes(varied, most, partial(_one_of_size, wide, varied), allows).is_too_small, most)
            if count > 0
            else 0
            for varied, count in zip(kinds, tasks, strict=True)
        )

    def clusters(self, size: int) -> Iterator[Cluster]:
        """Yield them, those in the middle first."""
        first, last = self._maps, size - self._reduces
        middle = (first + last) // 2
        for maps in sorted(range(first, last + 1), key=lambda maps: abs(maps - middle)):
            if max(maps, size - maps) <= MAX_SLOTS:
                yield replace(self._cluster, map_slots=maps, reduce_slots=size - maps)


def least(is_too_small: Callable[[int], bool], most: int, above: int = 0) -> int:
    """Return the smallest size that is not too small, from `above + 1`; `most + 1` if all are.

    Sizes are doubled until one is large enough, then halved between it and the largest that is not. Where a
    size may be too small although a smaller one is not, it is one whose neighbour below is too small.
    """
    too_small, reached, step = above, min(most, above + 1), 1
    while reached < most and is_too_small(reached):
        too_small, reached, step = reached, min(most, reached + 2 * step), 2 * step
    if is_too_small(reached):
        return most + 1
    while reached - too_small > 1:
        middle = (reached + too_small) // 2
        if is_too_small(middle):
            too_small = middle
        else:
            reached = middle
    return reached
