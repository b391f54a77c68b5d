"""``python -m docs.from_code.tables``: write the tables of the manual that are made from the program.

A page says where with ``<!-- table: NAME -->``; what stands up to ``<!-- end of table -->`` is written anew.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from docs.from_code import document_tables, measure_tables, policy_tables, window_tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from explorer.window.main_window import MainWindow

MANUAL = Path(__file__).resolve().parents[1]
PLACE = re.compile(r"(<!-- table: ([\w-]+) -->\n).*?(<!-- end of table -->)", re.S)


def tables(window: MainWindow) -> Mapping[str, Callable[[], str]]:
    """Return what makes each table, by its name."""
    return {
        "keys": partial(window_tables.keys, window),
        "menus": partial(window_tables.menus, window),
        "hooks": policy_tables.hooks,
        "hook-fields": policy_tables.hook_fields,
        "hook-notes": policy_tables.hook_notes,
        "hook-records": policy_tables.hook_records,
        "policy-parameters": policy_tables.policy_parameters,
        "metrics": measure_tables.metrics,
        "study-measures": measure_tables.study_measures,
        "commands": measure_tables.command_list,
        "options": measure_tables.option_list,
        "file-kinds": document_tables.file_kinds,
        "log-parameters": document_tables.log_parameters,
        "samples": document_tables.sample_list,
        "families": document_tables.families,
    }


def pages_with_tables() -> Iterator[tuple[Path, str]]:
    """Yield the pages that have such tables, each with its text."""
    for path in sorted(MANUAL.rglob("*.md")):
        text = path.read_text("utf-8")
        if PLACE.search(text):
            yield path, text


def with_tables(text: str, made: Mapping[str, Callable[[], str]]) -> str:
    """Return a page's text with its tables as they are now; raises KeyError for a name that no table has."""
    return PLACE.sub(lambda found: f"{found[1]}\n{made[found[2]]()}\n\n{found[3]}", text)


def main() -> int:
    """Write every table anew; exit code 0."""
    from docs.from_code.pictures.stage import open_window

    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as folder:
        made = tables(open_window(Path(folder) / "settings.ini"))
        for path, text in pages_with_tables():
            path.write_text(with_tables(text, made), "utf-8")
            sys.stdout.write(f"{path}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
