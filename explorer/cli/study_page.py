"""`slotscope study page`: results of a study as one HTML file that is looked through in a browser."""

from __future__ import annotations

import math
from pathlib import Path

from core.model.errors import InputError
from explorer.cli.command import Command, argument, flag, option
from explorer.cli.requests import open_results
from explorer.cli.screen import print_line, print_note, progress


class StudyPageCommand(Command, name="study page"):
    """Write the results of a study as one HTML file: pictures, numbers, schedules of clicked places.

    Needs no display. Pictures can be pointed at and filtered in a browser. Schedules are simulated now, for
    the first seed of each place; the page itself simulates nothing.
    """

    folder: str = argument("DIR", "where a study was run into")
    out: str = option("F.html", "the file; - for standard output")
    places: int = option(
        "N", "so many places carry their schedules, at most (default 60; 0 for none)", default=60
    )
    megabytes: float = option(
        "MB",
        "schedules that would make the file larger are left out (default 5)",
        default=5.0,
        name="--mb",
    )
    trust_policies: bool = flag(
        "run the policy files that the study names, file:mine.py, for schedules; without it there are none"
    )

    def run(self) -> None:
        """Write it, and say what is in it."""
        from core.charts.study.study_web_page import PageLimits, source_of, study_page
        from core.files.atomic import Watch
        from core.files.schedule_page import write_page

        if self.places < 0:
            raise InputError(f"--places is {self.places}; give a whole number from 0 on")
        if not 0 < self.megabytes < math.inf:
            raise InputError(f"--mb is {self.megabytes:g}; give a number above 0")
        results = open_results(self.folder)
        source = source_of(results, are_trusted=self.trust_policies)
        if self.places == 0:
            source = source.without_schedules()
        elif source.maker is None:
            print_note(source.why_none)
        with progress(f"Writing {Path(self.out).name}") as show:
            page = study_page(source, PageLimits(self.places, self.megabytes), Watch(progress=show))
        write_page(page.text, self.out)
        print_line(f"Page written to {self.out}: {page.words}")
