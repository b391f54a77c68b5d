"""Jobs of the YARN load simulator (SLS): one JSON object per job, one after the other.

Times are milliseconds from the first job; nothing is known of the phases of reduces.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.logs.job_profile import PROFILE_ASSUMPTIONS
from core.logs.json_values import Decoded, Fields, decode_values, objects_in
from core.logs.logged_job import (
    Attempt,
    LoggedJob,
    LoggedTask,
    host_name,
    milliseconds,
    plain_text,
)
from core.logs.reader import Reader, holds_marks
from core.model.errors import Problem, shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from core.logs.byte_source import ByteSource
    from core.logs.reader import Item, Values

_MARK = rb'"(am\.type|job\.(?:start\.ms|end\.ms|queue\.name|id|tasks)|container\.start\.ms)"\s*:'
_MAP_PRIORITY = 20


def _read(sources: Iterable[ByteSource], _values: Values) -> Iterator[Item]:
    for source in sources:
        for decoded in decode_values(source.chunks()):
            yield _job(decoded) if isinstance(decoded, Decoded) else decoded


def _job(decoded: Decoded) -> LoggedJob | Problem:
    fields = decoded.value
    where = f"line {decoded.line}"
    if not isinstance(fields, dict) or "job.tasks" not in fields:
        return Problem(where, shorten(fields), "not a job of the load simulator; it is left out")
    tasks = objects_in(fields["job.tasks"])
    if any("count" in task for task in tasks):
        rule = "its tasks are given by a count, so they did not really run; it is left out"
        return Problem(where, shorten(fields.get("job.id")), rule)
    listed = fields["job.tasks"] if isinstance(fields["job.tasks"], list) else [None]
    maps, reduces, others = _by_kind(tasks)
    return LoggedJob(
        name=plain_text(fields.get("job.id")),
        user=plain_text(fields.get("job.user")),
        pool=plain_text(fields.get("job.queue.name")) or "default",
        submit=milliseconds(fields.get("job.start.ms")),
        finish=milliseconds(fields.get("job.end.ms")),
        tasks=(maps, reduces),
        others=others,
        unreadable=len(listed) - len(tasks),
    )


def _by_kind(tasks: list[Fields]) -> tuple[tuple[LoggedTask, ...], ...]:
    kinds: dict[str, list[LoggedTask]] = {"map": [], "reduce": [], "other": []}
    for task in tasks:
        # where a container has no type, its priority says it
        by_priority = "map" if task.get("container.priority") == _MAP_PRIORITY else "reduce"
        kind = plain_text(task.get("container.type")) or by_priority
        found = kinds.get(kind, kinds["other"])
        found.append(LoggedTask(f"{kind} {len(found) + 1}", (_attempt(task),), kind))
    return tuple(tuple(found) for found in kinds.values())


def _attempt(task: Fields) -> Attempt:
    start, end = milliseconds(task.get("container.start.ms")), milliseconds(task.get("container.end.ms"))
    return Attempt(
        "unfinished" if end is None else "succeeded",
        start,
        end,
        host=host_name(task.get("container.host")),
    )


READER = Reader(
    "sls",
    "jobs of the YARN load simulator (SLS)",
    holds_marks(_MARK, 2),
    _read,
    (
        *PROFILE_ASSUMPTIONS[:1],
        "The log knows nothing of shuffles: they take 0 s, and a reduce that starts before the last map ends "
        "lasts from there on.",
    ),
)
