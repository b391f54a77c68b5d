"""`slotscope page`: schedules as one HTML file that draws them in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from core.model.errors import InputError
from explorer.cli.command import Command, option
from explorer.cli.requests import ComparedSchedules, RunOptions
from explorer.cli.screen import print_line, progress

MAX_CHARTS = 12


class PageCommand(Command, name="page"):
    """Write the schedules of one or more policies as one HTML file that is looked through in a browser."""

    compared: ComparedSchedules
    out: str = option("F.html", "the file; - for standard output")
    rows: Literal["slot", "pool"] = option(
        None,
        "what a row is: a slot (the default), or a place in the band of a pool that shares slots",
        default="slot",
    )
    changes: RunOptions

    def run(self) -> None:
        """Write it."""
        from core.files.atomic import Watch
        from core.files.schedule_page import write_page
        from explorer.cli.render import charts_of
        from explorer.gantt.page import page_of

        runs = self.compared.runs(self.changes)
        if len(runs) > MAX_CHARTS:
            raise InputError(f"--policies names {len(runs)} policies; a page holds at most {MAX_CHARTS}")
        schedules = [run.simulate() for run in runs]
        with progress(f"Writing {Path(self.out).name}") as show:
            text = page_of(charts_of(schedules, self.rows == "pool"), Watch(progress=show))
        write_page(text, self.out)
        print_line(f"Page written to {self.out}")
