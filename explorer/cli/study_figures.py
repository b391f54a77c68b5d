"""`slotscope study figure` and `figures`: results as pictures, and those of all papers as one page."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.model.errors import InputError
from explorer.cli.requests import add_command
from explorer.cli.screen import print_line, print_note, progress

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from concurrent.futures import Executor

    from core.study.figure_data import FigureData
    from core.study.results import StudyResults
    from core.study.study import Study
    from explorer.cli.requests import Commands
    from explorer.study.figure_page import FigurePage
    from explorer.study.figure_report import ReportSection

FORMATS = (".png", ".svg", ".pdf", ".csv")
PAGE = "figures.html"
REPETITIONS = "run each cell so often, instead of as often as the study says"


def add_parsers(actions: Commands) -> None:
    """Add both actions."""
    text = (
        "print the numbers of a figure of a study from the results in a folder, or draw it; needs no display"
    )
    figure = add_command(actions, "figure", text, _figure)
    figure.add_argument("folder", metavar="DIR", help="where a study was run into")
    text = "which of its figures, counted from 1; without it the first"
    figure.add_argument("--figure", type=int, default=1, metavar="N", help=text)
    text = "write the picture, or its numbers with what was published; without it they are printed"
    figure.add_argument("--out", dest="picture", metavar="F.png|svg|pdf|csv", help=text)
    figure.add_argument("--theme", choices=("light", "dark"), default="light", help="default light")
    text = "run every study that comes with Slotscope, or go on with it, and draw all figures into one page"
    figures = add_command(actions, "figures", text, _figures)
    figures.add_argument(
        "--out", dest="folder", metavar="DIR", required=True, help="of the results, and of the page"
    )
    text = "names of 'slotscope study list', or how they begin: 002 for all of paper 002"
    figures.add_argument("--only", nargs="+", metavar="NAME", help=text)
    figures.add_argument("--repetitions", type=int, metavar="N", help=REPETITIONS)
    figures.add_argument("--workers", type=int, metavar="N", help="processes of this machine")
    add_nice(figures)


def add_nice(parser: ArgumentParser) -> None:
    """Add the option that lets worker processes stand back."""
    text = "let the processes stand back behind whatever else runs: 0 (default) to 19; the window's have 15"
    parser.add_argument("--nice", type=int, default=0, metavar="N", help=text)


def check_nice(options: Namespace) -> None:
    """Raise InputError for a niceness that there is not."""
    from core.study.executors import MAX_NICENESS

    if not 0 <= options.nice <= MAX_NICENESS:
        raise InputError(f"--nice is {options.nice}; give a whole number from 0 to {MAX_NICENESS}")


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


def _figure(options: Namespace) -> int:
    from core.study.results import StudyResults
    from explorer.cli.study_numbers import print_numbers, print_verdicts

    path = None if options.picture is None else Path(options.picture)
    if path is not None and path.suffix.lower() not in FORMATS:
        raise InputError(f"--out {options.picture}: a figure ends in .png, .svg, .pdf or .csv")
    results = StudyResults.open(options.folder)
    count = len(results.study.figures)
    if not 1 <= options.figure <= count:
        raise InputError(f"--figure is {options.figure}; this study has {count}, counted from 1")
    data = _plotted(results)[options.figure - 1]
    if path is None:
        print_numbers(data)
    else:
        _write(data, path, is_dark=options.theme == "dark")
    print_verdicts(data)
    return 0


def _write(data: FigureData, path: Path, *, is_dark: bool) -> None:
    from explorer.study.figure_page import write_figure

    write_figure(_page(data, is_dark), str(path))
    print_line(f"Figure written to {path}")


def _plotted(results: StudyResults) -> list[FigureData]:
    from core.study.figure_data import figure_data

    if results.row_count < results.study.row_count:
        there = f"{results.row_count:,} of {results.study.row_count:,} simulations"
        print_note(f"{results.folder} has {there}; the figures show these")
    frame = results.frame()
    return [figure_data(results.study, figure, frame) for figure in results.study.figures]


def _page(data: FigureData, is_dark: bool = False) -> FigurePage:
    from explorer.study.figure_page import FigurePage, application_without_window
    from explorer.widgets.theme import theme

    application_without_window()
    return FigurePage(data, theme(is_dark))


# ---- all of them


def _figures(options: Namespace) -> int:
    from core.files.atomic import replace_file
    from core.study.executors import InThisProcess, processes
    from core.study.study_document import preset_paths, read_study
    from explorer.study.figure_report import report

    names = _chosen(options.only, list(preset_paths()))
    studies = {
        name: with_repetitions(read_study(preset_paths()[name]), options.repetitions) for name in names
    }
    folder = Path(options.folder)
    if options.workers is not None and options.workers < 1:
        raise InputError(f"--workers is {options.workers}; give at least 1")
    check_nice(options)
    most = max(study.row_count for study in studies.values())
    workers = min(options.workers or os.cpu_count() or 1, most)
    executor = InThisProcess() if workers == 1 and not options.nice else processes(workers, options.nice)
    sections = []
    try:
        for name, study in studies.items():
            sections.append(_section(name, study, folder / name, executor))
    except KeyboardInterrupt:
        print_note(f"what is done is kept in {folder}; the same command goes on")
        raise
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
    page = folder / PAGE
    replace_file(page, report(sections).encode())
    print_line(f"{sum(len(each.figures) for each in sections)} figures written to {page}")
    return 0


def _chosen(only: list[str] | None, known: list[str]) -> list[str]:
    from core.model.errors import UnknownName

    for name in only or ():
        if not any(each.startswith(name) for each in known):
            raise UnknownName("study", name, known)
    return [each for each in known if only is None or each.startswith(tuple(only))]


def _section(name: str, study: Study, folder: Path, executor: Executor) -> ReportSection:
    """Run what is missing of a study, and draw its figures."""
    from core.study.results import StudyResults
    from core.study.run_study import run_study
    from explorer.study.figure_page import svg_of
    from explorer.study.figure_report import ReportSection

    with progress(f"{name}: {study.row_count:,} simulations") as show:
        done = run_study(study, folder, executor, progress=lambda news: show(news.done / news.total))
    results = StudyResults.open(folder)
    figures = [(data, svg_of(_page(data))) for data in _plotted(results)]
    print_line(f"{name}: {done.done - done.kept:,} simulations in {done.seconds:.0f} s")
    return ReportSection(name, study, figures, done.total, done.failed, results.program())
