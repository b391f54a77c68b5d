"""`slotscope study`: thousands of simulations as one document, run here or on a cluster."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.model.errors import InputError
from core.model.time_text import duration_text
from explorer.cli import study_figures
from explorer.cli.parser import Parser
from explorer.cli.requests import add_command, add_json
from explorer.cli.screen import more_text, print_json, print_line, print_note, print_table, progress

if TYPE_CHECKING:
    from argparse import Namespace

    from core.study.executors import DaskWorkers, InThisProcess, ProcessWorkers
    from core.study.results import StudyResults
    from core.study.run_study import StudyProgress
    from core.study.study import Axis, Study
    from explorer.cli.requests import Commands

VERSION = 1
"""Of the JSON; grows when a field changes its meaning."""
SOURCE = "a study document, or the name of one of 'slotscope study list'"
MAX_FAILED, MAX_LABELS = 10, 8
"""Failed rows that a table lists, and points of an axis."""


def add_parser(commands: Commands) -> None:
    """Add the command and its actions."""
    text = "run thousands of simulations that a document asks for, and show what came of them"
    parser = add_command(commands, "study", text, run)
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=Parser)
    _add_run(actions)
    text = "say how far the results in a folder are, and sum them up"
    show = add_command(actions, "show", text, _show)
    show.add_argument("folder", metavar="DIR", help="where a study was run into")
    add_json(show)
    study_figures.add_parsers(actions)
    add_json(add_command(actions, "list", "list the studies that come with Slotscope", _list))


def run(options: Namespace) -> int:
    """Run one action; each sets itself."""
    code: int = options.run(options)
    return code


def _add_run(actions: Commands) -> None:
    text = "run what is missing of a study; stopped at any time, the same command goes on"
    parser = add_command(actions, "run", text, _run)
    parser.add_argument("study", metavar="F", help=SOURCE)
    parser.add_argument(
        "--out", dest="folder", metavar="DIR", required=True, help="the folder of the results"
    )
    parser.add_argument(
        "--workers", type=int, metavar="N", help="processes of this machine (default: one on each processor)"
    )
    study_figures.add_nice(parser)
    text = "run on the workers of a Dask scheduler, tcp://HOST:8786, or on new ones of this machine: local"
    parser.add_argument("--dask", metavar="ADDRESS", help=text)
    parser.add_argument("--repetitions", type=int, metavar="N", help=study_figures.REPETITIONS)
    parser.add_argument("--retry", action="store_true", help="run failed cells again; all others are kept")
    add_json(parser)


def _run(options: Namespace) -> int:
    from core.study.run_study import run_study
    from core.study.study_document import find_study

    study = study_figures.with_repetitions(find_study(options.study), options.repetitions)
    executor = _executor(options, study)
    try:
        with progress(f"Running {study.row_count:,} simulations") as show:
            done = run_study(
                study,
                options.folder,
                executor,
                retry=options.retry,
                progress=lambda news: show(news.done / news.total),
            )
    except KeyboardInterrupt:
        print_note(f"what is done is kept in {options.folder}; the same command goes on")
        raise
    finally:
        executor.shutdown(wait=False, cancel_futures=True)
    if options.json:
        names = ("done", "total", "failed", "kept", "seconds")
        counts = {name: getattr(done, name) for name in names}
        print_json({"version": VERSION, "study": study.name, "folder": options.folder} | counts)
        return 0
    print_line(_ran_text(done, options.folder))
    if done.failed:
        print_line(
            f"{done.failed:,} failed; 'slotscope study show {options.folder}' says why, and the same command "
            "with --retry runs them again"
        )
    return 0


def _executor(options: Namespace, study: Study) -> InThisProcess | ProcessWorkers | DaskWorkers:
    from core.study.executors import InThisProcess, dask, processes

    if options.workers is not None and options.workers < 1:
        raise InputError(f"--workers is {options.workers}; give at least 1")
    study_figures.check_nice(options)
    if options.dask is not None:
        for name in ("workers", "nice"):
            if getattr(options, name) and options.dask != "local":
                others = "leave it out beside the address of others"
                raise InputError(f"--{name} is of workers that are started here; {others}")
        return dask(options.dask, options.workers, options.nice)
    workers = min(options.workers or os.cpu_count() or 1, study.row_count)
    return InThisProcess() if workers == 1 and not options.nice else processes(workers, options.nice)


def _ran_text(done: StudyProgress, folder: str) -> str:
    ran = done.done - done.kept
    kept = f"; {done.kept:,} were there already" if done.kept else ""
    rate = f" ({ran / done.seconds:,.0f} a second)" if ran and done.seconds > 0 else ""
    return f"{ran:,} simulations in {duration_text(done.seconds)}{rate}{kept}; written to {folder}"


def _show(options: Namespace) -> int:
    from core.study.results import StudyResults
    from core.study.study_document import study_to_json

    results = StudyResults.open(options.folder)
    frame = results.frame([*results.study.measures, "error"])
    failed = results.failed()
    sums = {name: _summary(frame[name]) for name in results.study.measures}
    if options.json:
        head = {"version": VERSION, "program": results.program(), "rows": len(frame)}
        head |= {"total": results.study.row_count, "failed": len(failed)}
        rows = failed.astype(object).to_dict("records")
        print_json(head | {"measures": sums, "failed_rows": rows, "study": study_to_json(results.study)})
        return 0
    _print_results(results, len(frame), sums)
    if len(failed):
        axes = [axis.name for axis in results.study.axes]
        cells = [
            (*(str(row[name]) for name in axes), row["seed"], row["error"])
            for row in failed.head(MAX_FAILED).to_dict("records")
        ]
        note = more_text(len(failed) - MAX_FAILED, "more failed")
        print_table(f"{len(failed):,} failed", (*axes, ">seed", "why"), cells, note)
    return 0


def _summary(column: Any) -> dict[str, float | None]:
    values = column.dropna()
    if not len(values):
        return {"mean": None, "least": None, "most": None}
    return {"mean": float(values.mean()), "least": float(values.min()), "most": float(values.max())}


def _print_results(results: StudyResults, rows: int, sums: dict[str, dict[str, float | None]]) -> None:
    from core.study.measures import MEASURES

    study = results.study
    times = f" x {study.repetitions} repetitions" if study.repetitions > 1 else ""
    print_line(study.name or Path(results.folder).name)
    cells_text = f"{study.cell_count:,} cells{times}"
    print_line(f"{rows:,} of {study.row_count:,} simulations ({cells_text}); {results.program()}")
    if study.axes:
        cells = [(axis.name, len(axis.points), _points_text(axis)) for axis in study.axes]
        print_table("Axes", ("axis", ">points", "from first to last"), cells)
    measured = [
        (MEASURES[name].title, *(_value_text(value, MEASURES[name].unit) for value in of.values()))
        for name, of in sums.items()
    ]
    print_table("Measures over all rows", ("measure", ">mean", ">least", ">most"), measured)


def _points_text(axis: Axis) -> str:
    labels = [point.label for point in axis.points]
    if len(labels) > MAX_LABELS:
        labels = [*labels[: MAX_LABELS - 1], "…", labels[-1]]
    return ", ".join(labels) + (f" {axis.unit}" if axis.unit else "")


def _value_text(value: float | None, unit: str) -> str:
    if value is None:
        return "–"
    if unit == "s":
        return duration_text(value)
    return f"{100 * value:.1f} %" if unit == "%" else f"{value:.4g} {unit}".rstrip()


def _list(options: Namespace) -> int:
    from core.study.study_document import preset_paths, read_study

    studies = {name: read_study(path) for name, path in preset_paths().items()}
    if options.json:
        print_json(
            [
                {"name": name, "title": study.name, "description": study.description, "source": study.source}
                | {"cells": study.cell_count, "rows": study.row_count, "figures": len(study.figures)}
                for name, study in studies.items()
            ]
        )
        return 0
    rows = [
        (name, study.name, study.source, f"{study.row_count:,}", len(study.figures))
        for name, study in studies.items()
    ]
    columns = ("name", "what it asks", "source", ">simulations", ">figures")
    print_table("Studies", columns, rows)
    return 0
