"""`slotscope library`: job templates of many logs, kept in one database."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.model.errors import InputError
from core.model.time_text import duration_text
from core.trace_database.template import SORT_KEYS, Template, date_text, jobs_text
from explorer.cli.import_ import add_import_options, import_parameters
from explorer.cli.parser import Parser
from explorer.cli.requests import (
    add_command,
    add_json,
    add_out,
    save,
    sizes_text,
)
from explorer.cli.screen import print_json, print_line, print_table, progress, screen_width, without_spare

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

    from core.trace_database.trace_database import Arrivals, Library
    from explorer.cli.requests import Commands

    Action = Callable[[Library, Namespace], None]

VERSION = 1
"""Of the JSON; grows when a field changes its meaning."""
WORK = ">work (slot s)"
SPARE = (WORK, "log", "submitted (UTC)", "user", ">reduces", ">maps", "title")
"""Columns that a narrow terminal does without, the first ones first."""
LISTED = 100
"""Rows of a table, if nobody asks for more."""
ARRIVALS: tuple[Arrivals, ...] = ("together", "recorded")
FILE = "the library (default: the user's own); 'import' begins one that is not there"


def add_parser(commands: Commands) -> None:
    """Add the command and its actions."""
    text = "keep job templates of many logs: import, search, compare runs, make workloads of them"
    parser = add_command(commands, "library", text, run)
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=Parser)
    _add_import(actions)
    _add_list(actions)
    _add_show(actions)
    _add_compare(actions)
    _add_workload(actions)
    _add_trash(actions)


def run(options: Namespace) -> int:
    """Run one action on the library."""
    from core.trace_database.connection import default_library
    from core.trace_database.trace_database import Library

    path = Path(options.library) if options.library else default_library()
    may_begin = options.action == "import" or not options.library
    with Library.open(path, create=may_begin) as opened:
        options.act(opened, options)
    return 0


def _action(actions: Commands, name: str, text: str, act: Action, *, has_json: bool = True) -> Parser:
    parser: Parser = add_command(actions, name, text, run)
    parser.set_defaults(act=act)
    parser.add_argument("--library", metavar="FILE", help=FILE)
    if has_json:
        add_json(parser)
    return parser


def _add_import(actions: Commands) -> None:
    text = "add the jobs of logs, each log as a whole; what is there already is not added"
    parser = _action(actions, "import", text, _import)
    parser.add_argument(
        "paths", metavar="LOG", nargs="+", help="logs, folders of logs, or workload documents"
    )
    add_import_options(parser)


def _import(library: Library, options: Namespace) -> None:
    """Import every log that can be; those that cannot are told together at the end."""
    from core.trace_database.trace_database import import_into

    parameters = import_parameters(options)
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


def _add_list(actions: Commands) -> None:
    parser = _action(actions, "list", "list the jobs that match all of the filters", _list)
    parser.add_argument("--name", metavar="WORDS", default="", help="words in the job's name or title")
    parser.add_argument("--user", metavar="NAME", default="", help="part of the user's name")
    parser.add_argument("--application", metavar="TITLE", help="runs of exactly this application")
    parser.add_argument("--trash", action="store_true", help="the deleted jobs instead")
    parser.add_argument("--min-tasks", type=int, metavar="N", help="maps and reduces together, at least")
    parser.add_argument("--max-tasks", type=int, metavar="N", help="maps and reduces together, at most")
    parser.add_argument("--since", metavar="DATE", help="submitted on this day or later (2011-02-10, UTC)")
    parser.add_argument("--until", metavar="DATE", help="submitted on this day or earlier")
    parser.add_argument("--sort", choices=SORT_KEYS, default="id", help="what to sort by (default id)")
    parser.add_argument("--descending", action="store_true", help="the largest or latest first")
    parser.add_argument(
        "--limit", type=int, metavar="N", help="at most so many (default: 100, with --json all)"
    )
    parser.add_argument("--offset", type=int, metavar="N", default=0, help="leave out the first N")


def _list(library: Library, options: Namespace) -> None:
    from core.trace_database.search import RunSearch, moment

    search = RunSearch(
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
    header = (">id", "=name", "title", "user", "submitted (UTC)", ">maps", ">reduces", WORK, "log")
    rows = [
        (t.id, t.name, t.title, t.user, date_text(t.submitted), t.maps, t.reduces, t.work, t.source)
        for t in found
    ]
    if not total:
        is_empty = not library.count(RunSearch(trashed=options.trash))
        print_line(f"{library.path}: {_nothing(is_empty, is_trash=options.trash)}")
        return
    columns, cells, left_out = without_spare(header, rows, SPARE, screen_width())
    shown = f"{len(found)} of {total} jobs" if len(found) < total else f"{total} jobs"
    wider = f"; a wider terminal shows {', '.join(left_out)}, too" if left_out else ""
    print_table(f"{library.path}", columns, cells, f"{shown}{wider}")


def _nothing(is_empty: bool, *, is_trash: bool) -> str:
    if is_trash:
        return "the trash is empty" if is_empty else "no job in the trash matches all of the filters"
    return "no jobs yet; 'slotscope library import LOG' adds some" if is_empty else "none match the filters"


def _add_show(actions: Commands) -> None:
    parser = _action(actions, "show", "print what the library knows of one job", _show)
    parser.add_argument("id", type=int, metavar="ID", help="its number in 'library list'")


def _show(library: Library, options: Namespace) -> None:
    from core.trace_database.run_comparison import PHASES, phase_samples

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
    print_line(
        f"{template.maps} maps, {template.reduces} reduces, {duration_text(template.work)} of slot time"
    )
    print_line(f"from {template.source} ({template.format})")
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


def _add_compare(actions: Commands) -> None:
    text = (
        "compare runs: medians and symmetric Kullback-Leibler divergence of map, shuffle and reduce durations"
    )
    parser = _action(actions, "compare", text, _compare)
    parser.add_argument("ids", type=int, metavar="ID", nargs="+", help="two or more jobs of 'library list'")


def _compare(library: Library, options: Namespace) -> None:
    from core.trace_database.run_comparison import PHASES, compare_runs

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
        (t.id, t.name, t.title, *(compared[phase].medians[i] for phase in PHASES))
        for i, t in enumerate(templates)
    ]
    print_table("Medians", ("id", "name", "title", *(f">{phase}" for phase in PHASES)), medians)
    rows = [
        (
            f"{templates[i].id} and {templates[j].id}",
            *(f"{compared[phase].divergence[i, j]:.2f}" for phase in PHASES),
        )
        for i, j in combinations(range(len(templates)), 2)
    ]
    headings = [f">{phase}" for phase in PHASES]
    print_table("Symmetric Kullback-Leibler divergence (nats)", ("runs", *headings), rows)
    print_line(
        "0: alike. The SimMR paper has 0.0 to 4.4 for one application, 7.3 to 13.5 between different ones."
    )


def _add_workload(actions: Commands) -> None:
    text = "write jobs of the library as a workload document"
    parser = _action(actions, "workload", text, _workload, has_json=False)
    parser.add_argument(
        "ids", type=int, metavar="ID", nargs="+", help="jobs of 'library list', in their order"
    )
    add_out(parser)
    parser.add_argument(
        "--arrivals",
        choices=ARRIVALS,
        default="together",
        help="all at 0 s, or as far apart as recorded (default together)",
    )


def _workload(library: Library, options: Namespace) -> None:
    from core.trace_database.trace_database import workload_of

    workload = workload_of(library, options.ids, arrivals=options.arrivals)
    save(workload, options, sizes_text(workload))


def _add_trash(actions: Commands) -> None:
    takes_back = "take jobs back from the trash ('library list --trash' has them)"
    for parser in (
        _action(actions, "delete", "put jobs into the library's trash", _delete, has_json=False),
        _action(actions, "restore", takes_back, _restore, has_json=False),
    ):
        parser.add_argument("ids", type=int, metavar="ID", nargs="+", help="jobs of 'library list'")
    _action(actions, "empty-trash", "forget the jobs in the trash for ever", _empty_trash, has_json=False)


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
