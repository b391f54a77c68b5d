"""JobTracker histories (Hadoop 0.18, 0.20, 1.x): text records, merged by the ids of job, task and attempt.

Many logs may stand in one file, each behind a line ``!!FILE=<name>!!``, with configurations between them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from core.logs.job_builder import JobBuilder, job_of, task_of
from core.logs.profile import PROFILE_ASSUMPTIONS
from core.logs.reader import Reader
from core.logs.recorded_job import ENDS_EARLY, plain_text
from core.logs.tracker_records import BEGINNING, PART, EndOfPart, TrackerRecord, records
from core.model.errors import Problem, shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from core.logs.byte_source import ByteSource
    from core.logs.reader import Item, Values

_MARKS = re.compile(rb"(?:\A|\n)(?:%s|%s)" % (PART.pattern, BEGINNING.pattern))
_TRACKER = re.compile(r"tracker_([^:]+)")


def _recognises(head: bytes) -> bool:
    return bool(_MARKS.search(head))


def _read(sources: Iterable[ByteSource], _values: Values) -> Iterator[Item]:
    for source in sources:
        jobs: dict[str, JobBuilder] = {}
        for record in records(source.chunks()):
            if isinstance(record, Problem):
                yield record
            elif isinstance(record, EndOfPart):
                yield from _finished(jobs)
                jobs = {}
            elif problem := _take(record, jobs):
                yield problem


def _finished(jobs: dict[str, JobBuilder]) -> Iterator[Item]:
    for job in jobs.values():
        if job.tasks and not job.has_ended:
            yield Problem(job.name, "", ENDS_EARLY)
        yield job.recorded()


def _take(record: TrackerRecord, jobs: dict[str, JobBuilder]) -> Problem | None:
    """Add what a record says to its job; return what is wrong with one that belongs to none."""
    if record.type == "Meta":
        return None
    takes = {"Job": _take_job, "Task": _take_task}.get(record.type, _take_attempt)
    if takes(record.fields, jobs):
        return None
    rule = "its job, task or attempt has no id; it is left out"
    return Problem(f"line {record.line}", shorten(f"{record.type} {record.fields}"), rule)


def _take_job(fields: dict[str, str], jobs: dict[str, JobBuilder]) -> bool:
    name = plain_text(fields.get("JOBID"))
    if not name:
        return False
    job = jobs.setdefault(name, JobBuilder(name))
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


def _take_task(fields: dict[str, str], jobs: dict[str, JobBuilder]) -> bool:
    name = plain_text(fields.get("TASKID"))
    if not job_of(name):
        return False
    _job(name, jobs).task(name, plain_text(fields.get("TASK_TYPE")))
    return True


def _take_attempt(fields: dict[str, str], jobs: dict[str, JobBuilder]) -> bool:
    name = plain_text(fields.get("TASK_ATTEMPT_ID"))
    task = plain_text(fields.get("TASKID")) or task_of(name)
    if not name or not job_of(task):
        return False
    attempt = _job(task, jobs).task(task, plain_text(fields.get("TASK_TYPE"))).attempt(name)
    attempt.host = _host(fields) or attempt.host
    attempt.status = fields.get("TASK_STATUS", attempt.status)
    attempt.start = fields.get("START_TIME", attempt.start)
    attempt.finish = fields.get("FINISH_TIME", attempt.finish)
    attempt.shuffle_finish = fields.get("SHUFFLE_FINISHED", attempt.shuffle_finish)
    attempt.sort_finish = fields.get("SORT_FINISHED", attempt.sort_finish)
    return True


def _host(fields: dict[str, str]) -> str:
    """Return the machine; some records name the TaskTracker instead: ``tracker_<host>:<address>:<port>``."""
    name = fields.get("HOSTNAME") or fields.get("TRACKER_NAME", "")
    tracker = _TRACKER.match(name)
    return tracker.group(1) if tracker else name


def _job(task: str, jobs: dict[str, JobBuilder]) -> JobBuilder:
    name = job_of(task)
    return jobs.setdefault(name, JobBuilder(name))


READER = Reader("jobtracker", "JobTracker history", _recognises, _read, PROFILE_ASSUMPTIONS)
