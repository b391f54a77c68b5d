"""`slotscope export`: schedules as a file for other programs, or a comparison as an HTML report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from explorer.cli.requests import WORKLOAD, add_choices, add_command, add_run_options, several_runs
from explorer.cli.screen import print_line, progress

if TYPE_CHECKING:
    from argparse import Namespace

    from core.model.schedule import Titled
    from explorer.cli.requests import Commands

FORMATS = {
    "parquet": "every task as Parquet",
    "perfetto": "Perfetto trace (Chrome's JSON)",
    "paje": "Paje trace, for ViTE and PajeNG",
    "html": "a comparison as one HTML file",
}
OLD_NAMES = {"chrome": "perfetto"}
"""What formats were called in version 0.1; scripts may say so."""


def add_parser(commands: Commands) -> None:
    """Add the command."""
    text = "write schedules for other programs, or a comparison as one HTML file"
    parser = add_command(commands, "export", text, run, workload=WORKLOAD)
    add_choices(parser)
    formats = ("tasks", "jobs", "parquet", "perfetto", "paje", "html")
    kinds = (
        "table of tasks or jobs (Parquet if the file ends in .parquet, else CSV; several policies are told "
        "apart in a column 'scenario'), tasks as Parquet, trace for Perfetto, Paje trace, HTML report"
    )
    parser.add_argument(
        "--format",
        choices=formats,
        type=lambda name: OLD_NAMES.get(name, name),
        help=f"{kinds}; without it the file's ending decides",
    )
    parser.add_argument("--out", metavar="F", required=True, help="the file; .gz compresses text")
    add_run_options(parser)


def run(options: Namespace) -> int:
    """Write what was asked for."""
    from core.files.atomic import Watch
    from core.files.html_report import write_report
    from core.files.schedule_file import format_for, write_schedules
    from explorer.document.titles import choice_title

    path = Path(options.out)
    form = options.format or format_for(path)
    schedules = [run.simulate() for run in several_runs(options)]
    titled = [(choice_title(schedule.choice), schedule) for schedule in schedules]
    if form == "html":
        write_report(_report(titled), path)
        print_line(f"Report written to {path}")
        return 0
    with progress(f"Writing {path.name}") as show:
        write_schedules(titled, path, form, Watch(progress=show))
    print_line(f"{_described(form, path)}: written to {path}")
    return 0


def _described(form: str, path: Path) -> str:
    from core.files.schedule_file import PARQUET

    if form not in ("tasks", "jobs"):
        return FORMATS[form]
    return f"every {form[:-1]} as {'Parquet' if path.suffix.lower() == PARQUET else 'CSV'}"


def _report(titled: list[Titled]) -> str:
    """Return the report with its charts in both themes."""
    from datetime import datetime

    from core.measures.comparison_report import comparison_report
    from explorer.cli.render import picture
    from explorer.gantt.stage import Style
    from explorer.widgets.theme import theme

    schedules = [schedule for _, schedule in titled]
    light, dark = (
        picture(schedules, Style(theme(is_dark)), "png", by_pool=False) for is_dark in (False, True)
    )
    return comparison_report(titled, light, dark, datetime.now().astimezone().date())
