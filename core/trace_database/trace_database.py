"""The trace library: whole logs are added, templates thrown into the trash, taken back, made a workload."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, Self

from core.files.open_workload import open_workload
from core.files.workload_writing import cluster_to_json
from core.model.errors import Cancelled, InputError
from core.model.links import named_apart
from core.model.progress import never_stop, no_progress
from core.model.workload import Workload
from core.trace_database.connection import connect, speaking, writing
from core.trace_database.entries import entries
from core.trace_database.search import Reading
from core.trace_database.template import Added

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from core.files.open_workload import Opened
    from core.model.job import Job
    from core.trace_database.entries import Entry
    from core.trace_database.template import Template


ROWS_AT_ONCE = 500
"""Rows between two questions whether to stop."""

_UNDELETE = "UPDATE template SET deleted = NULL WHERE digest = ? AND deleted IS NOT NULL"
_FORGET_SAMPLES = "DELETE FROM samples WHERE template IN (SELECT id FROM template WHERE deleted IS NOT NULL)"


class Library(Reading):
    """An open trace library, for one thread at a time. Others may read and write it meanwhile."""

    @classmethod
    def open(cls, path: Path, *, create: bool = True) -> Self:
        """Open the library in a file; see `connect` for what is refused and the messages."""
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
        progress: Callable[[float], None] = no_progress,
        should_stop: Callable[[], bool] = never_stop,
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
            source = self._add_source(opened)
            added = restored = 0
            for number, entry in enumerate(rows):
                if number % ROWS_AT_ONCE == 0:
                    progress(number / len(rows))
                    if should_stop():
                        raise Cancelled("the import into the trace library stopped; nothing was added")
                if self._add_template(source, entry):
                    added += 1
                else:
                    restored += self._connection.execute(_UNDELETE, (entry.row["digest"],)).rowcount
            if not added:
                self._connection.execute("DELETE FROM source WHERE id = ?", (source,))
        return Added(opened.workload.name, added, len(rows) - added - restored, restored)

    def _add_source(self, opened: Opened) -> int:
        name, cluster = opened.workload.name, json.dumps(cluster_to_json(opened.workload.cluster))
        kind = opened.report.format if opened.report else f"workload {opened.kind}"
        cursor = self._connection.execute(
            "INSERT INTO source (name, format, cluster, imported) VALUES (?, ?, ?, ?)",
            (name, kind, cluster, time.time()),
        )
        return int(cursor.lastrowid or 0)

    def _add_template(self, source: int, entry: Entry) -> bool:
        row = {"source": source, **entry.row}
        values = ", ".join(f":{name}" for name in row)
        insert = f"INSERT OR IGNORE INTO template ({', '.join(row)}) VALUES ({values})"
        cursor = self._connection.execute(insert, row)
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


READING = 0.8
"""Part of the progress that reading the log takes; the rest is writing into the library."""


def import_into(
    library: Library,
    source: str | Path,
    *,
    parameters: Mapping[str, object] | None = None,
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
) -> tuple[Added, Opened]:
    """Add the jobs of one log (or folder of logs, workload document, sample) to the library, all or none.

    Parameters
    ----------
    library : an open library; it is locked for others who write only while rows are added
    source : a path, or the name of a sample
    parameters : values for the parameters of the log's format; for logs only
    progress : called with the fraction done, from 0 to 1
    should_stop : asked now and then whether to give up

    Raises
    ------
    InputError
        the log cannot be read, or the library cannot be written (see `Library.add`)
    Cancelled
        `should_stop` said so; nothing was added
    """
    opened = open_workload(
        source,
        parameters=parameters,
        progress=lambda part: progress(READING * part),
        should_stop=should_stop,
    )
    added = library.add(
        opened, progress=lambda part: progress(READING + (1 - READING) * part), should_stop=should_stop
    )
    progress(1.0)
    return added, opened


Arrivals = Literal["together", "recorded"]


def workload_of(library: Library, ids: Sequence[int], *, arrivals: Arrivals = "together") -> Workload:
    """Return a workload of templates, in the order given.

    Jobs of one name get numbers. The cluster is the one suggested for their log, or the usual one where
    they come from several.

    Parameters
    ----------
    ids : of the templates, each once; at least one
    arrivals : "together": all at 0 s; "recorded": as far apart as in their log, or, from several logs, as
        their dates are; the first at 0 s

    Raises
    ------
    InputError
        no such template, one is named twice, or arrivals are not known
    """
    if len(set(ids)) < len(ids) or not ids:
        raise InputError("name at least one job of the library, and each of them once")
    jobs: Sequence[Job] = named_apart(library.jobs(ids))
    templates = library.templates(ids)
    if arrivals == "recorded":
        times = _recorded_arrivals(templates)
        jobs = [replace(job, arrival=at) for job, at in zip(jobs, times, strict=True)]
    source = ", ".join(dict.fromkeys(f"{template.format}: {template.source}" for template in templates))
    source = f"trace library, {source}"[:10_000]
    return Workload("From the library", tuple(jobs), library.cluster(ids), source=source)


def _recorded_arrivals(templates: Sequence[Template]) -> list[float]:
    """Return seconds from the first job's arrival."""
    if len({(template.source, template.format) for template in templates}) == 1:
        times = [template.arrival for template in templates]
    else:
        dates = [template.submitted for template in templates]
        times = [date for date in dates if date is not None]
        if len(times) < len(dates):
            raise InputError(
                "the jobs come from several logs, and not all of these have dates: when they arrived "
                "relative to each other is not known; let them arrive together"
            )
    return [time - min(times) for time in times]
