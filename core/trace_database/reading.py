"""Looking into an open trace library: searches, pages, and jobs with their samples."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from core.files.workload_reading import cluster_from_json
from core.model.cluster import Cluster
from core.model.errors import InputError
from core.model.workload import Job
from core.trace_database.connection import damage, speaking
from core.trace_database.samples import DAMAGED, unpack
from core.trace_database.search import Search, conditions, order
from core.trace_database.template import TYPES, Template

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from core.model.errors import Problem

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

    def count(self, search: Search | None = None) -> int:
        """Return how many templates a search finds."""
        where, values = conditions(search or Search())
        with speaking(self.path):
            query = f"SELECT count(*) FROM template WHERE {where}"
            return int(self._connection.execute(query, values).fetchone()[0])

    def search(
        self, search: Search | None = None, *, limit: int | None = None, offset: int = 0
    ) -> tuple[Template, ...]:
        """Return the templates that a search finds, in its order: a page of `limit`, or all."""
        tail, values = _tail(search or Search())
        with speaking(self.path):
            rows = self._connection.execute(
                f"{_LISTED} {tail} LIMIT ? OFFSET ?", [*values, -1 if limit is None else limit, offset]
            )
            return tuple(map(self._template, rows))

    def ids(self, search: Search | None = None) -> list[int]:
        """Return the ids of what a search finds, in its order: a tenth of the time of whole templates."""
        tail, values = _tail(search or Search())
        with speaking(self.path):
            return [row[0] for row in self._connection.execute(f"SELECT template.id {_FROM} {tail}", values)]

    def applications(self, search: Search | None = None) -> tuple[tuple[str, int], ...]:
        """Return the applications of what a search finds, by name, with their numbers of runs."""
        where, values = conditions(search or Search())
        with speaking(self.path):
            rows = self._connection.execute(
                f"SELECT application, count(*) FROM template WHERE {where} GROUP BY application "
                "ORDER BY application COLLATE NOCASE, application",
                values,
            )
            return tuple((str(name), int(runs)) for name, runs in rows)

    def listed(self, ids: Sequence[int]) -> dict[int, Template]:
        """Return templates by id, as far as they are there, deleted ones too."""
        found: dict[int, Template] = {}
        with speaking(self.path):
            for some, marks in _in_parts(ids):
                rows = self._connection.execute(f"{_LISTED} WHERE template.id IN ({marks})", some)
                found |= {row[0]: self._template(row) for row in rows}
        return found

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
        found: dict[int, tuple[object, object]] = {}
        with speaking(self.path):
            for some, marks in _in_parts(ids):
                rows = self._connection.execute(
                    "SELECT id, packed, shuffle_bytes FROM template JOIN samples ON template = id "
                    f"WHERE id IN ({marks})",
                    some,
                )
                found |= {row[0]: (row[1], row[2]) for row in rows}
        return tuple(_job(template, *found.get(template.id, (None, None))) for template in listed)

    def cluster(self, ids: Sequence[int]) -> Cluster:
        """Return the suggested cluster of the log that all these templates are from, else the usual one."""
        with speaking(self.path):
            texts: set[str] = set()
            for some, marks in _in_parts(ids):
                rows = self._connection.execute(
                    f"SELECT DISTINCT cluster {_FROM} WHERE template.id IN ({marks})", some
                )
                texts |= {row[0] for row in rows}
        return self._cluster(texts.pop()) if len(texts) == 1 else Cluster()

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


def _tail(search: Search) -> tuple[str, list[object]]:
    where, values = conditions(search)
    return f"WHERE {where} ORDER BY {order(search)}", values


def _job(template: Template, packed: object, shuffle_bytes: object) -> Job:
    if not (isinstance(packed, bytes) and isinstance(shuffle_bytes, float | None)):
        raise InputError(DAMAGED)
    maps, reduces = unpack(packed, template.maps, template.reduces)
    return Job(
        template.name, maps, reduces, user=template.user, pool=template.pool, shuffle_bytes=shuffle_bytes
    )


def _in_parts(ids: Sequence[int]) -> Iterator[tuple[Sequence[int], str]]:
    """Yield as many ids as fit into one query, and the marks that stand for them there."""
    for begin in range(0, len(ids), IDS_AT_ONCE):
        some = ids[begin : begin + IDS_AT_ONCE]
        yield some, ", ".join("?" * len(some))
