"""`slotscope page`: schedules as one HTML file that draws them in a browser."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from core.model.errors import InputError, shorten
from core.model.limits import MAX_SLOTS
from explorer.cli.command import Command, option
from explorer.cli.compared import ComparedSchedules
from explorer.cli.requests import AsRecorded, RunOptions, ids_in
from explorer.cli.screen import print_line, progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from explorer.cli.requests import Run

MAX_CHARTS = 12


def sizes_in(text: str) -> list[int]:
    """Return whole numbers of at least 1 that stand between commas, each once."""
    found = []
    for word in ids_in(text):
        if not word.isascii() or not word.isdigit() or not 1 <= int(word[:9]) <= MAX_SLOTS or len(word) > 9:
            raise InputError(f"--sizes {shorten(word)}: give whole numbers from 1 to {MAX_SLOTS}")
        found.append(int(word))
    return list(dict.fromkeys(found))


def on_sizes(
    runs: Sequence[Run | AsRecorded], sizes: Sequence[int]
) -> tuple[list[Run | AsRecorded], list[str]]:
    """Return the runs on clusters of each size, size by size, and what to call each one's cluster."""
    from core.optimize.cluster_sizes import cluster_of_size, size_text, usual_varied

    if any(isinstance(run, AsRecorded) for run in runs):
        raise InputError(
            "--sizes is for what is simulated; leave out --recorded, which ran on its own cluster"
        )
    cluster, varied = runs[0].cluster, usual_varied(runs[0].cluster)
    other = {size: cluster_of_size(cluster, varied, size) or cluster for size in sizes}
    found = [(replace(run, cluster=other[size]), size_text(varied, size)) for size in sizes for run in runs]
    return [run for run, _ in found], [name for _, name in found]


class PageCommand(Command, name="page"):
    """Write the schedules of one or more policies as one HTML file that is looked through in a browser."""

    compared: ComparedSchedules
    out: str = option("F.html", "the file; - for standard output")
    sizes: list[int] = option(
        "64,128,256",
        "simulate on clusters of several sizes, between which the reader switches: so many map and as many "
        "reduce slots, or containers, or nodes (default: the workload's)",
        default="",
        read=sizes_in,
    )
    rows: Literal["slot", "pool"] = option(
        None,
        "what a row is: a slot (the default), or a place in the band of a pool that shares slots",
        default="slot",
    )
    changes: RunOptions

    def run(self) -> None:
        """Write it."""
        from core.charts.chart import charts_of
        from core.charts.charts_page import page_of
        from core.files.atomic import Watch
        from core.files.schedule_page import write_page
        from explorer.document.titles import choice_title

        runs = self.compared.runs(self.changes, or_own=True)
        if len(runs) * max(len(self.sizes), 1) > MAX_CHARTS:
            times = f" on {len(self.sizes)} clusters" if self.sizes else ""
            raise InputError(
                f"--policies names {len(runs)} policies{times}; a page holds at most {MAX_CHARTS} charts"
            )
        clusters = [""] * len(runs)
        if self.sizes:
            runs, clusters = on_sizes(runs, self.sizes)
        schedules = [run.simulate() for run in runs]
        with progress(f"Writing {Path(self.out).name}") as show:
            titled = [
                (run.title or choice_title(schedule.choice), schedule)
                for run, schedule in zip(runs, schedules, strict=True)
            ]
            charts = charts_of(titled, by_pool=self.rows == "pool")
            text = page_of(charts, Watch(progress=show), clusters)
        write_page(text, self.out)
        print_line(f"Page written to {self.out}")
