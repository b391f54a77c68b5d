"""JobTracker histories (Hadoop 0.18, 0.20, 1.x): text records, merged by the ids of job, task and attempt.

Many logs may stand in one file, each behind a line ``!!FILE=<name>!!``, with configurations between them.
A record is ``Type KEY="value" KEY="value" .`` and ends where its quotes do, at the end of a line: the stack
trace in an ``ERROR`` holds line ends. Hadoop 0.18 writes no dot behind it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from core.logs.byte_source import Line, text_lines, until_noise
from core.logs.job_profile import PROFILE_ASSUMPTIONS
from core.logs.logged_job import ENDS_EARLY, NO_ID, JobBuilders, plain_text
from core.logs.reader import Reader
from core.model.errors import Problem, shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from core.logs.byte_source import ByteSource
    from core.logs.reader import Item, Values


BEGINNING = re.compile(
    rb'(?:Meta VERSION|Job JOBID|Task TASKID|Task TASK_TYPE|(?:Map|Reduce)Attempt TASK(?:_TYPE|ID))="'
)
"""How a record begins, at the beginning of a line."""
PART = re.compile(rb"[\x0c$]*!!FILE=[^\r\n]*!!")
"""The line before each of several logs in one file."""
LONGEST_RECORD = 1 << 24
"""Bytes; a record whose quotes are still open then is given up."""

_QUOTES = re.compile(rb'\\.|(")', re.DOTALL)
_FIELD = re.compile(r' ([A-Z_]+)="([^"\\]*(?:\\.[^"\\]*)*)"', re.DOTALL)
_ENDS = re.compile(r" *\.? *")


class TrackerRecord(NamedTuple):
    """One record: the line it begins on, its type, and its values as they stand, with their escapes."""

    line: int
    type: str
    fields: dict[str, str]


class EndOfPart(NamedTuple):
    """The end of one log in the file."""


def records(chunks: Iterable[bytes]) -> Iterator[TrackerRecord | EndOfPart | Problem]:
    """Yield every record, a `Problem` in the place of each that is damaged, and the end of each log."""
    found: Iterator[TrackerRecord | EndOfPart | Problem] = until_noise(_answers(chunks))
    yield from found
    yield EndOfPart()


def _answers(chunks: Iterable[bytes]) -> Iterator[TrackerRecord | EndOfPart | Problem]:
    open_record = _OpenRecord()
    is_foreign = False  # in a part that is a configuration
    for line in text_lines(chunks):
        if isinstance(line, Problem):
            yield from open_record.close()
            yield line
        elif BEGINNING.match(line.data):
            yield from open_record.close()
            is_foreign = False
            yield from open_record.begin(line)
        elif PART.match(line.data):
            yield from open_record.close()
            yield EndOfPart()
            is_foreign = False
        elif open_record.is_open:
            yield from open_record.go_on(line)
        else:
            is_foreign |= line.data.lstrip().startswith(b"<")
            if line.data.strip() and not is_foreign:
                yield _damage(line.number, line.text, "not a record of a job, task or attempt")
    yield from open_record.close()


class _OpenRecord:
    """A record whose last line has perhaps not come yet."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []
        self._size = 0
        self._number = 0
        self.is_open = False

    def begin(self, line: Line) -> Iterator[TrackerRecord | Problem]:
        """Take the first line; a record that ends on it is yielded."""
        self._number = line.number
        yield from self.go_on(line)

    def go_on(self, line: Line) -> Iterator[TrackerRecord | Problem]:
        """Take another line; a record that ends on it is yielded."""
        self._lines.append(line.data)
        self._size += len(line.data)
        quotes = sum(map(bool, _QUOTES.findall(line.data)))
        self.is_open ^= quotes % 2 == 1
        if not self.is_open or self._size > LONGEST_RECORD:
            yield from self.close()

    def close(self) -> Iterator[TrackerRecord | Problem]:
        """Yield what was taken as a record, or as damage if it is none."""
        if self._lines:
            text = b"\n".join(self._lines).decode("utf-8", "surrogateescape")
            yield _record(self._number, text)
        self._lines.clear()
        self._size, self.is_open = 0, False


def _record(number: int, text: str) -> TrackerRecord | Problem:
    kind, _, _ = text.partition(" ")
    position = len(kind)
    fields = {}
    while found := _FIELD.match(text, position):
        fields[found.group(1)] = found.group(2)
        position = found.end()
    if _ENDS.fullmatch(text, position):
        return TrackerRecord(number, kind, fields)
    return _damage(number, text, f"damaged or cut short behind its character {position}")


def _damage(number: int, text: str, reason: str) -> Problem:
    return Problem(f"line {number}", shorten(text[:60]), f"{reason}; it is left out")


_MARKS = re.compile(rb"(?:\A|\n)(?:%s|%s)" % (PART.pattern, BEGINNING.pattern))
_TRACKER = re.compile(r"tracker_([^:]+)")


def _read(sources: Iterable[ByteSource], _values: Values) -> Iterator[Item]:
    for source in sources:
        jobs = JobBuilders()
        for record in records(source.chunks()):
            if isinstance(record, Problem):
                yield record
            elif isinstance(record, EndOfPart):
                yield from _finished(jobs)
                jobs = JobBuilders()
            elif problem := _take(record, jobs):
                yield problem


def _finished(jobs: JobBuilders) -> Iterator[Item]:
    for job in jobs.values():
        if job.tasks and not job.has_ended:
            yield Problem(job.name, "", ENDS_EARLY)
        yield job.built()


def _take(record: TrackerRecord, jobs: JobBuilders) -> Problem | None:
    """Add a record to its job; return what is wrong with one that belongs to none."""
    if record.type == "Meta":
        return None
    fields = record.fields
    if record.type == "Task":
        found = jobs.task(plain_text(fields.get("TASKID")), plain_text(fields.get("TASK_TYPE"))) is not None
    else:
        found = _take_job(fields, jobs) if record.type == "Job" else _take_attempt(fields, jobs)
    if found:
        return None
    return Problem(f"line {record.line}", shorten(f"{record.type} {fields}"), NO_ID)


def _take_job(fields: dict[str, str], jobs: JobBuilders) -> bool:
    name = plain_text(fields.get("JOBID"))
    if not name:
        return False
    job = jobs[name]
    job.title = plain_text(fields.get("JOBNAME")) or job.title
    job.user = plain_text(fields.get("USER")) or job.user
    job.pool = plain_text(fields.get("JOB_QUEUE")) or job.pool
    job.submit = fields.get("SUBMIT_TIME", job.submit)
    job.launch = fields.get("LAUNCH_TIME", job.launch)
    if "TOTAL_MAPS" in fields:
        job.declared = [fields["TOTAL_MAPS"], fields.get("TOTAL_REDUCES")]
    if "FINISH_TIME" in fields:
        job.finish = fields["FINISH_TIME"]
        job.outcome = plain_text(fields.get("JOB_STATUS"))
    return True


def _take_attempt(fields: dict[str, str], jobs: JobBuilders) -> bool:
    name, task, kind = (plain_text(fields.get(key)) for key in ("TASK_ATTEMPT_ID", "TASKID", "TASK_TYPE"))
    attempt = jobs.attempt(name, task, kind)
    if attempt is None:
        return False
    # some records name the TaskTracker instead of the machine: tracker_<host>:<address>:<port>
    host = fields.get("HOSTNAME") or fields.get("TRACKER_NAME", "")
    tracker = _TRACKER.match(host)
    attempt.host = (tracker[1] if tracker else host) or attempt.host
    attempt.status = fields.get("TASK_STATUS", attempt.status)
    attempt.start = fields.get("START_TIME", attempt.start)
    attempt.finish = fields.get("FINISH_TIME", attempt.finish)
    attempt.shuffle_finish = fields.get("SHUFFLE_FINISHED", attempt.shuffle_finish)
    attempt.sort_finish = fields.get("SORT_FINISHED", attempt.sort_finish)
    return True


READER = Reader("jobtracker", "JobTracker history", _MARKS.search, _read, PROFILE_ASSUMPTIONS)
