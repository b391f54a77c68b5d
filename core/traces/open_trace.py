"""Import logs: files or folders of any supported format become one workload and a report.

The format is found by content, never by the file's name. An import gives a value or raises; it never
half-applies.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import MOST_PROBLEMS, InputError, Problem, UnknownFormat
from core.traces import rumen
from core.traces.assemble import Gathered, assemble
from core.traces.byte_source import ByteSource
from core.traces.reader import HEAD_BYTES, Reader
from core.traces.recorded_job import one_line
from core.traces.unknown_format import looks_like

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from core.traces.job_profile import JobProfile
    from core.traces.report import ImportReport
    from core.workload import Workload

READERS: tuple[Reader, ...] = (rumen.READER,)
"""Every log format, in the order in which they are asked; a new format is one line here."""

Progress = Callable[[float], None]
ShouldStop = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Imported:
    """An imported log: the workload and the account of how it came about."""

    workload: Workload
    report: ImportReport


def open_trace(
    paths: Sequence[Path],
    *,
    progress: Progress | None = None,
    should_stop: ShouldStop | None = None,
) -> Imported:
    """Import log files as one workload.

    Parameters
    ----------
    paths : files, or folders of which every log is taken; jobs are merged by submit time
    progress : called with the fraction read, from 0 to 1
    should_stop : asked now and then whether to give up

    Raises
    ------
    UnknownFormat
        no reader recognises a file that was named, or any file of a folder
    TraceError
        the files are of a known format, and not one job of them could be read
    InputError
        a file cannot be read
    Cancelled
        `should_stop` said so
    """
    files = _files(paths)
    meter = _Meter(sum(file.size for file in files), progress)
    gathering = _Gathering(meter, should_stop)
    for file in files:
        gathering.add(file)
    workload, report = assemble(gathering.result(paths))
    return Imported(workload, report)


def reader_of(head: bytes) -> Reader | None:
    """Return the reader that recognises a file's first bytes (unpacked), or None."""
    return next((reader for reader in READERS if reader.recognises(head)), None)


@dataclass(frozen=True, slots=True)
class _File:
    """A file to import: whether the user named it, rather than its folder, and its packed size."""

    path: Path
    is_named: bool
    size: int

    @property
    def name(self) -> str:
        """The file's name as the report shows it."""
        return one_line(self.path.name)


class _Meter:
    """Turns bytes read into a fraction of all files."""

    def __init__(self, total: int, progress: Progress | None) -> None:
        self._total = max(total, 1)
        self._read = 0
        self._progress = progress

    def add(self, size: int) -> None:
        self._read += size
        if self._progress is not None:
            self._progress(min(1.0, self._read / self._total))


class _Gathering:
    """Reads file after file; keeps the jobs and the first damaged places."""

    def __init__(self, meter: _Meter, should_stop: ShouldStop | None) -> None:
        self._meter = meter
        self._should_stop = should_stop
        self._readers: dict[str, Reader] = {}
        self._files: list[str] = []
        self._left_out: list[tuple[str, str]] = []
        self._profiles: list[JobProfile] = []
        self._damage: list[Problem] = []
        self._damage_count = 0

    def add(self, file: _File) -> None:
        source = ByteSource(file.path, on_read=self._meter.add, should_stop=self._should_stop)
        head = source.head(HEAD_BYTES)
        reader = reader_of(head)
        if reader is None:
            self._leave_out(file, _looks(source, head))
            return
        self._readers[reader.id] = reader
        self._files.append(file.name)
        for item in reader.read(source):
            if isinstance(item, Problem):
                self._add_damage(file.name, item)
            else:
                self._profiles.append(item)
        if source.damage:
            self._add_damage(file.name, source.damage)

    def result(self, paths: Sequence[Path]) -> Gathered:
        if not self._readers:
            listed = "; ".join(f"{file} looks like {looks}" for file, looks in self._left_out[:5])
            raise UnknownFormat(
                f"{paths[0]}: no file in the folder is a known log ({listed or 'it is empty'})"
            )
        return Gathered(
            name=_name(paths),
            readers=tuple(self._readers.values()),
            files=tuple(self._files),
            files_left_out=tuple(self._left_out),
            profiles=tuple(self._profiles),
            damage=tuple(self._damage),
            damage_count=self._damage_count,
        )

    def _leave_out(self, file: _File, looks: str) -> None:
        if file.is_named:
            known = ", ".join(reader.title for reader in READERS)
            raise UnknownFormat(
                f"{file.path}: not of a known format; it looks like {looks} (known logs: {known})"
            )
        self._left_out.append((file.name, looks))
        self._meter.add(file.size)

    def _add_damage(self, name: str, problem: Problem) -> None:
        self._damage_count += 1
        if len(self._damage) < MOST_PROBLEMS:
            self._damage.append(Problem(f"{name}, {problem.where}", problem.value, problem.rule))


def _looks(source: ByteSource, head: bytes) -> str:
    return "damaged gzip data" if source.damage and not head else looks_like(head)


def _files(paths: Sequence[Path]) -> list[_File]:
    if not paths:
        raise InputError("no file to import; name at least one log or a folder of logs")
    return [file for path in paths for file in _files_of(path)]


def _files_of(path: Path) -> Iterable[_File]:
    try:
        if path.is_dir():
            return [_File(found, False, found.stat().st_size) for found in _below(path)]
        if path.is_file():
            return [_File(path, True, path.stat().st_size)]
    except (OSError, ValueError) as problem:
        raise InputError(f"{path}: cannot be read ({problem})") from problem
    if path.exists():
        raise InputError(f"{path}: not a regular file; give a log file or a folder of logs")
    raise InputError(f"{path}: there is no such file or folder")


def _below(folder: Path) -> list[Path]:
    """Return the regular, visible files of a folder and its subfolders, by name."""
    found: list[Path] = []
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        here = (Path(place, name) for name in sorted(names) if not name.startswith("."))
        found += [path for path in here if path.is_file()]
    return found


def _name(paths: Sequence[Path]) -> str:
    """Name the workload after the first file or folder, without the endings that say nothing."""
    name = paths[0].resolve().name
    for ending in (".gz", ".json", ".trace"):
        name = name.removesuffix(ending)
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return (one_line(name) or "log") + more
