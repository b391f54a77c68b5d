"""`slotscope import`: real logs become one workload document, or only their report is printed.

The underscore is there because `import` is a word of Python.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from core.model.errors import InputError
from explorer.cli.command import Command, Options, argument, option
from explorer.cli.requests import columns_given, columns_option, json_option, parameters_option
from explorer.cli.screen import print_json, print_line, print_note, progress, screen_width
from explorer.cli.server_options import ServerOptions, print_applications

if TYPE_CHECKING:
    from core.logs.open_log import Imported


NOT_WRITTEN = "Nothing is written; --out night.workload.json keeps the workload as a document."


class ImportOptions(Options):
    """What logs do not say."""

    columns: str = columns_option()
    parameters: dict[str, str] = parameters_option(
        "set what the logs do not say, for example map_rate=20 (SWIM)"
    )

    @property
    def given(self) -> dict[str, str]:
        """The parameters of an import: those of ``-p``, and the columns of a table of tasks."""
        return self.parameters | columns_given(self.columns)


class ImportCommand(Command, name="import"):
    """Turn real logs into one workload document and print the import report."""

    paths: list[str] = argument("PATH", "logs, folders of logs, or addresses of servers (http://host:18080)")
    options: ImportOptions
    server: ServerOptions
    out: str = option("F.workload.json", "the document to write (default: only the report)", default="")
    json: bool = json_option()

    def run(self) -> None:
        """Import logs and print the report."""
        from core.files.workload_writing import write_workload

        if self.is_of_servers and self.server.list_only:
            print_applications(self.paths, self.server, as_json=self.json)
            return
        imported = self._from_servers() if self.is_of_servers else self._from_files()
        if self.out:
            write_workload(imported.workload, Path(self.out))
        if self.json:
            print_json(imported.report.to_json())
        else:
            print_line(imported.report.to_text(screen_width()))
            print_line(f"Written to {self.out}" if self.out else NOT_WRITTEN)

    @property
    def is_of_servers(self) -> bool:
        """Whether addresses of servers are given; InputError where files are given as well."""
        from core.servers.address import is_address

        are = [is_address(path) for path in self.paths]
        if any(are) and not all(are):
            raise InputError(
                "give logs or addresses of servers, not both; keep what a server has with --keep"
            )
        return all(are)

    def _from_files(self) -> Imported:
        from core.logs.open_log import open_trace

        with progress("Importing") as show:
            paths = [Path(path) for path in self.paths]
            return open_trace(paths, parameters=self.options.given, progress=show)

    def _from_servers(self) -> Imported:
        from core.servers.attach import import_from

        options, token = self.server, self.server.token(self.paths)
        with options.folder() as folder, progress("Fetching and importing") as show:
            imported, fetched, listing = import_from(
                self.paths, options.wanted, folder, token, parameters=self.options.given, progress=show
            )
        if listing.more:
            print_note(f"{listing.more} earlier applications are left out; --limit takes more")
        if options.keep:
            same = len(fetched.paths) - fetched.news
            print_note(f"{fetched.news} logs fetched, {same} were in {options.keep} already")
        return imported
