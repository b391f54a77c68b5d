"""A table whose columns are not mapped yet: how it begins, and what would come of it."""

from __future__ import annotations

import tempfile
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from core.logs.archives import is_archive, members
from core.logs.assemble import ImportedJobs, assemble
from core.logs.byte_source import ByteSource
from core.logs.column_guess import guess
from core.logs.column_map import COLUMNS, MEANINGS, NEEDED
from core.logs.log_files import log_files
from core.logs.reader import HEAD_BYTES, Remark
from core.logs.scratch_folder import scratch_folder
from core.logs.table_lines import head_rows, looks_like_table
from core.logs.task_table import READER, items_of
from core.model.errors import InputError, Problem, UnknownTable
from core.model.number_text import grouped
from core.model.parameters import check_parameters
from core.model.progress import never_stop, no_progress
from core.model.time_text import duration_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from core.logs.column_map import ColumnMap
    from core.logs.log_files import LogFile
    from core.logs.table_lines import TableShape

PREVIEW_BYTES = 1 << 21
"""How much of a table is read to say what would come of it."""
MAX_NAMED = 40
"""Columns that a refusal lists."""
MAX_REASONS = 5
MAX_CAUSE = 300
"""Characters of why nothing comes of a guess."""
ROWS_LOOKED_AT = 2000
_ROWS_GUESSED_BY = 200


@dataclass(frozen=True)
class TablePreview:
    """The beginning of a table.

    Attributes
    ----------
    name : of the file
    shape : how it is written, and the names of its columns
    rows : the first ones that are as wide as the header
    head : its first bytes
    is_whole : whether these are all
    """

    name: str
    shape: TableShape
    rows: tuple[tuple[str, ...], ...]
    head: bytes
    is_whole: bool

    @classmethod
    def of(cls, name: str, source: ByteSource, head: bytes) -> TablePreview | None:
        """Return how a table begins; None for a file that does not look like one.

        Parameters
        ----------
        name : of the file
        source : the file
        head : its first bytes, by which a table is known
        """
        if looks_like_table(head) is None:
            return None
        begin = source.head(PREVIEW_BYTES + 1)
        is_whole = len(begin) <= PREVIEW_BYTES
        if not is_whole:
            begin = begin[: begin.rfind(b"\n", 0, PREVIEW_BYTES) + 1]
        shape, rows = head_rows(begin, most=ROWS_LOOKED_AT)
        return cls(name, shape, tuple(map(tuple, rows)), begin, is_whole)

    @property
    def guess(self) -> ColumnMap:
        """What the columns may mean."""
        return guess(self.shape.names, self.rows[:_ROWS_GUESSED_BY])

    def outcome(self, columns: ColumnMap) -> TableOutcome:
        """Return what would come of the rows in `head`; InputError if nothing would, with the reasons."""
        columns.places(self.shape.names)
        values = check_parameters(READER.parameters, {COLUMNS: columns.text()}, READER.title)
        found = ImportedJobs(self.name, (READER,), values, (self.name,))
        reasons: Counter[str] = Counter()
        for item in items_of([self.head], columns):
            if isinstance(item, Problem):
                reasons[item.rule.removesuffix("; the row is left out")] += 1
                found.damage.append(item)
            elif isinstance(item, Remark):
                found.remarks.append(item.text)
            else:
                found.add(item)
        workload, report = assemble(found)
        for tasks in report.tasks:
            reasons.update(tasks.left_out)
        for kind, count in report.other_tasks.items():
            reasons[f"{kind} (neither map nor reduce)"] = count
        return TableOutcome(
            rows=0 if workload.recorded is None else len(workload.recorded.job),
            jobs=report.jobs_kept,
            tasks=(report.tasks[0].kept, report.tasks[1].kept),
            hosts=0 if workload.recorded is None else len(workload.recorded.hosts),
            seconds=report.recorded_makespan,
            started=report.started,
            left_out=tuple(reasons.items()),
        )


def first_table(
    paths: Sequence[Path],
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
) -> TablePreview:
    """Return how the first table among files and those of folders begins; InputError if there is none."""
    files = log_files(paths, should_stop)
    with scratch_folder() as folder:
        for number, file in enumerate(files):
            progress(number / len(files))
            for each in _with_members(file, folder, should_stop):
                source = ByteSource(each.path, opened=each.opened, should_stop=should_stop)
                if table := TablePreview.of(each.name, source, source.head(HEAD_BYTES)):
                    return table
    raise InputError(f"{paths[0]}: no table is there any more")


def _with_members(file: LogFile, folder: Path, should_stop: Callable[[], bool]) -> Iterator[LogFile]:
    """Yield the file, or the members of an archive."""
    head = ByteSource(file.path, should_stop=should_stop).head(HEAD_BYTES)
    if not is_archive(head):
        yield file
        return
    place = Path(tempfile.mkdtemp(dir=folder))
    for member in members(file, head, place, looks_like_table, should_stop):
        if not isinstance(member, Problem):
            yield member


@dataclass(frozen=True)
class TableOutcome:
    """What comes of a table, or of its beginning.

    Attributes
    ----------
    rows, jobs, hosts : how many
    tasks : how many maps and how many reduces
    seconds : from the first submission to the last end, None if not known
    started : the first submission, ms on the table's clock
    left_out : reasons, and how many rows or tasks are left out for each
    """

    rows: int
    jobs: int
    tasks: tuple[int, int]
    hosts: int
    seconds: float | None
    started: int
    left_out: tuple[tuple[str, int], ...]


def outcome_text(outcome: TableOutcome, table: TablePreview) -> str:
    """Return what comes of a table: "1 204 tasks of 31 jobs on 12 hosts, 2 h 13 min long"."""
    _, of_reduces = outcome.tasks
    reduces = f" ({_count(of_reduces, 'reduce')})" if of_reduces else ""
    tasks = _count(sum(outcome.tasks), "task")
    hosts = f" on {_count(outcome.hosts, 'host')}" if outcome.hosts else ""
    long = "" if outcome.seconds is None else f", {duration_text(outcome.seconds)} long"
    began = datetime.fromtimestamp(outcome.started // 1000, UTC) if _has_date(outcome.started) else None
    since = "" if began is None else f", from {began:%Y-%m-%d %H:%M:%S} UTC"
    rows = "" if table.is_whole else f"The first {_count(outcome.rows, 'row')}: "
    summary = f"{rows}{tasks}{reduces} of {_count(outcome.jobs, 'job')}{hosts}{long}{since}."
    if not outcome.left_out:
        return f"{summary}\nNothing is left out."
    reasons = sorted(outcome.left_out, key=lambda reason: -reason[1])
    listed = [f"{why} ({count})" for why, count in reasons[:MAX_REASONS]]
    if more := sum(count for _, count in reasons[MAX_REASONS:]):
        listed.append(f"other reasons ({more})")
    return f"{summary}\n{sum(count for _, count in reasons)} left out: {', '.join(listed)}."


def _count(count: int, what: str) -> str:
    return f"{grouped(count)} {what}{'' if count == 1 else 's'}"


def _has_date(started: int) -> bool:
    """Whether milliseconds count from 1970 and are in a calendar."""
    return 10**11 <= started < 10**14


def unknown_table(where: Path | str, table: TablePreview) -> UnknownTable:
    """Return why a table cannot be read yet, and what to type."""
    names = [name or "(no name)" for name in table.shape.names[:MAX_NAMED]]
    more = len(table.shape.names) - len(names)
    listed = ", ".join(names) + (f" and {more} more" if more else "")
    looks = f"{where}: not of a known format; it looks like {table.shape.title} with the columns {listed}."
    return UnknownTable(f"{looks} If each row is a task, {_what_to_say(table)}", table)


def _what_to_say(table: TablePreview) -> str:
    """Return the option that reads a table, or what it lacks where nothing that can be guessed reads it."""
    guessed = table.guess
    named = dict(guessed.columns)
    lacking = [meaning for meaning in NEEDED if meaning not in named]
    if not {"end", "duration"} & named.keys():
        lacking.append("end")
    if not lacking:
        try:
            table.outcome(guessed)
        except InputError as error:
            cause = str(error)
            cut = cause if len(cause) <= MAX_CAUSE else f"{cause[:MAX_CAUSE]}…"
            return f"say with --columns which column is what; of the likeliest ones nothing comes ({cut})"
        needed = "job, start, and end or duration are needed"
        return f"say which column is what ({needed}): --columns {quote(guessed.text())}"
    columns = " and ".join(f"{meaning} ({MEANINGS[meaning]})" for meaning in lacking)
    others = ", ".join(f"{meaning}={column}" for meaning, column in guessed.columns)
    return (
        "say with --columns which column is what (job, start, and end or duration are needed); nothing looks "
        f"like {columns}{f', beside {others}' if others else ''}"
    )
