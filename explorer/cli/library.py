"""`slotscope library`: job templates of many logs, kept in one database."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from core.model.errors import InputError
from core.model.time_text import duration_text
from core.trace_database.template import SORT_KEYS, Template, date_text, jobs_text
from explorer.cli.command import Command, argument, flag, option
from explorer.cli.import_ import ImportOptions
from explorer.cli.requests import WorkloadOut, json_option
from explorer.cli.screen import (
    note_cuts,
    picked,
    print_json,
    print_line,
    print_table,
    progress,
    screen_width,
    without_spare,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.trace_database.trace_database import Library

VERSION = 1
"""Of the JSON; grows when a field changes its meaning."""
WORK = ">work (slot s)"
SPARE = (WORK, "log", "submitted (UTC)", "user", ">reduces", ">maps", "title")
"""Columns that a narrow terminal does without, the first ones first."""
FILTERS = "text user application trashed min_tasks max_tasks sort descending"
LISTED = 100
"""Rows of a table, if nobody asks for more."""
FILE = "the library (default: the user's own); 'import' begins one that is not there"


class OnLibrary(Command):
    """What works on a library."""

    may_begin = False
    library: str | None = option("FILE", FILE)

    def run(self) -> None:
        """Open the library and do it there."""
        from core.trace_database.connection import default_library
        from core.trace_database.trace_database import Library

        path = Path(self.library) if self.library else default_library()
        with Library.open(path, create=self.may_begin or not self.library) as opened:
            self.act(opened)

    def act(self, library: Library) -> None:
        """Do it with the open library."""
        raise NotImplementedError


class LibraryImportCommand(OnLibrary, name="library import"):
    """Add the jobs of logs, each log as a whole; what is there already is not added."""

    may_begin = True
    json: bool = json_option()
    paths: list[str] = argument("LOG", "logs, folders of logs, or workload documents")
    options: ImportOptions

    def act(self, library: Library) -> None:
        """Import every log that can be; those that cannot are listed together at the end."""
        from core.trace_database.trace_database import import_into

        done, errors = [], []
        for source in self.paths:
            try:
                with progress(f"Importing {Path(source).name}") as show:
                    added, opened = import_into(library, source, parameters=self.options.given, progress=show)
            except InputError as error:
                errors.append(str(error))
                continue
            note_cuts([opened.workload.cut])
            left_out = len(opened.report.jobs_left_out) if opened.report else 0
            done.append({"log": source} | picked(added, "added present restored") | {"left_out": left_out})
            if not self.json:
                print_line(f"{added}{f'; {left_out} left out, without a usable task' if left_out else ''}")
        if self.json:
            print_json({"version": VERSION, "library": str(library.path), "imported": done})
        if errors:
            raise InputError("\n".join(errors))


class JobsCommand(OnLibrary, name="library list"):
    """List the jobs that match all of the filters."""

    json: bool = json_option()
    text: str = option("WORDS", "words in the job's name or title", name="--name", default="")
    user: str = option("NAME", "part of the user's name", default="")
    application: str | None = option("TITLE", "runs of exactly this application")
    trashed: bool = flag("the deleted jobs instead", name="--trash")
    min_tasks: int | None = option("N", "maps and reduces together, at least")
    max_tasks: int | None = option("N", "maps and reduces together, at most")
    since: str | None = option("DATE", "submitted on this day or later (2011-02-10, UTC)")
    until: str | None = option("DATE", "submitted on this day or earlier")
    sort: str = option(None, "what to sort by (default id)", choices=SORT_KEYS, default="id")
    descending: bool = flag("the largest or latest first")
    limit: int | None = option("N", "at most so many (default: 100, with --json all)")
    offset: int = option("N", "leave out the first N", default=0)

    def act(self, library: Library) -> None:
        """List them."""
        from core.trace_database.search import RunSearch, moment

        since = moment(self.since) if self.since else None
        until = moment(self.until, end=True) if self.until else None
        search = RunSearch(**picked(self, FILTERS), since=since, until=until)
        limit = self.limit if self.limit is not None or self.json else LISTED
        total = library.count(search)
        found = library.search(search, limit=limit, offset=self.offset)
        if self.json:
            print_json({"version": VERSION, "total": total, "jobs": [_json(template) for template in found]})
            return
        if not total:
            is_empty = not library.count(RunSearch(trashed=self.trashed))
            print_line(f"{library.path}: {_nothing(is_empty, is_trash=self.trashed)}")
            return
        header = (">id", "=name", "title", "user", "submitted (UTC)", ">maps", ">reduces", WORK, "log")
        rows = [
            (t.id, t.name, t.title, t.user, date_text(t.submitted), t.maps, t.reduces, t.work, t.source)
            for t in found
        ]
        columns, cells, left_out = without_spare(header, rows, SPARE, screen_width())
        shown = f"{len(found)} of {total} jobs" if len(found) < total else f"{total} jobs"
        wider = f"; a wider terminal shows {', '.join(left_out)}, too" if left_out else ""
        print_table(f"{library.path}", columns, cells, f"{shown}{wider}")


def _nothing(is_empty: bool, *, is_trash: bool) -> str:
    if is_trash:
        return "the trash is empty" if is_empty else "no job in the trash matches all of the filters"
    return "no jobs yet; 'slotscope library import LOG' adds some" if is_empty else "none match the filters"


class ShowCommand(OnLibrary, name="library show"):
    """Print the library's facts of one job."""

    json: bool = json_option()
    id: int = argument("ID", "its number in 'library list'")

    def act(self, library: Library) -> None:
        """Print it."""
        from core.trace_database.run_comparison import PHASES, phase_samples

        (template,) = library.templates([self.id])
        (job,) = library.jobs([self.id])
        figures = {phase: _figures(samples) for phase, samples in phase_samples(job).items()}
        if self.json:
            print_json({"version": VERSION} | _json(template) | {"phases": figures})
            return
        t, when = template, date_text(template.submitted)
        print_line(f"{t.id} · {t.name}{f' · {t.title}' if t.title else ''}")
        print_line(f"user {t.user or '–'}, pool {t.pool}, submitted {when}")
        print_line(f"{t.maps} maps, {t.reduces} reduces, {duration_text(t.work)} of slot time")
        print_line(f"from {t.source} ({t.format})")
        rows = [(phase, *figures[phase].values()) for phase in PHASES]
        print_table("Durations", ("phase", ">samples", ">mean", ">median", ">95 %", ">max"), rows)


def _figures(samples: NDArray[np.float64]) -> dict[str, float]:
    import numpy as np

    if not samples.size:
        return dict.fromkeys(("mean", "median", "p95", "max"), float("nan")) | {"samples": 0}
    return {
        "samples": samples.size,
        "mean": float(samples.mean()),
        "median": float(np.median(samples)),
        "p95": float(np.percentile(samples, 95)),
        "max": float(samples.max()),
    }


class LibraryCompareCommand(OnLibrary, name="library compare"):
    """Compare runs: medians and symmetric Kullback-Leibler divergence of map, shuffle and reduce durations.

    Two runs of one application are alike, those of others are not.
    """

    json: bool = json_option()
    ids: list[int] = argument("ID", "two or more jobs of 'library list'")

    def act(self, library: Library) -> None:
        """Compare each two of them."""
        from core.trace_database.run_comparison import PHASES, compare_runs

        if len(self.ids) < 2:
            raise InputError("name two or more jobs to compare; 'slotscope library list' has their ids")
        templates = library.templates(self.ids)
        compared = compare_runs(library.jobs(self.ids))
        if self.json:
            runs = [
                _json(template) | {"median": {phase: float(compared[phase].medians[i]) for phase in PHASES}}
                for i, template in enumerate(templates)
            ]
            divergence = {phase: compared[phase].divergence.tolist() for phase in PHASES}
            print_json({"version": VERSION, "runs": runs, "divergence": divergence})
            return
        headings = [f">{phase}" for phase in PHASES]
        medians = [
            (t.id, t.name, t.title, *(compared[phase].medians[i] for phase in PHASES))
            for i, t in enumerate(templates)
        ]
        print_table("Medians", ("id", "name", "title", *headings), medians)
        rows = [
            (f"{one.id} and {other.id}", *(f"{compared[phase].divergence[i, j]:.2f}" for phase in PHASES))
            for (i, one), (j, other) in combinations(enumerate(templates), 2)
        ]
        print_table("Symmetric Kullback-Leibler divergence (nats)", ("runs", *headings), rows)
        print_line(
            "0: alike. The SimMR paper has 0.0 to 4.4 for one application, 7.3 to 13.5 between different "
            "ones."
        )


class WorkloadOfJobsCommand(OnLibrary, name="library workload"):
    """Write jobs of the library as a workload document."""

    ids: list[int] = argument("ID", "jobs of 'library list', in their order")
    written: WorkloadOut
    arrivals: Literal["together", "recorded"] = option(
        None, "all at 0 s, or as far apart as recorded (default together)", default="together"
    )

    def act(self, library: Library) -> None:
        """Write them."""
        from core.trace_database.trace_database import workload_of

        workload = workload_of(library, self.ids, arrivals=self.arrivals)
        self.written.save(workload, workload.sizes_text)


class OnJobs(OnLibrary):
    """What is done with several jobs."""

    ids: list[int] = argument("ID", "jobs of 'library list'")


class DeleteCommand(OnJobs, name="library delete"):
    """Put jobs into the library's trash."""

    def act(self, library: Library) -> None:
        """Put them there; InputError says which are not in the library."""
        library.templates(self.ids)
        print_line(f"{jobs_text(library.delete(self.ids))} moved to the trash; 'restore' takes them back")


class RestoreCommand(OnJobs, name="library restore"):
    """Take jobs back from the trash ('library list --trash' has them)."""

    def act(self, library: Library) -> None:
        """Take them back; InputError says which are not in the library."""
        library.templates(self.ids)
        print_line(f"{jobs_text(library.restore(self.ids))} taken back from the trash")


class EmptyTrashCommand(OnLibrary, name="library empty-trash"):
    """Forget the jobs in the trash for ever."""

    def act(self, library: Library) -> None:
        """Forget them."""
        print_line(f"{jobs_text(library.empty_trash())} forgotten for ever")


def _json(template: Template) -> dict[str, Any]:
    """Return the library's facts of a job; the date also as text."""
    date = None if template.submitted is None else date_text(template.submitted)
    return template._asdict() | {"date": date} | picked(template, "tasks work")
