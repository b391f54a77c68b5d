"""`slotscope export`: one schedule as a file for other programs, or a comparison as an HTML report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import InputError
from core.files.chrome_trace import write_chrome_trace
from core.files.comparison_report import comparison_report
from core.files.html_report import write_report
from core.files.paje import write_paje
from core.files.tables import PARQUET, job_table, task_table, write_parquet, write_table
from explorer.command_line.requests import several_runs
from explorer.command_line.screen import print_line
from explorer.document.titles import policy_title

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

    from core.schedule import Schedule

FORMATS = {
    "tasks": "every task as CSV, or as Parquet",
    "jobs": "every job as CSV, or as Parquet",
    "parquet": "every task as Parquet",
    "chrome": "Chrome trace JSON, for Perfetto",
    "paje": "Paje trace, for ViTE and PajeNG",
    "html": "a comparison as one HTML file",
}
PICTURE = (1400, 900)


def export(options: Namespace) -> int:
    """Write what was asked for."""
    schedules = [run.simulate() for run in several_runs(options)]
    path = Path(options.out)
    if options.format == "html":
        write_report(_report(schedules), path)
        print_line(f"Report written to {path}")
        return 0
    if len(schedules) != 1:
        raise InputError(f"--policies names {len(schedules)} policies; the format {options.format} holds one")
    schedule = schedules[0]
    WRITERS[options.format](schedule, path)
    print_line(f"{_described(options.format, path)}: written to {path}")
    return 0


def _described(what: str, path: Path) -> str:
    if what not in ("tasks", "jobs"):
        return FORMATS[what]
    return f"every {what[:-1]} as {'Parquet' if path.suffix.lower() == PARQUET else 'CSV'}"


def _write_tasks(schedule: Schedule, path: Path) -> None:
    write_table(task_table(schedule), path)


def _write_jobs(schedule: Schedule, path: Path) -> None:
    write_table(job_table(schedule), path)


def _write_parquet(schedule: Schedule, path: Path) -> None:
    write_parquet(task_table(schedule), path)


WRITERS: dict[str, Callable[[Schedule, Path], None]] = {
    "tasks": _write_tasks,
    "jobs": _write_jobs,
    "parquet": _write_parquet,
    "chrome": write_chrome_trace,
    "paje": write_paje,
}


def _report(schedules: list[Schedule]) -> str:
    """Return the report with its charts in both themes."""
    from explorer.command_line.rendering import picture

    named = [(policy_title(schedule.choice.id), schedule) for schedule in schedules]
    pictures = (picture(schedules, PICTURE, dark=dark) for dark in (False, True))
    return comparison_report(named, *pictures)
