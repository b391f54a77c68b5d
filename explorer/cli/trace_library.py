"""`slotscope library`: job templates of many logs, kept in one database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from core.model.errors import InputError
from core.trace_database.connection import default_library
from core.trace_database.run_comparison import PHASES, compare_runs, phase_samples
from core.trace_database.search import Search, moment
from core.trace_database.template import Template, date_text, jobs_text
from core.trace_database.trace_database import Library, import_into, workload_of
from explorer.cli.parser import parameters_of
from explorer.cli.screen import print_json, print_line, print_table, progress, seconds

if TYPE_CHECKING:
    from argparse import Namespace

    from numpy.typing import NDArray

    from core.trace_database.run_comparison import PhaseComparison

VERSION = 1
"""Of the JSON; grows when a field changes its meaning."""
LISTED = 100
"""Rows of a table, if nobody asks for more."""


def library(options: Namespace) -> int:
    """Run one action on the library."""
    actions = {
        "import": _import,
        "list": _list,
        "show": _show,
        "compare": _compare,
        "workload": _workload,
        "delete": _delete,
        "restore": _restore,
        "empty-trash": _empty_trash,
    }
    path = Path(options.library) if options.library else default_library()
    may_begin = options.action == "import" or not options.library
    with Library.open(path, create=may_begin) as opened:
        actions[options.action](opened, options)
    return 0


def _import(library: Library, options: Namespace) -> None:
    """Import every log that can be; those that cannot are told together at the end."""
    parameters = parameters_of(options.parameters)
    done, errors = [], []
    for source in options.paths:
        try:
            with progress(f"Importing {Path(source).name}") as show:
                added, opened = import_into(library, source, parameters=parameters, progress=show)
        except InputError as error:
            errors.append(str(error))
            continue
        left_out = len(opened.report.jobs_left_out) if opened.report else 0
        counts = {"added": added.added, "present": added.present, "restored": added.restored}
        done.append({"log": source} | counts | {"left_out": left_out})
        if not options.json:
            print_line(f"{added}{f'; {left_out} left out, without a usable task' if left_out else ''}")
    if options.json:
        print_json({"version": VERSION, "library": str(library.path), "imported": done})
    if errors:
        raise InputError("\n".join(errors))


def _list(library: Library, options: Namespace) -> None:
    search = Search(
        text=options.name,
        user=options.user,
        application=options.application,
        trashed=options.trash,
        min_tasks=options.min_tasks,
        max_tasks=options.max_tasks,
        since=moment(options.since) if options.since else None,
        until=moment(options.until, end=True) if options.until else None,
        sort=options.sort,
        descending=options.descending,
    )
    limit = options.limit if options.limit is not None or options.json else LISTED
    total = library.count(search)
    found = library.search(search, limit=limit, offset=options.offset)
    if options.json:
        print_json({"version": VERSION, "total": total, "jobs": [_json(template) for template in found]})
        return
    header = ("id", "name", "title", "user", "submitted (UTC)", ">maps", ">reduces", ">work (slot s)", "log")
    rows = [
        (
            str(t.id),
            t.name,
            t.title,
            t.user,
            date_text(t.submitted),
            str(t.maps),
            str(t.reduces),
            seconds(t.work),
            t.source,
        )
        for t in found
    ]
    shown = f"{len(found)} of {total} jobs" if len(found) < total else f"{total} jobs"
    empty = "" if total else "; 'slotscope library import LOG' adds some"
    print_table(f"{library.path}", header, rows, f"{shown}{empty}")


def _show(library: Library, options: Namespace) -> None:
    (template,) = library.templates([options.id])
    (job,) = library.jobs([options.id])
    figures = {phase: _figures(samples) for phase, samples in phase_samples(job).items()}
    if options.json:
        print_json({"version": VERSION} | _json(template) | {"phases": figures})
        return
    print_line(f"{template.id} · {template.name}{f' · {template.title}' if template.title else ''}")
    print_line(
        f"user {template.user or '–'}, pool {template.pool}, submitted {date_text(template.submitted)}"
    )
    print_line(f"{template.maps} maps, {template.reduces} reduces, {seconds(template.work)} slot-seconds")
    print_line(f"from {template.source} ({template.format})")
    rows = [(phase, *map(_number, figures[phase].values())) for phase in PHASES]
    print_table("Durations (s)", ("phase", ">samples", ">mean", ">median", ">95 %", ">max"), rows)


def _figures(samples: NDArray[np.float64]) -> dict[str, float]:
    if not samples.size:
        return dict.fromkeys(("mean", "median", "p95", "max"), float("nan")) | {"samples": 0}
    return {
        "samples": samples.size,
        "mean": float(samples.mean()),
        "median": float(np.median(samples)),
        "p95": float(np.percentile(samples, 95)),
        "max": float(samples.max()),
    }


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else seconds(value)


def _compare(library: Library, options: Namespace) -> None:
    if len(options.ids) < 2:
        raise InputError("name two or more jobs to compare; 'slotscope library list' has their ids")
    templates = library.templates(options.ids)
    compared = compare_runs(library.jobs(options.ids))
    if options.json:
        runs = [
            _json(template) | {"median": {phase: float(compared[phase].medians[i]) for phase in PHASES}}
            for i, template in enumerate(templates)
        ]
        divergence = {phase: compared[phase].divergence.tolist() for phase in PHASES}
        print_json({"version": VERSION, "runs": runs, "divergence": divergence})
        return
    medians = [
        (str(t.id), t.name, t.title, *(seconds(compared[phase].medians[i]) for phase in PHASES))
        for i, t in enumerate(templates)
    ]
    print_table("Medians (s)", ("id", "name", "title", *(f">{phase}" for phase in PHASES)), medians)
    pairs = [(i, j) for i in range(len(templates)) for j in range(i + 1, len(templates))]
    rows = [
        (f"{templates[i].id} and {templates[j].id}", *(_nats(compared[phase], i, j) for phase in PHASES))
        for i, j in pairs
    ]
    print_table(
        "Symmetric Kullback-Leibler divergence (nats)",
        ("runs", *(f">{phase}" for phase in PHASES)),
        rows,
    )
    print_line(
        "0: alike. The SimMR paper has 0.0 to 4.4 for one application, 7.3 to 13.5 between different ones."
    )


def _nats(compared: PhaseComparison, i: int, j: int) -> str:
    return seconds(float(compared.divergence[i, j]))


def _workload(library: Library, options: Namespace) -> None:
    from core.files.workload_writing import write_workload

    workload = workload_of(library, options.ids, arrivals=options.arrivals)
    write_workload(workload, Path(options.out))
    counts = f"{len(workload.jobs)} jobs, {workload.map_count} maps, {workload.reduce_count} reduces"
    print_line(f"{counts}; written to {options.out}")


def _delete(library: Library, options: Namespace) -> None:
    library.templates(options.ids)  # says which are not there
    print_line(f"{jobs_text(library.delete(options.ids))} moved to the trash; 'restore' takes them back")


def _restore(library: Library, options: Namespace) -> None:
    library.templates(options.ids)
    print_line(f"{jobs_text(library.restore(options.ids))} taken back from the trash")


def _empty_trash(library: Library, options: Namespace) -> None:
    print_line(f"{jobs_text(library.empty_trash())} forgotten for ever")


def _json(template: Template) -> dict[str, Any]:
    """Return what the library knows of a job; the date also as text."""
    return template._asdict() | {
        "date": None if template.submitted is None else date_text(template.submitted),
        "tasks": template.tasks,
        "work": template.work,
    }
