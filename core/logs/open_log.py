"""Import logs: files or folders of any supported format become one workload and a report.

The format is found by content, never by the file's name: files are sorted by format, their jobs and damaged
places collected. An import gives a value or raises; it never half-applies.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from core.logs import (
    history_dump,
    job_history,
    load_simulator,
    rumen,
    spark_log,
    swim,
    task_table,
    tracker_history,
)
from core.logs.assemble import ImportedJobs, assemble
from core.logs.byte_source import ByteSource
from core.logs.job_profile import profile
from core.logs.log_files import log_files, looks_like, neighbours
from core.logs.logged_job import LoggedJob, one_line
from core.logs.reader import HEAD_BYTES
from core.model.errors import MOST_PROBLEMS, InputError, Problem, UnknownFormat
from core.model.parameters import ParameterValue, check_parameters

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from core.logs.job_profile import JobProfile
    from core.logs.log_files import LogFile, ShouldStop
    from core.logs.reader import Reader
    from core.logs.report import ImportReport
    from core.model.workload import Workload


Progress = Callable[[float], None]

LOOKING = 0.1
"""Part of the progress that looking at many files takes, before the logs among them are read."""


@dataclass(frozen=True, slots=True)
class _Log:
    """A file of a known format: which, and how it begins."""

    file: LogFile
    reader: Reader
    head: bytes = field(repr=False)


class ImportPipeline:
    """Looks at files and reads the logs among them."""

    def __init__(
        self,
        readers: Sequence[Reader],
        progress: Progress | None = None,
        should_stop: ShouldStop | None = None,
    ) -> None:
        self._readers = readers
        self._progress = progress
        self._should_stop = should_stop
        self._left_out: list[tuple[str, str]] = []
        self._profiles: list[JobProfile] = []
        self._damage: list[Problem] = []
        self._damage_count = 0
        self._reading = ""

    def read(self, files: Sequence[LogFile], name: str, given: Mapping[str, object]) -> ImportedJobs:
        """Read all logs among the files; `given` are values for the parameters of their formats.

        Raises
        ------
        UnknownFormat
            a file that was named is no log, or no file is one
        UnknownName, InputError
            a given value is none of these formats', or breaks a rule; or a named file cannot be read
        Cancelled
            `should_stop` said so
        """
        logs = self._with_neighbours(self._logs_among(files))
        readers = tuple(reader for reader in self._readers if any(log.reader is reader for log in logs))
        if not readers:
            raise UnknownFormat(self._no_log_among(files))
        values = _values(readers, given)
        meter = _Meter(sum(log.file.size for log in logs), LOOKING if len(files) > 1 else 0.0, self._progress)
        for reader in readers:
            mine = [log.file for log in logs if log.reader is reader]
            for item in reader.read(self._sources(mine, meter), values):
                self._add(item)
        return ImportedJobs(
            name=name,
            readers=readers,
            values=values,
            files=tuple(log.file.name for log in logs),
            files_left_out=tuple(self._left_out),
            profiles=tuple(self._profiles),
            damage=tuple(self._damage),
            damage_count=self._damage_count,
        )

    def _logs_among(self, files: Sequence[LogFile]) -> list[_Log]:
        logs = []
        for number, file in enumerate(files):
            log = self._look_at(file)
            if log is not None:
                logs.append(log)
            if self._progress is not None and len(files) > 1:
                self._progress(LOOKING * (number + 1) / len(files))
        return logs

    def _look_at(self, file: LogFile) -> _Log | None:
        source = ByteSource(file.path, should_stop=self._should_stop)
        try:
            head = source.head(HEAD_BYTES)
        except InputError:
            if file.is_named:
                raise
            self._left_out.append((file.name, "a file that cannot be read"))
            return None
        reader = next((reader for reader in self._readers if reader.recognises(head)), None)
        if reader is not None:
            return _Log(file, reader, head)
        looks = "damaged gzip data" if source.damage and not head else looks_like(head)
        if file.is_named:
            known = ", ".join(reader.title for reader in self._readers)
            raise UnknownFormat(
                f"{file.path}: not of a known format; it looks like {looks} (known logs: {known})"
            )
        self._left_out.append((file.name, looks))
        return None

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
                    known.add(file.path.absolute())
        return logs + added

    def _no_log_among(self, files: Sequence[LogFile]) -> str:
        listed = "; ".join(f"{file} looks like {looks}" for file, looks in self._left_out[:5])
        where = files[0].path.parent if files else "the folder"
        return f"{where}: no file in the folder is a known log ({listed or 'it is empty'})"

    def _sources(self, files: Sequence[LogFile], meter: _Meter) -> Iterator[ByteSource]:
        """Yield the files of one format; what a reader finds meanwhile belongs to the last one."""
        for file in files:
            self._reading = file.name
            source = ByteSource(file.path, on_read=meter.add, should_stop=self._should_stop)
            yield source
            if source.damage:
                self._add(source.damage)

    def _add(self, item: LoggedJob | JobProfile | Problem) -> None:
        if isinstance(item, LoggedJob):
            self._profiles.append(profile(item))
        elif not isinstance(item, Problem):
            self._profiles.append(item)
        else:
            self._damage_count += 1
            if len(self._damage) < MOST_PROBLEMS:
                where = f"{self._reading}, {item.where}" if item.where else self._reading
                self._damage.append(Problem(where, item.value, item.rule))


class _Meter:
    """Turns bytes read into a fraction of the whole import."""

    def __init__(self, total: int, before: float, progress: Progress | None) -> None:
        self._total = max(total, 1)
        self._before = before
        self._read = 0
        self._progress = progress

    def add(self, size: int) -> None:
        self._read += size
        if self._progress is not None:
            part = min(1.0, self._read / self._total)
            self._progress(self._before + (1.0 - self._before) * part if part < 1.0 else 1.0)


def _values(readers: Sequence[Reader], given: Mapping[str, object]) -> dict[str, ParameterValue]:
    parameters = [parameter for reader in readers for parameter in reader.parameters]
    return check_parameters(parameters, given, " and ".join(reader.title for reader in readers))


READERS: tuple[Reader, ...] = (
    rumen.READER,
    job_history.READER,
    tracker_history.READER,
    history_dump.READER,
    load_simulator.READER,
    spark_log.READER,
    swim.READER,
    task_table.READER,
)
"""Every log format, in the order in which they are asked; a new format is one line here."""


@dataclass(frozen=True, slots=True)
class Imported:
    """An imported log: the workload and the account of how it came about."""

    workload: Workload
    report: ImportReport


def open_trace(
    paths: Sequence[Path],
    *,
    parameters: Mapping[str, object] | None = None,
    progress: Callable[[float], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Imported:
    """Import log files as one workload.

    Parameters
    ----------
    paths : files, or folders of which every log is taken; jobs are merged by submit time
    parameters : values for the parameters of the formats (`Reader.parameters`); the rest has defaults
    progress : called with the fraction done, from 0 to 1
    should_stop : asked now and then whether to give up

    Raises
    ------
    UnknownFormat
        no reader recognises a file that was named, or any file of a folder
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
    gathering = ImportPipeline(READERS, progress, should_stop)
    with _collector_at_rest():
        workload, report = assemble(gathering.read(files, _name(paths), parameters or {}))
    return Imported(workload, report)


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    """Leave out the search for circular garbage: of a hundred thousand new values none is, and it takes long.

    What is no longer referred to is freed at once all the same.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def reader_of(head: bytes) -> Reader | None:
    """Return the reader that recognises a file's first bytes (unpacked), or None."""
    return next((reader for reader in READERS if reader.recognises(head)), None)


def _name(paths: Sequence[Path]) -> str:
    """Name the workload after the first file or folder, without the endings that say nothing."""
    name = paths[0].resolve().name
    for ending in (".gz", ".json", ".trace", ".jhist", ".jsonl", ".tsv", ".csv", ".log", ".txt"):
        name = name.removesuffix(ending)
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return (one_line(name) or "log") + more
