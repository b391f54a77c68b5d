"""Options of servers on the command line: a selection of their applications, and the token."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from core.model.errors import InputError
from explorer.cli.command import Options, flag, option
from explorer.cli.screen import print_json, print_table, progress

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from core.servers.attach import ListedApplications
    from core.servers.server import WantedApplications

TOKEN = "SLOTSCOPE_TOKEN"
SPARE = ("queue", "ended (UTC)", "user")
"""Columns that a narrow terminal does without, the first ones first."""


class ServerOptions(Options):
    """Which applications of a server are wanted."""

    title = "applications of a server"

    app: list[str] = option("ID", "this application; again for more of them (default: all that fit)")
    app_name: str = option("TEXT", "those with this in their name", name="--name", default="")
    user: str = option("USER", "those of this user", default="")
    begin: str = option(
        "DATE", "started from then on, UTC: 2026-11-28 or 2026-11-28T22:00", name="--from", default=""
    )
    end: str = option("DATE", "started before then", name="--to", default="")
    state: Literal["all", "completed", "running"] = option(None, "default all", default="all")
    limit: int = option("N", "at most so many, the latest (default 100)", default=100)
    keep: str = option("FOLDER", "keep the logs there; the next time only what is new is fetched", default="")
    ask_token: bool = flag(f"type a token for the server (or set {TOKEN}); it is kept nowhere")
    list_only: bool = flag("print the applications and import nothing", name="--list")

    @property
    def wanted(self) -> WantedApplications:
        """The applications that are asked for."""
        from core.servers.server import WantedApplications, parse_moment

        return WantedApplications(
            name=self.app_name,
            user=self.user,
            begin=parse_moment(self.begin) if self.begin else None,
            end=parse_moment(self.end) if self.end else None,
            state=self.state,
            ids=tuple(self.app),
            limit=self.limit,
        )

    def token(self, addresses: Sequence[str]) -> str:
        """Return the token for the servers, typed or of the environment; empty without one."""
        if not self.ask_token:
            return os.environ.get(TOKEN, "")
        import sys
        from getpass import getpass

        if not sys.stdin.isatty():
            raise InputError(f"--ask-token needs a terminal to type at; set {TOKEN} instead")
        return getpass(f"Token for {' '.join(addresses)}: ")

    @contextmanager
    def folder(self) -> Iterator[Path]:
        """Give the folder of the logs: the one to keep, or one that is removed at the end."""
        from core.logs.scratch_folder import scratch_folder

        if self.keep:
            yield Path(self.keep)
            return
        with scratch_folder() as folder:
            yield folder


def print_applications(addresses: Sequence[str], options: ServerOptions, *, as_json: bool) -> None:
    """Print what servers list, as a table or as JSON."""
    from core.servers.attach import attached

    with progress("Asking") as show, attached(addresses, options.token(addresses)) as servers:
        listing = servers.listing(options.wanted)
        show(1.0)
    if as_json:
        print_json(_to_json(listing))
        return
    from core.servers.server import moment_text
    from explorer.cli.screen import screen_width, without_spare

    columns = ("=id", "name", "user", "queue", "kind", "=started (UTC)", "=ended (UTC)")
    rows = [
        (each.title, each.name, each.user, each.queue, each.framework, moment_text(each.started),
         moment_text(each.ended) or "runs")
        for each in listing.applications
    ]  # fmt: skip
    spare = [next(column for column in columns if column.lstrip("=") == name) for name in SPARE]
    kept, cells, _ = without_spare(columns, rows, spare, screen_width())
    more = f"{listing.more} more; --limit lists them" if listing.more else ""
    print_table(f"{', '.join(listing.kinds)}: {len(rows)} applications", kept, cells, more)


def _to_json(listing: ListedApplications) -> dict[str, Any]:
    return {
        "servers": listing.kinds,
        "applications": [
            {
                "id": each.id,
                "attempt": each.attempt or None,
                "name": each.name,
                "user": each.user,
                "queue": each.queue,
                "kind": each.framework,
                "started_ms": each.started,
                "ended_ms": each.ended,
                "server": each.address or None,
            }
            for each in listing.applications
        ],
        "more": listing.more,
    }
