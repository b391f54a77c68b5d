"""Which loop of the engine a run needs: each is a variant that is compiled once for all policies."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, Self

if TYPE_CHECKING:
    from core.model.cluster import Cluster


class EngineVariant(Enum):
    """The loops of the engine, by what they know beside jobs, slots and stages."""

    GENERAL = "general"
    """`core.engine.loop`: asks the policy for each slot that is free."""
    PLAIN = "plain"
    """The same for policies that are mere orders: it asks them nothing (`core.engine.loop.PLAIN`)."""
    HOSTS = "hosts"
    """Clusters with overheads, whose hosts ask for work (`core.engine.heartbeats`)."""
    GIVING_UP = "giving up"
    """Policies that kill or suspend running tasks (`core.engine.preemption`)."""
    COPIES = "copies"
    """Policies that let second copies of tasks run (`core.engine.speculation`)."""
    LOCATED = "located"
    """Jobs that have `input_nodes` (`core.engine.locality`)."""
    FAILURES = "failures"
    """Clusters with events on their nodes (`core.engine.failures`)."""


class RunKind(NamedTuple):
    """What of jobs and cluster decides which variant a run needs, whatever its policy.

    Attributes
    ----------
    typed : whether tasks have map and reduce slots of the whole cluster: no containers, no pools with slots
        of their own
    hosts : whether the cluster has overheads
    located : whether jobs have `input_nodes`
    fails : whether there are events on nodes
    """

    typed: bool = False
    hosts: bool = False
    located: bool = False
    fails: bool = False

    @classmethod
    def of(cls, cluster: Cluster, *, has_pools: bool = False, located: bool = False) -> Self:
        """Return the kind of the runs on a cluster, of jobs in pools with slots of their own or not."""
        return cls(
            typed=cluster.has_plain_slots and not has_pools,
            hosts=cluster.overheads is not None,
            located=located,
            fails=cluster.events is not None,
        )


ANY_KIND, TYPED = RunKind(), RunKind(typed=True)
"""Runs on slots of any kind, and on plain map and reduce slots."""
