"""A job whose records stand all over a log: they are merged by the ids of job, task and attempt."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from core.logs.recorded_job import RESULTS, Attempt, RecordedJob, RecordedTask, host_name, milliseconds

_ID = re.compile(r"(?:task|tip|attempt)_(\S+?)_([mr])_(\d+)(?:_\d+)?\Z")
MAP_TYPE, REDUCE_TYPE = "MAP", "REDUCE"
"""The words of Hadoop's logs; whatever else a task is called, it is neither."""


def job_of(task: str) -> str:
    """Return the job's id that is part of the id of a task or attempt; empty if it is none."""
    found = _ID.match(task)
    return f"job_{found.group(1)}" if found else ""


def task_of(attempt: str) -> str:
    """Return the task's id that is part of an attempt's id; empty if it is none."""
    found = _ID.match(attempt)
    return "task_{}_{}_{}".format(*found.groups()) if found else ""


def type_of(task: str) -> str:
    """Return what the id of a task says about its type; empty if it says nothing."""
    found = _ID.match(task)
    return {"m": MAP_TYPE, "r": REDUCE_TYPE}[found.group(2)] if found else ""


@dataclass(slots=True)
class AttemptBuilder:
    """An attempt as far as it is known; times as they stand in the log."""

    status: str = ""
    start: object = None
    finish: object = None
    shuffle_finish: object = None
    sort_finish: object = None
    host: str = ""

    def recorded(self) -> Attempt:
        """Return what is known now."""
        return Attempt(
            RESULTS.get(self.status, "unfinished"),
            milliseconds(self.start, 1),
            milliseconds(self.finish, 1),
            milliseconds(self.shuffle_finish, 1),
            milliseconds(self.sort_finish, 1),
            host_name(self.host),
        )


@dataclass(slots=True)
class TaskBuilder:
    """A task as far as it is known, with its attempts by id."""

    type: str = ""
    attempts: dict[str, AttemptBuilder] = field(default_factory=dict)

    def attempt(self, name: str) -> AttemptBuilder:
        """Return the attempt of this id; a new one if it was not heard of."""
        return self.attempts.setdefault(name, AttemptBuilder())


@dataclass(slots=True)
class JobBuilder:
    """A job as far as it is known, with its tasks by id; times as they stand in the log."""

    name: str
    title: str = ""
    user: str = ""
    pool: str = ""
    outcome: str = ""
    submit: object = None
    launch: object = None
    finish: object = None
    declared: list[object] = field(default_factory=lambda: [None, None])
    tasks: dict[str, TaskBuilder] = field(default_factory=dict)

    def task(self, name: str, kind: str) -> TaskBuilder:
        """Return the task of this id; a new one if it was not heard of."""
        task = self.tasks.setdefault(name, TaskBuilder())
        task.type = kind or task.type or type_of(name)
        return task

    @property
    def has_ended(self) -> bool:
        """Whether its end is in the log."""
        return milliseconds(self.finish, 1) is not None

    def recorded(self) -> RecordedJob:
        """Return what is known now."""
        maps, reduces = milliseconds(self.declared[0]), milliseconds(self.declared[1])
        return RecordedJob(
            name=self.name,
            title=self.title,
            user=self.user,
            pool=self.pool or "default",
            outcome=self.outcome,
            submit=milliseconds(self.submit, 1),
            launch=milliseconds(self.launch, 1),
            finish=milliseconds(self.finish, 1),
            maps=self._tasks(MAP_TYPE),
            reduces=self._tasks(REDUCE_TYPE),
            others=self._tasks(),
            declared=(maps, reduces),
        )

    def _tasks(self, kind: str = "") -> tuple[RecordedTask, ...]:
        """Return the tasks of one kind, or all that are neither map nor reduce, by their numbers."""
        found = [
            RecordedTask(
                name,
                tuple(attempt.recorded() for attempt in task.attempts.values()),
                "" if kind else task.type or "unknown",
            )
            for name, task in self.tasks.items()
            if task.type == kind or (not kind and task.type not in (MAP_TYPE, REDUCE_TYPE))
        ]
        return tuple(sorted(found, key=lambda task: (len(task.name), task.name)))
