"""A job of the trace library without its samples, the application that it is a run of, what was added."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from core.model.number_text import grouped

_NO_DATE = "–"
SORT_KEYS = {
    "id": "template.id",
    "name": "name_key",
    "title": "NULLIF(title_key, '')",
    "user": "NULLIF(user_key, '')",
    "application": "NULLIF(application, '') COLLATE NOCASE",
    "submitted": "submitted",
    "maps": "maps",
    "reduces": "reduces",
    "tasks": "maps + reduces",
    "map-mean": "map_seconds / NULLIF(maps, 0)",
    "shuffle-mean": "shuffle_seconds / NULLIF(reduces, 0)",
    "reduce-mean": "reduce_seconds / NULLIF(reduces, 0)",
    "work": "map_seconds + shuffle_seconds + reduce_seconds",
    "source": "lower(source.name)",
}
"""What a search can sort by, and the expression of the tables that it is."""


class Template(NamedTuple):
    """One job of a library as a list shows it; times are seconds.

    Attributes
    ----------
    id : its number in the library, never given again
    name : as its log has it
    title : what its user calls it; empty where the log does not say
    application : what it is a run of (see `application_of`); empty where it has no title
    user, pool : whom it belonged to
    submitted : seconds since 1970 (UTC), or None where the log has no calendar
    arrival : seconds since the first job of its log
    maps, reduces : number of tasks
    map_seconds, shuffle_seconds, reduce_seconds : of all tasks together; shuffles as typical ones
    source, format : name of the log and its format
    """

    id: int
    name: str
    title: str
    application: str
    user: str
    pool: str
    submitted: float | None
    arrival: float
    maps: int
    reduces: int
    map_seconds: float
    shuffle_seconds: float
    reduce_seconds: float
    source: str
    format: str

    @property
    def tasks(self) -> int:
        """Maps and reduces."""
        return self.maps + self.reduces

    @property
    def map_mean(self) -> float | None:
        """Seconds of a map on average; None for a job without maps."""
        return self.map_seconds / self.maps if self.maps else None

    @property
    def shuffle_mean(self) -> float | None:
        """Seconds of a typical shuffle on average; None for a job without reduces."""
        return self.shuffle_seconds / self.reduces if self.reduces else None

    @property
    def reduce_mean(self) -> float | None:
        """Seconds of a reduce phase on average; None for a job without reduces."""
        return self.reduce_seconds / self.reduces if self.reduces else None

    @property
    def work(self) -> float:
        """Slot-seconds of all tasks."""
        return self.map_seconds + self.shuffle_seconds + self.reduce_seconds


_TEXTS = (str, str, str, str, str)
_NUMBERS = (float, int, int, float, float, float)
TYPES = frozenset((int, *_TEXTS, date, *_NUMBERS, str, str) for date in (float, type(None)))
"""What the values of a template may be; a damaged library has others."""


@dataclass(frozen=True, slots=True)
class Added:
    """What an import did to the library.

    Attributes
    ----------
    source : name of the log
    added : templates that are new
    present : jobs that the library had already, equal in everything
    restored : jobs that it had in its trash, and has again
    """

    source: str
    added: int
    present: int
    restored: int = 0

    def __str__(self) -> str:
        if not self.added and not self.restored:
            return f"{self.source}: nothing new, the library has all {jobs_text(self.present)} already"
        counts = (("added", self.added), ("taken back from the trash", self.restored))
        parts = [f"{jobs_text(count)} {what}" for what, count in counts if count]
        parts += [f"{jobs_text(self.present)} there already"] if self.present else []
        return f"{self.source}: {', '.join(parts)}"


def date_text(moment: float | None) -> str:
    """Write seconds since 1970 as date and time to the minute (UTC); a dash where they are not known."""
    if moment is None:
        return _NO_DATE
    try:
        return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):  # no calendar goes so far
        return _NO_DATE


def jobs_text(count: int) -> str:
    """Write a number of jobs."""
    return "1 job" if count == 1 else f"{grouped(count)} jobs"


NUMBER = "#"
"""Stands for a date or a running number."""
_RUNNING = re.compile(r"[0-9]{4,}(?:[-_:./ ]?[0-9]+)*")


def application_of(title: str) -> str:
    """Return the title with every number of four and more digits replaced, with what hangs on to it.

    "Demux_20090309_14_59" and "Demux_20090310_02_10" are runs of "Demux_#"; short numbers stay, as "L9.pig"
    and "L10.pig" are two applications. A job without a title is a run of nothing known: "".
    """
    return _RUNNING.sub(NUMBER, title)
