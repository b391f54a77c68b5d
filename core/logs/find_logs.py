"""Find the logs among files, folders and archives, by their first bytes and never by their names."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from core.logs import task_table
from core.logs.archives import is_archive, members
from core.logs.byte_source import ByteSource
from core.logs.column_map import ColumnMap
from core.logs.log_files import EMPTY, looks_like, neighbours
from core.logs.reader import HEAD_BYTES
from core.logs.readers import READERS, reader_of
from core.logs.table_lines import looks_like_table
from core.logs.unknown_table import TablePreview, unknown_table
from core.model.errors import InputError, Problem, UnknownFormat
from core.model.input_budget import ImportBudget, OverBudget

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from core.logs.assemble import ImportedJobs
    from core.logs.log_files import LogFile, ShouldStop
    from core.logs.reader import Reader

MAX_DEPTH = 2
TOO_DEEP = "lies in an archive in an archive and is left out; unpack that one and open its folder"
"""Said of what lies deeper than in so many archives."""


@dataclass(frozen=True, slots=True)
class FoundLog:
    """A file of a known format: which, and how it begins."""

    file: LogFile
    reader: Reader
    head: bytes = field(repr=False)


class LogFinder:
    """Looks at files; members of archives go to a folder, and what is left out or damaged to `found`.

    Parameters
    ----------
    columns : the columns of a table that the user has named, None for none
    budget : how many bytes may be unpacked
    """

    def __init__(
        self,
        found: ImportedJobs,
        folder: Path,
        columns: ColumnMap | None,
        budget: ImportBudget,
        should_stop: ShouldStop,
    ) -> None:
        self._found, self._folder, self._columns = found, folder, columns
        self._budget, self._is_over_budget = budget, False
        self._should_stop = should_stop
        self._table: TablePreview | None = None
        """The first table among files that were not named whose columns are not mapped."""

    def find(self, files: Sequence[LogFile], on_looked: Callable[[int, int], None]) -> list[FoundLog]:
        """Return the logs among files, and those beside named ones without which these cannot be read.

        `on_looked` is called with how many of how many files have been looked at.

        Raises
        ------
        UnknownFormat
            a file that was named is no log, or no file is one; `UnknownTable` if it is a table of anything
        InputError
            a file that was named cannot be read
        Cancelled
            `should_stop` said so
        """
        logs: list[FoundLog] = []
        for number, file in enumerate(files, 1):
            logs += self._look_at(file)
            if self._is_over_budget:
                break
            on_looked(number, len(files))
        if not logs:
            raise self._no_log(files)
        return self._with_neighbours(logs)

    def _no_log(self, files: Sequence[LogFile]) -> InputError:
        if self._table is not None:
            return self._unknown(self._table, self._table.name)
        found = self._found
        listed = "; ".join(f"{file} looks like {looks}" for file, looks in found.files_left_out[:5])
        why = (
            "; ".join(problem.rule for problem in found.damage)
            or listed
            or "it has no file, or only hidden ones"
        )
        if files and files[0].is_named:
            return UnknownFormat(f"{files[0].path}: no file in the archive is a known log ({why})")
        where = files[0].path.parent if files else found.name
        return UnknownFormat(f"{where}: no file in the folder is a known log ({why})")

    def _unknown(self, table: TablePreview, where: Path | str) -> InputError:
        """Return why a table cannot be read: its columns are not mapped, or not those that it has."""
        try:
            (self._columns or ColumnMap()).places(table.shape.names)
        except InputError as error:
            if self._columns is not None:
                return InputError(f"{where}: {error}")
        return unknown_table(where, table)

    def _look_at(self, file: LogFile, depth: int = 0) -> Iterator[FoundLog]:
        """Yield a file if it is a log, and those of an archive; it lies within so many archives."""
        source = ByteSource(file.path, opened=file.opened, should_stop=self._should_stop)
        try:
            head = source.head(HEAD_BYTES)
        except InputError:
            if file.is_named:
                raise
            self._found.files_left_out.append((file.name, "a file that cannot be read"))
            return
        try:
            self._budget.take(head)  # each of a dozen formats looks at it
        except OverBudget as problem:
            self._is_over_budget = True
            self._found.add_damage(Problem("", "", f"{problem}; the rest is left out"), file.name)
            return
        if is_archive(head):  # looked at first: a tar of logs begins nearly like its first log
            yield from self._look_into(file, head, depth)
        elif (reader := self._reader_of(head)) is not None:
            yield FoundLog(file, reader, head)
        else:
            self._leave_out(file, head, source)

    def _reader_of(self, head: bytes) -> Reader | None:
        """Return the reader of a file; a table that has the columns which were named is one of tasks."""
        shape = None if self._columns is None else looks_like_table(head)
        if self._columns is not None and shape is not None:
            with suppress(InputError):
                self._columns.places(shape.names)
                return task_table.READER
        return reader_of(head)

    def _may_be_log(self, head: bytes) -> bool:
        """Whether more of a file than its beginning is of use: for a table, what its preview shows."""
        return is_archive(head) or self._reader_of(head) is not None or looks_like_table(head) is not None

    def _look_into(self, archive: LogFile, head: bytes, depth: int) -> list[FoundLog]:
        """Return the logs among the members of an archive; of one without logs one line is enough."""
        folder, left_out = Path(tempfile.mkdtemp(dir=self._folder)), self._found.files_left_out
        before, logs = len(left_out), list[FoundLog]()
        if depth == MAX_DEPTH:
            self._found.add_damage(Problem("", "", TOO_DEEP), archive.name)
            return []
        damage = self._found.damage_count
        for member in members(archive, head, folder, self._may_be_log, self._should_stop):
            if isinstance(member, Problem):
                self._found.add_damage(member, archive.name)
            else:
                logs += self._look_at(member, depth + 1)
            if self._is_over_budget:
                break
        if not logs and not archive.is_named and damage == self._found.damage_count:
            left_out[before:] = [(archive.name, "an archive without logs")]
        if len(logs) == 1:  # a log that was packed by itself lies where its archive does
            (log,) = logs
            logs = [replace(log, file=replace(log.file, path=archive.path))]
        return logs

    def _leave_out(self, file: LogFile, head: bytes, source: ByteSource) -> None:
        damage = source.damage
        self._table = self._table or TablePreview.of(file.name, source, head)
        if file.is_named and self._table is not None:
            raise self._unknown(self._table, file.path)
        shape = looks_like_table(head)
        looks = looks_like(head) if shape is None else shape.title
        if damage and not head:
            is_damaged = damage.rule.startswith("the packed data")
            looks = f"damaged {damage.where} data" if is_damaged else f"{damage.where} data ({damage.rule})"
            self._found.add_damage(damage, file.name)
        if file.is_named:
            known = f" (known logs: {', '.join(reader.title for reader in READERS)})"
            known = "" if looks == EMPTY else known
            raise UnknownFormat(f"{file.path}: not of a known format; it looks like {looks}{known}")
        self._found.files_left_out.append((file.name, looks))

    def _with_neighbours(self, logs: list[FoundLog]) -> list[FoundLog]:
        """Add the files beside a named log without which it cannot be understood."""
        known = {log.file.path.absolute() for log in logs}
        added: list[FoundLog] = []
        for log in logs:
            if log.reader.completes is None or not log.file.is_named:
                continue
            for file in neighbours(log.file):
                head = ByteSource(file.path).head(HEAD_BYTES) if file.path.absolute() not in known else b""
                if head and log.reader.recognises(head) and log.reader.completes(log.head, head):
                    added.append(FoundLog(file, log.reader, head))
                    self._budget.grow(file.size)
                    known.add(file.path.absolute())
        return logs + added
