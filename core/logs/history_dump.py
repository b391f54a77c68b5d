"""History-server dumps: one JSON object per line, jobs in one file and their tasks in another.

Times are text (``"startTime":"1470865856293"``); the phases of a reduce are durations. Only the
successful attempt of each task is there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from core.logs.job_profile import PROFILE_ASSUMPTIONS
from core.logs.json_values import Decoded, Fields, decode_lines
from core.logs.logged_job import REDUCE_TYPE, JobBuilder, JobBuilders, job_of, milliseconds, plain_text
from core.logs.reader import Reader, holds_marks
from core.model.errors import Problem, shorten

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from core.logs.byte_source import ByteSource
    from core.logs.reader import Item, Values

_holds_jobs = holds_marks(
    rb'"(submitTime|totalMapTasks|completedMaps|avgShuffleTime|totalReduceTasks)"\s*:', 3
)
_holds_tasks = holds_marks(rb'"(jobId|shuffleTime|mergeTime|reduceTime|successfulAttempt)"\s*:', 3)
_ID = re.compile(rb'\{[^\n]{0,10000}?"_id"\s*:\s*"(?:job|task)_')
_JOB_ID = re.compile(rb'"(?:_id|jobId)"\s*:\s*"(job_[^"]{1,200})"')


def _recognises(head: bytes) -> bool:
    return bool(_ID.match(head.lstrip())) and (_holds_jobs(head) or _holds_tasks(head))


def _completes(head: bytes, neighbour: bytes) -> bool:
    """Whether a neighbour file has the tasks of these jobs, or the jobs of these tasks."""
    if _holds_tasks(head) and _holds_jobs(head):
        return False
    other_kind = _holds_tasks(neighbour) if _holds_jobs(head) else _holds_jobs(neighbour)
    return other_kind and not set(_JOB_ID.findall(head)).isdisjoint(_JOB_ID.findall(neighbour))


def _read(sources: Iterable[ByteSource], _values: Values) -> Iterator[Item]:
    jobs = JobBuilders()
    listed: set[str] = set()
    for source in sources:
        for decoded in decode_lines(source.chunks()):
            problem = _take(decoded, jobs, listed) if isinstance(decoded, Decoded) else decoded
            if problem:
                yield problem
    for job in jobs.values():
        if job.name not in listed:
            rule = "its tasks are there but not the job; give the file of the jobs, too"
            yield Problem(job.name, "", rule)
        yield job.built()


def _take(decoded: Decoded, jobs: JobBuilders, listed: set[str]) -> Problem | None:
    """Add a job or a task to what is known; return what is wrong with a line that is neither."""
    fields = decoded.value
    where, name = f"line {decoded.line}", plain_text(fields.get("_id"))
    owner = plain_text(fields.get("jobId")) or job_of(name)
    if name in listed:
        return Problem(where, name, "listed a second time; the first one is kept")
    if name.startswith("task_") and owner:
        _take_task(name, fields, jobs[owner])
    elif name.startswith("job_"):
        _take_job(fields, jobs[name])
    else:
        return Problem(where, shorten(fields), "neither a job nor a task of one; it is left out")
    listed.add(name)
    return None


def _take_job(fields: Fields, job: JobBuilder) -> None:
    job.title = plain_text(fields.get("name"))
    job.user = plain_text(fields.get("user"))
    job.pool = plain_text(fields.get("queue"))
    job.outcome = plain_text(fields.get("state"))
    job.submit, job.launch, job.finish = (
        fields.get(name) for name in ("submitTime", "startTime", "finishTime")
    )
    job.declared = [fields.get("totalMapTasks"), fields.get("totalReduceTasks")]


def _take_task(name: str, fields: Fields, job: JobBuilder) -> None:
    task = job.task(name, plain_text(fields.get("type")))
    succeeded = plain_text(fields.get("successfulAttempt"))
    attempt = task.attempt(succeeded or f"{name}_0")
    attempt.status = "SUCCEEDED" if succeeded else ""
    attempt.start, attempt.finish = fields.get("startTime"), fields.get("finishTime")
    attempt.host = plain_text(fields.get("httpAddress")).partition(":")[0]
    if task.type == REDUCE_TYPE:
        attempt.shuffle_finish = _later(attempt.start, fields.get("shuffleTime"))
        attempt.sort_finish = _later(attempt.shuffle_finish, fields.get("mergeTime"))


def _later(time: object, duration: object) -> int | None:
    start, lasted = milliseconds(time, 1), milliseconds(duration)
    return None if start is None or lasted is None else start + lasted


READER = Reader(
    "history-server",
    "history-server dump (JSON lines)",
    _recognises,
    _read,
    (
        *PROFILE_ASSUMPTIONS,
        "The dump has the successful attempt of each task only; what failed or was killed is not in it.",
    ),
    completes=_completes,
)
