"""The history server of MapReduce: its jobs, with tasks and attempts, become a job history (`.jhist`) each.

It gives no history as a file: what it answers of a job, its tasks and the attempts of each task is written as
the events of which such a history consists, for `core.logs.job_history` to read.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from core.logs.json_values import Fields, fields_of, objects_in
from core.model.errors import InputError
from core.model.limits import MAX_SPOOLED_BYTES
from core.servers.server import (
    ID,
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

JOBS = "/ws/v1/history/mapreduce/jobs"
MAX_TASKS_OF_JOB = 200_000
"""Tasks of one job, each of which is a request of its own."""
EVENTS = "org.apache.hadoop.mapreduce.jobhistory."
ENDED = ("SUCCEEDED", "FAILED", "KILLED")
KINDS = ("MAP", "REDUCE")


def items_of(answer: object, outer: str, inner: str) -> list[Fields]:
    """Return the objects of an answer of Hadoop, which puts them into two objects; one may stand alone."""
    found = fields_of(fields_of(answer).get(outer)).get(inner)
    return [found] if isinstance(found, dict) else objects_in(found)


def _is_one(answer: object) -> bool:
    return isinstance(fields_of(answer).get("historyInfo"), dict)


def _applications(client: HttpClient, wanted: WantedApplications) -> list[ServerApplication]:
    query: dict[str, object] = {}
    if wanted.begin is not None:  # it filters by the start, which follows on the submission
        query["startedTimeBegin"] = wanted.begin
    if wanted.user:
        query["user"] = wanted.user
    return [job for each in items_of(client.json(JOBS, query), "jobs", "job") if (job := _application(each))]


def _application(fields: Fields) -> ServerApplication | None:
    name = fields.get("id")
    started = moment(fields.get("submitTime")) or moment(fields.get("startTime"))
    if not isinstance(name, str) or not ID.match(name) or started is None:
        return None
    ended = moment(fields.get("finishTime"))
    return ServerApplication(
        id=name,
        attempt="",
        name=plain(fields.get("name")),
        user=plain(fields.get("user")),
        queue=plain(fields.get("queue")),
        framework="MapReduce",
        started=started,
        ended=ended,
        stamp=ended or 0,
    )


def _fetch(application: ServerApplication, fetch: Fetch) -> None:
    path = f"{JOBS}/{application.id}"
    job = fields_of(fields_of(fetch.client.json(path)).get("job"))
    tasks = [
        task
        for task in items_of(fetch.client.json(f"{path}/tasks"), "tasks", "task")
        if isinstance(name := task.get("id"), str) and ID.match(name)
    ]
    place = fetch.client.address.place
    if len(tasks) > MAX_TASKS_OF_JOB:
        raise InputError(f"{place}: {application.id} has more than {MAX_TASKS_OF_JOB} tasks")
    write = _HistoryWriter(fetch, place)
    write.events(_job_begins(application.id, job))
    for number, task in enumerate(tasks):
        fetch.progress(number / len(tasks))
        answer = fetch.client.json(f"{path}/tasks/{task['id']}/attempts")
        write.events(_events_of_task(task, items_of(answer, "taskAttempts", "taskAttempt")))
    write.events(_job_ends(application.id, job))


class _HistoryWriter:
    """Writes the events of a job history, as many bytes as are allowed."""

    def __init__(self, fetch: Fetch, place: str) -> None:
        self._file, self._place, self._written = fetch.file, place, 0
        self._line("Avro-Json")
        self._line(json.dumps({"type": "record", "name": "Event", "fields": []}))

    def events(self, events: Iterator[Event]) -> None:
        """Write events; fields that are None are left out."""
        for kind, fields in events:
            known = {name: value for name, value in fields.items() if value is not None}
            record = EVENTS + "".join(word.capitalize() for word in kind.split("_"))
            self._line(json.dumps({"type": kind, "event": {record: known}}))

    def _line(self, text: str) -> None:
        line = text.encode() + b"\n"
        self._written += len(line)
        if self._written > MAX_SPOOLED_BYTES:
            raise InputError(f"{self._place}: a job has more than {MAX_SPOOLED_BYTES >> 30} GiB of history")
        try:
            self._file.write(line)
        except OSError as error:
            raise InputError(f"what {self._place} sends cannot be kept: {error}") from error


Event = tuple[str, Fields]
"""The type of an event and its fields."""


def _job_begins(name: str, job: Fields) -> Iterator[Event]:
    """Yield the events with which a job begins."""
    submitted = {
        "jobid": name,
        "jobName": plain(job.get("name")),
        "userName": plain(job.get("user")),
        "jobQueueName": plain(job.get("queue")),
        "submitTime": moment(job.get("submitTime")),
    }
    yield "JOB_SUBMITTED", submitted
    totals = {"totalMaps": job.get("mapsTotal"), "totalReduces": job.get("reducesTotal")}
    yield "JOB_INITED", {"jobid": name, "launchTime": moment(job.get("startTime"))} | totals


def _job_ends(name: str, job: Fields) -> Iterator[Event]:
    """Yield the event with which a job ends, if it has ended."""
    ended, state = moment(job.get("finishTime")), plain(job.get("state"))
    if ended is not None:
        kind = "JOB_FINISHED" if state == "SUCCEEDED" else "JOB_FAILED"
        yield kind, {"jobid": name, "finishTime": ended, "jobStatus": state}


def _events_of_task(task: Fields, attempts: list[Fields]) -> Iterator[Event]:
    """Yield the events of a task and its attempts."""
    name, kind = task["id"], plain(task.get("type"))
    yield "TASK_STARTED", {"taskid": name, "taskType": kind, "startTime": moment(task.get("startTime"))}
    if kind not in KINDS:
        return
    for attempt in attempts:
        of_it = {"attemptId": plain(attempt.get("id")), "taskid": name, "taskType": kind}
        host = plain(attempt.get("nodeHttpAddress")).rpartition(":")[0]
        yield f"{kind}_ATTEMPT_STARTED", of_it | {"startTime": moment(attempt.get("startTime"))}
        ended, state = moment(attempt.get("finishTime")), plain(attempt.get("state"))
        if ended is None or state not in ENDED:
            continue
        phases = {
            "shuffleFinishTime": moment(attempt.get("shuffleFinishTime")),
            "sortFinishTime": moment(attempt.get("mergeFinishTime")),
        }
        what = "FINISHED" if state == "SUCCEEDED" else state
        ends = of_it | {"finishTime": ended, "hostname": host, "taskStatus": state}
        yield f"{kind}_ATTEMPT_{what}", ends | (phases if kind == "REDUCE" else {})


KIND = ServerKind(
    "MapReduce JobHistory Server", "/ws/v1/history/info", _is_one, _applications, _fetch, ".jhist"
)
