"""Import logs: files or folders of any supported format become one workload and a report.

The format is found by content, never by the file's name: files are sorted by format, their jobs and damaged
places collected. An import gives a value or raises; it never half-applies.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.logs import (
    alibaba,
    history_dump,
    job_history,
    load_simulator,
    nextflow,
    rumen,
    sacct,
    sacct_json,
    spark_log,
    swf,
    swim,
    task_table,
    tez_history,
    tracker_history,
    wf_format,
)
from core.logs.archives import is_archive, members
from core.logs.assemble import ImportedJobs, assemble
from core.logs.byte_source import ByteSource
from core.logs.column_map import COLUMNS, ColumnMap
from core.logs.job_batch import JobBatch
from core.logs.job_profile import profile
from core.logs.log_files import log_files, log_name, looks_like, neighbours
from core.logs.logged_job import LoggedJob
from core.logs.reader import HEAD_BYTES, JobsOf, JobsToCome, Remark
from core.logs.scratch_folder import scratch_folder
from core.logs.table_lines import looks_like_table
from core.logs.unknown_table import TablePreview, unknown_table
from core.model.errors import Cancelled, InputError, Problem, UnknownFormat
from core.model.freed_memory import give_memory_back
from core.model.in_parts import collector_at_rest
from core.model.input_budget import ImportBudget, OverBudget
from core.model.limits import MAX_JOBS, MAX_TASKS
from core.model.parameters import check_parameters
from core.model.progress import never_stop, no_progress
from core.model.time_text import duration_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from core.logs.log_files import LogFile, ShouldStop
    from core.logs.reader import Item, Reader
    from core.logs.report import ImportReport
    from core.model.workload import Workload


Progress = Callable[[float], None]

FIRST_YEARS = 10**11
"""Milliseconds since 1970 by which no log was written yet (March 1973): smaller times count from 0."""
MAX_DEPTH = 2
TOO_DEEP = "lies in an archive in an archive and is left out; unpack that one and open its folder"
"""Said of what lies deeper than in so many archives."""
_YEAR = 365 * 86_400_000
LOOKING = 0.1
"""Part of the progress that looking at many files takes, before the logs among them are read."""
READ, READ_OF_LAST, MADE = 0.85, 0.25, 0.65
"""Parts of the time, without looking, that are over when all bytes are read, of a format whose jobs come last
too, and when its jobs are made; the rest puts the jobs together."""


@dataclass(frozen=True, slots=True)
class _Log:
    """A file of a known format: which, and how it begins."""

    file: LogFile
    reader: Reader
    head: bytes = field(repr=False)


class ImportPipeline:
    """Looks at files and reads the logs among them; members of archives go to a folder meanwhile."""

    def __init__(self, name: str, folder: Path, progress: Progress, should_stop: ShouldStop) -> None:
        self._folder = folder
        self._found = ImportedJobs(name)
        self._progress = progress
        self._should_stop = should_stop
        self._reading = ""
        self._names: dict[Path, str] = {}
        """The files that were read, by their paths."""
        self._looked = self._reported = 0.0
        self._bytes, self._bytes_read = 1, 0
        self._read, self._to_come, self._came = READ, 0, 0
        self._tasks, self._jobs = 0, 0
        self._budget, self._is_over_budget = ImportBudget(0), False
        self._columns: ColumnMap | None = None
        self._table: TablePreview | None = None
        """The first table among files that were not named whose columns are not mapped."""
        self._submits: dict[str, tuple[int, int]] = {}
        """The first and the last submission in each file, ms on its clock."""

    def read(self, files: Sequence[LogFile], given: Mapping[str, object]) -> ImportedJobs:
        """Read all logs among the files; `given` are values for the parameters of their formats.

        Raises
        ------
        UnknownFormat
            a file that was named is no log, or no file is one; `UnknownTable` if it is a table of anything
        UnknownName, InputError
            a given value is none of these formats', or breaks a rule; or a named file cannot be read
        Cancelled
            `should_stop` said so
        """
        if COLUMNS in given:
            self._columns = ColumnMap.parse(str(given[COLUMNS]))
        self._budget.grow(sum(file.size for file in files))
        logs = self._with_neighbours(self._logs_among(files))
        found = self._found
        found.readers = [reader for reader in READERS if any(log.reader is reader for log in logs)]
        if not logs:
            raise self._no_log(files)
        found.values = check_parameters(found.parameters, given, found.format)
        found.files = tuple(log.file.name for log in logs)
        self._bytes = max(sum(log.file.size for log in logs), 1)
        if any(reader.makes_jobs_last for reader in found.readers):
            self._read = READ_OF_LAST
        for reader in found.readers:
            mine = [log for log in logs if log.reader is reader]
            self._find_missing_parts(reader, mine)
            for item in reader.read(self._sources(_in_order(reader, mine)), found.values):
                self._add(item)
        self._check_clocks()
        return found

    def _find_missing_parts(self, reader: Reader, logs: Sequence[_Log]) -> None:
        if reader.lacks_parts is None:
            return
        for beside in _by_folder(logs):
            self._reading = beside[0].file.name
            for sentence in reader.lacks_parts([log.file.name for log in beside]):
                self._add(Problem("", "", sentence))

    def _unknown(self, table: TablePreview, where: Path | str) -> InputError:
        """Return why a table cannot be read: its columns are not mapped, or not those that it has."""
        try:
            (self._columns or ColumnMap()).places(table.shape.names)
        except InputError as error:
            if self._columns is not None:
                return InputError(f"{where}: {error}")
        return unknown_table(where, table)

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

    def _check_clocks(self) -> None:
        """Refuse files of which some count from 0, others from 1970: nothing shows when the former began.

        A file that begins over a year after another one has ended is a problem.
        """
        from_zero = next((name for name, times in self._submits.items() if times[1] < FIRST_YEARS), None)
        of_1970 = next((name for name, times in self._submits.items() if times[0] >= FIRST_YEARS), None)
        if from_zero is not None and of_1970 is not None:
            rule = "nothing says when the first one's time 0 was; import them apart"
            raise InputError(f"the times of {from_zero} count from 0, those of {of_1970} from 1970: {rule}")
        for before, after in pairwise(sorted(self._submits, key=self._submits.__getitem__)):
            gap = self._submits[after][0] - self._submits[before][1]
            if gap > _YEAR:
                self._reading = after
                late = f"its first job comes {duration_text(gap / 1000)} after the last one of {before}"
                self._add(Problem("", "", f"{late}, and nothing runs between; import them apart"))

    def _logs_among(self, files: Sequence[LogFile]) -> list[_Log]:
        logs: list[_Log] = []
        for number, file in enumerate(files):
            logs += self._look_at(file)
            if self._is_over_budget:
                break
            if len(files) > 1:
                self._looked = LOOKING * (number + 1) / len(files)
                self._progress(self._looked)
        return logs

    def _look_at(self, file: LogFile, depth: int = 0) -> Iterator[_Log]:
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
            self._is_over_budget, self._reading = True, file.name
            self._add(Problem("", "", f"{problem}; the rest is left out"))
            return
        if is_archive(head):  # looked at first: a tar of logs begins nearly like its first log
            yield from self._look_into(file, head, depth)
        elif (reader := self._reader_of(head)) is not None:
            yield _Log(file, reader, head)
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

    def _look_into(self, archive: LogFile, head: bytes, depth: int) -> list[_Log]:
        """Return the logs among the members of an archive; of one without logs one line is enough."""
        folder, left_out = Path(tempfile.mkdtemp(dir=self._folder)), self._found.files_left_out
        before, self._reading, logs = len(left_out), archive.name, list[_Log]()
        if depth == MAX_DEPTH:
            self._add(Problem("", "", TOO_DEEP))
            return []
        damage = self._found.damage_count
        for member in members(archive, head, folder, self._may_be_log, self._should_stop):
            if isinstance(member, Problem):
                self._reading = archive.name
                self._add(member)
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
            self._reading = file.name
            self._add(damage)
        if file.is_named:
            known = ", ".join(reader.title for reader in READERS)
            raise UnknownFormat(
                f"{file.path}: not of a known format; it looks like {looks} (known logs: {known})"
            )
        self._found.files_left_out.append((file.name, looks))

    def _with_neighbours(self, logs: list[_Log]) -> list[_Log]:
        """Add the files beside a named log without which it cannot be understood."""
        known = {log.file.path.absolute() for log in logs}
        added: list[_Log] = []
        for log in logs:
            if log.reader.completes is None or not log.file.is_named:
                continue
            for file in neighbours(log.file):
                head = ByteSource(file.path).head(HEAD_BYTES) if file.path.absolute() not in known else b""
                if head and log.reader.recognises(head) and log.reader.completes(log.head, head):
                    added.append(_Log(file, log.reader, head))
                    self._budget.grow(file.size)
                    known.add(file.path.absolute())
        return logs + added

    def _sources(self, files: Sequence[LogFile]) -> Iterator[ByteSource]:
        """Yield the files of one format; what a reader finds meanwhile belongs to the last one."""
        for file in files:
            self._reading = self._names[file.path] = file.name
            source = ByteSource(
                file.path,
                opened=file.opened,
                on_read=self._count,
                should_stop=self._should_stop,
                budget=self._budget,
                name=file.member_name.rpartition(": ")[2],
            )
            yield source
            if source.damage:
                self._add(source.damage)

    def _add(self, item: Item) -> None:
        if isinstance(item, Remark):
            self._found.remarks.append(item.text)
        elif isinstance(item, JobsToCome):
            self._to_come += item.jobs
        elif isinstance(item, JobsOf):
            self._reading = self._names[item.path]
        elif isinstance(item, Problem):
            where = f"{self._reading}, {item.where}" if item.where else self._reading
            self._found.add_damage(Problem(where, item.value, item.rule))
        else:
            found = profile(item) if isinstance(item, LoggedJob) else item
            self._found.add(found)
            if isinstance(found, JobBatch):
                self._count_jobs(found.submit, found.tasks + int(np.count_nonzero(~found.is_kept)))
            else:
                self._count_jobs(np.array([found.submit]), found.job.task_count if found.job else 1)

    def _count_jobs(self, submit: NDArray[np.int64], tasks: int) -> None:
        """Count jobs by when they were submitted, and their tasks; report those that come last."""
        jobs = len(submit)
        if jobs:
            earliest, latest = int(submit.min()), int(submit.max())
            first, last = self._submits.get(self._reading, (earliest, latest))
            self._submits[self._reading] = min(first, earliest), max(last, latest)
        self._jobs += jobs
        self._tasks += tasks
        if self._tasks > MAX_TASKS or self._jobs > MAX_JOBS:
            rule = f"at most {MAX_JOBS} jobs and {MAX_TASKS} tasks fit in one workload; give fewer logs"
            raise InputError(f"{self._reading}: too many jobs and tasks; {rule}")
        self._came += jobs if self._to_come else 0
        if self._to_come and self._bytes_read >= self._bytes:
            if self._should_stop():
                raise Cancelled(f"import of {self._reading} stopped")
            self._report(self._read + (MADE - self._read) * min(1.0, self._came / self._to_come))

    def report_together(self, fraction: float) -> None:
        """Report progress when a fraction of putting the jobs together is done."""
        begin = READ if self._read == READ else MADE
        self._report(begin + (1.0 - begin) * fraction)

    def _count(self, size: int) -> None:
        """Report progress when so many more bytes are read."""
        self._bytes_read += size
        self._report(self._read * min(1.0, self._bytes_read / self._bytes))

    def _report(self, part: float) -> None:
        """Report progress when such a part of what follows on looking is done; it never falls."""
        fraction = self._looked + (1.0 - self._looked) * part
        self._reported = max(self._reported, fraction)
        self._progress(self._reported)


READERS: tuple[Reader, ...] = (
    rumen.READER,
    job_history.READER,
    tracker_history.READER,
    history_dump.READER,
    load_simulator.READER,
    spark_log.READER,
    swf.READER,
    sacct.READER,
    sacct_json.READER,
    tez_history.READER,
    swim.READER,
    alibaba.READER,
    wf_format.READER,
    nextflow.READER,
    task_table.READER,
)
"""Every log format, in the order in which they are tried; a new format is one line here."""


@dataclass(frozen=True, slots=True)
class Imported:
    """An imported log: the workload and the account of how it came about."""

    workload: Workload
    report: ImportReport


def open_trace(
    paths: Sequence[Path],
    *,
    parameters: Mapping[str, object] | None = None,
    progress: Callable[[float], None] = no_progress,
    should_stop: Callable[[], bool] = never_stop,
) -> Imported:
    """Import log files as one workload.

    Parameters
    ----------
    paths : files, or folders or archives of which every log is taken; jobs are merged by submit time
    parameters : values for the parameters of the formats (`Reader.parameters`); the rest has defaults
    progress : called with the fraction done, from 0 to 1
    should_stop : called now and then: whether to give up

    Raises
    ------
    UnknownFormat
        no reader recognises a file that was named, or any file of a folder; `UnknownTable` for a table whose
        columns must be named first, with the parameter `columns`
    TraceError
        the files are of a known format, and not one job of them could be read
    UnknownName
        a parameter is none of the formats that were found
    InputError
        a file cannot be read, a folder holds too many files, or a parameter's value breaks a rule
    Cancelled
        `should_stop` said so
    """
    files = log_files(paths, should_stop)
    with scratch_folder() as folder, collector_at_rest():
        gathering = ImportPipeline(log_name(paths), folder, progress, should_stop)
        found = gathering.read(files, parameters or {})
        workload, report = assemble(found, gathering.report_together)
        give_memory_back()
    return Imported(workload, report)


def reader_of(head: bytes) -> Reader | None:
    """Return the reader that recognises a file's first bytes (unpacked), or None."""
    return next((reader for reader in READERS if reader.recognises(head)), None)


def _in_order(reader: Reader, logs: Sequence[_Log]) -> list[LogFile]:
    """Return the files of a format as its reader wants them: parts of one log by their first times."""
    return [log.file for beside in _by_folder(logs) for log in reader.in_order(beside)]


def _by_folder(logs: Iterable[_Log]) -> list[list[_Log]]:
    folders: dict[Path, list[_Log]] = {}
    for log in logs:
        folders.setdefault(log.file.path.parent, []).append(log)
    return list(folders.values())
