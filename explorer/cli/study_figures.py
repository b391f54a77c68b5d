"""`slotscope study figure` and `figures`: results as pictures, and those of all papers as one page."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.model.errors import InputError
from core.model.number_text import grouped
from explorer.cli.command import Command, Options, argument, option
from explorer.cli.requests import Theme, open_results, theme_option
from explorer.cli.screen import print_line, print_note, progress

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor

    from core.study.executors import InThisProcess, ProcessWorkers
    from core.study.figure_data import FigureData
    from core.study.results import StudyResults
    from core.study.study import Study
    from explorer.study.figure_page import FigurePage
    from explorer.study.figure_report import ReportSection

FORMATS = (".png", ".svg", ".pdf", ".csv")
PAGE = "figures.html"
REPETITIONS = "run each cell so often, instead of as often as the study says"


class Workers(Options):
    """Where simulations run."""

    workers: int | None = option("N", "processes of this machine")
    nice: int = option(
        "N",
        "let the processes stand back behind whatever else runs: 0 (default) to 19; the window's have 15",
        default=0,
    )

    def check(self) -> None:
        """Raise InputError for workers that there cannot be."""
        from core.study.executors import MAX_NICENESS

        if self.workers is not None and self.workers < 1:
            raise InputError(f"--workers is {self.workers}; give at least 1")
        if not 0 <= self.nice <= MAX_NICENESS:
            raise InputError(f"--nice is {self.nice}; give a whole number from 0 to {MAX_NICENESS}")

    def of_this_machine(self, simulations: int) -> InThisProcess | ProcessWorkers:
        """Return processes of this machine, at most one for each simulation."""
        from core.study.executors import of_this_machine

        return of_this_machine(self.workers, simulations, self.nice)


@contextmanager
def kept_in(folder: str | Path, executor: Executor) -> Iterator[None]:
    """End the workers at last; where it is interrupted, say that what is done is kept."""
    try:
        yield
    except KeyboardInterrupt:
        print_note(f"what is done is kept in {folder}; the same command goes on")
        raise
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


def with_repetitions(study: Study, repetitions: int | None) -> Study:
    """Return the study with another number of repetitions, where it has any and one is given."""
    if repetitions is None or not study.seeds:
        return study
    from core.model.errors import DocumentError
    from core.study.study_problems import study_problems

    changed = replace(study, repetitions=repetitions)
    if repetitions < 1:
        raise InputError(f"--repetitions is {repetitions}; give at least 1")
    if problems := study_problems(changed):
        raise DocumentError(f"--repetitions {repetitions}", problems)
    return changed


# ---- one figure


class FigureCommand(Command, name="study figure"):
    """Print the numbers of a figure of a study from the results in a folder, or draw it; needs no display.

    A figure that is drawn into a CSV file is its numbers, with what was published.
    """

    folder: str = argument("DIR", "where a study was run into")
    figure: int = option("N", "which of its figures, counted from 1; without it the first", default=1)
    picture: str | None = option(
        "F.png|svg|pdf|csv",
        "write the picture, or its numbers with what was published; without it they are printed",
        name="--out",
    )
    theme: Theme = theme_option()

    def run(self) -> None:
        """Print or draw it, and print what is known of numbers that do not come out."""
        from explorer.cli.study_numbers import print_numbers, print_verdicts

        path = None if self.picture is None else Path(self.picture)
        if path is not None and path.suffix.lower() not in FORMATS:
            raise InputError(f"--out {self.picture}: a figure ends in .png, .svg, .pdf or .csv")
        results = open_results(self.folder)
        count = len(results.study.figures)
        if not 1 <= self.figure <= count:
            raise InputError(f"--figure is {self.figure}; this study has {count}, counted from 1")
        data = _plotted(results)[self.figure - 1]
        if path is None:
            print_numbers(data)
        else:
            write_page(data, path, is_dark=self.theme == "dark")
        print_verdicts(data)


def write_page(data: FigureData, path: Path, *, is_dark: bool, says: bool = True) -> None:
    """Write a figure as a picture or its numbers; `says` where it was written."""
    from explorer.study.figure_page import write_figure

    write_figure(_page(data, is_dark), str(path))
    if says:
        print_line(f"Figure written to {path}")


def _plotted(results: StudyResults) -> list[FigureData]:
    from core.study.figure_data import figure_data

    if results.row_count < results.study.row_count:
        there = f"{grouped(results.row_count)} of {grouped(results.study.row_count)} simulations"
        print_note(f"{results.folder} has {there}; the figures show these")
    frame = results.frame()
    return [figure_data(results.study, figure, frame) for figure in results.study.figures]


def _page(data: FigureData, is_dark: bool = False) -> FigurePage:
    from explorer.study.figure_page import FigurePage
    from explorer.widgets.theme import theme
    from explorer.widgets.type_face import headless_application

    headless_application(has_widgets=True)
    return FigurePage(data, theme(is_dark))


# ---- all of them


class FiguresCommand(Command, name="study figures"):
    """Run every study that comes with Slotscope, or go on with it, and draw all figures into one page."""

    folder: str = option("DIR", "of the results, and of the page", name="--out")
    only: list[str] | None = option(
        "NAME", "names of 'slotscope study list', or how they begin: 002 for all of paper 002", nargs="+"
    )
    repetitions: int | None = option("N", REPETITIONS)
    workers: Workers

    def run(self) -> None:
        """Run what is missing, and write the page."""
        from core.files.atomic import replace_file
        from core.study.study_document import preset_paths, read_study
        from explorer.study.figure_report import report

        names = _chosen(self.only, list(preset_paths()))
        studies = {
            name: with_repetitions(read_study(preset_paths()[name]), self.repetitions) for name in names
        }
        folder = Path(self.folder)
        self.workers.check()
        executor = self.workers.of_this_machine(max(study.row_count for study in studies.values()))
        with kept_in(folder, executor):
            sections = [_section(name, study, folder / name, executor) for name, study in studies.items()]
        page = folder / PAGE
        replace_file(page, report(sections).encode())
        print_line(f"{sum(len(each.figures) for each in sections)} figures written to {page}")


def _chosen(only: list[str] | None, known: list[str]) -> list[str]:
    from core.model.errors import UnknownName

    for name in only or ():
        if not any(each.startswith(name) for each in known):
            raise UnknownName("study", name, known)
    return [each for each in known if only is None or each.startswith(tuple(only))]


def _section(name: str, study: Study, folder: Path, executor: Executor) -> ReportSection:
    """Run what is missing of a study, and draw its figures."""
    from core.study.run_study import run_study
    from explorer.study.figure_page import svg_of
    from explorer.study.figure_report import ReportSection

    with progress(f"{name}: {grouped(study.row_count)} simulations") as show:
        done = run_study(study, folder, executor, progress=lambda news: show(news.done / news.total))
    results = open_results(folder)
    figures = [(data, svg_of(_page(data))) for data in _plotted(results)]
    print_line(f"{name}: {grouped(done.done - done.kept)} simulations in {done.seconds:.0f} s")
    return ReportSection(name, study, figures, done.total, done.failed, results.program())
