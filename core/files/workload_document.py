"""Read workload documents, ``*.workload.json``, with every problem of a file collected."""

from __future__ import annotations

import os
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from core.files.atomic import UNWATCHED
from core.files.forms import Form, InJson, each, numbers, shortest
from core.files.job_stages import graph_from_json, stage_from_json
from core.files.json_text import (
    WORKLOAD_FORMAT,
    check_header,
    formats_in,
    parse_json,
    path_text,
    read_bytes,
    value_at,
)
from core.files.recorded_document import recorded_from_json, recorded_problems
from core.files.right_events import right_events
from core.files.schema_check import MAX_FINDINGS, schema_check
from core.model.cluster import Cluster
from core.model.errors import DocumentError, Problem, shorten
from core.model.in_parts import collector_at_rest, take_apart
from core.model.job import DEFAULT_BLOCKS, Dataset, Job, Link, scan_stage
from core.model.job_rules import TYPES, datasets_problems
from core.model.killed_copies import KilledCopy
from core.model.links import links_among
from core.model.node_events import NodeEvent, NodeEvents, SpotNodes
from core.model.nodes import NodeGroup, Request
from core.model.overheads import OVERHEAD_NAMES, Overheads
from core.model.pool import Pool, pools_problems
from core.model.slot_times import CONTAINER, KIND_NAMES, SlotTime
from core.model.stages import Stage
from core.model.workload import Origin, Workload
from core.model.workload_rules import scans_problems, workload_problems

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from core.files.atomic import Watch
    from core.files.json_text import Path
    from core.files.schema_check import Breach

VERSIONS = (1,)
"""All that are read; old versions stay."""
PARSED, BUILT = 0.7, 0.85
"""Parts of the time that are over when the text is parsed, and the jobs are built; freeing follows."""
JOBS_AT_ONCE = 64
"""Jobs that are built between two reports."""
UNNAMED = "\0"
"""What names begin with that no document can have."""
STAGE_KEYS = ("name", "after", "first_shuffle", "typical_shuffle")
"""What a graph is made of."""
UNCLEAR_STAGES = frozenset({(), ("name",), ("after",)})
"""Parts of a stage without which nobody knows which one waits for which."""

ORIGIN = Form(Origin, parts={"parameters": InJson(lambda given: tuple(given.items()), dict)})
POOL = Form(Pool, Pool(""), always=("name",))
DATASET = Form(Dataset, Dataset(""), always=("name", "blocks", "block_seconds"))
JOB = Form(
    Job,
    Job(""),
    {
        "after": each(Form(Link, Link(""), always=("job", "think"))),
        "blocks": numbers(int),
        "input_nodes": numbers(int),
        "service_levels": numbers(float),
    },
    always=("name",),
    order=(
        *("name", "arrival", "after", "deadline", "pool", "user", "weight", "dataset"),
        *("min_slots", "max_slots", "shuffle_bytes", "blocks", "service_levels"),
        *("input_nodes", "remote_read"),
    ),
)
"""All of a job but its stages, which many jobs may share."""
_REQUEST = Form(Request)
_KINDS = {name: kind for kind, name in KIND_NAMES.items()}
SLOT_TIME = Form(
    SlotTime,
    SlotTime(1),
    {
        "closes": InJson(float, lambda time: None if time == inf else shortest(time)),
        "kind": InJson(_KINDS.__getitem__, KIND_NAMES.__getitem__),
    },
    keys={"opens": "from", "closes": "until", "kind": "type"},
    always=("slots", "kind"),
)


def _slot_time(document: Mapping[str, Any]) -> SlotTime:
    """Build an entry of slots that come and go; those without an end stay."""
    return SLOT_TIME.read({key: value for key, value in document.items() if value is not None})


EVENTS = Form(
    NodeEvents,
    NodeEvents(),
    {
        "happen": each(Form(NodeEvent, NodeEvent(0.0, 0), always=("time", "node", "kind"))),
        "spot": Form(SpotNodes, SpotNodes(1, 1.0), always=("nodes", "rate")),
    },
    keys={"happen": "list"},
)

CLUSTER = Form(
    Cluster,
    parts={
        "nodes": each(Form(NodeGroup)),
        "map_request": _REQUEST,
        "reduce_request": _REQUEST,
        "contention": numbers(float),
        "slot_times": each(InJson(_slot_time, SLOT_TIME.write)),
        "overheads": Form(Overheads, Overheads(), order=OVERHEAD_NAMES),
        "events": EVENTS,
        "killed_copies": each(Form(KilledCopy)),
    },
)


def is_workload_document(data: bytes) -> bool:
    """Whether a file's bytes claim to be a workload document; it may still break rules."""
    return formats_in(data) == {WORKLOAD_FORMAT}


def read_workload(path: str | os.PathLike[str], watch: Watch = UNWATCHED) -> Workload:
    """Read a workload document, gzipped or not.

    Raises
    ------
    InputError
        the file cannot be read
    DocumentError
        the document breaks rules; all of them are listed
    Cancelled
        the watch said so
    """
    return workload_from_bytes(read_bytes(path), os.path.basename(os.fspath(path)), watch)


def workload_from_bytes(data: bytes, name: str, watch: Watch = UNWATCHED) -> Workload:
    """Build the workload in a file's bytes; `name` stands for the file in messages."""
    with collector_at_rest():
        document = parse_json(data, name, watch.part(0.0, PARSED).check)
        workload = workload_from_json(document, name, watch.part(PARSED, BUILT))
        watch.check(BUILT)
        take_apart(document["jobs"], document.get("recorded"))
        watch.check(1.0)
    return workload


def workload_from_json(document: Any, name: str, watch: Watch = UNWATCHED) -> Workload:
    """Build the workload of a document that is a JSON value already; DocumentError with all its problems."""
    check_header(document, name, WORKLOAD_FORMAT, VERSIONS)
    findings = schema_check("workload")(document)
    if findings:
        problems = as_problems(document, findings)
        # The rest of the document can only be trusted when all findings are known.
        problems += _other_problems(document, findings) if len(findings) < MAX_FINDINGS else []
        raise DocumentError(name, problems)
    problems = []
    cluster = cluster_from_json(document.get("cluster", {}), "cluster", problems)
    recorded = recorded_from_json(document.get("recorded"), problems)
    datasets = {dataset.name: dataset for dataset in _datasets(document)}
    each_job = enumerate(watch.over(document["jobs"], step=JOBS_AT_ONCE))
    jobs = tuple(_job(raw, place, datasets, problems) for place, raw in each_job)
    if problems:
        raise DocumentError(name, problems + _problems_between_values(document, jobs))
    try:
        return replace(_workload(document, jobs, cluster), recorded=recorded, checked_jobs=jobs)
    except DocumentError as error:
        # The error has the first problems only, and does not know the file.
        raise DocumentError(name, _problems_between_values(document, jobs) or error.problems) from None


def _problems_between_values(document: dict[str, Any], jobs: Sequence[Job]) -> list[Problem]:
    datasets = _datasets(document)
    problems = workload_problems(jobs) + pools_problems(_pools(document))
    return problems + (datasets_problems(datasets) or scans_problems(jobs, datasets))


def as_problems(document: Any, findings: Iterable[Breach]) -> list[Problem]:
    """Add the values that stand in the document to what is wrong with them, sorted by place."""
    at_places = {finding.path: finding for finding in reversed(list(findings))}  # the first of a place
    return [
        Problem(path_text(path), shorten(value_at(document, path)) if finding.has_value else "", finding.rule)
        # in the order of list items, and of keys by name
        for path, finding in sorted(
            at_places.items(), key=lambda item: [(isinstance(part, str), part) for part in item[0]]
        )
    ]


def cluster_from_json(document: dict[str, Any], where: str, problems: list[Problem]) -> Cluster:
    """Build a cluster of valid fields; rules between fields that it breaks are added to `problems`."""
    fields = CLUSTER.given(document)
    come_and_go = fields.get("slot_times", ())
    if fields.get("containers") or fields.get("nodes") or any(t.kind == CONTAINER for t in come_and_go):
        fields = {"map_slots": 0, "reduce_slots": 0} | fields
    try:
        return Cluster(**fields)
    except DocumentError as error:
        problems += [each.below(where) for each in error.problems]
        return Cluster()


def _other_problems(document: dict[str, Any], findings: Sequence[Breach]) -> list[Problem]:
    """Return the problems between values that the schema cannot see, among its other findings.

    A rule counts where all that it looks at is right.
    """
    problems: list[Problem] = []
    broken = {finding.path[:2] for finding in findings}
    heads = {path[0] for path in broken if path}
    of_cluster, of_run = (
        {path[1] for path in broken if path[:1] == (key,) and path[1:]} for key in ("cluster", "recorded")
    )
    paths = [finding.path for finding in findings]
    problems += _cluster_problems(document.get("cluster", {}), of_cluster, paths)
    if "recorded" not in heads:
        recorded_from_json(document.get("recorded"), problems)
    else:
        problems += recorded_problems(document["recorded"], of_run)
    if "pools" not in heads:
        problems += pools_problems(_pools(document))
    if "datasets" not in heads:
        problems += datasets_problems(_datasets(document))
    if not broken & {(), ("jobs",)}:
        problems += _job_problems(document["jobs"], findings, _right_datasets(document, findings))
    return problems


SLOT_KEYS = frozenset({"map_slots", "reduce_slots", "containers", "nodes", "map_request", "reduce_request"})
"""Fields of a cluster that say together which slots there are."""


def _cluster_problems(document: Any, broken: AbstractSet[str | int], paths: Sequence[Path]) -> list[Problem]:
    """Return the rules that the right fields of a cluster break, whatever the broken ones were to say."""
    if not isinstance(document, dict):
        return []
    problems: list[Problem] = []
    right = {key: document[key] for key in document if key not in broken}
    events = right_events(document.get("events", {}), paths)
    if "events" in broken and events.document is not None:
        right["events"] = events.document
    cluster_from_json(right, "cluster", problems)
    about_nodes = ("cluster.contention", "cluster.reduce_load", "cluster.overheads")
    return [
        each
        for each in events.said(problems)
        if each.where.startswith("cluster.slot_times[")
        or not broken & ({"nodes"} if each.where.startswith(about_nodes) else {*SLOT_KEYS, "slot_times"})
    ]


class _RightDatasets(NamedTuple):
    """Datasets among which some may be broken.

    Attributes
    ----------
    right : those of which all is right, by name
    unclear : names of which it is not known what they stand for; None where any name may be one
    """

    right: dict[str, Dataset]
    unclear: frozenset[str] | None = frozenset()


def _right_datasets(document: dict[str, Any], findings: Sequence[Breach]) -> _RightDatasets:
    broken: dict[str | int, set[Path]] = {}
    for finding in findings:
        if finding.path[:1] == ("datasets",):
            broken.setdefault(finding.path[1] if finding.path[1:] else "", set()).add(finding.path[2:])
    if not broken:
        datasets = _datasets(document)
        is_sound = not datasets_problems(datasets)
        known = {dataset.name: dataset for dataset in datasets}
        return _RightDatasets(known) if is_sound else _RightDatasets({}, frozenset(known))
    if "" in broken or any({(), ("name",)} & ways for ways in broken.values()):
        return _RightDatasets({}, None)
    given = document["datasets"]
    unclear = frozenset(given[place]["name"] for place in broken if isinstance(place, int))
    right = [each for place, each in enumerate(given) if place not in broken]
    return _RightDatasets({each.name: each for each in _datasets({"datasets": right})}, unclear)


def _job_problems(
    documents: Sequence[Any], findings: Sequence[Breach], datasets: _RightDatasets
) -> list[Problem]:
    """Return what the schema cannot see of jobs of which it found some broken: what is right counts."""
    problems: list[Problem] = []
    broken: dict[str | int, set[Path]] = {}
    for finding in findings:
        if finding.path[0] == "jobs":
            broken.setdefault(finding.path[1], set()).add(finding.path[2:])
    jobs: list[Job] = []
    unnamed = set[str]()
    for place, raw in enumerate(documents):
        bad = broken.get(place, set())
        scanned = raw.get("dataset") if isinstance(raw, dict) else None
        if isinstance(scanned, str) and (datasets.unclear is None or scanned in datasets.unclear):
            bad.add(("dataset",))
        right = datasets.right
        jobs.append(
            _right_part(raw, place, bad, right, problems) if bad else _job(raw, place, right, problems)
        )
        if jobs[-1].name.startswith(UNNAMED):
            unnamed.add(f"jobs[{place}].name")
    if unnamed:
        jobs = list(links_among(jobs))  # one that a job follows may be among those without a name
    problems += [each for each in workload_problems(jobs) if each.where not in unnamed]
    return problems + scans_problems(jobs, tuple(datasets.right.values()))


def _right_part(
    raw: Any,
    place: int,
    broken: AbstractSet[Path],
    datasets: Mapping[str, Dataset],
    problems: list[Problem],
) -> Job:
    """Build a job of what is right in its object, as if the rest was not given, with stages of one task.

    Without a name it gets one that no document can have, which keeps it apart from the others.

    Parameters
    ----------
    broken : ways to what is broken, from the object on
    datasets : those of which all is right
    problems : what is wrong with what its stages wait for is added here
    """
    fields: dict[str, Any] = {"name": f"{UNNAMED}{place}"}
    if not isinstance(raw, dict):
        return Job(**fields, maps=Stage.of(1))
    broken_keys = {path[0] for path in broken if path}
    keys = {"input_nodes", "remote_read", *broken_keys}  # these count maps
    keys |= {"deadline", "service_levels"} if "arrival" in keys else set()  # which are later than that
    scanned = None if {"dataset", "blocks"} & keys else datasets.get(raw.get("dataset") or "")
    if scanned is None or {"maps", "stages"} & raw.keys():
        scanned, keys = None, keys | {"dataset", "blocks"}  # what is scanned are maps
    fields |= JOB.given({key: value for key, value in raw.items() if key not in keys})
    if scanned is not None:
        return Job(**fields, maps=scan_stage(scanned, fields.get("blocks", ())))
    has_tasks = {"maps", "reduces", "stages"} & raw.keys()
    scans_unlisted = raw.get("dataset") and raw["dataset"] not in datasets and "dataset" not in broken_keys
    if scans_unlisted and not has_tasks:
        return Job(**fields)  # so that it has no tasks
    waits = _waits_of_stages(raw.get("stages"), broken)
    if waits is None:
        return Job(**fields, maps=Stage.of(1))
    graph = graph_from_json(waits, f"jobs[{place}].stages", problems)
    return Job(**fields, stages=(Stage.of(1),) * len(graph), graph=graph)


def _waits_of_stages(stages: Any, broken: AbstractSet[Path]) -> list[dict[str, Any]] | None:
    """Return what stages are called and wait for, and their shuffles; None where that cannot be trusted."""
    ways = {path[1:3] for path in broken if path[:1] == ("stages",)}
    if () in broken or not isinstance(stages, list) or any(way[1:] in UNCLEAR_STAGES for way in ways):
        return None
    return [
        {key: stage[key] for key in STAGE_KEYS if key in stage and (number, key) not in ways}
        for number, stage in enumerate(stages)
    ]


def _workload(document: dict[str, Any], jobs: tuple[Job, ...], cluster: Cluster) -> Workload:
    texts = {name: document.get(name, "") for name in ("name", "description", "source", "cut")}
    origin = document.get("origin")
    return Workload(
        **texts,
        jobs=jobs,
        cluster=cluster,
        origin=origin and ORIGIN.read(origin),
        pool_settings=_pools(document),
        datasets=_datasets(document),
    )


def _pools(document: dict[str, Any]) -> tuple[Pool, ...]:
    return tuple(map(POOL.read, document.get("pools", ())))


def _datasets(document: dict[str, Any]) -> tuple[Dataset, ...]:
    """Build the datasets; blocks may be given by their seconds or by the work of all of them."""
    read = [(raw, DATASET.read({"blocks": DEFAULT_BLOCKS} | raw)) for raw in document.get("datasets", ())]
    return tuple(
        replace(dataset, block_seconds=float(raw["work"] / dataset.blocks)) if "work" in raw else dataset
        for raw, dataset in read
    )


def _job(
    document: dict[str, Any], place: int, datasets: Mapping[str, Dataset], problems: list[Problem]
) -> Job:
    """Build a job; the maps of one that scans a listed dataset follow from it.

    What is wrong with what its stages wait for is added to `problems`.
    """
    fields = JOB.given(document)
    if "stages" in document:
        stages = document["stages"]
        graph = graph_from_json(stages, f"jobs[{place}].stages", problems)
        return Job(**fields, stages=tuple(map(stage_from_json, stages)), graph=graph)
    fields |= {name: stage_from_json(document[name]) for name in TYPES if name in document}
    dataset = datasets.get(fields.get("dataset") or "")
    if dataset and "maps" not in fields:
        fields["maps"] = scan_stage(dataset, fields.get("blocks", ()))
    return Job(**fields)
