"""Spark event logs: one JSON event per line.

Logs may be rolled over several files, and several applications may stand behind one another.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from core.logs.job_profile import PROFILE_ASSUMPTIONS
from core.logs.json_values import Decoded, Fields, decode_lines
from core.logs.reader import JobsOf, Reader
from core.logs.spark_application import APPLICATION_STARTS, LOG_STARTS, Application
from core.model.errors import Problem, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from core.logs.byte_source import ByteSource
    from core.logs.reader import Item, Values


_MARK = re.compile(rb'(?:\A|\n)[ \t]*\{[ \t]*"Event"\s*:\s*"(?:SparkListener|org\.apache\.spark\.)')
_EVENT = re.compile(rb'\{[ \t]*"Event"\s*:\s*"([\w.$]+)"')
_QUERY_STARTS = "org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionStart"
_TAKES: dict[str, Callable[[Application, Fields], str]] = {
    APPLICATION_STARTS: Application.take_start,
    "SparkListenerEnvironmentUpdate": lambda application, event: application.executors.take_settings(event),
    "SparkListenerResourceProfileAdded": lambda application, event: application.executors.take_profile(event),
    "SparkListenerExecutorAdded": lambda application, event: application.executors.take(event),
    "SparkListenerExecutorRemoved": lambda application, event: application.executors.take_away(event),
    _QUERY_STARTS: Application.take_query,
    "SparkListenerJobStart": Application.take_job,
    "SparkListenerJobEnd": Application.take_job_end,
    "SparkListenerStageSubmitted": Application.take_stage,
    "SparkListenerStageCompleted": Application.take_stage_end,
    "SparkListenerTaskStart": Application.take_task_start,
    "SparkListenerTaskEnd": Application.take_task,
}
_ENDS = "SparkListenerApplicationEnd"
_WANTED = {name.encode() for name in (*_TAKES, LOG_STARTS, _ENDS)}


def _is_wanted(line: bytes) -> bool:
    """Whether to decode a line: not if it is surely an event that does not concern tasks."""
    event = _EVENT.match(line)
    return event is None or event.group(1) in _WANTED


_BEGINS = re.compile(rb'\{[ \t]*"Event"\s*:\s*"SparkListener(?:LogStart|ApplicationStart)"')
_TIME = re.compile(rb'"(?:Timestamp|[A-Z][a-z]+ Time)"\s*:\s*(\d{12,18})\b')


def _part_began(head: bytes) -> float:
    """Return when a part of a rolled log began: the latest time that its first event with a time names.

    An event of a task names also when that was launched, long before.
    """
    if _BEGINS.search(head):
        return 0
    first = _TIME.search(head)
    if first is None:
        return float("inf")
    end = head.find(b"\n", first.start())
    # a search for the whole line would begin anew at each byte of a long one
    return max(map(int, _TIME.findall(head, first.start(), len(head) if end < 0 else end)))


_PART = re.compile(r"(?:.*[/ ])?events_(\d{1,6})_([^./ ]+)(\.[^/ ]*)?\Z")
"""The name of a part of a rolled log: its number, its application, and how it is packed."""
MAX_NAMED = 5
"""So many parts that are missing are named; the others are counted."""


def _lacks_parts(names: Sequence[str]) -> Iterator[str]:
    """Yield which parts of rolled logs are missing; Spark puts the first ones together as one ".compact"."""
    parts: dict[str, dict[int, bool]] = {}
    for found in filter(None, map(_PART.match, names)):
        of_one = parts.setdefault(found[2], {})
        number = int(found[1])
        of_one[number] = of_one.get(number, False) or ".compact" in (found[3] or "")
    for application, of_one in parts.items():
        first = max((number for number, is_compact in of_one.items() if is_compact), default=1)
        missing = [number for number in range(first, max(of_one)) if number not in of_one]
        if missing:
            more = len(missing) - MAX_NAMED
            listed = ", ".join(map(str, missing[:MAX_NAMED])) + (f" and {more} more" if more > 0 else "")
            of_all = f"{listed} of {max(of_one)} of the log of {application}"
            which = f"part {of_all} is" if len(missing) == 1 else f"parts {of_all} are"
            yield f"{which} missing; give all its files, events_1_{application} and on"


def _read(sources: Iterable[ByteSource], _values: Values) -> Iterator[Item]:
    application, last = Application(), Path()  # and the file that it was last read from
    for source in sources:
        # a file may be the next part of a rolled log; a first part says itself that it is one
        if last.parent != source.path.parent or application.has_ended:
            yield from _jobs_of(application, last, source.path)
            application = Application(application.number + 1)
            last = source.path
        for decoded in decode_lines(source.chunks(), _is_wanted):
            if not isinstance(decoded, Decoded):
                yield decoded
                continue
            if application.is_begun_again_by(decoded.value):
                yield from _jobs_of(application, last, source.path)
                application = Application(application.number + 1)
            last = source.path
            if problem := _take(decoded, application):
                yield problem
    yield from application.jobs_read()


def _jobs_of(application: Application, last: Path, now: Path) -> Iterator[Item]:
    """Yield the jobs of an application, which were read from the last file, while another is read."""
    if last.name and last != now:
        yield JobsOf(last)
    yield from application.jobs_read()
    if last.name and last != now:
        yield JobsOf(now)


def _take(decoded: Decoded, application: Application) -> Problem | None:
    event = decoded.value.get("Event")
    if event == LOG_STARTS:
        application.has_begun = True
    elif event == _ENDS:
        application.has_ended = True
    elif take := _TAKES.get(str(event)):
        if reason := take(application, decoded.value):
            return Problem(f"line {decoded.line}", f"an event {event}", f"{reason}; it is left out")
    elif not isinstance(event, str):
        return Problem(f"line {decoded.line}", shorten(decoded.value), "not an event; it is left out")
    return None


READER = Reader(
    "spark",
    "Spark event log",
    _MARK.search,
    _read,
    (
        PROFILE_ASSUMPTIONS[0],
        "A stage waits until all stages that it reads are complete. Its shuffle is the time in which a task "
        "waited for what it fetched.",
        "A job follows the one of its application that had ended last when it was submitted, after the time "
        "between: such links are inferred, and can be changed.",
    ),
    part_began=_part_began,
    lacks_parts=_lacks_parts,
)
