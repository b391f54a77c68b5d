"""Rumen job traces: one JSON object per job, one after the other, as Hadoop's own tool writes them.

All generations (2009 to 2013) have the same fields for what is needed here; keys come in any order,
a missing time is -1 or null.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from core.logs.json_stream import Decoded, decode_values
from core.logs.profile import PROFILE_ASSUMPTIONS
from core.logs.reader import Reader
from core.logs.recorded_job import (
    RESULTS,
    Attempt,
    RecordedJob,
    RecordedTask,
    host_name,
    milliseconds,
    plain_text,
)
from core.logs.rumen_settings import settings_of
from core.model.errors import Problem, shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from core.logs.byte_source import ByteSource
    from core.logs.reader import Item, Values

Fields = dict[str, Any]  # a JSON object: its values may be anything, also what the format forbids

_MARKS = (b"jobID", b"mapTasks", b"reduceTasks", b"otherTasks", b"totalMaps", b"taskID", b"attemptID")
_MARK = re.compile(rb'"(%s)"\s*:' % b"|".join(_MARKS))
_MARKS_NEEDED = 2


def _recognises(head: bytes) -> bool:
    found = {mark.group(1) for mark in _MARK.finditer(head)}
    return len(found) >= _MARKS_NEEDED


def _read(sources: Iterable[ByteSource], _values: Values) -> Iterator[Item]:
    for source in sources:
        for decoded in decode_values(source.chunks()):
            yield _job(decoded) if isinstance(decoded, Decoded) else decoded


def _job(decoded: Decoded) -> RecordedJob | Problem:
    fields = decoded.value
    if not isinstance(fields, dict) or not {"jobID", "mapTasks", "reduceTasks"} & fields.keys():
        return Problem(f"line {decoded.line}", shorten(fields), "not a job of a Rumen trace; it is left out")
    maps, reduces, others = (_objects(fields.get(k)) for k in ("mapTasks", "reduceTasks", "otherTasks"))
    submit = milliseconds(fields.get("submitTime"))
    # some attempts that never began have 0 instead of -1
    earliest = 1 if submit else 0
    unreadable = sum(_unreadable(fields.get(k)) for k in ("mapTasks", "reduceTasks"))
    return RecordedJob(
        name=plain_text(fields.get("jobID")) or plain_text(fields.get("jobName")),
        user=plain_text(fields.get("user")),
        pool=plain_text(fields.get("queue")) or "default",
        outcome=plain_text(fields.get("outcome")),
        submit=submit,
        launch=milliseconds(fields.get("launchTime")),
        finish=milliseconds(fields.get("finishTime")),
        maps=_tasks(maps, earliest),
        reduces=_tasks(reduces, earliest),
        declared=(milliseconds(fields.get("totalMaps")), milliseconds(fields.get("totalReduces"))),
        others=_tasks(others, earliest, other=True),
        unreadable=unreadable,
        settings=settings_of(fields.get("jobProperties")),
        title=plain_text(fields.get("jobName")),
    )


def _objects(value: object) -> list[Fields]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _unreadable(tasks: object) -> int:
    """Count what is not an object where a list of tasks, and in each task of attempts, belongs."""
    if tasks is None:
        return 0
    if not isinstance(tasks, list):
        return 1
    bad_tasks = sum(not isinstance(task, dict) for task in tasks)
    lists = [task.get("attempts") for task in tasks if isinstance(task, dict)]
    bad_lists = sum(not isinstance(attempts, list) and attempts is not None for attempts in lists)
    bad_attempts = sum(
        not isinstance(a, dict) for attempts in lists if isinstance(attempts, list) for a in attempts
    )
    return bad_tasks + bad_lists + bad_attempts


def _tasks(tasks: Iterable[Fields], earliest: int, *, other: bool = False) -> tuple[RecordedTask, ...]:
    """Return the tasks by their ids, which end in padded numbers; the file lists them in any order."""
    read = [
        RecordedTask(
            plain_text(task.get("taskID")),
            tuple(_attempt(a, earliest) for a in _objects(task.get("attempts"))),
            (plain_text(task.get("taskType")) or "unknown") if other else "",
        )
        for task in tasks
    ]
    return tuple(sorted(read, key=lambda task: (len(task.name), task.name)))


def _attempt(fields: Fields, earliest: int) -> Attempt:
    host = fields.get("hostName")
    return Attempt(
        RESULTS.get(str(fields.get("result")), "unfinished"),
        milliseconds(fields.get("startTime"), earliest),
        milliseconds(fields.get("finishTime"), earliest),
        milliseconds(fields.get("shuffleFinished"), earliest),
        milliseconds(fields.get("sortFinished"), earliest),
        host_name(host) if isinstance(host, str) else "",
    )


READER = Reader("rumen", "Rumen job trace", _recognises, _read, PROFILE_ASSUMPTIONS)
