"""Where slots that come and go, or fail, count as there all the time, and where they are not modelled."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from core.model.errors import InputError

if TYPE_CHECKING:
    from core.model.cluster import Cluster


def with_slots_that_stay(cluster: Cluster) -> Cluster:
    """Return the cluster with its slots that come and go, or fail, there all the time, at full speed."""
    maps, reduces = cluster.typed_slots
    if cluster.events is not None:
        return replace(cluster, events=None)
    if not cluster.slot_times:
        return cluster
    if cluster.has_containers:
        return replace(cluster, containers=maps, slot_times=())
    return replace(cluster, map_slots=maps, reduce_slots=reduces, slot_times=())


def check_slots_stay(cluster: Cluster, what: str) -> None:
    """Raise InputError where something is not modelled for slots that come and go, and the cluster has some.

    Parameters
    ----------
    cluster : that is asked about
    what : what it is, as the beginning of a sentence: "a search for plans"
    """
    if cluster.events is not None:
        raise InputError(
            f"{what} is not modelled for nodes that fail, return or change their speed; "
            "take the events out of the cluster"
        )
    if cluster.slot_times:
        raise InputError(
            f"{what} is not modelled for slots that come and go; take them out of the cluster (slot_times), "
            "or give it as many that stay"
        )
