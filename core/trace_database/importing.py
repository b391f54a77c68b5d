"""Bring a log, a workload document or a sample into the trace library."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from core.files.open_workload import Opened, open_workload
from core.logs.open_log import open_trace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from core.trace_database.template import Added
    from core.trace_database.trace_database import Library

READING = 0.8
"""Part of the progress that reading the log takes; the rest is writing into the library."""


def import_into(
    library: Library,
    source: str | Path,
    *,
    parameters: Mapping[str, object] | None = None,
    progress: Callable[[float], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> tuple[Added, Opened]:
    """Add the jobs of one log (or folder of logs, workload document, sample) to the library, all or none.

    Parameters
    ----------
    library : an open library; it is locked for others who write only while rows are added
    source : a path, or the name of a sample
    parameters : values for what the log's format lets people set; for logs only
    progress : called with the fraction done, from 0 to 1
    should_stop : asked now and then whether to give up

    Raises
    ------
    InputError
        the log cannot be read, or the library cannot be written (see `Library.add`)
    Cancelled
        `should_stop` said so; nothing was added
    """
    report = progress or _ignore
    opened = _open(source, parameters or {}, lambda part: report(READING * part), should_stop)
    added = library.add(
        opened, progress=lambda part: report(READING + (1 - READING) * part), should_stop=should_stop
    )
    report(1.0)
    return added, opened


def _open(
    source: str | Path,
    parameters: Mapping[str, object],
    progress: Callable[[float], None],
    should_stop: Callable[[], bool] | None,
) -> Opened:
    if not parameters:
        return open_workload(source, progress=progress, should_stop=should_stop)
    imported = open_trace([Path(source)], parameters=parameters, progress=progress, should_stop=should_stop)
    return Opened(imported.workload, "log", imported.report)


def _ignore(fraction: float) -> None:
    """Show nothing."""
