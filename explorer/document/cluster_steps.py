"""Steps that edit the document's cluster or that of one scenario."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from core.model.cluster import Cluster, overheads_sentence
from core.model.errors import UnknownName
from core.model.nodes import Request, nodes_text, request_text
from explorer.document.commands import SetCluster, SetScenarioCluster
from explorer.document.titles import scenario_title

if TYPE_CHECKING:
    from explorer.document.document import Document

FIELDS = tuple(field.name for field in fields(Cluster))


def cluster_in(document: Document, scenario_id: int | None) -> Cluster:
    """Return the document's cluster (None), or the one that a scenario runs on."""
    state = document.state
    return state.cluster if scenario_id is None else state.cluster_of(state.scenario(scenario_id))


def changed_cluster(cluster: Cluster, changes: dict[str, Any]) -> Cluster:  # Any: the cluster checks it
    """Return the cluster with some fields changed; InputError for values that break its rules."""
    for name in changes:
        if name not in FIELDS:
            raise UnknownName("field of a cluster", name, FIELDS)
    return replace(cluster, **changes)


def set_cluster(
    document: Document, cluster: Cluster, scenario_id: int | None, gesture: int
) -> SetCluster | SetScenarioCluster:
    """Replace the document's cluster (None), or give a scenario one of its own."""
    before = cluster_in(document, scenario_id)
    changed = tuple(name for name in FIELDS if getattr(cluster, name) != getattr(before, name))
    text, what = _text(cluster, changed), (changed, gesture)
    if scenario_id is None:
        return SetCluster(document, text, before, cluster, what)
    scenario = document.scenario(scenario_id)
    return SetScenarioCluster(document, f"{text} in {scenario_title(scenario)}", scenario, cluster, what)


def reset_cluster(document: Document, scenario_id: int, gesture: int) -> SetScenarioCluster:
    """Let a scenario run on the document's cluster again."""
    scenario = document.scenario(scenario_id)
    text = f"Use the common cluster in {scenario_title(scenario)}"
    return SetScenarioCluster(document, text, scenario, None, ("reset", gesture))


def _text(cluster: Cluster, changed: tuple[str, ...]) -> str:
    if len(changed) != 1:
        return "Change the cluster"
    value = getattr(cluster, changed[0])
    if changed[0] == "overheads":
        return "Leave overheads out" if value is None else f"Set overheads: {overheads_sentence(value)}"
    if changed[0] == "nodes":
        value = nodes_text(value)
    elif isinstance(value, Request):
        value = request_text(value)
    return f"Set {changed[0].replace('_', ' ')} to {value}"
