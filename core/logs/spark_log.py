"""Spark event logs: one JSON event per line; a job's stages become its maps and reduces.

A stage that reads no shuffle is a map stage, every other a reduce stage. Logs may be rolled over
several files, and several applications may stand behind one another.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from core.logs.json_lines import Fields, decode_lines
from core.logs.json_stream import Decoded
from core.logs.profile import PROFILE_ASSUMPTIONS
from core.logs.reader import Reader
from core.logs.spark_application import APPLICATION_STARTS, LOG_STARTS, Application
from core.model.errors import Problem, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from core.logs.byte_source import ByteSource
    from core.logs.reader import Item, Values

_MARK = re.compile(rb'(?:\A|\n)[ \t]*\{[ \t]*"Event"\s*:\s*"(?:SparkListener|org\.apache\.spark\.)')
_EVENT = re.compile(rb'\{[ \t]*"Event"\s*:\s*"([\w.$]+)"')
_TAKES: dict[str, Callable[[Application, Fields], bool]] = {
    APPLICATION_STARTS: Application.take_start,
    "SparkListenerExecutorAdded": Application.take_executor,
    "SparkListenerExecutorRemoved": Application.take_executor_away,
    "SparkListenerJobStart": Application.take_job,
    "SparkListenerJobEnd": Application.take_job_end,
    "SparkListenerStageSubmitted": Application.take_stage,
    "SparkListenerTaskEnd": Application.take_task,
}
_ENDS = "SparkListenerApplicationEnd"
_WANTED = {name.encode() for name in (*_TAKES, LOG_STARTS, _ENDS)}


def _recognises(head: bytes) -> bool:
    return bool(_MARK.search(head))


def _is_wanted(line: bytes) -> bool:
    """Whether to decode a line: not if it is surely an event that does not concern tasks."""
    event = _EVENT.match(line)
    return event is None or event.group(1) in _WANTED


def _read(sources: Iterable[ByteSource], _values: Values) -> Iterator[Item]:
    application, folder = Application(), None
    for source in sources:
        if not _goes_on(application, folder, source.path.parent):
            yield from application.jobs_read()
            application = Application()
        folder = source.path.parent
        for decoded in decode_lines(source.chunks(), _is_wanted):
            if not isinstance(decoded, Decoded):
                yield decoded
                continue
            if application.is_begun_again_by(decoded.value):
                yield from application.jobs_read()
                application = Application()
            if problem := _take(decoded, application):
                yield problem
    yield from application.jobs_read()


def _goes_on(application: Application, folder: Path | None, next_folder: Path) -> bool:
    """Whether a file may be the next part of a rolled log; a first part says itself that it is one."""
    return folder is None or (folder == next_folder and not application.has_ended)


def _take(decoded: Decoded, application: Application) -> Problem | None:
    event = decoded.value.get("Event")
    if event == LOG_STARTS:
        application.has_begun = True
    elif event == _ENDS:
        application.has_ended = True
    elif take := _TAKES.get(str(event)):
        if not take(application, decoded.value):
            rule = "it lacks a number of its job, stage or task; it is left out"
            return Problem(f"line {decoded.line}", f"an event {event}", rule)
    elif not isinstance(event, str):
        return Problem(f"line {decoded.line}", shorten(decoded.value), "not an event; it is left out")
    return None


READER = Reader(
    "spark",
    "Spark event log",
    _recognises,
    _read,
    (
        PROFILE_ASSUMPTIONS[0],
        "Tasks of stages that read no shuffle are maps, tasks of all other stages are reduces.",
        "The shuffle of a reduce is the time in which it waited for what it fetched.",
        "Reduces start when the maps have ended: slow start is 1.",
    ),
)
