"""What to look for in a trace library, and what it answers: pages of templates, and jobs with samples."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from core.files.workload_document import cluster_from_json
from core.model.cluster import Cluster
from core.model.errors import InputError, shorten
from core.model.job import Job
from core.trace_database.connection import damage, speaking
from core.trace_database.entries import DAMAGED, unpack
from core.trace_database.template import SORT_KEYS, TYPES, Template

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence
    from pathlib import Path

    from core.model.errors import Problem


@dataclass(frozen=True, slots=True)
class RunSearch:
    """Filters, all of which hold, and an order.

    Attributes
    ----------
    text : words that are all parts of the name or the title, in any case
    user : part of the user's name, in any case
    application : exactly this application; None for any, "" for jobs without a title
    min_tasks, max_tasks : limits of maps and reduces together, inclusive; None for no limit
    since, until : moments in seconds since 1970; submitted at `since` or later and before `until`
    sort : one of `SORT_KEYS`; ties by id
    descending : the largest first; jobs without a value are last either way
    trashed : whether to look among the deleted jobs instead
    """

    text: str = ""
    user: str = ""
    application: str | None = None
    min_tasks: int | None = None
    max_tasks: int | None = None
    since: float | None = None
    until: float | None = None
    sort: str = "id"
    descending: bool = False
    trashed: bool = False


def conditions(search: RunSearch) -> tuple[str, list[object]]:
    """Return the WHERE clause of a search and its values."""
    parts: list[tuple[str, object]] = [
        ("instr(searched, ?) > 0", _as_stored(word)) for word in search.text.split()
    ]
    if search.user.strip():
        parts.append(("instr(user_key, ?) > 0", _as_stored(search.user.strip())))
    limits = (
        ("application = ?", search.application),
        ("maps + reduces >= ?", search.min_tasks),
        ("maps + reduces <= ?", search.max_tasks),
        ("submitted >= ?", search.since),
        ("submitted < ?", search.until),
    )
    parts += [(condition, value) for condition, value in limits if value is not None]
    kept = "deleted IS NOT NULL" if search.trashed else "deleted IS NULL"
    return " AND ".join([kept, *(condition for condition, _ in parts)]), [value for _, value in parts]


def order(search: RunSearch) -> str:
    """Return the ORDER BY clause of a search."""
    direction = "DESC" if search.descending else "ASC"
    key = SORT_KEYS[search.sort]
    return f"{key} IS NULL, {key} {direction}, template.id {direction}"


def _as_stored(text: str) -> str:
    """Return text as the columns for searching have it; what no name can hold finds nothing."""
    return text.casefold().encode("utf-8", "replace").decode()


def moment(text: str, *, end: bool = False) -> float:
    """Return a date or a date with a time (ISO 8601, UTC if it names no zone) as seconds since 1970.

    A day alone means its beginning, or with `end` the beginning of the next day.
    InputError if it is neither.
    """
    try:
        when = datetime.fromisoformat(text.strip())
    except ValueError:
        raise InputError(
            f"{shorten(text)} is no date; give one as 2011-02-10, or with a time as 2011-02-10T09:41"
        ) from None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    is_day = len(text.strip()) <= len("2011-02-10")
    return when.timestamp() + (86_400 if end and is_day else 0)


IDS_AT_ONCE = 500
"""Ids of one query; SQLite has a limit."""

_FROM = "FROM template JOIN source ON source.id = template.source"
_LISTED = f"""SELECT template.id, template.name, title, application, user, pool, submitted, arrival, maps,
    reduces, map_seconds, shuffle_seconds, reduce_seconds, source.name, source.format {_FROM}"""


class Reading:
    """The questions that a library answers; every failure of the database is an InputError."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    @property
    def data_version(self) -> int:
        """A number that changes when another connection has changed the library."""
        with speaking(self.path):
            return int(self._connection.execute("PRAGMA data_version").fetchone()[0])

    def count(self, search: RunSearch | None = None) -> int:
        """Return how many templates a search finds."""
        where, values = conditions(search or RunSearch())
        with speaking(self.path):
            query = f"SELECT count(*) FROM template WHERE {where}"
            return int(self._connection.execute(query, values).fetchone()[0])

    def search(
        self, search: RunSearch | None = None, *, limit: int | None = None, offset: int = 0
    ) -> tuple[Template, ...]:
        """Return the templates that a search finds, in its order: a page of `limit`, or all."""
        tail, values = _tail(search or RunSearch())
        with speaking(self.path):
            rows = self._connection.execute(
                f"{_LISTED} {tail} LIMIT ? OFFSET ?", [*values, -1 if limit is None else limit, offset]
            )
            return tuple(map(self._template, rows))

    def ids(self, search: RunSearch | None = None) -> list[int]:
        """Return the ids of what a search finds, in its order: a tenth of the time of whole templates."""
        tail, values = _tail(search or RunSearch())
        with speaking(self.path):
            return [row[0] for row in self._connection.execute(f"SELECT template.id {_FROM} {tail}", values)]

    def applications(self, search: RunSearch | None = None) -> tuple[tuple[str, int], ...]:
        """Return the applications of what a search finds, by name, with their numbers of runs."""
        where, values = conditions(search or RunSearch())
        with speaking(self.path):
            rows = self._connection.execute(
                f"SELECT application, count(*) FROM template WHERE {where} GROUP BY application "
                "ORDER BY application COLLATE NOCASE, application",
                values,
            )
            return tuple((str(name), int(runs)) for name, runs in rows)

    def listed(self, ids: Sequence[int]) -> dict[int, Template]:
        """Return templates by id, as far as they are there, deleted ones too."""
        rows = self._rows(f"{_LISTED} WHERE template.id", ids)
        return {row[0]: self._template(row) for row in rows}

    def templates(self, ids: Sequence[int]) -> tuple[Template, ...]:
        """Return templates by id, in the order given; InputError names those that are not there."""
        found = self.listed(ids)
        missing = [str(i) for i in ids if i not in found]
        if missing:
            raise InputError(
                f"the trace library has no job {', '.join(missing[:5])}; 'slotscope library list' has the ids"
            )
        return tuple(found[i] for i in ids)

    def jobs(self, ids: Sequence[int]) -> tuple[Job, ...]:
        """Return the templates as jobs with their samples, arriving at 0 s, in the order given."""
        listed = self.templates(ids)
        query = "SELECT id, packed, shuffle_bytes FROM template JOIN samples ON template = id WHERE id"
        found = {row[0]: row[1:] for row in self._rows(query, ids)}
        return tuple(_job(template, *found.get(template.id, (None, None))) for template in listed)

    def cluster(self, ids: Sequence[int]) -> Cluster:
        """Return the suggested cluster of the log that all these templates are from, else the usual one."""
        texts = {row[0] for row in self._rows(f"SELECT DISTINCT cluster {_FROM} WHERE template.id", ids)}
        return self._cluster(texts.pop()) if len(texts) == 1 else Cluster()

    def _rows(self, query: str, ids: Sequence[int]) -> list[tuple[Any, ...]]:
        """Return what a query that ends in the column of ids finds of these, in parts that SQLite takes."""
        rows: list[tuple[Any, ...]] = []
        with speaking(self.path):
            for begin in range(0, len(ids), IDS_AT_ONCE):
                some = ids[begin : begin + IDS_AT_ONCE]
                rows += self._connection.execute(f"{query} IN ({', '.join('?' * len(some))})", some)
        return rows

    def _cluster(self, text: str) -> Cluster:
        problems: list[Problem] = []
        try:
            cluster = cluster_from_json(json.loads(text), "cluster", problems)
        except (ValueError, TypeError, AttributeError) as error:
            raise damage(self.path, "the cluster of a log cannot be read") from error
        if problems:
            raise damage(self.path, str(problems[0]))
        return cluster

    def _template(self, row: tuple[Any, ...]) -> Template:  # of whatever types the database gives
        if tuple(map(type, row)) not in TYPES:
            raise damage(self.path, f"the values of job {row[0]} are of other kinds than were written")
        return Template._make(row)


def _tail(search: RunSearch) -> tuple[str, list[object]]:
    where, values = conditions(search)
    return f"WHERE {where} ORDER BY {order(search)}", values


def _job(template: Template, packed: object, shuffle_bytes: object) -> Job:
    if not (isinstance(packed, bytes) and isinstance(shuffle_bytes, float | None)):
        raise InputError(DAMAGED)
    stages, graph = unpack(packed, template.maps, template.reduces)
    return Job(
        template.name,
        stages=stages,
        graph=graph,
        user=template.user,
        pool=template.pool,
        shuffle_bytes=shuffle_bytes,
    )
