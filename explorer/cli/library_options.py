"""What `slotscope library` understands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.trace_database.search import SORT_KEYS
from core.trace_database.trace_database import ARRIVALS

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

FILE = "the library (default: the user's own); 'import' begins one that is not there"


def add_library(add: Callable[..., Any]) -> None:
    """Add the command and its actions."""
    text = "keep job templates of many logs: import, search, compare runs, make workloads of them"
    parser = add("library", help=text, description=text)
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=type(parser))
    _add_import(actions.add_parser)
    _add_list(actions.add_parser)
    _add_show(actions.add_parser)
    _add_compare(actions.add_parser)
    _add_workload(actions.add_parser)
    _add_trash(actions.add_parser)


def _action(
    add: Callable[..., Any], name: str, text: str, *, has_json: bool = True
) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = add(name, help=text, description=text)
    parser.add_argument("--library", metavar="FILE", help=FILE)
    if has_json:
        parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    return parser


def _add_import(add: Callable[..., Any]) -> None:
    parser = _action(
        add, "import", "add the jobs of logs, each log as a whole; what is there already is not added"
    )
    parser.add_argument(
        "paths", metavar="LOG", nargs="+", help="logs, folders of logs, or workload documents"
    )
    parser.add_argument(
        "-p",
        dest="parameters",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="set what the logs do not say, for example map_rate=20 (SWIM)",
    )


def _add_list(add: Callable[..., Any]) -> None:
    parser = _action(add, "list", "list the jobs that match all of the filters")
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


def _add_show(add: Callable[..., Any]) -> None:
    parser = _action(add, "show", "print what the library knows of one job")
    parser.add_argument("id", type=int, metavar="ID", help="its number in 'library list'")


def _add_compare(add: Callable[..., Any]) -> None:
    text = (
        "compare runs: medians and symmetric Kullback-Leibler divergence of map, shuffle and reduce durations"
    )
    parser = _action(add, "compare", text)
    parser.add_argument("ids", type=int, metavar="ID", nargs="+", help="two or more jobs of 'library list'")


def _add_workload(add: Callable[..., Any]) -> None:
    parser = _action(add, "workload", "write jobs of the library as a workload document", has_json=False)
    parser.add_argument(
        "ids", type=int, metavar="ID", nargs="+", help="jobs of 'library list', in their order"
    )
    parser.add_argument("--out", metavar="F.workload.json", required=True, help="the document to write")
    parser.add_argument(
        "--arrivals",
        choices=ARRIVALS,
        default="together",
        help="all at 0 s, or as far apart as recorded (default together)",
    )


def _add_trash(add: Callable[..., Any]) -> None:
    for name, text in (
        ("delete", "put jobs into the library's trash"),
        ("restore", "take jobs back from the trash ('library list --trash' has them)"),
    ):
        parser = _action(add, name, text, has_json=False)
        parser.add_argument("ids", type=int, metavar="ID", nargs="+", help="jobs of 'library list'")
    _action(add, "empty-trash", "forget the jobs in the trash for ever", has_json=False)
