"""A small stand-in of a workload document, so that the schema is fast on a large one.

Long number lists are checked by numpy and shortened. Numbers and names of jobs that no rule could
object to are replaced by one and the same, and jobs, pools or datasets that then look alike are
shown to the schema once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.files.number_lists import faulty_items
from core.files.schema_findings import Finding, hollow, schema_findings
from core.model.job import MOST_BYTES
from core.model.limits import LONGEST_NAME, MOST_TASKS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MOST_GROUPS = 1000
"""Groups of nodes that the schema allows."""

TIME_RULE = "give a number of seconds from 0 to 1e12"
STAGES = ("maps", "reduces")
SAMPLES = ("durations", "first_shuffle", "typical_shuffle")


def workload_findings(document: dict[str, Any]) -> Iterator[Finding]:
    """Yield every rule of the schema that a workload document breaks, with paths in the document."""
    jobs = document.get("jobs")
    outline: dict[str, Any] = {key: _shallow(value) for key, value in document.items()}
    groups: dict[str | int, list[list[int]]] = {}
    if isinstance(jobs, list):
        yield from _list_findings(jobs)
        groups["jobs"], outline["jobs"] = _unlike(jobs, _job_outline)
    if isinstance(document.get("cluster"), dict):
        outline["cluster"] = _cluster_outline(document["cluster"])
    for key in ("pools", "datasets"):
        if isinstance(document.get(key), list):
            groups[key], outline[key] = _unlike(document[key], _named_outline)
    for finding in schema_findings("workload", outline):
        if len(finding.path) > 1 and finding.path[0] in groups:
            head = finding.path[0]
            for index in groups[head][int(finding.path[1])]:
                yield Finding((head, index, *finding.path[2:]), finding.rule, finding.has_value)
        else:
            yield finding


def _cluster_outline(cluster: dict[str, Any]) -> dict[str, Any]:
    """Copy the cluster; its nodes, a list of objects, are a level deeper than the rest."""
    outline: dict[str, Any] = _shallow(cluster)
    if isinstance(cluster.get("nodes"), list):
        outline["nodes"] = [_shallow(group) for group in cluster["nodes"][: MOST_GROUPS + 1]]
    return outline


def _shallow(value: Any) -> Any:
    """Copy the cluster or the origin; they are two levels deep."""
    if not isinstance(value, dict):
        return hollow(value)
    return {
        key: {name: hollow(item) for name, item in inner.items()}
        if isinstance(inner, dict)
        else hollow(inner)
        for key, inner in value.items()
    }


def _list_findings(jobs: list[Any]) -> Iterator[Finding]:
    for i, job in enumerate(jobs):
        for stage, name, values in _sample_lists(job):
            for k in faulty_items(values):
                yield Finding(("jobs", i, stage, name, k), TIME_RULE)


def _sample_lists(job: Any) -> Iterator[tuple[str, str, list[Any]]]:
    """Yield the lists of numbers of a job, if it has the shape of a job."""
    for stage in STAGES:
        samples = job.get(stage) if isinstance(job, dict) else None
        if isinstance(samples, dict):
            yield from ((stage, name, samples[name]) for name in SAMPLES if type(samples.get(name)) is list)


def _unlike(items: list[Any], outline_of: Callable[[Any], Any]) -> tuple[list[list[int]], list[Any]]:
    """Return the outlines of items that differ, and for each the indices of the items it stands for."""
    groups: dict[str, list[int]] = {}
    outlines: list[Any] = []
    for i, item in enumerate(items):
        outline = outline_of(item)
        alike = groups.setdefault(repr(outline), [])
        if not alike:
            outlines.append(outline)
        alike.append(i)
    return list(groups.values()), outlines


def _job_outline(job: Any) -> Any:
    if not isinstance(job, dict):
        return hollow(job)
    return {
        key: _stage_outline(value)
        if key in STAGES and isinstance(value, dict)
        else _value_outline(key, value)
        for key, value in job.items()
    }


def _value_outline(key: str, value: Any) -> Any:
    if key in ("min_slots", "max_slots"):
        return hollow(value)  # their largest value is smaller than that of other numbers
    if key == "shuffle_bytes" and type(value) in (int, float) and 0 <= value <= MOST_BYTES:
        return 1  # its largest value is beyond that of other numbers
    if key == "blocks" and isinstance(value, list):
        return [[hollow(part) for part in pair] if isinstance(pair, list) else hollow(pair) for pair in value]
    return _ordinary(value)


def _named_outline(item: Any) -> Any:
    """Shorten the name of a pool or a dataset; its numbers stay."""
    if not isinstance(item, dict):
        return hollow(item)
    return {key: _ordinary(value) if key == "name" else hollow(value) for key, value in item.items()}


def _stage_outline(stage: dict[str, Any]) -> dict[str, Any]:
    return {
        # The items were checked: one good item stands for them; an empty list stays empty.
        key: [0] * bool(value) if key in SAMPLES and isinstance(value, list) else _ordinary(value)
        for key, value in stage.items()
    }


def _ordinary(value: Any) -> Any:
    """Replace a value that no rule for jobs tells from its like; all others stay as they are."""
    if type(value) is int:
        return 1 if 1 <= value <= MOST_TASKS else value
    if type(value) is float:
        if not 0 < value <= MOST_TASKS:
            return value
        # Rules tell whole numbers from others, and a count of at least 1 from less.
        return 1.0 if value.is_integer() else 0.5
    if isinstance(value, str):
        return "x" if value.isprintable() and value.strip() and len(value) <= LONGEST_NAME else value
    return hollow(value)
