"""What a log says about one job, before anything is computed from it; the same for all formats.

Times are whole milliseconds on the log's own clock; None where the log does not know them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from core.model.plain_text import LONGEST_NAME, NOT_IN_NAMES

if TYPE_CHECKING:
    from core.model.recorded_run import Result

RESULTS: dict[str, Result] = {
    "SUCCESS": "succeeded",
    "SUCCEEDED": "succeeded",
    "FAILED": "failed",
    "KILLED": "killed",
}
"""The words of Hadoop's logs for how an attempt ended."""

ENDS_EARLY = "the log ends before this job does; what had ended is kept"

LATEST = 10**15
"""Milliseconds; a later time (the year 33658) is a sentinel or damage, not a time."""

_ESCAPED = re.compile(r'\\([.="\\(){}\[\]])')
_NOT_PRINTABLE = re.compile(f"{NOT_IN_NAMES}+")
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


class RecordedTask(NamedTuple):
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


@dataclass(frozen=True, slots=True)
class Settings:
    """What a job's configuration says about the cluster; None where it says nothing.

    Attributes
    ----------
    map_slots, reduce_slots : slots of each kind on every host
    slots_per_map, slots_per_reduce : slots that one task occupies, by its memory
    slowstart : fraction of maps that must be complete before reduces start
    containers : slots of the whole cluster that run tasks of either kind
    """

    map_slots: int | None = None
    reduce_slots: int | None = None
    slots_per_map: int = 1
    slots_per_reduce: int = 1
    slowstart: float | None = None
    containers: int = 0


@dataclass(frozen=True, slots=True)
class RecordedJob:
    """One job of a log.

    Attributes
    ----------
    name, user, pool : as text, escapes undone; an empty name where the log has none
    title : what its user calls it; often the same for all runs of one application
    outcome : how the log says that it ended, in the log's word
    submit, launch, finish : times of the whole job
    maps, reduces : tasks in the order of their numbers
    declared : number of maps and of reduces that the job says it has, None where it does not
    others : tasks that are neither, each with its type
    unreadable : tasks and attempts that are not of the form that the format prescribes
    settings : what its configuration says about the cluster
    notes : what else is worth saying, and how many it concerns
    """

    name: str
    user: str = ""
    pool: str = "default"
    outcome: str = ""
    submit: int | None = None
    launch: int | None = None
    finish: int | None = None
    maps: tuple[RecordedTask, ...] = ()
    reduces: tuple[RecordedTask, ...] = ()
    declared: tuple[int | None, int | None] = (None, None)
    others: tuple[RecordedTask, ...] = ()
    unreadable: int = 0
    settings: Settings = field(default_factory=Settings)
    title: str = ""
    notes: tuple[tuple[str, int], ...] = ()


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
    if len(value) <= _LONGEST and value.isascii() and value.isprintable() and "\\" not in value:
        return value.strip()  # nearly all names; there is nothing to replace
    return one_line(_ESCAPED.sub(r"\1", value[:LONGEST_NAME]))


@lru_cache(maxsize=1 << 16)
def host_name(value: str) -> str:
    """Return the name of a machine as one clean word: without its rack (``/rack/host``)."""
    return plain_text(value).rpartition("/")[2]


def one_line(text: str) -> str:
    """Return text as the name of something: one line, of bounded length, only what can be saved."""
    return _NOT_PRINTABLE.sub(" ", text).strip()[:_LONGEST].rstrip()


def in_seconds(milliseconds: int) -> float:
    """Return seconds: the very decimal a person would write, which multiplying by 0.001 does not give."""
    return milliseconds / 1000
