"""A table of which nobody has said which column is what: how it begins, and what would come of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from shlex import quote
from typing import TYPE_CHECKING

from core.logs.assemble import ImportedJobs, assemble
from core.logs.column_guess import guess
from core.logs.column_map import MEANINGS
from core.logs.job_profile import profile
from core.logs.logged_job import LoggedJob
from core.logs.table_lines import head_rows, looks_like_table
from core.logs.task_table import READER, items_of
from core.model.errors import Problem, UnknownFormat

if TYPE_CHECKING:
    from pathlib import Path

    from core.logs.byte_source import ByteSource
    from core.logs.column_map import ColumnMap
    from core.logs.table_lines import TableShape

PREVIEW_BYTES = 1 << 21
"""How much of a table is read to say what would come of it."""
MOST_NAMED = 40
"""Columns that a refusal lists."""
ROWS_SHOWN = 200


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
        head : its first bytes, which tell
        """
        if looks_like_table(head) is None:
            return None
        begin = source.head(PREVIEW_BYTES + 1)
        is_whole = len(begin) <= PREVIEW_BYTES
        if not is_whole:
            begin = begin[: begin.rfind(b"\n", 0, PREVIEW_BYTES) + 1]
        shape, rows = head_rows(begin, most=ROWS_SHOWN)
        return cls(name, shape, tuple(map(tuple, rows)), begin, is_whole)

    @property
    def guess(self) -> ColumnMap:
        """What the columns may mean."""
        return guess(self.shape.names, self.rows)

    def outcome(self, columns: ColumnMap) -> TableOutcome:
        """Return what would come of the rows in `head`; InputError if nothing would, with the reasons."""
        columns.places(self.shape.names)
        found = ImportedJobs(self.name, (READER,), {"columns": columns.text()}, (self.name,))
        reasons: Counter[str] = Counter()
        for item in items_of([self.head], columns):
            if isinstance(item, Problem):
                reasons[item.rule.removesuffix("; the row is left out")] += 1
                found.damage.append(item)
            else:
                found.profiles.append(profile(item) if isinstance(item, LoggedJob) else item)
        workload, report = assemble(found)
        for left_out in (report.maps.left_out, report.reduces.left_out, report.other_tasks):
            reasons.update(left_out)
        return TableOutcome(
            rows=0 if workload.recorded is None else len(workload.recorded.job),
            jobs=report.jobs_kept,
            maps=report.maps.kept,
            reduces=report.reduces.kept,
            hosts=0 if workload.recorded is None else len(workload.recorded.hosts),
            seconds=report.recorded_makespan,
            started=report.started,
            left_out=tuple(reasons.items()),
        )


@dataclass(frozen=True)
class TableOutcome:
    """What comes of a table, or of its beginning.

    Attributes
    ----------
    rows, jobs, maps, reduces, hosts : how many
    seconds : from the first submission to the last end, None if not known
    started : the first submission, ms on the table's clock
    left_out : reasons, and how many rows or tasks are left out for each
    """

    rows: int
    jobs: int
    maps: int
    reduces: int
    hosts: int
    seconds: float | None
    started: int
    left_out: tuple[tuple[str, int], ...]


class UnknownTable(UnknownFormat):
    """A table with a header that no reader knows: `table` is how it begins; the message has an example."""

    def __init__(self, path: Path | str, table: TablePreview) -> None:
        self.table = table
        names = [name or "(no name)" for name in table.shape.names[:MOST_NAMED]]
        more = len(table.shape.names) - len(names)
        listed = ", ".join(names) + (f" and {more} more" if more else "")
        super().__init__(
            f"{path}: not of a known format; it looks like {table.shape.title} with the columns {listed}. "
            "If each row is a task, say which column is what (job, start, and end or duration are needed): "
            f"--columns {quote(example(table))}"
        )


def example(table: TablePreview) -> str:
    """Return what to type for a table, as far as it can be guessed; what cannot is COLUMN."""
    guessed = table.guess
    named = dict(guessed.columns)
    lacking = [meaning for meaning in ("job", "start") if meaning not in named]
    if not {"end", "duration"} & named.keys():
        lacking.append("end")
    named |= dict.fromkeys(lacking, "COLUMN")
    return replace(guessed, columns=tuple((each, named[each]) for each in MEANINGS if each in named)).text()
