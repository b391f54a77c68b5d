"""What the commands print with: tables, JSON, and progress for work that takes longer than half a second."""

from __future__ import annotations

import json
import math
import shutil
import sys
from contextlib import contextmanager
from operator import attrgetter
from textwrap import TextWrapper
from typing import TYPE_CHECKING, Any

from core.model.progress import no_progress
from core.model.time_text import duration_text
from core.model.visible_text import NO_BREAK, kept_together, visible
from explorer.cli.cut_logs import new_among, with_cuts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rich.console import Console

    from core.model.cluster import Cluster
    from core.model.schedule import Schedule
    from core.model.workload import Workload

SHOW_PROGRESS_AFTER = 0.5
"""Seconds of work before a progress bar appears."""
MIN_WIDTH, DEFAULT_WIDTH = 40, 80
"""Columns of a terminal; one that says that it has fewer than the least is taken to have the usual."""


def title_of(*parts: str) -> str:
    """Return the heading of a table, without parts that are empty: a workload need not have a name."""
    return " · ".join(filter(None, parts))


def print_json(value: object) -> None:
    """Print JSON; what is not a number (nan, infinity) becomes null.

    A record of what follows from logs says what is missing of these, as ``cut``.
    """
    text = json.dumps(_finite(with_cuts(value)), ensure_ascii=False, indent=1)
    # inside strings alone, where JSON itself writes them so
    sys.stdout.write(visible(text, "\n", lambda character: json.dumps(character)[1:-1]) + "\n")


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def picked(value: object, names: str) -> dict[str, Any]:
    """Return some attributes of an object for JSON: ``picked(pool, "name premise=premise.words")``."""
    pairs = (name.partition("=") for name in names.split())
    return {name: attrgetter(path or name)(value) for name, _, path in pairs}


FOLDED = 10
"""A column that may fold has room for so many letters at least, or spare ones are left out."""


def without_spare(
    columns: Sequence[str], rows: Sequence[Sequence[object]], spare: Sequence[str], width: int
) -> tuple[list[str], list[list[object]], list[str]]:
    """Return a table without columns that are empty, and as few spare ones as fit; and those left out."""
    kept = [column for i, column in enumerate(columns) if not rows or any(str(row[i]) for row in rows)]
    place = {column: i for i, column in enumerate(columns)}

    def needs(column: str) -> int:
        longest = max((len(_cell_text(row[place[column]])) for row in rows), default=0)
        is_whole = column.startswith((">", "="))
        return max(longest, len(column) - 1) if is_whole else min(longest, FOLDED)

    out = []
    for column in spare:
        if sum(needs(each) + 2 for each in kept) <= width:
            break
        if column in kept:
            kept.remove(column)
            out.append(column.lstrip(">="))
    return kept, [[row[place[column]] for column in kept] for row in rows], out


def _cell_text(cell: object) -> str:
    return duration_text(cell) if isinstance(cell, float) else visible(str(cell))


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]], note: str = "") -> None:
    """Print a table; columns whose title starts with '>' are set to the right, floats are seconds.

    A column whose title starts with '=' is never folded.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(
        title=Text(visible(title)),
        title_justify="left",
        caption=Text(visible(note)) if note else None,
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        collapse_padding=True,
        pad_edge=False,
        show_edge=False,
    )
    table.caption_justify = "left"
    for column in columns:
        table.add_column(
            Text(column.lstrip(">=")),
            justify="right" if column.startswith(">") else "left",
            overflow="fold",
            no_wrap=column.startswith((">", "=")),
        )
    for row in rows:
        # Text: a job's name is never read as markup
        table.add_row(*map(Text, map(_cell_text, row)))
    console().print(table)


def console(*, stderr: bool = False) -> Console:
    """Return where to print, as wide as the terminal."""
    from rich.console import Console

    return Console(stderr=stderr, width=screen_width())


def screen_width() -> int:
    """Return how many columns there are to print on."""
    columns = shutil.get_terminal_size().columns
    return columns if columns >= MIN_WIDTH else DEFAULT_WIDTH


def more_text(count: int, what: str = "more") -> str:
    """Return how much a table leaves out; nothing if it has all."""
    return f"{count} {what}; --json lists all" if count > 0 else ""


def print_line(text: str) -> None:
    """Print a sentence, wrapped between words; what a program has written in several lines stays so."""
    sys.stdout.write("\n".join(_wrapped(visible(line)) for line in text.split("\n")) + "\n")


def _wrapped(line: str) -> str:
    """Wrap a line at the width of the screen; what it is indented by, its other lines are as well."""
    words = line.lstrip()
    indent = line[: len(line) - len(words)]
    wrapper = TextWrapper(
        screen_width(),
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return wrapper.fill(kept_together(words)).replace(NO_BREAK, " ")


def print_note(text: str) -> None:
    """Print one line beside the output proper, which may be read by a program: on stderr."""
    sys.stderr.write(f"slotscope: note: {visible(text)}\n")


def note_cuts(cuts: Iterable[str]) -> None:
    """Print what is missing of workloads that were opened, each sentence once in a command."""
    for sentence in new_among(cuts):
        print_note(sentence)


@contextmanager
def progress(description: str) -> Iterator[Callable[[float], None]]:
    """Show a progress bar on stderr, where that is a terminal, once the work has taken half a second."""
    if not sys.stderr.isatty():
        yield no_progress
        return
    import time

    from rich.markup import escape
    from rich.progress import Progress

    bar = Progress(console=console(stderr=True), transient=True)
    task = bar.add_task(escape(visible(description)), total=1.0)
    began = time.monotonic()

    def show(fraction: float) -> None:
        if time.monotonic() - began > SHOW_PROGRESS_AFTER:
            bar.start()
        bar.update(task, completed=fraction)

    try:
        yield show
    finally:
        bar.stop()


def print_estimates(schedules: Iterable[Schedule]) -> None:
    """Print which policies planned on what instead of the true durations."""
    planned: dict[str, list[str]] = {}
    for schedule in schedules:
        if (estimates := schedule.choice.estimates) is not None:
            sentence = estimates.sentence + estimates.lacking(schedule.workload)
            planned.setdefault(sentence, []).append(schedule.choice.id)
    for sentence, ids in planned.items():
        print_line(f"{', '.join(ids)}: {sentence}")


def print_limit(workload: Workload, cluster: Cluster) -> None:
    """Print that no cluster makes a workload faster, where what follows one another is the lower bound."""
    from core.optimize.bounds import makespan_bound

    limit = makespan_bound(workload, cluster).limit
    if limit:
        print_line(limit)
