"""MRv2 job histories (``.jhist``): Avro records as JSON, one event per line, one job per file.

Line 1 is ``Avro-Json``, line 2 the schema; a licence may stand above and blank lines between. Optional
values are plain or wrapped (``{"string": ...}``); which fields there are differs between versions.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from core.logs.job_profile import PROFILE_ASSUMPTIONS
from core.logs.json_values import Decoded, Fields, decode_lines
from core.logs.logged_job import ENDS_EARLY, NO_ID, JobBuilders, plain_text
from core.logs.reader import Reader
from core.model.errors import Problem, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from core.logs.byte_source import ByteSource
    from core.logs.reader import Item, Values

_HEADER = re.compile(rb"(?:\A|\n)[ \t]*(?:\xef\xbb\xbf)?Avro-Json[ \t\r]*(?:\n|\Z)")
_EVENT = re.compile(rb'"event"\s*:\s*\{\s*"org\.apache\.hadoop\.mapreduce\.jobhistory\.')
_ATTEMPT = re.compile(r"(?:MAP|REDUCE|SETUP|CLEANUP)_ATTEMPT_(STARTED|FINISHED|FAILED|KILLED)\Z")
_WRAPPED = ("string", "long", "int", "boolean")


def _recognises(head: bytes) -> bool:
    return bool(_HEADER.search(head) or _EVENT.search(head))


def _read(sources: Iterable[ByteSource], _values: Values) -> Iterator[Item]:
    for source in sources:
        jobs = JobBuilders()
        for decoded in decode_lines(source.chunks(), _behind_header()):
            problem = _take(decoded, jobs) if isinstance(decoded, Decoded) else decoded
            if problem:
                yield problem
        for job in jobs.values():
            if not job.has_ended:
                yield Problem(job.name, "", ENDS_EARLY)
            yield job.built()


def _behind_header() -> Callable[[bytes], bool]:
    """Pass over a licence, the line ``Avro-Json`` and the schema behind it."""
    place = "licence"

    def is_event(line: bytes) -> bool:
        nonlocal place
        if place == "licence":
            place = "schema" if line.startswith(b"Avro-Json") else "events" if line[:1] == b"{" else place
            return place == "events"
        is_schema, place = place == "schema", "events"
        return not is_schema

    return is_event


def _take(decoded: Decoded, jobs: JobBuilders) -> Problem | None:
    """Add an event to its job; return what is wrong with an event that adds nothing."""
    event = decoded.value.get("event")
    fields = next(iter(event.values()), None) if isinstance(event, dict) else None
    if not isinstance(fields, dict):
        return Problem(f"line {decoded.line}", shorten(decoded.value), "not an event; it is left out")
    kind = str(decoded.value.get("type"))
    if kind.startswith("JOB_"):
        found = _take_job(kind, fields, jobs)
    elif kind in ("TASK_STARTED", "TASK_FINISHED", "TASK_FAILED"):
        found = jobs.task(_text(fields.get("taskid")), _text(fields.get("taskType"))) is not None
    elif attempt := _ATTEMPT.match(kind):
        found = _take_attempt(attempt.group(1), fields, jobs)
    else:
        return None  # what else is written does not concern times
    return None if found else Problem(f"line {decoded.line}", f"an event {kind}", NO_ID)


def _take_job(kind: str, fields: Fields, jobs: JobBuilders) -> bool:
    name = _text(fields.get("jobid"))
    if not name:
        return False
    job = jobs[name]
    job.title = _text(fields.get("jobName")) or job.title
    job.user = _text(fields.get("userName")) or job.user
    job.pool = _text(fields.get("jobQueueName")) or job.pool
    job.submit = _plain(fields.get("submitTime", job.submit))
    job.launch = _plain(fields.get("launchTime", job.launch))
    if kind == "JOB_INITED":
        job.declared = [_plain(fields.get("totalMaps")), _plain(fields.get("totalReduces"))]
    if kind in ("JOB_FINISHED", "JOB_FAILED", "JOB_KILLED", "JOB_ERROR"):
        job.finish = _plain(fields.get("finishTime"))
        ended = "SUCCEEDED" if kind == "JOB_FINISHED" else kind.removeprefix("JOB_")
        job.outcome = _text(fields.get("jobStatus")) or ended
    return True


def _take_attempt(what: str, fields: Fields, jobs: JobBuilders) -> bool:
    name, task, kind = (_text(fields.get(key)) for key in ("attemptId", "taskid", "taskType"))
    attempt = jobs.attempt(name, task, kind)
    if attempt is None:
        return False
    attempt.host = _text(fields.get("hostname")) or _text(fields.get("trackerName")) or attempt.host
    if what == "STARTED":
        attempt.start = _plain(fields.get("startTime"))
    else:
        ended = "SUCCEEDED" if what == "FINISHED" else what
        attempt.status = _text(fields.get("taskStatus")) or _text(fields.get("status")) or ended
        attempt.finish = _plain(fields.get("finishTime"))
        attempt.shuffle_finish = _plain(fields.get("shuffleFinishTime"))
        attempt.sort_finish = _plain(fields.get("sortFinishTime"))
    return True


def _plain(value: object) -> object:
    """Return an optional value without its wrapping."""
    if isinstance(value, dict) and len(value) == 1:
        ((kind, inner),) = value.items()
        return inner if kind in _WRAPPED else None
    return value


def _text(value: object) -> str:
    return plain_text(_plain(value))


READER = Reader("jhist", "MRv2 job history (.jhist)", _recognises, _read, PROFILE_ASSUMPTIONS)
