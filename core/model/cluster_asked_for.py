"""The suggested cluster with the values that a user gave in place of its own."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from core.model.cluster import Cluster, changed_cluster
from core.model.errors import InputError, UnknownName

if TYPE_CHECKING:
    from collections.abc import Mapping

OF_NODES = ("map_request", "reduce_request", "contention", "reduce_load")
"""Settings that say how tasks share nodes."""


def cluster_asked_for(suggested: Cluster, given: Mapping[str, Any], dashes: str = "") -> Cluster:
    """Return the suggested cluster with given values, by name; InputError if they do not fit together.

    Parameters
    ----------
    given : as of `changed_cluster`
    dashes : what stands before the names where messages name them: "--" for options of the command line

    Raises
    ------
    UnknownName
        a cluster has nothing of this name
    InputError
        two kinds of slots are asked for, or how tasks share nodes where there are none
    """

    def listed(*names: str) -> str:
        return " and ".join(f"{dashes}{name.replace('_', '-') if dashes else name}" for name in names)

    known = [each.name for each in fields(Cluster)]
    for name in given:
        if name not in known:
            raise UnknownName("setting of a cluster", name, known)
    has_slots = not given.keys().isdisjoint(("map_slots", "reduce_slots"))
    if has_slots + ("containers" in given) + ("nodes" in given) > 1:
        kinds = f"{listed('map_slots', 'reduce_slots')}, or {listed('containers')}, or {listed('nodes')}"
        raise InputError(f"give {kinds}: a cluster has one kind of them")
    if not (given.keys().isdisjoint(OF_NODES) or "nodes" in given or suggested.has_nodes):
        first = ", ".join(listed(name) for name in OF_NODES[:-1])
        raise InputError(
            f"{first} and {listed(OF_NODES[-1])} say how tasks share nodes; give {listed('nodes')}, too"
        )
    return changed_cluster(suggested, given)
