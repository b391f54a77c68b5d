"""The history server of Spark: its list of applications, and the event logs as it zips them.

Its pages of stages and tasks are never asked for: the server replays a whole log for them, in its own memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.logs.json_values import fields_of, objects_in
from core.model.errors import InputError
from core.servers.http_client import HttpError
from core.servers.server import (
    ID,
    MAX_APPLICATIONS,
    Fetch,
    ServerApplication,
    ServerKind,
    WantedApplications,
    moment,
    moment_text,
    plain,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.logs.json_values import Fields
    from core.servers.http_client import HttpClient

APPLICATIONS = "/api/v1/applications"
BYTES_HALF_WAY = 1 << 24
"""Of a log whose size the server does not say: after so many bytes half of it is taken to be there."""
HISTORY = "Its history server (port 18080) has the log"
ZIP_END = b"PK\x05\x06"
ZIP_END_BYTES = 22 + (1 << 16)


def _is_one(answer: object) -> bool:
    return isinstance(fields_of(answer).get("spark"), str)


def _applications(client: HttpClient, wanted: WantedApplications) -> list[ServerApplication]:
    query: dict[str, object] = {"limit": MAX_APPLICATIONS}
    if wanted.state != "all":
        query["status"] = wanted.state
    for name, value in (("minDate", wanted.begin), ("maxDate", wanted.end)):
        if value is not None:
            query[name] = f"{moment_text(value).replace(' ', 'T')}.{value % 1000:03d}GMT"
    answer = client.json(APPLICATIONS, query)
    return [found for each in objects_in(answer) for found in _attempts(each)]


def _attempts(fields: Fields) -> Iterator[ServerApplication]:
    """Yield the attempts of an application, each of which has a log."""
    name = fields.get("id")
    if not isinstance(name, str) or not ID.match(name):
        return
    for each in objects_in(fields.get("attempts")):
        started, attempt = moment(each.get("startTimeEpoch")), each.get("attemptId") or ""
        if started is None or not isinstance(attempt, str) or (attempt and not ID.match(attempt)):
            continue
        yield ServerApplication(
            id=name,
            attempt=attempt,
            name=plain(fields.get("name")),
            user=plain(each.get("sparkUser")),
            queue="",
            framework="Spark",
            started=started,
            ended=moment(each.get("endTimeEpoch")) if each.get("completed") is True else None,
            stamp=moment(each.get("lastUpdatedEpoch")) or 0,
        )


def _fetch(application: ServerApplication, fetch: Fetch) -> None:
    attempt = f"/{application.attempt}" if application.attempt else ""

    def on_bytes(count: int) -> None:
        fetch.progress(count / (count + BYTES_HALF_WAY))

    place = fetch.client.address.place
    none = f"{place}: it gives no event log of {application.title}"
    try:
        fetch.client.download(f"{APPLICATIONS}/{application.id}{attempt}/logs", fetch.file, on_bytes)
    except HttpError as error:
        if error.status not in (404, 503):
            raise
        raise InputError(f"{none} (any more): {error.status}") from error
    if not _is_whole_zip(fetch):
        raise InputError(f"{place}: the event log of {application.title} came cut off, or is no zip")
    fetch.file.seek(0)
    if fetch.file.read(len(ZIP_END)) == ZIP_END:  # nothing but its end
        raise InputError(f"{none}; is this the page of a running application (port 4040)? {HISTORY}")


def _is_whole_zip(fetch: Fetch) -> bool:
    """Whether what was written ends as a zip does."""
    size = fetch.file.seek(0, 2)
    fetch.file.seek(max(0, size - ZIP_END_BYTES))
    return ZIP_END in fetch.file.read()


KIND = ServerKind("Spark History Server", "/api/v1/version", _is_one, _applications, _fetch, ".zip")
