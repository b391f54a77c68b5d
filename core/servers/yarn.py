"""The ResourceManager of YARN, which lists applications of all kinds, and keeps none of their logs."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from core.logs.json_values import fields_of
from core.servers.mapreduce_history import items_of
from core.servers.server import (
    ID,
    MAX_APPLICATIONS,
    ServerApplication,
    ServerKind,
    WantedApplications,
    moment,
    plain,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.logs.json_values import Fields
    from core.servers.http_client import HttpClient

FRAMEWORKS = {"SPARK": "Spark", "MAPREDUCE": "MapReduce", "TEZ": "Tez"}
LOGS = {
    "Spark": "a Spark History Server (usual port 18080)",
    "MapReduce": "a MapReduce JobHistory Server (usual port 19888)",
    "Tez": "a YARN Timeline Server (usual port 8188)",
}
"""Which servers keep the logs of a framework."""
_NUMBER = re.compile(r"(?:application|job|dag)_(\d+_\d+)(?:_|\Z)")


def _is_one(answer: object) -> bool:
    return isinstance(fields_of(answer).get("clusterInfo"), dict)


def _applications(client: HttpClient, wanted: WantedApplications) -> list[ServerApplication]:
    query: dict[str, object] = {"limit": MAX_APPLICATIONS}
    for name, value in (("startedTimeBegin", wanted.begin), ("user", wanted.user)):
        if value:
            query[name] = value
    if wanted.end is not None:
        query["startedTimeEnd"] = wanted.end
    answer = client.json("/ws/v1/cluster/apps", query)
    return [found for each in items_of(answer, "apps", "app") if (found := _application(each))]


def _application(fields: Fields) -> ServerApplication | None:
    name, started = fields.get("id"), moment(fields.get("startedTime"))
    if not isinstance(name, str) or not ID.match(name) or started is None:
        return None
    framework = plain(fields.get("applicationType"))
    return ServerApplication(
        id=name,
        attempt="",
        name=plain(fields.get("name")),
        user=plain(fields.get("user")),
        queue=plain(fields.get("queue")),
        framework=FRAMEWORKS.get(framework.upper(), framework),
        started=started,
        ended=moment(fields.get("finishedTime")),
        stamp=0,
    )


def with_logs(applications: Iterable[ServerApplication]) -> list[ServerApplication]:
    """Return applications with the same of YARN and of a server of logs put together.

    What YARN alone knows, the queue above all, the other gets; what no server has a log of stays as it is.
    """
    listed = list(applications)
    by_yarn = {_number(each): each for each in listed if not each.address}
    found = [_with(each, by_yarn.get(_number(each))) for each in listed if each.address]
    have_logs = {_number(each) for each in found}
    return found + [each for each in by_yarn.values() if _number(each) not in have_logs]


def _number(application: ServerApplication) -> str:
    """Return what an application, a job and a DAG have in common; the id where it is of another form."""
    found = _NUMBER.match(application.id)
    return found[1] if found else application.id


def _with(application: ServerApplication, known: ServerApplication | None) -> ServerApplication:
    if known is None:
        return application
    return replace(
        application,
        name=application.name or known.name,
        user=application.user or known.user,
        queue=application.queue or known.queue,
    )


KIND = ServerKind("YARN ResourceManager", "/ws/v1/cluster/info", _is_one, _applications, None)
