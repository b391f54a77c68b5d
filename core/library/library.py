"""The trace library: templates are added by whole logs, searched in pages, and taken out as jobs."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any, Self

from core.cluster import Cluster
from core.errors import Cancelled, InputError
from core.files.workload_reading import cluster_from_json
from core.library.connection import connect, damage, speaking, writing
from core.library.entries import COLUMNS, entries, log_of
from core.library.samples import DAMAGED, unpack
from core.library.search import Search, conditions, order
from core.library.template import TYPES, Added, Template
from core.workload import Job

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from core.errors import Problem
    from core.library.entries import Entry, Log
    from core.open_workload import Opened

AT_ONCE = 500
"""Rows between two questions whether to stop, and ids of one query."""

_LISTED = """SELECT template.id, template.name, title, user, pool, submitted, arrival, maps, reduces,
    map_seconds, shuffle_seconds, reduce_seconds, source.name, source.format
    FROM template JOIN source ON source.id = template.source"""
_TEMPLATE_SQL = (
    f"INSERT OR IGNORE INTO template (source, {', '.join(COLUMNS)}) "
    f"VALUES ({', '.join('?' * (len(COLUMNS) + 1))})"
)


class Library:
    """An open trace library; of one thread. Others may read and write it at the same time."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    @classmethod
    def open(cls, path: Path, *, create: bool = True) -> Self:
        """Open the library in a file; see `connect` for what is refused and how it is said."""
        return cls(path, connect(path, create=create))

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @property
    def data_version(self) -> int:
        """A number that changes when another connection has changed the library."""
        with speaking(self.path):
            return int(self._connection.execute("PRAGMA data_version").fetchone()[0])

    # ---- looking

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
        wanted = search or Search()
        where, values = conditions(wanted)
        query = f"{_LISTED} WHERE {where} ORDER BY {order(wanted)} LIMIT ? OFFSET ?"
        with speaking(self.path):
            rows = self._connection.execute(query, [*values, -1 if limit is None else limit, offset])
            return tuple(map(self._template, rows))

    def templates(self, ids: Sequence[int]) -> tuple[Template, ...]:
        """Return templates by id, in the order given; InputError names those that are not there."""
        found: dict[int, Template] = {}
        with speaking(self.path):
            for some in _in_parts(ids):
                marks = ", ".join("?" * len(some))
                rows = self._connection.execute(f"{_LISTED} WHERE template.id IN ({marks})", some)
                found |= {row[0]: self._template(row) for row in rows}
        missing = [str(i) for i in ids if i not in found]
        if missing:
            raise InputError(
                f"the trace library has no job {', '.join(missing[:5])}; 'slotscope library list' has the ids"
            )
        return tuple(found[i] for i in ids)

    def jobs(self, ids: Sequence[int]) -> tuple[Job, ...]:
        """Return the templates as jobs with their samples, arriving at 0 s, in the order given."""
        listed = self.templates(ids)
        found: dict[int, tuple[bytes, float | None]] = {}
        with speaking(self.path):
            for some in _in_parts(ids):
                rows = self._connection.execute(
                    "SELECT id, packed, shuffle_bytes FROM template JOIN samples ON template = id "
                    f"WHERE id IN ({', '.join('?' * len(some))})",
                    some,
                )
                found |= {row[0]: (row[1], row[2]) for row in rows}
        return tuple(_job(template, found.get(template.id, (b"", None))) for template in listed)

    def cluster(self, ids: Sequence[int]) -> Cluster:
        """Return the suggested cluster of the log that all these templates are from, else the usual one."""
        with speaking(self.path):
            texts: set[str] = set()
            for some in _in_parts(ids):
                rows = self._connection.execute(
                    "SELECT DISTINCT cluster FROM source JOIN template ON source = source.id "
                    f"WHERE template.id IN ({', '.join('?' * len(some))})",
                    some,
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

    # ---- changing

    def add(
        self,
        opened: Opened,
        *,
        progress: Callable[[float], None] | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> Added:
        """Add the jobs of a log as a whole: a kill, a failure or a stop leaves the library as it was.

        Jobs that the library has already, equal in everything, are not added again.

        Raises
        ------
        InputError
            the library cannot be written, or somebody else writes for too long
        Cancelled
            `should_stop` said so
        """
        rows = list(entries(opened))
        with speaking(self.path), writing(self._connection, should_stop):
            source = self._add_source(log_of(opened))
            added = 0
            for number, entry in enumerate(rows):
                if number % AT_ONCE == 0:
                    _pause(number / len(rows), progress, should_stop)
                added += self._add_template(source, entry)
            if not added:
                self._connection.execute("DELETE FROM source WHERE id = ?", (source,))
        return Added(opened.workload.name, added, len(rows) - added)

    def _add_source(self, log: Log) -> int:
        cursor = self._connection.execute(
            "INSERT INTO source (name, format, cluster, imported) VALUES (?, ?, ?, ?)",
            (log.name, log.format, log.cluster, time.time()),
        )
        return int(cursor.lastrowid or 0)

    def _add_template(self, source: int, entry: Entry) -> bool:
        cursor = self._connection.execute(_TEMPLATE_SQL, (source, *entry.row))
        if cursor.rowcount != 1:
            return False
        self._connection.execute(
            "INSERT INTO samples (template, packed) VALUES (?, ?)", (cursor.lastrowid, entry.packed)
        )
        return True


def _job(template: Template, stored: tuple[bytes, float | None]) -> Job:
    packed, shuffle_bytes = stored
    if not (isinstance(packed, bytes) and isinstance(shuffle_bytes, float | None)):
        raise InputError(DAMAGED)
    maps, reduces = unpack(packed, template.maps, template.reduces)
    return Job(
        template.name, maps, reduces, user=template.user, pool=template.pool, shuffle_bytes=shuffle_bytes
    )


def _in_parts(ids: Sequence[int]) -> Iterator[Sequence[int]]:
    for begin in range(0, len(ids), AT_ONCE):
        yield ids[begin : begin + AT_ONCE]


def _pause(
    fraction: float, progress: Callable[[float], None] | None, should_stop: Callable[[], bool] | None
) -> None:
    if progress is not None:
        progress(fraction)
    if should_stop is not None and should_stop():
        raise Cancelled("the import into the trace library stopped; nothing was added")
