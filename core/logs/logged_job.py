"""What a log contains about one job, before anything is computed from it; the same for all formats.

Times are whole milliseconds on the log's own clock; None where the log does not know them. The builders
are for logs in which the records of a job are scattered: they are merged by the ids of job, task and attempt.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from core.model.errors import LONGEST_NAME, NOT_IN_NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.model.executors_on_demand import ExecutorsOnDemand
    from core.model.task_types import Result


RESULTS: dict[str, Result] = {
    "SUCCESS": "succeeded",
    "SUCCEEDED": "succeeded",
    "FAILED": "failed",
    "KILLED": "killed",
}
"""The words of Hadoop's logs for how an attempt ended."""

NO_ID = "its job, task or attempt has no id; it is left out"
ENDS_EARLY = "the log ends before this job does; what had ended is kept"

LATEST = 10**15
"""Milliseconds; a later time (the year 33658) is a sentinel or damage, not a time."""

HADOOP_SLOWSTART = 0.05, "Hadoop's default"

MAP_TYPE, REDUCE_TYPE = "MAP", "REDUCE"
"""The words of Hadoop's logs for the type of a task; whatever else one is called, it is neither."""

_ID = re.compile(r"(?:task|tip|attempt)_(\S+?)_([mr])_(\d+)(?:_\d+)?\Z")
_ESCAPED = re.compile(r'\\([.="\\(){}\[\]])')
_NOT_PRINTABLE = re.compile(f"{NOT_IN_NAMES}+")
_UNSEEN = re.compile("[\u00ad\u061c\u200b\u200e\u200f\u2060-\u2064\u206a-\u206f\ufeff]+")
_TO_BE_CLEANED = " \\'"
"""Printable characters that may not stay in a name: blanks at its ends, and what others are escaped with."""
_LONGEST = LONGEST_NAME - 20  # leaves room for a number that makes the name unique


class Attempt(NamedTuple):
    """One try at a task.

    Attributes
    ----------
    result : how it ended
    start, finish : when it held its slot
    shuffle_finish, sort_finish : ends of the phases of a reduce
    host : machine it ran on, without its rack; empty where the log does not know
    """

    result: Result
    start: int | None
    finish: int | None
    shuffle_finish: int | None = None
    sort_finish: int | None = None
    host: str = ""


class LoggedTask(NamedTuple):
    """A task and its attempts in the order they were listed.

    Attributes
    ----------
    name : its id in the log
    attempts : tries at it
    type : the log's word for it where it is neither map nor reduce (SETUP, CLEANUP)
    """

    name: str
    attempts: tuple[Attempt, ...]
    type: str = ""

    @property
    def counting(self) -> Attempt | None:
        """The attempt that counts: the first one that succeeded and has both times."""
        for attempt in self.attempts:
            if attempt.result == "succeeded" and attempt.start is not None and attempt.finish is not None:
                return attempt
        return None

    @property
    def running(self) -> Attempt | None:
        """The attempt that runs where its log ends: the first one without an end, if none counts."""
        if self.counting is not None:
            return None
        for attempt in self.attempts:
            if attempt.result == "unfinished" and attempt.start is not None and attempt.finish is None:
                return attempt
        return None


class LoggedStage(NamedTuple):
    """A stage of a job, in a log whose jobs have more of them than maps and reduces.

    Attributes
    ----------
    is_map : whether its tasks are maps in the model, or else reduces
    tasks, attempts : how many of its tasks count, and how many attempts at all its tasks the log lists
    parents : the stages of the same job that it waits for, by their place in the job
    number : its number in the log, by which stages are served first come first served
    early : those of `parents` of whose tasks a part is enough, the cluster's slowstart
    name : what the log calls it, where it has names; unique in its job
    infers_parents : whether who read the log guessed which stages it waits for
    waiting : of a job that is under way, how many of its tasks have not begun
    """

    is_map: bool
    tasks: int
    attempts: int
    parents: tuple[int, ...] = ()
    number: int = 0
    early: tuple[int, ...] = ()
    name: str = ""
    infers_parents: bool = False
    waiting: int = 0


class ExecutorTime(NamedTuple):
    """An executor: how many tasks it runs at once, and when it was added and removed, ms on the log's clock.

    It is not removed where that is None; its machine is empty where that is not known.
    """

    slots: int
    added: int
    removed: int | None = None
    host: str = ""


@dataclass(frozen=True, slots=True)
class JobConfiguration:
    """The cluster in a job's configuration; None where it has none.

    Attributes
    ----------
    map_slots, reduce_slots : slots of each kind on every host
    slots_per_map, slots_per_reduce : slots that one task occupies, by its memory
    slowstart : fraction of maps that must be complete before reduces start
    usual_slowstart : what it is where nothing is configured, and whose habit that is
    containers : slots of the whole cluster that run tasks of either kind, 0 where that is not known
    has_containers : whether there are such slots although their number is not known
    containers_are : what they are in the log
    machine_slots : map slots of the whole cluster
    executors : those that there were at any time, if the log has them; then they are the containers
    scheduler : the order in which jobs are served, in the log's word (FIFO, FAIR); empty where it has none
    on_demand : when the application asks for executors and gives them up; None where it does not
    """

    map_slots: int | None = None
    reduce_slots: int | None = None
    slots_per_map: int = 1
    slots_per_reduce: int = 1
    slowstart: float | None = None
    usual_slowstart: tuple[float, str] = HADOOP_SLOWSTART
    containers: int = 0
    has_containers: bool = False
    containers_are: str = "cores of executors"
    machine_slots: int = 0
    executors: tuple[ExecutorTime, ...] = ()
    scheduler: str = ""
    on_demand: ExecutorsOnDemand | None = None


@dataclass(frozen=True, slots=True)
class LoggedJob:
    """One job of a log.

    Attributes
    ----------
    name, user, pool : as text, escapes undone; an empty name where the log has none
    title : what its user calls it; often the same for all runs of one application
    outcome : how the log says that it ended, in the log's word
    submit, launch, finish : times of the whole job
    tasks : its maps and its reduces, each in the order of their numbers
    declared : number of maps and of reduces that the job says it has, None where it does not
    others : tasks that are neither, each with its type
    unreadable : tasks and attempts that are not of the form that the format prescribes
    settings : what its configuration says about the cluster
    notes : what else is worth saying, and how many it concerns
    stages : those of the maps in the order of these, then those of the reduces in theirs, if there are more
        than these two
    driver : the program that submits its jobs one after the other, as far as their log has one; else empty
    is_under_way : whether the log ends before the job does
    """

    name: str
    user: str = ""
    pool: str = "default"
    outcome: str = ""
    submit: int | None = None
    launch: int | None = None
    finish: int | None = None
    tasks: tuple[tuple[LoggedTask, ...], tuple[LoggedTask, ...]] = ((), ())
    declared: tuple[int | None, int | None] = (None, None)
    others: tuple[LoggedTask, ...] = ()
    unreadable: int = 0
    settings: JobConfiguration = field(default_factory=JobConfiguration)
    title: str = ""
    notes: tuple[tuple[str, int], ...] = ()
    stages: tuple[LoggedStage, ...] = ()
    driver: str = ""
    is_under_way: bool = False


def milliseconds(value: object, earliest: int = 0) -> int | None:
    """Return a time of a log, None where it is missing: null, below `earliest`, not a number, or absurd."""
    if isinstance(value, str):
        value = int(value) if value.isascii() and value.isdigit() and len(value) < 20 else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if earliest <= value < LATEST else None


def plain_text(value: object) -> str:
    """Return a name of a log as one clean line; one level of escaping by a backslash is undone."""
    if not isinstance(value, str):
        return ""
    value = value[:LONGEST_NAME]
    return one_line(_ESCAPED.sub(r"\1", value) if "\\" in value else value)


def plain_texts(values: Sequence[bytes]) -> list[str]:
    """Return names of a log as clean lines, as `plain_text` does; nearly all of very many are clean."""
    texts = b"\n".join(values).decode("utf-8", "replace").split("\n")
    return texts if are_names(texts) else list(map(plain_text, texts))


def are_names(texts: Sequence[str]) -> bool:
    """Return whether all texts are surely names as they stand, so that they need not be made clean."""
    whole = "".join(texts)
    is_plain = whole.isascii() and whole.isprintable() and not any(sign in whole for sign in _TO_BE_CLEANED)
    return is_plain and max(map(len, texts), default=0) <= _LONGEST


def host_name(value: object) -> str:
    """Return the name of a machine without its rack (`host` of ``/rack/host``); empty if it is no text."""
    return _machine(value) if isinstance(value, str) else ""


@lru_cache(maxsize=1 << 16)
def _machine(value: str) -> str:
    return plain_text(value).rpartition("/")[2]


def one_line(text: str) -> str:
    """Return text as the name of something: one line, of bounded length, only what can be saved."""
    if len(text) <= _LONGEST and text.isascii() and text.isprintable():
        return text.strip()  # nearly all names; there is nothing to replace
    return _NOT_PRINTABLE.sub(" ", _UNSEEN.sub("", text)).strip()[:_LONGEST].rstrip()


def in_seconds(milliseconds: int) -> float:
    """Return seconds as the nearest decimal, 1.234 for 1234; multiplying by 0.001 does not give it."""
    return milliseconds / 1000


def job_of(task: str) -> str:
    """Return the job's id that is part of the id of a task or attempt; empty if it is none."""
    found = _ID.match(task)
    return f"job_{found[1]}" if found else ""


def task_of(attempt: str) -> str:
    """Return the task's id that is part of an attempt's id; empty if it is none."""
    found = _ID.match(attempt)
    return "task_{}_{}_{}".format(*found.groups()) if found else ""


def type_of(task: str) -> str:
    """Return the type of a task by its id; empty if the id does not show it."""
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

    def built(self) -> Attempt:
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
        """Return the attempt of this id; a new one if it was not known."""
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
        """Return the task of this id; a new one if it was not known."""
        task = self.tasks.setdefault(name, TaskBuilder())
        task.type = kind or task.type or type_of(name)
        return task

    @property
    def has_ended(self) -> bool:
        """Whether its end is in the log."""
        return milliseconds(self.finish, 1) is not None

    def built(self) -> LoggedJob:
        """Return what is known now."""
        maps, reduces = milliseconds(self.declared[0]), milliseconds(self.declared[1])
        return LoggedJob(
            name=self.name,
            title=self.title,
            user=self.user,
            pool=self.pool or "default",
            outcome=self.outcome,
            submit=milliseconds(self.submit, 1),
            launch=milliseconds(self.launch, 1),
            finish=milliseconds(self.finish, 1),
            tasks=(self._tasks(MAP_TYPE), self._tasks(REDUCE_TYPE)),
            others=self._tasks(),
            declared=(maps, reduces),
            is_under_way=not self.has_ended,
        )

    def _tasks(self, kind: str = "") -> tuple[LoggedTask, ...]:
        """Return the tasks of one kind, or all that are neither map nor reduce, by their numbers."""
        found = [
            LoggedTask(
                name,
                tuple(attempt.built() for attempt in task.attempts.values()),
                "" if kind else task.type or "unknown",
            )
            for name, task in self.tasks.items()
            if task.type == kind or (not kind and task.type not in (MAP_TYPE, REDUCE_TYPE))
        ]
        return tuple(sorted(found, key=lambda task: (len(task.name), task.name)))


class JobBuilders(dict[str, JobBuilder]):
    """Jobs by their ids; one that was not known is begun."""

    def __missing__(self, name: str) -> JobBuilder:
        return self.setdefault(name, JobBuilder(name))

    def task(self, name: str, kind: str) -> TaskBuilder | None:
        """Return the task of this id, which names its job; None if it does not."""
        job = job_of(name)
        return self[job].task(name, kind) if job else None

    def attempt(self, name: str, task_name: str, kind: str) -> AttemptBuilder | None:
        """Return the attempt of this id at a task, which its own id names as well; None if neither does."""
        task = self.task(task_name or task_of(name), kind) if name else None
        return None if task is None else task.attempt(name)
