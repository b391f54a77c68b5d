"""Write workload documents: defaults are left out, equal samples become one number."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from core.files.atomic import UNWATCHED, packed_for, replace_file
from core.files.job_stages import stage_to_json, stages_to_json
from core.files.json_text import WORKLOAD_FORMAT
from core.files.recorded_document import recorded_to_json
from core.files.workload_document import CLUSTER, DATASET, JOB, ORIGIN, POOL
from core.model.cluster import own_fields
from core.model.in_parts import SLICE, collector_at_rest, slices, take_apart
from core.model.stages import MAP_REDUCE

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from core.files.atomic import Watch
    from core.model.cluster import Cluster
    from core.model.job import Job
    from core.model.stages import Stage
    from core.model.workload import Workload

VERSION = 1

_MAX_STAGES = 1 << 16
_ENCODE = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode

COMMA = ",\n"

NO_STAGE = {"count": 0, "durations": 0}
"""What an empty stage would be written as; it is left out."""


def write_workload(workload: Workload, path: str | os.PathLike[str], watch: Watch = UNWATCHED) -> None:
    """Write a workload document in one step, gzipped when the name ends in .gz.

    Cancelled leaves the file that is there.
    """
    with collector_at_rest():
        document = _document(workload, _JobsToWrite(workload))
        data = document_bytes(document, watch.part(0.0, 0.7))
        take_apart(document.get("recorded"))
    packed = packed_for(path, data, watch.part(0.7, 0.95))
    replace_file(path, packed, before_replacing=partial(watch.check, 1.0))


def workload_to_json(workload: Workload, watch: Watch = UNWATCHED) -> dict[str, Any]:
    """Return the workload document as a JSON value; reading it gives the same tasks to the last bit."""
    return _document(workload, list(watch.over(_JobsToWrite(workload), step=1)))


class _JobsToWrite(Sequence[dict[str, Any]]):
    """The jobs of a workload as JSON values, each made when it is its turn: there may be a million.

    What is equal in many is made once: stages that jobs share are one object here as well.
    """

    def __init__(self, workload: Workload) -> None:
        self._jobs = workload.jobs
        self._scanned = {dataset.name for dataset in workload.datasets}
        self._stages: dict[tuple[int, bool], dict[str, Any]] = {}

    def __len__(self) -> int:
        return len(self._jobs)

    def __getitem__(self, place: Any) -> Any:
        job = self._jobs[place]
        if job.graph != MAP_REDUCE:
            return JOB.write(job) | {"stages": stages_to_json(job)}
        maps, reduces = job.stages
        stages = {"maps": self._stage(maps), "reduces": self._stage(reduces, has_shuffle=True)}
        return _job_to_json(job, stages, job.dataset in self._scanned)

    def _stage(self, stage: Stage, *, has_shuffle: bool = False) -> dict[str, Any]:
        key = (id(stage), has_shuffle)
        if key not in self._stages:
            if len(self._stages) == _MAX_STAGES:
                self._stages.clear()
            self._stages[key] = stage_to_json(stage, has_shuffle=has_shuffle)
        return self._stages[key]


def _document(workload: Workload, jobs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    document: dict[str, Any] = {"format": WORKLOAD_FORMAT, "version": VERSION}
    texts = {name: getattr(workload, name) for name in ("name", "description", "source", "cut")}
    document |= {name: text for name, text in texts.items() if text}
    document["cluster"] = cluster_to_json(workload.cluster)
    if workload.origin:
        document["origin"] = ORIGIN.write(workload.origin)
    if workload.pool_settings:
        document["pools"] = list(map(POOL.write, workload.pool_settings))
    if workload.datasets:
        document["datasets"] = list(map(DATASET.write, workload.datasets))
    document["jobs"] = jobs
    if workload.recorded:
        document["recorded"] = recorded_to_json(workload.recorded)
    return document


def cluster_to_json(cluster: Cluster) -> dict[str, Any]:
    """Return the fields of a cluster; only those of its kind of slots."""
    document = CLUSTER.write(cluster)
    return {name: document[name] for name in own_fields(cluster)}


def document_bytes(document: dict[str, Any], watch: Watch = UNWATCHED) -> bytes:
    """Write a document, a line for each key, pool, dataset, job, scenario, recorded column: for diffs.

    Half of a character, which only a path may hold, is written as the escape that it is in JSON.
    """
    # to join bytes, unlike text, Python gives its lock to others
    pieces = _object_pieces(document, "", watch)
    return b"".join([*(piece.encode("utf-8", "backslashreplace") for piece in pieces), b"\n"])


def _object_pieces(document: dict[str, Any], indent: str, watch: Watch) -> Iterator[str]:
    inner = indent + "  "
    yield "{\n"
    for place, (key, value) in enumerate(document.items()):
        yield f"{COMMA if place else ''}{inner}{_line(key)}: "
        yield from _value_pieces(key, value, inner, watch)
    yield f"\n{indent}}}"


def _value_pieces(key: str, value: Any, indent: str, watch: Watch) -> Iterator[str]:
    if key in ("workload", "recorded", "example") and isinstance(value, dict):
        yield from _object_pieces(value, indent, watch)
    elif key in ("pools", "datasets", "jobs", "scenarios"):
        items = watch.over(value, step=1) if key == "jobs" else value
        yield "[\n"
        for place, item in enumerate(items):
            yield f"{COMMA if place else ''}{indent}  {_line(item)}"
        yield f"\n{indent}]"
    else:
        yield _line(value)


def _line(value: Any) -> str:
    """Write a value in one line; a long list in slices, or Python's lock would be held for seconds."""
    if not _is_long(value):
        return _ENCODE(value)
    if isinstance(value, dict):
        return "{" + ", ".join([f"{_line(str(key))}: {_line(inner)}" for key, inner in value.items()]) + "}"
    return "[" + ", ".join([_line(part)[1:-1] for part in slices(value)]) + "]"


def _is_long(value: Any) -> bool:
    """Whether a value is a long list, or an object with one in it."""
    if isinstance(value, dict):
        return any(map(_is_long, value.values()))
    return isinstance(value, list) and len(value) > SLICE


def _job_to_json(job: Job, stages: dict[str, dict[str, Any]], scans_dataset: bool) -> dict[str, Any]:
    """Return a job; the maps of one that scans a listed dataset follow from it and are left out."""
    if scans_dataset:
        del stages["maps"]
    return JOB.write(job) | {name: stage for name, stage in stages.items() if stage != NO_STAGE}
