"""Spark event logs: one JSON event per line; a job's stages become its maps and reduces.

A stage that reads no shuffle is a map stage, every other a reduce stage. Logs may be rolled over
several files, and several applications may stand behind one another.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from core.logs.job_profile import PROFILE_ASSUMPTIONS
from core.logs.json_values import Decoded, Fields, decode_lines, objects_in
from core.logs.logged_job import (
    ENDS_EARLY,
    Attempt,
    JobConfiguration,
    LoggedJob,
    LoggedStage,
    LoggedTask,
    host_name,
    milliseconds,
    plain_text,
)
from core.logs.reader import Reader
from core.logs.stage_waits import waits_beyond_model
from core.model.errors import Problem, shorten

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from core.logs.byte_source import ByteSource
    from core.logs.reader import Item, Values
    from core.model.execution_history import Result


Number = tuple[int, int]
"""A stage and the number of a task in it."""

PAIR = 2
MAX_CORES = 1 << 20
CORES = "cores of executors"
SUCCEEDED = "JobSucceeded"
CHAINED = "stages read another reduce stage; their reduces need not wait here"
LOG_STARTS, APPLICATION_STARTS = "SparkListenerLogStart", "SparkListenerApplicationStart"


@dataclass(slots=True)
class _SparkStage:
    """Whether a stage reads a shuffle, the stages it reads, its tasks, and whether it was really run."""

    parents: frozenset[int] = frozenset()
    tasks: int = 0
    has_run: bool = False


@dataclass(slots=True)
class _SparkJob:
    """A job as far as it is known; times as they stand in the log."""

    number: int
    pool: str
    submit: object
    stages: list[int]
    end: object = None
    result: str = ""


@dataclass(slots=True)
class Application:
    """Jobs, stages and tasks of one application; every `take` returns whether it could use the event.

    Attributes
    ----------
    has_begun, has_ended : whether its first or last event was met
    """

    has_begun: bool = False
    has_ended: bool = False
    _name: str = ""
    _title: str = ""
    _user: str = ""
    _jobs: dict[int, _SparkJob] = field(default_factory=dict)
    _stages: dict[int, _SparkStage] = field(default_factory=dict)
    _attempts: dict[Number, list[Attempt]] = field(default_factory=dict)
    _cores: dict[str, int] = field(default_factory=dict)
    _most_cores: int = 0
    _most_executors: int = 0
    _executors_change: bool = False
    _task_cores: int = 1
    _mode: str = ""

    def is_begun_again_by(self, fields: Fields) -> bool:
        """Whether an event is the first of another application."""
        event = fields.get("Event")
        return (event == LOG_STARTS and self.has_begun) or (
            event == APPLICATION_STARTS and (self.has_ended or bool(self._name))
        )

    def take_start(self, fields: Fields) -> bool:
        """Take its names."""
        self.has_begun = True
        self._title = plain_text(fields.get("App Name"))
        self._name = plain_text(fields.get("App ID")) or self._title
        self._user = plain_text(fields.get("User"))
        return True

    def take_settings(self, fields: Fields) -> bool:
        """Take how many cores a task occupies, and the order in which jobs are served."""
        properties = fields.get("Spark Properties")
        if isinstance(properties, list):  # pairs, before Spark 3
            pairs = [each for each in properties if isinstance(each, list) and len(each) == PAIR]
            properties = {str(name): value for name, value in pairs}
        if isinstance(properties, dict):
            cores = milliseconds(properties.get("spark.task.cpus"), 1)
            self._task_cores = cores if cores is not None and cores <= MAX_CORES else 1
            self._mode = plain_text(properties.get("spark.scheduler.mode")).upper()
        return True

    def take_executor(self, fields: Fields) -> bool:
        """Take the cores of an executor: so many tasks run on it at once."""
        cores = milliseconds(_inside(fields, "Executor Info", "Total Cores"))
        if cores is not None and cores <= MAX_CORES:
            self._cores[str(fields.get("Executor ID"))] = cores
            self._most_cores = max(self._most_cores, sum(self._cores.values()))
            self._most_executors = max(self._most_executors, len(self._cores))
            self._executors_change |= bool(self._attempts)
        return True

    def take_executor_away(self, fields: Fields) -> bool:
        """Forget the cores of an executor."""
        self._cores.pop(str(fields.get("Executor ID")), None)
        self._executors_change = True
        return True

    def take_job(self, fields: Fields) -> bool:
        """Take a job with its stages."""
        number = milliseconds(fields.get("Job ID"))
        if number is None:
            return False
        for info in objects_in(fields.get("Stage Infos")):
            self._describe(info)
        listed = fields.get("Stage IDs")
        stages = [stage for stage in listed if type(stage) is int] if isinstance(listed, list) else []
        pool = plain_text(_inside(fields, "Properties", "spark.scheduler.pool"))
        self._jobs[number] = _SparkJob(number, pool or "default", fields.get("Submission Time"), stages)
        return True

    def take_job_end(self, fields: Fields) -> bool:
        """Take the end of a job."""
        number = milliseconds(fields.get("Job ID"))
        if number is None or number not in self._jobs:
            return False
        self._jobs[number].end = fields.get("Completion Time")
        self._jobs[number].result = plain_text(_inside(fields, "Job Result", "Result"))
        return True

    def take_stage(self, fields: Fields) -> bool:
        """Take a stage that is about to run."""
        info = fields.get("Stage Info")
        stage = self._describe(info) if isinstance(info, dict) else None
        if stage is not None:
            stage.has_run = True
        return stage is not None

    def take_task(self, fields: Fields) -> bool:
        """Take a task attempt that has ended."""
        stage, info = milliseconds(fields.get("Stage ID")), fields.get("Task Info")
        if stage is None or not isinstance(info, dict):
            return False
        # tasks of a stage that is tried again are numbered anew, partitions are not
        number = milliseconds(info.get("Partition ID", info.get("Index")))
        if number is None:
            return False
        start = milliseconds(info.get("Launch Time"), 1)
        waited = milliseconds(_inside(fields, "Task Metrics", "Shuffle Read Metrics", "Fetch Wait Time")) or 0
        fetched = None if start is None else start + waited
        attempt = Attempt(
            _result(fields, info),
            start,
            milliseconds(info.get("Finish Time"), 1),
            fetched,
            fetched,
            host_name(info.get("Host")),
        )
        self._attempts.setdefault((stage, number), []).append(attempt)
        return True

    def jobs_read(self) -> Iterator[LoggedJob | Problem]:
        """Yield the jobs, and what is wrong with them."""
        owners: dict[int, _SparkJob] = {}
        for job in self._jobs.values():
            for stage in job.stages:
                owners.setdefault(stage, job)  # later jobs list a stage again and skip it
        tasks: dict[int, list[Number]] = {}
        for number in sorted(self._attempts):
            owner = owners.get(number[0])
            tasks.setdefault(-1 if owner is None else owner.number, []).append(number)
        for job in self._jobs.values():
            if milliseconds(job.end, 1) is None and job.number in tasks:
                yield Problem(self._job_name(job), "", ENDS_EARLY)
            yield self._built(job, tasks.get(job.number, []), owners)
        if lost := tasks.get(-1):
            rule = f"{len(lost)} tasks belong to stages of no known job; they are left out"
            yield Problem(self._name or "an application", "", rule)

    def _describe(self, info: Fields) -> _SparkStage | None:
        number = milliseconds(info.get("Stage ID"))
        if number is None:
            return None
        stage = self._stages.setdefault(number, _SparkStage())
        parents = info.get("Parent IDs")
        if isinstance(parents, list):
            stage.parents = frozenset(parent for parent in parents if type(parent) is int)
        stage.tasks = milliseconds(info.get("Number of Tasks")) or 0
        return stage

    def _job_name(self, job: _SparkJob) -> str:
        return f"{self._name} job {job.number}".strip()

    def _built(self, job: _SparkJob, numbers: list[Number], owners: dict[int, _SparkJob]) -> LoggedJob:
        known = {stage: self._stages.get(stage, _SparkStage()) for stage in job.stages}
        maps = tuple(self._task(number) for number in numbers if not known[number[0]].parents)
        reduces = tuple(self._task(number) for number in numbers if known[number[0]].parents)
        mine = [stage for number, stage in known.items() if owners[number] is job and stage.has_run]
        stages = self._stages_of(numbers, known)
        return LoggedJob(
            name=self._job_name(job),
            title=self._title,
            user=self._user,
            pool=job.pool,
            outcome="SUCCEEDED" if job.result == SUCCEEDED else job.result,
            submit=milliseconds(job.submit, 1),
            finish=milliseconds(job.end, 1),
            tasks=(maps, reduces),
            declared=(
                sum(stage.tasks for stage in mine if not stage.parents),
                sum(stage.tasks for stage in mine if stage.parents),
            ),
            settings=JobConfiguration(
                containers=self._most_cores // self._task_cores,
                has_containers=True,
                containers_are=CORES if self._task_cores == 1 else f"{CORES} / {self._task_cores} per task",
                usual_slowstart=(1.0, "as in Spark"),
                executors=self._most_executors,
                executors_change=self._executors_change,
                scheduler=self._mode,
            ),
            notes=((CHAINED, late),) if (late := waits_beyond_model(stages)) else (),
            stages=stages,
            driver=self._name,
        )

    def _stages_of(self, numbers: list[Number], known: dict[int, _SparkStage]) -> tuple[LoggedStage, ...]:
        """Return the stages of which a job has tasks; one that an earlier job has run is none of these."""
        ran = sorted({stage for stage, _ in numbers}, key=lambda stage: (bool(known[stage].parents), stage))
        place = {stage: i for i, stage in enumerate(ran)}
        counting = Counter(number[0] for number in numbers if self._task(number).counting)
        return tuple(
            LoggedStage(
                not known[stage].parents,
                counting[stage],
                tuple(sorted(place[parent] for parent in known[stage].parents if parent in place)),
                stage,
            )
            for stage in ran
        )

    def _task(self, number: Number) -> LoggedTask:
        return LoggedTask(f"stage {number[0]} task {number[1]}", tuple(self._attempts[number]))


def _inside(fields: Fields, *names: str) -> object:
    value: object = fields
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _result(fields: Fields, info: Fields) -> Result:
    reason = _inside(fields, "Task End Reason", "Reason")
    if reason == "Success":
        return "succeeded"
    return "killed" if reason == "TaskKilled" or info.get("Killed") is True else "failed"


_MARK = re.compile(rb'(?:\A|\n)[ \t]*\{[ \t]*"Event"\s*:\s*"(?:SparkListener|org\.apache\.spark\.)')
_EVENT = re.compile(rb'\{[ \t]*"Event"\s*:\s*"([\w.$]+)"')
_TAKES: dict[str, Callable[[Application, Fields], bool]] = {
    APPLICATION_STARTS: Application.take_start,
    "SparkListenerEnvironmentUpdate": Application.take_settings,
    "SparkListenerExecutorAdded": Application.take_executor,
    "SparkListenerExecutorRemoved": Application.take_executor_away,
    "SparkListenerJobStart": Application.take_job,
    "SparkListenerJobEnd": Application.take_job_end,
    "SparkListenerStageSubmitted": Application.take_stage,
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


def _read(sources: Iterable[ByteSource], _values: Values) -> Iterator[Item]:
    application, folder = Application(), Path()
    for source in sources:
        # a file may be the next part of a rolled log; a first part says itself that it is one
        if folder != source.path.parent or application.has_ended:
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


NO_START = "the log does not have the start of its job"
NO_NUMBER = "it lacks a number of its job, stage or task"


def _take(decoded: Decoded, application: Application) -> Problem | None:
    event = decoded.value.get("Event")
    if event == LOG_STARTS:
        application.has_begun = True
    elif event == _ENDS:
        application.has_ended = True
    elif take := _TAKES.get(str(event)):
        if not take(application, decoded.value):
            rule = NO_START if milliseconds(decoded.value.get("Job ID")) is not None else NO_NUMBER
            return Problem(f"line {decoded.line}", f"an event {event}", f"{rule}; it is left out")
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
        "Tasks of stages that read no shuffle are maps, tasks of all other stages are reduces.",
        "The shuffle of a reduce is the time in which it waited for what it fetched.",
    ),
    part_began=_part_began,
)
