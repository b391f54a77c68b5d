"""The timeline server of YARN (version 1): DAGs of Tez, as its own download has them.

A DAG is one file of entities behind one another: its application, itself, its plan, and its vertices, tasks
and attempts page by page, for `core.logs.tez_history` to read.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from core.logs.json_values import Fields, fields_of, objects_in
from core.model.errors import InputError
from core.model.limits import MAX_SPOOLED_BYTES
from core.servers.http_client import HttpError
from core.servers.server import (
    ID,
    MAX_APPLICATIONS,
    Fetch,
    ServerApplication,
    ServerKind,
    WantedApplications,
    moment,
    plain,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.servers.http_client import HttpClient

TIMELINE = "/ws/v1/timeline"
PAGE = 1000
"""Entities of a page."""
MAX_PAGES = 2000
"""Of one kind of entities of a DAG."""
PARTS = (
    ("vertices", "TEZ_VERTEX_ID", 0.05),
    ("tasks", "TEZ_TASK_ID", 0.4),
    ("task_attempts", "TEZ_TASK_ATTEMPT_ID", 0.95),
)
"""The parts of a download, their kinds, and how much is done when they are there."""


def _is_one(answer: object) -> bool:
    fields = fields_of(answer)
    return "timeline" in plain(fields.get("About")).lower() or "timeline-service-version" in fields


def _applications(client: HttpClient, wanted: WantedApplications) -> list[ServerApplication]:
    query: dict[str, object] = {"limit": MAX_APPLICATIONS, "fields": "events,primaryfilters"}
    if wanted.begin is not None:
        query["windowStart"] = wanted.begin - 1  # which is not part of the window
    if wanted.end is not None:
        query["windowEnd"] = wanted.end - 1
    if wanted.user:
        query["primaryFilter"] = f"user:{wanted.user}"
    answer = fields_of(client.json(f"{TIMELINE}/TEZ_DAG_ID", query))
    return [dag for each in objects_in(answer.get("entities")) if (dag := _application(each))]


def _application(fields: Fields) -> ServerApplication | None:
    name, events = fields.get("entity"), objects_in(fields.get("events"))
    started = moment(fields.get("starttime")) or _time_of(events, "DAG_SUBMITTED")
    if not isinstance(name, str) or not ID.match(name) or started is None:
        return None
    filters = {key: _first(value) for key, value in fields_of(fields.get("primaryfilters")).items()}
    ended = _time_of(events, "DAG_FINISHED")
    return ServerApplication(
        id=name,
        attempt="",
        name=filters.get("dagName", ""),
        user=filters.get("user", ""),
        queue=filters.get("queueName", ""),
        framework="Tez",
        started=started,
        ended=ended,
        stamp=ended or 0,
    )


def _first(value: object) -> str:
    return plain(value[0] if isinstance(value, list) and value else value)


def _time_of(events: list[Fields], kind: str) -> int | None:
    times = (moment(each.get("timestamp")) for each in events if each.get("eventtype") == kind)
    return next((time for time in times if time is not None), None)


def _fetch(application: ServerApplication, fetch: Fetch) -> None:
    dag = application.id
    master = "tez_application_" + "_".join(dag.split("_")[1:3])
    parts = (
        ("application", f"TEZ_APPLICATION/{master}", False),
        ("dag-extra-info", f"TEZ_DAG_EXTRA_INFO/{dag}", False),
        ("dag", f"TEZ_DAG_ID/{dag}", True),
    )
    written = 0
    for part, path, is_needed in parts:
        entity = _entity(fetch.client, path, is_needed=is_needed)
        if entity:
            written += _write(fetch, {part: entity}, written)
    before = 0.02
    for part, kind, after in PARTS:
        for number, entities in enumerate(_pages(fetch.client, kind, dag)):
            written += _write(fetch, {part: entities}, written)
            fetch.progress(before + (after - before) * number / (number + 1))
        before = after
        fetch.progress(after)


def _entity(client: HttpClient, path: str, *, is_needed: bool) -> Fields:
    """Return an entity; an empty one where the server does not have it, unless it is needed."""
    try:
        return fields_of(client.json(f"{TIMELINE}/{path}"))
    except HttpError as error:
        if is_needed or error.status != 404:
            raise
        return {}


def _pages(client: HttpClient, kind: str, dag: str) -> Iterator[list[Fields]]:
    """Yield the entities of a DAG page by page.

    A page begins with the entity that it is asked from; a server that knows no pages gives the same again.
    """
    query: dict[str, object] = {"primaryFilter": f"TEZ_DAG_ID:{dag}", "limit": PAGE}
    known: set[str] = set()
    for _ in range(MAX_PAGES):
        found = objects_in(fields_of(client.json(f"{TIMELINE}/{kind}", query)).get("entities"))
        names = [plain(each.get("entity")) for each in found]
        new = [each for name, each in zip(names, found, strict=True) if name not in known]
        if not new:
            return
        yield new
        if len(found) < PAGE:
            return
        known, query["fromId"] = set(names), names[-1]


def _write(fetch: Fetch, value: Fields, written: int) -> int:
    """Write a value and return its size in bytes; InputError where there is too much."""
    line = json.dumps(value).encode() + b"\n"
    place = fetch.client.address.place
    if written + len(line) > MAX_SPOOLED_BYTES:
        raise InputError(f"{place}: a DAG has more than {MAX_SPOOLED_BYTES >> 30} GiB of history")
    try:
        return fetch.file.write(line)
    except OSError as error:
        raise InputError(f"what {place} sends cannot be kept: {error}") from error


KIND = ServerKind("YARN Timeline Server", TIMELINE, _is_one, _applications, _fetch, ".json")
