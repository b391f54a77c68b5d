"""The trace library: templates are added by whole logs, thrown into the trash, and taken back."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Self

from core.model.errors import Cancelled
from core.trace_database.connection import connect, speaking, writing
from core.trace_database.entries import COLUMNS, entries, log_of
from core.trace_database.reading import Reading
from core.trace_database.template import Added

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from core.files.open_workload import Opened
    from core.trace_database.entries import Entry, Log

ROWS_AT_ONCE = 500
"""Rows between two questions whether to stop."""

_INSERT = (
    f"INSERT OR IGNORE INTO template (source, {', '.join(COLUMNS)}) "
    f"VALUES ({', '.join('?' * (len(COLUMNS) + 1))})"
)
_UNDELETE = "UPDATE template SET deleted = NULL WHERE digest = ? AND deleted IS NOT NULL"
_FORGET_SAMPLES = "DELETE FROM samples WHERE template IN (SELECT id FROM template WHERE deleted IS NOT NULL)"


class Library(Reading):
    """An open trace library, for one thread at a time. Others may read and write it meanwhile."""

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

    def add(
        self,
        opened: Opened,
        *,
        progress: Callable[[float], None] | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> Added:
        """Add the jobs of a log as a whole: a kill, a failure or a stop leaves the library as it was.

        Jobs that the library has already, equal in everything, are not added again; those in its trash come
        back.

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
            added = restored = 0
            for number, entry in enumerate(rows):
                if number % ROWS_AT_ONCE == 0:
                    _pause(number / len(rows), progress, should_stop)
                if self._add_template(source, entry):
                    added += 1
                else:
                    restored += self._connection.execute(_UNDELETE, entry.row[:1]).rowcount
            if not added:
                self._connection.execute("DELETE FROM source WHERE id = ?", (source,))
        return Added(opened.workload.name, added, len(rows) - added - restored, restored)

    def _add_source(self, log: Log) -> int:
        cursor = self._connection.execute(
            "INSERT INTO source (name, format, cluster, imported) VALUES (?, ?, ?, ?)",
            (log.name, log.format, log.cluster, time.time()),
        )
        return int(cursor.lastrowid or 0)

    def _add_template(self, source: int, entry: Entry) -> bool:
        cursor = self._connection.execute(_INSERT, (source, *entry.row))
        if cursor.rowcount != 1:
            return False
        self._connection.execute(
            "INSERT INTO samples (template, packed) VALUES (?, ?)", (cursor.lastrowid, entry.packed)
        )
        return True

    def delete(self, ids: Iterable[int]) -> int:
        """Throw templates into the trash; return how many were not there already."""
        return self._mark(
            "UPDATE template SET deleted = ? WHERE id = ? AND deleted IS NULL",
            [(time.time(), template) for template in ids],
        )

    def restore(self, ids: Iterable[int]) -> int:
        """Take templates back from the trash; return how many were in it."""
        return self._mark(
            "UPDATE template SET deleted = NULL WHERE id = ? AND deleted IS NOT NULL",
            [(template,) for template in ids],
        )

    def _mark(self, update: str, values: list[tuple[object, ...]]) -> int:
        with speaking(self.path), writing(self._connection):
            return max(self._connection.executemany(update, values).rowcount, 0)

    def empty_trash(self) -> int:
        """Forget what is in the trash for ever, and logs that nothing is left of; return how many jobs."""
        with speaking(self.path), writing(self._connection):
            self._connection.execute(_FORGET_SAMPLES)
            gone = self._connection.execute("DELETE FROM template WHERE deleted IS NOT NULL").rowcount
            self._connection.execute("DELETE FROM source WHERE id NOT IN (SELECT source FROM template)")
        return gone


def _pause(
    fraction: float, progress: Callable[[float], None] | None, should_stop: Callable[[], bool] | None
) -> None:
    if progress is not None:
        progress(fraction)
    if should_stop is not None and should_stop():
        raise Cancelled("the import into the trace library stopped; nothing was added")
