"""One schedule as a file for other programs, in a format that is named or that the file's ending says."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from core.files.chrome_trace import write_chrome_trace
from core.files.paje import write_paje
from core.files.tables import PARQUET, job_table, task_table, write_parquet, write_table
from core.files.watched import UNWATCHED
from core.model.errors import InputError, UnknownName

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.files.watched import Watch
    from core.model.schedule import Schedule

    Path = str | os.PathLike[str]


def _write_tasks(schedule: Schedule, path: Path, watch: Watch) -> None:
    write_table(task_table(schedule), path, watch)


def _write_jobs(schedule: Schedule, path: Path, watch: Watch) -> None:
    write_table(job_table(schedule), path, watch)


def _write_parquet(schedule: Schedule, path: Path, watch: Watch) -> None:
    write_parquet(task_table(schedule), path, watch)


WRITERS: dict[str, Callable[[Schedule, Path, Watch], None]] = {
    "tasks": _write_tasks,
    "jobs": _write_jobs,
    "parquet": _write_parquet,
    "chrome": write_chrome_trace,
    "paje": write_paje,
}
"""Tables are Parquet if the file's name ends so, else CSV; 'parquet' is a table of tasks under any name."""

ENDINGS = {".csv": "tasks", PARQUET: "tasks", ".json": "chrome", ".paje": "paje", ".html": "html"}


def format_for(path: Path) -> str:
    """Return the format that a file's name ends in, 'html' among them; InputError if it says none."""
    name = os.fspath(path).lower().removesuffix(".gz")
    for ending, form in ENDINGS.items():
        if name.endswith(ending):
            return form
    raise InputError(f"'{path}' ends in none of {', '.join(ENDINGS)}; name the format")


def write_schedule(schedule: Schedule, path: Path, form: str, watch: Watch = UNWATCHED) -> None:
    """Write a complete schedule in one of `WRITERS`, in one step.

    Raises
    ------
    UnknownName
        there is no such format
    InputError
        the file cannot be written
    Cancelled
        the watch says so; the file is as it was
    """
    if form not in WRITERS:
        raise UnknownName("format", form, WRITERS)
    WRITERS[form](schedule, path, watch)
