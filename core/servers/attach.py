"""Attach to servers: list what they know, fetch the logs that are wanted, and read them as one workload.

Several servers may belong to one cluster: YARN lists its applications, others keep their logs. What is
fetched lies in a folder, each log with the time that its server says it is of, so that only what is new is
fetched the next time.
"""

from __future__ import annotations

import os
import re
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from core.logs.open_log import Imported, open_trace
from core.model.errors import MAX_PROBLEMS, InputError, Problem, shorten_name
from core.model.limits import MAX_SPOOLED_BYTES
from core.model.progress import never_stop, no_progress
from core.servers import mapreduce_history, spark_history, tez_timeline, yarn
from core.servers.address import parse_address
from core.servers.http_client import DEFAULT_LIMITS, HttpClient, HttpError, NotJson, RequestLimits
from core.servers.server import MAX_APPLICATIONS, Fetch, ServerApplication, ServerKind, WantedApplications

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

KINDS: tuple[ServerKind, ...] = (spark_history.KIND, mapreduce_history.KIND, yarn.KIND, tez_timeline.KIND)
"""Every kind of server, in the order in which they are tried; a new kind is one line here."""
MAX_SERVERS = 8
FETCHED = 0.6
"""Part of the time that fetching takes; the rest reads the logs."""


class Server(NamedTuple):
    """A server that is connected, and what kind it is."""

    client: HttpClient
    kind: ServerKind


class ListedApplications(NamedTuple):
    """Applications that are wanted, the latest first, and how many more there are beyond the limit."""

    applications: tuple[ServerApplication, ...]
    more: int
    kinds: tuple[str, ...] = ()


class Fetched(NamedTuple):
    """Logs as files.

    Attributes
    ----------
    paths : the files, in the order of their applications
    news : how many were fetched now; the others were there already, unchanged
    problems : applications whose logs could not be fetched, and why
    """

    paths: tuple[Path, ...]
    news: int
    problems: tuple[Problem, ...]


@contextmanager
def attached(
    addresses: Sequence[str],
    token: str = "",
    *,
    should_stop: Callable[[], bool] = never_stop,
    limits: RequestLimits = DEFAULT_LIMITS,
) -> Iterator[Servers]:
    """Give the servers at some addresses, connected; they are let go at the end.

    Parameters
    ----------
    addresses : as `core.servers.address.parse_address` takes them
    token : sent to these servers as a bearer token; it is kept nowhere
    should_stop : called all the time: whether to give up
    limits : what each request may take

    Raises
    ------
    InputError
        one cannot be reached, or is no server of a known kind
    Cancelled
        `should_stop` said so
    """
    if not 0 < len(addresses) <= MAX_SERVERS:
        raise InputError(f"give the addresses of one to {MAX_SERVERS} servers")
    places = list(dict.fromkeys(parse_address(each) for each in addresses))
    clients = [HttpClient(place, token, should_stop=should_stop, limits=limits) for place in places]
    try:
        yield Servers(tuple(Server(client, _kind_of(client)) for client in clients))
    finally:
        for client in clients:
            client.close()


def _kind_of(client: HttpClient) -> ServerKind:
    """Return what kind of server this is, by what it answers; InputError if it is none."""
    answered = ""
    for kind in KINDS:
        try:
            if kind.is_one(client.json(kind.probe)):
                return kind
            answered = answered or "JSON of another kind"
        except NotJson as error:
            answered = answered or error.answer
        except HttpError as error:
            if error.status in (401, 403):
                raise
            answered = answered or f"error {error.status}"
    known = ", ".join(kind.title for kind in KINDS)
    raise InputError(
        f"{client.address.place}: it is no server that keeps logs; it answered with {answered} "
        f"(known: {known})"
    )


class Servers:
    """The servers of one cluster.

    Attributes
    ----------
    servers : each, with its kind
    """

    def __init__(self, servers: tuple[Server, ...]) -> None:
        self.servers = servers

    @property
    def name(self) -> str:
        """The first one's host and port."""
        return self.servers[0].client.address.place

    def listing(self, wanted: WantedApplications) -> ListedApplications:
        """Return the applications that are wanted; the errors are those of `HttpClient.json`."""
        if wanted.limit < 1:
            raise InputError("a limit of applications is at least 1")
        found: list[ServerApplication] = []
        for server in self.servers:
            address = str(server.client.address) if server.kind.fetch else ""
            listed = server.kind.applications(server.client, wanted)
            found += [replace(each, address=address) for each in listed]
        once = {(each.id, each.attempt): each for each in yarn.with_logs(found)}
        found = sorted(
            filter(wanted.has, once.values()), key=lambda each: (-each.started, each.id, each.attempt)
        )
        most = min(wanted.limit, MAX_APPLICATIONS)
        kinds = tuple(server.kind.title for server in self.servers)
        return ListedApplications(tuple(found[:most]), max(0, len(found) - most), kinds)

    def fetch(
        self,
        applications: Sequence[ServerApplication],
        folder: Path,
        progress: Callable[[float], None] = no_progress,
    ) -> Fetched:
        """Fetch the logs of applications into a folder, but for those that lie there unchanged.

        Raises
        ------
        InputError
            not one log could be fetched, all are larger than `MAX_SPOOLED_BYTES`, or the folder cannot be
            written to
        Cancelled
            the user wanted to stop
        """
        _make_folder(folder)
        paths: list[Path] = []
        problems: list[Problem] = []
        news, size, count = 0, 0, max(len(applications), 1)
        for number, application in enumerate(applications):

            def show(fraction: float, done: int = number) -> None:
                progress((done + fraction) / count)

            try:
                path, is_new = self._fetched(application, folder, show)
            except InputError as error:
                problems.append(Problem(application.title, "", str(error)))
                continue
            paths.append(path)
            news += is_new
            size += path.stat().st_size
            if size > MAX_SPOOLED_BYTES:
                most = f"more than {MAX_SPOOLED_BYTES >> 30} GiB of logs"
                raise InputError(f"{self.name}: {most}; choose fewer applications")
        progress(1.0)
        if not paths:
            raise InputError(problems[0].rule if problems else f"{self.name}: it has no such application")
        return Fetched(tuple(paths), news, tuple(problems))

    def _fetched(
        self, application: ServerApplication, folder: Path, progress: Callable[[float], None]
    ) -> tuple[Path, bool]:
        """Return the log of an application as a file, and whether it was fetched now."""
        servers = (each for each in self.servers if str(each.client.address) == application.address)
        server = next(servers, None)
        if server is None or server.kind.fetch is None:
            raise InputError(_no_log(application, self.name))
        inside = folder / re.sub(r"[^\w.-]", "_", server.client.address.place)
        attempt = f"+{application.attempt}" if application.attempt else ""
        path = inside / f"{application.id}{attempt}{server.kind.ending}"
        if application.stamp and _stamp_of(path) == application.stamp:
            return path, False
        part = path.with_name(f"{path.name}.part")
        try:
            inside.mkdir(mode=0o700, exist_ok=True)
            descriptor = os.open(part, os.O_CREAT | os.O_TRUNC | os.O_RDWR, 0o600)
        except OSError as error:
            raise InputError(f"{folder}: logs cannot be kept there ({error.strerror})") from error
        try:
            with os.fdopen(descriptor, "w+b") as file:
                server.kind.fetch(application, Fetch(server.client, file, progress))
            _put(part, path, application.stamp)
        finally:
            with suppress(OSError):
                part.unlink(missing_ok=True)
        return path, True


def _put(part: Path, path: Path, stamp: int) -> None:
    """Put a log that is whole in its place, with its stamp as its time."""
    try:
        os.utime(part, ns=(stamp * 10**6, stamp * 10**6))
        part.replace(path)
    except OSError as error:
        raise InputError(f"{path}: logs cannot be kept there ({error.strerror})") from error


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: logs cannot be kept there ({error.strerror})") from error


def _stamp_of(path: Path) -> int:
    """Return the stamp of a log that was fetched, which is its file's time; 0 where there is none."""
    try:
        return path.stat().st_mtime_ns // 10**6
    except OSError:
        return 0


def _no_log(application: ServerApplication, place: str) -> str:
    """Return why there is no log of an application, and which server would have it."""
    keeper = yarn.LOGS.get(application.framework)
    what = f"{place}: it lists {application.title}, but keeps no log of it"
    if keeper is None:
        kind = f"applications of type {application.framework}" if application.framework else "it"
        return f"{what}; Slotscope reads no logs of {kind}"
    return f"{what}; give the address of {keeper} as well"


def import_fetched(
    fetched: Fetched,
    name: str,
    *,
    parameters: Mapping[str, object] | None = None,
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
) -> Imported:
    """Read logs that were fetched as one workload; those that could not be fetched stand in the report.

    Parameters are those of `core.logs.open_log.open_trace`, and so are the errors.
    """
    imported = open_trace(fetched.paths, parameters=parameters, progress=progress, should_stop=should_stop)
    report = imported.report
    damage = (*fetched.problems, *report.damage)[:MAX_PROBLEMS]
    counted = report.damage_count + len(fetched.problems)
    return replace(
        imported,
        workload=replace(imported.workload, name=name),
        report=replace(report, damage=damage, damage_count=counted),
    )


def import_from(
    addresses: Sequence[str],
    wanted: WantedApplications,
    folder: Path,
    token: str = "",
    *,
    parameters: Mapping[str, object] | None = None,
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
    limits: RequestLimits = DEFAULT_LIMITS,
) -> tuple[Imported, Fetched, ListedApplications]:
    """Read the logs of the applications that are wanted as one workload.

    Parameters
    ----------
    addresses, token, should_stop, limits : as `attached` takes them
    wanted : which applications
    folder : where the logs are kept; what lies there unchanged is not fetched again
    parameters, progress : as `core.logs.open_log.open_trace` takes them

    Raises
    ------
    InputError
        as `attached`, `Servers.fetch` and `open_trace` say, or no application is wanted
    Cancelled
        `should_stop` said so
    """
    with attached(addresses, token, should_stop=should_stop, limits=limits) as servers:
        listing = servers.listing(wanted)
        if not listing.applications:
            raise InputError(f"{servers.name}: it lists no application that is wanted")
        fetched = servers.fetch(listing.applications, folder, lambda done: progress(FETCHED * done))
        fetched = fetched._replace(problems=(*_not_listed(wanted, listing), *fetched.problems))
        name = _name(listing, servers.name)
    imported = import_fetched(
        fetched,
        name,
        parameters=parameters,
        progress=lambda done: progress(FETCHED + (1 - FETCHED) * done),
        should_stop=should_stop,
    )
    return imported, fetched, listing


def _not_listed(wanted: WantedApplications, listing: ListedApplications) -> list[Problem]:
    """Return which of the applications that are wanted by their ids are not listed."""
    known = {name for each in listing.applications for name in (each.id, each.title)}
    return [Problem(name, "", "no server lists it (any more)") for name in wanted.ids if name not in known]


def _name(listing: ListedApplications, place: str) -> str:
    """Return the name of a workload: that of its only application, or the server's."""
    only = listing.applications[0]
    if len(listing.applications) > 1:
        return place
    return shorten_name(only.name or only.id)
