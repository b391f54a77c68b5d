"""`slotscope export`: schedules as a file for other programs, or a comparison as an HTML report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from explorer.cli.command import Command, option
from explorer.cli.compared import ComparedSchedules
from explorer.cli.requests import RunOptions
from explorer.cli.screen import print_line, progress

if TYPE_CHECKING:
    from core.model.schedule import Titled

TABLES = ("tasks", "jobs", "stages")
FORMATS = {
    "parquet": "every task as Parquet",
    "perfetto": "Perfetto trace (Chrome's JSON)",
    "paje": "Paje trace, for ViTE and PajeNG",
    "html": "a comparison as one HTML file",
}
OLD_NAMES = {"chrome": "perfetto"}
"""What formats were called in version 0.1; scripts may say so."""


class ExportCommand(Command, name="export"):
    """Write schedules for other programs, or a comparison as one HTML file."""

    compared: ComparedSchedules
    format: str | None = option(
        None,
        "table of tasks, jobs or stages (Parquet if the file ends in .parquet, else CSV; several policies "
        "are told apart in a column 'scenario'), tasks as Parquet, trace for Perfetto, Paje trace, HTML "
        "report; without it the file's ending decides",
        choices=(*TABLES, *FORMATS),
        type=lambda name: OLD_NAMES.get(name, name),
    )
    out: str = option("F", "the file; .gz compresses text")
    changes: RunOptions

    def run(self) -> None:
        """Write what was asked for."""
        from core.explain.stage_table import write_stages
        from core.files.atomic import Watch
        from core.files.html_report import write_report
        from core.files.schedule_file import format_for, write_schedules
        from explorer.document.titles import choice_title

        path = Path(self.out)
        form = self.format or format_for(path)
        schedules = [run.simulate() for run in self.compared.runs(self.changes)]
        titled = [(choice_title(schedule.choice), schedule) for schedule in schedules]
        if form == "html":
            write_report(_report(titled), path)
            print_line(f"Report written to {path}")
            return
        with progress(f"Writing {path.name}") as show:
            if form == "stages":
                write_stages(titled, path, Watch(progress=show))
            else:
                write_schedules(titled, path, form, Watch(progress=show))
        print_line(f"{_described(form, path)}: written to {path}")


def _described(form: str, path: Path) -> str:
    from core.files.schedule_file import PARQUET

    if form not in TABLES:
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
