"""What is not modelled together: of what a run follows, and of what its cluster has; each in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.model.errors import InputError, PolicyError
from core.model.slots_that_stay import check_slots_stay
from core.model.stages import MAP_REDUCE
from core.policies.composing.hooks import hooks_of
from core.policies.policy import Policy, name_of
from core.policies.user_files.source import place_of_function

if TYPE_CHECKING:
    from core.model.cluster import Cluster
    from core.model.node_events import NodeEvents
    from core.model.workload import Workload
    from core.policies.resolved_policy import ResolvedPolicy


def check_modelled(followed: ResolvedPolicy, cluster: Cluster) -> None:
    """Raise InputError where what is followed and what the cluster has are not modelled together."""
    shares_scans = hasattr(followed.policy, "replanner")
    if shares_scans:
        _check_shared_scans(followed.assumed, cluster)
    hooks = hooks_of(followed.policy)
    if cluster.events is not None:
        _check_events(followed, cluster.events)
    if hooks.gives_up:
        _check_plain(followed.policy, "preempt", "gives running tasks up", cluster)
    if hooks.copies:
        _check_plain(followed.policy, "speculate", "lets second copies of tasks run", cluster)
    if followed.partition is not None:
        check_slots_stay(cluster, "a pool with slots of its own")
    if cluster.overheads is not None and (shares_scans or followed.partition is not None):
        raise InputError("overheads are not modelled with pools of their own slots or shared scans")


def _check_shared_scans(workload: Workload, cluster: Cluster) -> None:
    """Raise InputError where what a workload or a cluster has is not modelled with shared scans."""
    if len(workload.columns.links) and workload.datasets:
        raise InputError(
            "jobs that follow others are not modelled with shared scans; "
            "cut the links between jobs, or choose another policy"
        )
    if any(job.graph != MAP_REDUCE for job in workload.jobs):
        raise InputError(
            "jobs with stages of their own are not modelled with shared scans; choose another policy"
        )
    if cluster.contention:
        raise InputError(
            "contention of nodes is not modelled with shared scans; "
            "leave it out of the cluster, or choose another policy"
        )
    if workload.inputs is not None:
        raise InputError(
            "jobs that say on which nodes their input lies are not modelled with shared scans; "
            "choose another policy"
        )
    check_slots_stay(cluster, "a policy that shares scans")


def _check_events(followed: ResolvedPolicy, events: NodeEvents) -> None:
    """Raise InputError where what is followed is not modelled with what happens to nodes."""
    hooks, workload = hooks_of(followed.policy), followed.assumed
    lacking = {
        "a policy that gives running tasks up": hooks.gives_up,
        "a policy that lets second copies of tasks run": hooks.copies,
        "a policy that shares scans": hasattr(followed.policy, "replanner"),
        "pools with slots of their own": followed.partition is not None,
        "jobs that say on which nodes their input lies": workload.inputs is not None,
    }
    for what, is_there in lacking.items():
        if is_there:
            raise InputError(
                f"nodes that fail, return or change their speed are not modelled with {what}; "
                "leave the events out of the cluster, or choose another policy"
            )
    if events.map_outputs == "lost" and not workload.columns.stages.are_map_reduce:
        raise InputError(
            "that map outputs are lost with their node is modelled for jobs of maps and of reduces alone, "
            "and some of these have other stages; let map_outputs be kept"
        )


def _check_plain(policy: type[Policy], hook: str, what_it_does: str, cluster: Cluster) -> None:
    """Raise InputError or PolicyError where what a hook does with running tasks is not modelled."""
    lacking = {
        "overheads": cluster.overheads is not None,
        "contention of nodes": bool(cluster.contention),
        "nodes with memory and cores": cluster.has_nodes,
    }
    for what, is_there in lacking.items():
        if is_there:
            raise InputError(
                f"policy {name_of(policy)} {what_it_does} ({hook}), which is not modelled with "
                f"{what}; leave that out of the cluster, or choose another policy"
            )
    place = place_of_function(getattr(policy, hook, None), policy.source)
    if hasattr(policy, "replanner"):
        raise PolicyError(f"policy {name_of(policy)}: {hook} is not for policies that share scans", place)
    if {"preempt", "speculate"} <= hooks_of(policy).functions.keys():
        raise PolicyError(
            f"policy {name_of(policy)} has both preempt and speculate; write one of them", place
        )
