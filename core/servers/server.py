"""What a kind of server is, what it lists, and which of that is wanted."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import IO, TYPE_CHECKING, Literal, NamedTuple

from core.logs.logged_job import one_line
from core.model.errors import InputError, shorten

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.servers.http_client import HttpClient

DEFAULT_APPLICATIONS = 100
MAX_APPLICATIONS = 10_000
"""Applications that are listed, the latest; a server may know many more."""
State = Literal["all", "completed", "running"]
LATEST_TIME = 1 << 43
"""Milliseconds since 1970, in the year 2248: files can have such a time."""
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,199}\Z")
"""What ids of applications look like; they become parts of paths and names of files."""


@dataclass(frozen=True, slots=True)
class ServerApplication:
    """An application, job or DAG as a server lists it.

    Attributes
    ----------
    id : its id
    attempt : which attempt of it, "" where the server counts none
    name, user, queue : as it says; "" where it does not
    framework : Spark, MapReduce, Tez, or what YARN calls it
    started : when it was submitted or started, ms since 1970
    ended : when it ended; None while it runs
    stamp : changes when its log has changed; 0 where that is not known
    address : of the server that has its log; "" where none does
    """

    id: str
    attempt: str
    name: str
    user: str
    queue: str
    framework: str
    started: int
    ended: int | None
    stamp: int
    address: str = ""

    @property
    def words(self) -> str:
        """All that it is found by, in lower case."""
        return "\n".join((self.name, self.title, self.user, self.queue, self.framework)).lower()

    @property
    def title(self) -> str:
        """Its id, with the attempt where there is one."""
        return f"{self.id} attempt {self.attempt}" if self.attempt else self.id


@dataclass(frozen=True, slots=True)
class WantedApplications:
    """Which applications are wanted; what is empty or None does not matter.

    Attributes
    ----------
    name : a part of the name, in upper or lower case
    text : a part of the name, the id, the user, the queue or the framework
    user : the user
    begin, end : started from and before, ms since 1970
    state : all, those that have ended, or those that run
    ids : these alone
    limit : at most so many, the latest
    """

    name: str = ""
    text: str = ""
    user: str = ""
    begin: int | None = None
    end: int | None = None
    state: State = "all"
    ids: tuple[str, ...] = ()
    limit: int = DEFAULT_APPLICATIONS

    def has(self, application: ServerApplication) -> bool:
        """Whether it is wanted, but for the limit."""
        return (
            self.name.lower() in application.name.lower()
            and self.text.lower() in application.words
            and self.user in ("", application.user)
            and (self.begin is None or application.started >= self.begin)
            and (self.end is None or application.started < self.end)
            and (self.state == "all" or (self.state == "running") == (application.ended is None))
            and (not self.ids or application.id in self.ids or application.title in self.ids)
        )


class Fetch(NamedTuple):
    """How the log of an application is fetched.

    Attributes
    ----------
    client : the connection to its server
    file : where it is written
    progress : called with the fraction done, from 0 to 1
    """

    client: HttpClient
    file: IO[bytes]
    progress: Callable[[float], None]


@dataclass(frozen=True, slots=True)
class ServerKind:
    """A kind of server.

    Attributes
    ----------
    title : what it is called
    probe : the path whose answer shows that it is one
    is_one : whether that answer does
    applications : what it lists that is wanted, in any order; the first filter is its own
    fetch : writes the log of an application; None where it keeps no logs
    ending : of the files that are written
    """

    title: str
    probe: str
    is_one: Callable[[object], bool]
    applications: Callable[[HttpClient, WantedApplications], list[ServerApplication]]
    fetch: Callable[[ServerApplication, Fetch], None] | None
    ending: str = ""


def parse_moment(text: str) -> int:
    """Return a date, or a date and a time, as ms since 1970; without a zone it is UTC.

    Raises
    ------
    InputError
        it is no date
    """
    try:
        moment = datetime.fromisoformat(text.strip())
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return round(moment.timestamp() * 1000)
    except (ValueError, OverflowError):
        raise InputError(f"{shorten(text)}: give a date like 2026-11-28, or 2026-11-28T22:00") from None


def moment_text(moment: int | None) -> str:
    """Return a moment in UTC as tables show it; empty for None."""
    if moment is None:
        return ""
    try:
        return datetime.fromtimestamp(moment / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")
    except (ValueError, OverflowError, OSError):
        return ""


def plain(value: object) -> str:
    """Return text of a server as one line; anything else is empty."""
    return one_line(value) if isinstance(value, str) else ""


def moment(value: object) -> int | None:
    """Return a time in ms since 1970; None for what is none, and for 0 and -1, which stand for no time."""
    is_time = isinstance(value, int) and not isinstance(value, bool) and 0 < value < LATEST_TIME
    return value if is_time and isinstance(value, int) else None
