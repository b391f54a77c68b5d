"""`slotscope import`: real logs become one workload document; nothing is written unless all of it is.

The underscore is there because `import` is a word of Python.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from explorer.cli.requests import (
    add_columns,
    add_command,
    add_json,
    add_out,
    add_parameter,
    columns_given,
    parameters_of,
)
from explorer.cli.screen import print_json, print_line, progress, screen_width

if TYPE_CHECKING:
    from argparse import Namespace

    from explorer.cli.parser import Parser
    from explorer.cli.requests import Commands


def add_parser(commands: Commands) -> None:
    """Add the command."""
    text = "turn real logs into one workload document and print the import report"
    parser = add_command(commands, "import", text, run)
    parser.add_argument("paths", metavar="PATH", nargs="+", help="logs, or folders of logs")
    add_import_options(parser)
    add_out(parser)
    add_json(parser)


def add_import_options(parser: Parser) -> None:
    """Add what logs do not say, which `import_parameters` returns."""
    add_columns(parser)
    add_parameter(parser, "set what the logs do not say, for example map_rate=20 (SWIM)")


def import_parameters(options: Namespace) -> dict[str, str]:
    """Return the parameters of an import: those of ``-p``, and the columns of a table of tasks."""
    return parameters_of(options.parameters) | columns_given(options.columns)


def run(options: Namespace) -> int:
    """Import logs and print the report."""
    from core.files.workload_writing import write_workload
    from core.logs.open_log import open_trace

    paths = [Path(path) for path in options.paths]
    parameters = import_parameters(options)
    with progress("Importing") as show:
        imported = open_trace(paths, parameters=parameters, progress=show)
    write_workload(imported.workload, Path(options.out))
    if options.json:
        print_json(imported.report.to_json())
    else:
        print_line(imported.report.to_text(screen_width()))
        print_line(f"Written to {options.out}")
    return 0
