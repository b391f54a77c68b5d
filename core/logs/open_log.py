"""Import logs: files or folders of any supported format become one workload and a report.

The format is found by content, never by the file's name. An import gives a value or raises; it never
half-applies.
"""

from __future__ import annotations

import gc
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.logs import (
    history_dump,
    job_history,
    load_simulator,
    rumen,
    spark_log,
    swim,
    task_table,
    tracker_history,
)
from core.logs.assemble import assemble
from core.logs.import_pipeline import ImportPipeline
from core.logs.log_files import log_files
from core.logs.recorded_job import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from core.logs.reader import Reader
    from core.logs.report import ImportReport
    from core.model.workload import Workload

READERS: tuple[Reader, ...] = (
    rumen.READER,
    job_history.READER,
    tracker_history.READER,
    history_dump.READER,
    load_simulator.READER,
    spark_log.READER,
    swim.READER,
    task_table.READER,
)
"""Every log format, in the order in which they are asked; a new format is one line here."""


@dataclass(frozen=True, slots=True)
class Imported:
    """An imported log: the workload and the account of how it came about."""

    workload: Workload
    report: ImportReport


def open_trace(
    paths: Sequence[Path],
    *,
    parameters: Mapping[str, object] | None = None,
    progress: Callable[[float], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Imported:
    """Import log files as one workload.

    Parameters
    ----------
    paths : files, or folders of which every log is taken; jobs are merged by submit time
    parameters : values for what the formats let people set (`Reader.parameters`); the rest has defaults
    progress : called with the fraction done, from 0 to 1
    should_stop : asked now and then whether to give up

    Raises
    ------
    UnknownFormat
        no reader recognises a file that was named, or any file of a folder
    TraceError
        the files are of a known format, and not one job of them could be read
    UnknownName
        a parameter is none of the formats that were found
    InputError
        a file cannot be read, a folder holds too many files, or a parameter's value breaks a rule
    Cancelled
        `should_stop` said so
    """
    files = log_files(paths, should_stop)
    gathering = ImportPipeline(READERS, progress, should_stop)
    with _collector_at_rest():
        workload, report = assemble(gathering.read(files, _name(paths), parameters or {}))
    return Imported(workload, report)


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    """Leave out the search for circular garbage: of a hundred thousand new values none is, and it takes long.

    What is no longer referred to is freed at once all the same.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def reader_of(head: bytes) -> Reader | None:
    """Return the reader that recognises a file's first bytes (unpacked), or None."""
    return next((reader for reader in READERS if reader.recognises(head)), None)


def _name(paths: Sequence[Path]) -> str:
    """Name the workload after the first file or folder, without the endings that say nothing."""
    name = paths[0].resolve().name
    for ending in (".gz", ".json", ".trace", ".jhist", ".jsonl", ".tsv", ".csv", ".log", ".txt"):
        name = name.removesuffix(ending)
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return (one_line(name) or "log") + more
