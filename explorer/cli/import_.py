"""`slotscope import`: real logs become one workload document; nothing is written unless all of it is.

The underscore is there because `import` is a word of Python.
"""

from __future__ import annotations

from pathlib import Path

from explorer.cli.command import Command, Options, argument
from explorer.cli.requests import WorkloadOut, columns_given, columns_option, json_option, parameters_option
from explorer.cli.screen import print_json, print_line, progress, screen_width


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

    paths: list[str] = argument("PATH", "logs, or folders of logs")
    options: ImportOptions
    written: WorkloadOut
    json: bool = json_option()

    def run(self) -> None:
        """Import logs and print the report."""
        from core.files.workload_writing import write_workload
        from core.logs.open_log import open_trace

        paths = [Path(path) for path in self.paths]
        with progress("Importing") as show:
            imported = open_trace(paths, parameters=self.options.given, progress=show)
        write_workload(imported.workload, Path(self.written.out))
        if self.json:
            print_json(imported.report.to_json())
        else:
            print_line(imported.report.to_text(screen_width()))
            print_line(f"Written to {self.written.out}")
