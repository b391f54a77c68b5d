"""`slotscope export`: one schedule as a file for other programs, or a comparison as an HTML report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from core.model.errors import InputError
from explorer.cli.requests import WORKLOAD, add_choices, add_command, add_run_options, several_runs
from explorer.cli.screen import print_line, progress

if TYPE_CHECKING:
    from argparse import Namespace

    from core.model.schedule import Schedule
    from explorer.cli.requests import Commands

FORMATS = {
    "parquet": "every task as Parquet",
    "chrome": "Chrome trace JSON, for Perfetto",
    "paje": "Paje trace, for ViTE and PajeNG",
    "html": "a comparison as one HTML file",
}
PICTURE = (1400, 900)


def add_parser(commands: Commands) -> None:
    """Add the command."""
    text = "write a schedule for other programs, or a comparison as one HTML file"
    parser = add_command(commands, "export", text, run, workload=WORKLOAD)
    add_choices(parser)
    formats = ("tasks", "jobs", "parquet", "chrome", "paje", "html")
    kinds = (
        "table of tasks or jobs (Parquet if the file ends in .parquet, else CSV), tasks as Parquet, Chrome "
        "trace for Perfetto, Paje trace, HTML report"
    )
    parser.add_argument("--format", choices=formats, help=f"{kinds}; without it the file's ending decides")
    parser.add_argument("--out", metavar="F", required=True, help="the file; .gz compresses text")
    add_run_options(parser)


def run(options: Namespace) -> int:
    """Write what was asked for."""
    from core.files.atomic import Watch
    from core.files.html_report import write_report
    from core.files.schedule_file import format_for, write_schedule

    path = Path(options.out)
    form = options.format or format_for(path)
    schedules = [run.simulate() for run in several_runs(options)]
    if form == "html":
        write_report(_report(schedules), path)
        print_line(f"Report written to {path}")
        return 0
    if len(schedules) != 1:
        raise InputError(f"--policies names {len(schedules)} policies; the format {form} holds one")
    with progress(f"Writing {path.name}") as show:
        write_schedule(schedules[0], path, form, Watch(progress=show))
    print_line(f"{_described(form, path)}: written to {path}")
    return 0


def _described(form: str, path: Path) -> str:
    from core.files.schedule_file import PARQUET

    if form not in ("tasks", "jobs"):
        return FORMATS[form]
    return f"every {form[:-1]} as {'Parquet' if path.suffix.lower() == PARQUET else 'CSV'}"


def _report(schedules: list[Schedule]) -> str:
    """Return the report with its charts in both themes."""
    from core.measures.comparison_report import comparison_report
    from explorer.cli.render import picture
    from explorer.document.titles import choice_title

    named = [(choice_title(schedule.choice), schedule) for schedule in schedules]
    pictures = (picture(schedules, PICTURE, "png", dark, by_pool=False) for dark in (False, True))
    return comparison_report(named, *pictures)
