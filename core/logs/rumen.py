"""Rumen job traces: one JSON object per job, one after the other, as Hadoop's own tool writes them.

All generations (2009 to 2013) have the same fields for what is needed here; keys come in any order,
a missing time is -1 or null. The configuration inside a job (``jobProperties``) has the cluster's slots.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from core.logs.job_profile import PROFILE_ASSUMPTIONS
from core.logs.json_values import Decoded, Fields, decode_values, objects_in
from core.logs.logged_job import (
    RESULTS,
    Attempt,
    JobConfiguration,
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


_MARK = rb'"(jobID|mapTasks|reduceTasks|otherTasks|totalMaps|taskID|attemptID)"\s*:'

# each value has an old and a new name; the newer comes first
MAP_SLOTS = ("mapreduce.tasktracker.map.tasks.maximum", "mapred.tasktracker.map.tasks.maximum")
REDUCE_SLOTS = ("mapreduce.tasktracker.reduce.tasks.maximum", "mapred.tasktracker.reduce.tasks.maximum")
SLOWSTART = ("mapreduce.job.reduce.slowstart.completedmaps", "mapred.reduce.slowstart.completed.maps")
MAP_MEMORY = ("mapreduce.map.memory.mb", "mapred.job.map.memory.mb")
REDUCE_MEMORY = ("mapreduce.reduce.memory.mb", "mapred.job.reduce.memory.mb")
MAP_SLOT_MEMORY = ("mapreduce.cluster.mapmemory.mb", "mapred.cluster.map.memory.mb")
REDUCE_SLOT_MEMORY = ("mapreduce.cluster.reducememory.mb", "mapred.cluster.reduce.memory.mb")


def settings_of(properties: object) -> JobConfiguration:
    """Read slots per host, slots per task and slow start; what is absent or absurd stays unknown."""
    if not isinstance(properties, dict):
        return JobConfiguration()
    slowstart = _number(properties, SLOWSTART)
    return JobConfiguration(
        map_slots=_slots(properties, MAP_SLOTS),
        reduce_slots=_slots(properties, REDUCE_SLOTS),
        slots_per_map=_slots_per_task(properties, MAP_MEMORY, MAP_SLOT_MEMORY),
        slots_per_reduce=_slots_per_task(properties, REDUCE_MEMORY, REDUCE_SLOT_MEMORY),
        slowstart=slowstart if slowstart is not None and slowstart <= 1 else None,
    )


def _number(properties: dict[str, Any], names: tuple[str, ...]) -> float | None:
    for name in names:
        try:
            number = float(properties[name])
        except (KeyError, TypeError, ValueError, OverflowError):
            continue
        if math.isfinite(number) and number >= 0:
            return number
    return None


def _slots(properties: dict[str, Any], names: tuple[str, ...]) -> int | None:
    number = _number(properties, names)
    return int(number) if number is not None and number >= 1 else None


def _slots_per_task(properties: dict[str, Any], task: tuple[str, ...], slot: tuple[str, ...]) -> int:
    """Return how many slots a task takes: its memory in slots' memories, rounded up."""
    wanted, offered = _number(properties, task), _number(properties, slot)
    return max(1, math.ceil(wanted / offered)) if wanted and offered else 1


def _read(sources: Iterable[ByteSource], _values: Values) -> Iterator[Item]:
    for source in sources:
        for decoded in decode_values(source.chunks()):
            yield _job(decoded) if isinstance(decoded, Decoded) else decoded


def _job(decoded: Decoded) -> LoggedJob | Problem:
    fields = decoded.value
    if not isinstance(fields, dict) or not {"jobID", "mapTasks", "reduceTasks"} & fields.keys():
        return Problem(f"line {decoded.line}", shorten(fields), "not a job of a Rumen trace; it is left out")
    maps, reduces, others = (objects_in(fields.get(k)) for k in ("mapTasks", "reduceTasks", "otherTasks"))
    submit = milliseconds(fields.get("submitTime"))
    # some attempts that never began have 0 instead of -1
    earliest = 1 if submit else 0
    unreadable = sum(_unreadable(fields.get(k)) for k in ("mapTasks", "reduceTasks"))
    return LoggedJob(
        name=plain_text(fields.get("jobID")) or plain_text(fields.get("jobName")),
        user=plain_text(fields.get("user")),
        pool=plain_text(fields.get("queue")) or "default",
        outcome=plain_text(fields.get("outcome")),
        submit=submit,
        launch=milliseconds(fields.get("launchTime")),
        finish=milliseconds(fields.get("finishTime")),
        tasks=(_tasks(maps, earliest), _tasks(reduces, earliest)),
        declared=(milliseconds(fields.get("totalMaps")), milliseconds(fields.get("totalReduces"))),
        others=_tasks(others, earliest, other=True),
        unreadable=unreadable,
        settings=settings_of(fields.get("jobProperties")),
        title=plain_text(fields.get("jobName")),
    )


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


def _tasks(tasks: Iterable[Fields], earliest: int, *, other: bool = False) -> tuple[LoggedTask, ...]:
    """Return the tasks by their ids, which end in padded numbers; the file lists them in any order."""
    read = [
        LoggedTask(
            plain_text(task.get("taskID")),
            tuple(_attempt(a, earliest) for a in objects_in(task.get("attempts"))),
            (plain_text(task.get("taskType")) or "unknown") if other else "",
        )
        for task in tasks
    ]
    return tuple(sorted(read, key=lambda task: (len(task.name), task.name)))


def _attempt(fields: Fields, earliest: int) -> Attempt:
    return Attempt(
        RESULTS.get(str(fields.get("result")), "unfinished"),
        milliseconds(fields.get("startTime"), earliest),
        milliseconds(fields.get("finishTime"), earliest),
        milliseconds(fields.get("shuffleFinished"), earliest),
        milliseconds(fields.get("sortFinished"), earliest),
        host_name(fields.get("hostName")),
    )


READER = Reader("rumen", "Rumen job trace", holds_marks(_MARK, 2), _read, PROFILE_ASSUMPTIONS)
