"""Jobs, stages and tasks of one Spark application, as its events name them one by one.

Stages and tasks name no job. A stage belongs to the first job that lists it and had not ended when it ran;
later ones skip it. Stages that no known job lists, as where the start of a job is missing, are kept: see
`Application.jobs_read`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from core.logs.json_values import fields_of, objects_in
from core.logs.logged_job import (
    ENDS_EARLY,
    LATEST,
    Attempt,
    LoggedJob,
    LoggedStage,
    LoggedTask,
    host_name,
    milliseconds,
    plain_text,
)
from core.logs.spark_executors import Executors
from core.logs.spark_stages import SparkJob, SparkStage, stages_to_come, tasks_to_come
from core.model.errors import Problem, shorten

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from core.logs.json_values import Fields
    from core.logs.logged_job import JobConfiguration
    from core.model.task_types import Result


Partition = tuple[int, int]
"""A stage and the number of a task in it."""

LOG_STARTS, APPLICATION_STARTS = "SparkListenerLogStart", "SparkListenerApplicationStart"
SUCCEEDED = "JobSucceeded"
MAX_NAMED = 3
"""Stages in the name of a job of which they are all that is known."""
LONGEST_TITLE = 60
"""Characters of what a job does in its name."""
LINE_BREAK = re.compile(r"<br ?/?>")
SKIPPED = "stages skipped, as what they write was there already"
RUN_AGAIN = "stage attempts failed; the stages were run again"
NO_START_OF_JOB = (
    "the log does not have its start; the stages that ran before its end and belong to no other job are "
    "taken for its own"
)
NO_END_TIME = (
    "the log says that this job ended, and not when, as Spark did before 1.3; it ends here with its last task"
)
NO_JOB_OF_STAGES = "the log has no job to which these stages belong; they are kept as a job of their own"


@dataclass(slots=True)
class Application:
    """Jobs, stages and tasks; every `take` returns why it could not use the event, "" if it could.

    Attributes
    ----------
    number : of the application among those of an import
    has_begun, has_ended : whether its first or last event was met
    """

    number: int = 1
    has_begun: bool = False
    has_ended: bool = False
    executors: Executors = field(default_factory=Executors)
    _name: str = ""
    _title: str = ""
    _user: str = ""
    _jobs: dict[int, SparkJob] = field(default_factory=dict)
    _stages: dict[int, SparkStage] = field(default_factory=dict)
    _attempts: dict[Partition, list[Attempt]] = field(default_factory=dict)
    _executions: dict[int, str] = field(default_factory=dict)
    _running: dict[int | None, tuple[Partition, Attempt]] = field(default_factory=dict)

    def is_begun_again_by(self, fields: Fields) -> bool:
        """Whether an event is the first of another application."""
        event = fields.get("Event")
        return (event == LOG_STARTS and self.has_begun) or (
            event == APPLICATION_STARTS and (self.has_ended or bool(self._name))
        )

    def take_start(self, fields: Fields) -> str:
        """Take its names."""
        self.has_begun = True
        self._title = plain_text(fields.get("App Name"))
        self._name = plain_text(fields.get("App ID")) or self._title
        self._user = plain_text(fields.get("User"))
        self.executors.demand.take_start(milliseconds(fields.get("Timestamp"), 1))
        return ""

    def take_query(self, fields: Fields) -> str:
        """Take what a SQL query is called."""
        number = milliseconds(fields.get("executionId"))
        if number is not None:
            self._executions[number] = _described(fields.get("description"))
        return ""

    def take_job(self, fields: Fields) -> str:
        """Take a job with its stages."""
        number = milliseconds(fields.get("Job ID"))
        if number is None:
            return _not_a_number(fields, "Job ID")
        for info in objects_in(fields.get("Stage Infos")):
            self._describe(info)
        listed, known = fields.get("Stage IDs"), fields_of(fields.get("Properties"))
        stages = [stage for stage in listed if type(stage) is int] if isinstance(listed, list) else []
        ended = self._jobs.get(number, SparkJob(number))
        self._jobs[number] = SparkJob(
            number,
            plain_text(known.get("spark.scheduler.pool")) or "default",
            fields.get("Submission Time"),
            stages,
            ended.end,
            ended.result,
            milliseconds(known.get("spark.sql.execution.id")),
            _described(known.get("spark.job.description")) or self._stage(max(stages, default=-1)).name,
        )
        return ""

    def take_job_end(self, fields: Fields) -> str:
        """Take the end of a job."""
        number = milliseconds(fields.get("Job ID"))
        if number is None:
            return _not_a_number(fields, "Job ID")
        job = self._jobs.setdefault(number, SparkJob(number, has_start=False))
        job.end = fields.get("Completion Time")
        job.result = plain_text(fields_of(fields.get("Job Result")).get("Result"))
        return ""

    def take_stage(self, fields: Fields) -> str:
        """Take a stage that is about to run."""
        info = fields_of(fields.get("Stage Info"))
        stage = self._describe(info)
        if stage is None:
            return _not_a_number(info, "Stage ID")
        stage.has_run = True
        submitted = milliseconds(info.get("Submission Time"), 1)
        stage.submitted = submitted if stage.submitted is None else stage.submitted
        return ""

    def take_stage_end(self, fields: Fields) -> str:
        """Take a stage that is complete, or of which an attempt failed."""
        info = fields_of(fields.get("Stage Info"))
        stage = self._describe(info)
        if stage is None:
            return _not_a_number(info, "Stage ID")
        stage.has_run = True
        stage.failures += bool(info.get("Failure Reason"))
        stage.completed = milliseconds(info.get("Completion Time"), 1) or stage.completed
        if stage.submitted is None:
            stage.submitted = milliseconds(info.get("Submission Time"), 1)
        return ""

    def take_task_start(self, fields: Fields) -> str:
        """Take a task attempt that has started."""
        stage, info = milliseconds(fields.get("Stage ID")), fields_of(fields.get("Task Info"))
        number = milliseconds(info.get(_place_in(info)))
        task, start = milliseconds(info.get("Task ID")), milliseconds(info.get("Launch Time"), 1)
        if stage is not None and number is not None and task is not None:
            host = host_name(info.get("Host"))
            self._running[task] = (stage, number), Attempt("unfinished", start, None, host=host)
        return ""  # what is wrong with it is said of its end

    def take_task(self, fields: Fields) -> str:
        """Take a task attempt that has ended."""
        stage, info = milliseconds(fields.get("Stage ID")), fields_of(fields.get("Task Info"))
        if stage is None:
            return _not_a_number(fields, "Stage ID")
        place = _place_in(info)
        number = milliseconds(info.get(place))
        if number is None:
            return _not_a_number(info, place)
        self._running.pop(milliseconds(info.get("Task ID")), None)
        start, finish = (milliseconds(info.get(f"{what} Time"), 1) for what in ("Launch", "Finish"))
        read = fields_of(fields_of(fields.get("Task Metrics")).get("Shuffle Read Metrics"))
        waited = milliseconds(read.get("Fetch Wait Time")) or 0
        fetched = None if start is None else start + waited
        self.executors.demand.take_task(fields, start, finish)
        reason = fields_of(fields.get("Task End Reason")).get("Reason")
        attempt = Attempt(_result(reason, info), start, finish, fetched, fetched, host_name(info.get("Host")))
        tries = self._attempts.setdefault((stage, number), [])
        if reason == "Resubmitted":  # it had succeeded, and what it wrote is lost
            tries[:] = [each for each in tries if each[1:3] != (start, finish)]
        tries.append(attempt)
        return ""

    def jobs_read(self) -> Iterator[LoggedJob | Problem]:
        """Yield the jobs, and what is wrong with them.

        A job of which the log has the end alone gets the stages that no job lists and that ended before it
        did, since another such job ended. Those that remain are jobs of their own, as far as they hang
        together.
        """
        owners = self._owners()
        for (stage, number), attempt in self._running.values():
            if self._goes_on(owners.get(stage)):
                self._attempts.setdefault((stage, number), []).append(attempt)
        jobs = [*self._jobs.values(), *self._jobs_of_lost_stages(owners)]
        mine: dict[int, list[int]] = {id(job): [] for job in jobs}
        for stage, job in sorted(owners.items(), key=itemgetter(0)):
            mine[id(job)].append(stage)
        tasks = {stage: list(each) for stage, each in groupby(sorted(self._attempts), key=itemgetter(0))}
        settings = self.executors.settings()
        for job in jobs:
            known = {stage: self._stage(stage) for stage in mine[id(job)]}
            waits = stages_to_come(known) if self._goes_on(job) else set[int]()
            stages = [
                stage
                for stage in mine[id(job)]
                if stage in tasks or stage in waits or self._stage(stage).has_run
            ]
            if job.number is None:
                yield Problem(self._job_name(job), "", NO_JOB_OF_STAGES)
            elif not job.has_start:
                yield Problem(self._job_name(job), "", NO_START_OF_JOB)
            elif milliseconds(job.end, 1) is None and any(stage in tasks for stage in stages):
                yield Problem(self._job_name(job), "", NO_END_TIME if job.result else ENDS_EARLY)
            yield self._built(job, {stage: tasks.get(stage, []) for stage in stages}, settings)

    def _stage(self, number: int) -> SparkStage:
        return self._stages.get(number) or SparkStage()

    def _goes_on(self, job: SparkJob | None) -> bool:
        """Whether the log ends before a job does."""
        return job is not None and job.goes_on and not self.has_ended

    def _owners(self) -> dict[int, SparkJob]:
        """Return the job that each listed stage belongs to."""
        owners: dict[int, SparkJob] = {}
        for job in self._jobs.values():
            for stage in job.stages:
                owner = owners.get(stage)
                if owner is None or self._ran_after(owner, stage):
                    owners[stage] = job
        return owners

    def _ran_after(self, job: SparkJob, stage: int) -> bool:
        """Whether a stage was submitted when a job had ended."""
        end, submitted = milliseconds(job.end, 1), self._stage(stage).submitted
        return end is not None and submitted is not None and submitted > end

    def _jobs_of_lost_stages(self, owners: dict[int, SparkJob]) -> list[SparkJob]:
        """Give stages that no job lists to jobs without a start; return new ones for those that remain."""
        ends: dict[int, int] = {}
        for (stage, _), tries in self._attempts.items():
            ends[stage] = max(ends.get(stage, 0), *(attempt.finish or 0 for attempt in tries))
        without_start = sorted(
            (job for job in self._jobs.values() if not job.has_start),
            key=lambda job: milliseconds(job.end, 1) or LATEST,
        )
        found: list[SparkJob] = []
        for group in self._connected(sorted(set(ends).difference(owners))):
            ended = max(ends[stage] for stage in group)
            later = (job for job in without_start if (milliseconds(job.end, 1) or LATEST) >= ended)
            job = next(later, None)
            if job is None:
                job = SparkJob(None)
                found.append(job)
            job.stages += group
            owners |= dict.fromkeys(group, job)
        return found

    def _connected(self, stages: Sequence[int]) -> list[list[int]]:
        """Return stages in groups: with those that they read, and that read them, among these."""
        beside: dict[int, list[int]] = {stage: [] for stage in stages}
        for stage in stages:
            for parent in self._stage(stage).parents.intersection(beside):
                beside[stage].append(parent)
                beside[parent].append(stage)
        groups: list[list[int]] = []
        while beside:
            stage = next(iter(beside))
            reached, group = [*beside.pop(stage)], [stage]
            while reached:
                if (stage := reached.pop()) in beside:
                    group.append(stage)
                    reached += beside.pop(stage)
            groups.append(sorted(group))
        return groups

    def _describe(self, info: Fields) -> SparkStage | None:
        number = milliseconds(info.get("Stage ID"))
        if number is None:
            return None
        stage = self._stages.setdefault(number, SparkStage())
        parents = info.get("Parent IDs")
        if isinstance(parents, list):
            stage.parents = frozenset(parent for parent in parents if type(parent) is int)
        stage.tasks = milliseconds(info.get("Number of Tasks")) or 0
        stage.name = plain_text(info.get("Stage Name")) or stage.name
        return stage

    def _job_name(self, job: SparkJob) -> str:
        """Return what a job is called: its number, what it does, and its application."""
        if job.number is None:
            some = [*map(str, job.stages[:MAX_NAMED]), *["…"][: len(job.stages) - MAX_NAMED]]
            name = f"stage{'s' * (len(job.stages) > 1)} {', '.join(some)}"
        else:
            name = f"job {job.number}"
        what = self._executions.get(job.execution, "") if job.execution is not None else ""
        what = what or job.title
        does = f": {what if len(what) <= LONGEST_TITLE else what[: LONGEST_TITLE - 1] + '…'}" if what else ""
        return f"{name}{does} ({self._name})" if self._name else f"{name}{does}"

    def _built(
        self, job: SparkJob, partitions: Mapping[int, Sequence[Partition]], settings: JobConfiguration
    ) -> LoggedJob:
        """Return a job whose stages are these, each with its tasks."""
        known = {stage: self._stage(stage) for stage in partitions}
        order = sorted(known, key=lambda stage: (bool(known[stage].parents), stage))
        tasks = {stage: tuple(map(self._task, partitions[stage])) for stage in order}
        submits = [stage.submitted for stage in known.values() if stage.submitted is not None]
        has_ended = bool(job.result) or job.end is not None  # else the log ends before they run
        skipped = sum(not self._stage(stage).has_run for stage in job.stages) if has_ended else 0
        notes = (SKIPPED, skipped), (RUN_AGAIN, sum(stage.failures for stage in known.values()))
        maps, reduces = (
            [stage for stage in order if bool(known[stage].parents) == reads] for reads in (False, True)
        )
        return LoggedJob(
            name=self._job_name(job),
            title=self._title,
            user=self._user,
            pool=job.pool,
            outcome="SUCCEEDED" if job.result == SUCCEEDED else job.result,
            submit=milliseconds(job.submit, 1),
            launch=min(submits, default=None),
            finish=milliseconds(job.end, 1),
            tasks=(
                tuple(task for stage in maps for task in tasks[stage]),
                tuple(task for stage in reduces for task in tasks[stage]),
            ),
            declared=(
                sum(known[stage].tasks for stage in maps if known[stage].has_run),
                sum(known[stage].tasks for stage in reduces if known[stage].has_run),
            ),
            settings=settings,
            notes=tuple(note for note in notes if note[1]),
            stages=_listed(order, known, tasks),
            driver=self._name or f"application {self.number}",
            is_under_way=self._goes_on(job),
        )

    def _task(self, number: Partition) -> LoggedTask:
        return LoggedTask(f"stage {number[0]} task {number[1]}", tuple(self._attempts[number]))


def _listed(
    order: Sequence[int], known: Mapping[int, SparkStage], tasks: Mapping[int, Sequence[LoggedTask]]
) -> tuple[LoggedStage, ...]:
    """Return the stages of a job in this order; one that an earlier job has run is none of what they read."""
    place = {stage: i for i, stage in enumerate(order)}
    return tuple(
        LoggedStage(
            not known[stage].parents,
            sum(task.counting is not None for task in tasks[stage]),
            sum(len(task.attempts) for task in tasks[stage]),
            tuple(sorted(place[parent] for parent in known[stage].parents if parent in place)),
            stage,
            waiting=tasks_to_come(known[stage], tasks[stage]),
        )
        for stage in order
    )


def _place_in(info: Fields) -> str:
    """Return where a task has its number: those of a stage that is tried again are numbered anew."""
    return "Partition ID" if "Partition ID" in info else "Index"


def _not_a_number(fields: Fields, name: str) -> str:
    """Return why a number cannot be used."""
    if name not in fields:
        return f"it has no {name}"
    return f"its {name} is {shorten(fields[name])}, not a whole number from 0"


def _result(reason: object, info: Fields) -> Result:
    if reason == "Success":
        return "succeeded"
    return "killed" if reason == "TaskKilled" or info.get("Killed") is True else "failed"


def _described(text: object) -> str:
    """Return a description as one line of text: Spark writes it for its pages, with line breaks of HTML."""
    return plain_text(LINE_BREAK.sub(" ", text) if isinstance(text, str) else text)
